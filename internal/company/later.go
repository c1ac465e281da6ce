package company

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// later keeps groups, in their order, until the end of the file that they came
// from. Many are kept on disk: a new edition of a list may reword every record.
type later struct {
	dir  string
	buf  []byte
	file *os.File // nil while all fit into buf
}

const laterInMemory = 4 << 20 // bytes

func (l *later) add(g *group) error {
	l.buf = g.append(l.buf)
	if len(l.buf) < laterInMemory {
		return nil
	}
	if l.file == nil {
		f, err := l.create()
		if err != nil {
			return fmt.Errorf("keep records for later: %w", err)
		}
		l.file = f
	}
	if _, err := l.file.Write(l.buf); err != nil {
		return fmt.Errorf("keep records for later: %w", err)
	}
	l.buf = l.buf[:0]
	return nil
}

func (l *later) create() (*os.File, error) {
	if l.dir != "" {
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return nil, err
		}
	}
	f, err := os.CreateTemp(l.dir, "bureau-later-*")
	if err != nil {
		return nil, err
	}
	// Without a name the file goes with the process, however that ends. Where
	// the system does not allow it, close removes it.
	_ = os.Remove(f.Name())
	return f, nil
}

// each calls visit for every group, in order.
func (l *later) each(source string, visit func(*group) error) error {
	var from io.Reader = bytes.NewReader(l.buf)
	if l.file != nil {
		if _, err := l.file.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("read what was kept for later: %w", err)
		}
		from = io.MultiReader(l.file, from)
	}
	in := &groupReader{r: bufio.NewReaderSize(from, 1<<18), source: source}
	for {
		g, err := in.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read what was kept for later: %w", err)
		}
		if err := visit(g); err != nil {
			return err
		}
	}
}

func (l *later) close() {
	if l.file != nil {
		l.file.Close()
		_ = os.Remove(l.file.Name())
	}
	*l = later{dir: l.dir}
}

// append writes a group behind what is in b.
func (g *group) append(b []byte) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(g.key))
	for _, text := range []string{g.who.Country, g.who.Number, g.who.LEI, g.who.VAT} {
		b = appendText(b, text)
	}
	all := byte(0)
	if g.all {
		all = 1
	}
	b = append(b, all)
	b = binary.AppendUvarint(b, uint64(len(g.gone)))
	for _, part := range g.gone {
		b = appendText(b, part)
	}
	b = binary.AppendUvarint(b, uint64(len(g.said)))
	for i := range g.said {
		b = appendText(b, g.said[i].Part)
		b = appendText(b, string(g.said[i].encode()))
	}
	return b
}

func appendText(b []byte, text string) []byte {
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}

// A groupReader reads what append wrote.
type groupReader struct {
	r      *bufio.Reader
	source string
	err    error
}

// next returns io.EOF after the last group.
func (in *groupReader) next() (*group, error) {
	var key [8]byte
	if _, err := io.ReadFull(in.r, key[:]); err != nil {
		return nil, err
	}
	g := &group{key: int64(binary.BigEndian.Uint64(key[:]))}
	for _, into := range []*string{&g.who.Country, &g.who.Number, &g.who.LEI, &g.who.VAT} {
		*into = string(in.text())
	}
	all, err := in.r.ReadByte()
	in.failed(err)
	g.all = all == 1
	for range in.count() {
		g.gone = append(g.gone, string(in.text()))
	}
	for range in.count() {
		s := Said{Source: in.source, Part: string(in.text()), Key: g.key, raw: in.text()}
		if in.err == nil {
			in.failed(json.Unmarshal(s.raw, &s.Facts))
		}
		g.said = append(g.said, s)
	}
	return g, in.err
}

func (in *groupReader) count() uint64 {
	if in.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(in.r)
	in.failed(err)
	return n
}

func (in *groupReader) text() []byte {
	b := make([]byte, in.count())
	if in.err == nil {
		_, err := io.ReadFull(in.r, b)
		in.failed(err)
	}
	return b
}

// failed keeps the first error. An end inside a group is not an end.
func (in *groupReader) failed(err error) {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if in.err == nil {
		in.err = err
	}
}
