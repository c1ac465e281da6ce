package jsonfile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Reader reads one value member by member. What is not asked for is passed
// over without being looked at, which makes it several times as fast as
// encoding/json; registers have dozens of members that we do not keep. After the
// first error every method returns nothing.
//
//	r := jsonfile.NewReader(raw)
//	r.Object(func(key []byte) {
//		switch string(key) {
//		case "name":
//			name = r.Text()
//		case "offices":
//			r.Array(func() { offices = append(offices, r.Text()) })
//		}
//	})
//	return r.Err()
type Reader struct {
	b   []byte
	i   int
	key []byte // of the member that is being read
	err error
}

// NewReader reads the value in raw, which must not change meanwhile.
func NewReader(raw []byte) *Reader { return &Reader{b: raw} }

// Err is the first error. It names the member that it happened in.
func (r *Reader) Err() error { return r.err }

func (r *Reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
		if len(r.key) > 0 {
			r.err = fmt.Errorf("%s: %w", r.key, r.err)
		}
	}
}

// peek is the next byte that is not a space; 0 at the end, or after an error.
func (r *Reader) peek() byte {
	for ; r.err == nil && r.i < len(r.b); r.i++ {
		if c := r.b[r.i]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// Kind tells what comes next: '{', '[', '"', 't', 'f', 'n', '0' for a number, or
// 0 for nothing that makes sense.
func (r *Reader) Kind() byte {
	switch c := r.peek(); c {
	case '{', '[', '"', 't', 'f', 'n':
		return c
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return '0'
	}
	return 0
}

var kindWords = map[byte]string{
	'{': "an object", '[': "a list", '"': "text", 't': "true", 'f': "false", 'n': "null", '0': "a number", 0: "not JSON",
}

// is reports whether the next value is of a kind. null is nothing, of any kind.
func (r *Reader) is(kind byte) bool {
	switch got := r.Kind(); {
	case r.err != nil:
		return false
	case got == kind:
		return true
	case got == 'n':
		r.Skip()
		return false
	default:
		r.fail("it is %s, and must be %s", kindWords[got], kindWords[kind])
		return false
	}
}

// Object calls member for each member of an object. A value that member does
// not read is passed over.
func (r *Reader) Object(member func(key []byte)) {
	if !r.is('{') {
		return
	}
	outer := r.key
	r.i++
	for first := true; ; first = false {
		c := r.peek()
		if c == '}' {
			r.i++
			break
		}
		if !first && c == ',' {
			r.i++
			c = r.peek()
		}
		if c != '"' {
			r.fail("the object is not closed")
			return
		}
		key := r.quoted()
		if r.peek() != ':' {
			r.fail("a name is followed by no value")
			return
		}
		r.i++
		r.key = key
		r.peek()
		before := r.i
		member(key)
		if r.err == nil && r.i == before {
			r.Skip()
		}
		if r.err != nil {
			return
		}
		r.key = outer
	}
}

// Array calls element for each element of a list.
func (r *Reader) Array(element func()) {
	if !r.is('[') {
		return
	}
	r.i++
	for first := true; ; first = false {
		c := r.peek()
		if c == ']' {
			r.i++
			return
		}
		if !first && c == ',' {
			r.i++
			r.peek()
		}
		before := r.i
		element()
		if r.err == nil && r.i == before {
			r.Skip()
		}
		if r.err != nil {
			return
		}
	}
}

// Skip passes over a value.
func (r *Reader) Skip() { r.Raw() }

// Raw is the next value as it stands.
func (r *Reader) Raw() []byte {
	kind := r.Kind()
	from := r.i
	switch {
	case r.err != nil:
		return nil
	case kind == '"':
		r.quoted()
	case kind == '{', kind == '[':
		var w walker
		n, state := w.walk(r.b[r.i:], false)
		if state != whole {
			r.fail("it is not closed")
			return nil
		}
		r.i += n
	case kind == 0:
		r.fail("it is no JSON")
		return nil
	default:
		for r.i < len(r.b) && !ends[r.b[r.i]] {
			r.i++
		}
	}
	return r.b[from:r.i]
}

// ends are the bytes that end a number or a word.
var ends = table(",]} \t\r\n")

// quoted passes over a string, and returns what is between its quotes.
func (r *Reader) quoted() []byte {
	from := r.i + 1
	for i := from; i < len(r.b); i++ {
		switch r.b[i] {
		case '"':
			r.i = i + 1
			return r.b[from:i]
		case '\\':
			i++
		}
	}
	r.fail("a quote is not closed")
	return nil
}

// Text reads a text; null is an empty one.
func (r *Reader) Text() string {
	if !r.is('"') {
		return ""
	}
	from := r.i
	raw := r.quoted()
	if r.err != nil {
		return ""
	}
	for _, c := range raw {
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			return r.unquote(r.b[from:r.i])
		}
	}
	return string(raw)
}

// unquote reads a text with more than plain letters in it. A NUL is left out:
// no database keeps it.
func (r *Reader) unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	escaped := false
	for _, c := range inner {
		escaped = escaped || c == '\\' || c < ' '
	}
	if !escaped && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		r.fail("it is no text: %w", err)
		return ""
	}
	return strings.ReplaceAll(s, "\x00", "")
}

// Bool reads true or false; null is false.
func (r *Reader) Bool() bool {
	switch kind := r.Kind(); kind {
	case 't', 'f', 'n':
		r.Skip()
		return kind == 't'
	default:
		r.fail("it is %s, and must be true or false", kindWords[kind])
		return false
	}
}

// Int reads a whole number; null is 0.
func (r *Reader) Int() int64 {
	if !r.is('0') {
		return 0
	}
	n, err := strconv.ParseInt(string(r.Raw()), 10, 64)
	if err != nil {
		r.fail("it is no whole number")
	}
	return n
}
