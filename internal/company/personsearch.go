package company

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"bureau/internal/fault"
	"bureau/internal/match"
)

// PersonCriteria are what people are searched by. What is empty is not asked
// for; all that is asked for must hold.
type PersonCriteria struct {
	Countries   []string // of the companies; none is all
	ID          PersonID
	Number      string // the publisher's number for the person
	First, Last string
	Full        string // first and last names together
	Birth       Date   // as far as the month: a day is never compared
	Company     string // a connectId or safe number of a company on whose board they sit
	RegNo       string // a register's number of one
	CompanyName string // near to the name of one
}

// A PersonHit is somebody who was found.
type PersonHit struct {
	Director
	Score  float64
	Chance float64
}

// PersonPosition is where a list of people broke off.
type PersonPosition struct {
	Chance float64
	ID     PersonID
}

// A PersonPage is which part of the people is wanted.
type PersonPage struct {
	Skip, Limit int
	After       *PersonPosition
}

// PersonHits are a page of people, the likeliest first.
type PersonHits struct {
	List   []PersonHit
	Total  int
	Next   *PersonPosition // nil at the end
	Behind int64
}

// maxSeats bounds how many companies of one person are told.
const maxSeats = 1000

// Person returns a director and their companies, past and present. Somebody who
// is on no board that we know of is a fault.Missing.
func (f *Finder) Person(ctx context.Context, id PersonID) (Director, error) {
	d, err := f.director(ctx, id, maxSeats)
	if err == nil && len(d.Seats) == 0 {
		err = fault.Missing.Errorf("Person resource not found")
	}
	return d, err
}

func (f *Finder) director(ctx context.Context, id PersonID, most int) (Director, error) {
	boards, err := f.boards(ctx, id, most, nil)
	if err != nil {
		return Director{}, err
	}
	d := Director{ID: id}
	for i := range boards {
		d.Seats = append(d.Seats, boards[i].seats(id)...)
	}
	// The present ones first, the newest before the others.
	slices.SortStableFunc(d.Seats, func(a, b Seat) int {
		return cmp.Or(cmp.Compare(yes(b.Present()), yes(a.Present())), cmp.Compare(b.From, a.From))
	})
	if len(d.Seats) > 0 {
		d.Person = d.Seats[0].Person
	}
	return d, nil
}

// People finds people. A question that names nobody is a fault.Invalid; one for a
// name is a fault.Busy until the index is ready.
func (f *Finder) People(ctx context.Context, c PersonCriteria, p PersonPage) (PersonHits, error) {
	ids, err := f.candidates(ctx, &c)
	if err != nil {
		return PersonHits{}, err
	}
	if f.Veil != nil {
		hidden, err := f.Veil(ctx, ids)
		if err != nil {
			return PersonHits{}, err
		}
		ids = slices.DeleteFunc(ids, func(id PersonID) bool { return hidden[id] })
	}
	var list []PersonHit
	asked := c.subject()
	for _, id := range ids {
		d, err := f.director(ctx, id, maxBoards)
		if err != nil {
			return PersonHits{}, err
		}
		if hit, ok := c.judge(d, asked); ok {
			list = append(list, hit)
		}
	}
	slices.SortFunc(list, func(a, b PersonHit) int {
		return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(a.ID, b.ID))
	})
	out := PersonHits{Total: len(list)}
	if at := p.After; at != nil {
		list = slices.DeleteFunc(list, func(h PersonHit) bool {
			return h.Chance > at.Chance || h.Chance == at.Chance && h.ID <= at.ID
		})
	}
	list = list[min(p.Skip, len(list)):]
	n := min(p.Limit, len(list))
	if out.List = list[:n]; n < len(list) {
		out.Next = &PersonPosition{list[n-1].Chance, list[n-1].ID}
	}
	out.Behind, err = f.Store.KeysBehind(ctx)
	return out, err
}

// candidates are who may be meant.
func (f *Finder) candidates(ctx context.Context, c *PersonCriteria) ([]PersonID, error) {
	switch {
	case c.ID != "":
		return []PersonID{c.ID}, nil
	case c.Number != "":
		var ids []PersonID
		for _, country := range c.Countries {
			p := Person{ID: c.Number, Name: "-"}
			ids = append(ids, p.PersonID(NewID(country, "")))
		}
		slices.Sort(ids)
		return slices.Compact(ids), nil
	case c.Company != "" || c.RegNo != "":
		return f.officersOf(ctx, c)
	case c.Last == "" && c.Full == "":
		return nil, fault.Invalid.Errorf("there is nobody to look for: give a last name, a number or a company")
	}
	held, err := f.names()
	if err != nil {
		return nil, err
	}
	var ids []PersonID
	for _, m := range held.people.index.Search(c.subject(), mostNames, match.Filter{Countries: c.Countries}) {
		if id, ok := held.people.numbers.id(m.ID); ok {
			ids = append(ids, PersonID(id))
		}
	}
	return ids, nil
}

// officersOf are the officers of the companies that were asked for.
func (f *Finder) officersOf(ctx context.Context, c *PersonCriteria) ([]PersonID, error) {
	hits, err := f.Search(ctx, Criteria{Countries: c.Countries, ID: c.Company, RegNo: c.RegNo}, Page{Limit: 10})
	if err != nil {
		return nil, err
	}
	var ids []PersonID
	for i := range hits.List {
		h := &hits.List[i]
		for k := range h.Officers {
			if id := h.Officers[k].PersonID(h.ID); id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// subject is who is asked for. A first name beside a full one says it again.
func (c *PersonCriteria) subject() match.Subject {
	name := strings.TrimSpace(c.First + " " + c.Last)
	if c.Full != "" {
		name = c.Full
	}
	if name == "" {
		return match.Subject{Kind: match.Person}
	}
	s := match.NewSubject(match.Person, name)
	if d, ok := match.ParseDate(string(c.Birth.month())); ok {
		s.Born = append(s.Born, d)
	}
	return s
}

// judge reports whether all criteria hold for somebody.
func (c *PersonCriteria) judge(d Director, asked match.Subject) (PersonHit, bool) {
	hit := PersonHit{Director: d}
	switch {
	case len(d.Seats) == 0,
		len(c.Countries) > 0 && !d.sits(func(s *Seat) bool { return slices.Contains(c.Countries, s.Company.ID.Country()) }),
		c.Birth != "" && !sameMonth(c.Birth, d.Birth),
		c.Number != "" && !d.sits(func(s *Seat) bool { return plainNumber(s.ID) == plainNumber(c.Number) }):
		return hit, false
	}
	if c.CompanyName != "" {
		name := match.NewSubject(match.Company, c.CompanyName)
		if !d.sits(func(s *Seat) bool {
			v := match.Compare(name, s.Company.subject())
			return isNear(v.Score, name, s.Company.texts(nil))
		}) {
			return hit, false
		}
	}
	if len(asked.Names) == 0 {
		return hit, true
	}
	var seats []seat
	var names []string
	for i := range d.Seats {
		at := &d.Seats[i]
		seats = append(seats, seat{string(d.ID), at.Name, string(at.Birth.month()), at.Company.ID.Country()})
		names = append(names, at.Name)
	}
	v := match.Compare(asked, personSubject(seats))
	hit.Score, hit.Chance = v.Score, v.Probability
	return hit, isNearPerson(v.Score, asked, names)
}

func (d *Director) sits(where func(*Seat) bool) bool {
	for i := range d.Seats {
		if where(&d.Seats[i]) {
			return true
		}
	}
	return false
}

// sameMonth compares dates of birth as far as both are known, and never the day:
// who may not be shown it must not find it out by asking.
func sameMonth(a, b Date) bool {
	a, b = a.month(), b.month()
	n := min(len(a), len(b))
	return n >= len("2006") && a[:n] == b[:n]
}
