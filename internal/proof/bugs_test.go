package proof

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// A bug is a fault that was planted, in what a node's engine and courier are
// given, or in what the publisher does.
type bug struct {
	name    string
	plant   func(n *node, p *parts)
	publish func(write func(edit) error, e edit) error
}

type edit = func(company.View) (company.Update, error)

// bugs are mistakes that are easily made. Each is what one line of the engine,
// the courier or the database could do wrong.
var bugs = []bug{
	{name: "the place is saved before the events", plant: func(_ *node, p *parts) {
		p.tell = telling{p.tell, func(ctx context.Context, next monitor.EngineStore, events []monitor.Event, to []job.Place) (int, error) {
			for _, place := range to {
				if err := p.jobs.SavePlace(ctx, place); err != nil {
					return 0, err
				}
			}
			return next.Tell(ctx, events, nil)
		}}
	}},
	{name: "the engine's fence is not looked at", plant: func(_ *node, p *parts) {
		p.tell = telling{p.tell, func(ctx context.Context, next monitor.EngineStore, events []monitor.Event, to []job.Place) (int, error) {
			to = slices.Clone(to)
			for i := range to {
				to[i].Fence = math.MaxInt64
			}
			return next.Tell(ctx, events, to)
		}}
	}},
	{name: "there is one event for a change, whatever the rule", plant: func(_ *node, p *parts) {
		p.tell = telling{p.tell, func(ctx context.Context, next monitor.EngineStore, events []monitor.Event, to []job.Place) (int, error) {
			return next.Tell(ctx, slices.CompactFunc(slices.Clone(events), func(a, b monitor.Event) bool {
				return a.Portfolio == b.Portfolio && a.Change == b.Change
			}), to)
		}}
	}},
	{name: "a change is written outside the transaction of its batch", publish: func(write func(edit) error, e edit) error {
		var late company.Update
		err := write(func(v company.View) (company.Update, error) {
			u, err := e(v)
			late = company.Update{Changes: u.Changes}
			return company.Update{Notes: u.Notes}, err
		})
		if err != nil {
			return err
		}
		return write(func(company.View) (company.Update, error) { return late, nil })
	}},
	{name: "a change is seen before an earlier one", plant: func(n *node, p *parts) {
		next, r := p.changes, n.w.source(n.name+" sees")
		p.changes = func(ctx context.Context, after int64, limit int) ([]company.Change, error) {
			list, err := next(ctx, after, limit)
			if len(list) > 1 && r.IntN(8) == 0 {
				list = slices.Delete(list, len(list)-2, len(list)-1)
			}
			return list, err
		}
	}},
	{name: "only a wake-up makes the engine look", plant: func(_ *node, p *parts) {
		next, woken, more := p.changes, p.wake.Wait(), true
		p.changes = func(ctx context.Context, after int64, limit int) ([]company.Change, error) {
			select {
			case <-woken:
				woken = p.wake.Wait()
			default:
				if !more {
					return nil, nil
				}
			}
			list, err := next(ctx, after, limit)
			more = len(list) > 0 || err != nil
			return list, err
		}
	}},
	{name: "leases are believed in while nobody answers", plant: func(_ *node, p *parts) {
		p.shares = &stubborn{Store: p.shares}
	}},
	{name: "the clock stands still with its node", plant: func(n *node, p *parts) {
		p.now = (&lazyClock{n: n}).now
	}},
	{name: "the courier's fence is not looked at", plant: func(_ *node, p *parts) {
		p.store = settling{p.store, func(list []monitor.Delivery, _ []job.Lease) ([]monitor.Delivery, []job.Lease) { return list, nil }}
	}},
	{name: "what failed too often counts as delivered", plant: func(_ *node, p *parts) {
		p.store = settling{p.store, func(list []monitor.Delivery, fences []job.Lease) ([]monitor.Delivery, []job.Lease) {
			list = slices.Clone(list)
			for i := range list {
				if len(list[i].Tries) > 2 {
					list[i].State = monitor.Delivered
				}
			}
			return list, fences
		}}
	}},
	{name: "what waits behind a failure is not kept", plant: func(_ *node, p *parts) {
		p.store = settling{p.store, func(list []monitor.Delivery, fences []job.Lease) ([]monitor.Delivery, []job.Lease) {
			return slices.DeleteFunc(slices.Clone(list), func(d monitor.Delivery) bool {
				return d.State == monitor.Parked && len(d.Tries) == 0
			}), fences
		}}
	}},
	{name: "a retry takes the newest first", plant: func(_ *node, p *parts) { p.store = backwards{p.store} }},
	{name: "a restart forgets what failed", plant: func(_ *node, p *parts) { p.store = forgetful{p.store} }},
	{name: "a delivery is marked before it is sent", plant: func(_ *node, p *parts) {
		next, store := p.post, p.store
		p.post = func(ctx context.Context, s *monitor.Sending) monitor.Answer {
			d := s.Delivery
			d.State = monitor.Delivered
			_ = store.Settle(ctx, []monitor.Delivery{d}, nil, nil)
			return next(ctx, s)
		}
	}},
	{name: "events are remembered under a part of their number", plant: func(_ *node, p *parts) {
		p.store = &mixedUp{CourierStore: p.store, events: map[monitor.EventID]monitor.Event{}}
	}},
}

// telling has another Tell.
type telling struct {
	monitor.EngineStore
	tell func(ctx context.Context, next monitor.EngineStore, events []monitor.Event, to []job.Place) (int, error)
}

func (t telling) Tell(ctx context.Context, events []monitor.Event, to []job.Place) (int, error) {
	return t.tell(ctx, t.EngineStore, events, to)
}

// settling keeps something else.
type settling struct {
	monitor.CourierStore
	change func([]monitor.Delivery, []job.Lease) ([]monitor.Delivery, []job.Lease)
}

func (s settling) Settle(ctx context.Context, list []monitor.Delivery, disable map[monitor.WebhookID]string, fences []job.Lease) error {
	list, fences = s.change(list, fences)
	return s.CourierStore.Settle(ctx, list, disable, fences)
}

type backwards struct{ monitor.CourierStore }

func (b backwards) ParkedFor(ctx context.Context, of auth.CustomerID, id monitor.WebhookID, about company.ID, replay bool, limit int) ([]monitor.Delivery, error) {
	list, err := b.CourierStore.ParkedFor(ctx, of, id, about, replay, limit)
	slices.Reverse(list)
	return list, err
}

type forgetful struct{ monitor.CourierStore }

func (forgetful) ParkedLanes(context.Context, auth.CustomerID, monitor.WebhookID) ([]monitor.Delivery, error) {
	return nil, nil
}

// mixedUp takes one event for another.
type mixedUp struct {
	monitor.CourierStore
	events map[monitor.EventID]monitor.Event
}

func (m *mixedUp) EventsByID(ctx context.Context, ids map[monitor.EventID]auth.CustomerID) (map[monitor.EventID]monitor.Event, error) {
	list, err := m.CourierStore.EventsByID(ctx, ids)
	for id, e := range list {
		if old, ok := m.events[id%64]; ok {
			list[id] = old
			continue
		}
		m.events[id%64] = e
	}
	return list, err
}

// stubborn holds what it held when it cannot ask.
type stubborn struct {
	job.Store
	held []job.Lease
}

func (s *stubborn) Share(ctx context.Context, name string, count int, owner string, life time.Duration) ([]job.Lease, error) {
	held, err := s.Store.Share(ctx, name, count, owner, life)
	if err != nil && len(s.held) > 0 {
		return s.held, nil
	}
	s.held = held
	return held, err
}

// lazyClock does not count the time for which its node stood still.
type lazyClock struct {
	n *node

	mu     sync.Mutex
	paused time.Time     // the last pause that was counted
	slept  time.Duration // all pauses so far
}

func (c *lazyClock) now() time.Time {
	c.n.mu.Lock()
	until, length := c.n.paused, c.n.pause
	c.n.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	if until.After(c.paused) {
		c.paused = until
		c.slept += length
	}
	return time.Now().Add(c.n.ahead - c.slept)
}

// Each planted bug is found, within a few seeds.
func TestPlantedBugsAreFound(t *testing.T) {
	const seeds = 40
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(seeds) {
				w := simulate(t, seed, small, b)
				if len(w.wrong) > 0 {
					t.Logf("found by seed %d: %.200s", seed, w.wrong[0])
					return
				}
			}
			t.Errorf("%d seeds do not find it", seeds)
		})
	}
}
