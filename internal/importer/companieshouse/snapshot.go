package companieshouse

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"bureau/internal/company"
)

// The trailer of the files in fixed columns: nines and how many records there
// were.
const trailer = "99999999"

// readSnapshot reads product 183, the directory of companies in fixed columns.
func readSnapshot(l *lines, header string, yield func(company.Statement, error) bool) error {
	if len(strings.TrimSpace(header)) > 20 {
		// The header of product 101 goes on with the days that it covers.
		return fmt.Errorf("these are daily transactions (product 101), which say what changed and not what is: import a snapshot (product 183 or 217)")
	}
	countries := newMemo(countryCode)
	records := int64(0)
	for {
		line, whole, err := l.next()
		switch {
		case err == io.EOF:
			return cutShort("the trailer is missing")
		case err == errLong:
			if !yield(company.Statement{}, l.bad(line, "%w", err)) {
				return errStop
			}
			continue
		case err != nil:
			return err
		case len(line) == 0:
			continue
		}
		if bytes.HasPrefix(line, []byte(trailer)) {
			return checkTrailer(string(line), records)
		}
		if !whole {
			return cutShort("line %d is not complete", l.n)
		}
		records++
		s, err := snapshotCompany(fixedWidth(line), countries)
		if err != nil {
			err = l.bad(line, "%w", err)
		}
		if !yield(s, err) {
			return errStop
		}
	}
}

// fixed is a line of fixed columns, one character each.
type fixed struct {
	ascii string
	runes []rune // in place of ascii, where the line holds other letters
}

func fixedWidth(line []byte) fixed {
	for _, c := range line {
		if c >= utf8.RuneSelf {
			return fixed{runes: []rune(text(line))}
		}
	}
	return fixed{ascii: string(line)}
}

func (f fixed) len() int { return max(len(f.ascii), len(f.runes)) }

func (f fixed) at(from, to int) string {
	if f.runes != nil {
		return string(f.runes[from:to])
	}
	return f.ascii[from:to]
}

// checkTrailer holds the count in the trailer against what was read.
func checkTrailer(row string, records int64) error {
	said, err := strconv.ParseInt(strings.TrimSpace(row[len(trailer):]), 10, 64)
	if err != nil {
		return cutShort("the trailer has no count")
	}
	if said != records {
		return cutShort("it holds %d records, and its trailer says %d", records, said)
	}
	return nil
}

// snapshotCompany reads a line of product 183.
func snapshotCompany(row fixed, countries memo[string]) (company.Statement, error) {
	if row.len() < 311 {
		return company.Statement{}, fmt.Errorf("the line has %d characters, and the fixed columns alone are 311", row.len())
	}
	no, err := number(row.at(0, 8))
	if err != nil {
		return company.Statement{}, err
	}
	name := strings.TrimSpace(row.at(90, 250))
	if name == "" {
		return company.Statement{}, fmt.Errorf("company %s has no name", no)
	}
	s := company.Statement{Country: gb, Number: no}
	f := &s.Facts
	f.Name, f.RegNo, f.Register = name, no, register(no)
	f.Founded = packedDay(row.at(12, 20))
	f.Due = company.Due{
		AccountsLast: packedDay(row.at(20, 28)), ReturnLast: packedDay(row.at(28, 36)),
		AccountsKind: accountsKinds[strings.TrimSpace(row.at(66, 68))],
	}
	f.Form, f.Kind = category183(no, row.at(37, 38))
	f.YearEnd = yearEnd(row.at(38, 40), row.at(40, 42))
	if strings.Contains("123467", row.at(310, 311)) { // the others are abroad, and it does not say where
		f.Jurisdiction = gb
	}
	f.Status, f.StatusText = status183(row.at(37, 38), row.at(68, 70))
	f.Addresses = snapshotPlace(row.at(311, row.len())).registered(no, countries)
	return s, nil
}

// status183 is the status of a company in product 183. The product holds what
// is on the register; a marker says where to look closer. The publisher's paper
// has it in the second of the two columns, and the file in the first.
func status183(kind, marker string) (company.Status, string) {
	switch {
	case kind == "8":
		return company.NonActive, "Converted / Closed"
	case strings.Contains(marker, "L"):
		return company.Pending, "Liquidation"
	case strings.Contains(marker, "R"):
		return company.Pending, "Receivership"
	}
	return company.Active, "Active"
}

// snapshotPlace reads house<street<area<town<county<country<postcode<care
// of<supplied name<PO box<. House and street make one line, as they do in
// product 217.
func snapshotPlace(row string) place {
	var cell [10]string
	for i := range cell {
		part, rest, more := strings.Cut(row, "<")
		cell[i] = strings.TrimSuffix(strings.TrimSpace(part), ",")
		if row = rest; !more {
			break
		}
	}
	return place{
		careOf: cell[7], poBox: cell[9], line1: beside(cell[0], cell[1]), line2: cell[2],
		town: cell[3], county: cell[4], country: cell[5], post: cell[6],
	}
}
