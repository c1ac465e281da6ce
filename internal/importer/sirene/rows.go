package sirene

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"bureau/internal/importer"
)

// maxRow bounds what a missing quote makes us hold.
const maxRow = 1 << 20

// rows reads a CSV file. encoding/csv would do, but it does not give back the
// row as it came, which the operator needs to see of a bad one.
type rows struct {
	in    *bufio.Reader
	line  int64 // of the row that was read last
	after int64 // lines read so far
	raw   []byte
	long  []byte
	err   error
	out   []string
	// held are lines of a row whose quote was never closed: all but its first
	// are read again.
	held []byte
}

func newRows(r io.Reader) *rows {
	in := bufio.NewReaderSize(r, 256<<10)
	if mark, _ := in.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = in.Discard(3)
	}
	return &rows{in: in}
}

// last reports whether the file ends with the row that was read last, and
// without an end of line: then it may have been cut in the middle.
func (r *rows) last() bool {
	return errors.Is(r.err, io.EOF) && len(r.held) == 0
}

func (r *rows) bad(err error) error {
	return &importer.Bad{Line: r.line, Raw: string(bytes.TrimRight(r.raw, "\r\n")), Err: err}
}

// next reads a row. Its fields share one string, so that a row costs one
// allocation; the slice is only good until the next row.
func (r *rows) next() ([]string, error) {
	for {
		if err := r.readLine(); err != nil {
			return nil, err
		}
		r.line = r.after
		if len(bytes.TrimRight(r.raw, "\r\n")) > 0 {
			break
		}
	}
	if bytes.IndexByte(r.raw, '"') < 0 {
		r.out = appendPlain(r.out[:0], string(bytes.TrimRight(r.raw, "\r\n")))
		return r.out, nil
	}
	return r.quoted()
}

// quoted reads a row with quotes, which may go over several lines.
func (r *rows) quoted() ([]string, error) {
	first := bytes.Clone(r.raw)
	whole := first
	for {
		fields, open, err := split(r.out[:0], string(bytes.TrimRight(whole, "\r\n")))
		r.out = fields
		if err == nil && !open {
			r.raw = whole
			return fields, nil
		}
		if err == nil && len(whole) <= maxRow {
			if err = r.readLine(); err == nil {
				whole = append(whole[:len(whole):len(whole)], r.raw...)
				continue
			}
			if !errors.Is(err, io.EOF) {
				return nil, err
			}
		}
		if len(whole) == len(first) && !bytes.HasSuffix(first, []byte("\n")) {
			return nil, fmt.Errorf("%w: it ends inside quotes", importer.ErrCutShort)
		}
		r.held = append(bytes.Clone(whole[len(first):]), r.held...)
		r.after = r.line
		r.raw = first
		return nil, r.bad(errors.New("a quote is not closed, or closed too early"))
	}
}

// readLine puts the next line into raw, with its end.
func (r *rows) readLine() error {
	r.after++
	if len(r.held) > 0 {
		n := bytes.IndexByte(r.held, '\n') + 1
		if n == 0 {
			n = len(r.held)
		}
		r.raw, r.held = r.held[:n], r.held[n:]
		return nil
	}
	if r.err != nil {
		return r.err
	}
	line, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) && len(r.long) < maxRow {
			line, err = r.in.ReadSlice('\n')
			r.long = append(r.long, line...)
		}
		line = r.long
		if errors.Is(err, bufio.ErrBufferFull) {
			return errors.New("a line is longer than a megabyte: this is no SIRENE file")
		}
	}
	r.raw, r.err = line, err
	if err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)) {
		return err
	}
	return nil
}

func fieldsOf(line string) []string {
	fields, _, _ := split(nil, strings.TrimRight(line, "\r\n"))
	return fields
}

func appendPlain(out []string, s string) []string {
	for {
		i := strings.IndexByte(s, ',')
		if i < 0 {
			return append(out, s)
		}
		out = append(out, s[:i])
		s = s[i+1:]
	}
}

// split takes a row with quotes apart. open says that it goes on in the next
// line.
func split(out []string, s string) (fields []string, open bool, err error) {
	for {
		if !strings.HasPrefix(s, `"`) {
			i := strings.IndexByte(s, ',')
			if i < 0 {
				return append(out, s), false, nil
			}
			out = append(out, s[:i])
			s = s[i+1:]
			continue
		}
		s = s[1:]
		end := 0
		for {
			i := strings.IndexByte(s[end:], '"')
			if i < 0 {
				return out, true, nil
			}
			end += i
			if strings.HasPrefix(s[end+1:], `"`) {
				end += 2
				continue
			}
			break
		}
		out = append(out, strings.ReplaceAll(s[:end], `""`, `"`))
		s = s[end+1:]
		if s == "" {
			return out, false, nil
		}
		if s[0] != ',' {
			return out, false, errors.New("something follows a quote")
		}
		s = s[1:]
	}
}
