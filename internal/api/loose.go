package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
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

// looseInt is written as a number, or as a text that holds one.
type looseInt int64

func (n *looseInt) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(text), `" `), 10, 64)
	if err != nil {
		return errors.New("a whole number is wanted")
	}
	*n = looseInt(v)
	return nil
}

// Schema tells huma what is allowed. A pointer to it takes null too.
func (looseInt) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "A whole number; a text that holds one is taken as well.",
		AnyOf:       []*huma.Schema{{Type: huma.TypeInteger, Nullable: true}, {Type: huma.TypeString, Pattern: "^-?[0-9]{1,18}$"}},
	}
}

// looseList is written as a list of texts, as one text with commas, or as null.
type looseList []string

func (l *looseList) UnmarshalJSON(text []byte) error {
	var list []string
	if json.Unmarshal(text, &list) == nil {
		*l = list
		return nil
	}
	var one string
	if err := json.Unmarshal(text, &one); err != nil {
		return fmt.Errorf("a list of texts is wanted")
	}
	*l = splitList(one)
	return nil
}

// Schema tells huma what is allowed.
func (looseList) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "A list of texts; one text with commas is taken as well.",
		AnyOf: []*huma.Schema{
			{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}, MaxItems: new(300)},
			{Type: huma.TypeString, Nullable: true},
		},
	}
}

// wordsOf reads a list that comes as several parameters, as one with commas, or
// both.
func wordsOf(params []string) (out []string) {
	for _, p := range params {
		for word := range strings.SplitSeq(p, ",") {
			if word = strings.TrimSpace(word); word != "" {
				out = append(out, word)
			}
		}
	}
	return out
}

func splitList(s string) []string { return wordsOf([]string{s}) }
