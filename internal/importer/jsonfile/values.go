package jsonfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"bureau/internal/importer"
)

const (
	firstBuffer = 64 << 10
	// maxValue bounds what a file that never closes a bracket makes us hold.
	// The largest real values, a company with all its filings, have some MB.
	maxValue = 64 << 20
	// maxRaw is how much of a bad value is kept for the operator.
	maxRaw = 64 << 10
)

// A Value is one value of a file. Raw is only good until the next one is asked
// for.
type Value struct {
	Line int64 // where it begins, from 1
	Raw  []byte
}

// Bad says that a value cannot be read, and why.
func (v Value) Bad(err error) *importer.Bad {
	raw := bytes.TrimSpace(v.Raw)
	return &importer.Bad{Line: v.Line, Raw: string(raw[:min(len(raw), maxRaw)]), Err: err}
}

// ErrEmpty says that a file holds no value at all. Of a whole list that is as
// bad as a file cut short; a feed may be empty.
var ErrEmpty = fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)

// Values yields the values of a file. What is no value comes as an
// *importer.Bad; a file that ends inside a value or an array ends with
// importer.ErrCutShort, and one without values with ErrEmpty.
func Values(r io.Reader) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		s := &splitter{r: r, line: 1}
		s.skipMark()
		for {
			v, err := s.next()
			if err == io.EOF {
				return
			}
			var bad *importer.Bad
			if !yield(v, err) || err != nil && !errors.As(err, &bad) {
				return
			}
		}
	}
}

// A splitter walks over a file. buf[at:end] is what was read and not yet used.
type splitter struct {
	r       io.Reader
	buf     []byte
	at, end int
	line    int64 // of buf[at]
	err     error // of the last read
	array   bool  // the values are elements of one array
	done    bool  // the array was closed
	some    bool  // there was a value
}

var (
	errOpen  = fmt.Errorf("%w: it ends inside a value", importer.ErrCutShort)
	errArray = fmt.Errorf("%w: its list is not closed", importer.ErrCutShort)
	errOther = errors.New("this is no JSON: it begins with neither an object nor a list")
)

// skipMark skips the byte order mark that some tools write.
func (s *splitter) skipMark() {
	for s.end-s.at < 3 && s.more() {
	}
	if bytes.HasPrefix(s.buf[s.at:s.end], []byte("\xef\xbb\xbf")) {
		s.at += 3
	}
}

// more reads on, and reports whether there is more now.
func (s *splitter) more() bool {
	if s.err != nil {
		return false
	}
	if s.at > 0 {
		s.end = copy(s.buf, s.buf[s.at:s.end])
		s.at = 0
	}
	if s.end == len(s.buf) {
		bigger := make([]byte, max(firstBuffer, 2*len(s.buf)))
		copy(bigger, s.buf[:s.end])
		s.buf = bigger
	}
	for tries := 0; ; tries++ {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return n > 0
		}
		if tries == 100 {
			s.err = io.ErrNoProgress
			return false
		}
	}
}

// take uses up n bytes, and returns them.
func (s *splitter) take(n int) []byte {
	b := s.buf[s.at : s.at+n]
	s.at += n
	s.line += int64(bytes.Count(b, []byte{'\n'}))
	return b
}

// ended says why there is no more: the file is over, or reading failed.
func (s *splitter) ended(atEnd error) error {
	if s.err != nil && s.err != io.EOF {
		return s.err
	}
	return atEnd
}

func (s *splitter) next() (Value, error) {
	c, ok := s.peek()
	if !s.some && !s.array && ok && c == '[' {
		s.take(1)
		s.array = true
		if c, ok = s.peek(); ok && c == ']' {
			return Value{}, ErrEmpty
		}
	}
	switch {
	case !ok && s.array && !s.done:
		return Value{}, s.ended(errArray)
	case !ok && !s.some:
		return Value{}, s.ended(ErrEmpty)
	case !ok:
		return Value{}, s.ended(io.EOF)
	case s.array && !s.done && c == ']':
		s.take(1)
		s.done = true
		return s.next()
	case c != '{' && c != '[' && !s.some && !s.array:
		return Value{}, errOther
	case c != '{' && c != '[':
		return s.junk()
	}
	return s.value()
}

// peek finds the next byte that is not between values.
func (s *splitter) peek() (byte, bool) {
	for {
		for i := s.at; i < s.end; i++ {
			c := s.buf[i]
			if c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' && s.array {
				continue
			}
			s.take(i - s.at)
			return c, true
		}
		s.take(s.end - s.at)
		if !s.more() {
			return 0, false
		}
	}
}

// junk takes what is no object and no list, up to where one may begin again.
func (s *splitter) junk() (Value, error) {
	s.some = true
	from := s.line
	for n := 0; ; {
		for ; n < s.end-s.at; n++ {
			c := s.buf[s.at+n]
			if c == '\n' || n > 0 && (c == '{' || c == '[') || s.array && c == ']' && n > 0 || n >= maxRaw {
				return Value{}, Value{Line: from, Raw: s.take(n)}.Bad(errors.New("this is no object"))
			}
		}
		if !s.more() {
			break
		}
	}
	v := Value{Line: from, Raw: s.take(s.end - s.at)}
	if s.array && !s.done {
		return Value{}, s.ended(errArray)
	}
	return Value{}, s.ended(v.Bad(errors.New("this is no object")))
}

// value takes one object or list.
func (s *splitter) value() (Value, error) {
	s.some = true
	var w walker
	from := s.line
	for n := 0; ; {
		used, state := w.walk(s.buf[s.at+n:s.end], !s.array)
		n += used
		switch {
		case state == whole:
			return Value{Line: from, Raw: s.take(n)}, nil
		case state == broken:
			return Value{}, Value{Line: from, Raw: s.take(n)}.Bad(errors.New("the record is not closed"))
		case n > maxValue:
			return Value{}, fmt.Errorf("line %d: a value is longer than %d MB", from, maxValue>>20)
		case !s.more():
			return Value{}, s.ended(errOpen)
		}
	}
}
