package ofac

import (
	"fmt"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// xmlParty is a DistinctParty of the advanced form.
type xmlParty struct {
	Profile struct {
		ID         string        `xml:"ID,attr"`
		SubType    string        `xml:"PartySubTypeID,attr"`
		Identities []xmlIdentity `xml:"Identity"`
		Features   []xmlFeature  `xml:"Feature"`
	} `xml:"Profile"`
}

type xmlIdentity struct {
	ID      string `xml:"ID,attr"`
	Aliases []struct {
		Type    string `xml:"AliasTypeID,attr"`
		Primary string `xml:"Primary,attr"`
		Weak    string `xml:"LowQuality,attr"`
		Names   []struct {
			Parts []struct {
				Value struct {
					Group string `xml:"NamePartGroupID,attr"`
					Text  string `xml:",chardata"`
				} `xml:"NamePartValue"`
			} `xml:"DocumentedNamePart"`
		} `xml:"DocumentedName"`
	} `xml:"Alias"`
	Groups []struct {
		ID   string `xml:"ID,attr"`
		Type string `xml:"NamePartTypeID,attr"`
	} `xml:"NamePartGroups>MasterNamePartGroup>NamePartGroup"`
}

type xmlFeature struct {
	Type     string `xml:"FeatureTypeID,attr"`
	Versions []struct {
		Period *struct {
			Start xmlPoint `xml:"Start"`
			End   xmlPoint `xml:"End"`
		} `xml:"DatePeriod"`
		Details []struct {
			Reference string `xml:"DetailReferenceID,attr"`
			Text      string `xml:",chardata"`
		} `xml:"VersionDetail"`
		Locations []struct {
			ID string `xml:"LocationID,attr"`
		} `xml:"VersionLocation"`
	} `xml:"FeatureVersion"`
}

// An xmlPoint is one end of a period, which is itself not always sure.
type xmlPoint struct {
	About string  `xml:"Approximate,attr"`
	From  xmlDate `xml:"From"`
	To    xmlDate `xml:"To"`
}

// names are those of an identity, in all their spellings and scripts.
func (a *advanced) names(kind kyc.Kind, i xmlIdentity) (out []kyc.Name) {
	parts := map[string]string{}
	for _, g := range i.Groups {
		parts[g.ID] = strings.ToLower(a.words["NamePartType"][g.Type])
	}
	for _, alias := range i.Aliases {
		word := a.words["AliasType"][alias.Type]
		for n, written := range alias.Names {
			var first, middle, last, whole string
			for _, p := range written.Parts {
				text := strings.TrimSpace(p.Value.Text)
				switch is := parts[p.Value.Group]; {
				case kind != kyc.Person:
					whole = listfile.Join(" ", whole, text)
				case strings.Contains(is, "last"), strings.Contains(is, "surname"), strings.Contains(is, "maiden"):
					last = listfile.Join(" ", last, text)
				case strings.Contains(is, "first"):
					first = listfile.Join(" ", first, text)
				default:
					middle = listfile.Join(" ", middle, text)
				}
			}
			name := listfile.PersonName(first, middle, last)
			if kind != kyc.Person {
				name = kyc.Name{Text: whole}
			}
			if alias.Primary != "true" || n > 0 {
				name.Type = typeOf(word)
			}
			name.Weak = alias.Weak == "true"
			out = append(out, name)
		}
	}
	return out
}

// feature takes what is said of a party besides its names.
func (a *advanced) feature(e *kyc.Entry, f xmlFeature) {
	is := a.words["FeatureType"][f.Type]
	for _, v := range f.Versions {
		var texts []string
		for _, d := range v.Details {
			texts = append(texts, listfile.Join(" ", a.words["DetailReference"][d.Reference], d.Text))
		}
		text := strings.Join(texts, ", ")
		for _, l := range v.Locations {
			a.located(e, is, a.places[l.ID])
		}
		switch strings.ToLower(is) {
		case "birthdate":
			if v.Period != nil {
				e.Born = append(e.Born, period(v.Period.Start, v.Period.End))
			}
		case "place of birth":
			if text != "" {
				e.BirthPlaces = append(e.BirthPlaces, text)
			}
		case "title":
			e.Titles = append(e.Titles, text)
		case "vessel call sign":
			e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.CallSign, Value: text})
		case "vessel flag":
			if text != "" {
				ship(e).Flag = listfile.Country(text)
			}
		case "vessel type":
			ship(e).Type = text
		case "vessel owner":
			ship(e).Owner = text
		case "vessel tonnage":
			ship(e).Tonnage = text
		case "vessel gross registered tonnage", "vessel gross tonnage":
			ship(e).Gross = text
		default:
			if clause := strings.TrimSpace(is + " " + text); text != "" && !addClause(e, clause) {
				e.Remarks = append(e.Remarks, clause)
			}
		}
	}
}

// located takes a feature that is a place.
func (a *advanced) located(e *kyc.Entry, is string, p kyc.Address) {
	switch strings.ToLower(is) {
	case "nationality country", "citizenship country":
		e.Nationalities = append(e.Nationalities, p.Country)
	case "nationality of registration":
		e.Countries = append(e.Countries, p.Country)
	case "place of birth":
		e.BirthPlaces = append(e.BirthPlaces, listfile.Join(", ", p.Line, p.City, p.Region, p.Country))
	case "vessel flag":
		ship(e).Flag = p.Country
	default:
		e.Addresses = append(e.Addresses, p)
	}
}

// period is the shortest date that covers a period: a year that is meant as such
// comes from its first day to its last.
func period(start, end xmlPoint) kyc.Date {
	from, to := start.From, end.To
	if to.Year == "" {
		to = start.To
	}
	d := kyc.Date{About: start.About == "true" || end.About == "true"}
	switch {
	case from == to || to.Year == "":
		d.On = from.date()
	case from.Year == to.Year && number(from.Month) == 1 && number(from.Day) == 1 && number(to.Month) == 12 && number(to.Day) == 31:
		d.On = company.Date(from.Year)
	case from.Year == to.Year && from.Month == to.Month && number(from.Day) == 1 && number(to.Day) >= 28:
		d.On = company.Date(fmt.Sprintf("%s-%02d", from.Year, number(from.Month)))
	case number(from.Month) == 1 && number(from.Day) == 1 && number(to.Month) == 12:
		d.On, d.Until = company.Date(from.Year), company.Date(to.Year)
	default:
		d.On, d.Until = from.date(), to.date()
	}
	return d
}

func number(s string) (n int) {
	for _, c := range strings.TrimSpace(s) {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}
