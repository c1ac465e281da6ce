package companieshouse

import (
	"errors"
	"io"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// readCSV reads product 217. It takes the file apart by line rather than with
// encoding/csv, so that a quote too many spoils its own line and not the next
// ones, a bad record can be kept as it came, and the end of the file can be
// told from a cut.
func readCSV(l *lines, header string, yield func(company.Statement, error) bool) error {
	names, _ := split(header, nil)
	where, err := findColumns(names)
	if err != nil {
		return err
	}
	r := newRows(where)
	csv := &csvLines{lines: l, columns: r.count}
	for n := 0; ; n++ {
		row, err := csv.row()
		var s company.Statement
		if err == nil {
			r.at = csv.values
			if s, err = r.statement(); err != nil {
				err = l.bad([]byte(row), "%w", err)
			}
		}
		if _, isBad := err.(*importer.Bad); err != nil && !isBad {
			if err == io.EOF && n == 0 {
				return cutShort("it holds no company")
			}
			if err == io.EOF {
				return nil
			}
			return err
		}
		if !yield(s, err) {
			return errStop
		}
	}
}

// skimCSV looks only at the ends of lines: the last one alone can be cut short.
func skimCSV(l *lines, header string) error {
	names, _ := split(header, nil)
	if _, err := findColumns(names); err != nil {
		return err
	}
	for n := 0; ; {
		line, whole, err := l.next()
		switch {
		case err == io.EOF && n == 0:
			return cutShort("it holds no company")
		case err == io.EOF:
			return nil
		case err != nil && err != errLong:
			return err
		case len(line) == 0:
			continue
		}
		n++
		if err == nil && !whole {
			row := text(line)
			if values, open := split(row, nil); !finished(row, values, open, len(names)) {
				return cutShort("line %d is not complete", l.n)
			}
		}
	}
}

// csvLines reads rows, which are lines with few exceptions.
type csvLines struct {
	*lines
	columns int
	values  []string // of the row that was read last

	held      []byte // a line that was read too early
	heldWhole bool
}

// row reads the next row into values and returns it as it came. A row that does
// not have its columns is an *importer.Bad.
func (c *csvLines) row() (string, error) {
	line, whole, err := c.line()
	if err == errLong {
		return "", c.bad(line, "%w", err)
	}
	if err != nil {
		return "", err
	}
	row := text(line)
	var open bool
	c.values, open = split(row, c.values)
	if open && whole {
		if row, whole, err = c.join(row); err != nil {
			return "", err
		}
		open = false
	}
	if !whole && !finished(row, c.values, open, c.columns) {
		return "", cutShort("line %d is not complete", c.n)
	}
	if len(c.values) != c.columns {
		return "", c.bad([]byte(row), "%d columns, not %d", len(c.values), c.columns)
	}
	return row, nil
}

// line is the next line that is not empty, or the one that was read too early.
func (c *csvLines) line() (line []byte, whole bool, err error) {
	if c.held != nil {
		line, c.held = c.held, nil
		c.n++
		return line, c.heldWhole, nil
	}
	for err == nil && len(line) == 0 {
		line, whole, err = c.next()
	}
	return line, whole, err
}

// join reads on where a line ends inside a quote: the two lines together are a
// row, or the first one is bad by itself and the second is a row of its own.
func (c *csvLines) join(first string) (row string, whole bool, err error) {
	at := c.n
	more, whole, err := c.next()
	if err != nil && err != io.EOF && err != errLong {
		return "", false, err
	}
	row = first + "\n" + text(more)
	var open bool
	c.values, open = split(first+" "+text(more), c.values)
	if err == nil && whole && !open && len(c.values) == c.columns {
		return row, whole, nil
	}
	if err == nil && len(more) > 0 {
		c.held, c.heldWhole = append([]byte{}, more...), whole
		c.n = at
	}
	return "", false, &importer.Bad{Line: at, Raw: first, Err: errors.New("a quote is not closed")}
}

// finished says that a last line without a line end is all there: it has every
// column, and the last of them cannot go on. Some tools leave out the line end.
func finished(row string, values []string, open bool, columns int) bool {
	if open || len(values) != columns {
		return false
	}
	return strings.HasSuffix(row, `"`) || day(values[columns-1]) != ""
}

// split cuts a row into its values, which are pieces of the row. open says that
// a quote was not closed. A quote inside a value that is not doubled, as some
// tools leave it, is taken as it is.
func split(row string, into []string) (values []string, open bool) {
	values = into[:0]
	for i := 0; ; {
		switch {
		case i+1 < len(row) && row[i] == '"' && row[i+1] == '"' && (i+2 == len(row) || row[i+2] == ','):
			values = append(values, "") // most values are empty
			i += 2
		case i < len(row) && row[i] == '"':
			i++
			k := strings.IndexByte(row[i:], '"')
			if k < 0 {
				return append(values, row[i:]), true
			}
			if end := i + k + 1; end == len(row) || row[end] == ',' {
				values = append(values, row[i:i+k])
				i = end
			} else {
				var value string
				value, i, open = unquote(row, i)
				values = append(values, value)
				if open {
					return values, true
				}
			}
		default:
			k := strings.IndexByte(row[i:], ',')
			if k < 0 {
				k = len(row) - i
			}
			values = append(values, row[i:i+k])
			i += k
		}
		if i >= len(row) {
			return values, false
		}
		i++ // the comma
		if i == len(row) {
			return append(values, ""), false
		}
	}
}

// unquote reads a value that has quotes in it, from behind its first quote, and
// returns where it ends.
func unquote(row string, from int) (value string, end int, open bool) {
	var b strings.Builder
	for i := from; i < len(row); i++ {
		if row[i] != '"' {
			b.WriteByte(row[i])
			continue
		}
		switch {
		case i+1 == len(row), row[i+1] == ',':
			return b.String(), i + 1, false
		case row[i+1] == '"':
			i++
		}
		b.WriteByte('"')
	}
	return b.String(), len(row), true
}
