package listfile

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"bureau/internal/kyc"
)

// mark is what stands before each of several values in one cell: (1), 1), a).
var mark = regexp.MustCompile(`(?:^|\s)\(?([a-z]|\d{1,2})\)\s*`)

// Numbered splits a text with numbered parts: "(1) German (2) Moroccan". One
// without numbers is its only part.
func Numbered(text string) []string {
	text = strings.TrimSpace(text)
	at := mark.FindAllStringSubmatchIndex(text, -1)
	first := ""
	if len(at) > 0 {
		first = text[at[0][2]:at[0][3]]
	}
	// A number in brackets in the middle of a text is no beginning of a list.
	if len(at) == 0 || at[0][0] > 0 || first != "1" && first != "a" {
		if text == "" {
			return nil
		}
		return []string{text}
	}
	var out []string
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		if part := strings.Trim(text[m[1]:end], " ;,"); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Fields splits a text at a separator and drops what is empty.
func Fields(text, separator string) (out []string) {
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// Join puts the parts that are not empty together.
func Join(separator string, parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, separator)
}

// UTF8 reads text that may be in the code page of older Windows.
func UTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	if out, err := charmap.Windows1252.NewDecoder().String(s); err == nil {
		return out
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// Gender reads what publishers call it.
func Gender(text string) kyc.Gender {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "m", "male":
		return kyc.Male
	case "f", "female":
		return kyc.Female
	}
	return ""
}

// PersonName is a person's name by its parts, as it is spoken.
func PersonName(first, middle, last string) kyc.Name {
	return kyc.Name{Text: Join(" ", first, middle, last), First: first, Middle: middle, Last: last}
}
