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
		WHERE webhook = $1 AND event < $2 AND state >= $3 AND state <= $4
		ORDER BY event DESC
		LIMIT $5`, int64(id), before, from, to, q.Limit)
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
		events, err := db.replayable(ctx, t, &h, q, limit)
		if err != nil {
			return err
		}
		if q.Event != 0 && len(events) == 0 {
			return fault.Missing.Errorf("NotificationEvent resource not found")
		}
		if len(events) == limit {
			last = events[len(events)-1].ID
		}
		if n, err = db.replay(ctx, t, &h, events, q.Dead); err != nil || n == 0 {
			return err
		}
		h.Replays++
		return db.keepWebhook(ctx, t, &h)
	})
	return n, last, db.webhookFault("replay", err)
}

// replayable finds the events that a webhook carries, from the oldest on.
func (db *DB) replayable(ctx context.Context, t tx, h *monitor.Webhook, q monitor.ReplayQuery, limit int) ([]monitor.Event, error) {
	carries := *h
	carries.Disabled = false
	if q.Event != 0 {
		e, err := readEvent(t.QueryRow(ctx, eventSelect+`id = $1 AND customer = $2`, int64(q.Event), int64(h.Customer)))
		if errors.Is(err, sql.ErrNoRows) || err == nil && !carries.Wants(&e) {
			return nil, nil
		}
		return []monitor.Event{e}, err
	}
	var portfolios []int64
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
		list, err := db.eventsFrom(ctx, t, portfolios, from, limit)
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

// eventsFrom reads events of portfolios with a number or a higher one, in
// order.
func (db *DB) eventsFrom(ctx context.Context, t tx, portfolios []int64, from monitor.EventID, limit int) ([]monitor.Event, error) {
	// An index of a portfolio's events is sorted by the time they were made,
	// which grows with their numbers.
	var made time.Time
	err := t.QueryRow(ctx, `SELECT created_at FROM event WHERE id >= $1 ORDER BY id LIMIT 1`, int64(from)).Scan(stamp{&made})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	q := &eventQuery{ids: portfolios, EventQuery: monitor.EventQuery{
		Sort: monitor.ByID, After: &monitor.Position{Made: made, ID: from - 1}, Limit: limit,
	}}
	keys, err := q.keys(ctx, t)
	if err != nil {
		return nil, err
	}
	return db.eventsOf(ctx, t, keys[:min(limit, len(keys))])
}

// replay makes events wait again: those that were never sent, and those that
// are done with.
func (db *DB) replay(ctx context.Context, t tx, h *monitor.Webhook, events []monitor.Event, dead bool) (n int, err error) {
	now, err := db.clock(ctx, t)
	if err != nil {
		return 0, err
	}
	least := monitor.Delivered
	if dead {
		least = monitor.Dead
	}
	for i := range events {
		e := &events[i]
		query := `
			INSERT INTO delivery (webhook, event, customer, company, state, replay, since, next_at, tries)
			VALUES ($1, $2, $3, $4, 0, 1, $5, 0, '[]')
			ON CONFLICT (event, webhook) DO UPDATE SET state = 0, replay = 1, since = $5, next_at = 0
			WHERE delivery.state >= $6`
		if dead {
			query = `
			UPDATE delivery SET state = 0, replay = 1, since = $5, next_at = 0
			WHERE webhook = $1 AND event = $2 AND customer = $3 AND company = $4 AND state >= $6`
		}
		hit, err := t.Exec(ctx, query, int64(h.ID), int64(e.ID), int64(e.Customer), string(e.Company), stamp{&now}, int64(least))
		if err != nil {
			return 0, err
		}
		n += int(hit)
	}
	return n, nil
}

// ForgetDeliveries implements monitor.WebhookStore.
func (db *DB) ForgetDeliveries(ctx context.Context, before time.Time, limit int) (n int64, err error) {
	err = db.write(ctx, func(t tx) error {
		// Events are numbered in the order of time, so the oldest deliveries
		// come first.
		n, err = t.Exec(ctx, `
			DELETE FROM delivery WHERE (event, webhook) IN (
				SELECT event, webhook FROM (SELECT event, webhook, state, since FROM delivery ORDER BY event LIMIT $2) AS d
				WHERE state >= 2 AND since < $1)`, stamp{&before}, limit)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget old deliveries: %w", err)
	}
	return n, nil
}
