package companieshouse

import (
	"fmt"
	"strconv"
	"strings"

	"bureau/internal/company"
)

// statement is what a record says, and false where it names no one.
func (p *pscReader) statement(rec *pscRecord) (s company.Statement, ok bool, err error) {
	d := &rec.Data
	who, ok := strings.CutSuffix(d.Kind, "-person-with-significant-control")
	if !ok {
		who, ok = strings.CutSuffix(d.Kind, "-beneficial-owner")
	}
	switch {
	case d.Kind == "persons-with-significant-control-statement", d.Kind == "exemptions":
		return s, false, nil
	case !ok:
		return s, false, fmt.Errorf("the record is of an unknown kind, %q", d.Kind)
	}
	no, err := number(rec.Number)
	if err != nil {
		return s, false, err
	}
	id := d.Links.Self[strings.LastIndexByte(d.Links.Self, '/')+1:]
	if id == "" {
		return s, false, fmt.Errorf("the record has no link of its own, which is its only number")
	}
	if d.IsCeased && d.Ceased == "" {
		// Over, and nobody says since when: it cannot be shown as it is now.
		return s, false, nil
	}
	o := company.Owner{From: isoDay(d.Notified), Until: isoDay(d.Ceased)}
	o.Person, err = p.person(who, rec)
	if err != nil {
		return s, false, err
	}
	o.ID = id
	p.control(&o, d.Natures)
	return company.Statement{
		Country: gb, Number: no, Part: id,
		Facts: company.Facts{Owners: []company.Owner{o}},
	}, true, nil
}

// person is who the record is about.
func (p *pscReader) person(who string, rec *pscRecord) (company.Person, error) {
	d := &rec.Data
	if who == "super-secure" {
		return company.Person{Protected: true}, nil
	}
	out := company.Person{Name: strings.TrimSpace(d.Name), Residence: d.Residence}
	switch who {
	case "individual":
		n := &d.Names
		out.Title, out.First, out.Middle, out.Surname = n.Title, n.Forename, n.Middle, n.Surname
		if n.Surname != "" { // the name in full has the title in it
			out.Name = beside(beside(n.Forename, n.Middle), n.Surname)
		}
		out.Nationality = d.Nationality
		if b := d.Birth; 1800 <= b.Year && b.Year <= 9999 && 1 <= b.Month && b.Month <= 12 {
			out.Birth = company.Date(strconv.Itoa(b.Year) + "-" + strconv.Itoa(100 + b.Month)[1:])
		}
	case "corporate-entity", "legal-person":
		out.Company = true
		reg := &d.Identification
		out.Country, out.RegNo = p.countries.of(reg.Country), reg.Number
		if out.Country == "" && strings.Contains(strings.ToLower(reg.Place), "companies house") {
			out.Country = gb
		}
		if no, err := number(reg.Number); err == nil && out.Country == gb {
			out.RegNo = no
		}
	default:
		return out, fmt.Errorf("the record is of an unknown kind, %q", d.Kind)
	}
	if out.Name == "" {
		return out, fmt.Errorf("the record has no name")
	}
	a := &d.Address
	where := place{
		careOf: a.CareOf, poBox: a.POBox, line1: beside(a.Premises, a.Line1), line2: a.Line2,
		town: a.Town, county: a.Region, country: a.Country, post: a.Post,
	}
	if address, ok := where.address(company.Postal, p.countries); ok {
		out.Address = &address
	}
	return out, nil
}

// control fills in how someone owns. Of several bands of shares the highest
// counts; an LLP has none, and its surplus assets stand for them. Indirect is
// who holds nothing but through a trust or a firm.
func (p *pscReader) control(o *company.Owner, natures []string) {
	if len(natures) == 0 {
		return
	}
	o.Natures = make([]string, 0, len(natures))
	o.Indirect = true
	shares := false
	for _, code := range natures {
		n := p.natures.of(code)
		o.Natures = append(o.Natures, n.words)
		o.Indirect = o.Indirect && n.through
		better := n.shares == shares && n.from > o.ShareMin || n.shares && !shares
		if n.to > 0 && better {
			o.ShareMin, o.ShareMax, shares = n.from, n.to, n.shares
		}
	}
}

// A nature is one way to control a company.
type nature struct {
	words    string
	from, to float64 // percent, of shares or surplus assets
	shares   bool
	through  bool // a trust or a firm
}

// natureOf reads a code such as ownership-of-shares-25-to-50-percent-as-trust.
func natureOf(code string) nature {
	s := strings.TrimSuffix(code, "-registered-overseas-entity")
	s = strings.TrimSuffix(s, "-limited-liability-partnership")
	var n nature
	how := ""
	for _, end := range []struct{ code, words string }{
		{"-as-control-over-trust", " through control over a trust"},
		{"-as-control-over-firm", " through control over a firm"},
		{"-as-trust", " through a trust"},
		{"-as-firm", " through a firm"},
	} {
		if base, ok := strings.CutSuffix(s, end.code); ok {
			s, how, n.through = base, end.words, true
			break
		}
	}
	for _, of := range []struct{ code, words string }{
		{"ownership-of-shares-", "shares"},
		{"voting-rights-", "votes"},
		{"right-to-share-surplus-assets-", "surplus assets"},
		{"part-right-to-share-surplus-assets-", "surplus assets"},
	} {
		band, ok := strings.CutPrefix(s, of.code)
		if !ok {
			continue
		}
		from, to, words := percent(band)
		if to > 0 && of.words != "votes" {
			n.from, n.to, n.shares = from, to, of.words == "shares"
		}
		n.words = of.words + " " + words + how
		return n
	}
	switch s {
	case "right-to-appoint-and-remove-directors":
		s = "appoints directors"
	case "right-to-appoint-and-remove-members":
		s = "appoints members"
	case "right-to-appoint-and-remove-person":
		s = "appoints managers"
	}
	n.words = strings.ReplaceAll(s, "-", " ") + how
	return n
}

// percent reads 25-to-50-percent and more-than-25-percent.
func percent(band string) (from, to float64, words string) {
	s := strings.TrimSuffix(band, "-percent")
	low, high, ok := strings.Cut(s, "-to-")
	if over, found := strings.CutPrefix(s, "more-than-"); found {
		low, high, ok = over, "100", true
	}
	from, err := strconv.ParseFloat(low, 64)
	to, err2 := strconv.ParseFloat(high, 64)
	if !ok || err != nil || err2 != nil || !isDigits(low) || !isDigits(high) {
		return 0, 0, strings.ReplaceAll(band, "-", " ")
	}
	return from, to, low + "-" + high + "%"
}

// isoDay is a day as it is, if it is one.
func isoDay(s string) company.Date {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return ""
	}
	return ymd(s[:4], s[5:7], s[8:10])
}
