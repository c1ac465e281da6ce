package storetest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// tellings are the promises of monitor.EngineStore.
var tellings = []promise{
	{"events get the next numbers in their order, and later ones are never older", toldInOrder},
	{"a reader meets every event once, in the order of numbers, while two nodes tell", toldVisible},
	{"an event that is there already, or whose portfolio is gone, is left out", toldOnce},
	{"events and places are kept together, or neither with a fence that was passed", toldFenced},
	{"a portfolio that goes while it is told of leaves no event behind", toldWhileDeleted},
	{"companies are called what they are called, or were called last", namesKnown},
	{"watchers that ended are forgotten, once every shard has passed", watchersForgotten},
}

// someEvents are events of portfolios of ann's, about changes from a number on.
func someEvents(of []monitor.PortfolioID, from, n int) (out []monitor.Event) {
	for i := range n {
		out = append(out, monitor.Event{
			Customer: ann.Customer, Portfolio: of[i%len(of)], Company: "GB-0-1", Name: "Acme", Country: monitor.Everywhere,
			Rule: 105, Version: 1, Change: int64(from + i), Field: company.FieldAddress, At: noon.Add(time.Duration(i%50) * time.Hour),
		})
	}
	return out
}

func tellSome(t tb, s monitor.EngineStore, p monitor.PortfolioID, from, n int) {
	t.Helper()
	kept, err := s.Tell(t.Context(), someEvents([]monitor.PortfolioID{p}, from, n), nil)
	if err != nil || kept != n {
		t.Fatalf("told %d of %d: %v", kept, n, err)
	}
}

func toldInOrder(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	for i := range 10 {
		tellSome(t, []Store{s.Store, s.other}[i%2], p, 10*i, 1+i%4)
	}
	var last monitor.Event
	for i, e := range everyEvent(t, s, ann) {
		if e.ID != last.ID+1 || e.CreatedAt.Before(last.CreatedAt) || i > 0 && e.Change <= last.Change {
			t.Errorf("after event %d, made at %v, comes %d, made at %v", last.ID, last.CreatedAt, e.ID, e.CreatedAt)
		}
		last = e
	}
}

// toldVisible has two tellers on each node and a reader on each: it goes on
// behind the last event that it saw, and must miss none.
func toldVisible(t *testing.T, s nodes) {
	const each = 25
	p := create(t, s, ann, aPortfolio("one")).ID
	var tellers, readers sync.WaitGroup
	var done atomic.Bool
	total := atomic.Int64{}
	for n, node := range []Store{s.Store, s.other, s.Store, s.other} {
		tellers.Go(func() {
			for i := range each {
				kept, err := node.Tell(t.Context(), someEvents([]monitor.PortfolioID{p}, n*10_000+i*10, 1+i%3), nil)
				noErrorf(t, err)
				total.Add(int64(kept))
			}
		})
	}
	met := make([]int64, 2)
	for r, node := range []Store{s.Store, s.other} {
		readers.Go(func() {
			q := monitor.EventQuery{Sort: monitor.ByID, Limit: 7}
			for last := false; ; {
				last = done.Load()
				for more := true; more; {
					page, err := node.Events(t.Context(), ann, q)
					if err != nil {
						t.Errorf("events: %v", err)
						return
					}
					for i := range page.List {
						if met[r]++; page.List[i].ID != monitor.EventID(met[r]) {
							t.Errorf("reader %d meets event %d as its %dth", r, page.List[i].ID, met[r])
							return
						}
						at := page.List[i].Position()
						q.After = &at
					}
					more = page.More
				}
				if last {
					return
				}
			}
		})
	}
	tellers.Wait()
	done.Store(true)
	readers.Wait()
	if met[0] != total.Load() || met[1] != total.Load() {
		t.Errorf("the readers met %v events, %d were told", met, total.Load())
	}
}

func toldOnce(t *testing.T, s nodes) {
	p, gone := create(t, s, ann, aPortfolio("one")).ID, create(t, s, ann, aPortfolio("gone")).ID
	noError(t, s.DeletePortfolio(t.Context(), ann, gone))
	list := someEvents([]monitor.PortfolioID{p}, 1, 5)
	tell := func(list []monitor.Event, want int) {
		t.Helper()
		if n, err := s.Tell(t.Context(), list, nil); err != nil || n != want {
			t.Errorf("told %d (%v), want %d", n, err, want)
		}
	}
	tell(list[:3], 3)
	tell(list[:3], 0)
	tell(list, 2)
	twice := slices.Concat(someEvents([]monitor.PortfolioID{p}, 90, 1), someEvents([]monitor.PortfolioID{p}, 90, 1))
	tell(twice, 1)
	other := list[0] // another rule about the same change is another event
	other.Rule = 104
	tell([]monitor.Event{other}, 1)
	tell(someEvents([]monitor.PortfolioID{gone, p, 404}, 50, 3), 1)
	tell(nil, 0)
	if got := everyEvent(t, s, ann); len(got) != 8 || got[7].ID != 8 {
		t.Errorf("%d events are kept, the last has the number %d", len(got), got[len(got)-1].ID)
	}
	if got := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: p}); got.Total != 8 {
		t.Errorf("%d are counted", got.Total)
	}
}

func toldFenced(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	at := func(names ...string) (out []int64) {
		places, err := s.Places(t.Context(), "work")
		noError(t, err)
		for _, n := range names {
			out = append(out, places[n])
		}
		return out
	}
	lease := func(node Store, name, owner string, life time.Duration) job.Lease {
		l, ok := take(t, node, name, owner, life)
		if !ok {
			t.Fatalf("%s did not get %s", owner, name)
		}
		return l
	}
	zero, one := lease(s, "work/0", "a", 0), lease(s, "work/1", "a", time.Hour)
	to := func(n int64) []job.Place {
		return []job.Place{{Name: "work/1", Number: n, Fence: one.Fence}, {Name: "work/0", Number: n, Fence: zero.Fence}}
	}
	if n, err := s.Tell(t.Context(), someEvents([]monitor.PortfolioID{p}, 1, 2), to(5)); n != 2 || err != nil {
		t.Errorf("told %d (%v)", n, err)
	}
	same(t, "the places", at("work/0", "work/1"), []int64{5, 5})
	if n, err := s.Tell(t.Context(), someEvents([]monitor.PortfolioID{p}, 5, 1), to(0)); n != 1 || err != nil {
		t.Errorf("without a number told %d (%v)", n, err)
	}
	same(t, "the places without a number", at("work/0", "work/1"), []int64{5, 5})
	lease(s.other, "work/0", "b", time.Hour)
	if _, err := s.Tell(t.Context(), someEvents([]monitor.PortfolioID{p}, 6, 1), to(0)); err == nil {
		t.Error("without a number a fence that was passed counts for nothing")
	}
	n, err := s.Tell(t.Context(), someEvents([]monitor.PortfolioID{p}, 3, 2), to(9))
	if wantKind(t, err, fault.Conflict); n != 0 {
		t.Errorf("with a fence that was passed %d were told", n)
	}
	same(t, "the places then", at("work/0", "work/1"), []int64{5, 5})
	if got := everyEvent(t, s, ann); len(got) != 3 {
		t.Errorf("%d events are kept", len(got))
	}
	// A place moves also when there is nothing to tell.
	_, err = s.Tell(t.Context(), nil, to(6)[:1])
	noError(t, err)
	same(t, "the places at last", at("work/0", "work/1"), []int64{5, 6})
}

// toldWhileDeleted deletes portfolios while they are told of.
func toldWhileDeleted(t *testing.T, s nodes) {
	var list []monitor.PortfolioID
	for i := range 12 {
		list = append(list, create(t, s, ann, aPortfolio(fmt.Sprint(i))).ID)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 40 {
			_, err := s.Tell(t.Context(), someEvents(list, 1+100*i, 12), nil)
			noErrorf(t, err)
		}
	})
	wg.Go(func() {
		for _, id := range list {
			noErrorf(t, s.other.DeletePortfolio(t.Context(), ann, id))
		}
	})
	wg.Wait()
	kept, err := s.ForgetEvents(t.Context(), noon.AddDate(90, 0, 0), 1000)
	if err != nil || kept != 0 {
		t.Errorf("%d events of portfolios that are gone were kept (%v)", kept, err)
	}
}

func namesKnown(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	for _, name := range []string{"Old Ltd", "New Ltd"} { // it came and went twice
		write(t, s, company.Update{Changes: []company.Change{
			{Company: "GB-0-9", Field: company.Added, New: name, At: noon},
			{Company: "GB-0-9", Field: company.Removed, Old: name, At: noon},
		}})
	}
	got, err := s.other.Names(t.Context(), ids("GB-0-1", "GB-0-9", "GB-0-404", "GB-0-2"))
	noError(t, err)
	same(t, "names", got, map[company.ID]string{"GB-0-1": "Company 1", "GB-0-2": "Company 2", "GB-0-9": "New Ltd"})
	none, err := s.Names(t.Context(), nil)
	if err != nil || len(none) != 0 {
		t.Errorf("of nobody: %v (%v)", none, err)
	}
}

func watchersForgotten(t *testing.T, s nodes) {
	someCompanies(t, s, 3)
	p := create(t, s, ann, aPortfolio("one")).ID
	add(t, s, ann, p, "GB-0-1", "GB-0-2", "GB-0-3")
	first := someChange(t, s, "GB-0-1")
	_, err := s.RemoveMembers(t.Context(), ann, p, ids("GB-0-1"))
	noError(t, err)
	second := someChange(t, s, "GB-0-2")
	_, err = s.RemoveMembers(t.Context(), ann, p, ids("GB-0-2"))
	noError(t, err)
	left := func() (out []company.ID) {
		for _, w := range watchers(t, s, "GB-0-1", "GB-0-2", "GB-0-3") {
			out = append(out, w.Company)
		}
		return out
	}
	noError(t, s.Unwatch(t.Context(), first-1))
	same(t, "before any shard passed", left(), ids("GB-0-1", "GB-0-2", "GB-0-3"))
	noError(t, s.other.Unwatch(t.Context(), first))
	same(t, "when the first was passed", left(), ids("GB-0-2", "GB-0-3"))
	noError(t, s.Unwatch(t.Context(), second+1000))
	same(t, "when all were passed", left(), ids("GB-0-3"))
	noError(t, s.Unwatch(t.Context(), monitor.Forever))
	same(t, "who still watches", left(), ids("GB-0-3"))
}
