package company

import (
	"cmp"
	"context"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// A who names a company in the ways that a source may.
type who struct{ Country, Number, LEI, VAT string }

// learn takes over what the other knows besides.
func (w *who) learn(o who) {
	w.Country, w.Number = cmp.Or(w.Country, o.Country), cmp.Or(w.Number, o.Number)
	w.LEI, w.VAT = cmp.Or(w.LEI, o.LEI), cmp.Or(w.VAT, o.VAT)
}

// key is the source's own name for a company: its number, or what stands for it.
func (w *who) key() int64 {
	switch {
	case w.Number != "":
		return NewID(w.Country, w.Number).key()
	case w.LEI != "":
		return keyOf("lei " + w.LEI)
	}
	return keyOf("vat " + w.VAT)
}

// key is a number for an ID. Registers count their companies and publish them in
// that order, so an ID that ends in a number keeps it: what is said of neighbours
// lies side by side in the database, and a file is taken in page by page instead
// of all over the place.
func (id ID) key() int64 {
	const most, room = 9, 30 // digits, and the bits that they take
	s := string(id)
	at := len(s)
	number := int64(0)
	for unit := int64(1); at > 0 && len(s)-at < most && '0' <= s[at-1] && s[at-1] <= '9'; unit *= 10 {
		at--
		number += int64(s[at]-'0') * unit
	}
	// Few IDs begin alike where a number is short or much stands before it: an
	// LEI, say. What stands before must not fall together with another's.
	if digits := len(s) - at; digits >= 4 && at <= len("GB-0-")+12 {
		before := keyOf(s[:at]) ^ int64(digits)<<room
		return before>>room<<room | number
	}
	return keyOf(s)
}

func keyOf(name string) int64 { return int64(xxhash.Sum64String(name)) }

// idents are the numbers by which a company may be known already.
func (w *who) idents() []Ident {
	out := make([]Ident, 0, 3)
	if w.Number != "" {
		id := NewID(w.Country, w.Number)
		out = append(out, Ident{ByRegNo, id.Country() + " " + id.Number()})
	}
	if w.LEI != "" {
		out = append(out, Ident{ByLEI, w.LEI})
	}
	if w.VAT != "" {
		out = append(out, Ident{ByVAT, w.VAT})
	}
	return out
}

// id is the ID that a company gets when this is the first that is said of it.
// It gets none without a country: a relationship, say, makes no company.
func (w *who) id() ID {
	if w.Country == "" {
		return ""
	}
	return NewID(w.Country, cmp.Or(w.Number, w.LEI, w.VAT))
}

// find looks for the companies that groups may be about.
func (r *Run) find(ctx context.Context, v View, d *draft, groups []*group, at map[int64]ID) (err error) {
	// Nobody but us has written since the register was empty: then only what
	// this file itself spoke of before can be there, and need be looked for.
	d.alone = r.void && v.LastChange() == r.last
	var idents []Ident
	var look []ID
	for _, g := range groups {
		if id := at[g.key]; id != "" {
			look = append(look, id)
			continue
		}
		names := g.who.idents()
		if d.alone && !r.heard.has(uint64(g.key)) && !slices.ContainsFunc(names, func(i Ident) bool { return r.idents.has(i.hash()) }) {
			continue
		}
		idents = append(idents, names...)
		if id := g.who.id(); id != "" {
			look = append(look, id)
		}
	}
	if len(idents) > 0 {
		if d.known, err = v.Find(ctx, idents); err != nil {
			return err
		}
	}
	for _, id := range d.known {
		look = append(look, id)
	}
	if len(look) > 0 {
		slices.Sort(look)
		d.held, err = v.Held(ctx, slices.Compact(look))
	}
	return err
}

// settle decides which company is meant: the one whose ID it would get, if we
// hold that, else one that goes by its number, LEI or VAT number, else a new
// one.
func (d *draft) settle(w *who) ID {
	own := w.id()
	if len(d.known) == 0 {
		return own
	}
	if _, ok := d.holds(own); ok {
		return own
	}
	for _, i := range w.idents() {
		if id, ok := d.known[i]; ok {
			return id
		}
	}
	return own
}

// hash is a number for an ident.
func (i Ident) hash() uint64 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.WriteString(string(i.Kind))
	_, _ = d.WriteString(" ")
	_, _ = d.WriteString(i.Value)
	return d.Sum64()
}
