package monitor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// A settlement is what became of deliveries, on its way into the database.
type settlement struct {
	list    []Delivery
	disable map[WebhookID]string
	fences  []job.Lease
}

// unkept takes over what is not kept yet.
func (c *Courier) unkept() (s settlement, some bool) {
	if len(c.unsettled) == 0 && len(c.disable) == 0 {
		return s, false
	}
	s = settlement{c.unsettled, c.disable, c.held}
	c.settled = c.Now()
	c.unsettled, c.disable = nil, map[WebhookID]string{}
	slices.SortStableFunc(s.list, func(a, b Delivery) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(a.Webhook, b.Webhook))
	})
	return s, true
}

func (c *Courier) keep(ctx context.Context, s settlement) error {
	return c.Store.Settle(ctx, s.list, s.disable, s.fences)
}

// kept notes how a settlement ended. What could not be kept is tried again.
func (c *Courier) kept(s settlement, err error) error {
	switch {
	case errors.Is(err, fault.Conflict):
		c.held, c.asked = nil, time.Time{} // ask again what is ours
		c.startOver()
		return errFenced
	case err != nil:
		c.unsettled = append(s.list, c.unsettled...)
		maps.Copy(c.disable, s.disable)
		return fmt.Errorf("keep %d deliveries: %w", len(s.list), err)
	}
	c.release()
	return nil
}

// settle keeps what is not kept yet.
func (c *Courier) settle(ctx context.Context) error {
	s, some := c.unkept()
	if !some {
		return nil
	}
	return c.kept(s, c.keep(ctx, s))
}

// settleUnlessWaiting does the same where something cannot wait.
func (c *Courier) settleUnlessWaiting(ctx context.Context, now time.Time) error {
	if c.mayWait(now) {
		return nil
	}
	return c.settle(ctx)
}

// mayWait says whether what came back need not be kept yet: something was a moment
// ago, and nobody waits for this. A commit takes the disk from everybody, and one
// customer's many answers would be many commits.
func (c *Courier) mayWait(now time.Time) bool {
	if since := now.Sub(c.settled); since < 0 || since >= c.Gather {
		return false
	}
	if len(c.disable) > 0 || len(c.unsettled) != len(c.down) || 2*c.flying > c.Slots {
		return false
	}
	for _, s := range c.down {
		n := c.lines[s.Hook.ID].lanes[keyOf(&s.Delivery)]
		if n == nil || n.first == nil || n.parked || len(n.behind) > 0 {
			return false // it failed, or its company has more to send
		}
	}
	for _, l := range c.active {
		if len(l.live.ready)+len(l.replay.ready) > 0 {
			return false // there may be no room for those
		}
	}
	return true
}

// settleBeside does the same, and sends meanwhile what is new: an event of one
// customer does not wait until the results of another's are on disk.
func (c *Courier) settleBeside(ctx context.Context, now time.Time) error {
	s, some := c.unkept()
	if !some {
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- c.keep(ctx, s) }() // we do not leave before it is done
	woken := c.Wake.Wait()
	failed := c.sendNew(ctx, now)
	for failed == nil {
		if len(done) > 0 { // before more is sent: a select would draw lots
			return c.kept(s, <-done)
		}
		select {
		case err := <-done:
			return c.kept(s, err)
		case <-woken:
			woken = c.Wake.Wait()
			failed = c.sendNew(ctx, now)
		}
	}
	if err := c.kept(s, <-done); err != nil {
		return err
	}
	return failed
}

// sendNew sends events that were just made. Companies that wait for what is
// being kept stay where they are.
func (c *Courier) sendNew(ctx context.Context, now time.Time) error {
	if c.tail < 0 || c.flying >= c.Slots {
		return nil
	}
	later := func([]Webhook) {} // they may change what is being kept
	if err := c.notice(ctx, later); err != nil {
		return err
	}
	lines := map[auth.CustomerID][]*line{}
	for _, id := range c.inOrder() {
		l := c.active[id]
		if l.fresh || l.hook.URL == "" || l.hook.Disabled || !c.mine(id) {
			continue
		}
		if err := l.read(ctx, c, &l.live, false); err != nil {
			return err
		}
		if len(l.live.ready) > 0 {
			lines[l.hook.Customer] = append(lines[l.hook.Customer], l)
		}
	}
	return c.send(ctx, c.choose(lines, now))
}
