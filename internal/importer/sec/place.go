package sec

import (
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// A place is an address as the SEC writes it.
type place struct {
	street1, street2, city, post string
	state, stateText             string // a state, or a country: the SEC has a code for either
	territory, country           string // abroad
}

func (d *document) readAddresses(r *jsonfile.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "business":
			d.business = readPlace(r)
		case "mailing":
			d.mailing = readPlace(r)
		}
	})
}

// readPlace returns nil where nothing is said.
func readPlace(r *jsonfile.Reader) *place {
	var p place
	r.Object(func(key []byte) {
		switch string(key) {
		case "street1":
			p.street1 = text(r)
		case "street2":
			p.street2 = text(r)
		case "city":
			p.city = text(r)
		case "zipCode":
			p.post = text(r)
		case "stateOrCountry":
			p.state = text(r)
		case "stateOrCountryDescription":
			p.stateText = text(r)
		case "foreignStateTerritory":
			p.territory = text(r)
		case "countryCode":
			p.country = text(r)
		}
	})
	if p == (place{}) {
		return nil
	}
	return &p
}

func (p *place) domain(kind company.AddressKind) company.Address {
	a := company.Address{Kind: kind, Street: p.street1, City: p.city, Post: p.post}
	if a.Street == "" {
		a.Street = p.street2
	} else if p.street2 != "" {
		a.Lines = []string{p.street2}
	}
	code := p.state
	if code == "" {
		code = p.country
	}
	a.Country, a.Region = located(code)
	switch {
	case a.Country == "" && p.stateText != "" && p.stateText != code:
		a.Region = p.stateText
	case a.Region == "":
		a.Region = p.territory
	}
	return a
}

// located is the country, and the state or province, of a code.
func located(code string) (country, region string) {
	code = strings.ToUpper(code)
	switch {
	case code == "":
		return "", ""
	case code == "X1":
		return "US", ""
	case provinces[code] != "":
		return "CA", provinces[code]
	case countries[code] != "":
		return countries[code], ""
	case len(code) == 2 && strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && code != "XX":
		return "US", code
	}
	return "", ""
}

// jurisdiction is whose law a company was formed under, by the SEC's code.
func jurisdiction(code string) string {
	country, region := located(code)
	if region != "" {
		return country + "-" + region
	}
	return country
}

// provinces are those of Canada, by the SEC's codes.
var provinces = map[string]string{
	"A0": "AB", "A1": "BC", "A2": "MB", "A3": "NB", "A4": "NL", "A5": "NS", "A6": "ON", "A7": "PE",
	"A8": "QC", "A9": "SK", "B0": "YT",
}
