package monitor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/auth"
)

// dispatch sends what may be sent, customer by customer in turn.
func (c *Courier) dispatch(ctx context.Context, now time.Time) error {
	if c.flying >= c.Slots {
		return nil
	}
	lines := map[auth.CustomerID][]*line{}
	for _, id := range c.inOrder() {
		l := c.active[id]
		if !c.mine(id) || l.hook.URL == "" || l.hook.Disabled {
			delete(c.active, id)
			if l.flying == 0 {
				delete(c.lines, id)
			}
			continue
		}
		if err := l.load(ctx, c, now); err != nil {
			return err
		}
		switch {
		case len(l.live.ready)+len(l.replay.ready) > 0:
			lines[l.hook.Customer] = append(lines[l.hook.Customer], l)
		case len(l.lanes) == 0:
			delete(c.active, id)
		}
	}
	return c.send(ctx, c.choose(lines, now))
}

// inOrder are the webhooks whose lines have something to do. In any other order
// one that fails would stop others on one day and not on the next, and nobody
// could see a failure again.
func (c *Courier) inOrder() []WebhookID {
	c.order = c.order[:0]
	for id := range c.active {
		c.order = append(c.order, id)
	}
	slices.Sort(c.order)
	return c.order
}

// turns puts customers, and the lines of each, in the order in which they come:
// whoever waited longest since its last sending comes first.
func turns(of map[auth.CustomerID][]*line) []auth.CustomerID {
	last := map[auth.CustomerID]int64{}
	order := make([]auth.CustomerID, 0, len(of))
	for id, list := range of {
		slices.SortFunc(list, func(a, b *line) int {
			return cmp.Or(cmp.Compare(a.turn, b.turn), cmp.Compare(a.hook.ID, b.hook.ID))
		})
		order = append(order, id)
		last[id] = list[len(list)-1].turn
	}
	slices.SortFunc(order, func(a, b auth.CustomerID) int {
		return cmp.Or(cmp.Compare(last[a], last[b]), cmp.Compare(a, b))
	})
	return order
}

// choose picks what goes out now, one of each customer at a time, within the
// limits.
func (c *Courier) choose(of map[auth.CustomerID][]*line, now time.Time) []*Sending {
	var out []*Sending
	order := turns(of)
	for {
		before := len(out)
		for _, customer := range order {
			if c.flying >= c.Slots {
				return out
			}
			if c.ofCustomer[customer] >= c.PerCustomer {
				continue
			}
			lines := of[customer]
			for i, l := range lines {
				s := c.chooseFrom(l, now)
				if s == nil {
					continue
				}
				out = append(out, s)
				of[customer] = append(append(lines[:i:i], lines[i+1:]...), l) // its other webhooks first
				break
			}
		}
		if len(out) == before {
			return out
		}
	}
}

// chooseFrom takes the next delivery of a line, if it may go out.
func (c *Courier) chooseFrom(l *line, now time.Time) *Sending {
	if l.flying >= c.PerWebhook || c.ofHost[l.host] >= c.PerHost || !l.lets(now) || now.Before(l.rest) {
		return nil
	}
	// Replays use at most a quarter of the slots, whoever asked for them.
	d, ok := l.next(c.again < max(1, c.Slots/4))
	if !ok {
		return nil
	}
	s := &Sending{
		Hook: l.hook, Delivery: d, host: l.host, probe: l.sent(),
		fence: c.fence(l.hook.ID), until: c.asked.Add(courierLife - courierMargin),
	}
	c.turn++
	l.turn = c.turn
	l.lanes[keyOf(&d)].flying = true
	c.count(l, s, 1)
	c.countAtHost(s, 1)
	return s
}

// count counts a sending in and out.
func (c *Courier) count(l *line, s *Sending, n int) {
	c.flying += n
	l.flying += n
	if s.Delivery.Replay {
		c.again += n
		l.again += n
	}
	if c.ofCustomer[s.Hook.Customer] += n; c.ofCustomer[s.Hook.Customer] == 0 {
		delete(c.ofCustomer, s.Hook.Customer)
	}
}

// countAtHost counts a sending in and out at its host, which is done with it when it
// has answered: what it said may be kept while the next is there.
func (c *Courier) countAtHost(s *Sending, n int) {
	if c.ofHost[s.host] += n; c.ofHost[s.host] == 0 {
		delete(c.ofHost, s.host)
	}
}

// forgotten is the error of a delivery whose event is no longer kept.
const forgotten = "the event is no longer kept"

// send reads the events and lets them go.
func (c *Courier) send(ctx context.Context, list []*Sending) error {
	if len(list) == 0 {
		return nil
	}
	ids := make(map[EventID]auth.CustomerID, len(list))
	for _, s := range list {
		ids[s.Delivery.Event] = s.Delivery.Customer
	}
	events, err := c.Store.EventsByID(ctx, ids)
	switch {
	case err != nil:
		c.stay(list)
		return fmt.Errorf("read events to send: %w", err)
	case c.lapsed():
		c.stay(list)
		c.asked = time.Time{}
		return errFenced
	}
	// A goroutine that is started last runs first, the others in their order: so
	// whoever's turn it is begins at once, whatever another customer sends beside it.
	for i := range list {
		s := list[(i+1)%len(list)]
		e, ok := events[s.Delivery.Event]
		if !ok { // retention took it: there is nothing left to tell
			c.finished.put(result{Sending: s, answer: Answer{Try: Try{At: c.Now(), Error: forgotten}}})
			continue
		}
		s.Event = e
		c.Go(func() { c.finished.put(c.post(ctx, s)) })
	}
	return nil
}

// post sends, unless the process stood still since that was decided.
func (c *Courier) post(ctx context.Context, s *Sending) result {
	if !c.Now().Before(s.until) {
		return result{Sending: s, unsent: true}
	}
	return result{Sending: s, answer: c.Post(ctx, s)}
}

// stay undoes the choice of sendings that are still here.
func (c *Courier) stay(list []*Sending) {
	for _, s := range list {
		c.countAtHost(s, -1)
	}
	c.callBack(list)
}

// callBack undoes the choice of sendings that did not go out. Their lines are
// read again.
func (c *Courier) callBack(list []*Sending) {
	for _, s := range list {
		l := c.lines[s.Hook.ID]
		c.count(l, s, -1)
		l.lanes[keyOf(&s.Delivery)].flying = false
		if s.probe {
			l.probing = false
		}
	}
	for _, s := range list {
		c.lines[s.Hook.ID].reset()
	}
}
