package company

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A Key is something by which companies are looked for besides names and
// numbers: where they are, how they are reached, who runs them. Keys are kept by
// a reader of the log: whoever writes companies does not wait for them.
type Key struct {
	Kind  KeyKind
	Value string // as the functions in this file write it
}

// KeyKind says what a key is.
type KeyKind string

const (
	KeyPost   KeyKind = "post"
	KeyCity   KeyKind = "city"
	KeyStreet KeyKind = "street"
	KeyRegion KeyKind = "region"
	KeyPhone  KeyKind = "phone"
	KeyWeb    KeyKind = "web"
	KeyHead   KeyKind = "head"   // the value is the LEI or ID of the company whose branch it is
	KeyPerson KeyKind = "person" // the value is a PersonID: the company has or had that officer
)

// Keyed is a company and all its keys.
type Keyed struct {
	Company ID
	Keys    []Key
}

// Keys are what a company is looked for by.
func (c *Company) Keys() []Key {
	var out []Key
	add := func(kind KeyKind, value string) {
		if value != "" {
			out = append(out, Key{kind, value})
		}
	}
	for i := range c.Addresses {
		a := &c.Addresses[i]
		if a.Kind == FormerAddress {
			continue
		}
		add(KeyPost, postKey(a.Post))
		add(KeyCity, plainKey(a.City))
		add(KeyRegion, plainKey(a.Region))
		for _, street := range a.streets() {
			add(KeyStreet, streetKey(street))
		}
	}
	for _, p := range c.Phones {
		add(KeyPhone, phoneKey(p))
	}
	for _, w := range c.Websites {
		add(KeyWeb, webKey(w))
	}
	for _, l := range c.Links {
		if l.Kind == HeadOf && l.Until == "" {
			add(KeyHead, cmp.Or(l.LEI, string(l.ID)))
		}
	}
	for i := range c.Officers {
		add(KeyPerson, string(c.Officers[i].PersonID(c.ID)))
	}
	slices.SortFunc(out, func(a, b Key) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Value, b.Value)) })
	return slices.Compact(out)
}

// streets are what may be the street of an address: a source that cannot tell it
// apart has it in one of its lines.
func (a *Address) streets() []string {
	if a.Street != "" {
		return []string{a.Street}
	}
	return a.Lines
}

// maxKey is the longest key that is kept. An index takes no texts of any length.
const maxKey = 200

// plainKey takes away how a text is written and leaves its words: case, accents,
// stops, and the two ways to write an umlaut.
func plainKey(s string) string {
	return strings.Join(plainWords(s), " ")
}

func plainWords(s string) []string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ReplaceAll(strings.ToLower(s), "ß", "ss")) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' || r == '.':
		default:
			b.WriteByte(' ')
		}
		if b.Len() >= maxKey {
			break
		}
	}
	return strings.Fields(umlauts.Replace(b.String()))
}

// umlauts makes "Muenchen" the "Munchen" that "München" has become. That other
// words lose an e does no harm: they do on both sides.
var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// postKey is a post code without what some write into it and others do not.
func postKey(s string) string {
	var b strings.Builder
	for _, r := range strings.ToUpper(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
		if b.Len() >= 20 {
			break
		}
	}
	return b.String()
}

// streetKey is a street without the number of the house.
func streetKey(s string) string {
	words := plainWords(s)
	words = slices.DeleteFunc(words, isHouse)
	for i, w := range words {
		if short, ok := streetWords[w]; ok {
			words[i] = short
		} else if stem, ok := strings.CutSuffix(w, "strasse"); ok {
			words[i] = stem + "str"
		}
	}
	return strings.Join(words, " ")
}

// streetWords are words that everybody cuts short.
var streetWords = map[string]string{
	"street": "st", "road": "rd", "avenue": "ave", "av": "ave", "lane": "ln", "square": "sq", "place": "pl",
	"drive": "dr", "boulevard": "bd", "blvd": "bd", "strasse": "str", "court": "ct",
}

// isHouse reports whether a word is the number of a house: 12, 12a.
func isHouse(word string) bool {
	rest := strings.TrimLeft(word, "0123456789")
	return rest != word && len(rest) <= 1
}

// phoneKey is the end of a telephone number, which is the same whether or not
// the country and the area stand before it.
func phoneKey(s string) string {
	digits := digitsOf(s)
	if len(digits) < 5 {
		return ""
	}
	return digits[max(0, len(digits)-8):]
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// webKey is the host of a web site.
func webKey(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
	}
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		s = s[:i]
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		s = s[:i]
	}
	s = strings.Trim(strings.TrimPrefix(s, "www."), ".")
	if len(s) > maxKey || !isPlain(s) {
		return ""
	}
	return s
}
