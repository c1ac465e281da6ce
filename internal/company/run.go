package company

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A Run takes the statements of one file of one source into the register.
//
// What the source said before and says again costs a look in a table in memory.
// A company that the source has not spoken of before is written at once, with
// others in a batch, each batch a transaction of its own. What else the file
// says waits for its end: only then is it known to be the file's last word on
// the company, so that what changes and changes back within a file has not
// changed, and a list need not be sorted.
//
// Whether a record waits depends on the file alone and on what was there before
// it, not on what was written of it already. So a run that is broken off and
// begun again ends where an unbroken one would, to the number of each change.
type Run struct {
	register *Register
	source   string
	covers   func(part string) bool // of which the file is the whole list; nil: it is a feed
	known    bool                   // it speaks only of companies that are known
	at       time.Time

	before spoken
	heard  sieve // the companies that this file has named
	idents sieve // the numbers that they go by
	later  later
	unread Unread
	more   map[int64]int // how often a company waits, besides the first time if it was known before

	last  int64 // the log's last number when we last wrote
	void  bool  // the register was empty when we began, and nobody else has written
	ahead *ahead

	Result RunResult
}

// RunResult is what a run came to.
type RunResult struct {
	Records   int64 // statements taken in
	Unchanged int64 // of those, said before in the same words
	Companies int64 // that are new or became different
	New       int64 // of those, new
	Removed   int64 // companies that the whole list no longer holds
	Spared    int64 // those it does not name, though a record that cannot be read may
	Unknown   int64 // statements about companies that nobody has named yet
	Changes   int64
}

// NewRun begins to take in a file. A whole one also takes away what it no
// longer holds, in Finish. at is the time that changes get.
func (r *Register) NewRun(ctx context.Context, source string, whole bool, at time.Time) (*Run, error) {
	run := &Run{
		register: r, source: source, at: at,
		later: later{dir: r.Temp}, more: map[int64]int{},
	}
	if whole {
		run.covers = func(string) bool { return true }
	}
	if err := run.before.load(ctx, r.Store, source); err != nil {
		return nil, fmt.Errorf("read what %s said before: %w", source, err)
	}
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

// Covers narrows a whole list down to the parts that it is the list of, for
// sources that publish files of several kinds: what the others said stays.
func (r *Run) Covers(covers func(part string) bool) { r.covers = covers }

// OnlyKnown is for sources that say something of companies and make none: what
// they say of one that nobody has named is left out, and counted.
func (r *Run) OnlyKnown() { r.known = true }

// Close lets go of what a run holds. One that is not finished changes nothing
// more.
func (r *Run) Close() {
	if a := r.ahead; a != nil {
		if r.ahead = nil; <-a.done == nil {
			r.count(a.draft, a.result)
		}
	}
	r.later.close()
}

// Add takes in statements, in the order of the file.
func (r *Run) Add(ctx context.Context, batch []Statement) error {
	groups, err := r.groups(batch)
	if err != nil {
		return err
	}
	r.Result.Records += int64(len(batch))
	fresh := make([]*group, 0, len(groups))
	for _, g := range groups {
		i, known := r.before.find(g.key)
		switch {
		case known && r.before.marks[i] == 0 && len(g.gone) == 0 && r.before.hashes[i] == g.hash():
			r.before.marks[i] = saidSame
			r.Result.Unchanged += int64(len(g.said))
		case known || r.heard.has(uint64(g.key)):
			if err := r.wait(g); err != nil {
				return err
			}
		default:
			fresh = append(fresh, g)
		}
	}
	unknown, err := r.writeFresh(ctx, fresh)
	if err != nil {
		return err
	}
	for _, g := range groups {
		r.heard.add(uint64(g.key))
	}
	for _, g := range unknown { // the file may yet say who they are
		if err := r.wait(g); err != nil {
			return err
		}
	}
	return nil
}

// wait keeps a group for the end of the file.
func (r *Run) wait(g *group) error {
	if i, known := r.before.find(g.key); known && r.before.marks[i]&waits == 0 {
		r.before.marks[i] |= waits
	} else {
		r.more[g.key]++
	}
	return r.later.add(g)
}

// write puts groups into the register. at is where the source's statements were
// put before, where that is known; groups about companies that nobody knows are
// returned.
func (r *Run) write(ctx context.Context, groups []*group, at map[int64]ID) (unknown []*group, err error) {
	if len(groups) == 0 {
		return nil, nil
	}
	var d *draft
	var res RunResult
	err = r.register.Store.Write(ctx, func(v View) (Update, error) {
		d, res, unknown = newDraft(r.source, r.at), RunResult{}, nil // it may be tried again
		if err := r.find(ctx, v, d, groups, at); err != nil {
			return Update{}, err
		}
		for _, g := range groups {
			id := at[g.key]
			if id == "" {
				id = d.settle(&g.who)
			}
			if _, held := d.holds(id); id == "" || r.known && !held {
				unknown = append(unknown, g)
				continue
			}
			r.put(d, &res, g, id)
		}
		return d.update(), nil
	})
	if err != nil {
		return nil, fmt.Errorf("write %d companies: %w", len(groups), err)
	}
	r.last += int64(len(d.u.Changes))
	r.count(d, res)
	return unknown, nil
}

// Refused is told of each record of the file that cannot be read.
func (r *Run) Refused(raw string) { r.unread.Add(raw) }

// mayMean reports whether a record that cannot be read may be about a company.
func (r *Run) mayMean(h Held) bool {
	if r.unread.MayName(h.ID.Number()) {
		return true
	}
	for i := range h.Said {
		f := &h.Said[i].Facts
		if h.Said[i].Source == r.source && (r.unread.MayName(f.LEI) || r.unread.MayName(f.RegNo) || slices.ContainsFunc(f.VAT, r.unread.MayName)) {
			return true
		}
	}
	return false
}

// count adds what a draft came to, once it is written.
func (r *Run) count(d *draft, res RunResult) {
	r.before.reword(d.moved)
	r.Result.Unchanged += res.Unchanged
	r.Result.Companies += res.Companies
	r.Result.New += res.New
	r.Result.Removed += res.Removed
	r.Result.Spared += res.Spared
	r.Result.Changes += int64(len(d.u.Changes))
}

// put adds one group to a draft.
func (r *Run) put(d *draft, res *RunResult, g *group, id ID) {
	was, held := d.holds(id)
	was.ID = id
	if g.absent && r.mayMean(was) {
		res.Spared++
		return
	}
	is, different := g.apply(was, r.source)
	if different {
		for _, i := range d.keep(was, is).Idents {
			r.idents.add(i.hash())
		}
		res.Companies++
		if !held {
			res.New++
		}
	} else {
		res.Unchanged += int64(len(g.said))
	}
	// What the source used to say under another name of the company may have
	// moved to this one.
	for i := range was.Said {
		s := &was.Said[i]
		if s.Source == r.source && s.Key != g.key && !slices.ContainsFunc(is.Said, s.isFrom) {
			d.moved = append(d.moved, is.fingerprint(r.source, s.Key))
			d.u.Keys = append(d.u.Keys, d.moved[len(d.moved)-1])
		}
	}
	mark := Fingerprint{Source: r.source, Key: g.key, Company: id}
	if held {
		mark = is.fingerprint(r.source, g.key)
	} else {
		mark.Hash, mark.New = g.hash(), d.alone && !r.heard.has(uint64(g.key))
	}
	if mark.Hash == nothing && r.covers != nil {
		d.u.DropKeys = append(d.u.DropKeys, mark)
		if different { // and not gone before, or said under another name now
			res.Removed++
		}
		return
	}
	// A feed that took a company away leaves a trace, the fingerprint of
	// nothing: read again from its beginning, it must not bring the company back.
	d.u.Keys = append(d.u.Keys, mark)
}
