package company

import (
	"context"
	"fmt"
	"slices"
)

// finishBatch is how many companies are written at once at the end of a file.
const finishBatch = 1000

// Finish ends a run: what waited for the end of the file is written. After a
// whole list, what it did not hold any more goes: not the company, but what
// this source said of it.
func (r *Run) Finish(ctx context.Context) error {
	defer r.Close()
	if err := r.settled(ctx); err != nil {
		return err
	}
	if err := r.finishLater(ctx); err != nil {
		return err
	}
	if r.covers == nil {
		return nil
	}
	gone := make([]*group, 0, finishBatch)
	for i, key := range r.before.keys {
		if r.before.marks[i] == 0 {
			gone = append(gone, &group{key: key, exact: r.covers, absent: true})
		}
		if len(gone) == finishBatch || i == len(r.before.keys)-1 {
			if err := r.writeKnown(ctx, gone); err != nil {
				return fmt.Errorf("take away what %s no longer holds: %w", r.source, err)
			}
			gone = gone[:0]
		}
	}
	return nil
}

// finishLater writes what waited, each company when the last word on it is read.
func (r *Run) finishLater(ctx context.Context) error {
	type part struct {
		*group
		read int
	}
	parts := map[int64]*part{}
	ready := make([]*group, 0, finishBatch)
	err := r.later.each(r.source, func(g *group) error {
		_, known := r.before.find(g.key)
		words := r.more[g.key]
		if known {
			words++
		}
		if words > 1 {
			p := parts[g.key]
			if p == nil {
				p = &part{group: g}
				parts[g.key] = p
			} else {
				p.join(g)
			}
			if p.read++; p.read < words {
				return nil
			}
			g = p.group
			delete(parts, g.key)
		}
		if r.complete(g) {
			return nil
		}
		if ready = append(ready, g); len(ready) < finishBatch {
			return nil
		}
		err := r.writeKnown(ctx, ready)
		ready = ready[:0]
		return err
	})
	if err != nil {
		return err
	}
	return r.writeKnown(ctx, ready)
}

// complete looks at all that the file says of a company, and reports whether
// that is what its source said before.
func (r *Run) complete(g *group) (same bool) {
	i, known := r.before.find(g.key)
	if !known || r.before.marks[i]&saidSame != 0 {
		// It said more before: in this file, at once or in the same words.
		return false
	}
	g.exact = r.covers
	if len(g.gone) > 0 || g.hash() != r.before.hashes[i] {
		return false // what is gone may have been said under another name
	}
	r.Result.Unchanged += int64(len(g.said))
	return true
}

// writeKnown writes groups where the source's statements were put before. What
// is about nobody we know, even now, is only counted.
func (r *Run) writeKnown(ctx context.Context, groups []*group) error {
	if len(groups) == 0 {
		return nil
	}
	keys := make([]int64, len(groups))
	for i, g := range groups {
		keys[i] = g.key
	}
	at, err := r.register.Store.Keys(ctx, r.source, keys)
	if err != nil {
		return fmt.Errorf("find what %s said: %w", r.source, err)
	}
	// What somebody else took away in the meantime is gone already.
	groups = slices.DeleteFunc(groups, func(g *group) bool { return at[g.key] == "" && g.who == (who{}) })
	unknown, err := r.write(ctx, groups, at)
	for _, g := range unknown {
		r.Result.Unknown += int64(len(g.said))
	}
	return err
}
