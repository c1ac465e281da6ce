package lines

import "bureau/internal/company"

// A line is one record. Its fields are those of company.Facts, in full words.
type line struct {
	ID      company.ID `json:"id,omitempty"`
	Country string     `json:"country,omitempty"`
	Number  string     `json:"number,omitempty"`
	Part    string     `json:"part,omitempty"`
	Gone    bool       `json:"gone,omitempty"`

	Name       string `json:"name,omitempty"`
	OtherNames []name `json:"otherNames,omitempty"`

	RegisterNumber string       `json:"registerNumber,omitempty"`
	Register       string       `json:"register,omitempty"`
	LEI            string       `json:"lei,omitempty"`
	LEIStatus      string       `json:"leiStatus,omitempty"`
	LEIRenewal     company.Date `json:"leiRenewal,omitempty"`
	VATNumbers     []string     `json:"vatNumbers,omitempty"`
	SafeNumber     string       `json:"safeNumber,omitempty"`
	OtherIDs       []otherID    `json:"otherIds,omitempty"`

	Status       company.Status `json:"status,omitempty"`
	StatusText   string         `json:"statusText,omitempty"`
	StatusSince  company.Date   `json:"statusSince,omitempty"`
	Founded      company.Date   `json:"founded,omitempty"`
	Dissolved    company.Date   `json:"dissolved,omitempty"`
	LegalForm    legalForm      `json:"legalForm,omitzero"`
	Kind         company.Kind   `json:"kind,omitempty"`
	Jurisdiction string         `json:"jurisdiction,omitempty"`
	YearEnd      string         `json:"yearEnd,omitempty"`
	Signing      string         `json:"signing,omitempty"`

	Activities []activity  `json:"activities,omitempty"`
	Addresses  []address   `json:"addresses,omitempty"`
	Phones     []string    `json:"phones,omitempty"`
	Emails     []string    `json:"emails,omitempty"`
	Websites   []string    `json:"websites,omitempty"`
	Employees  []employees `json:"employees,omitempty"`
	Capital    money       `json:"capital,omitzero"`

	Officers []officer  `json:"officers,omitempty"`
	Owners   []owner    `json:"owners,omitempty"`
	Group    []link     `json:"group,omitempty"`
	Accounts []accounts `json:"accounts,omitempty"`
	Due      due        `json:"due,omitzero"`
	Filings  []filing   `json:"filings,omitempty"`
	Notices  []notice   `json:"notices,omitempty"`
	Charges  *charges   `json:"charges,omitempty"`
	Score    *score     `json:"score,omitempty"`

	Suppressed []string `json:"suppressed,omitempty"`
	Withheld   bool     `json:"withheld,omitempty"`
}

// facts are what a line says.
func (l *line) facts() company.Facts {
	f := company.Facts{
		Name: l.Name, Names: each(l.OtherNames, name.domain),
		RegNo: l.RegisterNumber, Register: l.Register,
		LEI: l.LEI, LEIStatus: l.LEIStatus, LEIRenewal: l.LEIRenewal,
		VAT: l.VATNumbers, SafeNo: l.SafeNumber, OtherIDs: each(l.OtherIDs, otherID.domain),
		Status: l.Status, StatusText: l.StatusText, StatusSince: l.StatusSince,
		Founded: l.Founded, Dissolved: l.Dissolved,
		Form: company.Form(l.LegalForm), Kind: l.Kind, Jurisdiction: l.Jurisdiction, YearEnd: l.YearEnd, Signing: l.Signing,
		Activities: each(l.Activities, activity.domain), Addresses: each(l.Addresses, address.domain),
		Phones: l.Phones, Emails: l.Emails, Websites: l.Websites,
		Employees: each(l.Employees, employees.domain), Capital: company.Money(l.Capital),
		Officers: each(l.Officers, officer.domain), Owners: each(l.Owners, owner.domain),
		Links: each(l.Group, link.domain), Accounts: each(l.Accounts, accounts.domain), Due: company.Due(l.Due),
		Filings: each(l.Filings, filing.domain), Notices: each(l.Notices, notice.domain),
		Charges:    (*company.Charges)(l.Charges),
		Suppressed: l.Suppressed, Withheld: l.Withheld,
	}
	if l.Score != nil {
		s := l.Score.domain()
		f.Score = &s
	}
	return f
}

// newLine is a line that says f.
func newLine(f company.Facts) line {
	l := line{
		Name: f.Name, OtherNames: each(f.Names, func(n company.Name) name { return name(n) }),
		RegisterNumber: f.RegNo, Register: f.Register,
		LEI: f.LEI, LEIStatus: f.LEIStatus, LEIRenewal: f.LEIRenewal,
		VATNumbers: f.VAT, SafeNumber: f.SafeNo,
		OtherIDs: each(f.OtherIDs, func(o company.OtherID) otherID { return otherID(o) }),
		Status:   f.Status, StatusText: f.StatusText, StatusSince: f.StatusSince,
		Founded: f.Founded, Dissolved: f.Dissolved,
		LegalForm: legalForm(f.Form), Kind: f.Kind, Jurisdiction: f.Jurisdiction, YearEnd: f.YearEnd, Signing: f.Signing,
		Activities: each(f.Activities, func(a company.Activity) activity { return activity(a) }),
		Addresses:  each(f.Addresses, func(a company.Address) address { return address(a) }),
		Phones:     f.Phones, Emails: f.Emails, Websites: f.Websites,
		Employees: each(f.Employees, func(e company.Employees) employees { return employees(e) }),
		Capital:   money(f.Capital),
		Officers:  each(f.Officers, newOfficer), Owners: each(f.Owners, newOwner),
		Group:    each(f.Links, func(x company.Link) link { return link(x) }),
		Accounts: each(f.Accounts, func(a company.Accounts) accounts { return accounts(a) }),
		Due:      due(f.Due),
		Filings:  each(f.Filings, func(x company.Filing) filing { return filing(x) }),
		Notices:  each(f.Notices, func(x company.Notice) notice { return notice(x) }),
		Charges:  (*charges)(f.Charges),

		Suppressed: f.Suppressed, Withheld: f.Withheld,
	}
	if f.Score != nil {
		s := newScore(*f.Score)
		l.Score = &s
	}
	return l
}

func each[A, B any](list []A, to func(A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i, a := range list {
		out[i] = to(a)
	}
	return out
}
