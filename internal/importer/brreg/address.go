package brreg

import (
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

type address struct {
	lines                     []string
	careOf                    string
	post, city, area, country string
}

func readAddress(r *jsonfile.Reader) *address {
	if r.Kind() != '{' {
		r.Object(nil) // null, or an error
		return nil
	}
	a := &address{}
	r.Object(func(key []byte) {
		switch string(key) {
		case "adresse":
			r.Array(func() { a.add(strings.TrimSpace(r.Text())) })
		case "postnummer":
			a.post = r.Text()
		case "poststed":
			a.city = r.Text()
		case "kommune":
			a.area = r.Text()
		case "landkode":
			a.country = r.Text()
		}
	})
	return a
}

func (a *address) add(line string) {
	switch {
	case line == "":
	case len(line) > 4 && strings.EqualFold(line[:4], "c/o "):
		a.careOf = line[4:]
	default:
		a.lines = append(a.lines, line)
	}
}

func (a *address) domain(kind company.AddressKind) company.Address {
	out := company.Address{
		Kind: kind, CareOf: a.careOf, Lines: a.lines, Post: a.post, City: a.city, Region: a.area, Country: a.country,
	}
	if len(out.Lines) == 1 {
		out.Street, out.Lines = out.Lines[0], nil
	}
	if strings.EqualFold(out.Region, out.City) {
		out.Region = ""
	}
	return out
}
