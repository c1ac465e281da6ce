package companieshouse

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"regexp"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// Accounts are the accounts that companies file, a document each: inline XBRL
// (.html), and the plain XBRL (.xml) of before 2011. It is a feed: a file has
// what was filed on a day or in a month.
//
// A document becomes one statement with the figures of its year and of the year
// before. It does not say what the company is called: accounts bear the name of
// their day.
var Accounts = importer.Source[company.Statement]{
	Name:    "companies-house-accounts",
	Title:   "Companies House: accounts (inline XBRL and XBRL; a zip of them, or one)",
	Every:   24 * time.Hour,
	Licence: licence,
	Credit:  credit,
	Sample:  accountsSample,
	Read:    readAccounts,
}

// maxDocument is far more than any accounts; what is larger is left aside.
const maxDocument = 64 << 20

func readAccounts(r io.Reader, name string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		b, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
		switch {
		case err != nil:
			yield(company.Statement{}, broken(err))
		case len(b) == 0:
			yield(company.Statement{}, cutShort("it is empty"))
		case bytes.HasPrefix(b, []byte("PK\x03\x04")):
			packedAccounts(b, name, yield)
		default:
			yield(oneAccounts(b, name, 1))
		}
	}
}

// packedAccounts reads the zip inside a zip in which a community interest
// company files: its accounts, and a report that has no figures.
func packedAccounts(b []byte, name string, yield func(company.Statement, error) bool) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		yield(company.Statement{}, cutShort("the zip %s is not whole: %v", name, err))
		return
	}
	for i, m := range z.File {
		if !isDocument(m.Name) || strings.Contains(m.Name, "cic34/") {
			continue
		}
		record := int64(i + 1)
		member, err := readMember(m)
		if err != nil {
			if !yield(company.Statement{}, &importer.Bad{Line: record, Raw: m.Name, Err: err}) {
				return
			}
			continue
		}
		if !yield(oneAccounts(member, name, record)) {
			return
		}
	}
}

func isDocument(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".xhtml", ".htm", ".xml", ".xbrl":
		return true
	}
	return false
}

func readMember(m *zip.File) ([]byte, error) {
	r, err := m.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxDocument+1))
}

// oneAccounts reads a document. What is wrong with it is a bad record, so that
// one of ten thousand does not stop the others.
func oneAccounts(b []byte, name string, record int64) (company.Statement, error) {
	s, err := accountsStatement(b, name)
	if err != nil {
		return company.Statement{}, &importer.Bad{Line: record, Raw: name, Err: err}
	}
	return s, nil
}

func accountsStatement(b []byte, name string) (company.Statement, error) {
	if len(b) > maxDocument {
		return company.Statement{}, fmt.Errorf("the document is larger than %d MB", maxDocument>>20)
	}
	if len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff) {
		return company.Statement{}, errors.New("the document is in UTF-16")
	}
	d := readDocument([]byte(text(b)))
	switch {
	case !d.tagged:
		return company.Statement{}, errors.New("nothing in the document is tagged")
	case !d.whole:
		return company.Statement{}, errors.New("the document ends too early")
	}
	of, end := fromName(name)
	no, err := d.number(of)
	if err != nil {
		return company.Statement{}, err
	}
	accounts := d.years(end)
	if len(accounts) == 0 {
		return company.Statement{}, errors.New("the document does not say which year it is about")
	}
	s := company.Statement{Country: gb, Number: no, Part: string(accounts[0].End)}
	s.Facts.Accounts = accounts
	counted := company.Date("")
	for _, a := range accounts {
		if n, ok := a.Items[company.EmployeesAverage]; ok && a.End != counted {
			s.Facts.Employees = append(s.Facts.Employees, company.Employees{Year: year(a.End), Count: n})
			counted = a.End
		}
	}
	return s, nil
}

var bulkName = regexp.MustCompile(`_([A-Z0-9]{8})_(\d{8})(?:_CIC)?\.`)

// fromName reads the company and the day from Prod224_0012_01873499_20230131.html.
func fromName(name string) (number string, end company.Date) {
	m := bulkName.FindStringSubmatch(name)
	if m == nil {
		return "", ""
	}
	return m[1], packedDay(m[2])
}

// number is the company that the document is about. The publisher puts it into
// the name of the file; figures must not reach a company through a slip in the
// document.
func (d *document) number(filed string) (string, error) {
	said, err := "", errNoNumber
	for _, f := range d.facts {
		if f.concept == isNumber || f.concept == isNumber2008 {
			if said, err = number(f.printed); err == nil {
				break
			}
		}
	}
	switch {
	case filed == "":
		return said, err
	case err == nil && said != filed:
		return "", fmt.Errorf("the document is about company %s, and was filed for %s", said, filed)
	}
	return filed, nil
}
