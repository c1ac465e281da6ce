package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// EventsAfter implements monitor.HubStore.
func (db *DB) EventsAfter(ctx context.Context, after monitor.EventID, limit int) ([]monitor.Event, error) {
	var out []monitor.Event
	err := each(ctx, db, func(r row) error {
		e, err := readEvent(r)
		out = append(out, e)
		return err
	}, eventSelect+`event AS e WHERE e.id > $1 ORDER BY e.id LIMIT $2 + 0`, int64(after), limit)
	if err != nil {
		return nil, fmt.Errorf("read new events: %w", err)
	}
	return out, db.finishAll(ctx, out)
}

// Feed implements monitor.HubStore.
func (db *DB) Feed(ctx context.Context, by auth.Caller, alerts bool, after, upTo monitor.EventID, limit int) (out []monitor.Event, err error) {
	err = db.snapshot(ctx, func(t tx) error {
		ids, err := db.portfoliosOf(ctx, t, by, 0, monitor.View)
		if err != nil {
			return err
		}
		if alerts {
			ids = append(ids, int64(monitor.AlertsOf(by.Customer)))
		}
		out, err = db.eventsFrom(ctx, t, by.Customer, ids, after+1, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read events: %w", err)
	}
	for len(out) > 0 && out[len(out)-1].ID > upTo {
		out = out[:len(out)-1]
	}
	return out, db.finishAll(ctx, out)
}

// Visible implements monitor.HubStore.
func (db *DB) Visible(ctx context.Context, by auth.Caller) ([]monitor.PortfolioID, error) {
	ids, err := db.portfoliosOf(ctx, db, by, 0, monitor.View)
	out := make([]monitor.PortfolioID, len(ids))
	for i, id := range ids {
		out[i] = monitor.PortfolioID(id)
	}
	return out, err
}

// FirstEvent implements monitor.HubStore.
func (db *DB) FirstEvent(ctx context.Context) (n monitor.EventID, err error) {
	err = db.QueryRow(ctx, `SELECT last_number FROM monitor_log WHERE name = 'forgotten'`).Scan(&n)
	return n + 1, err
}
