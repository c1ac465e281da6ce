package kyc

import (
	"strings"
	"unicode/utf8"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/match"
)

// A Subject is whom a customer wants to know about. Only the name must be there.
type Subject struct {
	Person      bool         `json:"person,omitempty"` // else a business, which may also be a ship
	Name        string       `json:"name,omitempty"`
	First       string       `json:"first,omitempty"` // in the place of Name, of a person
	Middle      string       `json:"middle,omitempty"`
	Last        string       `json:"last,omitempty"`
	Born        company.Date `json:"born,omitempty"` // a day, a month or a year
	Gender      Gender       `json:"gender,omitempty"`
	Countries   []string     `json:"countries,omitempty"` // ISO 3166 alpha-2
	Identifiers []Identifier `json:"identifiers,omitempty"`
	Address     string       `json:"address,omitempty"`
}

// maxSubjectName is how long a name may be in all.
const maxSubjectName = 200

// FullName is the name that is searched for.
func (s Subject) FullName() string {
	if name := clean(s.Name); name != "" {
		return name
	}
	return clean(strings.Join([]string{s.First, s.Middle, s.Last}, " "))
}

// asked is a subject as names are compared.
func (s Subject) asked() (match.Subject, error) { return s.askedBy(match.Read) }

// askedBy is asked, with a reader of names.
func (s Subject) askedBy(read func(match.Kind, string) match.Name) (match.Subject, error) {
	kind := match.Company
	if s.Person {
		kind = match.Person
	}
	name := s.FullName()
	switch {
	case name == "":
		return match.Subject{}, fault.Invalid.Errorf("name: there is none to search for")
	case len(name) > maxSubjectName && utf8.RuneCountInString(name) > maxSubjectName:
		return match.Subject{}, fault.Invalid.Errorf("name: it is longer than %d characters", maxSubjectName)
	}
	q := match.Subject{Kind: kind, Names: []match.Alias{{Name: read(kind, name)}}}
	if q.Names[0].Empty() {
		return match.Subject{}, fault.Invalid.Errorf("name: there is no letter in %q that could be compared", name)
	}
	if s.Born != "" {
		d := Date{On: s.Born}
		if !d.Valid() {
			return match.Subject{}, fault.Invalid.Errorf("dateOfBirth: %q is no date: write 2006-01-02 or 2006", s.Born)
		}
		q.Born = d.matched()
	}
	q.Gender, q.Countries, q.Address = string(s.Gender), s.Countries, s.Address
	q.Identifiers = matchedIdentifiers(s.Identifiers)
	return q, nil
}

// matched is an entry as its names are compared, as one of a kind.
func (e *Entry) matched(kind match.Kind) match.Subject {
	s := match.Subject{Kind: kind, Gender: string(e.Gender)}
	for _, n := range e.Names {
		s.Names = append(s.Names, match.Alias{Name: match.Read(kind, n.Text), Weak: n.Weak})
	}
	for _, d := range e.Born {
		s.Born = append(s.Born, d.matched()...)
	}
	s.Countries = e.TiedTo()
	s.Identifiers = matchedIdentifiers(e.Identifiers)
	return s
}

// TiedTo are the countries that a customer may know a subject by.
func (e *Entry) TiedTo() []string {
	var out []string
	add := func(code string) {
		if len(code) != 2 {
			return
		}
		for _, have := range out {
			if have == code {
				return
			}
		}
		out = append(out, code)
	}
	for _, c := range e.Nationalities {
		add(c)
	}
	for _, c := range e.Countries {
		add(c)
	}
	for _, a := range e.Addresses {
		add(a.Country)
	}
	if e.Ship != nil {
		add(e.Ship.Flag)
	}
	return out
}

// matchedIdentifiers are those that mean the same to everybody. Passports and
// national numbers are written in too many ways for a difference to say
// anything, so only those with a form of their own are compared.
func matchedIdentifiers(list []Identifier) []match.Identifier {
	var out []match.Identifier
	for _, i := range list {
		switch i.Type {
		case LEI, BIC, INN, ISIN, IMO:
			out = append(out, match.Identifier{Kind: i.Type, Value: i.Value})
		}
	}
	return out
}

// matchKinds are the kinds under which an entry is looked for. One whose kind
// the publisher does not tell is looked for as either.
func (k Kind) matchKinds() []match.Kind {
	switch k {
	case Person:
		return []match.Kind{match.Person}
	case Other:
		return []match.Kind{match.Person, match.Company}
	}
	return []match.Kind{match.Company}
}
