package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Clients in the field write flags and parameters in several ways. The types
// here read them all.

// looseBool is written as true, 1 or "true".
type looseBool bool

func (b *looseBool) UnmarshalJSON(text []byte) error {
	switch strings.ToLower(strings.Trim(string(text), `" `)) {
	case "true", "1":
		*b = true
	case "false", "0", "null", "":
		*b = false
	default:
		return errors.New(notBool)
	}
	return nil
}

// notBool says what a flag is, whatever was sent instead.
const notBool = "expected true or false (or 0, 1)"

// Schema tells huma what is allowed. Exactly one of the forms can match.
func (looseBool) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "true or false; 1, 0, \"true\" and \"false\" are taken too.",
		OneOf: []*huma.Schema{
			{Type: huma.TypeBoolean},
			{Type: huma.TypeInteger, Enum: []any{0, 1}},
			{Type: huma.TypeString, Enum: []any{"true", "false", "True", "False", "1", "0", ""}},
		},
		Examples: []any{true},
	}
}

// looseText is written as a text, a number or a flag.
type looseText string

func (s *looseText) UnmarshalJSON(text []byte) error {
	var v any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		*s = ""
	case string:
		*s = looseText(v)
	case json.Number:
		*s = looseText(v.String())
	case bool:
		*s = looseText(boolWord(v))
	default:
		return fmt.Errorf("a text or a number is wanted")
	}
	return nil
}

// Schema tells huma what is allowed.
func (looseText) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "A text; numbers and flags are taken as well.",
		AnyOf:       []*huma.Schema{{Type: huma.TypeString, Nullable: true}, {Type: huma.TypeNumber}, {Type: huma.TypeBoolean}},
	}
}
