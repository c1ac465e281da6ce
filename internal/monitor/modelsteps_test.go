package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// step lets one thing happen.
func (w *modelWorld) step(r *rand.Rand) {
	n := r.IntN(100)
	for _, s := range []struct {
		of int // in a hundred
		do func(*rand.Rand)
	}{
		{24, w.change},
		{28, w.evaluate},
		{2, w.die},
		{2, w.tidy},
		{4, w.create},
		{1, w.delete},
		{5, w.share},
		{8, w.switchRules},
		{1, w.allOff},
		{6, w.add},
		{3, w.remove},
		{2, w.replace},
		{4, w.move},
		{6, w.mark},
	} {
		if n -= s.of; n < 0 {
			s.do(r)
			return
		}
	}
	w.now = w.now.Add(time.Duration(r.IntN(5000)) * time.Millisecond)
}

// register makes a company known, which is a change of its own.
func (w *modelWorld) register(id company.ID) {
	saved := company.Saved{Held: company.Held{ID: id}, New: true, Name: "Example " + string(id), Country: id.Country(), Status: company.Active}
	w.write(company.Update{Companies: []company.Saved{saved}, Changes: []company.Change{{Company: id, Field: company.Added, New: saved.Name}}})
	w.known[id] = true
}

// write keeps an update, and tells the oracle of its changes.
func (w *modelWorld) write(u company.Update) {
	for i := range u.Changes {
		u.Changes[i].At, u.Changes[i].Source = w.now, "model"
	}
	w.must("write", w.nodes[0].db.Write(w.ctx, func(company.View) (company.Update, error) { return u, nil }))
	for _, c := range u.Changes {
		w.last++
		c.Number = w.last
		w.happen(c)
		w.tell("change %d: %s %s from %q to %q", c.Number, c.Company, c.Field, c.Old, c.New)
		w.count["changes"]++
	}
}

// change lets companies change, or come into the register and leave it.
func (w *modelWorld) change(r *rand.Rand) {
	if id := pickOne(r, firms); r.IntN(15) == 0 || !w.known[id] && r.IntN(2) == 0 {
		if !w.known[id] {
			w.register(id)
			return
		}
		w.known[id] = false
		w.write(company.Update{Removed: []company.ID{id}, Changes: []company.Change{{Company: id, Field: company.Removed, Old: "Example " + string(id)}}})
		return
	}
	var u company.Update
	for range 1 + r.IntN(4) {
		h := pickOne(r, happenings)
		values := slices.Clone(h.values)
		r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		u.Changes = append(u.Changes, company.Change{Company: pickOne(r, firms), Field: h.field, Old: values[0], New: values[1]})
	}
	w.write(u)
}

var errStopped = errors.New("the process was stopped")

// evaluate lets an engine do a step. It may be broken off at any point, or come
// to its end without hearing so, or be held up while other things happen.
func (w *modelWorld) evaluate(r *rand.Rand) {
	n := w.nodes[r.IntN(2)]
	late := w.depth > 0
	ctx := newFuse(w.ctx, 1<<30)
	n.store.before, n.store.after = map[string]func(){}, nil
	switch {
	case late:
		w.tell("%s evaluates", n.name)
	case r.IntN(8) == 0:
		w.tell("%s evaluates, and does not hear that it was kept", n.name)
		n.store.after = errStopped
	case r.IntN(6) == 0:
		looks := 1 + r.IntN(w.looks)
		ctx = newFuse(w.ctx, looks)
		w.tell("%s evaluates, and is broken off after %d looks", n.name, looks)
	case r.IntN(3) == 0:
		call := pickOne(r, []string{"settings", "watchers", "tell"})
		w.tell("%s evaluates, and is held up at %s", n.name, call)
		n.store.before[call] = func() { late = true; w.meanwhile(r) }
	default:
		w.tell("%s evaluates", n.name)
	}
	_, err := n.engine.Step(ctx)
	n.store.before, n.store.after = nil, nil
	switch {
	case err == nil:
		if looks := 1<<30 - ctx.rest(); looks < 1<<29 { // it was not to be broken off
			w.looks = max(10, looks, w.looks*9/10)
		}
	case errors.Is(err, errStopped), ctx.blown():
		w.count["broken off"]++
		if r.IntN(2) == 0 { // sometimes it goes on, sometimes another takes its place
			w.newEngine(n)
			w.tell("in its place comes %s", n.name)
		}
	case errors.Is(err, fault.Conflict) && late:
		w.count["fenced off"]++
		w.tell("%s was fenced off", n.name)
	default:
		w.fail("%s: %v", n.name, err)
	}
	if n.store.told {
		n.store.told = false
		w.learn()
	}
}

// meanwhile is what happens while an engine is in the middle of its step:
// perhaps so much time passes that another takes its place.
func (w *modelWorld) meanwhile(r *rand.Rand) {
	w.depth++
	defer func() { w.depth-- }()
	for range 1 + r.IntN(3) {
		if r.IntN(3) == 0 {
			w.now = w.now.Add(10 * time.Second)
			w.tell("ten seconds pass")
			w.evaluate(r)
			continue
		}
		pickOne(r, []func(*rand.Rand){w.change, w.add, w.remove, w.move, w.switchRules, w.tidy, w.replace, w.delete})(r)
	}
}

// die ends a node's process without warning. Another starts at once, and does
// not wait for the leases that the dead one held.
func (w *modelWorld) die(r *rand.Rand) {
	i := r.IntN(2)
	if w.depth > 0 {
		return
	}
	w.nodes[i].db.Close()
	w.tell("%s dies", w.nodes[i].name)
	w.nodes[i] = w.newNode()
	w.count["deaths"]++
}

func (w *modelWorld) tidy(r *rand.Rand) {
	w.tell("old watchers are forgotten")
	w.must("tidy", w.nodes[r.IntN(2)].engine.Tidy(w.ctx))
}

// A fuse is a context that ends after it was looked at so many times: whoever
// works with it is broken off at some point, each time at another.
type fuse struct {
	context.Context
	mu    sync.Mutex
	left  int
	ended chan struct{}
}

func newFuse(ctx context.Context, points int) *fuse {
	return &fuse{Context: ctx, left: points, ended: make(chan struct{})}
}

func (f *fuse) burn() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left--; f.left == 0 {
		close(f.ended)
	}
}

func (f *fuse) rest() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.left
}

func (f *fuse) blown() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

func (f *fuse) Done() <-chan struct{} {
	f.burn()
	return f.ended
}

func (f *fuse) Err() error {
	f.burn()
	if f.blown() {
		return context.Canceled
	}
	return f.Context.Err()
}

func (w *modelWorld) anyFolder(r *rand.Rand) monitor.PortfolioID {
	if len(w.portfolios) == 0 || r.IntN(30) == 0 {
		return 99 // which is none
	}
	ids := make([]monitor.PortfolioID, 0, len(w.portfolios))
	for id := range w.portfolios {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return pickOne(r, ids)
}

// allowed is how a request about a portfolio ends for a caller, and the
// portfolio.
func (w *modelWorld) allowed(by auth.Caller, id monitor.PortfolioID, need monitor.Rights) (*folder, fault.Kind) {
	f := w.portfolios[id]
	switch {
	case f == nil || f.rights(by) == 0:
		return f, fault.Missing
	case f.rights(by)&need != need:
		return f, fault.Denied
	}
	return f, ""
}

// someone is a caller: mostly one who may do something with a portfolio.
func (w *modelWorld) someone(r *rand.Rand, id monitor.PortfolioID) auth.Caller {
	f := w.portfolios[id]
	if f == nil || r.IntN(3) == 0 {
		return pickOne(r, callers)
	}
	return auth.Caller{Customer: f.customer, Account: f.owner}
}

func (w *modelWorld) create(r *rand.Rand) {
	if len(w.portfolios) >= 12 {
		w.delete(r)
		return
	}
	by := pickOne(r, callers)
	p, err := w.db(r).CreatePortfolio(w.ctx, by, monitor.Portfolio{Name: fmt.Sprint("list ", r.Uint64())})
	w.must("create", err)
	if w.portfolios[p.ID] != nil {
		w.fail("portfolio %d was made twice", p.ID)
	}
	w.portfolios[p.ID] = &folder{
		id: p.ID, customer: by.Customer, owner: by.Account, shares: map[auth.AccountID]monitor.Rights{},
		members: map[company.ID]bool{}, rules: map[ruleID]monitor.Values{}, news: map[newsID]*news{},
	}
	w.tell("%v makes portfolio %d", by, p.ID)
	w.addTo(r, by, p.ID)
	w.switchOf(r, by, p.ID, monitor.Everywhere)
}

func (w *modelWorld) delete(r *rand.Rand) {
	id := w.anyFolder(r)
	by := w.someone(r, id)
	_, want := w.allowed(by, id, monitor.Own)
	w.tell("%v deletes portfolio %d: %s", by, id, want)
	if w.expect("delete", w.db(r).DeletePortfolio(w.ctx, by, id), want) {
		delete(w.portfolios, id)
	}
}

// share gives rights to others, even to accounts of another customer, which
// must not help them.
func (w *modelWorld) share(r *rand.Rand) {
	id := w.anyFolder(r)
	by, to := w.someone(r, id), pickOne(r, callers).Account
	rights := pickOne(r, []monitor.Rights{
		0, monitor.View, monitor.View | monitor.Add, monitor.View | monitor.Edit,
		monitor.View | monitor.Remove, monitor.View | monitor.Add | monitor.Remove | monitor.Edit,
	})
	all := r.IntN(6) == 0
	f, want := w.allowed(by, id, monitor.Own)
	w.tell("%v shares portfolio %d with %d: %v (%s)", by, id, to, rights, want)
	if !w.expect("share", w.db(r).SharePortfolio(w.ctx, by, id, all, []monitor.Share{{Account: to, Rights: rights}}), want) {
		return
	}
	if all {
		clear(f.shares)
	}
	if f.shares[to] = rights; rights == 0 {
		delete(f.shares, to)
	}
}

func (w *modelWorld) switchRules(r *rand.Rand) {
	id := w.anyFolder(r)
	w.switchOf(r, w.someone(r, id), id, pickOne(r, []string{monitor.Everywhere, monitor.Everywhere, "GB", "FR"}))
}

func (w *modelWorld) switchOf(r *rand.Rand, by auth.Caller, id monitor.PortfolioID, country string) {
	var list []monitor.Switch
	for _, p := range played {
		if p.country == country && r.IntN(2) == 0 {
			list = append(list, monitor.Switch{Code: p.code, On: r.IntN(3) > 0, Values: pickOne(r, p.values)})
		}
	}
	list, err := monitor.CheckSwitches(country, list)
	w.must("check rules", err)
	f, want := w.allowed(by, id, monitor.Edit)
	w.tell("%v switches rules of portfolio %d: %v %v (%s)", by, id, country, list, want)
	if !w.expect("switch", w.db(r).SwitchRules(w.ctx, by, id, country, list), want) {
		return
	}
	for _, s := range list {
		if s.On {
			f.rules[ruleID{country, s.Code}] = s.Values
		} else {
			delete(f.rules, ruleID{country, s.Code})
		}
	}
}

func (w *modelWorld) allOff(r *rand.Rand) {
	id := w.anyFolder(r)
	by := w.someone(r, id)
	f, want := w.allowed(by, id, monitor.Edit)
	w.tell("%v switches all rules of portfolio %d off (%s)", by, id, want)
	if w.expect("switch off", w.db(r).SwitchAllOff(w.ctx, by, id), want) {
		clear(f.rules)
	}
}
