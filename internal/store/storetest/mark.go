package storetest

import (
	"sync"
	"sync/atomic"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// marks are the promises of monitor.EventStore about what is processed.
var marks = []promise{
	{"a mark counts what was not so before, and marked twice is marked once", markTwice},
	{"all up to an event are marked, in one portfolio or in all that may be edited", markedUpTo},
	{"an event that is not there, or is not the caller's, is missing; one without the right is denied", marksRefused},
	{"of many who mark at once each event is counted by one, and the totals stay exact", marksAtOnce},
	{"who marks, unmarks, tells, forgets and deletes at once waits for nobody for ever", marksAmongOthers},
}

func mark(t tb, s monitor.EventStore, by auth.Caller, m monitor.Mark) int64 {
	t.Helper()
	n, err := s.MarkEvents(t.Context(), by, m)
	noError(t, err)
	return n
}

// processedIn are how many of a portfolio's events are marked, by the list and
// by the count.
func processedIn(t tb, s monitor.EventStore, by auth.Caller, p monitor.PortfolioID) int {
	t.Helper()
	yes, no := true, false
	done := eventsFound(t, s, by, monitor.EventQuery{Portfolio: p, Processed: &yes})
	open := eventsFound(t, s, by, monitor.EventQuery{Portfolio: p, Processed: &no})
	if done.Total != int64(len(done.List)) || open.Total != int64(len(open.List)) {
		t.Errorf("counted %d and %d events, listed %d and %d", done.Total, open.Total, len(done.List), len(open.List))
	}
	for _, e := range done.List {
		if !e.Processed() {
			t.Errorf("event %d is listed as processed and is not", e.ID)
		}
	}
	for _, e := range open.List {
		if e.Processed() {
			t.Errorf("event %d is listed as open and is not", e.ID)
		}
	}
	return len(done.List)
}

func markTwice(t *testing.T, s nodes) {
	st := setStage(t, s, 6)
	e := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one}).List[0]
	at := func() *monitor.Event {
		for _, now := range everyEvent(t, s.other, ann) {
			if now.ID == e.ID {
				return &now
			}
		}
		t.Fatal("the event is gone")
		return nil
	}
	m := monitor.Mark{Portfolio: st.one, Event: e.ID, Processed: true}
	if n := mark(t, s, ann, m); n != 1 || !at().Processed() {
		t.Errorf("marked %d", n)
	}
	first := at().ProcessedAt
	if n := mark(t, s.other, ann, m); n != 0 || !at().ProcessedAt.Equal(first) {
		t.Errorf("marked again %d, at %v, first at %v", n, at().ProcessedAt, first)
	}
	m.Portfolio = 0 // found without its portfolio too
	m.Processed = false
	if n := mark(t, s, ann, m); n != 1 || at().Processed() {
		t.Errorf("taken back %d", n)
	}
	if n := mark(t, s, ann, m); n != 0 || processedIn(t, s, ann, st.one) != 0 {
		t.Errorf("taken back again %d", n)
	}
}

func markedUpTo(t *testing.T, s nodes) {
	st := setStage(t, s, 20)
	list := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one, Sort: monitor.ByID}).List
	if n := mark(t, s, ann, monitor.Mark{Portfolio: st.one, UpTo: list[7].ID, Processed: true}); n != 8 || processedIn(t, s, ann, st.one) != 8 {
		t.Errorf("up to the 8th: marked %d, %d are", n, processedIn(t, s, ann, st.one))
	}
	if n := mark(t, s, ann, monitor.Mark{Portfolio: st.one, UpTo: list[9].ID, Processed: true}); n != 2 {
		t.Errorf("up to the 10th: marked %d more", n)
	}
	for i, e := range eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one, Sort: monitor.ByID}).List {
		if e.Processed() != (i < 10) {
			t.Errorf("event %d is processed: %v", i, e.Processed())
		}
	}
	if n := mark(t, s, ann, monitor.Mark{Portfolio: st.one, UpTo: list[4].ID}); n != 5 || processedIn(t, s, ann, st.one) != 5 {
		t.Errorf("taken back up to the 5th: %d", n)
	}
	if n := mark(t, s, ann, monitor.Mark{Portfolio: st.one, Processed: true}); n != 0 {
		t.Errorf("up to nothing: marked %d", n)
	}
	// All that ann may edit: not bob's, which are only shown to her.
	if n := mark(t, s, ann, monitor.Mark{UpTo: 1 << 40, Processed: true}); n != 35 {
		t.Errorf("all: marked %d, want the 15 and 20 that were left", n)
	}
	if processedIn(t, s, bob, st.shared)+processedIn(t, s, bob, st.hidden)+processedIn(t, s, eve, st.foreign) != 0 {
		t.Error("events of others were marked")
	}
}

func marksRefused(t *testing.T, s nodes) {
	st := setStage(t, s, 3)
	of := func(by auth.Caller, p monitor.PortfolioID) monitor.EventID {
		return eventsFound(t, s, by, monitor.EventQuery{Portfolio: p}).List[0].ID
	}
	for what, test := range map[string]struct {
		m    monitor.Mark
		want fault.Kind
	}{
		"no such event":         {monitor.Mark{Event: 1 << 40}, fault.Missing},
		"another's":             {monitor.Mark{Event: of(eve, st.foreign)}, fault.Missing},
		"another's by name":     {monitor.Mark{Portfolio: st.foreign, Event: of(eve, st.foreign)}, fault.Missing},
		"of another portfolio":  {monitor.Mark{Portfolio: st.one, Event: of(ann, st.two)}, fault.Missing},
		"only to be seen":       {monitor.Mark{Event: of(bob, st.shared)}, fault.Denied},
		"all only to be seen":   {monitor.Mark{Portfolio: st.shared, UpTo: 1 << 40}, fault.Denied},
		"hidden of the same":    {monitor.Mark{Event: of(bob, st.hidden)}, fault.Missing},
		"no such portfolio":     {monitor.Mark{Portfolio: 404, Event: of(ann, st.one)}, fault.Missing},
		"no such portfolio all": {monitor.Mark{Portfolio: 404, UpTo: 1 << 40}, fault.Missing},
	} {
		test.m.Processed = true
		n, err := s.MarkEvents(t.Context(), ann, test.m)
		if wantKind(t, err, test.want); n != 0 || t.Failed() {
			t.Errorf("%s: marked %d (%v)", what, n, err)
		}
	}
	for by, p := range map[auth.Caller]monitor.PortfolioID{ann: st.one, bob: st.shared, eve: st.foreign} {
		if n := processedIn(t, s, by, p); n != 0 {
			t.Errorf("%d of %d are marked", n, p)
		}
	}
}

// marksAtOnce has many who mark the same events one by one and all at once. A
// mark that is lost, or counted twice, shows in the sums.
func marksAtOnce(t *testing.T, s nodes) {
	st := setStage(t, s, 40)
	list := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one, Sort: monitor.ByID}).List
	for _, processed := range []bool{true, false, true} {
		var marked atomic.Int64
		var wg sync.WaitGroup
		for i := range 8 {
			node := []Store{s.Store, s.other}[i%2]
			wg.Go(func() {
				if i < 2 {
					n, err := node.MarkEvents(t.Context(), ann, monitor.Mark{Portfolio: st.one, UpTo: 1 << 40, Processed: processed})
					noErrorf(t, err)
					marked.Add(n)
					return
				}
				for k := range list {
					n, err := node.MarkEvents(t.Context(), ann, monitor.Mark{Event: list[(k+i*5)%len(list)].ID, Processed: processed})
					noErrorf(t, err)
					marked.Add(n)
				}
			})
		}
		wg.Wait()
		want := map[bool]int{true: 40}[processed]
		if n, in := marked.Load(), processedIn(t, s, ann, st.one); n != 40 || in != want {
			t.Errorf("to %v: %d marks counted, want 40; %d events are processed, want %d", processed, n, in, want)
		}
	}
}

// marksAmongOthers does everything to the same events at once. Two that lock in
// different orders would be stuck, and PostgreSQL would fail one of them.
func marksAmongOthers(t *testing.T, s nodes) {
	st := setStage(t, s, 40)
	var doomed []monitor.PortfolioID
	for i := range 6 {
		p := create(t, s, ann, aPortfolio("doomed "+string(rune('a'+i)))).ID
		doomed = append(doomed, p)
		tellSome(t, s, p, 1000*(i+1), 40)
	}
	next := atomic.Int64{}
	next.Store(100_000)
	var wg sync.WaitGroup
	for i, do := range []func(node Store, round int) error{
		func(node Store, round int) error {
			_, err := node.MarkEvents(t.Context(), ann, monitor.Mark{UpTo: 1 << 40, Processed: round%2 == 0})
			return err
		},
		func(node Store, round int) error {
			_, err := node.MarkEvents(t.Context(), ann, monitor.Mark{UpTo: 1 << 40, Processed: round%2 == 1})
			return err
		},
		func(node Store, round int) error {
			_, err := node.Tell(t.Context(), someEvents(append(doomed, st.one, st.two), int(next.Add(50)), 20), nil)
			return err
		},
		func(node Store, round int) error {
			_, err := node.ForgetEvents(t.Context(), firstDay.AddDate(90, 0, 0), 30)
			return err
		},
		func(node Store, round int) error {
			if round%3 == 0 && round/3 < len(doomed) {
				return node.DeletePortfolio(t.Context(), ann, doomed[round/3])
			}
			return nil
		},
	} {
		wg.Go(func() {
			for round := range 20 {
				if err := do([]Store{s.Store, s.other}[(i+round)%2], round); err != nil {
					t.Errorf("work %d: %v", i, err)
					return
				}
			}
		})
	}
	wg.Wait()
	processedIn(t, s, ann, st.one)
	processedIn(t, s, ann, st.two)
	if got := eventsFound(t, s, ann, monitor.EventQuery{}); got.Total != int64(len(got.List)) {
		t.Errorf("in the end %d events are counted, and %d listed", got.Total, len(got.List))
	}
}
