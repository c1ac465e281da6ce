package sandbox

import (
	"fmt"
	"math/rand/v2"
	"time"

	"bureau/internal/company"
)

// person is the n-th invented person of a country.
func (w World) person(l land, n int) company.Person {
	r := w.random("person "+l.code, n)
	first, surname := pick(r, l.firsts), l.compound(r)
	middle := ""
	if r.IntN(3) == 0 {
		middle = pick(r, l.firsts)
	}
	name := first + " " + surname
	if middle != "" {
		name = first + " " + middle + " " + surname
	}
	a := l.address(r, company.Postal)
	return company.Person{
		ID: fmt.Sprintf("%s-9%06d", l.code, n), Name: name, First: first, Middle: middle, Surname: surname,
		Birth:       company.Date(fmt.Sprintf("%d-%02d", 1945+r.IntN(58), 1+r.IntN(12))),
		Nationality: l.nation, Residence: l.code, Country: l.code, Address: &a,
	}
}

// boardMember chooses a person. There are fewer people than seats, and some sit
// on many boards.
func (w World) boardMember(l land, r *rand.Rand) company.Person {
	people := max(3, w.PerCountry*3/2)
	n := r.IntN(people)
	if r.IntN(5) == 0 {
		n = r.IntN(max(1, people/50)) // the busy ones
	}
	return w.person(l, n)
}

// ofAge is a day, or when somebody comes of age if that is later.
func ofAge(p company.Person, t time.Time) time.Time {
	born, err := time.Parse("2006-01", string(p.Birth))
	if err != nil {
		return t
	}
	if grown := born.AddDate(18, 1, 0); grown.After(t) {
		return grown
	}
	return t
}

// people gives a company its board, past and present, and its owners.
func (w World) people(f *company.Facts, c int, l land, n int, r *rand.Rand, founded time.Time) {
	roles := []string{"director", "director", "secretary", "director", "chair"}
	seats := 1 + r.IntN(len(roles))
	taken := map[string]bool{}
	for i := range seats + r.IntN(3) {
		p := w.boardMember(l, r)
		if taken[p.ID] {
			continue
		}
		taken[p.ID] = true
		span := int(Birthday.Sub(founded).Hours()/24) - 400
		from := ofAge(p, founded.AddDate(0, 0, r.IntN(max(1, span))))
		o := company.Officer{Person: p, Role: roles[i%len(roles)], From: day(from)}
		if i >= seats {
			o.Until = day(from.AddDate(0, 3+r.IntN(9), 0))
		}
		f.Officers = append(f.Officers, o)
	}
	left := 100.0
	for range 1 + r.IntN(3) {
		share := float64(10 + r.IntN(60))
		if share > left {
			share = left
		}
		left -= share
		p := w.boardMember(l, r)
		f.Owners = append(f.Owners, company.Owner{
			Person: p, Natures: []string{"owns shares"}, ShareMin: share, ShareMax: share, From: day(ofAge(p, founded)),
		})
		if left <= 0 {
			break
		}
	}
}

// links puts companies into groups: of every twenty, the first leads, the next
// few belong to it, and some belong to those.
func (w World) links(f *company.Facts, c, n int, r *rand.Rand) {
	const group = 20
	place := n % group
	if place == 0 || place > 8 {
		return
	}
	head := n - place
	// Every third group is led from the next country.
	lead := c
	if (n/group)%3 == 0 {
		lead = (c + 1) % len(lands)
	}
	top := w.ID(lands[lead].code, head)
	parent := top
	if place > 4 {
		parent = w.ID(lands[c].code, head+place-4)
	}
	f.Links = append(f.Links,
		company.Link{Kind: company.Parent, ID: parent, Country: parent.Country(), From: f.Founded},
		company.Link{Kind: company.UltimateParent, ID: top, Country: top.Country(), From: f.Founded})
}
