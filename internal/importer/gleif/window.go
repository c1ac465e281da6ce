package gleif

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"bureau/internal/importer"
)

const (
	windowSize = 256 << 10
	// maxWindow is what one record may take, raw. The largest real ones have
	// some ten kilobytes.
	maxWindow = 8 << 20
)

var errTooLong = fmt.Errorf("a record or a tag is longer than %d MB", maxWindow>>20)

// A window is the part of a file that is looked at. It moves on as bytes are
// taken and grows to hold one record, never the file.
type window struct {
	r    io.Reader
	buf  []byte
	pos  int   // what is before it was taken
	end  int   // what is before it was read
	keep int   // what is from here on stays, though it was taken; -1 for none
	err  error // what reading ended with

	lines   int64 // that end before counted
	counted int
}

func newWindow(r io.Reader) *window {
	return &window{r: r, buf: make([]byte, windowSize), keep: -1}
}

// rest is what was read and not yet taken.
func (w *window) rest() []byte { return w.buf[w.pos:w.end] }

// take moves on by n bytes, and returns them. They hold until more is read.
func (w *window) take(n int) []byte {
	b := w.buf[w.pos : w.pos+n]
	w.pos += n
	return b
}

// line is the number of the line that pos is in.
func (w *window) line() int64 {
	w.lines += int64(bytes.Count(w.buf[w.counted:w.pos], newline))
	w.counted = w.pos
	return w.lines + 1
}

var newline = []byte{'\n'}

// more reads on. What rest returned before is no longer valid. At the end of
// the file it returns io.EOF.
func (w *window) more() error {
	if w.err != nil {
		return w.err
	}
	from := w.pos
	if w.keep >= 0 {
		from = w.keep
	}
	if from > 0 {
		w.line()
		copy(w.buf, w.buf[from:w.end])
		w.pos, w.end = w.pos-from, w.end-from
		w.counted = w.pos
		if w.keep >= 0 {
			w.keep = 0
		}
	}
	if w.end == len(w.buf) {
		if len(w.buf) >= maxWindow {
			return errTooLong
		}
		w.buf = append(w.buf, make([]byte, len(w.buf))...)
	}
	for range 100 {
		n, err := w.r.Read(w.buf[w.end:])
		w.end += n
		w.err = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	w.err = io.ErrNoProgress
	return w.err
}

// mark begins to keep what is taken, for kept.
func (w *window) mark() { w.keep = w.pos }

// kept is what was taken since mark, which it ends.
func (w *window) kept() []byte {
	b := w.buf[w.keep:w.pos]
	w.keep = -1
	return b
}

// find returns how far it is from pos to the first b, reading on as needed.
func (w *window) find(b byte, after int) (int, error) {
	for {
		rest := w.rest()
		if after < len(rest) {
			if i := bytes.IndexByte(rest[after:], b); i >= 0 {
				return after + i, nil
			}
		}
		after = max(after, len(rest))
		if err := w.more(); err != nil {
			return 0, err
		}
	}
}

// findAll is find for several bytes in a row.
func (w *window) findAll(b []byte, after int) (int, error) {
	for {
		rest := w.rest()
		if after < len(rest) {
			if i := bytes.Index(rest[after:], b); i >= 0 {
				return after + i, nil
			}
			after = max(after, len(rest)-len(b)+1)
		}
		if err := w.more(); err != nil {
			return 0, err
		}
	}
}

// need makes at least n bytes available, unless the file ends before.
func (w *window) need(n int) error {
	for w.end-w.pos < n {
		if err := w.more(); err != nil {
			return err
		}
	}
	return nil
}

// cutShort says what an error at a place means where the file must go on.
func cutShort(err error, where string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends %s", importer.ErrCutShort, where)
	}
	return err
}
