package seco

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bureau/internal/importer/listfile"
	"bureau/internal/kyc"
)

// A target is one entry of the file.
type target struct {
	ID            string         `xml:"ssid,attr"`
	Sets          []string       `xml:"sanctions-set-id"`
	Foreign       string         `xml:"foreign-identifier"`
	Individual    *body          `xml:"individual"`
	Entity        *body          `xml:"entity"`
	Object        *body          `xml:"object"`
	Modifications []modification `xml:"modification"`
}

type modification struct {
	Type      string `xml:"modification-type,attr"`
	Published string `xml:"publication-date,attr"`
	Effective string `xml:"effective-date,attr"`
}

// A body is what is said of a target.
type body struct {
	Sex            string     `xml:"sex,attr"`
	ObjectType     string     `xml:"object-type,attr"`
	Identities     []identity `xml:"identity"`
	Justifications []string   `xml:"justification"`
	Other          []string   `xml:"other-information"`
	Relations      []struct {
		Target string `xml:"target-id,attr"`
		Type   string `xml:"relation-type,attr"`
	} `xml:"relation"`
}

type identity struct {
	Main          string     `xml:"main,attr"`
	Names         []name     `xml:"name"`
	Births        []ymd      `xml:"day-month-year"`
	Nationalities []country  `xml:"nationality"`
	BirthPlaces   []placeRef `xml:"place-of-birth"`
	Addresses     []address  `xml:"address"`
	Documents     []document `xml:"identification-document"`
}

type name struct {
	Type    string `xml:"name-type,attr"`
	Quality string `xml:"quality,attr"`
	Parts   []part `xml:"name-part"`
}

type part struct {
	Order    int    `xml:"order,attr"`
	Type     string `xml:"name-part-type,attr"`
	Value    string `xml:"value"`
	Variants []struct {
		Type string `xml:"spelling-variant-type,attr"`
		Text string `xml:",chardata"`
	} `xml:"spelling-variant"`
}

type ymd struct {
	Day   string `xml:"day,attr"`
	Month string `xml:"month,attr"`
	Year  string `xml:"year,attr"`
}

type country struct {
	Country struct {
		Code string `xml:"iso-code,attr"`
	} `xml:"country"`
}

type placeRef struct {
	ID string `xml:"place-id,attr"`
}

type address struct {
	placeRef
	CareOf  string `xml:"c-o"`
	Details string `xml:"address-details"`
	Box     string `xml:"p-o-box"`
	Post    string `xml:"zip-code"`
	Remark  string `xml:"remark"`
}

type document struct {
	Type   string `xml:"document-type,attr"`
	Number string `xml:"number"`
	Issuer struct {
		Code string `xml:"code,attr"`
		ISO  string `xml:"iso-code,attr"`
	} `xml:"issuer"`
	Remark string `xml:"remark"`
}

func (l *list) target(x *listfile.XML, yield listfile.Reading) error {
	t := &target{}
	if err := x.Read(t); err != nil {
		return err
	}
	if t.ID == "" || t.Individual == nil && t.Entity == nil && t.Object == nil {
		if !yield(kyc.Record{}, x.Bad(t.ID, errors.New("it has no ssid, or is neither an individual, an entity nor an object"))) {
			return errors.New("stopped")
		}
		return nil
	}
	l.targets = append(l.targets, t)
	return nil
}

func (l *list) entry(t *target) kyc.Entry {
	e := kyc.Entry{
		List: kyc.SwissSanctions, Number: t.ID, Kind: kyc.Company,
		Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.SECO},
	}
	b := t.Entity
	switch {
	case t.Individual != nil:
		b, e.Kind = t.Individual, kyc.Person
	case t.Object != nil:
		b, e.Kind = t.Object, kyc.Other
		switch t.Object.ObjectType {
		case "vessel":
			e.Kind = kyc.Vessel
		case "aircraft":
			e.Kind = kyc.Aircraft
		}
	}
	for _, id := range t.Sets {
		s := l.sets[strings.TrimSpace(id)]
		e.Programmes = append(e.Programmes, s.programme)
		e.Measures = append(e.Measures, s.measure)
	}
	if t.Foreign != "" {
		e.Identifiers = append(e.Identifiers, kyc.Identifier{Type: kyc.OtherList, Value: t.Foreign})
	}
	t.history(&e)
	e.Sources = []kyc.Source{{
		Title: kyc.FindList(e.List).Title, Added: e.Listed,
		Link: "https://www.sesam.search.admin.ch/sesam-search-web/pages/search.xhtml?ssid=" + t.ID,
	}}
	e.Gender = listfile.Gender(b.Sex)
	e.Reasons, e.Remarks = b.Justifications, b.Other
	for _, i := range b.Identities {
		l.identity(&e, i)
	}
	return e
}

// history finds out since when a target is listed, and whether it still is. The
// newest modification stands first.
func (t *target) history(e *kyc.Entry) {
	for i, m := range t.Modifications {
		on := listfile.Day(m.Effective)
		if on == "" {
			on = listfile.Day(m.Published)
		}
		if i == 0 && m.Type == "de-listed" {
			e.Datasets, e.Until = []kyc.Dataset{kyc.SANFormer}, on
		}
		if m.Type == "listed" && on != "" {
			e.Listed = on
		}
	}
}

func (l *list) identity(e *kyc.Entry, i identity) {
	for _, n := range i.Names {
		e.Names = append(e.Names, n.names(e.Kind, i.Main != "false")...)
	}
	for _, d := range i.Births {
		if date, ok := listfile.Date(fmt.Sprintf("%s/%s/%s", orZero(d.Day), orZero(d.Month), d.Year)); ok {
			e.Born = append(e.Born, date)
		}
	}
	for _, n := range i.Nationalities {
		e.Nationalities = append(e.Nationalities, listfile.Country(n.Country.Code))
	}
	for _, p := range i.BirthPlaces {
		at := l.places[p.ID]
		e.BirthPlaces = append(e.BirthPlaces, listfile.Join(", ", at.City, at.Region, at.Country))
	}
	for _, a := range i.Addresses {
		at := l.places[a.ID]
		at.Line, at.Post, at.Note = listfile.Join(", ", a.CareOf, a.Details, a.Box), a.Post, a.Remark
		e.Addresses = append(e.Addresses, at)
	}
	for _, d := range i.Documents {
		is := kyc.NationalID
		if strings.Contains(d.Type, "passport") {
			is = kyc.Passport
		}
		if strings.Contains(d.Type, "imo") || e.Kind == kyc.Vessel {
			is = kyc.IMO
		}
		e.Identifiers = append(e.Identifiers, kyc.Identifier{
			Type: is, Value: d.Number, Country: listfile.Country(d.Issuer.Code + d.Issuer.ISO), Note: listfile.Join(", ", d.Type, d.Remark),
		})
	}
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// names are a name and its spellings. Parts that are spelt otherwise make
// another name with the rest as it is.
func (n *name) names(kind kyc.Kind, main bool) []kyc.Name {
	slices.SortStableFunc(n.Parts, func(a, b part) int { return a.Order - b.Order })
	is, weak := kyc.Alias, n.Quality == "low"
	switch {
	case n.Type == "primary-name" && main:
		is = kyc.Primary
	case n.Type == "formerly-known-as":
		is = kyc.Former
	}
	whole := n.spelt(kind, -1, "")
	whole.Type, whole.Weak = is, weak
	out := []kyc.Name{whole}
	for i, p := range n.Parts {
		for _, v := range p.Variants {
			other := n.spelt(kind, i, v.Text)
			other.Type, other.Weak = kyc.Alias, weak
			out = append(out, other)
		}
	}
	return out
}

// spelt puts the parts together, one of them in another spelling.
func (n *name) spelt(kind kyc.Kind, other int, spelling string) kyc.Name {
	var first, middle, last, all []string
	for i, p := range n.Parts {
		text := strings.TrimSpace(p.Value)
		if i == other {
			text = strings.TrimSpace(spelling)
		}
		all = append(all, text)
		switch p.Type {
		case "family-name", "maiden-name":
			last = append(last, text)
		case "given-name", "further-given-name":
			first = append(first, text)
		case "title", "suffix":
		default:
			middle = append(middle, text)
		}
	}
	if kind != kyc.Person || len(last)+len(first) == 0 {
		return kyc.Name{Text: strings.Join(all, " ")}
	}
	return listfile.PersonName(strings.Join(first, " "), strings.Join(middle, " "), strings.Join(last, " "))
}
