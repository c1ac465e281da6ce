package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

const webhookColumns = `id, customer, account, url, portfolios, rules, disabled, reason, secrets, created_at, changed_at, version, replays, replay_day, replayed`

func readWebhook(r row) (h monitor.Webhook, err error) {
	err = r.Scan(&h.ID, &h.Customer, &h.Account, &h.URL, list[monitor.PortfolioID]{&h.Portfolios}, list[int]{&h.Rules},
		flag{&h.Disabled}, &h.Reason, list[monitor.Secret]{&h.Secrets}, stamp{&h.CreatedAt}, stamp{&h.ChangedAt}, &h.Version, &h.Replays, stamp{&h.ReplayDay}, &h.Replayed)
	return h, err
}

// nextWebhook takes the next version. Its row is held to the commit, so that
// versions become visible in order.
func (db *DB) nextWebhook(ctx context.Context, t tx) (n int64, err error) {
	err = t.QueryRow(ctx, `SELECT last_number FROM monitor_log WHERE name = 'webhook' `+db.d.forUpdate).Scan(&n)
	if err != nil {
		return 0, err
	}
	_, err = t.Exec(ctx, `UPDATE monitor_log SET last_number = $1 WHERE name = 'webhook'`, n+1)
	return n + 1, err
}

// keepWebhook writes a webhook under a new version.
func (db *DB) keepWebhook(ctx context.Context, t tx, h *monitor.Webhook) (err error) {
	if h.Version, err = db.nextWebhook(ctx, t); err != nil {
		return err
	}
	if h.ChangedAt, err = db.clock(ctx, t); err != nil {
		return err
	}
	_, err = t.Exec(ctx, `
		UPDATE webhook
		SET url = $2, portfolios = $3, rules = $4, disabled = $5, reason = $6, secrets = $7, changed_at = $8, version = $9, replays = $10, replay_day = $11, replayed = $12
		WHERE id = $1`,
		int64(h.ID), h.URL, list[monitor.PortfolioID]{&h.Portfolios}, list[int]{&h.Rules}, flag{&h.Disabled}, h.Reason,
		list[monitor.Secret]{&h.Secrets}, stamp{&h.ChangedAt}, h.Version, h.Replays, stamp{&h.ReplayDay}, int64(h.Replayed))
	if err != nil {
		return err
	}
	return t.Together(ctx, db.tell(eventsMade))
}

// CreateWebhook implements monitor.WebhookStore.
func (db *DB) CreateWebhook(ctx context.Context, by auth.Caller, h monitor.Webhook, most int) (monitor.Webhook, error) {
	err := db.write(ctx, func(t tx) (err error) {
		if err := db.ownPortfolios(ctx, t, by, h.Portfolios); err != nil {
			return err
		}
		id, err := db.nextWebhook(ctx, t) // nobody makes another one meanwhile
		if err != nil {
			return err
		}
		if err := db.roomFor(ctx, t, by, &h, most); err != nil {
			return err
		}
		h.ID, h.Customer, h.Account = monitor.WebhookID(id), by.Customer, by.Account
		if h.CreatedAt, err = db.clock(ctx, t); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO webhook (`+webhookColumns+`)
			VALUES ($1, $2, $3, '', '[]', '[]', 0, '', '[]', $4, 0, 0, 0, 0, 0)`,
			id, int64(by.Customer), int64(by.Account), stamp{&h.CreatedAt})
		if err != nil {
			return err
		}
		return db.keepWebhook(ctx, t, &h)
	})
	return h, db.webhookFault("create", err)
}

// roomFor fails if a customer has enough webhooks, or this one.
func (db *DB) roomFor(ctx context.Context, t tx, by auth.Caller, h *monitor.Webhook, most int) error {
	there, err := db.webhooks(ctx, t, customersWebhooks, int64(by.Customer))
	if err != nil {
		return err
	}
	if len(there) >= most {
		return fault.Conflict.Errorf("there are %d webhooks already, which is the most that one customer may have", len(there))
	}
	for i := range there {
		o := &there[i]
		if o.URL == h.URL && slices.Equal(o.Portfolios, h.Portfolios) && slices.Equal(o.Rules, h.Rules) {
			return fault.Conflict.Errorf("webhook %d has this address and these filters already", o.ID)
		}
	}
	return nil
}

func (db *DB) webhookFault(what string, err error) error {
	if _, ok := fault.Of(err); err == nil || ok {
		db.Signals.raise(eventsMade)
		return err
	}
	return fmt.Errorf("%s a webhook: %w", what, err)
}

// ownPortfolios fails unless all portfolios are the customer's.
func (db *DB) ownPortfolios(ctx context.Context, t tx, by auth.Caller, ids []monitor.PortfolioID) error {
	for _, id := range ids {
		var n int64
		err := t.QueryRow(ctx, `SELECT COUNT(*) FROM portfolio WHERE id = $1 AND customer = $2`, int64(id), int64(by.Customer)).Scan(&n)
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.Missing.Errorf(monitor.NoPortfolio)
		}
	}
	return nil
}

// webhook reads a customer's webhook, and locks it where lock says so.
func (db *DB) webhook(ctx context.Context, t tx, by auth.Caller, id monitor.WebhookID, lock string) (monitor.Webhook, error) {
	h, err := readWebhook(t.QueryRow(ctx, `
		SELECT `+webhookColumns+` FROM webhook
		WHERE id = $1 AND customer = $2 AND url <> '' `+lock, int64(id), int64(by.Customer)))
	if errors.Is(err, sql.ErrNoRows) {
		return h, fault.Missing.Errorf("Webhook not found")
	}
	return h, err
}

// Webhook implements monitor.WebhookStore.
func (db *DB) Webhook(ctx context.Context, by auth.Caller, id monitor.WebhookID) (monitor.Webhook, error) {
	return db.webhook(ctx, db, by, id, "")
}

// Webhooks implements monitor.WebhookStore.
func (db *DB) Webhooks(ctx context.Context, by auth.Caller) ([]monitor.Webhook, error) {
	return db.webhooks(ctx, db, customersWebhooks, int64(by.Customer))
}

const customersWebhooks = `SELECT ` + webhookColumns + ` FROM webhook WHERE customer = $1 AND url <> '' ORDER BY id`

func (db *DB) webhooks(ctx context.Context, t tx, query string, args ...any) ([]monitor.Webhook, error) {
	var out []monitor.Webhook
	err := each(ctx, t, func(r row) error {
		h, err := readWebhook(r)
		out = append(out, h)
		return err
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read webhooks: %w", err)
	}
	return out, nil
}

// EditWebhook implements monitor.WebhookStore.
func (db *DB) EditWebhook(ctx context.Context, by auth.Caller, id monitor.WebhookID, edit func(*monitor.Webhook) error) (h monitor.Webhook, err error) {
	err = db.write(ctx, func(t tx) error {
		if h, err = db.webhook(ctx, t, by, id, db.d.forUpdate); err != nil {
			return err
		}
		had := slices.Clone(h.Portfolios)
		if err := edit(&h); err != nil {
			return err
		}
		// One that was deleted since must not stand in the way of other changes.
		added := slices.DeleteFunc(slices.Clone(h.Portfolios), func(id monitor.PortfolioID) bool { return slices.Contains(had, id) })
		if err := db.ownPortfolios(ctx, t, by, added); err != nil {
			return err
		}
		return db.keepWebhook(ctx, t, &h)
	})
	return h, db.webhookFault("change", err)
}

// DeleteWebhook implements monitor.WebhookStore.
func (db *DB) DeleteWebhook(ctx context.Context, by auth.Caller, id monitor.WebhookID) error {
	err := db.write(ctx, func(t tx) error {
		h, err := db.webhook(ctx, t, by, id, db.d.forUpdate)
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM delivery WHERE customer = $2 AND webhook = $1`, int64(id), int64(h.Customer)); err != nil {
			return err
		}
		return db.keepWebhook(ctx, t, &monitor.Webhook{ID: h.ID, Disabled: true})
	})
	return db.webhookFault("delete", err)
}
