package company

import (
	"slices"
	"strings"
	"testing"
)

// What is hidden from view, or brought back, is told as that and nothing else:
// neither what it was, nor that somebody left or came.
func TestHiddenIsNotTold(t *testing.T) {
	ida := Person{ID: "p1", Name: "Ida Quill", Address: &Address{Street: "1 Hidden Lane"}}
	veiled := Person{ID: "p9", Protected: true}
	visible := Facts{
		Name: "Quill & Daughters", Names: []Name{{Text: "QD", Kind: Trading}}, Phones: []string{"0700 1"},
		Officers: []Officer{{Person: ida, Role: "director"}}, Owners: []Owner{{Person: ida}},
	}
	with := func(edit func(*Facts)) Facts { f := visible; edit(&f); return f }
	for what, test := range map[string]struct {
		is   Facts
		want []string
	}{
		"officers suppressed":           {with(func(f *Facts) { f.Officers, f.Suppressed = nil, []string{"officers"} }), []string{"officers"}},
		"all withheld":                  {Facts{Withheld: true}, nil},
		"an owner under another number": {with(func(f *Facts) { f.Owners = []Owner{{Person: veiled}} }), []string{"owners"}},
		"the same owner": {
			with(func(f *Facts) { f.Owners = []Owner{{Person: Person{ID: "p1", Protected: true}}} }),
			[]string{"owners"},
		},
	} {
		for _, way := range [][2]Facts{{visible, test.is}, {test.is, visible}} {
			var hid []string
			for _, c := range Compare(Company{ID: "GB-0-1", Facts: way[0]}, Company{ID: "GB-0-1", Facts: way[1]}) {
				if text := c.Item + c.Old + c.New; strings.Contains(text, "Quill") || strings.Contains(text, "QD") || strings.Contains(text, "0700") {
					t.Errorf("%s: %+v", what, c)
				}
				switch c.Field {
				case FieldHidden:
					hid = append(hid, c.Item)
				case FieldWithheld:
				default:
					t.Errorf("%s: %s is told to have changed", what, c.Field)
				}
			}
			if !slices.Equal(hid, test.want) {
				t.Errorf("%s: hidden are %q, want %q", what, hid, test.want)
			}
		}
	}
	// A protected owner who comes besides is told as one, and so is who leaves.
	more := with(func(f *Facts) { f.Owners = []Owner{{Person: ida}, {Person: veiled}} })
	for _, test := range []struct {
		was, is Facts
		want    Field
	}{{visible, more, OwnerIn}, {visible, with(func(f *Facts) { f.Owners = nil }), OwnerOut}} {
		got := Compare(Company{Facts: test.was}, Company{Facts: test.is})
		if len(got) != 1 || got[0].Field != test.want {
			t.Errorf("%+v, want one %s", got, test.want)
		}
	}
}
