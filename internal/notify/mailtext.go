package notify

import (
	"strings"
	"unicode"
)

// clean makes a text one line that shows what it holds: no line ends, no other
// control characters, none that turn the direction of what follows, no halves
// of characters. What is longer than so many characters is cut.
func clean(s string, most int) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range strings.ToValidUTF8(s, "") {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			space = b.Len() > 0
			continue
		case unicode.IsControl(r) || turns(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			n++
			space = false
		}
		if n++; n > most {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// turns reports whether a character changes the direction of what follows, or
// is not seen at all.
func turns(r rune) bool {
	switch {
	case r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069': // embeddings, overrides, isolates
		return true
	case r == '\u200e', r == '\u200f', r == '\u061c': // marks
		return true
	case r == '\u200b', r == '\u2060', r == '\ufeff': // nothing to see
		return true
	}
	return false
}
