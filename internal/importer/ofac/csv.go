package ofac

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bureau/internal/importer"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// The files of a set have no header line. They are told apart by how many
// columns they have.
var (
	mainColumns    = []string{"number", "name", "type", "programmes", "title", "callSign", "shipType", "tonnage", "gross", "flag", "owner", "remarks"}
	addressColumns = []string{"number", "address", "line", "city", "country", "remarks"}
	aliasColumns   = []string{"number", "alias", "type", "name", "remarks"}
	commentColumns = []string{"number", "remarks"}
)

// A csvSet puts the files of a set together. It holds them all: the other names
// of the first entry may be the last in their file.
type csvSet struct {
	yield   listfile.Reading
	entries listfile.Grouped[csvEntry]
	aliases map[string][]listfile.Row
	places  map[string][]listfile.Row
	more    map[string]string // remarks that did not fit
	ends    []csvEnd
	any     bool
	unread  int // rows of the main file that make no sense
}

// A csvEnd says whether a file ends with the publisher's mark.
type csvEnd struct {
	file   string
	marked bool
}

type csvEntry struct {
	row  listfile.Row
	list string
}

// read reads one file of a set.
func (c *csvSet) read(in *bufio.Reader, name string) error {
	c.any = true
	head, _ := in.Peek(in.Size())
	columns := columnsOf(head)
	if columns == nil {
		return errOtherFile
	}
	table := listfile.Table{Columns: columns, Loose: true}
	first := true
	tail := &importer.Tail{From: in}
	for row, err := range table.Rows(tail, nil) {
		begins := first
		first = false
		var bad *importer.Bad
		switch {
		case errors.As(err, &bad):
			bad.Err = fmt.Errorf("%s: %w", name, bad.Err)
			c.passOver(columns)
			if !c.yield(kyc.Record{}, bad) {
				return nil
			}
			continue
		case err != nil:
			return err
		}
		number := row.Text("number")
		if _, err := strconv.Atoi(number); err != nil {
			if begins {
				continue // some who pass the files on add a header
			}
			c.passOver(columns)
			if !c.yield(kyc.Record{}, row.Bad(fmt.Errorf("%s: %q is no number of an entry", name, number))) {
				return nil
			}
			continue
		}
		c.take(len(columns), number, row, name)
	}
	if len(columns) != len(commentColumns) { // which often has none
		c.ends = append(c.ends, csvEnd{name, tail.Last == importer.EndMark})
	}
	return nil
}

// passOver counts a row that makes no sense.
func (c *csvSet) passOver(columns []string) {
	if len(columns) == len(mainColumns) {
		c.unread++
	}
}

// columnsOf counts the columns of the first line.
func columnsOf(head []byte) []string {
	line, _, _ := strings.Cut(string(head), "\n")
	quoted, n := false, 1
	for _, b := range line {
		switch {
		case b == '"':
			quoted = !quoted
		case b == ',' && !quoted:
			n++
		}
	}
	for _, columns := range [][]string{mainColumns, addressColumns, aliasColumns, commentColumns} {
		if len(columns) == n {
			return columns
		}
	}
	return nil
}

func (c *csvSet) take(columns int, number string, row listfile.Row, name string) {
	switch columns {
	case len(mainColumns):
		e, _ := c.entries.At(number)
		e.row, e.list = row, listOf(name, programmes(row))
	case len(aliasColumns):
		if c.aliases == nil {
			c.aliases = map[string][]listfile.Row{}
		}
		c.aliases[number] = append(c.aliases[number], row)
	case len(addressColumns):
		if c.places == nil {
			c.places = map[string][]listfile.Row{}
		}
		c.places[number] = append(c.places[number], row)
	default:
		if c.more == nil {
			c.more = map[string]string{}
		}
		c.more[number] += row.Exact("remarks")
	}
}

// finish hands the entries on. A set without one of its parts is not whole, nor is one
// of which a part was cut short: what is missing would be taken away.
func (c *csvSet) finish() error {
	if !c.any {
		return nil
	}
	n := 0
	for number, e := range c.entries.All() {
		n++
		if !c.yield(kyc.Record{Entry: c.entry(number, e)}, nil) {
			return nil
		}
	}
	switch {
	case n == 0:
		return fmt.Errorf("%w: there is no main file (sdn.csv or cons_prim.csv) among them", importer.ErrCutShort)
	case c.aliases == nil:
		return fmt.Errorf("%w: the file of other names (alt.csv or cons_alt.csv) is missing; name all files of the set in one command", importer.ErrCutShort)
	case c.places == nil:
		return fmt.Errorf("%w: the file of addresses (add.csv or cons_add.csv) is missing; name all files of the set in one command", importer.ErrCutShort)
	}
	return c.cut()
}

// cut finds what was lost at the end of a file, though it ends with a whole line: the mark
// that the others of its list have, or the entries that they speak of.
func (c *csvSet) cut() error {
	for _, one := range c.ends {
		for _, other := range c.ends {
			if other.marked && !one.marked && isConsolidated(one.file) == isConsolidated(other.file) {
				return fmt.Errorf("%w: %s lacks the mark at its end that %s has; fetch it again", importer.ErrCutShort, one.file, other.file)
			}
		}
	}
	// Each row of the main file that could not be read may be an entry.
	if unknown := c.unknown(); len(unknown) > c.unread {
		return fmt.Errorf("%w: the main file lacks %d entries of which others of the set speak, such as %s; fetch all files again", importer.ErrCutShort, len(unknown)-c.unread, unknown[0])
	}
	return nil
}

// unknown are the entries with other names or addresses that are not in the main file.
func (c *csvSet) unknown() (out []string) {
	for _, rows := range []map[string][]listfile.Row{c.aliases, c.places} {
		for number := range rows {
			if c.entries.Find(number) == nil {
				out = append(out, number)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// value is a column's text; the publisher's sign for nothing is nothing.
func value(r listfile.Row, column string) string {
	if v := r.Text(column); v != "-0-" {
		return v
	}
	return ""
}

// programmes come as "SDGT] [SYRIA".
func programmes(r listfile.Row) []string {
	return listfile.Fields(strings.NewReplacer("] [", "|", "[", "", "]", "").Replace(value(r, "programmes")), "|")
}

func (c *csvSet) entry(number string, from *csvEntry) kyc.Entry {
	r := from.row
	e := newEntry(from.list, number, "")
	e.Kind = kindOf(value(r, "type"))
	e.Names = []kyc.Name{nameOf(e.Kind, value(r, "name"))}
	e.Programmes = programmes(r)
	e.Titles = listfile.Fields(value(r, "title"), ";")
	if sign := value(r, "callSign"); sign != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.CallSign, Value: sign})
	}
	s := kyc.Ship{
		Type: value(r, "shipType"), Tonnage: value(r, "tonnage"), Gross: value(r, "gross"),
		Flag: listfile.Country(value(r, "flag")), Owner: value(r, "owner"),
	}
	if s.Type+s.Tonnage+s.Gross+s.Flag+s.Owner != "" {
		e.Ship = &s
	}
	for _, a := range c.aliases[number] {
		n := nameOf(e.Kind, value(a, "name"))
		n.Type = typeOf(value(a, "type"))
		e.Names = append(e.Names, n)
	}
	for _, a := range c.places[number] {
		e.Addresses = append(e.Addresses, kyc.Address{
			Line: value(a, "line"), City: value(a, "city"), Country: listfile.Country(value(a, "country")), Note: value(a, "remarks"),
		})
	}
	// What did not fit is cut anywhere, in a word or at a space.
	remarks := value(r, "remarks")
	if more := c.more[number]; more != "" {
		remarks = r.Exact("remarks") + more
	}
	addRemarks(&e, remarks)
	return e
}
