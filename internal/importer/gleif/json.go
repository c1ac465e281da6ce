package gleif

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"bureau/internal/importer"
)

// jsonLists are the names of the lists of records.
var jsonLists = map[string]kind{"records": leis, "relations": relationships, "exceptions": exceptions}

// A jsonFile is a file while it is read: an object with one list of records.
// Each record is found by its brackets before it is looked into, so a broken
// one does not stop the rest.
type jsonFile struct {
	*window
	out *sink
	rec record
}

func readJSON(w *window, out *sink) error {
	j := &jsonFile{window: w, out: out}
	err := j.file()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: the JSON ends in the middle, at line %d", importer.ErrCutShort, j.line())
	}
	return err
}

func (j *jsonFile) file() error {
	if err := j.expect('{'); err != nil {
		return err
	}
	for found := false; ; {
		c, err := j.peek()
		if err != nil {
			return err
		}
		switch c {
		case ',':
			j.take(1)
			continue
		case '}':
			j.take(1)
			if !found {
				return errors.New("this is no LEI file: it has no list of records")
			}
			return nil
		case '"':
		default:
			return fmt.Errorf("line %d: %q where a name should be", j.line(), c)
		}
		raw, err := j.value()
		if err != nil {
			return err
		}
		k, ok := jsonLists[string(unquoted(raw))]
		if err := j.expect(':'); err != nil {
			return err
		}
		if !ok {
			if _, err := j.value(); err != nil {
				return err
			}
			continue
		}
		found = true
		if err := j.records(k); err != nil {
			return err
		}
	}
}

func (j *jsonFile) records(k kind) error {
	if err := j.out.begin(k); err != nil {
		return err
	}
	if err := j.expect('['); err != nil {
		return err
	}
	top := tree(k)
	for {
		c, err := j.peek()
		if err != nil {
			return err
		}
		switch c {
		case ',':
			j.take(1)
			continue
		case ']':
			j.take(1)
			return nil
		case '{':
		default:
			return fmt.Errorf("line %d: %q where a record should begin: the one before is broken", j.line(), c)
		}
		line := j.line()
		raw, err := j.value()
		if err != nil {
			return err
		}
		// Once it is known to be valid, it can be walked without looking back.
		if !json.Valid(raw) {
			err = j.out.bad(line, raw, errors.New("the record is not valid JSON"))
		} else {
			j.rec.reset()
			walk(raw, top, &j.rec, 0)
			err = j.out.record(&j.rec, line, raw)
		}
		if err != nil {
			return err
		}
	}
}

// peek is the next byte that is no space.
func (j *jsonFile) peek() (byte, error) {
	for {
		rest := j.rest()
		n := 0
		for n < len(rest) && isSpace(rest[n]) {
			n++
		}
		j.take(n)
		if n < len(rest) {
			return rest[n], nil
		}
		if err := j.more(); err != nil {
			return 0, err
		}
	}
}

func (j *jsonFile) expect(want byte) error {
	c, err := j.peek()
	if err != nil {
		return err
	}
	if c != want {
		return fmt.Errorf("line %d: the file is not as expected: %q where %q should be", j.line(), c, want)
	}
	j.take(1)
	return nil
}

// value takes one value, from its first byte to its last.
func (j *jsonFile) value() ([]byte, error) {
	if _, err := j.peek(); err != nil {
		return nil, err
	}
	var f frame
	for n := 0; ; {
		rest := j.rest()
		end, done := f.scan(rest, n)
		if done {
			return j.take(end), nil
		}
		n = len(rest)
		if err := j.more(); err != nil {
			return nil, err
		}
	}
}

// A frame finds the end of a value by its brackets and quotes.
type frame struct {
	depth           int
	quoted, escaped bool
}

// scan looks on from b[n], and returns where the value ends once it does.
func (f *frame) scan(b []byte, n int) (end int, done bool) {
	for ; n < len(b); n++ {
		if f.escaped {
			f.escaped = false
			continue
		}
		if f.quoted {
			i := bytes.IndexAny(b[n:], `"\\`)
			if i < 0 {
				return 0, false
			}
			n += i
			f.escaped = b[n] == '\\'
			f.quoted = f.escaped
			if !f.quoted && f.depth == 0 {
				return n + 1, true
			}
			continue
		}
		switch c := b[n]; c {
		case '"':
			f.quoted = true
		case '{', '[':
			f.depth++
		case '}', ']':
			if f.depth == 0 { // the end of what this value is in
				return n, true
			}
			if f.depth--; f.depth == 0 {
				return n + 1, true
			}
		case ',', ':', ' ', '\n', '\t', '\r':
			if f.depth == 0 {
				return n, true
			}
		}
	}
	return 0, false
}
