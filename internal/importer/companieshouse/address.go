package companieshouse

import (
	"strings"

	"bureau/internal/company"
)

// A place is an address as these files have it: two lines in which house,
// building and street cannot be told apart, and the rest by name.
type place struct {
	careOf, poBox, line1, line2, town, county, country, post string
}

// address is the place as ours, and false where there is nothing in it. A
// country that nobody knows stays as a line, so that it is not lost.
func (p place) address(kind company.AddressKind, countries memo[string]) (company.Address, bool) {
	if p == (place{}) {
		return company.Address{}, false
	}
	a := company.Address{Kind: kind, CareOf: p.careOf, City: p.town, Region: p.county, Post: p.post}
	var lines [4]string
	n := 0
	add := func(s string) {
		if s != "" {
			lines[n] = s
			n++
		}
	}
	if isDigits(p.poBox) {
		add("PO Box " + p.poBox)
	} else {
		add(p.poBox)
	}
	add(p.line1)
	add(p.line2)
	if p.country != "" {
		if a.Country = countries.of(p.country); a.Country == "" {
			add(p.country)
		}
	}
	if n > 0 {
		a.Lines = append(make([]string, 0, n), lines[:n]...)
	}
	return a, true
}

// registered is the address of a company's registered office. Where the country
// is left out, that of a company which must be in the United Kingdom is known.
func (p place) registered(number string, countries memo[string]) []company.Address {
	a, ok := p.address(company.Registered, countries)
	if !ok {
		return nil
	}
	if p.country == "" && atHome(number) {
		a.Country = gb
	}
	return []company.Address{a}
}

// beside puts two parts of a line together.
func beside(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return strings.TrimSpace(a + " " + b)
}
