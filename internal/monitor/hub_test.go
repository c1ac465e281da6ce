package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// newHub follows a town's events. Some customers have portfolios in it already.
func newHub(w *town, customers int) *monitor.Hub {
	for c := auth.CustomerID(1); c <= auth.CustomerID(customers); c++ {
		p, err := w.db.CreatePortfolio(w.t.Context(), by(c), monitor.Portfolio{Name: "P"})
		w.must(err)
		w.folder[c] = p.ID
	}
	return &monitor.Hub{Store: w.db, Wake: new(job.Signal), Most: 3, Backlog: 5}
}

func (w *town) subscribe(h *monitor.Hub, who auth.Caller, after monitor.EventID) *monitor.Subscription {
	w.t.Helper()
	s, err := h.Subscribe(w.t.Context(), who, after, nil)
	w.must(err)
	return s
}

// handOut lets a hub hand out all that is new.
func (w *town) handOut(h *monitor.Hub) {
	w.t.Helper()
	for {
		more, err := h.Step(w.t.Context())
		if w.must(err); !more {
			return
		}
	}
}

// past reads what was made before a subscription began.
func (w *town) past(s *monitor.Subscription, after monitor.EventID) (out []monitor.EventID) {
	w.t.Helper()
	for {
		list, err := s.Past(w.t.Context(), after, 2)
		w.must(err)
		if len(list) == 0 {
			return out
		}
		for _, e := range list {
			out = append(out, e.ID)
			after = e.ID
		}
	}
}

func idsOf(list []monitor.Event) (out []monitor.EventID) {
	for _, e := range list {
		out = append(out, e.ID)
	}
	return out
}

// B15: a customer has so many streams and no more, whatever others have. One
// that ends makes room.
func TestStreamsOfOneCustomerAreCapped(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := newHub(w, 2)
	var open []*monitor.Subscription
	for range 3 {
		open = append(open, w.subscribe(h, by(1), 0))
	}
	colleague := auth.Caller{Customer: 1, Account: 11}
	for _, who := range []auth.Caller{by(1), colleague} {
		if _, err := h.Subscribe(t.Context(), who, 0, nil); !errors.Is(err, fault.Exhausted) {
			t.Errorf("account %d: one stream too many: %v", who.Account, err)
		}
	}
	w.subscribe(h, by(2), 0)
	open[1].Close()
	w.subscribe(h, colleague, 0)
	if h.Count() != 4 {
		t.Errorf("%d follow, want 4", h.Count())
	}
}

// B15: what waits for a reader that does not read is bounded. It is dropped, and
// goes on from the last event that it has: nothing is lost and nothing comes
// twice.
func TestSlowReaderIsDroppedWithItsCursor(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := newHub(w, 2)
	slow, quick := w.subscribe(h, by(1), 0), w.subscribe(h, by(1), 0)
	var got []monitor.EventID
	for range 40 {
		w.happen(2, firm(1)) // somebody else's fill nobody's queue
		w.happen(1, firm(1))
		w.handOut(h)
		list, err := quick.Next()
		w.must(err)
		got = append(got, idsOf(list)...)
	}
	<-slow.Ready()
	held, err := slow.Next()
	if err != nil || len(held) != 5 {
		t.Fatalf("%d events wait for a reader that does not read (%v), want 5", len(held), err)
	}
	select {
	case <-slow.Ready(): // though nothing more happens
	default:
		t.Fatal("a reader that waits for more is not told that it was dropped")
	}
	if list, err := slow.Next(); !errors.Is(err, monitor.ErrSlow) || len(list) != 0 {
		t.Errorf("then %v (%v), want that it was too slow", list, err)
	}
	slow.Close()
	all := append(idsOf(held), w.past(w.subscribe(h, by(1), held[4].ID), held[4].ID)...)
	for name, list := range map[string][]monitor.EventID{"the quick reader": got, "the slow one": all} {
		if len(list) != 40 {
			t.Errorf("%s got %d events, want 40", name, len(list))
		}
		for i, id := range list {
			if id != monitor.EventID(2*i+2) {
				t.Fatalf("%s got event %d as its %dth", name, id, i+1)
			}
		}
	}
}

// Readers of all kinds, on two nodes, while events are made: each gets what it
// may see once, in order, however often it is dropped or changes the node.
func TestFollowersMissNothing(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	hubs := []*monitor.Hub{newHub(w, 3), nil}
	hubs[1] = &monitor.Hub{Store: w.db, Wake: new(job.Signal), Most: 9, Backlog: 5}
	hubs[0].Most = 9
	ctx := t.Context()
	const rounds = 40
	made := make(chan struct{})
	var steps, readers sync.WaitGroup
	for _, h := range hubs {
		steps.Go(func() {
			for over := false; ; {
				select {
				case <-made:
					over = true
				default:
				}
				if more, err := h.Step(ctx); err != nil {
					t.Errorf("step: %v", err)
					return
				} else if over && !more {
					h.Stop()
					return
				}
			}
		})
	}
	got := make([][]monitor.EventID, 6)
	for i := range got {
		readers.Go(func() { got[i] = followAbout(ctx, t, hubs, by(auth.CustomerID(1+i%3)), uint64(i)) })
	}
	for i := range rounds {
		for c := auth.CustomerID(1); c <= 3; c++ {
			for range 1 + i%4 {
				w.happen(c, firm(i%5))
			}
		}
	}
	close(made)
	steps.Wait()
	readers.Wait()
	for i, list := range got {
		var want []monitor.EventID
		for _, e := range w.events {
			if e.Customer == auth.CustomerID(1+i%3) {
				want = append(want, e.ID)
			}
		}
		// What comes after the nodes stopped is there for the next time.
		if len(list) > len(want) || !slices.Equal(list, want[:len(list)]) {
			t.Errorf("reader %d got %v, want %v", i, list, want)
		}
		s := monitor.Hub{Store: w.db, Wake: new(job.Signal), Most: 9, Backlog: 5}
		after := monitor.EventID(0)
		if len(list) > 0 {
			after = list[len(list)-1]
		}
		who := by(auth.CustomerID(1 + i%3))
		if rest := w.past(w.subscribe(&s, who, after), after); !slices.Equal(append(list, rest...), want) {
			t.Errorf("reader %d goes on with %v, want %v in all", i, rest, want)
		}
	}
}

// followAbout follows until the nodes stop, and goes from one to the other when
// it is dropped or feels like it.
func followAbout(ctx context.Context, t *testing.T, hubs []*monitor.Hub, who auth.Caller, seed uint64) (got []monitor.EventID) {
	chance := rand.New(rand.NewPCG(seed, 9))
	after := monitor.EventID(0)
	take := func(list []monitor.Event) {
		for _, e := range list {
			got = append(got, e.ID)
			after = e.ID
		}
	}
	for {
		s, err := hubs[chance.IntN(2)].Subscribe(ctx, who, after, nil)
		if errors.Is(err, monitor.ErrStops) {
			return got
		}
		if err != nil {
			t.Errorf("subscribe: %v", err)
			return got
		}
		for {
			list, err := s.Past(ctx, after, 3)
			if err != nil {
				t.Errorf("past: %v", err)
				return got
			}
			if len(list) == 0 {
				break
			}
			take(list)
		}
		for stays := true; stays; {
			<-s.Ready()
			list, err := s.Next()
			take(list)
			stays = err == nil && chance.IntN(4) > 0
		}
		s.Close()
	}
}

// A cursor behind which events are gone, or that no event has, gets an answer.
func TestCursorsOfNoUseAreRefused(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := newHub(w, 1)
	for range 4 {
		w.happen(1, firm(1))
	}
	if _, err := h.Subscribe(t.Context(), by(1), 5, nil); !errors.Is(err, fault.Invalid) {
		t.Errorf("behind an event that is still to come: %v", err)
	}
	w.must(errOf(w.db.ForgetEvents(t.Context(), w.now.AddDate(0, 0, 2), 100)))
	w.happen(1, firm(1))
	for after, want := range map[monitor.EventID]fault.Kind{0: fault.Conflict, 3: fault.Conflict, 4: "", 5: ""} {
		s, err := h.Subscribe(t.Context(), by(1), after, nil)
		if f, _ := fault.Of(err); f.Kind != want || err != nil && want == "" {
			t.Errorf("behind event %d of 1 to 4 that are gone: %v, want %q", after, err, want)
		}
		if s != nil {
			s.Close()
		}
	}
}

// A token that ends takes its stream with it, and no other.
func TestTokenEndsTheStream(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := newHub(w, 1)
	valid := true
	s, err := h.Subscribe(t.Context(), by(1), 0, func() bool { return valid })
	w.must(err)
	other, err := h.Subscribe(t.Context(), by(1), 0, func() bool { return true })
	w.must(err)
	w.happen(1, firm(1))
	w.handOut(h)
	valid = false
	w.must(h.Sweep(t.Context()))
	// What came before is still told.
	if list, err := s.Next(); err != nil || len(list) != 1 {
		t.Errorf("got %d events (%v), want 1", len(list), err)
	}
	if _, err := s.Next(); !errors.Is(err, monitor.ErrOver) {
		t.Errorf("the token ended: %v", err)
	}
	w.happen(1, firm(1))
	w.handOut(h)
	if list, err := s.Next(); !errors.Is(err, monitor.ErrOver) || len(list) != 0 {
		t.Errorf("after its end it got %d events (%v)", len(list), err)
	}
	if list, err := other.Next(); err != nil || len(list) != 2 {
		t.Errorf("the other got %d events (%v), want 2", len(list), err)
	}
}

// Who may see a portfolio is asked when the event is handed out.
func TestSharesCountForStreams(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := newHub(w, 1)
	colleague := auth.Caller{Customer: 1, Account: 11}
	s := w.subscribe(h, colleague, 0)
	got := map[string]int{}
	for _, rights := range []monitor.Rights{0, monitor.View, 0} {
		w.must(w.db.SharePortfolio(t.Context(), by(1), w.folder[1], false, []monitor.Share{{Account: colleague.Account, Rights: rights}}))
		w.happen(1, firm(1))
		w.handOut(h)
		list, err := s.Next()
		w.must(err)
		got[fmt.Sprint(len(got), " ", rights == monitor.View)] = len(list)
	}
	if got["0 false"] != 0 || got["1 true"] != 1 || got["2 false"] != 0 {
		t.Errorf("a colleague got %v; want an event only while it may see them", got)
	}
}

// A walledStore notes whose walls it is asked from within.
type walledStore struct {
	monitor.HubStore
	asked []auth.CustomerID
}

func (s *walledStore) Feed(ctx context.Context, who auth.Caller, alerts bool, after, upTo monitor.EventID, limit int) ([]monitor.Event, error) {
	of, _ := auth.Walled(ctx)
	s.asked = append(s.asked, of)
	return s.HubStore.Feed(ctx, who, alerts, after, upTo, limit)
}

// A stream goes on after its call: what it reads then is behind its customer's
// walls all the same.
func TestStreamReadsWithinItsCustomer(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := newHub(w, 2)
	s := &walledStore{HubStore: w.db}
	h.Store = s
	for _, c := range []auth.CustomerID{2, 1} {
		if _, err := w.subscribe(h, by(c), 0).Past(context.Background(), -1, 10); err != nil {
			t.Error(err)
		}
	}
	if !slices.Equal(s.asked, []auth.CustomerID{2, 1}) {
		t.Errorf("asked within %v, want customers 2 and 1", s.asked)
	}
}
