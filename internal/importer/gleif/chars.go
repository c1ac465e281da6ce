package gleif

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An attribute is raw: its value may hold entities.
type attribute struct {
	name  []byte // without prefix
	value []byte
}

// attributes reads those of a tag, as far as they make sense.
func attributes(raw []byte) iter.Seq[attribute] {
	return func(yield func(attribute) bool) {
		for {
			raw = bytes.TrimLeft(raw, " \t\r\n")
			eq := bytes.IndexByte(raw, '=')
			if eq <= 0 {
				return
			}
			name := bytes.TrimRight(raw[:eq], " \t\r\n")
			raw = bytes.TrimLeft(raw[eq+1:], " \t\r\n")
			if len(raw) == 0 || raw[0] != '"' && raw[0] != '\'' {
				return
			}
			end := bytes.IndexByte(raw[1:], raw[0])
			if end < 0 {
				return
			}
			if !yield(attribute{local(name), raw[1 : 1+end]}) {
				return
			}
			raw = raw[end+2:]
		}
	}
}

// appendText adds raw text to b with its entities resolved and line ends as
// XML has them. What is no entity stays as it is.
func appendText(b, raw []byte) []byte {
	for {
		i := bytes.IndexAny(raw, "&\r")
		if i < 0 {
			return append(b, raw...)
		}
		b = append(b, raw[:i]...)
		if raw[i] == '\r' {
			b = append(b, '\n')
			if raw = raw[i+1:]; len(raw) > 0 && raw[0] == '\n' {
				raw = raw[1:]
			}
			continue
		}
		raw = raw[i:]
		// No entity that we know is longer than &#x10FFFF; with a few zeros.
		end := bytes.IndexByte(raw[:min(len(raw), 32)], ';')
		if r, ok := entity(raw, end); ok {
			b = utf8.AppendRune(b, r)
			raw = raw[end+1:]
			continue
		}
		b = append(b, '&')
		raw = raw[1:]
	}
}

// appendLines adds text from CDATA, which has line ends but no entities.
func appendLines(b, raw []byte) []byte {
	if bytes.IndexByte(raw, '\r') < 0 {
		return append(b, raw...)
	}
	raw = bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))
	return append(b, bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))...)
}

func entity(raw []byte, end int) (rune, bool) {
	if end < 2 {
		return 0, false
	}
	switch name := string(raw[1:end]); name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	default:
		if name[0] != '#' {
			return 0, false
		}
		digits, base := name[1:], 10
		if strings.HasPrefix(digits, "x") {
			digits, base = digits[1:], 16
		}
		n, err := strconv.ParseUint(digits, base, 21)
		if err != nil || !isChar(rune(n)) {
			return 0, false
		}
		return rune(n), true
	}
}

// isChar reports whether XML allows a character.
func isChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' ||
		r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= utf8.MaxRune
}

// clean is text as we keep it: valid, trimmed, and with single spaces, since
// publishers break names across lines where their columns end.
func clean(b []byte) string {
	b = bytes.TrimSpace(b)
	space := false
	for _, c := range b {
		if c < ' ' || c == ' ' && space || c >= utf8.RuneSelf || c == 0x7f {
			return cleanSlow(string(b))
		}
		space = c == ' '
	}
	return string(b)
}

func cleanSlow(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	if strings.Contains(s, "  ") || s != "" && (s[0] == ' ' || s[len(s)-1] == ' ') {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}
