package gleif

import (
	"bytes"
	"encoding/json"
)

// walk takes a valid value into a record: an object's members, a list's items,
// or a text. It returns what follows.
func walk(b []byte, e *elem, r *record, i int) []byte {
	b = bytes.TrimLeft(b, " \t\r\n")
	switch b[0] {
	case '{':
		return walkObject(b[1:], e, r, i)
	case '[':
		for b = bytes.TrimLeft(b[1:], " \t\r\n"); b[0] != ']'; b = bytes.TrimLeft(b, " \t\r\n,") {
			b = walk(b, e, r, next(e, r, i))
		}
		return b[1:]
	}
	raw, rest := scalar(b)
	if e != nil && e.text != nil && string(raw) != "null" {
		e.put(r, i, unquoted(raw))
	}
	return rest
}

// next is which item of a list comes next.
func next(e *elem, r *record, i int) int {
	if e != nil && e.count != nil {
		return e.count(r)
	}
	return i
}

// walkObject reads members: "$" is the element's own text, "@…" an attribute,
// and anything else an element in it.
func walkObject(b []byte, e *elem, r *record, i int) []byte {
	for b = bytes.TrimLeft(b, " \t\r\n"); b[0] != '}'; b = bytes.TrimLeft(b, " \t\r\n,") {
		raw, rest := scalar(b)
		b = bytes.TrimLeft(rest, " \t\r\n:")
		to, at := e.named(unquoted(raw)), i
		if b[0] != '[' {
			at = next(to, r, i)
		}
		b = walk(b, to, r, at)
	}
	return b[1:]
}

// named is the place that a member's name stands for.
func (e *elem) named(name []byte) *elem {
	switch {
	case e == nil || len(name) == 0:
		return nil
	case string(name) == "$":
		return e.own
	case name[0] == '@':
		return e.attrs[string(local(name[1:]))]
	}
	return e.in[string(local(name))]
}

// scalar is the text, number or word that b begins with, and what follows.
func scalar(b []byte) (raw, rest []byte) {
	n := 0
	if b[0] == '"' {
		for n = 1; b[n] != '"'; n++ {
			if b[n] == '\\' {
				n++
			}
		}
		return b[:n+1], b[n+1:]
	}
	for n < len(b) && !isSpace(b[n]) && b[n] != ',' && b[n] != '}' && b[n] != ']' {
		n++
	}
	return b[:n], b[n:]
}

// unquoted is the text of a JSON string, or a bare word as it is.
func unquoted(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return raw
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return raw
	}
	return []byte(s)
}
