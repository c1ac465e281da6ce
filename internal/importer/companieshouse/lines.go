package companieshouse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bureau/internal/importer"
)

// maxLine is more than any line of these files; one that is longer is not a
// line but a file without line ends, and must not fill the memory.
const maxLine = 1 << 20

// lines reads a file line by line.
type lines struct {
	r    *bufio.Reader
	n    int64  // the number of the line that was read last
	long []byte // a line that does not fit the buffer
}

func newLines(r io.Reader) *lines {
	return &lines{r: bufio.NewReaderSize(r, 1<<16)}
}

// next returns a line without its end, valid until the next call. whole says
// that it had an end; only the last line of a file may have none. A line that
// is too long comes with its beginning and errLong. At the end of the file the
// error is io.EOF.
func (l *lines) next() (line []byte, whole bool, err error) {
	line, err = l.r.ReadSlice('\n')
	tooLong := false
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			line, err = l.r.ReadSlice('\n')
			if len(l.long)+len(line) <= maxLine {
				l.long = append(l.long, line...)
			} else {
				tooLong = true
			}
		}
		if tooLong {
			line = l.long[:min(len(l.long), 1000)]
		} else {
			line = l.long
		}
	}
	if err != nil && err != io.EOF {
		return nil, false, broken(err)
	}
	if err == io.EOF && len(line) == 0 {
		return nil, false, io.EOF
	}
	l.n++
	if tooLong {
		return line, err == nil, errLong
	}
	if err == nil {
		line = line[:len(line)-1]
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
	}
	return line, err == nil, nil
}

var errLong = fmt.Errorf("the line is longer than %d characters", maxLine)

// bad is the line that was read last, as a record that cannot be read.
func (l *lines) bad(raw []byte, format string, args ...any) *importer.Bad {
	return &importer.Bad{Line: l.n, Raw: text(raw), Err: fmt.Errorf(format, args...)}
}

// broken says what an error of the reader below means for the file.
func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, importer.ErrCutShort) {
		return fmt.Errorf("%w: %w", importer.ErrCutShort, err)
	}
	return err
}

func cutShort(format string, args ...any) error {
	return fmt.Errorf("%w: %s", importer.ErrCutShort, fmt.Sprintf(format, args...))
}

// text is b as a string. The publisher says nothing of the encoding; what is
// not UTF-8 is read as Windows-1252, which older files are in.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b) + 8)
	for _, c := range b {
		if 0x80 <= c && c < 0xa0 {
			s.WriteRune(windows1252[c-0x80])
		} else {
			s.WriteRune(rune(c))
		}
	}
	return s.String()
}

// windows1252 is where that encoding differs from ISO 8859-1.
var windows1252 = [32]rune{
	'€', '\ufffd', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\ufffd', 'Ž', '\ufffd',
	'\ufffd', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\ufffd', 'ž', 'Ÿ',
}
