package kyc

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
)

// A Listing tells the register which of its companies are on a sanctions list:
// that is a change of the company like any other, of which every portfolio with
// it may hear.
//
// Only an entry that names a company by its LEI, or by the country and number of
// its register, counts. A name that is alike is something for the customer who
// asked about it to judge, not for everybody to be told.
type Listing struct {
	Index    *Index
	Lists    Store
	Register company.Store
	Now      func() time.Time
}

// maxListed is how many entries are looked at while the register is held.
const maxListed = 500

// TakeEntries writes down what changes of lists mean for companies, and how far
// their reader has come. A crash in between repeats nothing: what is known of an
// entry is kept with its changes.
func (l *Listing) TakeEntries(ctx context.Context, changes []Change, to job.Place) error {
	var ids []EntryID
	for _, c := range changes {
		ids = append(ids, c.Entry)
	}
	return l.take(ctx, ids, to)
}

// TakeCompanies does the same for changes of companies: one that came or got
// another number may be on a list already.
func (l *Listing) TakeCompanies(ctx context.Context, changes []company.Change, to job.Place) error {
	var of []company.ID
	for _, c := range changes {
		switch c.Field {
		case company.Added, company.LEI, company.RegNo:
			of = append(of, c.Company)
		}
	}
	if len(of) == 0 {
		return l.take(ctx, nil, to)
	}
	if err := l.Index.Refresh(ctx); err != nil {
		return err
	}
	slices.Sort(of)
	held, err := l.Register.Held(ctx, slices.Compact(of))
	if err != nil {
		return err
	}
	var ids []EntryID
	for id, h := range held {
		c := company.Merge(h)
		ids = append(ids, l.Index.numbered(string(id))...)
		ids = append(ids, l.Index.numbered(c.LEI)...)
		ids = append(ids, l.Index.numbered(string(company.NewID(id.Country(), c.RegNo)))...)
	}
	return l.take(ctx, ids, to)
}

// take looks at entries, some at a time, and keeps the reader's place with the
// last of them.
func (l *Listing) take(ctx context.Context, ids []EntryID, to job.Place) error {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for {
		now := ids[:min(len(ids), maxListed)]
		ids = ids[len(now):]
		held, err := l.Lists.Entries(ctx, now)
		if err != nil {
			return err
		}
		err = l.Register.Write(ctx, func(v company.View) (company.Update, error) {
			u, err := l.update(ctx, v, now, held)
			if len(ids) == 0 {
				u.Reached = &company.Reached{Reader: to.Name, Number: to.Number, Fence: to.Fence}
			}
			return u, err
		})
		if err != nil || len(ids) == 0 {
			return err
		}
	}
}

// A listedAs is what the register was told of an entry: which companies it is,
// and what it was called.
type listedAs struct {
	List      string
	Name      string
	Companies []company.ID
}

func (l *Listing) update(ctx context.Context, v company.View, ids []EntryID, held map[EntryID]Held) (u company.Update, err error) {
	u.Notes = map[string]string{}
	at := l.Now().UTC().Truncate(time.Millisecond)
	for _, id := range ids {
		name := fmt.Sprint("listed ", id)
		note, err := v.Note(ctx, name)
		if err != nil {
			return u, err
		}
		var was listedAs
		if note != "" {
			if err := json.Unmarshal([]byte(note), &was); err != nil {
				return u, fmt.Errorf("read what was told of entry %d: %w", id, err)
			}
		}
		var is listedAs
		if h, there := held[id]; there {
			if is, err = stands(ctx, v, h); err != nil {
				return u, err
			}
		}
		u.Changes = append(u.Changes, was.changes(is, at)...)
		switch {
		case len(is.Companies) > 0:
			b, err := json.Marshal(is)
			if err != nil {
				return u, err
			}
			u.Notes[name] = string(b)
		case note != "":
			u.Notes[name] = ""
		}
	}
	return u, nil
}

// stands finds the companies that an entry is.
func stands(ctx context.Context, v company.View, h Held) (s listedAs, err error) {
	e, err := h.Entry()
	if err != nil || !e.sanctioned() {
		return s, err
	}
	var direct []company.ID
	var idents []company.Ident
	for _, n := range e.numbers() {
		if n.id != "" {
			direct = append(direct, n.id)
			idents = append(idents, company.Ident{Kind: company.ByRegNo, Value: n.id.Country() + " " + n.id.Number()})
			continue
		}
		idents = append(idents, company.Ident{Kind: company.ByLEI, Value: n.lei})
	}
	if len(idents) == 0 {
		return s, nil
	}
	found, err := v.Find(ctx, idents)
	if err != nil {
		return s, err
	}
	known, err := v.Held(ctx, direct)
	if err != nil {
		return s, err
	}
	s = listedAs{List: h.List, Name: e.Main(), Companies: slices.Collect(maps.Keys(known))}
	for _, id := range found {
		s.Companies = append(s.Companies, id)
	}
	slices.Sort(s.Companies)
	s.Companies = slices.Compact(s.Companies)
	return s, nil
}

// changes are what is new of an entry, for the companies that it is or was.
func (was listedAs) changes(is listedAs, at time.Time) (out []company.Change) {
	for _, id := range was.Companies {
		if !slices.Contains(is.Companies, id) {
			out = append(out, company.Change{Company: id, Field: company.Listed, Item: FindList(was.List).Title, Old: was.Name, Source: was.List, At: at})
		}
	}
	for _, id := range is.Companies {
		if !slices.Contains(was.Companies, id) {
			out = append(out, company.Change{Company: id, Field: company.Listed, Item: FindList(is.List).Title, New: is.Name, Source: is.List, At: at})
		}
	}
	return out
}

// sanctioned says whether an entry is a company that is under sanctions now.
func (e *Entry) sanctioned() bool {
	return e.Kind != Person && slices.ContainsFunc(e.Datasets, func(d Dataset) bool { return d == SAN || d == SANCurrent })
}

// A firmNumber is one by which an entry names a company: an LEI, or the ID that the
// country and the number of a register spell.
type firmNumber struct {
	lei string
	id  company.ID
}

func (n firmNumber) String() string { return n.lei + string(n.id) }

// numbers are those by which an entry names a company.
func (e *Entry) numbers() (out []firmNumber) {
	for _, i := range e.Identifiers {
		country := i.Country
		switch i.Type {
		case LEI:
			out = append(out, firmNumber{lei: i.Value})
			continue
		case OGRN:
			country = "RU"
		case Registration:
			if tied := e.TiedTo(); country == "" && len(tied) == 1 {
				country = tied[0]
			}
		default:
			continue
		}
		if len(country) == 2 && i.Value != "" {
			out = append(out, firmNumber{id: company.NewID(country, i.Value)})
		}
	}
	return out
}
