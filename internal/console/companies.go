package console

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// companiesData is the search and what it found.
type companiesData struct {
	Query     string
	Country   string
	Status    company.Status
	Asked     bool
	Hits      []company.Hit
	AtLeast   bool
	Countries []string // of the hits, to narrow them down by
	Statuses  []company.Status
}

const maxFound = 50

// companies searches as somebody types.
func (s *Server) companies(v *visit) error {
	if err := s.needs(v, auth.Companies, ""); err != nil {
		return err
	}
	d := companiesData{
		Query: clip(v.query("q"), 200), Country: strings.ToUpper(v.query("country")), Status: company.Status(v.query("status")),
		Statuses: []company.Status{company.Active, company.Pending, company.NonActive},
	}
	if len(d.Country) != 2 {
		d.Country = "" // it is being typed
	}
	if len([]rune(d.Query)) >= 2 {
		d.Asked = true
		var err error
		if d.Hits, d.AtLeast, err = s.find(v.ctx(), v.by, d); err != nil {
			return err
		}
	}
	for _, h := range d.Hits {
		if c := h.ID.Country(); !slices.Contains(d.Countries, c) {
			d.Countries = append(d.Countries, c)
		}
	}
	slices.Sort(d.Countries)
	return s.show(v, page{name: "companies", title: "Companies", here: "Companies", data: d})
}

// find looks for a number where there is one, and for a name.
func (s *Server) find(ctx context.Context, by auth.Caller, d companiesData) (list []company.Hit, atLeast bool, err error) {
	mine, everywhere := s.Gate.Countries(by, auth.Companies)
	allowed := func(country string) bool { return everywhere || slices.Contains(mine, country) }
	countries := mine
	switch {
	case d.Country != "" && !allowed(d.Country):
		return nil, false, fault.Denied.Errorf("companies in %s are not part of your contract", clip(d.Country, 10))
	case d.Country != "":
		countries = []string{d.Country}
	case everywhere:
		countries = nil
	}
	put := func(hits ...company.Hit) {
		for _, h := range hits {
			known := slices.ContainsFunc(list, func(o company.Hit) bool { return o.ID == h.ID })
			right := allowed(h.ID.Country()) && (d.Country == "" || d.Country == h.ID.Country()) && (d.Status == "" || d.Status == h.Status)
			if !known && right && len(list) < maxFound {
				list = append(list, h)
			}
		}
	}
	if strings.ContainsFunc(d.Query, unicode.IsDigit) {
		hits, err := s.findNumber(ctx, d.Query, countries)
		if err != nil {
			return nil, false, err
		}
		put(hits...)
	}
	if strings.ContainsFunc(d.Query, unicode.IsLetter) {
		found, err := s.Finder.Search(ctx, company.Criteria{Name: d.Query, Countries: countries, Status: d.Status}, company.Page{Limit: maxFound})
		if err != nil {
			return nil, false, err
		}
		put(found.List...)
		atLeast = found.AtLeast || found.Total > len(found.List)
	}
	return list, atLeast, nil
}

// findNumber looks for a connectId, a safe number, a register's number, a VAT
// number or an LEI.
func (s *Server) findNumber(ctx context.Context, text string, countries []string) ([]company.Hit, error) {
	var out []company.Hit
	c, err := s.Companies.Lookup(ctx, text)
	switch {
	case err == nil:
		out = append(out, company.Hit{Company: c})
	case !errors.Is(err, fault.Missing) && !errors.Is(err, fault.Invalid):
		return nil, err
	}
	if id, err := s.Companies.Store.Find(ctx, company.Ident{Kind: company.ByLEI, Value: strings.ToUpper(text)}); err == nil {
		if c, err := s.Companies.Company(ctx, id); err == nil {
			out = append(out, company.Hit{Company: c})
		}
	}
	for _, q := range []company.Criteria{{RegNo: text, Countries: countries}, {VAT: text, Countries: countries}} {
		found, err := s.Finder.Search(ctx, q, company.Page{Limit: maxFound})
		if errors.Is(err, fault.Invalid) {
			continue // it cannot be such a number
		}
		if err != nil {
			return nil, err
		}
		out = append(out, found.List...)
	}
	return out, nil
}
