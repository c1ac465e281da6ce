package monitor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/company"
)

// A line is what a courier knows of one webhook's deliveries.
type line struct {
	hook *Webhook
	host string

	live   queue
	replay queue             // sent again on request: only while nothing else is to be sent
	lanes  map[laneKey]*lane // companies with something under way, or that failed
	due    time.Time         // when the first of them may go on
	fresh  bool              // what is parked was not looked at yet
	flying int
	again  int // of those under way, replays
	breaker
}

// A queue is deliveries in order, as far as they were read.
type queue struct {
	ready []Delivery // may go out now
	read  EventID    // those up to here were looked at
	more  bool       // there may be more behind
}

// A lane is one company's deliveries at one webhook. While there is one, others
// of the company stay behind. Replays have lanes of their own.
type lane struct {
	first  *Delivery  // ready or under way
	flying bool       // under way
	behind []Delivery // in order, read and not parked
	parked bool       // more are parked in the database
	until  time.Time  // not before
}

type laneKey struct {
	of     company.ID
	replay bool
}

func keyOf(d *Delivery) laneKey { return laneKey{d.Company, d.Replay} }

const (
	// behindMost is how many deliveries of a company wait in memory for the
	// one before. More are parked, so that the line is read on for others.
	behindMost = 32
	// linePage is how many deliveries are read at once.
	linePage = 512
	// replayMost is how many replays of a webhook are under way at once.
	replayMost = 2
)

func newLine() *line {
	l := &line{hook: &Webhook{}, lanes: map[laneKey]*lane{}}
	l.reset()
	return l
}

// reset forgets all but what is under way; the rest is read again.
func (l *line) reset() {
	for id, n := range l.lanes {
		if !n.flying {
			delete(l.lanes, id)
			continue
		}
		n.behind, n.parked, n.until = nil, false, time.Time{}
	}
	l.live, l.replay, l.fresh = queue{more: true}, queue{more: true}, true
}

// load reads what is waiting, as far as there is room.
func (l *line) load(ctx context.Context, c *Courier, now time.Time) error {
	if l.fresh {
		if err := l.loadParked(ctx, c); err != nil {
			return err
		}
	}
	if !l.due.After(now) {
		if err := l.resume(ctx, c, now); err != nil {
			return err
		}
	}
	if err := l.read(ctx, c, &l.live, false); err != nil {
		return err
	}
	return l.read(ctx, c, &l.replay, true)
}

// loadParked learns which companies failed, from the database.
func (l *line) loadParked(ctx context.Context, c *Courier) error {
	list, err := c.Store.ParkedLanes(ctx, l.hook.ID)
	if err != nil {
		return fmt.Errorf("read failed deliveries: %w", err)
	}
	for i := range list {
		key := keyOf(&list[i])
		if l.lanes[key] == nil {
			l.lanes[key] = &lane{until: list[i].NextAt}
		}
		l.lanes[key].parked = true
	}
	l.fresh, l.due = false, time.Time{}
	return nil
}

// resume lets the lanes go on whose time has come.
func (l *line) resume(ctx context.Context, c *Courier, now time.Time) error {
	l.due = now.Add(lastRetry)
	for key, n := range l.lanes {
		if n.first != nil {
			continue
		}
		if n.until.After(now) {
			l.dueBy(n.until)
			continue
		}
		if err := l.goOn(ctx, c, key, n); err != nil {
			l.due = now
			return err
		}
	}
	return nil
}

// dueBy makes sure that the lanes are looked at by then.
func (l *line) dueBy(t time.Time) {
	if t.Before(l.due) {
		l.due = t
	}
}

// goOn makes the next delivery of a lane ready, or ends the lane.
func (l *line) goOn(ctx context.Context, c *Courier, key laneKey, n *lane) error {
	if len(n.behind) == 0 && n.parked {
		// What was parked a moment ago must be seen.
		if err := c.settle(ctx); err != nil {
			return err
		}
		list, err := c.Store.ParkedFor(ctx, l.hook.ID, key.of, key.replay, behindMost)
		if err != nil {
			return fmt.Errorf("read failed deliveries: %w", err)
		}
		n.behind, n.parked = list, len(list) == behindMost
	}
	if len(n.behind) == 0 {
		delete(l.lanes, key)
		return nil
	}
	d := n.behind[0]
	n.behind = n.behind[1:]
	l.choose(n, &d)
	return nil
}

// choose makes a delivery the first of its lane, ready to go out.
func (l *line) choose(n *lane, d *Delivery) {
	n.first = d
	q := &l.live
	if d.Replay {
		q = &l.replay
	}
	q.ready = append(q.ready, *d)
}

// read takes in waiting deliveries until there are enough to send.
func (l *line) read(ctx context.Context, c *Courier, q *queue, replay bool) error {
	for q.more && len(q.ready) < linePage {
		list, err := c.Store.WaitingFor(ctx, l.hook.ID, replay, q.read, linePage)
		if err != nil {
			return fmt.Errorf("read waiting deliveries: %w", err)
		}
		for i := range list {
			l.admit(c, &list[i])
		}
		if q.more = len(list) == linePage; len(list) > 0 {
			q.read = list[len(list)-1].Event
		}
	}
	return nil
}

// admit takes in a waiting delivery: it goes out, waits behind another of its
// company, or is parked.
func (l *line) admit(c *Courier, d *Delivery) {
	n := l.lanes[keyOf(d)]
	switch {
	case n == nil:
		n = &lane{}
		l.lanes[keyOf(d)] = n
		l.choose(n, d)
	case n.first != nil && n.first.Event == d.Event:
		// Under way already, from before we started over.
	case n.first != nil && !n.parked && len(n.behind) < behindMost:
		n.behind = append(n.behind, *d)
	default:
		c.park(n, *d)
	}
}

// park puts a delivery behind others in the database.
func (c *Courier) park(n *lane, d Delivery) {
	d.State = Parked
	n.parked = true
	c.unsettled = append(c.unsettled, d)
}

// next takes the first delivery that may go out.
func (l *line) next() (Delivery, bool) {
	q := &l.live
	if len(q.ready) == 0 {
		if q = &l.replay; len(q.ready) == 0 || l.again >= replayMost {
			return Delivery{}, false
		}
	}
	d := q.ready[0]
	q.ready = q.ready[1:]
	return d, true
}

// takeOff notes that a delivery is under way.
func (l *line) takeOff(d *Delivery) {
	l.flying++
	if d.Replay {
		l.again++
	}
	l.lanes[keyOf(d)].flying = true
	l.breaker.sent()
}

// landed takes in what an endpoint said.
func (c *Courier) landed(r result, now time.Time) {
	c.flying--
	l := c.lines[r.hook]
	l.flying--
	if r.of.replay {
		l.again--
	}
	c.ofCustomer[l.hook.Customer]--
	c.ofHost[l.host]--
	c.active[r.hook] = l
	n := l.lanes[r.of]
	d := *n.first
	n.first, n.flying = nil, false
	if !c.mine(r.hook) {
		delete(l.lanes, r.of) // another node's by now, which sends it again
		return
	}
	d.Tries = append(slices.Clone(d.Tries), r.answer.Try)
	if r.answer.Error != forgotten {
		l.breaker.result(r.answer.OK(), now)
	}
	l.due = time.Time{}
	switch {
	case r.answer.OK():
		d.State, d.NextAt, n.until = Delivered, time.Time{}, time.Time{}
	case r.answer.Error == forgotten, now.Sub(d.Since) >= giveUpAfter:
		d.State, d.NextAt, n.until = Dead, time.Time{}, time.Time{}
	default:
		if r.answer.Status == gone {
			c.disable[r.hook] = "the endpoint answered 410 Gone"
			l.hook.Disabled = true
		}
		wait := max(backoff(len(d.Tries), c.Random), min(r.answer.RetryAfter, longestWait))
		d.NextAt = now.Add(wait)
		n.until = d.NextAt
		for _, b := range n.behind {
			c.park(n, b)
		}
		n.behind = nil
		c.park(n, d)
		return
	}
	c.unsettled = append(c.unsettled, d)
}

// nextDue is when to look again if nothing wakes the courier.
func (c *Courier) nextDue(now time.Time) time.Time {
	next := now.Add(time.Second)
	if c.flying >= c.Slots {
		return next
	}
	for _, l := range c.active {
		if l.hook.Disabled || len(l.lanes) == 0 {
			continue
		}
		at := l.due
		if l.failures >= breakAfter && at.Before(l.until) {
			at = l.until
		}
		if at.Before(next) && (l.flying < c.PerWebhook) {
			next = at
		}
	}
	return next
}
