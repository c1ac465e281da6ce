package listfile

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"bureau/internal/importer"
)

// A Table says how a list in CSV is laid out.
type Table struct {
	Comma   rune     // a comma if 0
	Columns []string // of a file without a header line
	Must    []string // columns that a header line must have to be one
	Above   int      // lines above the header that may be there

	// Loose says that quotes inside of values are taken as they are.
	Loose bool
	// Ends says whether a last line that has no line end is whole all the same.
	// If it is nil none is.
	Ends func(Row) bool
}

// A Row is a line of a table.
type Row struct {
	Line   int64
	values []string
	at     map[string]int
}

// Text is the value of a column, or of the first of several names of it that the
// file has.
func (r Row) Text(columns ...string) string {
	for _, c := range columns {
		if i, ok := r.at[c]; ok && i < len(r.values) {
			return strings.TrimSpace(r.values[i])
		}
	}
	return ""
}

// Exact is the value of a column with the spaces at its ends.
func (r Row) Exact(column string) string {
	if i, ok := r.at[column]; ok && i < len(r.values) {
		return r.values[i]
	}
	return ""
}

// Has says whether the file has a column.
func (r Row) Has(column string) bool { _, ok := r.at[column]; return ok }

// Unknown are the columns of the file that are none of some.
func (r Row) Unknown(columns []string) (out []string) {
	for name := range r.at {
		if !slices.Contains(columns, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Raw is the row as it came, more or less.
func (r Row) Raw() string { return strings.Join(r.values, "|") }

// Bad is a row that makes no sense.
func (r Row) Bad(err error) *importer.Bad {
	return &importer.Bad{Line: r.Line, Raw: r.Raw(), Err: err}
}

// ErrHeader says that a file has none of the header lines that its source has.
var ErrHeader = errors.New("the header line is not that of this source")

// Rows yields the rows of a table. above gets the lines before the header. A row
// that cannot be read is an *importer.Bad.
func (t Table) Rows(in io.Reader, above func(line []string)) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		tail := &importer.Tail{From: in}
		r := csv.NewReader(tail)
		r.FieldsPerRecord, r.LazyQuotes = -1, t.Loose
		if t.Comma != 0 {
			r.Comma = t.Comma
		}
		at, err := t.header(r, above)
		if t.Columns == nil && tail.Ended && !whole(tail) && r.InputOffset() >= tail.N {
			err = fmt.Errorf("%w: it ends in its header", importer.ErrCutShort)
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		wide := len(at)
		if t.Columns == nil {
			wide = 0 // the first row tells: some have a column without a name
		}
		for {
			row, err := t.next(r, tail, at, &wide)
			if err == io.EOF {
				return
			}
			var bad *importer.Bad
			if !yield(row, err) || err != nil && !errors.As(err, &bad) {
				return
			}
		}
	}
}

// header finds the header line, and where each column is.
func (t Table) header(r *csv.Reader, above func([]string)) (map[string]int, error) {
	if t.Columns != nil {
		return places(t.Columns), nil
	}
	for n := 0; ; n++ {
		line, err := r.Read()
		if err == io.EOF && n == 0 {
			return nil, fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: there is no column %s", ErrHeader, strings.Join(t.Must, ", "))
		}
		for i := range line {
			line[i] = strings.TrimSpace(strings.TrimPrefix(UTF8(line[i]), "\ufeff"))
		}
		at := places(line)
		missing := ""
		for _, m := range t.Must {
			if _, ok := at[m]; !ok {
				missing = m
				break
			}
		}
		if missing == "" {
			return at, nil
		}
		if n >= t.Above {
			return nil, fmt.Errorf("%w: there is no column %q", ErrHeader, missing)
		}
		if above != nil {
			above(line)
		}
	}
}

// places are where columns are; of two with one name it is the first.
func places(columns []string) map[string]int {
	at := make(map[string]int, len(columns))
	for i, c := range slices.Backward(columns) {
		at[c] = i
	}
	return at
}

// next reads a row. wide is how many columns a row has; 0 if that is not known.
func (t Table) next(r *csv.Reader, tail *importer.Tail, at map[string]int, wide *int) (Row, error) {
	for {
		values, err := r.Read()
		row := Row{values: values, at: at}
		if len(values) > 0 {
			line, _ := r.FieldPos(0)
			row.Line = int64(line)
		}
		for i, v := range values {
			values[i] = UTF8(v)
		}
		var broken *csv.ParseError
		switch {
		case err == io.EOF:
			return row, io.EOF
		case errors.As(err, &broken) && tail.Ended:
			return row, fmt.Errorf("%w: it ends inside a quote", importer.ErrCutShort)
		case errors.As(err, &broken):
			return row, &importer.Bad{Line: int64(broken.StartLine), Err: broken.Err}
		case err != nil:
			return row, err
		}
		last := tail.Ended && !whole(tail) && r.InputOffset() >= tail.N
		if last && (len(values) < *wide || t.Ends == nil || !t.Ends(row)) {
			return row, fmt.Errorf("%w: its last line has no end", importer.ErrCutShort)
		}
		if len(values) == 1 && strings.Trim(values[0], "\x1a \t\r") == "" {
			continue // an empty line, or the mark at the end of a file
		}
		if *wide == 0 {
			*wide = len(values)
		}
		if len(values) != *wide {
			return row, row.Bad(fmt.Errorf("it has %d columns, not %d", len(values), *wide))
		}
		return row, nil
	}
}

// whole says whether the file ends as a whole one does: with a line end, or with
// the mark that some programs put behind it.
func whole(t *importer.Tail) bool { return t.Last == '\n' || t.Last == importer.EndMark }
