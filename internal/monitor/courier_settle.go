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
	if err := c.notice(ctx); err != nil {
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
