package company

import (
	"strings"
	"unicode/utf8"

	"bureau/internal/fault"
)

// An ID is a connectId: the country, a 0, and the number in the country's
// register ("GB-0-03375464"). It is given once and never changes, whatever
// becomes of the number.
type ID string

// NewID makes the ID of a company from its country and number. Spaces go, and
// letters are upper case: registers do not agree with themselves on either.
func NewID(country, number string) ID {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '\t' || r == 0xa0:
			return -1
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, number)
	return ID(strings.ToUpper(country) + "-0-" + clean)
}

// ParseID reads a connectId in any of the forms that clients send: with a
// number behind the country ("GB001-0-…"), or another letter for the 0.
func ParseID(s string) (ID, error) {
	bad := fault.Invalid.Errorf("%q is not a connectId: it looks like GB-0-03375464", fault.Clip(s))
	s = strings.TrimSpace(s)
	country, rest, ok := strings.Cut(s, "-")
	kind, number, ok2 := strings.Cut(rest, "-")
	if !ok || !ok2 || len(country) < 2 || kind == "" || len(kind) > 3 || number == "" || len(s) > 100 || !isPlain(s) {
		return "", bad
	}
	letters, digits := country[:2], country[2:]
	if !isLetters(letters) || strings.Trim(digits, "0123456789") != "" || len(digits) > 3 {
		return "", bad
	}
	return NewID(letters, number), nil
}

// isPlain reports whether a text is made of characters that can be seen.
func isPlain(s string) bool {
	for _, r := range s {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return false
		}
	}
	return true
}

func isLetters(s string) bool {
	for _, r := range s {
		if (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return s != ""
}

// Country is the country that the company was registered in when it got its ID.
func (id ID) Country() string {
	country, _, _ := strings.Cut(string(id), "-")
	return country
}

// Number is the part behind the country.
func (id ID) Number() string {
	parts := strings.SplitN(string(id), "-", 3)
	if len(parts) < 3 {
		return ""
	}
	return parts[2]
}

// SafeNo is the company's number in one word, for clients that know companies
// by such numbers: "GB03375464". Lookup finds the company by it.
func (id ID) SafeNo() string { return id.Country() + id.Number() }
