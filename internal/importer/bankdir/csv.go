package bankdir

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"bureau/internal/importer"
)

// A column is one of a CSV of ours.
type column struct {
	name string
	must bool
}

// A row is a line of a CSV by its columns' names.
type row map[string]string

// flag reads a column that is true or false.
func (r row) flag(name string) (bool, error) {
	switch strings.ToLower(r[name]) {
	case "", "0", "n", "no", "false":
		return false, nil
	case "1", "y", "yes", "true":
		return true, nil
	}
	return false, fmt.Errorf("%s: %q is neither true nor false", name, r[name])
}

// rows yields the lines of a CSV of ours. Its first line names the columns, in
// any order; a column that we do not know is an error, since a misspelt one
// would be lost in silence. The last line must have its end: nothing else tells
// a whole file from one that is cut short.
func rows(in io.Reader, columns []column) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		tail := &importer.Tail{From: in}
		r := csv.NewReader(tail)
		r.FieldsPerRecord, r.ReuseRecord = -1, false
		head, err := r.Read()
		if err == io.EOF {
			yield(line{}, fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort))
			return
		}
		if err == nil {
			head, err = header(head, columns)
		}
		if err != nil && tail.Ended && tail.Last != '\n' {
			err = fmt.Errorf("%w: its first line has no end", importer.ErrCutShort)
		}
		if err != nil {
			yield(line{}, err)
			return
		}
		for {
			values, err := r.Read()
			var broken *csv.ParseError
			switch {
			case err == io.EOF && tail.Last != '\n':
				yield(line{}, fmt.Errorf("%w: its last line has no end", importer.ErrCutShort))
				return
			case err == io.EOF:
				return
			case errors.As(err, &broken) && tail.Ended:
				yield(line{}, fmt.Errorf("%w: it ends inside a quote", importer.ErrCutShort))
				return
			case errors.As(err, &broken):
				if !yield(line{}, &importer.Bad{Line: int64(broken.StartLine), Err: broken.Err}) {
					return
				}
				continue
			case err != nil:
				yield(line{}, err)
				return
			}
			n, _ := r.FieldPos(0) // a line that could not be read has none
			l, err := newLine(int64(n), head, values, columns)
			if !yield(l, err) {
				return
			}
		}
	}
}

// A line is a row and where it stands.
type line struct {
	row
	n   int64
	raw string
}

func (l line) bad(err error) *importer.Bad { return &importer.Bad{Line: l.n, Raw: l.raw, Err: err} }

func newLine(n int64, head, values []string, columns []column) (line, error) {
	l := line{row: row{}, n: n, raw: strings.Join(values, ",")}
	if len(values) != len(head) {
		return l, l.bad(fmt.Errorf("it has %d columns and the first line %d", len(values), len(head)))
	}
	for i, name := range head {
		l.row[name] = strings.TrimSpace(values[i])
	}
	for _, c := range columns {
		if c.must && l.row[c.name] == "" {
			return l, l.bad(fmt.Errorf("%s: it is missing", c.name))
		}
	}
	return l, nil
}

// header finds our columns in the first line, in any case.
func header(head []string, columns []column) ([]string, error) {
	seen := map[string]bool{}
	out := make([]string, len(head))
	for i, text := range head {
		text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
		for _, c := range columns {
			if strings.EqualFold(c.name, text) {
				out[i] = c.name
			}
		}
		switch {
		case out[i] == "":
			return nil, fmt.Errorf("%w: there is no column %q; the columns are %s", errNoHeader, text, names(columns))
		case seen[out[i]]:
			return nil, fmt.Errorf("%w: %s is there twice", errNoHeader, out[i])
		}
		seen[out[i]] = true
	}
	for _, c := range columns {
		if c.must && !seen[c.name] {
			return nil, fmt.Errorf("%w: the column %s is missing; the columns are %s", errNoHeader, c.name, names(columns))
		}
	}
	return out, nil
}

func names(columns []column) string {
	var out []string
	for _, c := range columns {
		out = append(out, c.name)
	}
	return strings.Join(out, ", ")
}
