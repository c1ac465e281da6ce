package monitor

import (
	"bytes"
	"io"
)

// maxRecord is how long one record of a file may be. The longest that can be
// kept, notes and all, is a third of it.
const maxRecord = 64 << 10

// A csvReader reads values between separators, a record a line, with or without
// quotation marks. Unlike encoding/csv it holds no more than a few records in
// memory, whatever it is sent, goes on behind a line that makes no sense, and
// says where in the file it is, so that another can go on there.
//
// Quotation marks are taken strictly: one inside a value without them is a
// mistake. A line with a mark too many therefore ends at the latest at the next
// such line, and no file takes longer than its length.
type csvReader struct {
	r     io.Reader
	comma byte
	place filePlace // of the next record

	room  []byte
	buf   []byte // the part of room that was read and not used yet
	eof   bool
	cells []string
}

// A filePlace is where a record begins.
type filePlace struct {
	Offset int64 `json:"offset"`
	Line   int   `json:"line"` // from 1
}

// A csvRecord is one record, or why a line is none.
type csvRecord struct {
	at      filePlace
	cells   []string // good until the next record is read
	problem string
}

func newCSVReader(r io.Reader, comma byte, at filePlace) *csvReader {
	return &csvReader{r: r, comma: comma, place: at, room: make([]byte, 2*maxRecord)}
}

// next reads a record. The end is io.EOF; any other error is the reader's.
func (c *csvReader) next() (csvRecord, error) {
	if err := c.fill(); err != nil {
		return csvRecord{}, err
	}
	if len(c.buf) == 0 {
		return csvRecord{}, io.EOF
	}
	window, last := c.buf, c.eof
	if len(window) > maxRecord {
		window, last = window[:maxRecord], false
	}
	rec := csvRecord{at: c.place}
	p := csvParser{text: window, last: last, comma: c.comma, cells: c.cells[:0]}
	if p.parse(); p.problem == "" {
		c.cells = p.cells
		rec.cells = p.cells
		c.skip(p.at)
		c.place.Line += p.lines
		return rec, nil
	}
	rec.problem = p.problem
	return rec, c.skipLine()
}

// fill reads until a whole record must be in the buffer.
func (c *csvReader) fill() error {
	if len(c.buf) >= maxRecord || c.eof {
		return nil
	}
	c.buf = c.room[:copy(c.room, c.buf)] // what is left moves to the front
	for len(c.buf) < maxRecord {
		n, err := c.r.Read(c.room[len(c.buf):])
		c.buf = c.room[:len(c.buf)+n]
		if err == io.EOF {
			c.eof = true
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *csvReader) skip(n int) {
	c.buf = c.buf[n:]
	c.place.Offset += int64(n)
}

// skipLine goes to the next line, however far that is.
func (c *csvReader) skipLine() error {
	for {
		if n, ok := lineEnd(c.buf, c.eof); ok {
			c.skip(n)
			c.place.Line++
			return nil
		}
		if c.eof {
			c.skip(len(c.buf))
			return nil
		}
		c.skip(len(c.buf) - 1) // the last may be half of a line end
		if err := c.fill(); err != nil {
			return err
		}
	}
}

// lineEnd finds where the first line ends: behind \n, \r\n or \r.
func lineEnd(b []byte, last bool) (n int, ok bool) {
	i := bytes.IndexAny(b, "\r\n")
	switch {
	case i < 0:
		return 0, false
	case b[i] == '\n':
		return i + 1, true
	case i+1 == len(b):
		return i + 1, last
	case b[i+1] == '\n':
		return i + 2, true
	}
	return i + 1, true
}

// A csvParser takes one record apart.
type csvParser struct {
	text  []byte
	last  bool // nothing comes behind the text
	comma byte

	at      int
	lines   int
	cells   []string
	problem string
}

const (
	tooLong     = "it is longer than 64 KB, or a quotation mark is not closed"
	notClosed   = "a quotation mark is not closed"
	markInside  = "a quotation mark is inside a value that is not in quotation marks"
	textBehind  = "something is behind a closing quotation mark"
	manyColumns = "it has more values than the first line has columns"
)

func (p *csvParser) parse() {
	for {
		for p.at < len(p.text) && p.text[p.at] == ' ' {
			p.at++
		}
		if p.at < len(p.text) && p.text[p.at] == '"' {
			p.quoted()
		} else {
			p.bare()
		}
		if p.problem != "" || !p.more() {
			return
		}
	}
}

// bare reads a value without quotation marks, and stops where it ends.
func (p *csvParser) bare() {
	start := p.at
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case p.comma, '\n', '\r':
			p.cells = append(p.cells, string(p.text[start:p.at]))
			return
		case '"':
			p.problem = markInside
			return
		}
	}
	if !p.last {
		p.problem = tooLong
	}
	p.cells = append(p.cells, string(p.text[start:]))
}

// quoted reads a value in quotation marks.
func (p *csvParser) quoted() {
	p.at++
	start, doubled := p.at, false
	for {
		i := bytes.IndexByte(p.text[p.at:], '"')
		if i < 0 {
			p.problem = tooLong
			if p.last {
				p.problem = notClosed
			}
			return
		}
		p.at += i + 1
		if p.at < len(p.text) && p.text[p.at] == '"' {
			p.at, doubled = p.at+1, true
			continue
		}
		break
	}
	value := p.text[start : p.at-1]
	for rest := value; ; {
		n, ok := lineEnd(rest, true)
		if !ok {
			break
		}
		rest = rest[n:]
		p.lines++
	}
	if doubled {
		value = bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))
	}
	p.cells = append(p.cells, string(value))
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

// more goes behind a value, and reports whether another one follows in the same
// record.
func (p *csvParser) more() bool {
	rest := p.text[p.at:]
	switch {
	case len(rest) == 0:
		if !p.last {
			p.problem = tooLong
		}
		return false
	case rest[0] == p.comma:
		p.at++
		return true
	case rest[0] != '\n' && rest[0] != '\r':
		p.problem = textBehind
		return false
	}
	n, ok := lineEnd(rest, p.last)
	if !ok {
		p.problem = tooLong
		return false
	}
	p.at += n
	p.lines++
	return false
}
