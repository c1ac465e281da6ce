package bods

import (
	"strings"

	"github.com/biter777/countries"

	"bureau/internal/company"
)

// An identifier is a number that someone gave an entity. The scheme is one of
// org-id.guide: the country, then the register.
type identifier struct {
	ID     string `json:"id"`
	Scheme string `json:"scheme"`
	Name   string `json:"schemeName"`
}

// registers are the schemes of registers of companies, with GLEIF's codes for
// them. A country's other schemes (charities, taxes) come after these.
var registers = map[string]string{
	"GB-COH": "RA000585", "NO-BRC": "RA000472", "FR-RCS": "RA000189", "FR-INSEE": "RA000189",
	"DK-CVR": "RA000170", "FI-PRO": "RA000188", "NL-KVK": "RA000463", "SE-BLV": "RA000544", "EE-RIK": "RA000181",
}

// An identity is what an entity goes by.
type identity struct {
	country, number, register, lei string
	written                        string // the number as the register writes it
	others                         []company.OtherID
}

// identify finds out which company an entity is: by its number in a register
// of companies, else in any list of its own country, else in any list.
func identify(ids []identifier, formedIn place) identity {
	best, rank := -1, 0
	for i, id := range ids {
		if r := id.rank(formedIn); r > rank {
			best, rank = i, r
		}
	}
	var who identity
	for i, id := range ids {
		switch number := strings.TrimSpace(id.ID); {
		case number == "":
		case i == best:
			who.country, who.number, who.register = id.number(formedIn)
			if who.written = number; id.Scheme == "" || id.Scheme == "GB-COH" {
				who.written = who.number // by the bare number it could not be found, or another would be
			}
		case id.Scheme == "XI-LEI" && who.lei == "" && len(number) == 20:
			who.lei = strings.ToUpper(number)
		default:
			who.others = append(who.others, company.OtherID{Scheme: id.scheme(), ID: number})
		}
	}
	if who.country == "" {
		who.country = formedIn.country()
	}
	return who
}

func (id identifier) scheme() string {
	if id.Scheme != "" {
		return id.Scheme
	}
	return id.Name
}

// rank says how well an identifier tells who it is; 0 is not at all.
func (id identifier) rank(formedIn place) int {
	country := id.country()
	switch {
	case strings.TrimSpace(id.ID) == "" || id.Scheme == "XI-LEI":
		return 0
	case registers[id.Scheme] != "":
		return 4
	case country != "" && country == formedIn.country():
		return 3
	case country != "":
		return 2
	case id.Scheme == "" && id.Name != "" && formedIn.country() != "":
		return 1
	}
	return 0
}

// country is that of the scheme. Lists of no country begin with an X.
func (id identifier) country() string {
	prefix, _, ok := strings.Cut(id.Scheme, "-")
	if !ok || strings.HasPrefix(prefix, "X") {
		return ""
	}
	return alpha2(prefix)
}

// number is the company's country and number in it.
func (id identifier) number(formedIn place) (country, number, register string) {
	number = strings.ToUpper(strings.Join(strings.Fields(id.ID), ""))
	country = id.country()
	if country == "" {
		// Only the name of a list is given. Numbers of the states of one
		// country may clash, so the state stands before them.
		country = formedIn.country()
		if _, state, ok := strings.Cut(formedIn.Code, "-"); ok {
			number = state + "-" + number
		}
		return country, number, id.Name
	}
	if id.Scheme == "GB-COH" && len(number) < 8 && strings.Trim(number, "0123456789") == "" {
		number = strings.Repeat("0", 8-len(number)) + number
	}
	if code := registers[id.Scheme]; code != "" {
		return country, number, code
	}
	return country, number, id.Scheme
}

// code is the country, or the country and its part, as ISO 3166 writes it.
func (p place) code() string {
	if p.Code != "" {
		return strings.ToUpper(p.Code)
	}
	return p.country()
}

func (p place) country() string {
	code, _, _ := strings.Cut(p.Code, "-")
	if c := alpha2(code); c != "" {
		return c
	}
	return alpha2(p.Name)
}

// alpha2 is a country's two letters, from its two or three or its name.
func alpha2(s string) string {
	if s == "" {
		return ""
	}
	if c := countries.ByName(s); c != countries.Unknown {
		return c.Alpha2()
	}
	return ""
}
