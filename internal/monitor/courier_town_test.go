package monitor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A town has customers with webhooks, a clock that moves when a test says so,
// and endpoints that answer as a test likes. What the couriers do in it is
// written down and checked.
type town struct {
	t      testing.TB
	db     *store.DB
	now    time.Time
	random *rand.Rand
	folder map[auth.CustomerID]monitor.PortfolioID
	hooks  map[monitor.WebhookID]monitor.Webhook
	events []monitor.Event

	answer func(s *monitor.Sending) monitor.Answer
	gather time.Duration
	later  bool     // sendings wait for land
	air    []func() // those that wait
	calls  []call
	made   int // couriers
}

// A call is a message as an endpoint saw it.
type call struct {
	at     time.Time
	hook   monitor.WebhookID
	of     company.ID
	event  monitor.EventID
	replay bool
	taken  bool
}

func newTown(t testing.TB) *town {
	t.Helper()
	w := &town{
		t: t, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), random: rand.New(rand.NewPCG(1, 2)),
		folder: map[auth.CustomerID]monitor.PortfolioID{}, hooks: map[monitor.WebhookID]monitor.Webhook{},
		answer: func(*monitor.Sending) monitor.Answer { return status(200) },
	}
	db, err := storetest.Open(t.Context(), filepath.Join(t.TempDir(), "town.db"), store.Open)
	w.must(err)
	t.Cleanup(func() { db.Close() })
	db.Now = func() time.Time { return w.now }
	w.db = db
	return w
}

func (w *town) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func status(n int) monitor.Answer {
	if n == 0 {
		return monitor.Answer{Try: monitor.Try{Error: "no answer"}}
	}
	return monitor.Answer{Try: monitor.Try{Status: n}}
}

func by(c auth.CustomerID) auth.Caller {
	return auth.Caller{Customer: c, Account: auth.AccountID(10 * c)}
}

// hook adds a webhook of a customer; each host is one endpoint.
func (w *town) hook(c auth.CustomerID, host string) monitor.WebhookID {
	w.t.Helper()
	if w.folder[c] == 0 {
		p, err := w.db.CreatePortfolio(w.t.Context(), by(c), monitor.Portfolio{Name: "P"})
		w.must(err)
		w.folder[c] = p.ID
	}
	h, err := w.db.CreateWebhook(w.t.Context(), by(c), monitor.Webhook{URL: "https://" + host + "/"}, 100)
	w.must(err)
	w.hooks[h.ID] = h
	return h.ID
}

// happen makes one event for each company, in order.
func (w *town) happen(c auth.CustomerID, of ...company.ID) {
	w.t.Helper()
	var list []monitor.Event
	for _, id := range of {
		list = append(list, monitor.Event{
			Customer: c, Portfolio: w.folder[c], Company: id, Name: "Company " + string(id), Country: monitor.Everywhere,
			Rule: 101, Change: int64(len(w.events) + len(list) + 1), At: w.now,
		})
	}
	n, err := w.db.Tell(w.t.Context(), list, nil)
	w.must(err)
	if n != len(list) {
		w.t.Fatalf("%d of %d events were kept", n, len(list))
	}
	w.events = append(w.events, list...)
	for i := len(w.events) - len(list); i < len(w.events); i++ {
		w.events[i].ID = monitor.EventID(i + 1)
	}
}

// firm is the n-th company, and firmsUpTo the first n.
func firm(n int) company.ID { return company.NewID("GB", fmt.Sprint(n)) }

func firmsUpTo(n int) (out []company.ID) {
	for i := range n {
		out = append(out, firm(i))
	}
	return out
}

func (w *town) courier() *monitor.Courier {
	w.made++
	return &monitor.Courier{
		Store: w.db, Jobs: w.db, Owner: fmt.Sprint("courier-", w.made), Wake: &job.Signal{},
		Now: func() time.Time { return w.now }, Random: rand.New(rand.NewPCG(uint64(w.made), 3)),
		Post: w.post, Slots: 16, PerCustomer: 8, PerHost: 6, PerWebhook: 4, Gather: w.gather,
		Go: func(f func()) {
			if w.later {
				w.air = append(w.air, f)
				return
			}
			f()
		},
	}
}

func (w *town) post(_ context.Context, s *monitor.Sending) monitor.Answer {
	a := w.answer(s)
	a.At = w.now
	w.calls = append(w.calls, call{w.now, s.Hook.ID, s.Event.Company, s.Event.ID, s.Delivery.Replay, a.OK()})
	if s.Event.ID != s.Delivery.Event || s.Event.Customer != s.Hook.Customer {
		w.t.Errorf("webhook %d of customer %d gets event %d of customer %d", s.Hook.ID, s.Hook.Customer, s.Event.ID, s.Event.Customer)
	}
	return a
}

// land lets a sending come back, any of those under way.
func (w *town) land() bool {
	if len(w.air) == 0 {
		return false
	}
	i := w.random.IntN(len(w.air))
	f := w.air[i]
	w.air = slices.Delete(w.air, i, i+1)
	f()
	return true
}

func (w *town) step(c *monitor.Courier) time.Time {
	w.t.Helper()
	next, err := c.Step(w.t.Context())
	w.must(err)
	return next
}

// run steps a courier for a while, at the times that it asks for.
func (w *town) run(c *monitor.Courier, d time.Duration) {
	w.t.Helper()
	for end := w.now.Add(d); ; {
		next := w.settle(c)
		if w.idle() {
			w.now = end
			w.settle(c)
			return
		}
		// What it asks for is at most a second away: days would take long.
		if wait := next.Sub(w.now); wait >= time.Second {
			next = w.now.Add(max(time.Second, d/200))
		}
		if next.After(end) {
			w.now = end
			w.settle(c)
			return
		}
		w.now = next
	}
}

// idle reports whether everything was delivered or given up.
func (w *town) idle() bool {
	for _, state := range []monitor.DeliveryState{monitor.Waiting, monitor.Parked} {
		for id, h := range w.hooks {
			list, err := w.db.Deliveries(w.t.Context(), by(h.Customer), id, monitor.DeliveryQuery{State: &state, Limit: 1})
			w.must(err)
			if len(list) > 0 {
				return false
			}
		}
	}
	return true
}

// settle steps until nothing more happens at this time.
func (w *town) settle(c *monitor.Courier) (next time.Time) {
	w.t.Helper()
	for range 10_000 {
		before := len(w.calls)
		next = w.step(c)
		for w.land() {
		}
		if len(w.calls) == before && next.After(w.now) {
			return next
		}
	}
	w.t.Fatal("the courier does not come to rest")
	return next
}

// leaseEnds lets the time pass for which a courier that is gone holds up others.
func (w *town) leaseEnds() { w.now = w.now.Add(10 * time.Second) }

// of returns the calls that match.
func (w *town) of(match func(call) bool) (out []call) {
	for _, c := range w.calls {
		if match(c) {
			out = append(out, c)
		}
	}
	return out
}

// states counts the deliveries of a webhook by their state.
func (w *town) states(id monitor.WebhookID) map[monitor.DeliveryState]int {
	w.t.Helper()
	out := map[monitor.DeliveryState]int{}
	list, err := w.db.Deliveries(w.t.Context(), by(w.hooks[id].Customer), id, monitor.DeliveryQuery{Limit: 1 << 20})
	w.must(err)
	for _, d := range list {
		out[d.State]++
	}
	return out
}

// checkOrder holds what endpoints saw to the promise: of one company an
// endpoint sees a new event only when it took every one before, or when that
// was given up. It returns how many messages were taken more than once.
func (w *town) checkOrder(dead func(monitor.WebhookID, monitor.EventID) bool) (duplicates int) {
	w.t.Helper()
	type lane struct {
		hook monitor.WebhookID
		of   company.ID
	}
	lanes := map[lane][]monitor.EventID{}
	for _, e := range w.events {
		for id, h := range w.hooks {
			if h.Customer == e.Customer {
				lanes[lane{id, e.Company}] = append(lanes[lane{id, e.Company}], e.ID)
			}
		}
	}
	taken := map[monitor.WebhookID]map[monitor.EventID]bool{}
	for id := range w.hooks {
		taken[id] = map[monitor.EventID]bool{}
	}
	for _, c := range w.calls {
		if c.replay {
			continue
		}
		for _, e := range lanes[lane{c.hook, c.of}] {
			if e >= c.event {
				break
			}
			if !taken[c.hook][e] && !dead(c.hook, e) {
				w.t.Errorf("webhook %d saw event %d of %s before it took event %d", c.hook, c.event, c.of, e)
			}
		}
		if c.taken {
			if taken[c.hook][c.event] {
				duplicates++
			}
			taken[c.hook][c.event] = true
		}
	}
	return duplicates
}

func never(monitor.WebhookID, monitor.EventID) bool { return false }

// checkAll fails unless every webhook took every event of its customer.
func (w *town) checkAll(dead func(monitor.WebhookID, monitor.EventID) bool) {
	w.t.Helper()
	taken := map[[2]int64]bool{}
	for _, c := range w.calls {
		if c.taken {
			taken[[2]int64{int64(c.hook), int64(c.event)}] = true
		}
	}
	for id, h := range w.hooks {
		for _, e := range w.events {
			if e.Customer == h.Customer && !taken[[2]int64{int64(id), int64(e.ID)}] && !dead(id, e.ID) {
				w.t.Errorf("webhook %d never took event %d of %s", id, e.ID, e.Company)
			}
		}
	}
}
