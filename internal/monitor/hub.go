package monitor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// HubStore is what a Hub asks of a database.
type HubStore interface {
	// EventsAfter returns the events of all customers above a number, in
	// order, at most limit.
	EventsAfter(ctx context.Context, after EventID, limit int) ([]Event, error)

	// Feed returns the events that a caller may see above a number, up to and
	// including another, in order, at most limit: those in its portfolios, and
	// its customer's AML alerts if alerts says so.
	Feed(ctx context.Context, by auth.Caller, alerts bool, after, upTo EventID, limit int) ([]Event, error)

	// Visible returns the portfolios that a caller may see.
	Visible(ctx context.Context, by auth.Caller) ([]PortfolioID, error)

	// LastEvent is the number of the newest event, FirstEvent that of the
	// oldest that is kept for sure: events below it may be gone.
	LastEvent(ctx context.Context) (EventID, error)
	FirstEvent(ctx context.Context) (EventID, error)
}

// A Hub hands new events to those who follow them. It reads each event once,
// whoever follows; who may see it is asked after it was made, so that a share
// that was given counts and one that was taken away does not.
type Hub struct {
	Store   HubStore
	Wake    *job.Signal
	Most    int // subscriptions of one customer at once
	Backlog int // events that may wait for a slow reader

	// Alerts says whether a caller may see the AML alerts of its customer. It is
	// asked again with every event. Without it nobody does.
	Alerts func(auth.Caller) bool

	mu   sync.Mutex
	subs map[auth.CustomerID]map[*Subscription]bool
	last EventID // events up to here were handed out
	on   bool
	off  bool // this node stops
}

// A Subscription is one follower.
type Subscription struct {
	Still func() bool // whether it may go on; asked every second

	hub   *Hub
	by    auth.Caller
	wake  chan struct{} // holds one token when there is news
	mu    sync.Mutex
	queue []Event
	from  EventID // what is up to here does not come through the hub
	end   error
}

// Why a subscription ended.
var (
	ErrSlow  = fault.Exhausted.Errorf("the reader was too slow; go on from the last event that came")
	ErrOver  = fault.Stranger.Errorf("the token ended")
	ErrStops = fault.Busy.Errorf("this node stops; connect again")
)

// Subscribe begins to follow what comes after an event. A number that is so old
// that events behind it may be gone is a fault.Conflict: the caller must know.
// One that no event has yet is a fault.Invalid.
func (h *Hub) Subscribe(ctx context.Context, by auth.Caller, after EventID, still func() bool) (*Subscription, error) {
	if err := h.begin(ctx); err != nil {
		return nil, err
	}
	if err := h.check(ctx, after); err != nil {
		return nil, err
	}
	s := &Subscription{Still: still, hub: h, by: by, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.off {
		return nil, ErrStops
	}
	set := h.subs[by.Customer]
	if len(set) >= h.Most {
		return nil, fault.Exhausted.Errorf("your company follows %d streams already", len(set))
	}
	if set == nil {
		set = map[*Subscription]bool{}
		h.subs[by.Customer] = set
	}
	set[s] = true
	s.from = max(h.last, after) // another node may have been faster
	return s, nil
}

// check refuses a cursor behind which events are missing, or before which there
// are none.
func (h *Hub) check(ctx context.Context, after EventID) error {
	first, err := h.Store.FirstEvent(ctx)
	if err != nil {
		return fmt.Errorf("find the oldest event: %w", err)
	}
	if after+1 < first {
		return fault.Conflict.Errorf("events up to %d are no longer kept: begin at %d, or leave the cursor out to begin now", first-1, first-1)
	}
	last, err := h.Store.LastEvent(ctx)
	if err != nil {
		return fmt.Errorf("find the newest event: %w", err)
	}
	if after > last {
		return fault.Invalid.Details("Bad request", fmt.Sprintf("after: there is no event %d; the newest is %d", after, last))
	}
	return nil
}

// begin takes up the log at its end, the first time that anybody follows.
func (h *Hub) begin(ctx context.Context) error {
	h.mu.Lock()
	on := h.on
	h.mu.Unlock()
	if on {
		return nil
	}
	last, err := h.Store.LastEvent(ctx)
	if err != nil {
		return fmt.Errorf("find the newest event: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.on {
		h.on, h.last, h.subs = true, last, map[auth.CustomerID]map[*Subscription]bool{}
	}
	return nil
}

// Newest is the number of the newest event: where somebody begins who wants
// only what is to come.
func (h *Hub) Newest(ctx context.Context) (EventID, error) { return h.Store.LastEvent(ctx) }

// Close ends a subscription.
func (s *Subscription) Close() {
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	delete(s.hub.subs[s.by.Customer], s)
}

// Past returns events that were made before the subscription began, after a
// number: nothing when there are no more. Then Next goes on. A stream outlives its
// call and the context that was bound to the customer, so it binds its own.
func (s *Subscription) Past(ctx context.Context, after EventID, limit int) ([]Event, error) {
	if after >= s.from {
		return nil, nil
	}
	ctx = auth.Within(ctx, s.by.Customer)
	return s.hub.Store.Feed(ctx, s.by, s.hub.alerts(s.by), after, s.from, limit)
}

// Ready is told when Next has something.
func (s *Subscription) Ready() <-chan struct{} { return s.wake }

// Next returns what came since it was last asked, or why there will be no more.
func (s *Subscription) Next() ([]Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.queue
	s.queue = nil
	if len(out) > 0 {
		if s.end != nil {
			s.tell() // the end is still to be read, and nothing else may come
		}
		return out, nil
	}
	return nil, s.end
}

func (s *Subscription) push(e *Event, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != nil || e.ID <= s.from {
		return
	}
	if len(s.queue) >= most {
		s.end = ErrSlow
	} else {
		s.queue = append(s.queue, *e)
	}
	s.tell()
}

func (s *Subscription) stop(why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.end = why
	}
	s.tell()
}

func (s *Subscription) tell() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Step hands out new events, and returns whether there may be more.
func (h *Hub) Step(ctx context.Context) (more bool, err error) {
	h.mu.Lock()
	on, last := h.on, h.last
	h.mu.Unlock()
	if !on {
		return false, nil
	}
	const page = 1000
	list, err := h.Store.EventsAfter(ctx, last, page)
	if err != nil {
		return false, fmt.Errorf("read new events: %w", err)
	}
	if len(list) == 0 {
		return false, nil
	}
	byCustomer := map[auth.CustomerID][]*Event{}
	for i := range list {
		byCustomer[list[i].Customer] = append(byCustomer[list[i].Customer], &list[i])
	}
	// Those who come from here on begin behind these events; those who are
	// here get them.
	h.mu.Lock()
	subs := map[*Subscription]auth.CustomerID{}
	for customer := range byCustomer {
		for s := range h.subs[customer] {
			subs[s] = customer
		}
	}
	h.last = list[len(list)-1].ID
	h.mu.Unlock()
	sees := map[auth.Caller]map[PortfolioID]bool{}
	for s, customer := range subs {
		view, known := sees[s.by]
		if !known {
			if view, err = h.view(ctx, s.by); err != nil {
				s.stop(ErrStops) // it comes back with its cursor, and misses nothing
				continue
			}
			sees[s.by] = view
		}
		for _, e := range byCustomer[customer] {
			if view[e.Portfolio] {
				s.push(e, h.Backlog)
			}
		}
	}
	return len(list) == page, nil
}

func (h *Hub) view(ctx context.Context, by auth.Caller) (map[PortfolioID]bool, error) {
	ids, err := h.Store.Visible(ctx, by)
	if err != nil {
		return nil, fmt.Errorf("read what %d may see: %w", by.Account, err)
	}
	out := make(map[PortfolioID]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	out[AlertsOf(by.Customer)] = h.alerts(by)
	return out, nil
}

func (h *Hub) alerts(by auth.Caller) bool { return h.Alerts != nil && h.Alerts(by) }

// Sweep ends the subscriptions whose time is over.
func (h *Hub) Sweep(context.Context) error {
	for _, s := range h.all() {
		if s.Still != nil && !s.Still() {
			s.stop(ErrOver)
		}
	}
	return nil
}

func (h *Hub) all() []*Subscription {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*Subscription
	for _, set := range h.subs {
		for s := range set {
			out = append(out, s)
		}
	}
	return out
}

// Count is how many follow.
func (h *Hub) Count() int { return len(h.all()) }

// Run hands out events until ctx is done, and then ends all subscriptions.
func (h *Hub) Run(ctx context.Context, failed func(error)) {
	job.Follow(ctx, h.Wake, time.Second, failed, h.Step)
	h.Stop()
}

// Stop ends all subscriptions, with what came last, and takes no new ones.
func (h *Hub) Stop() {
	h.mu.Lock()
	h.off = true
	h.mu.Unlock()
	for _, s := range h.all() {
		s.stop(ErrStops)
	}
}
