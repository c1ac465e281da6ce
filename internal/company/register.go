package company

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bureau/internal/fault"
)

// The Register is the door to companies.
type Register struct {
	Store Store
	Now   func() time.Time
}

// Company returns a company as all sources together know it.
func (r *Register) Company(ctx context.Context, id ID) (Company, error) {
	h, err := r.Store.Company(ctx, id)
	if err != nil {
		return Company{}, err
	}
	return Merge(h), nil
}

// Lookup finds a company by a connectId in any of its forms, or by its safe
// number.
func (r *Register) Lookup(ctx context.Context, text string) (Company, error) {
	id, err := ParseID(text)
	if err == nil {
		c, err := r.Company(ctx, id)
		if err == nil {
			return c, nil
		}
		found, ferr := r.Store.Find(ctx, Ident{ByRegNo, id.Country() + " " + id.Number()})
		if ferr != nil {
			return Company{}, err
		}
		return r.Company(ctx, found)
	}
	found, ferr := r.Store.Find(ctx, Ident{BySafeNo, text})
	if ferr != nil {
		return Company{}, err
	}
	return r.Company(ctx, found)
}

// Correct lets the operator say something about a company that no import takes
// away: edit changes what the operator says.
func (r *Register) Correct(ctx context.Context, id ID, edit func(*Facts) error) (Company, error) {
	var out Company
	err := r.Store.Write(ctx, func(v View) (Update, error) {
		held, err := v.Held(ctx, []ID{id})
		if err != nil {
			return Update{}, err
		}
		was, ok := held[id]
		if !ok {
			return Update{}, fault.Missing.Errorf("there is no company %s", id)
		}
		is := was.clone()
		var facts Facts
		for _, s := range was.from(Operator) {
			facts = s.Facts
		}
		if err := edit(&facts); err != nil {
			return Update{}, err
		}
		is.drop(Operator, "")
		s := Said{Source: Operator, Facts: facts}
		if string(s.encode()) != "{}" {
			is.set(s)
		}
		var u Update
		out = u.keep(was, is, Operator, r.Now())
		return u, nil
	})
	return out, err
}

// keep adds a company that was and is now different to an update: the company,
// the changes, or its removal when nobody speaks of it any more.
func (u *Update) keep(was, is Held, source string, at time.Time) Company {
	is.ID = was.ID
	old, now := Merge(was), Merge(is)
	var changes []Change
	switch {
	case len(was.Said) == 0:
		changes = []Change{{Company: is.ID, Field: Added, New: now.Name}}
	case len(is.Said) == 0:
		changes = []Change{{Company: is.ID, Field: Removed, Old: old.Name}}
		u.Removed = append(u.Removed, is.ID)
	default:
		changes = Compare(old, now)
	}
	for i := range changes {
		changes[i].Source, changes[i].At = source, at
	}
	u.Changes = append(u.Changes, changes...)
	if len(is.Said) > 0 {
		u.Companies = append(u.Companies, now.saved(is, len(was.Said) == 0))
	}
	return now
}

// saved makes the columns by which a company is found.
func (c Company) saved(h Held, isNew bool) Saved {
	s := Saved{Held: h, New: isNew, Name: c.Name, Country: c.ID.Country(), Status: c.Status}
	add := func(kind IdentKind, value string) {
		if value != "" {
			s.Idents = append(s.Idents, Ident{kind, value})
		}
	}
	add(ByLEI, c.LEI)
	add(BySafeNo, c.SafeNo)
	for _, v := range c.VAT {
		add(ByVAT, v)
	}
	for _, l := range c.Links {
		if l.Kind == Parent && l.Until == "" {
			add(ByParent, cmp.Or(l.LEI, string(l.ID)))
		}
	}
	// Where the register's number is not what the ID is made of, it leads to
	// the company too.
	if c.RegNo != "" && NewID(c.ID.Country(), c.RegNo) != c.ID {
		add(ByRegNo, c.ID.Country()+" "+NewID(c.ID.Country(), c.RegNo).Number())
	}
	slices.SortFunc(s.Idents, func(a, b Ident) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Value, b.Value))
	})
	s.Idents = slices.Compact(s.Idents)
	return s
}
