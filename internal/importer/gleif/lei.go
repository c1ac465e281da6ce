package gleif

import (
	"errors"
	"slices"
	"strings"

	"bureau/internal/company"
)

// nameKinds are the publisher's words for kinds of names.
var nameKinds = map[string]company.NameKind{
	"TRADING_OR_OPERATING_NAME":       company.Trading,
	"PREVIOUS_LEGAL_NAME":             company.Former,
	"ALTERNATIVE_LANGUAGE_LEGAL_NAME": company.Alternative,
}

// noticeKinds are events that a creditor must hear of.
var noticeKinds = map[string]string{
	"LIQUIDATION":           "liquidation",
	"BANKRUPTCY":            "insolvency",
	"INSOLVENCY":            "insolvency",
	"VOLUNTARY_ARRANGEMENT": "insolvency",
}

// sayLEI says what an LEI record means.
func sayLEI(r *record, _ *header) (company.Statement, error) {
	if err := checkLEI(r.lei); err != nil {
		return company.Statement{}, err
	}
	country, _, _ := strings.Cut(r.jurisdiction, "-")
	if country = alpha2(country); country == "" {
		country = alpha2(r.legal.country)
	}
	// Two LEIs may be of one register number: each is a part of its own.
	s := company.Statement{Country: country, LEI: r.lei, Part: r.lei}
	switch r.regStatus {
	case "DUPLICATE", "ANNULLED", "CANCELLED":
		// Its number is often that of the company that has the right LEI, of
		// which nothing may be taken away: it goes by its LEI alone.
		s.Gone = true
	}
	if r.deleted != "" {
		s.Gone = true
	}
	if s.Gone {
		return s, nil
	}
	if r.name.text == "" {
		return company.Statement{}, errors.New("the record has no legal name")
	}
	s.Number = nationalNumber(country, r.authority, r.category, r.number)
	s.Facts = r.facts()
	s.Facts.RegNo = s.Number
	switch {
	case s.Number != "":
		s.Facts.Register = r.authority
	case r.number == "":
		s.Facts.Register = r.register()
	case r.ownNumber(country):
		s.Facts.RegNo, s.Facts.Register = r.number, r.register()
	default:
		s.Facts.OtherIDs = []company.OtherID{{Scheme: r.register(), ID: r.number}}
	}
	return s, nil
}

func (r *record) facts() company.Facts {
	f := company.Facts{
		Name: r.name.text, Names: r.names(),
		LEI: r.lei, LEIStatus: r.regStatus, LEIRenewal: day(r.renewal),
		Status:  r.entityStatus(),
		Founded: day(r.created), Dissolved: r.dissolved(),
		Form: r.legalForm(), Notices: r.notices(), Links: r.links(),
	}
	if f.Status != "" {
		f.StatusText = r.status
	}
	if r.category == "SOLE_PROPRIETOR" {
		f.Kind = company.NonLtd
	}
	if a, ok := r.legal.address(company.Registered); ok {
		f.Addresses = append(make([]company.Address, 0, 2), a)
	}
	if a, ok := r.head.address(company.HeadOffice); ok {
		f.Addresses = append(f.Addresses, a)
	}
	return f
}

// dissolved is the day on which it ended. Many records tell that only as an
// event.
func (r *record) dissolved() company.Date {
	d := day(r.expired)
	for _, e := range r.events {
		if d == "" && e.kind == "DISSOLUTION" && e.status == "COMPLETED" {
			d = day(e.effective)
		}
	}
	return d
}

// names are all but the registered one, each kind and text once.
func (r *record) names() []company.Name {
	if len(r.others)+len(r.ascii) == 0 {
		return nil
	}
	out := make([]company.Name, 0, len(r.others)+len(r.ascii))
	add := func(t text, kind company.NameKind) {
		if t.text == "" || kind == company.Alternative && t.text == r.name.text {
			return
		}
		if !slices.ContainsFunc(out, func(n company.Name) bool { return n.Kind == kind && n.Text == t.text }) {
			out = append(out, company.Name{Text: t.text, Kind: kind, Lang: t.lang})
		}
	}
	for _, t := range r.others {
		kind, ok := nameKinds[t.kind]
		if !ok {
			kind = company.Alternative
		}
		add(t, kind)
	}
	for _, t := range r.ascii {
		// The language of a transliteration says nothing of the name.
		add(text{text: t.text}, company.ASCII)
	}
	return out
}

// register is the code of the register, or its name where it has none.
func (r *record) register() string {
	switch r.authority {
	case "RA888888", "RA999999": // not on the list; no register at all
		return r.otherAuthority
	}
	return r.authority
}

func (r *record) entityStatus() company.Status {
	switch r.status {
	case "ACTIVE":
		return company.Active
	case "INACTIVE":
		return company.NonActive
	case "", "NULL": // not applicable: of most funds
		return ""
	}
	return company.Other
}

// legalForm leaves out the two codes that stand for "not on the list".
func (r *record) legalForm() company.Form {
	f := company.Form{Code: r.form, Text: r.formText}
	if f.Code == "8888" || f.Code == "9999" {
		f.Code = ""
	}
	return f
}

func (r *record) notices() []company.Notice {
	var out []company.Notice
	for _, e := range r.events {
		kind, ok := noticeKinds[e.kind]
		if !ok || strings.HasPrefix(e.status, "WITHDRAWN") {
			continue
		}
		n := company.Notice{Date: day(e.effective), Kind: kind, Text: e.kind}
		if n.Date == "" {
			n.Date = day(e.recorded)
		}
		if e.status != "" {
			n.Text += " " + e.status
		}
		out = append(out, n)
	}
	slices.SortStableFunc(out, func(a, b company.Notice) int { return strings.Compare(string(b.Date), string(a.Date)) })
	return out
}

// links are to its successors, and to the family of funds that older files
// name here instead of among the relationships.
func (r *record) links() []company.Link {
	var out []company.Link
	for _, n := range r.successors {
		if checkLEI(n.lei) != nil {
			n.lei = ""
		}
		if n.lei != "" || n.name != "" {
			out = append(out, company.Link{Kind: company.Successor, LEI: n.lei, Name: n.name})
		}
	}
	if n := r.family; r.familyKind == "FUND_FAMILY" && (checkLEI(n.lei) == nil || n.name != "") {
		if checkLEI(n.lei) != nil {
			n.lei = ""
		}
		out = append(out, company.Link{Kind: company.Umbrella, LEI: n.lei, Name: n.name})
	}
	return out
}

// address leaves street and house together: the publisher's lines may hold
// either, or a building, or who takes in the post.
func (p *place) address(kind company.AddressKind) (company.Address, bool) {
	a := company.Address{
		Kind: kind, CareOf: careOf(p.routing),
		City: p.city, Post: p.post, Region: p.region, Country: alpha2(p.country),
	}
	first := p.first
	if first == p.routing {
		first = ""
	}
	for _, n := range []string{p.number, p.inner} {
		if n != "" && !strings.Contains(p.first, n) {
			first = strings.TrimSpace(first + " " + n)
		}
	}
	for i := -1; i < len(p.more); i++ {
		line := first
		if i >= 0 {
			line = p.more[i]
		}
		if line != "" {
			a.Lines = append(a.Lines, line)
		}
	}
	return a, len(a.Lines) > 0 || a.City != "" || a.Post != "" || a.Country != ""
}

func careOf(s string) string {
	if len(s) > 4 && strings.EqualFold(s[:4], "c/o ") {
		return strings.TrimSpace(s[4:])
	}
	return s
}

// alpha2 is a country's code, or nothing.
func alpha2(s string) string {
	if len(s) != 2 {
		return ""
	}
	s = strings.ToUpper(s)
	if s[0] < 'A' || s[0] > 'Z' || s[1] < 'A' || s[1] > 'Z' {
		return ""
	}
	return s
}

// day is the date part of a time.
func day(s string) company.Date {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return ""
	}
	for _, part := range []string{s[:4], s[5:7], s[8:10]} {
		if !only(part, len(part), len(part)) {
			return ""
		}
	}
	return company.Date(s[:10])
}
