package monitor

import (
	"container/heap"
	"context"
	"fmt"
	"time"

	"bureau/internal/company"
)

// A line is what a courier knows of one webhook's deliveries.
type line struct {
	hook *Webhook
	host string
	turn int64     // when it last sent
	rest time.Time // the endpoint asked for quiet until then

	live   queue
	replay queue             // sent again on request: only while nothing else is to be sent
	lanes  map[laneKey]*lane // companies with something ready or under way, or that failed
	idle   []laneKey         // of those, the ones that may go on at once
	waits  waits             // and the ones that may go on later
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
	behind []Delivery // in order, read already
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
	// linePage is how many deliveries are read at once, and kept ready.
	linePage = 256
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
	l.idle, l.waits = nil, nil
}

// load reads what is waiting, as far as there is room.
func (l *line) load(ctx context.Context, c *Courier, now time.Time) error {
	if l.fresh {
		if err := l.loadParked(ctx, c); err != nil {
			return err
		}
	}
	if err := l.resume(ctx, c, now); err != nil {
		return err
	}
	if err := l.read(ctx, c, &l.live, false); err != nil {
		return err
	}
	return l.read(ctx, c, &l.replay, true)
}

// loadParked learns which companies failed, from the database.
func (l *line) loadParked(ctx context.Context, c *Courier) error {
	list, err := c.Store.ParkedLanes(ctx, l.hook.Customer, l.hook.ID)
	if err != nil {
		return fmt.Errorf("read failed deliveries: %w", err)
	}
	for i := range list {
		key := keyOf(&list[i])
		if l.lanes[key] == nil {
			l.lanes[key] = &lane{until: list[i].NextAt}
			heap.Push(&l.waits, wait{list[i].NextAt, key})
		}
		l.lanes[key].parked = true
	}
	l.fresh = false
	return nil
}

// resume lets the lanes go on whose time has come.
func (l *line) resume(ctx context.Context, c *Courier, now time.Time) error {
	for len(l.idle) > 0 {
		if err := l.goOn(ctx, c, l.idle[0]); err != nil {
			return err
		}
		l.idle = l.idle[1:]
	}
	for len(l.waits) > 0 && !l.waits[0].until.After(now) {
		if err := l.goOn(ctx, c, l.waits[0].of); err != nil {
			return err
		}
		heap.Pop(&l.waits)
	}
	return nil
}

// goOn makes the next delivery of a lane ready, or ends the lane.
func (l *line) goOn(ctx context.Context, c *Courier, key laneKey) error {
	n := l.lanes[key]
	if n == nil || n.first != nil {
		return nil
	}
	if len(n.behind) == 0 && n.parked {
		// What was parked a moment ago must be seen.
		if err := c.settle(ctx); err != nil {
			return err
		}
		list, err := c.Store.ParkedFor(ctx, l.hook.Customer, l.hook.ID, key.of, key.replay, behindMost)
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
	l.queue(n, &d)
	return nil
}

// queue makes a delivery the first of its lane, ready to go out.
func (l *line) queue(n *lane, d *Delivery) {
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
		list, err := c.Store.WaitingFor(ctx, l.hook.Customer, l.hook.ID, replay, q.read, linePage)
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

// hear takes in a delivery that is new, if the line has all those before it and room;
// otherwise it is read with them.
func (l *line) hear(c *Courier, d *Delivery) {
	if l.live.more || l.fresh || len(l.live.ready) >= linePage || !c.mine(d.Webhook) {
		l.live.more = true
		return
	}
	if n := l.lanes[keyOf(d)]; n != nil && n.first == nil {
		l.live.more = true // its company is about to go on with others
		return
	}
	if d.Event > l.live.read && d.State == Waiting && !d.Replay {
		l.admit(c, d)
		l.live.read = d.Event
	}
}

// admit takes in a waiting delivery: it goes out, waits behind another of its
// company, or is parked.
func (l *line) admit(c *Courier, d *Delivery) {
	n := l.lanes[keyOf(d)]
	switch {
	case n == nil:
		n = &lane{}
		l.lanes[keyOf(d)] = n
		l.queue(n, d)
	case n.first != nil && n.first.Event == d.Event:
		// Under way already, from before we started over.
	case n.first != nil && !n.parked && len(n.behind) < behindMost:
		n.behind = append(n.behind, *d)
	default:
		c.parkAll(n)
		c.park(n, *d)
	}
}

// next takes the first delivery that may go out.
func (l *line) next(replays bool) (Delivery, bool) {
	q := &l.live
	if len(q.ready) == 0 {
		if q = &l.replay; len(q.ready) == 0 || l.again >= replayMost || !replays {
			return Delivery{}, false
		}
	}
	d := q.ready[0]
	q.ready = q.ready[1:]
	return d, true
}

// dueAt is when a line has something to do that nothing else wakes us for.
func (l *line) dueAt(now time.Time) time.Time {
	if len(l.idle) > 0 {
		return now // it was kept after others were sent
	}
	at := now.Add(time.Hour)
	if len(l.waits) > 0 {
		at = l.waits[0].until
	}
	if len(l.live.ready)+len(l.replay.ready) > 0 {
		for _, t := range []time.Time{l.rest, l.until} { // of the breaker
			if t.After(now) && t.Before(at) {
				at = t
			}
		}
	}
	return at
}

// waits are lanes by the time when they may go on, the first one in front. A
// lane that went on before, or that is gone, is passed over when its time comes.
type waits []wait

type wait struct {
	until time.Time
	of    laneKey
}

func (w waits) Len() int           { return len(w) }
func (w waits) Less(i, j int) bool { return w[i].until.Before(w[j].until) }
func (w waits) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *waits) Push(x any)        { *w = append(*w, x.(wait)) }
func (w *waits) Pop() any {
	last := len(*w) - 1
	x := (*w)[last]
	*w = (*w)[:last]
	return x
}
