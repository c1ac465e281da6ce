package gleif

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"bureau/internal/importer"
)

// A column is where the cells of a column go.
type column struct {
	elem *elem
	i    int
}

// A csvFile is a file while it is read.
type csvFile struct {
	*csv.Reader
	out     *sink
	rec     record
	columns []column // nil elem where we do not want it
}

func readCSV(r io.Reader, out *sink) error {
	f := &csvFile{Reader: csv.NewReader(r), out: out}
	f.ReuseRecord = true
	f.FieldsPerRecord = -1
	head, err := f.Read()
	if err != nil {
		return cutShort(err, "before its first line")
	}
	if err := f.head(head); err != nil {
		return err
	}
	var held *badRow
	for {
		row, err := f.Read()
		if held != nil {
			if errors.Is(err, io.EOF) && held.short {
				return fmt.Errorf("%w: it ends in the middle of line %d", importer.ErrCutShort, held.line)
			}
			if err := out.bad(held.line, held.raw, held.err); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if held, err = f.judge(row, err); err != nil {
			return err
		}
		if held == nil {
			if err := f.row(row); err != nil {
				return err
			}
		}
	}
}

// A badRow is told only once the next one is read: if there is none, the file
// may have been cut in the middle of it.
type badRow struct {
	line  int64
	raw   []byte
	err   error
	short bool
}

// judge tells a bad row from an error of reading.
func (f *csvFile) judge(row []string, err error) (*badRow, error) {
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse):
		// A quote that is not closed runs to the end of the file.
		return &badRow{line: int64(parse.StartLine), err: parse.Err, short: errors.Is(parse.Err, csv.ErrQuote)}, nil
	case err != nil:
		return nil, err
	case len(row) == len(f.columns):
		return nil, nil
	}
	line, _ := f.FieldPos(0)
	return &badRow{
		line: int64(line), raw: rawRow(row), short: len(row) < len(f.columns),
		err: fmt.Errorf("the row has %d columns where the first line has %d", len(row), len(f.columns)),
	}, nil
}

// rawRow writes a row as it came, but for its quotes.
func rawRow(row []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(row) // to memory
	w.Flush()
	return bytes.TrimRight(b.Bytes(), "\n")
}

// head learns from the first line which columns there are: new ones are put
// between the old ones every few years.
func (f *csvFile) head(names []string) error {
	var k kind
	for _, name := range names {
		switch strings.ToLower(name) {
		case "entity.legalname":
			k = leis
		case "relationship.startnode.nodeid":
			k = relationships
		case "exception.category", "exceptioncategory":
			k = exceptions
		}
	}
	if k == 0 {
		return fmt.Errorf("this is no LEI file: its columns begin with %.80q", strings.Join(names[:min(3, len(names))], ","))
	}
	if err := f.out.begin(k); err != nil {
		return err
	}
	top := tree(k)
	f.columns = make([]column, len(names))
	for i, name := range names {
		f.columns[i] = top.column(name)
	}
	return nil
}

// column finds the place of a column: a path of names with dots, in which a
// number tells the items of a list apart and attributes come last.
func (e *elem) column(name string) column {
	name = strings.TrimSpace(name)
	if strings.HasSuffix(strings.ToLower(name), "deletedat") {
		name = "Extension.Deletion.DeletedAt"
	}
	name = strings.Replace(name, "Relationship.Period.", "Relationship.RelationshipPeriods.RelationshipPeriod.", 1)
	name = strings.Replace(name, "Exception.", "Exception", 1)
	at := column{elem: e}
	for part := range strings.SplitSeq(name, ".") {
		if n, err := strconv.Atoi(part); err == nil {
			at.i = min(max(n-1, 0), maxItems)
			continue
		}
		if at.elem = at.elem.member(part); at.elem == nil {
			return column{}
		}
	}
	if at.elem.text == nil {
		return column{}
	}
	return at
}

// member is an element in e or an attribute of it, in any case: the columns of
// relationships begin in lower case where their XML does not.
func (e *elem) member(name string) *elem {
	if to := e.attrs[strings.TrimPrefix(name, "xml")]; to != nil {
		return to
	}
	for have, to := range e.in {
		if strings.EqualFold(have, name) {
			return to
		}
	}
	return nil
}

func (f *csvFile) row(row []string) error {
	f.rec.reset()
	for i, cell := range row {
		if c := f.columns[i]; cell != "" && c.elem != nil {
			c.elem.put(&f.rec, c.i, []byte(cell))
		}
	}
	said, err := f.out.say(&f.rec, &f.out.header)
	if err != nil {
		line, _ := f.FieldPos(0)
		return f.out.bad(int64(line), rawRow(row), err)
	}
	return f.out.good(said)
}
