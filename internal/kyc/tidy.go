package kyc

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// The longest that parts of an entry may be. What is longer is no name.
const (
	maxName   = 1000
	maxNumber = 200
)

// tidy brings an entry into the one form in which it is compared and kept:
// without spaces that mean nothing, without repetitions, and with lists in an
// order of their own, so that a publisher who shuffles its file changes nothing.
func (e *Entry) tidy() {
	e.Number = clean(e.Number)
	e.Names = slices.Clone(e.Names) // lists may be shared with other entries
	for i := range e.Names {
		n := &e.Names[i]
		n.Text, n.First, n.Middle, n.Last = clean(n.Text), clean(n.First), clean(n.Middle), clean(n.Last)
		n.Script = script(n.Text)
	}
	e.Names = slices.DeleteFunc(e.Names, func(n Name) bool { return n.Text == "" })
	e.tidyNames()
	for _, list := range []*[]string{&e.BirthPlaces, &e.Nationalities, &e.Countries, &e.Titles, &e.Positions, &e.Programmes, &e.Measures} {
		*list = tidyTexts(*list, true)
	}
	e.Reasons, e.Remarks = tidyTexts(e.Reasons, false), tidyTexts(e.Remarks, false)
	e.Born, e.Died = tidyDates(e.Born), tidyDates(e.Died)
	e.Identifiers = tidyList(e.Identifiers, func(i *Identifier) bool {
		i.Value, i.Country, i.Note = clean(i.Value), clean(i.Country), clean(i.Note)
		return i.Value != ""
	})
	e.Addresses = tidyList(e.Addresses, func(a *Address) bool {
		a.Line, a.City, a.Region = clean(a.Line), clean(a.City), clean(a.Region)
		a.Post, a.Country, a.Note = clean(a.Post), clean(a.Country), clean(a.Note)
		return *a != Address{} && *a != Address{Note: a.Note}
	})
	e.Contacts = tidyList(e.Contacts, func(c *Contact) bool { c.Value = clean(c.Value); return c.Value != "" })
	e.Links = tidyList(e.Links, func(l *Link) bool { l.Name = clean(l.Name); return l.Name != "" })
	e.Datasets, e.Bodies = slices.Compact(slices.Sorted(slices.Values(e.Datasets))), slices.Compact(slices.Sorted(slices.Values(e.Bodies)))
}

// tidyNames puts the main name first. Of two names in the same words the one
// that says more is kept: a main one, a strong one, one in parts.
func (e *Entry) tidyNames() {
	// There is one main name, the first that is called so, and spellings of it.
	main := max(0, slices.IndexFunc(e.Names, func(n Name) bool { return n.Type == Primary }))
	for i := range e.Names {
		if n := &e.Names[i]; i != main && n.Type == Primary {
			n.Type = Alias
		}
	}
	worth := func(n *Name) int {
		w := 0
		if n.Type == Primary {
			w += 8
		}
		if !n.Weak {
			w += 4
		}
		if n.Last != "" {
			w += 2
		}
		if n.Type == Alias {
			w++
		}
		return w
	}
	slices.SortStableFunc(e.Names, func(a, b Name) int {
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(worth(&b), worth(&a)))
	})
	e.Names = slices.CompactFunc(e.Names, func(a, b Name) bool { return a.Text == b.Text })
	slices.SortStableFunc(e.Names, func(a, b Name) int { return cmp.Compare(a.Type, b.Type) })
	if len(e.Names) > 0 && e.Names[0].Type != Primary {
		// A publisher that names no main one: the first strong one is it.
		i := max(0, slices.IndexFunc(e.Names, func(n Name) bool { return !n.Weak }))
		n := e.Names[i]
		n.Type = Primary
		e.Names = slices.Insert(slices.Delete(e.Names, i, i+1), 0, n)
	}
}

// check says what keeps an entry from being one.
func (e *Entry) check() error {
	switch {
	case e.List == "":
		return errors.New("it is on no list")
	case e.Number == "":
		return errors.New("it has no number")
	case len(e.Number) > maxNumber:
		return fmt.Errorf("its number is longer than %d bytes", maxNumber)
	case len(e.Names) == 0:
		return fmt.Errorf("%q has no name", e.Number)
	case len(e.Datasets) == 0:
		return fmt.Errorf("%q does not say what it is listed for", e.Number)
	}
	for _, n := range e.Names {
		if len(n.Text) > maxName {
			return fmt.Errorf("%q has a name of %d bytes, more than %d", e.Number, len(n.Text), maxName)
		}
	}
	switch e.Kind {
	case Person, Company, Vessel, Aircraft, Other:
		return nil
	}
	return fmt.Errorf("%q is of no known kind: %q", e.Number, e.Kind)
}

// clean takes away what no reader sees: control characters, spaces at the ends
// and all but one of several. A NUL is left out: no database keeps it.
func clean(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] > ' ' && s[i] < 0x7f || s[i] == ' ' && i > 0 && i+1 < len(s) && s[i-1] != ' '
	}
	if plain {
		return s
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == '\ufeff', r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

func tidyTexts(list []string, sorted bool) []string {
	var out []string
	for _, s := range list {
		if s = clean(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if sorted {
		slices.Sort(out)
	}
	return out
}

func tidyDates(list []Date) []Date {
	list = slices.DeleteFunc(slices.Clone(list), func(d Date) bool { return !d.Valid() })
	slices.SortFunc(list, func(a, b Date) int { return cmp.Compare(a.String(), b.String()) })
	if list = slices.Compact(list); len(list) == 0 {
		return nil
	}
	return list
}

// tidyList keeps what is good of a list, sorted and each once.
func tidyList[T comparable](list []T, good func(*T) bool) []T {
	var out []T
	for _, one := range list {
		if good(&one) && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b T) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return out
}

// scripts are those that names come in, besides Latin.
var scripts = []struct {
	code  string
	table *unicode.RangeTable
}{
	{"Arab", unicode.Arabic},
	{"Cyrl", unicode.Cyrillic},
	{"Hani", unicode.Han},
	{"Hang", unicode.Hangul},
	{"Hebr", unicode.Hebrew},
	{"Hira", unicode.Hiragana},
	{"Kana", unicode.Katakana},
	{"Grek", unicode.Greek},
	{"Thai", unicode.Thai},
	{"Deva", unicode.Devanagari},
	{"Geor", unicode.Georgian},
	{"Armn", unicode.Armenian},
	{"Mymr", unicode.Myanmar},
	{"Beng", unicode.Bengali},
	{"Khmr", unicode.Khmer},
	{"Ethi", unicode.Ethiopic},
	{"Taml", unicode.Tamil},
}

// script is that of the first letter that is not Latin; empty if all are.
func script(s string) string {
	for _, r := range s {
		if r < 0x370 || !unicode.IsLetter(r) || unicode.Is(unicode.Latin, r) {
			continue
		}
		for _, k := range scripts {
			if unicode.Is(k.table, r) {
				return k.code
			}
		}
		return "Zyyy"
	}
	return ""
}
