package sec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// register is GLEIF's code for the SEC.
const register = "RA000665"

// maxFilings is how many of a filer's filings are kept, the newest.
const maxFilings = 40

// A document is one object of a file.
type document struct {
	cik, name, kind, sic, industry  string
	tickers, exchanges, sites       []string
	ein, lei, yearEnd, state, phone string
	business, mailing               *place
	former                          []company.Name
	filed                           filings
	reportsOnOthers, reportedOn     bool

	isPage bool     // of older filings
	listed *tickers // the list of tickers
}

func (d *document) read(raw []byte) error {
	r := jsonfile.NewReader(raw)
	r.Object(func(key []byte) {
		switch string(key) {
		case "cik":
			d.cik = number(r)
		case "name":
			d.name = text(r)
		case "entityType":
			d.kind = text(r)
		case "sic":
			d.sic = text(r)
		case "sicDescription":
			d.industry = text(r)
		case "tickers":
			d.tickers = texts(r)
		case "exchanges":
			d.exchanges = texts(r)
		case "ein":
			d.ein = text(r)
		case "lei":
			d.lei = text(r)
		case "fiscalYearEnd":
			d.yearEnd = text(r)
		case "stateOfIncorporation":
			d.state = text(r)
		case "phone":
			d.phone = text(r)
		case "website", "investorWebsite":
			if site := text(r); site != "" && !slices.Contains(d.sites, site) {
				d.sites = append(d.sites, site)
			}
		case "addresses":
			d.readAddresses(r)
		case "formerNames":
			r.Array(func() { d.readFormer(r) })
		case "insiderTransactionForOwnerExists":
			d.reportsOnOthers = string(r.Raw()) == "1"
		case "insiderTransactionForIssuerExists":
			d.reportedOn = string(r.Raw()) == "1"
		case "filings":
			r.Object(func(key []byte) {
				if string(key) == "recent" {
					r.Object(func(key []byte) { d.filed.read(r, key) })
				}
			})
		case "accessionNumber":
			d.isPage = true
		default:
			if r.Kind() == '{' && strings.Trim(string(key), "0123456789") == "" {
				if d.listed == nil {
					d.listed = &tickers{}
				}
				d.listed.add(r.Raw())
			}
		}
	})
	return r.Err()
}

func (d *document) readFormer(r *jsonfile.Reader) {
	n := company.Name{Kind: company.Former}
	r.Object(func(key []byte) {
		switch string(key) {
		case "name":
			n.Text = text(r)
		case "from":
			n.From = date(text(r))
		case "to":
			n.Until = date(text(r))
		}
	})
	if n.Text != "" {
		d.former = append(d.former, n)
	}
}

// isPerson reports whether a filer only ever reported on others, and has
// nothing that a company has.
func (d *document) isPerson() bool {
	return d.reportsOnOthers && !d.reportedOn && d.kind != "operating" && d.kind != "investment" &&
		d.sic == "" && strings.Trim(d.ein, "0") == "" && d.state == "" && len(d.tickers) == 0
}

func (d *document) statement() (company.Statement, error) {
	cik, err := padded(d.cik)
	if err != nil {
		return company.Statement{}, err
	}
	if d.name == "" {
		return company.Statement{}, errors.New("the filer has no name")
	}
	s := company.Statement{Country: "US", Number: "CIK" + cik, Part: submissionsPart}
	if len(d.lei) == 20 {
		s.LEI = d.lei
	}
	f := &s.Facts
	f.Name, f.Names = d.name, d.former
	f.RegNo, f.Register, f.LEI = cik, register, s.LEI
	f.OtherIDs = d.otherIDs(cik)
	f.Jurisdiction = jurisdiction(d.state)
	if len(d.yearEnd) == 4 && strings.Trim(d.yearEnd, "0123456789") == "" {
		f.YearEnd = d.yearEnd[:2] + "-" + d.yearEnd[2:]
	}
	if d.sic != "" {
		f.Activities = []company.Activity{{Scheme: "SIC", Code: d.sic, Text: d.industry}}
	}
	if d.business != nil {
		f.Addresses = append(f.Addresses, d.business.domain(company.HeadOffice))
	}
	if d.mailing != nil {
		f.Addresses = append(f.Addresses, d.mailing.domain(company.Postal))
	}
	if d.phone != "" {
		f.Phones = []string{d.phone}
	}
	f.Websites = d.sites
	f.Filings = d.filed.newest()
	return s, nil
}

func (d *document) otherIDs(cik string) []company.OtherID {
	ids := []company.OtherID{{Scheme: "CIK", ID: cik}}
	if strings.Trim(d.ein, "0") != "" {
		ids = append(ids, company.OtherID{Scheme: "EIN", ID: d.ein})
	}
	for scheme, list := range [][]string{d.tickers, d.exchanges} {
		for _, t := range list {
			id := company.OtherID{Scheme: []string{"ticker", "exchange"}[scheme], ID: t}
			if t != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// padded is a CIK with its ten digits.
func padded(cik string) (string, error) {
	if cik == "" || len(cik) > 10 || strings.Trim(cik, "0123456789") != "" {
		return "", fmt.Errorf("%q is no CIK: it has at most ten digits", cik)
	}
	return strings.Repeat("0", 10-len(cik)) + cik, nil
}

// number reads a number that may stand in quotes.
func number(r *jsonfile.Reader) string {
	if r.Kind() == '"' {
		return r.Text()
	}
	if r.Kind() != '0' {
		r.Skip()
		return ""
	}
	return string(r.Raw())
}

// text reads a text. Python's word for nothing has found its way into some.
func text(r *jsonfile.Reader) string {
	s := strings.TrimSpace(r.Text())
	if s == "None" {
		return ""
	}
	return s
}

func texts(r *jsonfile.Reader) (out []string) {
	r.Array(func() { out = append(out, text(r)) })
	return out
}

// date reads the day of a date or time. What is no day was not said.
func date(s string) company.Date {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || strings.Trim(s[:10], "-0123456789") != "" {
		return ""
	}
	return company.Date(s[:10])
}
