package lines

import "bureau/internal/company"

// The types below have the fields of those in company, in the same order, so
// that one converts into the other: a field that is new there and missing here
// does not compile.

type name struct {
	Text  string           `json:"text"`
	Kind  company.NameKind `json:"kind"`
	Lang  string           `json:"language,omitempty"`
	From  company.Date     `json:"from,omitempty"`
	Until company.Date     `json:"until,omitempty"`
}

type otherID struct {
	Scheme string `json:"scheme"`
	ID     string `json:"id"`
}

type legalForm struct {
	Code string `json:"code,omitempty"`
	Text string `json:"text,omitempty"`
}

type activity struct {
	Scheme string `json:"scheme,omitempty"`
	Code   string `json:"code,omitempty"`
	Text   string `json:"text,omitempty"`
}

type address struct {
	Kind    company.AddressKind `json:"kind,omitempty"`
	CareOf  string              `json:"careOf,omitempty"`
	Lines   []string            `json:"lines,omitempty"`
	Street  string              `json:"street,omitempty"`
	House   string              `json:"house,omitempty"`
	City    string              `json:"city,omitempty"`
	Post    string              `json:"postCode,omitempty"`
	Region  string              `json:"region,omitempty"`
	Country string              `json:"country,omitempty"`
	Until   company.Date        `json:"until,omitempty"`
}

type employees struct {
	Year  int    `json:"year,omitempty"`
	Count int64  `json:"count,omitempty"`
	Range string `json:"range,omitempty"`
}

type money struct {
	Minor    int64  `json:"minorUnits"`
	Currency string `json:"currency"`
}

type link struct {
	Kind    company.LinkKind `json:"kind"`
	LEI     string           `json:"lei,omitempty"`
	ID      company.ID       `json:"id,omitempty"`
	Name    string           `json:"name,omitempty"`
	Country string           `json:"country,omitempty"`
	Reason  string           `json:"reason,omitempty"`
	From    company.Date     `json:"from,omitempty"`
	Until   company.Date     `json:"until,omitempty"`
}

type accounts struct {
	End          company.Date     `json:"end"`
	Start        company.Date     `json:"start,omitempty"`
	Months       int              `json:"months,omitempty"`
	Currency     string           `json:"currency"`
	Consolidated bool             `json:"consolidated,omitempty"`
	Kind         string           `json:"kind,omitempty"`
	Items        map[string]int64 `json:"items,omitempty"`
}

type due struct {
	AccountsLast company.Date `json:"accountsLast,omitempty"`
	AccountsNext company.Date `json:"accountsNext,omitempty"`
	AccountsKind string       `json:"accountsKind,omitempty"`
	ReturnLast   company.Date `json:"returnLast,omitempty"`
	ReturnNext   company.Date `json:"returnNext,omitempty"`
}

type filing struct {
	Date company.Date `json:"date,omitempty"`
	Type string       `json:"type"`
	Text string       `json:"text,omitempty"`
	Ref  string       `json:"reference,omitempty"`
}

type notice struct {
	Date company.Date `json:"date,omitempty"`
	Kind string       `json:"kind"`
	Text string       `json:"text,omitempty"`
	Ref  string       `json:"reference,omitempty"`
}

type charges struct {
	Total         int `json:"total,omitempty"`
	Outstanding   int `json:"outstanding,omitempty"`
	PartSatisfied int `json:"partSatisfied,omitempty"`
	Satisfied     int `json:"satisfied,omitempty"`
}

type score struct {
	Value   int          `json:"value"`
	Band    string       `json:"band,omitempty"`
	Limit   money        `json:"limit,omitzero"`
	At      company.Date `json:"at,omitempty"`
	Reasons []string     `json:"reasons,omitempty"`
	Points  []point      `json:"points,omitempty"`
	Next    company.Date `json:"next,omitempty"`
}

type point struct {
	Rule   string `json:"rule"`
	Points int    `json:"points"`
	Value  string `json:"value,omitempty"`
}

func (n name) domain() company.Name           { return company.Name(n) }
func (o otherID) domain() company.OtherID     { return company.OtherID(o) }
func (a activity) domain() company.Activity   { return company.Activity(a) }
func (a address) domain() company.Address     { return company.Address(a) }
func (e employees) domain() company.Employees { return company.Employees(e) }
func (l link) domain() company.Link           { return company.Link(l) }
func (a accounts) domain() company.Accounts   { return company.Accounts(a) }
func (f filing) domain() company.Filing       { return company.Filing(f) }
func (n notice) domain() company.Notice       { return company.Notice(n) }

func (s score) domain() company.Score {
	return company.Score{
		Value: s.Value, Band: s.Band, Limit: company.Money(s.Limit), At: s.At, Reasons: s.Reasons,
		Points: each(s.Points, func(p point) company.Point { return company.Point(p) }), Next: s.Next,
	}
}

func newScore(s company.Score) score {
	return score{
		Value: s.Value, Band: s.Band, Limit: money(s.Limit), At: s.At, Reasons: s.Reasons,
		Points: each(s.Points, func(p company.Point) point { return point(p) }), Next: s.Next,
	}
}
