package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// Deliveries implements monitor.WebhookStore.
func (db *DB) Deliveries(ctx context.Context, by auth.Caller, id monitor.WebhookID, q monitor.DeliveryQuery) ([]monitor.Delivery, error) {
	if _, err := db.Webhook(ctx, by, id); err != nil {
		return nil, err
	}
	before := int64(q.Before)
	if before == 0 {
		before = math.MaxInt64
	}
	from, to := int64(0), int64(monitor.Dead)
	if q.State != nil {
		from, to = int64(*q.State), int64(*q.State)
	}
	return db.deliveries(ctx, `
		SELECT `+deliveryColumns+` FROM delivery
		WHERE customer = $6 AND webhook = $1 AND event < $2 AND state >= $3 AND state <= $4
		ORDER BY event DESC
		LIMIT $5 + 0`, int64(id), before, from, to, q.Limit, int64(by.Customer))
}

// Delivery implements monitor.WebhookStore.
func (db *DB) Delivery(ctx context.Context, by auth.Caller, id monitor.WebhookID, event monitor.EventID) (monitor.Delivery, error) {
	d, err := readDelivery(db.QueryRow(ctx, `
		SELECT `+deliveryColumns+` FROM delivery
		WHERE event = $1 AND webhook = $2 AND customer = $3`, int64(event), int64(id), int64(by.Customer)))
	if errors.Is(err, sql.ErrNoRows) {
		return d, fault.Missing.Errorf("Delivery not found")
	}
	return d, err
}

// Replay implements monitor.WebhookStore.
func (db *DB) Replay(ctx context.Context, by auth.Caller, id monitor.WebhookID, q monitor.ReplayQuery, limit int) (n int, last monitor.EventID, err error) {
	err = db.write(ctx, func(t tx) error {
		n, last = 0, 0
		h, err := db.webhook(ctx, t, by, id, db.d.forUpdate)
		if err != nil {
			return err
		}
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		room, err := db.replayRoom(ctx, t, &h, q, now, limit)
		if err != nil {
			return err
		}
		events, err := db.replayable(ctx, t, &h, q, limit)
		if err != nil {
			return err
		}
		if q.Event != 0 && len(events) == 0 {
			return fault.Missing.Errorf("NotificationEvent resource not found")
		}
		looked := 0
		if n, looked, err = db.replay(ctx, t, &h, events, q.Dead, now, room); err != nil {
			return err
		}
		if looked < len(events) || looked == limit {
			last = events[looked-1].ID
		}
		if n == 0 {
			return nil
		}
		h.CountReplays(n, now)
		return db.keepWebhook(ctx, t, &h)
	})
	return n, last, db.webhookFault("replay", err)
}

// replayRoom is how many more events may be sent again to a webhook, at most
// limit. None is a fault.Exhausted.
func (db *DB) replayRoom(ctx context.Context, t tx, h *monitor.Webhook, q monitor.ReplayQuery, now time.Time, limit int) (int, error) {
	if q.Daily > 0 {
		if limit = min(limit, h.ReplaysLeft(q.Daily, now)); limit == 0 {
			tomorrow := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
			return 0, fault.Exhausted.After(tomorrow.Sub(now), "%d events were sent again to this webhook today, which is the most in a day; ask for more after %s UTC",
				h.Replayed, tomorrow.Format("2006-01-02 15:04"))
		}
	}
	if q.Most > 0 {
		waiting, err := db.replaying(ctx, t, h, q.Most)
		if err != nil {
			return 0, err
		}
		if waiting >= q.Most {
			return 0, fault.Exhausted.Errorf("%d events wait to be sent again to this webhook; ask for more when they were sent", waiting)
		}
		limit = min(limit, q.Most-waiting)
	}
	return limit, nil
}

// replayable finds the events that a webhook carries, from the oldest on.
func (db *DB) replayable(ctx context.Context, t tx, h *monitor.Webhook, q monitor.ReplayQuery, limit int) ([]monitor.Event, error) {
	carries := *h
	carries.Disabled = false
	if q.Event != 0 {
		e, err := readEvent(t.QueryRow(ctx, eventSelect+`event AS e WHERE e.id = $1 AND e.customer = $2`, int64(q.Event), int64(h.Customer)))
		if errors.Is(err, sql.ErrNoRows) || err == nil && !carries.Wants(&e) {
			return nil, nil
		}
		return []monitor.Event{e}, err
	}
	portfolios := []int64{int64(monitor.AlertsOf(h.Customer))}
	err := each(ctx, t, func(r row) error {
		var id int64
		err := r.Scan(&id)
		portfolios = append(portfolios, id)
		return err
	}, `SELECT id FROM portfolio WHERE customer = $1`, int64(h.Customer))
	if err != nil {
		return nil, err
	}
	var out []monitor.Event
	for from := q.Since; len(out) < limit; {
		list, err := db.eventsFrom(ctx, t, h.Customer, portfolios, from, limit)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if carries.Wants(&list[i]) && len(out) < limit {
				out = append(out, list[i])
			}
			from = list[i].ID + 1
		}
		if len(list) < limit {
			break
		}
	}
	return out, nil
}

// eventsFrom reads events of a customer's portfolios with a number or a higher
// one, in order.
func (db *DB) eventsFrom(ctx context.Context, t tx, of auth.CustomerID, portfolios []int64, from monitor.EventID, limit int) ([]monitor.Event, error) {
	// An index of a portfolio's events is sorted by the time they were made,
	// which grows with their numbers.
	var made time.Time
	err := t.QueryRow(ctx, db.d.eventMade, int64(from)).Scan(stamp{&made})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	q := &eventQuery{ids: portfolios, customer: of, EventQuery: monitor.EventQuery{
		Sort: monitor.ByID, After: &monitor.Position{Made: made, ID: from - 1}, Limit: limit,
	}}
	keys, err := q.keys(ctx, t)
	if err != nil {
		return nil, err
	}
	return db.eventsOf(ctx, t, of, keys[:min(limit, len(keys))])
}

// replay makes events wait again: those that were never sent, and those that
// are done with, until there is no more room. What waits is not even locked,
// since its courier may be writing what became of it.
func (db *DB) replay(ctx context.Context, t tx, h *monitor.Webhook, events []monitor.Event, dead bool, now time.Time, room int) (n, looked int, err error) {
	least := monitor.Delivered
	if dead {
		least = monitor.Dead
	}
	for ; looked < len(events) && n < room; looked++ {
		e := &events[looked]
		hit, err := t.Exec(ctx, `
			UPDATE delivery SET state = 0, replay = 1, since = $3, next_at = 0
			WHERE customer = $5 AND webhook = $1 AND event = $2 AND state >= $4`,
			int64(h.ID), int64(e.ID), stamp{&now}, int64(least), int64(h.Customer))
		if err == nil && hit == 0 && !dead {
			hit, err = t.Exec(ctx, `
				INSERT INTO delivery (webhook, event, customer, company, state, replay, since, next_at, tries)
				VALUES ($1, $2, $3, $4, 0, 1, $5, 0, '[]')
				ON CONFLICT DO NOTHING`,
				int64(h.ID), int64(e.ID), int64(e.Customer), string(e.Company), stamp{&now})
		}
		if err != nil {
			return 0, 0, err
		}
		n += int(hit)
	}
	return n, looked, nil
}

// replaying counts what waits to be sent again, up to a number.
func (db *DB) replaying(ctx context.Context, t tx, h *monitor.Webhook, most int) (n int, err error) {
	err = t.QueryRow(ctx, `
		SELECT COUNT(*) FROM (
			SELECT 1 AS one FROM delivery
			WHERE customer = $3 AND webhook = $1 AND replay = 1 AND state = 0
			LIMIT $2 + 0) AS d`, int64(h.ID), most, int64(h.Customer)).Scan(&n)
	return n, err
}

// ForgetDeliveries implements monitor.WebhookStore.
func (db *DB) ForgetDeliveries(ctx context.Context, before time.Time, limit int) (n int64, err error) {
	young, err := db.firstEventAt(ctx, before)
	if err != nil {
		return 0, fmt.Errorf("forget old deliveries: %w", err)
	}
	err = db.write(ctx, func(t tx) error {
		n, err = t.Exec(ctx, `
			DELETE FROM delivery WHERE (event, webhook) IN (
				SELECT d.event, d.webhook FROM delivery AS d
				WHERE d.event < $1 AND d.since < $2
					AND (d.state >= 2 OR d.webhook IN (SELECT h.id FROM webhook AS h WHERE h.disabled = 1))
				ORDER BY d.event LIMIT $3 + 0)`, int64(young), stamp{&before}, limit)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget old deliveries: %w", err)
	}
	return n, nil
}

// firstEventAt finds the first event that was made at a time or later. The
// times of events grow with their numbers, so halving the numbers leads there.
func (db *DB) firstEventAt(ctx context.Context, at time.Time) (monitor.EventID, error) {
	last, err := db.LastEvent(ctx)
	if err != nil {
		return 0, err
	}
	low, high := monitor.EventID(1), last+1 // it is one of these
	for low < high {
		middle := low + (high-low)/2
		var id monitor.EventID
		var made time.Time
		err := db.QueryRow(ctx, `SELECT id, created_at FROM event WHERE id >= $1 ORDER BY id LIMIT 1`, int64(middle)).Scan(&id, stamp{&made})
		switch {
		case errors.Is(err, sql.ErrNoRows) || err == nil && !made.Before(at):
			high = middle
		case err != nil:
			return 0, err
		default:
			low = id + 1
		}
	}
	return low, nil
}

// Backlog implements monitor.WebhookStore.
func (db *DB) Backlog(ctx context.Context) (b monitor.Backlog, err error) {
	var first int64
	for _, part := range []struct {
		state monitor.DeliveryState
		count *int64
	}{{monitor.Waiting, &b.Waiting}, {monitor.Parked, &b.Parked}} {
		var least int64
		// The state is written out: the small indexes hold for one state each.
		err := db.QueryRow(ctx, fmt.Sprintf(`
			SELECT COUNT(*), COALESCE(MIN(event), 0) FROM delivery
			WHERE state = %d AND replay = 0 AND webhook IN (SELECT id FROM webhook WHERE disabled = 0)`, part.state)).
			Scan(part.count, &least)
		if err != nil {
			return b, fmt.Errorf("count deliveries: %w", err)
		}
		if least != 0 && (first == 0 || least < first) {
			first = least
		}
	}
	if first != 0 {
		err = db.QueryRow(ctx, `SELECT COALESCE(MIN(since), 0) FROM delivery WHERE event = $1`, first).Scan(stamp{&b.Oldest})
	}
	return b, err
}
