package monitor

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bureau/internal/fault"
)

// What a portfolio's file may be.
const (
	MaxFileSize  = 50 << 20
	MaxFileLines = 1_000_000
)

// fileColumns are what a file may say of a company, by their names in its first
// line, in lower case.
var fileColumns = []string{"id", "countrycode", "regno", "reference", "personallimit", "notes"}

// namingColumns is how many of them, from the first on, say which company it is.
const namingColumns = 3

// fileSeparators are what may stand between two values.
const fileSeparators = ",;\t"

// A FileRow is a company that a file names: by its connectId or safe number, or
// by its country and its number in the register.
type FileRow struct {
	Line      int
	ID        string
	Country   string
	RegNo     string
	Reference string
	Limit     string
	Notes     string

	Problem  string // why it cannot be taken; empty if it can
	Nameless bool   // it cannot be told which company it is about
}

// Value is the company as the file names it.
func (r *FileRow) Value() string {
	if r.ID != "" {
		return r.ID
	}
	return strings.TrimSpace(r.Country + " " + r.RegNo)
}

// A fileReader reads a portfolio's file.
type fileReader struct {
	csv     *csvReader
	columns []int     // what each value is: an index of fileColumns, or -1
	first   filePlace // of the first line that holds something
}

// openFile reads the first line of a file, or refuses it.
func openFile(r io.Reader) (*fileReader, error) {
	head := make([]byte, maxRecord)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	head, whole := head[:n], n < maxRecord
	f := &fileReader{first: filePlace{Line: 1}}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")):
		return nil, fault.Invalid.Errorf("importcsv: the file is UTF-16; save it as CSV in UTF-8")
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, fault.Invalid.Errorf("importcsv: the file is a workbook or an archive; save it as CSV in UTF-8")
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		head = head[3:]
		f.first.Offset = 3
	}
	for n, ok := lineEnd(head, whole); ok && len(bytes.TrimSpace(head[:n])) == 0; n, ok = lineEnd(head, whole) {
		head = head[n:]
		f.first.Offset += int64(n)
		f.first.Line++
	}
	if whole && len(bytes.TrimSpace(head)) == 0 {
		return nil, fault.Invalid.Errorf("importcsv: the file is empty")
	}
	comma, err := f.readHead(head)
	if err != nil {
		return nil, err
	}
	f.csv = newCSVReader(io.MultiReader(bytes.NewReader(head), r), comma, f.first)
	if f.columns != nil {
		if _, err := f.csv.next(); err != nil { // the names of the columns
			return nil, err
		}
	} else {
		f.columns = []int{0} // one id a line
	}
	return f, nil
}

// readHead finds out what separates values, and what they are. A file without
// names of columns leaves columns empty.
func (f *fileReader) readHead(head []byte) (comma byte, err error) {
	comma = fileSeparators[0]
	single := true
	for _, sep := range []byte(fileSeparators) {
		rec, err := newCSVReader(bytes.NewReader(head), sep, filePlace{}).next()
		if err != nil || rec.problem != "" {
			continue
		}
		if columns, ok, err := readColumns(rec.cells); ok || err != nil {
			f.columns = columns
			return sep, err
		}
		if len(rec.cells) > 1 {
			comma = sep
			single = single && blank(rec.cells[1:])
		}
	}
	if !single {
		return 0, fault.Invalid.Errorf("importcsv: the first line must name the columns: id, or countryCode and regNo; " +
			"and if you like reference, personalLimit, notes. A file without such a line has one id a line")
	}
	return comma, nil
}

// readColumns reads a first line. ok is false if it names no column of a
// company's.
func readColumns(cells []string) (columns []int, ok bool, err error) {
	seen := make([]bool, len(fileColumns))
	for _, name := range cells {
		name = strings.ToLower(strings.TrimSpace(name))
		i := slices.Index(fileColumns, name)
		if i >= 0 {
			if seen[i] {
				return nil, false, fault.Invalid.Errorf("importcsv: the first line names the column %s twice", name)
			}
			seen[i] = true
		}
		columns = append(columns, i) // others are not ours to read
	}
	id, country, number := seen[0], seen[1], seen[2]
	switch {
	case id || country && number:
		return columns, true, nil
	case country:
		return nil, false, fault.Invalid.Errorf("importcsv: the first line names countryCode, but not regNo")
	case number:
		return nil, false, fault.Invalid.Errorf("importcsv: the first line names regNo, but not countryCode")
	}
	return nil, false, nil
}

// goOn has the reader go on at a place that it was at before; r reads from
// there.
func (f *fileReader) goOn(r io.Reader, at filePlace) { f.csv = newCSVReader(r, f.csv.comma, at) }

// place is where the next row begins.
func (f *fileReader) place() filePlace { return f.csv.place }

// next returns a row. The end is io.EOF; any other error means that the file
// could not be read.
func (f *fileReader) next() (FileRow, error) {
	for {
		rec, err := f.csv.next()
		if err != nil {
			return FileRow{}, err
		}
		if rec.problem == "" && blank(rec.cells) {
			continue
		}
		return f.row(rec), nil
	}
}

func blank(cells []string) bool {
	return !slices.ContainsFunc(cells, func(s string) bool { return strings.TrimSpace(s) != "" })
}

func (f *fileReader) row(rec csvRecord) FileRow {
	row := FileRow{Line: rec.at.Line, Problem: rec.problem}
	if row.Problem != "" {
		row.Nameless = true
		return row
	}
	into := []*string{&row.ID, &row.Country, &row.RegNo, &row.Reference, &row.Limit, &row.Notes}
	for i, cell := range rec.cells {
		cell = strings.TrimSpace(cell)
		column, problem := -1, ""
		if i < len(f.columns) {
			column = f.columns[i]
		}
		names := column >= 0 && column < namingColumns
		switch {
		case !utf8.ValidString(cell):
			problem = "it is not UTF-8"
			cell = strings.ToValidUTF8(cell, "\ufffd")
		case strings.ContainsRune(cell, 0):
			problem = "it holds a NUL character"
			cell = strings.ReplaceAll(cell, "\x00", "\ufffd")
		case names && strings.ContainsAny(cell, "\r\n"):
			problem = "a quotation mark runs over several lines" // and swallowed what they name
		}
		if i >= len(f.columns) && cell != "" {
			problem, names = manyColumns, true // its values may all stand in the wrong columns
		}
		if problem != "" {
			row.Problem, row.Nameless = problem, row.Nameless || names
		}
		if column >= 0 {
			*into[column] = cell
		}
	}
	if why := row.checkName(); why != "" && !row.Nameless {
		row.Problem, row.Nameless = cmp.Or(row.Problem, why), true
	}
	if row.Problem == "" {
		row.Problem = row.checkNotes()
	}
	return row
}

func (r *FileRow) checkNotes() string {
	m := r.member()
	if err := m.Check(); err != nil {
		view, _ := fault.Of(err)
		return strings.Join(view.Details, "; ")
	}
	return ""
}

func (r *FileRow) checkName() string {
	switch {
	case r.ID != "":
		return ""
	case r.Country == "" && r.RegNo == "":
		return "it names no company"
	case r.Country == "":
		return "it has no countryCode"
	case r.RegNo == "":
		return "it has no regNo"
	case len(r.Country) != 2:
		return "its countryCode is not two letters"
	}
	return ""
}

// member is what the row says, but for which company it is.
func (r *FileRow) member() Member {
	return Member{Reference: r.Reference, Limit: r.Limit, Notes: r.Notes}
}
