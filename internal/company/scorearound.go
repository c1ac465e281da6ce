package company

import (
	"context"
	"errors"
	"slices"

	"bureau/internal/fault"
)

// A look remembers, for one batch, whom it has looked at.
type look struct {
	s      *Scorer
	today  Date
	fails  map[ID]bool
	boards map[PersonID][]ID
}

// around finds out how the parent of a company stands, and what became of the
// other companies of its directors.
func (l *look) around(ctx context.Context, id ID, f Facts) (a Around, err error) {
	if a.Parent, err = l.parent(ctx, f); err != nil {
		return a, err
	}
	sub := newSubject(f, Around{}, l.today)
	var others []ID
	for i := range f.Officers {
		o := &f.Officers[i]
		who := o.PersonID(id)
		if who == "" || !sub.sits(o) {
			continue
		}
		ids, ok := l.boards[who]
		if !ok {
			if ids, err = l.s.boards(ctx, who); err != nil {
				return a, err
			}
			l.boards[who] = ids
		}
		others = append(others, ids...)
	}
	slices.Sort(others)
	others = slices.DeleteFunc(slices.Compact(others), func(o ID) bool { return o == id })
	a.Failed, err = l.countFailed(ctx, others)
	return a, err
}

// countFailed counts companies that failed. Most are active, which their status
// tells without reading all that is held of them.
func (l *look) countFailed(ctx context.Context, ids []ID) (n int, err error) {
	var ask []ID
	for _, id := range ids {
		if _, known := l.fails[id]; !known {
			ask = append(ask, id)
		}
	}
	statuses, err := l.s.Store.Statuses(ctx, ask)
	if err != nil {
		return 0, err
	}
	for _, id := range ask {
		switch statuses[id] {
		case Pending:
			l.fails[id] = true
		case NonActive:
			if l.fails[id], err = l.failed(ctx, id); err != nil {
				return 0, err
			}
		default:
			l.fails[id] = false
		}
	}
	for _, id := range ids {
		if l.fails[id] {
			n++
		}
	}
	return n, nil
}

// parent says how the first parent stands that is named and held.
func (l *look) parent(ctx context.Context, f Facts) (ParentState, error) {
	for _, link := range f.Links {
		if link.Kind != Parent || link.Until != "" {
			continue
		}
		id := link.ID
		if id == "" && link.LEI != "" {
			found, err := l.s.Store.Find(ctx, Ident{ByLEI, link.LEI})
			if err != nil && !errors.Is(err, fault.Missing) {
				return NoParent, err
			}
			id = found
		}
		if id == "" {
			continue
		}
		h, err := l.s.Store.Company(ctx, id)
		if errors.Is(err, fault.Missing) {
			continue
		}
		if err != nil {
			return NoParent, err
		}
		if p := merge(h, nil); p.Status == NonActive || p.failing(l.today) {
			return ParentFails, nil
		}
		return ParentSound, nil
	}
	return NoParent, nil
}

// failed reports whether a company that closed did so because it failed.
func (l *look) failed(ctx context.Context, id ID) (bool, error) {
	h, err := l.s.Store.Company(ctx, id)
	if err != nil && !errors.Is(err, fault.Missing) {
		return false, err
	}
	return merge(h, nil).failing(l.today), nil
}

// failing reports whether a company is being wound up, or was in the last few
// years because it could not pay. One that closed without a word of insolvency
// has merely closed.
func (f Facts) failing(today Date) bool {
	if f.Status == Pending {
		return true
	}
	t, ok := today.from()
	if !ok {
		return false
	}
	return slices.ContainsFunc(f.Notices, func(n Notice) bool {
		d, ok := n.Date.from()
		return ok && !d.After(t) && d.After(t.AddDate(-failedYears, 0, 0)) && isFailure(n.Kind)
	})
}

func isFailure(kind string) bool { return slices.Contains(fails, kind) }
