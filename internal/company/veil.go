package company

import (
	"context"
	"slices"
	"strings"
)

// Hide hides in a report who may not be shown.
func (f *Finder) Hide(ctx context.Context, r *Report) error {
	if f.Veil == nil {
		return nil
	}
	hidden, err := f.Veil(ctx, r.People())
	if err == nil {
		r.Veil(hidden)
	}
	return err
}

// People are who is named on a company's board and among its owners.
func (c *Company) People() (out []PersonID) {
	c.eachPerson(func(p *Person) {
		if id := p.PersonID(c.ID); id != "" && !p.Company {
			out = append(out, id)
		}
	})
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *Company) eachPerson(do func(*Person)) {
	for i := range c.Officers {
		do(&c.Officers[i].Person)
	}
	for i := range c.Owners {
		do(&c.Owners[i].Person)
	}
}

// Veil hides people of a company: of each it stays known that there is somebody,
// in which seat and since when.
func (c *Company) Veil(hidden map[PersonID]bool) {
	if len(hidden) == 0 {
		return
	}
	c.Officers, c.Owners = slices.Clone(c.Officers), slices.Clone(c.Owners)
	c.eachPerson(func(p *Person) {
		if hidden[p.PersonID(c.ID)] {
			*p = Person{Protected: true}
		}
	})
}

// peopleFields are the changes that name people.
var peopleFields = []Field{OfficerIn, OfficerOut, OfficerChanged, OfficerPast, OwnerIn, OwnerOut, OwnerChanged, Signing}

// Veil hides people of a report, and what happened to them with them.
func (r *Report) Veil(hidden map[PersonID]bool) {
	if len(hidden) == 0 {
		return
	}
	var names []string
	ids := map[string]bool{}
	r.eachPerson(func(p *Person) {
		if hidden[p.PersonID(r.ID)] {
			names = append(names, p.Name)
			ids[p.ID] = p.ID != ""
		}
	})
	r.History = slices.DeleteFunc(slices.Clone(r.History), func(c Change) bool {
		return slices.Contains(peopleFields, c.Field) && (ids[c.Item] || slices.ContainsFunc(names, func(n string) bool {
			return strings.Contains(c.Old, n) || strings.Contains(c.New, n)
		}))
	})
	r.Company.Veil(hidden)
}
