package monitor_test

import (
	"math/rand/v2"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

func membersOf(list []company.ID) (out []monitor.Member) {
	for _, id := range list {
		out = append(out, monitor.Member{Company: id})
	}
	return out
}

// stranger reports whether the register does not know one of some companies.
func (w *modelWorld) stranger(list []company.ID) bool {
	return slices.ContainsFunc(list, func(id company.ID) bool { return !w.known[id] })
}

func (w *modelWorld) add(r *rand.Rand) {
	id := w.anyFolder(r)
	w.addTo(r, w.someone(r, id), id)
}

func (w *modelWorld) addTo(r *rand.Rand, by auth.Caller, id monitor.PortfolioID) {
	list := some(r, firms)
	f, want := w.allowed(by, id, monitor.Add)
	if want == "" && w.stranger(list) {
		want = fault.Missing
	}
	w.tell("%v adds to portfolio %d: %v (%s)", by, id, list, want)
	there, err := w.db(r).AddMembers(w.ctx, by, id, membersOf(list))
	if !w.expect("add", err, want) {
		return
	}
	already := map[company.ID]bool{}
	for _, c := range list {
		if f.members[c] {
			already[c] = true
		}
	}
	if slices.Sort(there); !slices.Equal(there, sortedIDs(already)) {
		w.fail("%v were said to be there, want %v", there, sortedIDs(already))
	}
	for _, c := range list {
		f.members[c] = true
	}
}

func (w *modelWorld) remove(r *rand.Rand) {
	id, list := w.anyFolder(r), some(r, firms)
	if r.IntN(4) == 0 {
		list = nil // all of them
	}
	by := w.someone(r, id)
	f, want := w.allowed(by, id, monitor.Remove)
	w.tell("%v removes from portfolio %d: %v (%s)", by, id, list, want)
	n, err := w.db(r).RemoveMembers(w.ctx, by, id, list)
	if !w.expect("remove", err, want) {
		return
	}
	before := len(f.members)
	for _, c := range list {
		delete(f.members, c)
	}
	if list == nil {
		clear(f.members)
	}
	if n != before-len(f.members) {
		w.fail("%d were removed, want %d", n, before-len(f.members))
	}
}

func (w *modelWorld) replace(r *rand.Rand) {
	id, list := w.anyFolder(r), some(r, firms)
	by := w.someone(r, id)
	f, want := w.allowed(by, id, monitor.Add|monitor.Remove)
	if want == "" && w.stranger(list) {
		want = fault.Missing
	}
	w.tell("%v makes portfolio %d hold %v (%s)", by, id, list, want)
	added, removed, err := w.db(r).ReplaceMembers(w.ctx, by, id, membersOf(list))
	if !w.expect("replace", err, want) {
		return
	}
	is := map[company.ID]bool{}
	for _, c := range list {
		is[c] = true
	}
	for c := range is {
		if !f.members[c] {
			added--
		}
	}
	for c := range f.members {
		if !is[c] {
			removed--
		}
	}
	if added != 0 || removed != 0 {
		w.fail("it counts %d added and %d removed too many", added, removed)
	}
	f.members = is
}

// move copies companies to other portfolios, or moves them there.
func (w *modelWorld) move(r *rand.Rand) {
	from, out := w.anyFolder(r), r.IntN(2) == 0
	to := []monitor.PortfolioID{w.anyFolder(r), w.anyFolder(r)}[:1+r.IntN(2)]
	list := some(r, firms)
	if r.IntN(3) == 0 {
		list = nil
	}
	by := w.someone(r, from)
	want := w.moveEnds(by, from, to, out)
	w.tell("%v puts %v of portfolio %d into %v, and takes them out: %v (%s)", by, list, from, to, out, want)
	done, all, err := w.db(r).MoveMembers(w.ctx, by, from, to, list, out)
	if w.expect("move", err, want) {
		w.moved(from, to, list, out, done, all)
	}
}

// moveEnds is how a move ends: portfolios are looked at in the order of their
// numbers.
func (w *modelWorld) moveEnds(by auth.Caller, from monitor.PortfolioID, to []monitor.PortfolioID, out bool) fault.Kind {
	if slices.Contains(to, from) {
		return fault.Invalid
	}
	for _, id := range slices.Sorted(slices.Values(append([]monitor.PortfolioID{from}, to...))) {
		need := monitor.Add
		if id == from {
			need = monitor.View
			if out {
				need = monitor.Remove
			}
		}
		if _, kind := w.allowed(by, id, need); kind != "" {
			return kind
		}
	}
	return ""
}

// moved makes the model's portfolios what a move made of them.
func (w *modelWorld) moved(from monitor.PortfolioID, to []monitor.PortfolioID, list []company.ID, out bool, done, all int) {
	source := w.portfolios[from]
	if list == nil {
		list = sortedIDs(source.members)
	}
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	to = slices.Compact(slices.Sorted(slices.Values(to)))
	count := 0
	gone := map[company.ID]bool{}
	for _, id := range to {
		f := w.portfolios[id]
		for _, c := range list {
			if source.members[c] && !f.members[c] {
				f.members[c], gone[c] = true, out
				count++
			}
		}
	}
	for c, out := range gone {
		if out {
			delete(source.members, c)
		}
	}
	if done != count || all != len(list)*len(to) {
		w.fail("the move counts %d of %d, want %d of %d", done, all, count, len(list)*len(to))
	}
}
