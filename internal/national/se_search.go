package national

import (
	"context"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

// MaxFound is how many a search tells.
const MaxFound = 100

// FindCompanies finds Swedish companies by a name or a number.
func (s *Sweden) FindCompanies(ctx context.Context, nameOrNumber, form, address string) ([]company.Company, error) {
	text := strings.TrimSpace(nameOrNumber)
	if text == "" {
		return nil, refuse(fault.Invalid, NoMatch, "namesearchnumber: it is missing")
	}
	var list []company.Company
	if n, err := identity.ParseSwedishNumber(text, s.Now()); err == nil {
		c, err := s.company(ctx, n)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	} else {
		hits, err := s.Finder.Search(ctx, company.Criteria{Countries: []string{"SE"}, Name: text, Address: strings.TrimSpace(address)}, company.Page{Limit: MaxFound})
		if err != nil {
			return nil, err
		}
		for _, h := range hits.List {
			list = append(list, h.Company)
		}
	}
	var out []company.Company
	for _, c := range list {
		if form == "" || strings.EqualFold(form, FormCode(&c)) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, refuse(fault.Missing, NoMatch, "no company is found")
	}
	return out, nil
}

// FormCode is the short word for a company's legal form.
func FormCode(c *company.Company) string {
	text := strings.ToLower(c.Form.Text + " " + c.Form.Code + " " + c.Name)
	for _, f := range []struct{ word, code string }{
		{"handelsbolag", "HB"},
		{"kommanditbolag", "KB"},
		{"enskild", "EF"},
		{"ekonomisk förening", "EK"},
		{"aktiebolag", "AB"},
		{" ab", "AB"},
	} {
		if strings.Contains(text, f.word) {
			return f.code
		}
	}
	return c.Form.Code
}

// FindPeople finds Swedish people by a name, with a word of the address if there
// are many, or by a number.
func (s *Sweden) FindPeople(ctx context.Context, nameOrNumber, address string) ([]identity.Consumer, error) {
	text := strings.TrimSpace(nameOrNumber)
	if text == "" {
		return nil, refuse(fault.Invalid, NoMatch, "namesearchnumber: it is missing")
	}
	if n, err := identity.ParseSwedishNumber(text, s.Now()); err == nil && n.IsPerson() {
		_, c, err := s.person(ctx, n, false)
		return []identity.Consumer{c}, err
	}
	list, err := s.People.ByName(ctx, "SE", text, address, MaxFound)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, refuse(fault.Missing, NoMatch, "nobody is found")
	}
	return list, nil
}

// A Unit is an office or another place of a company.
type Unit struct {
	Company company.Company
	Address company.Address
	Kind    string // "head office", "branch" …
}

// unitKinds are the addresses at which a company works.
var unitKinds = map[company.AddressKind]string{
	company.Registered: "registered office", company.HeadOffice: "head office", company.Branch: "branch", company.TradingPlace: "place of business",
}

// Units are the places of a company, or of the companies of a name.
func (s *Sweden) Units(ctx context.Context, number, name, address, post string) ([]Unit, error) {
	var list []company.Company
	switch {
	case strings.TrimSpace(number) != "":
		n, err := s.Number("searchnumber", number)
		if err != nil {
			return nil, err
		}
		c, err := s.company(ctx, n)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	case strings.TrimSpace(name) != "" || strings.TrimSpace(post) != "":
		hits, err := s.Finder.Search(ctx, company.Criteria{
			Countries: []string{"SE"}, Name: strings.TrimSpace(name), Post: strings.TrimSpace(post),
		}, company.Page{Limit: MaxFound})
		if err != nil {
			return nil, err
		}
		for _, h := range hits.List {
			list = append(list, h.Company)
		}
	default:
		return nil, refuse(fault.Invalid, NoMatch, "searchnumber: give it, or a name, or a postnr")
	}
	var out []Unit
	for _, c := range list {
		if c.Withheld {
			continue
		}
		for _, a := range c.Addresses {
			kind := unitKinds[a.Kind]
			if kind == "" || a.Until != "" || !holds(a.Line(), address) || !holds(strings.ReplaceAll(a.Post, " ", ""), strings.ReplaceAll(post, " ", "")) {
				continue
			}
			out = append(out, Unit{c, a, kind})
		}
	}
	if len(out) == 0 {
		return nil, refuse(fault.Missing, NoMatch, "no unit is found")
	}
	return out, nil
}

func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimSpace(part)))
}
