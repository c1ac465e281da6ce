package monitor_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// mark sets events to processed, or back: one, or all up to one.
func (w *modelWorld) mark(r *rand.Rand) {
	known := slices.Sorted(maps.Keys(w.ids))
	if len(known) == 0 {
		return
	}
	event := known[max(0, len(known)-1-r.IntN(60))] // a newer one: the portfolio of an old one may be gone
	m := monitor.Mark{Processed: r.IntN(4) > 0}
	by := w.someone(r, w.ids[event].portfolio)
	if r.IntN(2) == 0 {
		m.Portfolio = pickOne(r, []monitor.PortfolioID{w.ids[event].portfolio, w.anyFolder(r)})
	}
	var marked int
	var want fault.Kind
	if r.IntN(2) == 0 {
		m.UpTo = event
		marked, want = w.markedUpTo(by, m)
	} else {
		m.Event = event
		marked, want = w.markedOne(by, m)
	}
	w.tell("%v marks %+v (%s)", by, m, want)
	n, err := w.db(r).MarkEvents(w.ctx, by, m)
	if !w.expect("mark", err, want) {
		return
	}
	if int(n) != marked {
		w.fail("%d events were marked, want %d", n, marked)
	}
	w.count["marks"] += marked
}

func (w *modelWorld) markedUpTo(by auth.Caller, m monitor.Mark) (n int, want fault.Kind) {
	of := w.seen(by, monitor.Edit)
	if m.Portfolio != 0 {
		f, kind := w.allowed(by, m.Portfolio, monitor.Edit)
		if kind != "" {
			return 0, kind
		}
		of = []*folder{f}
	}
	for _, f := range of {
		for _, e := range f.news {
			if e.id != 0 && e.id <= m.UpTo && e.processed != m.Processed {
				e.processed = m.Processed
				n++
			}
		}
	}
	return n, ""
}

func (w *modelWorld) markedOne(by auth.Caller, m monitor.Mark) (n int, want fault.Kind) {
	is := w.ids[m.Event]
	if m.Portfolio != 0 && m.Portfolio != is.portfolio {
		return 0, fault.Missing
	}
	f, kind := w.allowed(by, is.portfolio, monitor.Edit)
	if kind != "" {
		return 0, kind
	}
	e := f.news[is.newsID]
	if e.processed == m.Processed {
		return 0, ""
	}
	e.processed = m.Processed
	return 1, ""
}

// learn finds out the numbers of new events from those who own them, and that
// each is the only one of its kind and above all that were there.
func (w *modelWorld) learn() {
	newest := monitor.EventID(0)
	for id := range w.ids {
		newest = max(newest, id)
	}
	for _, by := range callers {
		list, err := w.nodes[0].db.Events(w.ctx, by, monitor.EventQuery{Sort: monitor.ByID, Limit: 1 << 20})
		w.must("list events", err)
		for _, e := range list.List {
			is := eventID{e.Portfolio, newsID{e.Change, e.Rule}}
			if was, ok := w.ids[e.ID]; ok && was != is {
				w.fail("event %d was %v and is %v", e.ID, was, is)
			} else if ok {
				continue
			}
			f := w.portfolios[e.Portfolio]
			if f == nil || f.news[is.newsID] == nil {
				w.fail("nobody asked for event %+v", e)
			}
			if n := f.news[is.newsID]; n.id != 0 || e.ID <= newest {
				w.fail("event %+v is the second of its kind, or below event %d that was there before", e, newest)
			} else {
				n.id, w.ids[e.ID] = e.ID, is
				w.count["events"]++
			}
		}
	}
}

// compareAll holds what every account sees against the oracle.
func (w *modelWorld) compareAll() {
	w.learn()
	passed := w.passed()
	for i, by := range callers {
		w.compareFolders(by)
		// Each account reads in another order, and in pages of another size.
		q := monitor.EventQuery{Sort: monitor.Sort(i % 4), Down: (i+len(w.story))%2 == 0, Limit: 2 + 3*i}
		mine := w.seen(by, monitor.View)
		w.compareEvents(by, q, w.due(mine, passed))
		for _, yes := range []bool{true, false} {
			some := w.due(mine, passed)
			maps.DeleteFunc(some, func(_ eventID, n *news) bool { return n.processed != yes })
			q.Processed = &yes
			w.compareEvents(by, q, some)
		}
		w.compareOne(by, passed)
	}
}

// compareFolders compares the portfolios that an account may see, what is in
// them and which rules are on.
func (w *modelWorld) compareFolders(by auth.Caller) {
	db := w.nodes[1].db
	list, rights, err := db.Portfolios(w.ctx, by)
	w.must("list portfolios", err)
	want := w.seen(by, monitor.View)
	if len(list) != len(want) {
		w.fail("%v sees %d portfolios, want %d", by, len(list), len(want))
	}
	for i, f := range want {
		if list[i].ID != f.id || rights[i] != f.rights(by) || list[i].Owner != f.owner || list[i].Customer != by.Customer {
			w.fail("%v sees %+v with rights %d, want portfolio %d with %d", by, list[i], rights[i], f.id, f.rights(by))
		}
		m, err := db.Members(w.ctx, by, f.id, monitor.MemberQuery{Limit: 100})
		w.must("list companies", err)
		var ids []company.ID
		for _, m := range m.List {
			ids = append(ids, m.Company)
		}
		if !slices.Equal(ids, sortedIDs(f.members)) || int(m.Total) != len(ids) {
			w.fail("portfolio %d holds %v (%d), want %v", f.id, ids, m.Total, sortedIDs(f.members))
		}
		settings, err := db.Settings(w.ctx, by, f.id)
		w.must("list rules", err)
		on := map[ruleID]monitor.Values{}
		for _, s := range settings {
			on[ruleID{s.Country, s.Code}] = s.Values
		}
		if !maps.Equal(on, f.rules) {
			w.fail("portfolio %d has the rules %v, want %v", f.id, on, f.rules)
		}
	}
}

// compareEvents walks through a list by its cursor: everything is in it, once,
// in order, and nothing else.
func (w *modelWorld) compareEvents(by auth.Caller, q monitor.EventQuery, want map[eventID]*news) {
	total := int64(len(want))
	var last *monitor.Event
	for {
		page, err := w.nodes[0].db.Events(w.ctx, by, q)
		w.must("list events", err)
		if page.Total != total {
			w.fail("%v is told of %d events, want %d", by, page.Total, total)
		}
		for i := range page.List {
			e := &page.List[i]
			id := eventID{e.Portfolio, newsID{e.Change, e.Rule}}
			n := want[id]
			if n == nil {
				w.fail("%v sees %+v, which is not for it, or not yet, or a second time", by, *e)
			}
			if e.Company != n.company || e.Old != n.old || e.New != n.new || !e.At.Equal(n.at) ||
				e.Processed() != n.processed || e.ID != n.id || e.Customer != by.Customer {
				w.fail("%v sees %+v, want %+v", by, *e, *n)
			}
			if last != nil && !inOrder(q, last, e) {
				w.fail("%+v comes before %+v, sorted by %d, down: %v", *last, *e, q.Sort, q.Down)
			}
			delete(want, id)
			last = e
		}
		if !page.More {
			break
		}
		after := last.Position()
		q.After = &after
	}
	for id, n := range want {
		w.fail("%v does not see event %v: %+v", by, id, *n)
	}
}

func inOrder(q monitor.EventQuery, a, b *monitor.Event) bool {
	if q.Down {
		a, b = b, a
	}
	switch q.Sort {
	case monitor.ByName:
		return monitor.SortName(a.Name) <= monitor.SortName(b.Name)
	case monitor.ByCountry:
		return a.Company.Country() <= b.Company.Country()
	case monitor.ByDate:
		return !b.At.Before(a.At)
	}
	return a.ID < b.ID
}

// compareOne looks at the events of one company: those of portfolios that hold
// it now. A portfolio of strangers, and one's own without the company, are as
// if they were not there.
func (w *modelWorld) compareOne(by auth.Caller, passed func(company.ID) int64) {
	of := firms[len(w.story)%len(firms)]
	var holding []*folder
	for _, f := range w.seen(by, monitor.View) {
		if f.members[of] {
			holding = append(holding, f)
		}
	}
	want := w.due(holding, passed)
	maps.DeleteFunc(want, func(_ eventID, n *news) bool { return n.company != of })
	w.compareEvents(by, monitor.EventQuery{Company: of, Member: true, Sort: monitor.ByDate, Limit: 5}, want)
	for _, f := range w.portfolios {
		_, err := w.nodes[0].db.Events(w.ctx, by, monitor.EventQuery{Portfolio: f.id, Limit: 1})
		if stranger := f.rights(by) == 0; stranger != errors.Is(err, fault.Missing) {
			w.fail("%v asks for portfolio %d and gets %v", by, f.id, err)
		}
	}
}
