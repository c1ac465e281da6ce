package company

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/fault"
)

// A Run takes the statements of one file of one source into the register. What
// the source said before and says again costs a look in a table in memory;
// what is new or different is written in batches, each a transaction of its
// own. A run that is broken off and begun again ends where an unbroken one
// would: what it had written is found unchanged.
type Run struct {
	register *Register
	source   string
	whole    bool
	at       time.Time

	keys   []int64 // of every statement that the source made before, sorted
	hashes []int64 // beside them
	seen   []bool  // beside them: this file has it too
	fresh  map[int64]struct{}

	// parts are those that a whole list names of companies it spoke of before
	// in other words. Which of the old parts it no longer holds is only known
	// at its end: a list need not be sorted.
	parts map[int64][]string

	last int64 // the log's last number when we last wrote; -1 if unknown
	void bool  // the register was empty when we began

	Result RunResult
}

// RunResult is what a run came to.
type RunResult struct {
	Records   int64 // statements taken in
	Unchanged int64 // of those, said before in the same words
	Companies int64 // that are new or became different
	New       int64 // of those, new
	Removed   int64 // statements that the whole list no longer holds
	Unknown   int64 // statements about companies that nobody has named yet
	Changes   int64
}

// NewRun begins to take in a file. A whole one also takes away what it no
// longer holds, in Finish. at is the time that changes get.
func (r *Register) NewRun(ctx context.Context, source string, whole bool, at time.Time) (*Run, error) {
	run := &Run{
		register: r, source: source, whole: whole, at: at, last: -1,
		fresh: map[int64]struct{}{}, parts: map[int64][]string{},
	}
	type pair struct{ key, hash int64 }
	var pairs []pair
	err := r.Store.Fingerprints(ctx, source, func(key, hash int64) { pairs = append(pairs, pair{key, hash}) })
	if err != nil {
		return nil, fmt.Errorf("read what %s said before: %w", source, err)
	}
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	run.keys, run.hashes = make([]int64, len(pairs)), make([]int64, len(pairs))
	for i, p := range pairs {
		run.keys[i], run.hashes[i] = p.key, p.hash
	}
	run.seen = make([]bool, len(pairs))
	n, err := r.Store.Count(ctx)
	if err != nil {
		return nil, fmt.Errorf("count companies: %w", err)
	}
	if run.void = n == 0; run.void {
		if run.last, err = r.Store.LastChange(ctx); err != nil {
			return nil, fmt.Errorf("read the end of the log: %w", err)
		}
	}
	return run, nil
}

// A group is all that one batch says about one company.
type group struct {
	key   int64
	first Statement // which company
	said  []Said
	gone  []string // parts that the source no longer holds
	hash  int64
}

// Add takes in statements, in the order of the file.
func (r *Run) Add(ctx context.Context, batch []Statement) error {
	r.Result.Records += int64(len(batch))
	groups := r.group(batch)
	changed := groups[:0]
	for _, g := range groups {
		if i, ok := slices.BinarySearch(r.keys, g.key); ok && r.hashes[i] == g.hash && len(g.gone) == 0 && !r.seen[i] {
			r.seen[i] = true
			r.Result.Unchanged += int64(len(g.said))
			continue
		}
		changed = append(changed, g)
	}
	if len(changed) == 0 {
		return nil
	}
	return r.write(ctx, changed)
}

// group collects what is said about each company; of two statements about the
// same part the later one holds, so what changes and changes back within a
// batch has not changed.
func (r *Run) group(batch []Statement) []*group {
	var groups []*group
	byKey := make(map[int64]*group, len(batch))
	for _, s := range batch {
		key := s.key()
		g := byKey[key]
		if g == nil {
			g = &group{key: key, first: s}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.said = slices.DeleteFunc(g.said, func(o Said) bool { return o.Part == s.Part })
		g.gone = slices.DeleteFunc(g.gone, func(part string) bool { return part == s.Part })
		if s.Gone {
			g.gone = append(g.gone, s.Part)
			continue
		}
		g.said = append(g.said, Said{Source: r.source, Part: s.Part, Facts: s.Facts})
	}
	for _, g := range groups {
		slices.SortFunc(g.said, bySource)
		g.hash = hashOf(g.said)
	}
	return groups
}

// key is the source's own name for a company: its number, or what stands for it.
func (s Statement) key() int64 {
	name := "lei " + s.LEI
	switch {
	case s.Number != "":
		name = string(NewID(s.Country, s.Number))
	case s.LEI == "":
		name = "vat " + s.VAT
	}
	return int64(xxhash.Sum64String(name))
}

// hashOf is the fingerprint of all that a source says about a company.
func hashOf(said []Said) int64 {
	h := xxhash.New()
	var n [4]byte
	for i := range said {
		for _, b := range [][]byte{[]byte(said[i].Part), said[i].encode()} {
			binary.BigEndian.PutUint32(n[:], uint32(len(b)))
			h.Write(n[:])
			h.Write(b)
		}
	}
	return int64(h.Sum64())
}

// write puts what is new or different into the register.
func (r *Run) write(ctx context.Context, groups []*group) error {
	var u Update
	var companies, fresh, unknown int64
	err := r.register.Store.Write(ctx, func(v View) (Update, error) {
		u, companies, fresh, unknown = Update{}, 0, 0, 0
		ids, held, err := r.find(ctx, v, groups)
		if err != nil {
			return Update{}, err
		}
		for _, g := range groups {
			id := ids[g]
			if id == "" {
				unknown += int64(len(g.said))
				continue
			}
			was, ok := held[id]
			if !ok {
				was = Held{ID: id}
			}
			is := was.clone()
			if !r.apply(&is, g) {
				if len(is.from(r.source)) > 0 {
					u.Keys = append(u.Keys, r.fingerprint(g, is))
				}
				continue
			}
			u.keep(was, is, r.source, r.at)
			held[id] = is
			companies++
			if !ok {
				fresh++
			}
			if len(is.from(r.source)) == 0 {
				u.DropKeys = append(u.DropKeys, Fingerprint{Source: r.source, Key: g.key})
				continue
			}
			u.Keys = append(u.Keys, r.fingerprint(g, is))
		}
		return u.once(), nil
	})
	if err != nil {
		return fmt.Errorf("write %d companies: %w", len(groups), err)
	}
	if r.last >= 0 {
		r.last += int64(len(u.Changes))
	}
	for _, g := range groups {
		if i, ok := slices.BinarySearch(r.keys, g.key); ok {
			r.seen[i] = true
			for _, s := range g.said {
				r.parts[g.key] = append(r.parts[g.key], s.Part)
			}
		} else {
			r.fresh[g.key] = struct{}{}
		}
	}
	r.Result.Companies += companies
	r.Result.New += fresh
	r.Result.Unknown += unknown
	r.Result.Changes += int64(len(u.Changes))
	return nil
}

// apply puts what a group says in the place of what the source said before of
// the same parts.
func (r *Run) apply(h *Held, g *group) (different bool) {
	for _, part := range g.gone {
		if part == "" {
			different = h.dropSource(r.source) || different
		} else {
			different = h.drop(r.source, part) || different
		}
	}
	for _, s := range g.said {
		different = h.set(s) || different
	}
	return different
}

// wasSeen reports whether this file has spoken of a company before.
func (r *Run) wasSeen(key int64) bool {
	if i, ok := slices.BinarySearch(r.keys, key); ok {
		return r.seen[i]
	}
	_, ok := r.fresh[key]
	return ok
}

func (r *Run) fingerprint(g *group, is Held) Fingerprint {
	return Fingerprint{Source: r.source, Key: g.key, Company: is.ID, Hash: hashOf(is.from(r.source))}
}

// find tells which company each group is about, and what is held of it.
func (r *Run) find(ctx context.Context, v View, groups []*group) (map[*group]ID, map[ID]Held, error) {
	// Nobody but us has written since the register was empty: then only what
	// this file itself spoke of before can be there, and need be looked for.
	alone := r.void && v.LastChange() == r.last
	var idents []Ident
	var look []ID
	for _, g := range groups {
		if err := g.first.check(); err != nil {
			return nil, nil, err
		}
		if alone && !r.wasSeen(g.key) {
			continue
		}
		idents = append(idents, g.first.idents()...)
		if g.first.Number != "" {
			look = append(look, NewID(g.first.Country, g.first.Number))
		}
	}
	known, err := v.Find(ctx, idents)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range known {
		look = append(look, id)
	}
	slices.Sort(look)
	held, err := v.Held(ctx, slices.Compact(look))
	if err != nil {
		return nil, nil, err
	}
	ids := make(map[*group]ID, len(groups))
	for _, g := range groups {
		ids[g] = settle(g.first, known, held)
	}
	return ids, held, nil
}

// settle decides which company a statement is about: the one with its number
// if we hold it, else one that goes by its LEI or VAT number, else a new one.
func settle(s Statement, known map[Ident]ID, held map[ID]Held) ID {
	var byNumber ID
	if s.Number != "" {
		byNumber = NewID(s.Country, s.Number)
		if _, ok := held[byNumber]; ok {
			return byNumber
		}
	}
	for _, i := range s.idents() {
		if id, ok := known[i]; ok {
			return id
		}
	}
	if byNumber != "" {
		return byNumber
	}
	if s.Country == "" {
		return "" // a relationship of a company that we do not know
	}
	return NewID(s.Country, cmp.Or(s.LEI, s.VAT))
}

func (s Statement) idents() []Ident {
	var out []Ident
	if s.Number != "" {
		out = append(out, Ident{ByRegNo, strings.ToUpper(s.Country) + " " + NewID(s.Country, s.Number).Number()})
	}
	if s.LEI != "" {
		out = append(out, Ident{ByLEI, s.LEI})
	}
	if s.VAT != "" {
		out = append(out, Ident{ByVAT, s.VAT})
	}
	return out
}

func (s Statement) check() error {
	switch {
	case s.Number == "" && s.LEI == "" && s.VAT == "":
		return fault.Invalid.Errorf("a statement names no company: it has no number, LEI or VAT number")
	case s.Number != "" && len(s.Country) != 2:
		return fault.Invalid.Errorf("the number %s has no country", s.Number)
	}
	return nil
}

// once keeps the last of several updates of the same company or key.
func (u Update) once() Update {
	at := map[ID]int{}
	var out []Saved
	for _, c := range u.Companies {
		if i, ok := at[c.ID]; ok {
			c.New = out[i].New
			out[i] = c
			continue
		}
		at[c.ID] = len(out)
		out = append(out, c)
	}
	u.Companies = out
	return u
}

// Finish ends a run. After a whole list, what it did not hold any more goes:
// not the company, but what this source said of it.
func (r *Run) Finish(ctx context.Context) error {
	if !r.whole {
		return nil
	}
	const batch = 1000
	var gone []int64
	for i, key := range r.keys {
		if _, reworded := r.parts[key]; !r.seen[i] || reworded {
			gone = append(gone, key)
		}
	}
	for part := range slices.Chunk(gone, batch) {
		if err := r.remove(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// remove takes away what the list no longer says about companies.
func (r *Run) remove(ctx context.Context, keys []int64) error {
	companies, err := r.register.Store.Keys(ctx, r.source, keys)
	if err != nil {
		return fmt.Errorf("find what %s no longer holds: %w", r.source, err)
	}
	var u Update
	err = r.register.Store.Write(ctx, func(v View) (Update, error) {
		u = Update{}
		held, err := v.Held(ctx, slices.Collect(maps.Values(companies)))
		if err != nil {
			return Update{}, err
		}
		for _, key := range keys {
			was, ok := held[companies[key]]
			if !ok {
				u.DropKeys = append(u.DropKeys, Fingerprint{Source: r.source, Key: key})
				continue
			}
			is := was.clone()
			if r.prune(&is, key) {
				u.keep(was, is, r.source, r.at)
				held[is.ID] = is
			}
			if left := is.from(r.source); len(left) > 0 {
				u.Keys = append(u.Keys, Fingerprint{Source: r.source, Key: key, Company: is.ID, Hash: hashOf(left)})
			} else {
				u.DropKeys = append(u.DropKeys, Fingerprint{Source: r.source, Key: key})
			}
		}
		return u.once(), nil
	})
	if err != nil {
		return fmt.Errorf("take away what %s no longer holds: %w", r.source, err)
	}
	r.Result.Removed += int64(len(u.DropKeys))
	r.Result.Companies += int64(len(u.Companies) + len(u.Removed))
	r.Result.Changes += int64(len(u.Changes))
	return nil
}

// prune drops the parts that the list did not name.
func (r *Run) prune(h *Held, key int64) (different bool) {
	named := r.parts[key]
	for _, old := range h.from(r.source) {
		if !slices.Contains(named, old.Part) {
			different = h.drop(r.source, old.Part) || different
		}
	}
	return different
}
