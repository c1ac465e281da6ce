package storetest

import (
	"testing"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// feeds are the promises of monitor.HubStore.
var feeds = []promise{
	{"the events of all customers are read once, in order, page by page", feedOfAll},
	{"a feed has what the caller may see between two numbers, page by page", feedOfOne},
	{"a share that was given counts for what is visible, and one that was taken away does not", feedShared},
	{"the number of the oldest event that is kept for sure never lies about what is gone", feedForgotten},
}

// numbered are the numbers of events that some portfolios have, of all that
// setStage tells: they go round the five.
func numbered(n int, which ...int) (out []monitor.EventID) {
	for i := range n {
		for _, w := range which {
			if i%5 == w {
				out = append(out, monitor.EventID(i+1))
			}
		}
	}
	return out
}

func feedOfAll(t *testing.T, s nodes) {
	setStage(t, s, 10)
	var got []monitor.EventID
	for after := monitor.EventID(0); ; {
		list, err := s.other.EventsAfter(t.Context(), after, 7)
		noError(t, err)
		if len(list) == 0 {
			break
		}
		got = append(got, eventIDs(list)...)
		after = list[len(list)-1].ID
	}
	same(t, "events", got, numbered(50, 0, 1, 2, 3, 4))
	last, err := s.LastEvent(t.Context())
	if err != nil || last != 50 {
		t.Errorf("the newest is %d (%v), want 50", last, err)
	}
}

func feedOfOne(t *testing.T, s nodes) {
	setStage(t, s, 20) // 100 events
	read := func(by auth.Caller, after, upTo monitor.EventID, page int) (out []monitor.EventID) {
		t.Helper()
		for {
			list, err := s.other.Feed(t.Context(), by, false, after, upTo, page)
			noError(t, err)
			if len(list) == 0 {
				return out
			}
			if len(list) > page {
				t.Fatalf("%d events on a page of %d", len(list), page)
			}
			out = append(out, eventIDs(list)...)
			after = list[len(list)-1].ID
		}
	}
	between := func(list []monitor.EventID, after, upTo monitor.EventID) (out []monitor.EventID) {
		for _, id := range list {
			if id > after && id <= upTo {
				out = append(out, id)
			}
		}
		return out
	}
	mine := numbered(100, 0, 1, 2) // her own two, and the one that she is shown
	for _, page := range []int{1, 7, 1000} {
		same(t, "all", read(ann, 0, 1000, page), mine)
		same(t, "a part", read(ann, 12, 57, page), between(mine, 12, 57))
		same(t, "nothing behind the end", read(ann, 100, 1000, page), []monitor.EventID(nil))
		same(t, "nothing before the beginning", read(ann, 40, 40, page), []monitor.EventID(nil))
		same(t, "bob's", read(bob, 0, 100, page), numbered(100, 2, 3))
		same(t, "eve's", read(eve, 0, 100, page), numbered(100, 4))
	}
	same(t, "a stranger's", read(auth.Caller{Customer: 9, Account: 9}, 0, 100, 10), []monitor.EventID(nil))
}

func feedShared(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	sees := func(want ...monitor.PortfolioID) {
		t.Helper()
		for _, node := range []Store{s.Store, s.other} {
			got, err := node.Visible(t.Context(), bob)
			noError(t, err)
			same(t, "what bob sees", got, want)
		}
	}
	sees()
	share(t, s, p, monitor.View)
	sees(p)
	share(t, s, p, 0)
	sees()
	none, err := s.Visible(t.Context(), eve)
	if err != nil || len(none) != 0 {
		t.Errorf("eve sees %v (%v)", none, err)
	}
}

func feedForgotten(t *testing.T, s nodes) {
	first := func() monitor.EventID {
		t.Helper()
		n, err := s.other.FirstEvent(t.Context())
		noError(t, err)
		return n
	}
	if got := first(); got > 1 {
		t.Errorf("of a new database events below %d may be gone", got)
	}
	setStage(t, s, 10)
	if got := first(); got != 1 {
		t.Errorf("nothing was forgotten, and events below %d may be gone", got)
	}
	for {
		n, err := s.ForgetEvents(t.Context(), noon.AddDate(90, 0, 0), 7) // piece by piece
		noError(t, err)
		kept, err := s.EventsAfter(t.Context(), 0, 1000)
		noError(t, err)
		there := map[monitor.EventID]bool{}
		for _, id := range eventIDs(kept) {
			there[id] = true
		}
		for id := first(); id <= 50; id++ {
			if !there[id] {
				t.Fatalf("event %d is gone, and %d is said to be the first that is kept", id, first())
			}
		}
		if n == 0 {
			break
		}
	}
	if got := first(); got != 51 {
		t.Errorf("all 50 are gone, and %d is said to be the first that is kept", got)
	}
	wantKind(t, errOf(s.Event(t.Context(), ann, 1)), fault.Missing)
}
