package monitor

import (
	"net/mail"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isPlain reports whether a text stands on one line and can be seen: a line
// end in a name would be another header in a mail.
func isPlain(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}

// isAddress reports whether a text is one bare e-mail address.
func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && a.Name == "" && len(s) <= 254 && isPlain(s) && strings.Contains(s, "@")
}

// quote shows what somebody sent, cut to a length that fits an answer.
func quote(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return strconv.Quote(s)
}

func itoa(n int) string { return strconv.Itoa(n) }
