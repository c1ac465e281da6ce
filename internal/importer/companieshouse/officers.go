package companieshouse

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// Officers are the appointments to companies: product 195 has the present ones,
// product 216 those who resigned too.
var Officers = importer.Source[company.Statement]{
	Name:    "companies-house-officers",
	Title:   "Companies House: the officers of companies (products 195 and 216)",
	Every:   30 * 24 * time.Hour,
	Whole:   true,
	Licence: licence,
	Credit:  credit,
	Sample:  officersSample,
	Read:    readOfficers,
}

// Where things are in a person's line.
const (
	personFixed = 76 // then the parts of varying length
	personEnd   = 72 // how many characters those are, in four digits
)

func readOfficers(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		if err := officerLines(newLines(r), yield); err != nil && err != errStop {
			yield(company.Statement{}, err)
		}
	}
}

// officerLines reads header, companies and persons, and trailer. Files that
// were put behind one another are read like one.
func officerLines(l *lines, yield func(company.Statement, error) bool) error {
	var (
		inside    bool // between a header and its trailer
		seen      bool
		records   int64
		countries = newMemo(countryCode)
	)
	for {
		line, whole, err := l.next()
		switch {
		case err == io.EOF && !seen:
			return cutShort("it is empty")
		case err == io.EOF && inside:
			return cutShort("the trailer is missing")
		case err == io.EOF:
			return nil
		case err != nil && err != errLong:
			return err
		case len(line) == 0:
			continue
		case !whole && !bytes.HasPrefix(line, []byte(trailer)):
			return cutShort("line %d is not complete", l.n)
		case !inside:
			if !bytes.HasPrefix(line, []byte("DDDDSNAP")) {
				return fmt.Errorf("this is no snapshot of officers: line %d is not a header (DDDDSNAP …)", l.n)
			}
			inside, seen, records = true, true, 0
			continue
		case bytes.HasPrefix(line, []byte(trailer)):
			if err := checkTrailer(string(line), records); err != nil {
				return err
			}
			inside = false
			continue
		}
		records++
		var s company.Statement
		switch {
		case err != nil:
			err = l.bad(line, "%w", err)
		case len(line) > 8 && line[8] == '1':
			continue // a company: its officers follow, each with its number
		case len(line) > 8 && line[8] == '2':
			if s, err = person(fixedWidth(line), countries); err != nil {
				err = l.bad(withoutBirth(line), "%w", err)
			}
		default:
			err = l.bad(line, "the line is about neither a company (1) nor a person (2)")
		}
		if !yield(s, err) {
			return errStop
		}
	}
}

// role is an appointment. The publisher has one code for those in office and
// one for those who left; it is the same appointment.
type role struct {
	name, words string
	left        bool
}

var roles = map[string]role{
	"00": {"secretary", "Secretary", false},
	"01": {"director", "Director", false},
	"02": {"secretary", "Secretary", true},
	"03": {"director", "Director", true},
	"04": {"member", "LLP Member", false},
	"05": {"designated member", "LLP Designated Member", false},
	"06": {"member", "LLP Member", true},
	"07": {"designated member", "LLP Designated Member", true},
	"11": {"judicial factor", "Judicial Factor", false},
	"12": {"receiver and manager", "Receiver or Manager (Charities Act)", false},
	"13": {"manager", "Manager (CAICE Act)", false},
	"14": {"judicial factor", "Judicial Factor", true},
	"15": {"receiver and manager", "Receiver or Manager (Charities Act)", true},
	"16": {"manager", "Manager (CAICE Act)", true},
	"17": {"member of administrative organ", "SE Member of Administrative Organ", false},
	"18": {"member of supervisory organ", "SE Member of Supervisory Organ", false},
	"19": {"member of management organ", "SE Member of Management Organ", false},
	"20": {"member of administrative organ", "SE Member of Administrative Organ", true},
	"21": {"member of supervisory organ", "SE Member of Supervisory Organ", true},
	"22": {"member of management organ", "SE Member of Management Organ", true},
}

// person reads a person's line.
func person(row fixed, countries memo[string]) (company.Statement, error) {
	if row.len() < personFixed {
		return company.Statement{}, fmt.Errorf("the line has %d characters, and the fixed columns alone are %d", row.len(), personFixed)
	}
	no, err := number(row.at(0, 8))
	if err != nil {
		return company.Statement{}, err
	}
	said, err := strconv.Atoi(row.at(personEnd, personFixed))
	if err != nil || row.len()-personFixed < said {
		return company.Statement{}, fmt.Errorf("the line ends early: %d characters follow its fixed columns, not %s",
			row.len()-personFixed, row.at(personEnd, personFixed))
	}
	r, ok := roles[row.at(10, 12)]
	if !ok {
		return company.Statement{}, fmt.Errorf("the appointment is of an unknown type, %q", row.at(10, 12))
	}
	// The last four digits count the versions of what is known of a person.
	id := row.at(12, 20)
	if !isDigits(id) {
		return company.Statement{}, fmt.Errorf("the person has no number")
	}
	o := company.Officer{
		Role: r.name, RoleText: r.words,
		From: packedDay(row.at(32, 40)), Until: packedDay(row.at(40, 48)),
	}
	if r.left && o.Until == "" {
		return company.Statement{}, fmt.Errorf("%s left, and the line does not say when", id)
	}
	if o.Person, err = personDetails(row, countries); err != nil {
		return company.Statement{}, err
	}
	o.ID = id
	return company.Statement{
		Country: gb, Number: no,
		Part:  id + " " + r.name + " " + string(o.From),
		Facts: company.Facts{Officers: []company.Officer{o}},
	}, nil
}

// personDetails reads title<forenames<surname<honours<care of<PO box<line
// 1<line 2<town<county<country<occupation<nationality<residence<.
func personDetails(row fixed, countries memo[string]) (company.Person, error) {
	var cell [14]string
	rest := row.at(personFixed, row.len())
	for i := range cell {
		part, after, more := strings.Cut(rest, "<")
		if !more {
			return company.Person{}, fmt.Errorf("the line has %d of %d parts", i, len(cell))
		}
		cell[i], rest = strings.TrimSpace(part), after
	}
	p := company.Person{
		Company: row.at(24, 25) == "Y", Title: cell[0],
		Occupation: cell[11], Nationality: cell[12], Residence: cell[13],
		Name: beside(cell[1], cell[2]),
	}
	if p.Name == "" {
		return p, fmt.Errorf("the person has no name")
	}
	if p.Company {
		p.Nationality = "" // the publisher fills in one for every officer
	} else {
		p.First, p.Middle, _ = strings.Cut(cell[1], " ")
		p.Surname = cell[2]
		p.Birth = birthMonth(row)
	}
	where := place{
		careOf: cell[4], poBox: cell[5], line1: cell[6], line2: cell[7], town: cell[8], county: cell[9],
		country: cell[10], post: strings.TrimSpace(row.at(48, 56)),
	}
	if a, ok := where.address(company.Postal, countries); ok {
		p.Address = &a
	}
	return p, nil
}

// birthMonth is the month of birth. The file may have the day too; the register
// does not show it to the public, and neither do we.
func birthMonth(row fixed) company.Date {
	month := row.at(56, 62)
	if !isDigits(month) {
		month = row.at(64, 70)
	}
	if !isDigits(month) || month[:4] < "1800" || month[4:] < "01" || month[4:] > "12" {
		return ""
	}
	return company.Date(month[:4] + "-" + month[4:])
}

// withoutBirth is a line to keep aside: what may not be shown is not kept there
// either.
func withoutBirth(line []byte) []byte {
	out := bytes.Clone(line)
	for i := 62; i < min(len(out), personEnd); i++ {
		out[i] = ' '
	}
	return out
}
