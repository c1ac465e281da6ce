package identity

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Desk answers who people are.
type Desk struct {
	Store     Store
	Directors Directors
	Companies *company.Register
	Now       func() time.Time

	// Fingerprint makes of a number what only we can make of it again.
	Fingerprint func(number string) string

	// Lists looks for somebody on the screening lists. Without it nobody is
	// looked for, and answers say so.
	Lists func(ctx context.Context, name Name, born company.Date) ([]Listed, error)
}

// Directors finds people on the boards of companies.
type Directors interface {
	Person(ctx context.Context, id company.PersonID) (company.Director, error)
}

// A Listed is an entry on a screening list that may be somebody.
type Listed struct {
	Name     string
	Aliases  []string
	Bodies   []string // who listed them
	Position string   // of a politically exposed person
	Births   []company.Date
	PEP      bool
	Score    int // 0 to 100
}

// A Wanted is who is looked for.
type Wanted struct {
	Country   string
	Names     []Name // the present one first
	Birth     company.Date
	Addresses []Address // the present one first
	Person    company.PersonID
}

// A Candidate is a consumer who may be the one who is wanted.
type Candidate struct {
	Held
	Consumer // as their rights leave them

	Name    Grade
	Birth   Grade
	Address Grade
	Asked   int // which of the wanted addresses is theirs
	Lives   int // and which of their own it is
	Score   float64
}

// strength says how well a candidate fits. What is not known counts neither for
// nor against.
func (c *Candidate) strength() int {
	return 4*int(c.Name) + 3*int(c.Birth) + 3*int(c.Address)
}

// Key limits keep a common day or name from filling the memory.
const maxCandidates = 2000

// find returns who may be wanted, the likeliest first. A name alone is nobody:
// the date of birth or an address must speak for them too, and none of the
// three against them.
func (d *Desk) find(ctx context.Context, w Wanted) ([]Candidate, error) {
	ids, err := d.candidates(ctx, w)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	held, err := d.Store.Consumers(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []Candidate
	for _, id := range ids {
		h, ok := held[id]
		if !ok {
			continue
		}
		if c, ok := w.grade(h); ok {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		return cmp.Or(b.strength()-a.strength(), cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID(), b.ID()))
	})
	return out, nil
}

// candidates are consumers who share a key with who is wanted.
func (d *Desk) candidates(ctx context.Context, w Wanted) ([]ID, error) {
	var asks [][]string
	for _, a := range w.Addresses {
		if post := PlainPost(a.PostCode); post != "" {
			asks = append(asks, []string{key(w.Country, byPost, post)})
		}
	}
	if w.Person != "" {
		asks = append(asks, []string{key(w.Country, byPerson, string(w.Person))})
	}
	switch {
	case len(w.Birth) == len("2006-01-02"):
		asks = append(asks, []string{key(w.Country, byBirth, string(w.Birth))})
		fallthrough // a day that is wrong still has the month
	case len(w.Birth) >= len("2006-01"):
		for _, n := range w.Names {
			for s := range strings.FieldsSeq(fold(n.Surname)) {
				asks = append(asks, []string{key(w.Country, byMonth, string(w.Birth[:len("2006-01")])), key(w.Country, byWord, s)})
			}
		}
	}
	var out []ID
	for _, keys := range asks {
		ids, err := d.Store.FindConsumers(ctx, keys, maxCandidates)
		if err != nil {
			return nil, err
		}
		out = append(out, ids...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// grade compares a consumer with who is wanted, and says whether they may be
// the one.
func (w Wanted) grade(h Held) (c Candidate, ok bool) {
	c = Candidate{Held: h, Asked: -1, Lives: -1}
	if c.Consumer, ok = h.Shown(); !ok || c.Test {
		return c, false
	}
	for _, given := range w.Names {
		for _, held := range c.AllNames() {
			if g, s := CompareNames(given, held); g > c.Name || g == c.Name && s > c.Score {
				c.Name, c.Score = g, s
			}
		}
	}
	c.Birth = compareBirth(w.Birth, c.Consumer.Birth)
	c.Address = Unknown
	for i, asked := range w.Addresses {
		for j, r := range c.Addresses {
			if g := asked.Compare(r.Address); g > c.Address {
				c.Address, c.Asked, c.Lives = g, i, j
			}
		}
	}
	if w.Person != "" && w.Person == c.Person {
		return c, true // the operator says so
	}
	return c, c.Name >= Close && c.Birth != Differs && c.Address != Differs && (c.Birth >= Close || c.Address >= Close)
}

// leaders are the candidates that fit best, alike.
func leaders(list []Candidate) []Candidate {
	n := 0
	for n < len(list) && list[n].strength() == list[0].strength() {
		n++
	}
	return list[:n]
}

// Consumer returns the consumer with a number, as their rights leave them. One
// who may not be shown is a fault.Denied that says no more; an unknown one is a
// fault.Missing.
func (d *Desk) Consumer(ctx context.Context, id ID) (Held, Consumer, error) {
	held, err := d.Store.Consumers(ctx, []ID{id})
	if err != nil {
		return Held{}, Consumer{}, err
	}
	h, ok := held[id]
	if !ok {
		return Held{}, Consumer{}, fault.Missing.Errorf("Person not found")
	}
	c, ok := h.Shown()
	if !ok {
		return Held{}, Consumer{}, ErrHidden
	}
	return h, c, nil
}

// ErrHidden says that somebody may not be shown: the law protects them, or they
// objected. Which of the two it is, and who it is about, is not told.
var ErrHidden = fault.Denied.Errorf("this person may not be shown")

// ByName returns the people of a country whose names hold all words of a text,
// and whose address holds another text. Who may not be shown is not among them.
func (d *Desk) ByName(ctx context.Context, country, name, address string, limit int) ([]Consumer, error) {
	var keys []string
	for w := range strings.FieldsSeq(fold(name)) {
		keys = append(keys, key(country, byWord, w))
	}
	slices.Sort(keys)
	ids, err := d.Store.FindConsumers(ctx, slices.Compact(keys), maxCandidates)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	held, err := d.Store.Consumers(ctx, ids)
	if err != nil {
		return nil, err
	}
	var out []Consumer
	for _, id := range ids {
		h := held[id]
		c, ok := h.Shown()
		if !ok || c.Test || !c.livesAt(address) {
			continue
		}
		if out = append(out, c); len(out) == limit {
			break
		}
	}
	return out, nil
}

// livesAt reports whether the present address holds some words.
func (c *Consumer) livesAt(text string) bool {
	r, _ := c.Current()
	line := " " + fold(r.Line()) + " " + strings.ToLower(PlainPost(r.PostCode)) + " "
	for w := range strings.FieldsSeq(fold(text)) {
		if !strings.Contains(line, " "+w) {
			return false
		}
	}
	return true
}
