package monitor

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// CourierName names the courier's leases.
const CourierName = "courier"

// courierShards is into how many parts the webhooks are split over nodes.
const courierShards = 16

// A Sending is one delivery as it goes out.
type Sending struct {
	Hook     *Webhook
	Event    Event
	Delivery Delivery
}

// An Answer is what an endpoint said.
type Answer struct {
	Try
	RetryAfter time.Duration
}

// OK reports whether the endpoint took the delivery.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// gone is the status by which an endpoint says that it wants nothing more.
const gone = 410

// A Courier brings events to webhooks. Of one company an endpoint gets one
// event at a time, in order: the next goes out when the one before was taken or
// given up. A company that fails holds up itself alone, an endpoint that fails
// its own webhook, and a customer with much to send takes turns with others.
//
// Step does all the thinking and all the writing, on one goroutine; only the
// sending itself goes on beside it.
type Courier struct {
	Store  CourierStore
	Jobs   job.Store
	Post   func(ctx context.Context, s *Sending) Answer
	Owner  string
	Wake   *job.Signal // there are new events
	Now    func() time.Time
	Random *rand.Rand

	// Go starts a sending. Tests run it at once.
	Go func(func())

	Slots       int // sendings at once
	PerCustomer int
	PerHost     int
	PerWebhook  int

	held    []job.Lease
	asked   time.Time
	version int64   // of the last webhook that was read
	tail    EventID // deliveries up to here were noticed
	lines   map[WebhookID]*line
	active  map[WebhookID]*line // those with something to do
	ring    []auth.CustomerID   // who is next

	flying     int
	ofCustomer map[auth.CustomerID]int
	ofHost     map[string]int

	finished  results
	unsettled []Delivery
	disable   map[WebhookID]string
}

// courierLife is how long a lease holds.
const courierLife = 9 * time.Second

// results are sendings that came back.
type results struct {
	mu   sync.Mutex
	list []result
	wake job.Signal
}

type result struct {
	hook   WebhookID
	event  EventID
	of     laneKey
	answer Answer
}

func (r *results) put(x result) {
	r.mu.Lock()
	r.list = append(r.list, x)
	r.mu.Unlock()
	r.wake.Raise()
}

func (r *results) take() []result {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.list
	r.list = nil
	return out
}

// Step takes in what came back, keeps it, reads what is new, and sends what may
// be sent. It returns when to step again if nothing wakes it.
func (c *Courier) Step(ctx context.Context) (next time.Time, err error) {
	if err := c.hold(ctx); err != nil {
		return time.Time{}, err
	}
	now := c.Now()
	for _, r := range c.finished.take() {
		c.landed(r, now)
	}
	if err := c.settle(ctx); err != nil {
		return time.Time{}, err
	}
	if err := c.refresh(ctx); err != nil {
		return time.Time{}, err
	}
	if err := c.dispatch(ctx, now); err != nil {
		return time.Time{}, err
	}
	// What was parked on the way is kept at once: it is read from the database
	// when its turn comes.
	if err := c.settle(ctx); err != nil {
		return time.Time{}, err
	}
	return c.nextDue(now), nil
}

// Run steps until ctx is done and what is under way came back.
func (c *Courier) Run(ctx context.Context, failed func(error)) {
	for ctx.Err() == nil {
		woken, landed := c.Wake.Wait(), c.finished.wake.Wait()
		next, err := c.Step(ctx)
		if err != nil && ctx.Err() == nil {
			failed(err)
			next = c.Now().Add(time.Second)
		}
		timer := time.NewTimer(min(max(0, next.Sub(c.Now())), time.Second))
		select {
		case <-woken:
		case <-landed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
	c.finish(context.WithoutCancel(ctx))
}

// finish waits for what is under way, keeps it and gives the leases back.
func (c *Courier) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for c.flying > 0 {
		landed := c.finished.wake.Wait()
		for _, r := range c.finished.take() {
			c.landed(r, c.Now())
		}
		if c.flying == 0 {
			break
		}
		select {
		case <-landed:
		case <-ctx.Done():
			return // their leases end by themselves
		}
	}
	if err := c.settle(ctx); err != nil {
		return
	}
	for _, l := range c.held {
		_ = c.Jobs.EndLease(ctx, l)
	}
}

// hold has a share of the webhooks. Those that were taken by another node are
// forgotten, with all that was thought about them.
func (c *Courier) hold(ctx context.Context) error {
	if c.lines == nil {
		c.lines, c.active = map[WebhookID]*line{}, map[WebhookID]*line{}
		c.ofCustomer, c.ofHost = map[auth.CustomerID]int{}, map[string]int{}
		c.disable = map[WebhookID]string{}
	}
	if len(c.held) > 0 && c.Now().Sub(c.asked) < courierLife/3 {
		return nil
	}
	asked := c.Now()
	held, err := c.Jobs.Share(ctx, CourierName, courierShards, c.Owner, courierLife)
	if err != nil {
		return fmt.Errorf("share the webhooks: %w", err)
	}
	changed := !slices.EqualFunc(held, c.held, func(a, b job.Lease) bool { return a.Name == b.Name && a.Fence == b.Fence })
	c.held, c.asked = held, asked
	if changed {
		c.startOver()
	}
	return nil
}

// startOver forgets everything but what is under way: the database knows the
// rest.
func (c *Courier) startOver() {
	c.version, c.tail = 0, -1
	c.unsettled, c.ring = nil, nil
	clear(c.disable)
	for id, l := range c.lines {
		l.reset()
		if !c.mine(id) && l.flying == 0 {
			delete(c.lines, id)
			delete(c.active, id)
		}
	}
}

func (c *Courier) mine(id WebhookID) bool {
	name := job.ShardName(CourierName, int(id%courierShards))
	return slices.ContainsFunc(c.held, func(l job.Lease) bool { return l.Name == name })
}

// settle keeps what is not kept yet.
func (c *Courier) settle(ctx context.Context) error {
	if len(c.unsettled) == 0 && len(c.disable) == 0 {
		return nil
	}
	slices.SortStableFunc(c.unsettled, func(a, b Delivery) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.Webhook, b.Webhook))
	})
	err := c.Store.Settle(ctx, c.unsettled, c.disable, c.held)
	if err != nil {
		if k, ok := fault.Of(err); ok && k.Kind == fault.Conflict {
			c.held = nil // ask again what is ours, and start over
			c.asked = time.Time{}
			c.startOver()
			return nil
		}
		return fmt.Errorf("keep %d deliveries: %w", len(c.unsettled), err)
	}
	c.unsettled = c.unsettled[:0]
	clear(c.disable)
	return nil
}

// refresh learns of changed webhooks and of new deliveries.
func (c *Courier) refresh(ctx context.Context) (err error) {
	if c.tail < 0 {
		// Lines are read from their beginning after this, so nothing up to
		// here can be missed.
		if c.tail, err = c.Store.LastEvent(ctx); err != nil {
			return fmt.Errorf("find the newest event: %w", err)
		}
	}
	hooks, err := c.Store.WebhooksAfter(ctx, c.version)
	if err != nil {
		return fmt.Errorf("read webhooks: %w", err)
	}
	for i := range hooks {
		h := &hooks[i]
		c.version = h.Version
		if !c.mine(h.ID) {
			continue
		}
		l := c.lines[h.ID]
		if l == nil {
			l = newLine()
			c.lines[h.ID] = l
		}
		if l.hook.Disabled != h.Disabled || l.hook.Replays != h.Replays {
			l.reset()
		}
		l.hook, l.host = h, hostOf(h.URL)
		if h.URL == "" && l.flying == 0 {
			delete(c.lines, h.ID)
			delete(c.active, h.ID)
			continue
		}
		c.active[h.ID] = l
	}
	const page = 10_000
	for {
		ids, last, err := c.Store.NewDeliveries(ctx, c.tail, page)
		if err != nil {
			return fmt.Errorf("look for new deliveries: %w", err)
		}
		for _, id := range ids {
			if l := c.lines[id]; l != nil {
				l.live.more = true
				c.active[id] = l
			}
		}
		if last == c.tail {
			return nil
		}
		c.tail = last
	}
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// dispatch sends what may be sent, customer by customer in turn.
func (c *Courier) dispatch(ctx context.Context, now time.Time) error {
	if c.flying >= c.Slots {
		return nil
	}
	byCustomer := map[auth.CustomerID][]*line{}
	for id, l := range c.active {
		if l.hook.URL == "" || l.hook.Disabled {
			continue
		}
		if err := l.load(ctx, c, now); err != nil {
			return err
		}
		switch {
		case len(l.live.ready)+len(l.replay.ready) > 0:
			byCustomer[l.hook.Customer] = append(byCustomer[l.hook.Customer], l)
		case len(l.lanes) == 0:
			delete(c.active, id)
		}
	}
	for _, list := range byCustomer {
		slices.SortFunc(list, func(a, b *line) int { return cmp.Compare(a.hook.ID, b.hook.ID) })
	}
	sendings := c.choose(c.turns(byCustomer), byCustomer, now)
	return c.send(ctx, sendings)
}

// turns puts customers in the order in which they come: whoever came first last
// time comes last.
func (c *Courier) turns(of map[auth.CustomerID][]*line) []auth.CustomerID {
	ring := slices.DeleteFunc(c.ring, func(id auth.CustomerID) bool { return len(of[id]) == 0 })
	var fresh []auth.CustomerID
	for id := range of {
		if !slices.Contains(ring, id) {
			fresh = append(fresh, id)
		}
	}
	slices.Sort(fresh)
	c.ring = append(fresh, ring...)
	return c.ring
}

// choose picks what goes out now, one of each customer at a time, within the
// limits.
func (c *Courier) choose(order []auth.CustomerID, of map[auth.CustomerID][]*line, now time.Time) []*Sending {
	var out []*Sending
	for c.flying < c.Slots {
		before := len(out)
		for _, customer := range order {
			if c.flying >= c.Slots || c.ofCustomer[customer] >= c.PerCustomer {
				continue
			}
			lines := of[customer]
			for i, l := range lines {
				if l.flying >= c.PerWebhook || c.ofHost[l.host] >= c.PerHost || !l.breaker.open(now) {
					continue
				}
				d, ok := l.next()
				if !ok {
					continue
				}
				c.flying++
				c.ofCustomer[customer]++
				c.ofHost[l.host]++
				l.takeOff(&d)
				out = append(out, &Sending{Hook: l.hook, Delivery: d})
				of[customer] = append(append(lines[:i:i], lines[i+1:]...), l) // its other webhooks first
				break
			}
		}
		if len(out) == before {
			break
		}
	}
	if len(order) > 1 {
		c.ring = append(order[1:len(order):len(order)], order[0])
	}
	return out
}

// send reads the events and lets them go.
func (c *Courier) send(ctx context.Context, list []*Sending) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]EventID, 0, len(list))
	for _, s := range list {
		ids = append(ids, s.Delivery.Event)
	}
	slices.Sort(ids)
	events, err := c.Store.EventsByID(ctx, slices.Compact(ids))
	if err != nil {
		for _, s := range list {
			c.finished.put(result{hook: s.Hook.ID, event: s.Delivery.Event, of: keyOf(&s.Delivery), answer: Answer{Try: Try{At: c.Now(), Error: "not sent"}}})
		}
		return fmt.Errorf("read events to send: %w", err)
	}
	for _, s := range list {
		e, ok := events[s.Delivery.Event]
		if !ok { // retention took it: there is nothing left to tell
			c.finished.put(result{hook: s.Hook.ID, event: s.Delivery.Event, of: keyOf(&s.Delivery), answer: Answer{Try: Try{At: c.Now(), Error: forgotten}}})
			continue
		}
		s.Event = e
		c.Go(func() {
			c.finished.put(result{hook: s.Hook.ID, event: e.ID, of: keyOf(&s.Delivery), answer: c.Post(ctx, s)})
		})
	}
	return nil
}

// forgotten is the error of a delivery whose event is no longer kept.
const forgotten = "the event is no longer kept"
