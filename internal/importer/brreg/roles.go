package brreg

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"bureau/internal/company"
	"bureau/internal/importer/jsonfile"
)

// A group is a body of the company: its board, its auditors.
type group struct{ roles []role }

type role struct {
	kind                coded
	left                bool
	first, middle, last string
	born                string
	unit, number        string // a company in the role
	share               string
}

func readGroup(r *jsonfile.Reader) (g group) {
	r.Object(func(key []byte) {
		if string(key) == "roller" {
			r.Array(func() { g.roles = append(g.roles, readRole(r)) })
		}
	})
	return g
}

func readRole(r *jsonfile.Reader) (one role) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "type":
			one.kind = readCoded(r)
		case "fratraadt", "avregistrert":
			one.left = r.Bool() || one.left
		case "ansvarsandel":
			one.share = r.Text()
		case "person":
			one.readPerson(r)
		case "enhet":
			r.Object(func(key []byte) {
				switch string(key) {
				case "organisasjonsnummer":
					one.number = r.Text()
				case "navn":
					one.unit = readLines(r)
				}
			})
		}
	})
	return one
}

func (one *role) readPerson(r *jsonfile.Reader) {
	r.Object(func(key []byte) {
		switch string(key) {
		case "fodselsdato":
			one.born = r.Text()
		case "navn":
			r.Object(func(key []byte) {
				switch string(key) {
				case "fornavn":
					one.first = r.Text()
				case "mellomnavn":
					one.middle = r.Text()
				case "etternavn":
					one.last = r.Text()
				}
			})
		}
	})
}

// words are what roles are called here, by the register's code.
var words = map[string]string{
	"DAGL": "ceo", "LEDE": "chair", "NEST": "deputy chair", "MEDL": "board member",
	"VARA": "deputy board member", "OBS": "observer", "REVI": "auditor", "REGN": "accountant",
	"FFØR": "business manager", "FFOR": "business manager", "BEST": "managing owner", "INNH": "owner",
	"DTPR": "partner", "DTSO": "partner", "KOMP": "general partner", "BOBE": "administrator",
	"KONT": "contact", "REPR": "representative", "SIGN": "signatory", "PROK": "authorised signatory",
	"EIKM": "owner", "HFOR": "parent", "ORGL": "parent", "SAM": "partner",
}

var digits = regexp.MustCompile(`\d{9}`)

// whoRuns is what a document of roles says. The number stands in the list of
// roles; a single document has it only in its links, and a saved one perhaps in
// its name.
func (d *document) whoRuns(name string) (company.Statement, error) {
	number := d.number
	for _, place := range []string{d.ofUnit, d.self, name} {
		if number == "" {
			number = digits.FindString(place)
		}
	}
	if number == "" {
		return company.Statement{}, errors.New("the roles do not say whose they are")
	}
	if err := checkNumber(number); err != nil {
		return company.Statement{}, err
	}
	s := company.Statement{Country: "NO", Number: number, Part: rolesPart}
	for _, g := range d.groups {
		for _, one := range g.roles {
			// Who has left stays in the document without a date of leaving.
			if o, ok := one.officer(); ok && !one.left {
				s.Facts.Officers = append(s.Facts.Officers, o)
			}
		}
	}
	return s, nil
}

func (one *role) officer() (company.Officer, bool) {
	o := company.Officer{Role: words[one.kind.code], RoleText: one.kind.text}
	if o.Role == "" {
		o.Role = strings.ToLower(cmp.Or(one.kind.text, one.kind.code, "other"))
	}
	if one.share != "" {
		o.RoleText = fmt.Sprintf("%s (%s)", o.RoleText, one.share)
	}
	if one.unit != "" {
		o.Company, o.Country = true, "NO"
		o.Name, o.RegNo = one.unit, one.number
		return o, true
	}
	o.First, o.Middle, o.Surname = one.first, one.middle, one.last
	o.Name = strings.Join(strings.Fields(one.first+" "+one.middle+" "+one.last), " ")
	if d := date(one.born); d != "" {
		o.Birth = d[:7]
	}
	return o, o.Name != ""
}

// whatHappened is what a line of the feed of updates says. It is not ok where
// that is nothing.
func (d *document) whatHappened() (s company.Statement, ok bool, err error) {
	switch {
	case d.change == "Sletting", d.change == "Fjernet", d.change == "Ny" && d.ofSubUnit == "":
	default: // Endring and Ukjent: something changed, and the feed does not say what
		return s, false, nil
	}
	if err := checkNumber(d.number); err != nil {
		return s, false, err
	}
	if d.ofSubUnit != "" {
		return s, false, errors.New("the feed does not say whose the sub-unit is: the list of sub-units does")
	}
	s = company.Statement{Country: "NO", Number: d.number, Part: updatePart}
	switch d.change {
	case "Ny":
		s.Gone = true // if it was deleted once, it is not any more
	case "Sletting":
		day := date(d.changed)
		s.Facts.Status, s.Facts.StatusText = company.NonActive, "slettet"
		s.Facts.StatusSince, s.Facts.Dissolved = day, day
	case "Fjernet":
		s.Part, s.Gone = "", true
	}
	return s, true, nil
}
