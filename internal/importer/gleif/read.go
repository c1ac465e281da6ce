package gleif

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// A header is what an XML file says of itself. The other formats have none.
type header struct {
	date    string
	content string // GLEIF_FULL_PUBLISHED, GLEIF_DELTA_PUBLISHED, LOU_FULL_PUBLISHED …
	count   int64  // of records; 0 if it does not say
}

// full reports whether the file says that it is not a delta.
func (h header) full() bool { return strings.Contains(h.content, "_FULL_") }

// errStop says that nobody wants the rest.
var errStop = errors.New("stop")

// A sink takes what a file holds.
type sink struct {
	header header
	kinds  map[kind]meaning // of files that the source takes
	say    meaning
	n      int64
	yield  func(company.Statement, error) bool
}

// A meaning is what a record of a kind says, or why it makes no sense.
type meaning func(r *record, h *header) (company.Statement, error)

// begin is told which kind of file it is.
func (s *sink) begin(k kind) error {
	if s.say = s.kinds[k]; s.say != nil {
		return nil
	}
	if k == leis {
		return errors.New("this is a file of LEI records: import it as gleif")
	}
	return errors.New("this is a file of relationships: import it as gleif-relationships")
}

// record takes a record in. raw is how it came.
func (s *sink) record(r *record, line int64, raw []byte) error {
	said, err := s.say(r, &s.header)
	if err != nil {
		return s.bad(line, raw, err)
	}
	return s.good(said)
}

func (s *sink) good(said company.Statement) error {
	s.n++
	if !s.yield(said, nil) {
		return errStop
	}
	return nil
}

func (s *sink) bad(line int64, raw []byte, err error) error {
	s.n++
	if !s.yield(company.Statement{}, &importer.Bad{Line: line, Raw: string(raw), Err: err}) {
		return errStop
	}
	return nil
}

// reader makes the Read of a source that takes some kinds of files.
func reader(kinds map[kind]meaning) func(io.Reader, string) iter.Seq2[company.Statement, error] {
	return func(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
		return func(yield func(company.Statement, error) bool) {
			s := &sink{kinds: kinds, yield: yield}
			if err := s.read(newWindow(r)); err != nil && !errors.Is(err, errStop) {
				yield(company.Statement{}, err)
			}
		}
	}
}

// read finds out which format a file is in.
func (s *sink) read(w *window) error {
	if err := w.need(3); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if bytes.HasPrefix(w.rest(), []byte("\ufeff")) {
		w.take(3)
	}
	first, err := (&jsonFile{window: w}).peek()
	if err != nil {
		return cutShort(err, "before it begins")
	}
	switch first {
	case '<':
		if err := readXML(w, s); err != nil {
			return err
		}
		return s.counted(w.line())
	case '{', '[':
		return readJSON(w, s)
	}
	return readCSV(io.MultiReader(bytes.NewReader(w.rest()), w.r), s)
}

// counted holds the records of a full file against its own count. A file that
// is closed as it should be and yet holds fewer was not cut on its way: somebody
// took records out, and as a feed it may well be read. As a whole list it would
// take away all that it lacks. So the last thing it yields is a Bad that is an
// ErrCutShort too, and whoever imports it decides.
func (s *sink) counted(line int64) error {
	if !s.header.full() || s.n >= s.header.count {
		return nil
	}
	return &importer.Bad{Line: line, Err: fmt.Errorf("%w: it holds %d records where its header promises %d",
		importer.ErrCutShort, s.n, s.header.count)}
}
