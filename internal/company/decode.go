package company

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// Every company that is shown, compared or scored is read from the form in which
// it is stored. So it is read by hand: texts and lists here, facts in the files
// beside. Only what Facts.append writes is understood; at anything else the reader
// gives up, and the whole is left to encoding/json.

// A reader goes through stored text.
type reader struct {
	b      []byte
	at     int
	failed bool
}

// next takes a byte if it is there.
func (r *reader) next(c byte) bool {
	if r.at < len(r.b) && r.b[r.at] == c {
		r.at++
		return true
	}
	return false
}

func (r *reader) must(c byte) {
	if !r.next(c) {
		r.failed = true
	}
}

// fields calls read with every key of an object, at its value.
func (r *reader) fields(read func(key []byte)) {
	r.must('{')
	for more := !r.next('}'); more && !r.failed; {
		key := r.key()
		r.must(':')
		if r.failed {
			return
		}
		read(key)
		if more = r.next(','); !more {
			r.must('}')
		}
	}
}

// key is the name of a value. Ours are letters.
func (r *reader) key() []byte {
	r.must('"')
	from := r.at
	for r.at < len(r.b) && 'a' <= r.b[r.at] && r.b[r.at] <= 'z' {
		r.at++
	}
	key := r.b[from:r.at]
	r.must('"')
	return key
}

// quoted is a text. One that is not written as it is read is left to
// encoding/json.
func (r *reader) quoted() string {
	r.must('"')
	from := r.at
	for ; r.at < len(r.b); r.at++ {
		switch c := r.b[r.at]; {
		case c == '"':
			text := r.b[from:r.at]
			r.at++
			return string(text)
		case c == '\\':
			return r.escaped(from - 1)
		case c < ' ':
			r.failed = true
			return ""
		case c >= utf8.RuneSelf:
			_, size := utf8.DecodeRune(r.b[r.at:])
			if size == 1 { // not UTF-8
				r.failed = true
				return ""
			}
			r.at += size - 1
		}
	}
	r.failed = true
	return ""
}

func (r *reader) escaped(from int) (text string) {
	r.at = from
	if raw := r.raw(); json.Unmarshal(raw, &text) != nil {
		r.failed = true
	}
	return text
}

// raw is a value as it is written.
func (r *reader) raw() []byte {
	from, depth := r.at, 0
	for ; r.at < len(r.b); r.at++ {
		switch r.b[r.at] {
		case '"':
			for r.at++; r.at < len(r.b) && r.b[r.at] != '"'; r.at++ {
				if r.b[r.at] == '\\' {
					r.at++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if next := r.at + 1; depth > 0 || next < len(r.b) && r.b[next] != ',' && r.b[next] != '}' && r.b[next] != ']' {
				continue
			}
		}
		if depth == 0 {
			r.at = min(r.at+1, len(r.b))
			return r.b[from:r.at]
		}
	}
	r.failed = true
	return nil
}

// other leaves a value to encoding/json.
func (r *reader) other(into any) {
	if raw := r.raw(); !r.failed && json.Unmarshal(raw, into) != nil {
		r.failed = true
	}
}

func (r *reader) number() int64 {
	from := r.at
	r.next('-')
	first := r.at
	for r.at < len(r.b) && '0' <= r.b[r.at] && r.b[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.ParseInt(string(r.b[from:r.at]), 10, 64)
	if err != nil || r.b[first] == '0' && (r.at > first+1 || first > from) { // 007, -0
		r.failed = true
	}
	return n
}

func (r *reader) yes() bool {
	switch raw := r.raw(); string(raw) {
	case "true":
		return true
	case "false":
	default:
		r.failed = true
	}
	return false
}

// numbers reads an object that has a number for each key, whatever the keys are.
func (r *reader) numbers() map[string]int64 {
	out := map[string]int64{}
	r.must('{')
	for more := !r.next('}'); more && !r.failed; {
		key := r.quoted()
		r.must(':')
		out[key] = r.number()
		if more = r.next(','); !more {
			r.must('}')
		}
	}
	return out
}

func (r *reader) texts() []string {
	out := []string{}
	r.items(func() { out = append(out, r.quoted()) })
	return out
}

// items calls read at every value of a list.
func (r *reader) items(read func()) {
	r.must('[')
	for more := !r.next(']'); more && !r.failed; {
		read()
		if more = r.next(','); !more {
			r.must(']')
		}
	}
}

// readItems reads a list of objects.
func readItems[T any](r *reader, read func(r *reader, item *T, key []byte)) []T {
	out := []T{}
	r.items(func() {
		var item T
		r.fields(func(key []byte) { read(r, &item, key) })
		out = append(out, item)
	})
	return out
}

// readSaid reads everything that is said of a company; not ok is what it does not
// understand. Each Said has its stored form if keep asks for it.
func readSaid(id ID, b []byte, keep bool) (out []Said, ok bool) {
	r := &reader{b: b}
	own := id.key()
	out = []Said{}
	r.items(func() {
		s, told := Said{Key: own}, false
		r.fields(func(key []byte) {
			switch string(key) {
			case "s":
				s.Source = r.quoted()
			case "p":
				s.Part = r.quoted()
			case "k":
				if n := r.number(); n != 0 {
					s.Key = n
				}
			case "f":
				told = true
				from := r.at
				r.fields(func(key []byte) { s.Facts.read(r, key) })
				if keep {
					s.raw = b[from:r.at:r.at]
				}
			default:
				r.failed = true
			}
		})
		r.failed = r.failed || !told
		out = append(out, s)
	})
	return out, !r.failed && r.at == len(b)
}
