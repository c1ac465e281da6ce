package companieshouse

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
)

// The terms of all these files: the registrar sets none on how what is on the
// register is used.
const (
	licence = "Public register; the registrar places no restriction on how the information is used"
	credit  = "Contains information from Companies House. © Crown copyright"
)

// Companies are the companies on the register, as published each month.
var Companies = importer.Source[company.Statement]{
	Name:    "companies-house",
	Title:   "Companies House: the companies on the register (BasicCompanyData CSV, or product 183)",
	Every:   30 * 24 * time.Hour,
	Whole:   true,
	Licence: licence,
	Credit:  credit,
	Sample:  companiesSample,
	Read:    readCompanies,
	Skim:    skimCompanies,
}

func readCompanies(r io.Reader, _ string) iter.Seq2[company.Statement, error] {
	return func(yield func(company.Statement, error) bool) {
		l := newLines(r)
		header, err := firstLine(l)
		switch {
		case err != nil:
		case isSnapshot(header):
			err = readSnapshot(l, header, yield)
		default:
			err = readCSV(l, header, yield)
		}
		if err != nil && err != errStop {
			yield(company.Statement{}, err)
		}
	}
}

// skimCompanies looks whether a file is whole.
func skimCompanies(r io.Reader, _ string) error {
	l := newLines(r)
	header, err := firstLine(l)
	switch {
	case err != nil:
		return err
	case isSnapshot(header):
		return readSnapshot(l, header, func(company.Statement, error) bool { return true })
	}
	return skimCSV(l, header)
}

func firstLine(l *lines) (string, error) {
	line, whole, err := l.next()
	switch {
	case err == io.EOF:
		err = cutShort("it is empty")
	case err == nil && !whole:
		err = cutShort("it ends in the first line")
	}
	return text(line), err
}

// isSnapshot tells product 183, in fixed columns, by its first line.
func isSnapshot(header string) bool { return strings.HasPrefix(header, "AAAAAAAA") }

// errStop says that whoever reads wants no more.
var errStop = fmt.Errorf("stopped")

// columns are where the columns of product 217 are in this file; -1 is nowhere.
type columns struct {
	count int

	name, number                                     int
	careOf, poBox, line1, line2, town, county        int
	country, post                                    int
	category, status, dissolved, incorporated        int
	accountsNext, accountsLast, accountsKind         int
	origin, yearDay, yearMonth                       int
	returnNext, returnLast, confirmNext, confirmLast int
	charges, outstanding, part, satisfied            int
	sic                                              []int
	renamed, former                                  []int
}

// findColumns finds them by name. Some names have a space in front, and which
// ones do has changed over the years.
func findColumns(header []string) (columns, error) {
	at := map[string]int{}
	for i, name := range header {
		at[strings.TrimSpace(strings.TrimPrefix(name, "\ufeff"))] = i
	}
	find := func(name string) int {
		if i, ok := at[name]; ok {
			return i
		}
		return -1
	}
	c := columns{
		count: len(header),
		name:  find("CompanyName"), number: find("CompanyNumber"),
		careOf: find("RegAddress.CareOf"), poBox: find("RegAddress.POBox"),
		line1: find("RegAddress.AddressLine1"), line2: find("RegAddress.AddressLine2"),
		town: find("RegAddress.PostTown"), county: find("RegAddress.County"),
		country: find("RegAddress.Country"), post: find("RegAddress.PostCode"),
		category: find("CompanyCategory"), status: find("CompanyStatus"),
		dissolved: find("DissolutionDate"), incorporated: find("IncorporationDate"),
		origin: find("CountryOfOrigin"), yearDay: find("Accounts.AccountRefDay"), yearMonth: find("Accounts.AccountRefMonth"),
		accountsNext: find("Accounts.NextDueDate"), accountsLast: find("Accounts.LastMadeUpDate"),
		accountsKind: find("Accounts.AccountCategory"),
		returnNext:   find("Returns.NextDueDate"), returnLast: find("Returns.LastMadeUpDate"),
		confirmNext: find("ConfStmtNextDueDate"), confirmLast: find("ConfStmtLastMadeUpDate"),
		charges: find("Mortgages.NumMortCharges"), outstanding: find("Mortgages.NumMortOutstanding"),
		part: find("Mortgages.NumMortPartSatisfied"), satisfied: find("Mortgages.NumMortSatisfied"),
	}
	for i := range 4 {
		c.sic = append(c.sic, find("SICCode.SicText_"+strconv.Itoa(i+1)))
	}
	for i := range maxFormer {
		c.renamed = append(c.renamed, find("PreviousName_"+strconv.Itoa(i+1)+".CONDATE"))
		c.former = append(c.former, find("PreviousName_"+strconv.Itoa(i+1)+".CompanyName"))
	}
	if c.name < 0 || c.number < 0 {
		return c, fmt.Errorf("this is no list of companies: the first line has no column CompanyName or CompanyNumber")
	}
	return c, nil
}

// maxFormer is how many former names a row has room for.
const maxFormer = 10

// rows turns rows of product 217 into statements.
type rows struct {
	columns
	at        []string // the row at hand
	countries memo[string]
	forms     memo[formAndKind]
	statuses  memo[statusAndText]
	sics      memo[company.Activity]
	kinds     memo[string] // of accounts
	days      memo[company.Date]
}

type formAndKind struct {
	form company.Form
	kind company.Kind
}

type statusAndText struct {
	status company.Status
	text   string
}

func newRows(c columns) *rows {
	return &rows{
		columns:   c,
		countries: newMemo(countryCode),
		forms: newMemo(func(s string) formAndKind {
			f, k := category(s)
			return formAndKind{f, k}
		}),
		statuses: newMemo(func(s string) statusAndText { return statusAndText{status(s), s} }),
		sics:     newMemo(activity),
		kinds:    newMemo(accountsKind),
		// A hundred years; a date is looked up faster than it is put together.
		days: memo[company.Date]{map[string]company.Date{}, day, 40_000},
	}
}

func (r *rows) get(i int) string {
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(r.at[i])
}

func (r *rows) day(i int) company.Date {
	s := r.get(i)
	if s == "" {
		return ""
	}
	return r.days.of(s)
}

func (r *rows) statement() (company.Statement, error) {
	no, err := number(r.get(r.number))
	if err != nil {
		return company.Statement{}, err
	}
	name := r.get(r.name)
	if name == "" {
		return company.Statement{}, fmt.Errorf("company %s has no name", no)
	}
	s := company.Statement{Country: gb, Number: no}
	f := &s.Facts
	f.Name, f.RegNo, f.Register = name, no, register(no)
	st := r.statuses.of(r.get(r.status))
	f.Status, f.StatusText = st.status, st.text
	f.Founded, f.Dissolved = r.day(r.incorporated), r.day(r.dissolved)
	if f.Dissolved != "" && (f.Status == "" || f.Status == company.Active) {
		f.Status = company.NonActive
	}
	if words := r.get(r.category); words != "" {
		fk := r.forms.of(words)
		f.Form, f.Kind = fk.form, fk.kind
	}
	f.Jurisdiction = r.countries.of(r.get(r.origin))
	f.YearEnd = yearEnd(r.get(r.yearDay), r.get(r.yearMonth))
	f.Activities = r.activities()
	f.Names = r.formerNames(f.Founded)
	f.Addresses = r.place().registered(no, r.countries)
	f.Due = r.due()
	f.Charges = r.chargesOf()
	return s, nil
}

// activity reads "62012 - Business and domestic software development". Codes of
// four digits are those of 2003, which rows that were not touched since keep.
func activity(s string) company.Activity {
	code, words, _ := strings.Cut(s, " - ")
	code = strings.TrimSpace(code)
	switch {
	case !isDigits(code): // "None Supplied"
		return company.Activity{}
	case len(code) == 4:
		return company.Activity{Scheme: "UK SIC 2003", Code: code, Text: strings.TrimSpace(words)}
	}
	return company.Activity{Scheme: "UK SIC 2007", Code: code, Text: strings.TrimSpace(words)}
}

func (r *rows) activities() []company.Activity {
	var buf [4]company.Activity
	n := 0
	for _, i := range r.sic {
		if s := r.get(i); s != "" {
			if a := r.sics.of(s); a.Code != "" {
				buf[n] = a
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return append([]company.Activity(nil), buf[:n]...)
}

// formerNames are the names before this one, the last first, each with the day
// it was given up. It was taken on when the one before it was given up, or at
// the beginning; when the row is full there may be older ones that it does not
// tell.
func (r *rows) formerNames(founded company.Date) []company.Name {
	var names []company.Name
	for i, col := range r.former {
		name := r.get(col)
		if name == "" {
			continue
		}
		until := r.day(r.renamed[i])
		if names == nil {
			names = make([]company.Name, 0, 2)
		}
		if n := len(names); n > 0 {
			names[n-1].From = until
		}
		names = append(names, company.Name{Text: name, Kind: company.Former, Until: until})
	}
	if n := len(names); n > 0 && n < maxFormer {
		names[n-1].From = founded
	}
	return names
}

func (r *rows) place() place {
	return place{
		careOf: r.get(r.careOf), poBox: r.get(r.poBox), line1: r.get(r.line1), line2: r.get(r.line2),
		town: r.get(r.town), county: r.get(r.county), country: r.get(r.country), post: r.get(r.post),
	}
}

// due are the dates of accounts and of the confirmation statement. The annual
// return came before that; rows that are older still have only its dates.
func (r *rows) due() company.Due {
	d := company.Due{
		AccountsLast: r.day(r.accountsLast), AccountsNext: r.day(r.accountsNext),
		AccountsKind: r.kinds.of(r.get(r.accountsKind)),
		ReturnLast:   r.day(r.confirmLast), ReturnNext: r.day(r.confirmNext),
	}
	if d.ReturnLast == "" {
		d.ReturnLast = r.day(r.returnLast)
	}
	if d.ReturnNext == "" {
		d.ReturnNext = r.day(r.returnNext)
	}
	return d
}

// chargesOf counts the securities. A company that never had any says nothing.
func (r *rows) chargesOf() *company.Charges {
	total := count(r.get(r.charges))
	if total == 0 {
		return nil
	}
	return &company.Charges{
		Total: total, Outstanding: count(r.get(r.outstanding)),
		PartSatisfied: count(r.get(r.part)), Satisfied: count(r.get(r.satisfied)),
	}
}

func count(s string) int {
	if s == "" || s == "0" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
