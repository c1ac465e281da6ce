package brreg

import (
	"errors"
	"strconv"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// register is GLEIF's code for the register behind an organisation number.
const register = "RA000472"

// A unit is an Enhet or Underenhet as the register writes it.
type unit struct {
	number, name, parent       string
	form                       coded
	website, phone, mobile     string
	email                      string
	postal, business, location *address
	activities                 [3]coded
	vat                        bool
	staff                      int64
	hasStaff, staffWithheld    bool
	staffDate                  string
	founded, registered        string
	accounts                   string
	amount, currency           string // of the capital
	closed                     string // a sub-unit
	remarks                    []company.Notice
	end
}

// read takes in one member.
func (u *unit) read(r *jsonfile.Reader, key []byte) {
	switch string(key) {
	case "organisasjonsnummer":
		u.number = r.Text()
	case "navn":
		u.name = readLines(r)
	case "organisasjonsform":
		u.form = readCoded(r)
	case "hjemmeside":
		u.website = r.Text()
	case "telefon":
		u.phone = r.Text()
	case "mobil":
		u.mobile = r.Text()
	case "epostadresse":
		u.email = r.Text()
	case "postadresse":
		u.postal = readAddress(r)
	case "forretningsadresse":
		u.business = readAddress(r)
	case "beliggenhetsadresse":
		u.location = readAddress(r)
	case "naeringskode1":
		u.activities[0] = readCoded(r)
	case "naeringskode2":
		u.activities[1] = readCoded(r)
	case "naeringskode3":
		u.activities[2] = readCoded(r)
	case "registrertIMvaregisteret":
		u.vat = r.Bool()
	case "antallAnsatte":
		u.hasStaff = r.Kind() == '0'
		u.staff = r.Int()
	case "harRegistrertAntallAnsatte":
		u.staffWithheld = !r.Bool()
	case "registreringsdatoAntallAnsatteEnhetsregisteret":
		u.staffDate = r.Text()
	case "stiftelsesdato":
		u.founded = r.Text()
	case "registreringsdatoEnhetsregisteret":
		u.registered = r.Text()
	case "overordnetEnhet":
		u.parent = r.Text()
	case "sisteInnsendteAarsregnskap":
		u.accounts = r.Text()
	case "kapital":
		u.readCapital(r)
	case "nedleggelsesdato":
		u.closed = r.Text()
	case "paategninger":
		r.Array(func() { u.remarks = append(u.remarks, readRemark(r)) })
	default:
		u.end.read(r, key)
	}
}

func (u *unit) readCapital(r *jsonfile.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "belop":
			u.amount = strings.Trim(string(r.Raw()), `"`)
		case "valuta":
			u.currency = r.Text()
		}
	})
}

func readRemark(r *jsonfile.Reader) company.Notice {
	n := company.Notice{Kind: "register"}
	r.Object(func(key []byte) {
		switch string(key) {
		case "tekst":
			n.Text = r.Text()
		case "innfoertDato":
			n.Date = date(r.Text())
		}
	})
	return n
}

func (u *unit) statement() (company.Statement, error) {
	if err := checkNumber(u.number); err != nil {
		return company.Statement{}, err
	}
	if u.name == "" {
		return company.Statement{}, errors.New("the unit has no name")
	}
	s := company.Statement{Country: "NO", Number: u.number}
	f := &s.Facts
	f.Name, f.RegNo, f.Register = u.name, u.number, register
	if u.vat {
		f.VAT = []string{"NO" + u.number + "MVA"}
	}
	f.Form, f.Kind = u.form.form()
	f.Founded = date(u.founded)
	if f.Founded == "" {
		f.Founded = date(u.registered) // sole traders are not founded
	}
	f.Notices = u.remarks
	u.end.facts(f)
	u.contacts(f)
	u.size(f)
	for _, a := range u.activities {
		if a.code != "" {
			f.Activities = append(f.Activities, company.Activity{Scheme: "SN", Code: a.code, Text: a.text})
		}
	}
	if checkNumber(u.parent) == nil {
		f.Links = []company.Link{{Kind: company.Parent, ID: company.NewID("NO", u.parent)}}
	}
	if len(u.accounts) == 4 {
		f.Due.AccountsLast = company.Date(u.accounts)
	}
	return s, nil
}

func (u *unit) contacts(f *company.Facts) {
	if u.business != nil {
		f.Addresses = append(f.Addresses, u.business.domain(company.Registered))
	}
	if u.postal != nil {
		f.Addresses = append(f.Addresses, u.postal.domain(company.Postal))
	}
	for _, p := range []string{u.phone, u.mobile} {
		if p != "" {
			f.Phones = append(f.Phones, p)
		}
	}
	if u.email != "" {
		f.Emails = []string{u.email}
	}
	if u.website != "" {
		f.Websites = []string{u.website}
	}
}

func (u *unit) size(f *company.Facts) {
	if u.hasStaff && !u.staffWithheld {
		e := company.Employees{Count: u.staff}
		if e.Count == 0 {
			e.Range = "0"
		}
		if d := date(u.staffDate); d != "" {
			e.Year, _ = strconv.Atoi(string(d[:4]))
		}
		f.Employees = []company.Employees{e}
	}
	if n, ok := minor(u.amount); ok && len(u.currency) == 3 {
		f.Capital = company.Money{Minor: n, Currency: u.currency}
	}
}

// branch is what a sub-unit says of its company.
func (u *unit) branch() (company.Statement, error) {
	if err := checkNumber(u.number); err != nil {
		return company.Statement{}, err
	}
	if err := checkNumber(u.parent); err != nil {
		return company.Statement{}, errors.New("the sub-unit does not say whose it is: overordnetEnhet: " + err.Error())
	}
	s := company.Statement{Country: "NO", Number: u.parent, Part: u.number}
	s.Gone = u.deleted != ""
	place := u.location
	if place == nil {
		place = u.postal
	}
	if s.Gone || place == nil {
		return s, nil
	}
	a := place.domain(company.Branch)
	if d := date(u.closed); d != "" {
		a.Kind, a.Until = company.FormerAddress, d
	}
	s.Facts.Addresses = []company.Address{a}
	return s, nil
}
