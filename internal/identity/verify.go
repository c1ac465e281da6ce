package identity

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Verification is whether somebody is known, and what is known against them.
type Verification struct {
	Match     bool
	Consumer  ID // for the audit log
	Judgments []Judgment
	Electoral []Residence
	Orders    []Insolvency
	Deceased  bool
	Death     company.Date
	Notices   []Right
}

func newVerification(c *Candidate) Verification {
	return Verification{
		Match: true, Consumer: c.ID(), Judgments: c.Judgments, Electoral: c.Electoral, Orders: c.Insolvencies,
		Deceased: c.Death != "", Death: c.Death, Notices: c.Notices(),
	}
}

// VerifyDirector answers for somebody who sits on boards. The person is found by
// their id where the operator has put it beside a consumer, and otherwise by the
// name, the month of birth and the address that the register has of them. Of
// several who fit alike none is the one.
func (d *Desk) VerifyDirector(ctx context.Context, id company.PersonID) (Verification, error) {
	p, err := d.Directors.Person(ctx, id)
	if err != nil {
		return Verification{}, err
	}
	if p.Protected {
		return Verification{}, fault.Missing.Errorf("Person resource not found")
	}
	return d.verify(ctx, wantedPerson(id, &p.Person))
}

func (d *Desk) verify(ctx context.Context, w Wanted) (Verification, error) {
	list, err := d.find(ctx, w)
	if err != nil {
		return Verification{}, err
	}
	for i := range list {
		if w.Person != "" && list[i].Person == w.Person {
			return newVerification(&list[i]), nil
		}
	}
	if best := leaders(list); len(best) == 1 {
		return newVerification(&best[0]), nil
	}
	return Verification{}, nil
}

func wantedPerson(id company.PersonID, p *company.Person) Wanted {
	w := Wanted{Country: "GB", Names: []Name{{First: p.First, Middle: p.Middle, Surname: p.Surname}}, Birth: p.Birth, Person: id}
	if p.Surname == "" {
		w.Names[0] = splitName(p.Name)
	}
	if a := p.Address; a != nil {
		at := Address{BuildingNo: a.House, Street: a.Street, City: a.City, PostCode: a.Post}
		if a.Street == "" && len(a.Lines) > 0 {
			at.Street = a.Lines[0]
		}
		w.Addresses = []Address{at}
	}
	return w
}

// VerifyCompany reports whether a company is known and at least one of those who
// run it today is too, with who they are.
func (d *Desk) VerifyCompany(ctx context.Context, text string) (c company.Company, known []ID, err error) {
	if c, err = d.Companies.Lookup(ctx, text); err != nil {
		return c, nil, err
	}
	for i := range c.Officers {
		o := &c.Officers[i]
		if o.Until != "" || o.Protected || o.Person.Company {
			continue
		}
		v, err := d.verify(ctx, wantedPerson(o.PersonID(c.ID), &o.Person))
		if err != nil {
			return c, nil, err
		}
		if v.Match {
			known = append(known, v.Consumer)
		}
	}
	return c, known, nil
}

// A DirectQuestion asks about an individual without an id.
type DirectQuestion struct {
	Name      Name
	Birth     string
	Addresses []Address // the present one first
}

// VerifyIndividual answers for somebody whom the caller describes.
func (d *Desk) VerifyIndividual(ctx context.Context, q DirectQuestion) (Verification, error) {
	c := checker{}
	name := q.Name.trimmed()
	if name.First == "" {
		c.say("firstName", "it is missing")
	}
	if name.Surname == "" {
		c.say("lastName", "it is missing")
	}
	c.long("lastName", name.Full())
	birth := c.birth("dateOfBirth", q.Birth, d.Now())
	some := birth != ""
	for i, a := range q.Addresses {
		field := "postCode"
		if i > 0 {
			field = fmt.Sprintf("addresses.previousAddresses[%d].postCode", i-1)
		}
		if strings.TrimSpace(a.PostCode) != "" && !IsBritishPost(a.PostCode) {
			c.say(field, "it is not a postcode")
		}
		some = some || a.PostCode != ""
		c.long(field, a.Line())
	}
	if !some {
		c.say("dateOfBirth", "a name alone is nobody: give the date of birth or the postcode as well")
	}
	if len(c.wrong) > 0 {
		return Verification{}, fault.Invalid.Details("Bad request", c.wrong...)
	}
	return d.verify(ctx, Wanted{Country: "GB", Names: []Name{name}, Birth: company.Date(birth), Addresses: q.Addresses})
}

// IsHidden reports whether an error says that somebody may not be shown.
func IsHidden(err error) bool { return errors.Is(err, ErrHidden) }
