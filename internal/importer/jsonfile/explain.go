package jsonfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Explain puts what encoding/json says into words for who made the file.
func Explain(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := wrong.Field
		if field == "" {
			field = "the record"
		}
		return fmt.Errorf("%s: it is %s, and must be %s", field, article(wrong.Value), goKind(wrong.Type.Kind().String()))
	}
	if field, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("there is no field %s", field)
	}
	return fmt.Errorf("this is no JSON: %w", err)
}

func article(value string) string {
	word, _, _ := strings.Cut(value, " ") // "number 1.5"
	switch word {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	case "string":
		return "text"
	}
	return "a " + word
}

func goKind(kind string) string {
	switch kind {
	case "slice":
		return "a list"
	case "struct", "map", "ptr":
		return "an object"
	case "bool":
		return "true or false"
	case "string":
		return "text"
	case "float64":
		return "a number"
	}
	return "a whole number"
}
