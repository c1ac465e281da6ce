package companieshouse

import (
	"bytes"
	"html"
	"strings"
)

// markup goes through HTML or XML tag by tag. It knows as little as will do,
// because what is filed is XHTML in principle and anything in practice, and
// because most of a document is styles and pictures that have to go by quickly.
type markup struct {
	rest []byte
	skip string // the element whose content is no markup
}

// A tag is the beginning or the end of an element, with the text before it.
type tag struct {
	before []byte // as it stands, with its entities
	name   string // without its prefix
	attrs  []byte
	end    bool // of an element; an empty one (<a/>) has empty set instead
	empty  bool
}

// next returns the next tag, and false at the end.
func (m *markup) next() (tag, bool) {
	var t tag
	if m.skip != "" {
		i := endOf(m.rest, m.skip)
		m.rest, m.skip = m.rest[i:], ""
	}
	var text []byte // what came before, if in more than one piece
	for {
		i := bytes.IndexByte(m.rest, '<')
		if i < 0 {
			m.rest = nil
			return t, false
		}
		piece := m.rest[:i]
		m.rest = m.rest[i+1:]
		var cdata []byte
		switch {
		case bytes.HasPrefix(m.rest, []byte("!--")):
			m.after("-->")
		case bytes.HasPrefix(m.rest, []byte("![CDATA[")):
			m.rest = m.rest[len("![CDATA["):]
			cdata = m.after("]]>")
		case bytes.HasPrefix(m.rest, []byte("?")):
			m.after("?>")
		case bytes.HasPrefix(m.rest, []byte("!")):
			m.after(">")
		case len(m.rest) > 0 && (m.rest[0] == '/' || isLetter(m.rest[0])):
			if text != nil {
				piece = append(text, piece...)
			}
			t.before = piece
			m.tag(&t)
			return t, true
		default: // a bare < in the text
			cdata = []byte("&lt;")
		}
		text = append(append(text, piece...), cdata...)
	}
}

// after goes on behind a mark and returns what stands before it.
func (m *markup) after(mark string) []byte {
	before, rest, _ := bytes.Cut(m.rest, []byte(mark))
	m.rest = rest
	return before
}

// tag reads a tag from behind its <.
func (m *markup) tag(t *tag) {
	t.end = m.rest[0] == '/'
	if t.end {
		m.rest = m.rest[1:]
	}
	n := bytes.IndexAny(m.rest, " \t\r\n/>")
	if n < 0 {
		n = len(m.rest)
	}
	name := m.rest[:n]
	t.name = string(name[bytes.LastIndexByte(name, ':')+1:])
	m.rest = m.rest[n:]
	end := tagEnd(m.rest)
	t.attrs = m.rest[:end]
	m.rest = m.rest[min(end+1, len(m.rest)):]
	if !t.end && bytes.HasSuffix(t.attrs, []byte("/")) {
		t.empty = true
		t.attrs = t.attrs[:len(t.attrs)-1]
	}
	if lower := strings.ToLower(t.name); !t.end && !t.empty && (lower == "style" || lower == "script") {
		m.skip = lower
	}
}

// tagEnd finds the > of a tag, which does not count inside quotes.
func tagEnd(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '>':
			return i
		case '"', '\'':
			n := bytes.IndexByte(b[i+1:], b[i])
			if n < 0 {
				return len(b)
			}
			i += n + 1
		}
	}
	return len(b)
}

// endOf finds the end tag of an element whose content is no markup.
func endOf(b []byte, name string) int {
	for i := 0; ; {
		n := bytes.Index(b[i:], []byte("</"))
		if n < 0 {
			return len(b)
		}
		i += n
		after := b[i+2:]
		if len(after) >= len(name) && strings.EqualFold(string(after[:len(name)]), name) {
			return i
		}
		i += 2
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// attr is the value of an attribute, by its name without prefix and in any
// case.
func (t *tag) attr(name string) string {
	b := t.attrs
	for {
		b = bytes.TrimLeft(b, " \t\r\n/")
		n := bytes.IndexAny(b, "= \t\r\n")
		if n <= 0 {
			return ""
		}
		key := b[:n]
		b = bytes.TrimLeft(b[n:], " \t\r\n")
		if len(b) == 0 || b[0] != '=' {
			continue // without a value
		}
		b = bytes.TrimLeft(b[1:], " \t\r\n")
		var value []byte
		switch {
		case len(b) > 0 && (b[0] == '"' || b[0] == '\''):
			quote := b[0]
			b = b[1:]
			n := bytes.IndexByte(b, quote)
			if n < 0 {
				n = len(b)
			}
			value, b = b[:n], b[min(n+1, len(b)):]
		default:
			n := bytes.IndexAny(b, " \t\r\n")
			if n < 0 {
				n = len(b)
			}
			value, b = b[:n], b[n:]
		}
		if strings.EqualFold(string(key[bytes.LastIndexByte(key, ':')+1:]), name) {
			return strings.TrimSpace(html.UnescapeString(string(value)))
		}
	}
}
