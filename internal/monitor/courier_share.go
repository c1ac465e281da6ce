package monitor

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
)

// CourierName names the courier's leases.
const CourierName = "courier"

const (
	// courierShards is into how many parts the webhooks are split over nodes.
	courierShards = 16
	// courierLife is how long a lease holds.
	courierLife = 9 * time.Second
	// courierMargin is how long before the end of its leases a courier sends
	// nothing more.
	courierMargin = time.Second
)

// hold has a share of the webhooks. Those that were taken by another node are
// forgotten, with all that was thought about them.
func (c *Courier) hold(ctx context.Context, now time.Time) error {
	if c.lines == nil {
		c.lines, c.active = map[WebhookID]*line{}, map[WebhookID]*line{}
		c.ofCustomer, c.ofHost = map[auth.CustomerID]int{}, map[string]int{}
		c.disable = map[WebhookID]string{}
		c.tail = -1
	}
	if now.Sub(c.asked) < job.RenewAfter(courierLife, len(c.held), courierShards, now.Sub(c.moved)) {
		return nil
	}
	// If the share is another one, what came back is forgotten, and would be sent
	// again: so it is kept first.
	c.land(now)
	if err := c.settle(ctx); err != nil {
		return err
	}
	held, err := c.Jobs.Share(ctx, CourierName, courierShards, c.Owner, courierLife)
	if err != nil {
		return fmt.Errorf("share the webhooks: %w", err)
	}
	changed := !job.SameShare(held, c.held)
	// The end is counted on our own clock, from before we asked.
	c.held, c.asked = held, now
	if changed {
		c.moved = now
		c.startOver()
	}
	return nil
}

// lapsed reports whether our leases may be over. A process that stood still
// must not go on sending before it has asked again.
func (c *Courier) lapsed() bool { return c.Now().Sub(c.asked) >= courierLife-courierMargin }

// startOver forgets everything but what is under way: the database knows the
// rest. What came back and could not be kept is forgotten too, and sent again.
func (c *Courier) startOver() {
	c.release()
	c.version, c.tail = 0, -1
	c.unsettled = nil
	clear(c.disable)
	clear(c.active)
	for id, l := range c.lines {
		l.reset()
		if !c.mine(id) && l.flying == 0 {
			delete(c.lines, id)
		}
	}
}

func (c *Courier) mine(id WebhookID) bool { return c.fence(id) > 0 }

// fence is that of the lease by which a webhook is ours; 0 if it is not.
func (c *Courier) fence(id WebhookID) int64 {
	name := job.ShardName(CourierName, int(id%courierShards))
	for i := range c.held {
		if c.held[i].Name == name {
			return c.held[i].Fence
		}
	}
	return 0
}

// refresh learns of changed webhooks and of new deliveries.
func (c *Courier) refresh(ctx context.Context, _ time.Time) (err error) {
	if c.tail < 0 {
		// Lines are read from their beginning after this, so nothing up to
		// here can be missed.
		if c.tail, err = c.Store.LastEvent(ctx); err != nil {
			c.tail = -1
			return fmt.Errorf("find the newest event: %w", err)
		}
	}
	return c.notice(ctx, func(list []Webhook) {
		for i := range list {
			c.version = list[i].Version
			if c.mine(list[i].ID) {
				c.learn(&list[i])
			}
		}
	})
}

// notice takes in new deliveries, after the webhooks that they may be for.
func (c *Courier) notice(ctx context.Context, changed func([]Webhook)) error {
	const page = 1000
	for {
		news, err := c.Store.Round(ctx, c.version, c.tail, page)
		if err != nil {
			return fmt.Errorf("look for new deliveries: %w", err)
		}
		changed(news.Webhooks)
		for i := range news.Deliveries {
			d := &news.Deliveries[i]
			if l := c.lines[d.Webhook]; l != nil {
				l.hear(c, d)
				c.active[d.Webhook] = l
			}
		}
		c.tail = news.Last
		if len(news.Deliveries) < page {
			return nil // what comes now wakes us
		}
	}
}

// learn takes in a webhook that is new or was changed.
func (c *Courier) learn(h *Webhook) {
	l := c.lines[h.ID]
	if l == nil {
		if h.URL == "" {
			return
		}
		l = newLine()
		c.lines[h.ID] = l
	}
	if l.hook.Disabled != h.Disabled || l.hook.Replays != h.Replays {
		l.reset()
	}
	if l.hook.URL != h.URL || l.hook.Disabled != h.Disabled {
		l.breaker, l.rest = breaker{}, time.Time{} // another endpoint, or one that was mended
	}
	l.hook, l.host = h, hostOf(h.URL)
	c.active[h.ID] = l
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
