package monitor

import (
	"container/heap"
	"slices"
	"time"
)

const (
	// triesMost is how many tries of a delivery are remembered, and
	// answersMost of how many the beginning of the answer.
	triesMost   = 60
	answersMost = 3
)

// landed takes in what an endpoint said. Until that is kept the sending counts
// as under way, and its company waits.
func (c *Courier) landed(r result, now time.Time) {
	c.countAtHost(r.Sending, -1)
	if r.unsent {
		c.callBack([]*Sending{r.Sending})
		return
	}
	l := c.lines[r.Hook.ID]
	if r.answer.Error != forgotten {
		l.result(r.answer.OK(), r.probe, now, c.Random)
	} else if r.probe {
		l.probing = false
	}
	c.active[r.Hook.ID] = l
	if c.fence(r.Hook.ID) != r.fence {
		// Between then and now it was another node's, which may have sent it
		// and more: what to do about it the database knows.
		c.callBack([]*Sending{r.Sending})
		return
	}
	n := l.lanes[keyOf(&r.Delivery)]
	c.down = append(c.down, r.Sending)
	d := r.Delivery
	d.Tries = remember(d.Tries, r.answer.Try)
	c.obey(l, &r.answer, now)
	switch {
	case r.answer.OK():
		d.State, d.NextAt = Delivered, time.Time{}
	case r.answer.Error == forgotten, now.Sub(d.Since) >= giveUpAfter:
		d.State, d.NextAt = Dead, time.Time{}
	default:
		d.NextAt = now.Add(max(backoff(d.triesSince(), c.Random), min(r.answer.RetryAfter, longestWait)))
		c.fail(l, n, d)
		c.tell(Parked)
		return
	}
	n.first.State = d.State // so that nobody parks it
	c.unsettled = append(c.unsettled, d)
	c.tell(d.State)
}

// release lets go of what came back, once that is kept: the next of its company
// may go out.
func (c *Courier) release() {
	for _, s := range c.down {
		l := c.lines[s.Hook.ID]
		c.count(l, s, -1)
		key := keyOf(&s.Delivery)
		// One that failed left its place already.
		if n := l.lanes[key]; n != nil && n.first != nil && n.first.Event == s.Delivery.Event {
			n.first, n.flying = nil, false
			l.idle = append(l.idle, key)
		}
	}
	c.down = nil
}

func (c *Courier) tell(s DeliveryState) {
	if c.Landed != nil {
		c.Landed(s)
	}
}

// obey does what an endpoint asks for beyond the one delivery.
func (c *Courier) obey(l *line, a *Answer, now time.Time) {
	switch {
	case a.Status == statusGone:
		c.disable[l.hook.ID] = "the endpoint answered 410 Gone"
		h := *l.hook // the old one is with those under way
		h.Disabled = true
		l.hook = &h
	case (a.Status == statusTooMany || a.Status == statusUnavailable) && a.RetryAfter > 0:
		if until := now.Add(min(a.RetryAfter, longestWait)); until.After(l.rest) {
			l.rest = until
		}
	}
}

// fail puts a delivery and all of its company behind it aside until its time
// comes.
func (c *Courier) fail(l *line, n *lane, d Delivery) {
	n.first, n.flying, n.until = nil, false, d.NextAt
	heap.Push(&l.waits, wait{n.until, keyOf(&d)})
	c.parkAll(n)
	n.behind = nil
	c.park(n, d)
}

// parkAll parks what a lane has in memory, if the database does not know yet.
// Of one company all that is parked comes before all that waits: whoever starts
// over reads the one and then the other.
func (c *Courier) parkAll(n *lane) {
	if n.first != nil && n.first.State == Waiting {
		c.park(n, *n.first)
		n.first.State = Parked
	}
	for i := range n.behind {
		if b := &n.behind[i]; b.State != Parked {
			c.park(n, *b)
			b.State = Parked
		}
	}
}

// park puts a delivery behind others in the database.
func (c *Courier) park(n *lane, d Delivery) {
	d.State = Parked
	n.parked = true
	c.unsettled = append(c.unsettled, d)
}

// triesSince is how often a delivery was tried since it was last asked for.
func (d *Delivery) triesSince() (n int) {
	for _, t := range d.Tries {
		if !t.At.Before(d.Since) {
			n++
		}
	}
	return n
}

// remember adds a try to those before, without letting a delivery grow for
// ever.
func remember(tries []Try, t Try) []Try {
	out := append(slices.Clone(tries), t)
	if len(out) > triesMost {
		out = out[len(out)-triesMost:]
	}
	for i := range out[:max(0, len(out)-answersMost)] {
		out[i].Answer = ""
	}
	return out
}
