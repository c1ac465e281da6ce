package company

import (
	"cmp"
	"slices"
	"time"
)

// A draft is an update in the making.
type draft struct {
	u      Update
	source string
	at     time.Time

	alone bool          // nobody but this run has ever written
	known map[Ident]ID  // who goes by which number
	held  map[ID]Held   // before this update
	put   map[ID]int    // where a company is in the update
	moved []Fingerprint // what is left under other names of companies
}

func newDraft(source string, at time.Time) *draft {
	return &draft{source: source, at: at, known: map[Ident]ID{}, put: map[ID]int{}}
}

// holds returns what is held of a company, as far as the draft has come.
func (d *draft) holds(id ID) (h Held, ok bool) {
	if i, ok := d.put[id]; ok {
		h = d.u.Companies[i].Held
		return h, len(h.Said) > 0
	}
	h, ok = d.held[id]
	return h, ok
}

// keep adds a company that was and is now different, with its changes. Of
// several updates of one company the last holds.
func (d *draft) keep(was, is Held) Saved {
	if is.onlyRated() {
		is.Said = nil // nobody speaks of it any more
	}
	now := merge(is, nil)
	first := len(d.u.Changes)
	switch {
	case len(was.Said) == 0:
		d.u.Changes = append(d.u.Changes, Change{Company: is.ID, Field: Added, New: now.Name})
	case len(is.Said) == 0:
		old := merge(was, nil)
		d.u.Changes = append(d.u.Changes, Change{Company: is.ID, Field: Removed, Old: old.Name})
	default:
		old := merge(was, nil)
		d.u.Changes = append(d.u.Changes, Compare(Company{ID: is.ID, Facts: old}, Company{ID: is.ID, Facts: now})...)
	}
	for i := first; i < len(d.u.Changes); i++ {
		d.u.Changes[i].Source, d.u.Changes[i].At = d.source, d.at
	}
	c := now.saved(is)
	if i, ok := d.put[is.ID]; ok {
		c.New = d.u.Companies[i].New
		d.u.Companies[i] = c
	} else {
		c.New = len(was.Said) == 0
		d.put[is.ID] = len(d.u.Companies)
		d.u.Companies = append(d.u.Companies, c)
	}
	for _, i := range c.Idents {
		if first, ok := d.known[i]; !ok || is.ID < first {
			d.known[i] = is.ID
		}
	}
	return c
}

// update is what the draft came to.
func (d *draft) update() Update {
	d.u.Companies = slices.DeleteFunc(d.u.Companies, func(c Saved) bool {
		if len(c.Said) > 0 {
			return false
		}
		if !c.New {
			d.u.Removed = append(d.u.Removed, c.ID)
		}
		return true
	})
	if len(d.moved) > 0 { // then a key may be there twice, and the last holds
		last := make(map[int64]int, len(d.u.Keys))
		for i, k := range d.u.Keys {
			last[k.Key] = i
		}
		i := -1
		d.u.Keys = slices.DeleteFunc(d.u.Keys, func(k Fingerprint) bool { i++; return last[k.Key] != i })
	}
	return d.u
}

// saved makes the columns by which a company is found.
func (f *Facts) saved(h Held) Saved {
	s := Saved{Held: h, Name: f.Name, Country: h.ID.Country(), Status: f.Status}
	if f.Score != nil {
		s.Band = f.Score.Band
	}
	if f.Due.AccountsNext.isDay() {
		s.Due = f.Due.AccountsNext
	}
	if r := h.rated(); r != nil {
		s.Rerate = r.Next
	}
	add := func(kind IdentKind, value string) {
		if value != "" {
			s.Idents = append(s.Idents, Ident{kind, value})
		}
	}
	add(ByLEI, f.LEI)
	add(BySafeNo, f.SafeNo)
	for _, v := range f.VAT {
		add(ByVAT, v)
	}
	for _, l := range f.Links {
		if l.Kind == Parent && l.Until == "" {
			add(ByParent, cmp.Or(l.LEI, string(l.ID)))
		}
	}
	// Where the register's number is not what the ID is made of, it leads to
	// the company too.
	if f.RegNo != "" {
		if id := NewID(s.Country, f.RegNo); id != h.ID {
			add(ByRegNo, s.Country+" "+id.Number())
		}
	}
	slices.SortFunc(s.Idents, func(a, b Ident) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Value, b.Value))
	})
	s.Idents = slices.Compact(s.Idents)
	return s
}
