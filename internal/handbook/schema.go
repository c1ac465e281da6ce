package handbook

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A schema is what we read of a JSON Schema.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       kinds              `json:"type"`
	About      string             `json:"description"`
	Format     string             `json:"format"`
	Enum       []any              `json:"enum"`
	Items      *schema            `json:"items"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	OneOf      []*schema          `json:"oneOf"`
	MaxLength  *int               `json:"maxLength"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
}

// kinds are the types of a value: the document writes one or a list.
type kinds []string

func (k *kinds) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*k = kinds{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(b, &many); err != nil {
		return err
	}
	*k = many
	return nil
}

// A Field is one line of what an object holds.
type Field struct {
	Name     string
	Type     string
	About    string
	Required bool
	Values   []string // the only ones that it may have
	Fields   []Field
}

// maxDepth is how deep a page follows objects in objects. Trees (a group of
// companies) have no end.
const maxDepth = 12

// describe says what a schema is, and which fields it has.
func (d openAPI) describe(s *schema) (string, []Field) {
	return d.typeOf(s, nil), d.fields(s, nil, maxDepth)
}

func (d openAPI) resolve(s *schema) *schema {
	for s != nil && s.Ref != "" {
		s = d.Components.Schemas[s.Ref[strings.LastIndex(s.Ref, "/")+1:]]
	}
	if s == nil {
		return &schema{}
	}
	return s
}

// fields lists the fields of an object, or of the objects of a list. Above are
// the schemas on the way here: one that holds itself is not opened again.
func (d openAPI) fields(s *schema, above []*schema, depth int) []Field {
	s = d.resolve(s)
	if slices.Contains(above, s) || depth == 0 {
		return nil
	}
	above = append(slices.Clip(above), s)
	if s.Items != nil {
		return d.fields(s.Items, above, depth)
	}
	var out []Field
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if name == "$schema" {
			continue
		}
		p := s.Properties[name]
		inner := d.resolve(p)
		f := Field{
			Name: name, Type: d.typeOf(p, nil), About: p.About, Required: slices.Contains(s.Required, name),
			Fields: d.fields(p, above, depth-1),
		}
		if f.About == "" {
			f.About = inner.About
		}
		for _, v := range inner.Enum {
			f.Values = append(f.Values, fmt.Sprint(v))
		}
		out = append(out, f)
	}
	// What is needed comes first.
	slices.SortStableFunc(out, func(a, b Field) int {
		switch {
		case a.Required && !b.Required:
			return -1
		case b.Required && !a.Required:
			return 1
		}
		return 0
	})
	return out
}

var typeWords = map[string]string{
	"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
	"array": "list", "object": "object", "null": "null",
}

// typeOf is the type of a value in words.
func (d openAPI) typeOf(s *schema, above []*schema) string {
	s = d.resolve(s)
	if slices.Contains(above, s) {
		return "object"
	}
	above = append(slices.Clip(above), s)
	var words []string
	for _, k := range s.Type {
		word := typeWords[k]
		switch {
		case k == "array" && s.Items != nil:
			word = "list of " + d.typeOf(s.Items, above)
		case k == "string" && s.Format != "" && s.Format != "password":
			word = "text (" + s.Format + ")"
		}
		words = append(words, word)
	}
	for _, one := range s.OneOf {
		words = append(words, d.typeOf(one, above))
	}
	if len(words) == 0 {
		return "any value"
	}
	text := strings.Join(words, " or ")
	switch {
	case s.MaxLength != nil && *s.MaxLength > 0:
		text += fmt.Sprintf(", at most %d characters", *s.MaxLength)
	case s.Minimum != nil && s.Maximum != nil:
		text += fmt.Sprintf(", %v to %v", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		text += fmt.Sprintf(", at least %v", *s.Minimum)
	case s.Maximum != nil:
		text += fmt.Sprintf(", at most %v", *s.Maximum)
	}
	return text
}
