package csvfile

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

// A Row is a line by its columns' names.
type Row struct {
	Line   int64
	values map[string]string
	raw    string
}

// At is what stands in a column, without the spaces around it; "" where the file
// does not have the column.
func (r Row) At(column string) string { return r.values[column] }

// Bad says that a row makes no sense, and why.
func (r Row) Bad(err error) *importer.Bad { return &importer.Bad{Line: r.Line, Raw: r.raw, Err: err} }

// Rows yields the lines of a file that has some of the columns, and all that it
// must have. A column that is not among them is an error, since a misspelt one
// would be lost in silence. The last line must have its end: nothing else tells
// a whole file from one that is cut short.
func Rows(in io.Reader, columns, must []string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		tail := &importer.Tail{From: in}
		r := csv.NewReader(tail)
		r.FieldsPerRecord = -1
		head, err := r.Read()
		if err == nil {
			head, err = header(head, columns, must)
		}
		switch {
		case errors.Is(err, io.EOF):
			err = fmt.Errorf("%w: there is nothing in it", importer.ErrCutShort)
		case err != nil && tail.Ended && tail.Last != '\n':
			err = fmt.Errorf("%w: its first line has no end", importer.ErrCutShort)
		}
		if err != nil {
			yield(Row{}, err)
			return
		}
		for {
			row, err := next(r, tail, head)
			var bad *importer.Bad
			if errors.Is(err, io.EOF) || !yield(row, err) || err != nil && !errors.As(err, &bad) {
				return
			}
		}
	}
}

func next(r *csv.Reader, tail *importer.Tail, head []string) (Row, error) {
	values, err := r.Read()
	var broken *csv.ParseError
	switch {
	case errors.As(err, &broken) && tail.Ended:
		return Row{}, fmt.Errorf("%w: it ends inside a quote", importer.ErrCutShort)
	case errors.As(err, &broken):
		return Row{}, &importer.Bad{Line: int64(broken.StartLine), Err: broken.Err}
	case err == nil && tail.Ended && tail.Last != '\n' && r.InputOffset() == tail.N:
		return Row{}, fmt.Errorf("%w: its last line has no end", importer.ErrCutShort)
	case err != nil:
		return Row{}, err
	}
	line, _ := r.FieldPos(0)
	row := Row{Line: int64(line), values: map[string]string{}, raw: strings.Join(values, ",")}
	if len(values) != len(head) {
		return row, row.Bad(fmt.Errorf("it has %d columns and the first line %d", len(values), len(head)))
	}
	for i, name := range head {
		row.values[name] = strings.TrimSpace(values[i])
	}
	return row, nil
}

// header finds our columns in the first line.
func header(head, columns, must []string) ([]string, error) {
	out := make([]string, len(head))
	for i, text := range head {
		text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
		at := slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(c, text) })
		if at < 0 {
			return nil, fmt.Errorf("the first line does not name its columns: there is no column %q; the columns are %s", text, strings.Join(columns, ", "))
		}
		if out[i] = columns[at]; slices.Contains(out[:i], out[i]) {
			return nil, fmt.Errorf("the first line names the column %s twice", out[i])
		}
	}
	for _, name := range must {
		if !slices.Contains(out, name) {
			return nil, fmt.Errorf("the first line does not name the column %s; the columns are %s", name, strings.Join(columns, ", "))
		}
	}
	return out, nil
}
