package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bureau/internal/identity"
)

// EditConsumers implements identity.Store.
func (db *DB) EditConsumers(ctx context.Context, turn int64, ids []identity.ID, edit func(map[identity.ID]identity.Held) (identity.Update, error)) error {
	err := db.write(ctx, func(t tx) error {
		if err := db.lockConsumers(ctx, t); err != nil {
			return err
		}
		held, err := db.heldConsumers(ctx, t, ids)
		if err != nil {
			return err
		}
		u, err := edit(held)
		if err != nil {
			return err
		}
		return db.keepConsumers(ctx, t, turn, u)
	})
	if err != nil {
		return fmt.Errorf("keep consumers: %w", err)
	}
	return nil
}

// lockConsumers lets one edit consumers at a time. A write transaction of SQLite
// is such a lock already.
func (db *DB) lockConsumers(ctx context.Context, t tx) error {
	if db.d.name != "postgres" {
		return nil
	}
	_, err := t.Exec(ctx, `SELECT pg_advisory_xact_lock(7283647)`)
	return err
}

// heldConsumers are consumers with their rights. Of one that is not held any
// more there may be rights alone.
func (db *DB) heldConsumers(ctx context.Context, t tx, ids []identity.ID) (map[identity.ID]identity.Held, error) {
	out := make(map[identity.ID]identity.Held, len(ids))
	keys := texts(ids)
	err := pick(ctx, db, t, func(r row) error {
		var id, facts string
		if err := r.Scan(&id, &facts); err != nil {
			return err
		}
		h := out[identity.ID(id)]
		err := json.Unmarshal([]byte(facts), &h.Consumer)
		out[identity.ID(id)] = h
		return err
	}, `SELECT id, facts FROM consumer WHERE id = $1`, `SELECT id, facts FROM consumer WHERE id = ANY($1)`, keys)
	if err != nil {
		return nil, fmt.Errorf("read consumers: %w", err)
	}
	const columns = `SELECT consumer, number, kind, at, note, correction FROM consumer_right `
	err = pick(ctx, db, t, func(r row) error {
		var id, correction string
		var right identity.Right
		if err := r.Scan(&id, &right.ID, &right.Kind, stamp{&right.At}, &right.Note, &correction); err != nil {
			return err
		}
		h := out[identity.ID(id)]
		err := json.Unmarshal([]byte(correction), &right.Correction)
		h.Rights = append(h.Rights, right)
		out[identity.ID(id)] = h
		return err
	}, columns+`WHERE consumer = $1 ORDER BY number`, columns+`WHERE consumer = ANY($1) ORDER BY consumer, number`, keys)
	if err != nil {
		return nil, fmt.Errorf("read the rights of consumers: %w", err)
	}
	return out, nil
}

func (db *DB) keepConsumers(ctx context.Context, t tx, turn int64, u identity.Update) error {
	for _, k := range u.Keep {
		facts, err := json.Marshal(k.Consumer)
		if err != nil {
			return fmt.Errorf("write a consumer: %w", err)
		}
		_, err = t.Exec(ctx, `
			INSERT INTO consumer (id, facts, turn)
			VALUES ($1, $2, $3)
			ON CONFLICT (id) DO UPDATE
			SET facts = $2, turn = CASE WHEN consumer.turn > $3 THEN consumer.turn ELSE $3 END`,
			string(k.ID()), string(facts), turn)
		if err != nil {
			return err
		}
		if err := keepKeys(ctx, t, k.ID(), k.Keys); err != nil {
			return err
		}
	}
	for _, id := range u.Remove {
		for _, query := range []string{
			`DELETE FROM consumer WHERE id = $1`,
			`DELETE FROM consumer_key WHERE consumer = $1`,
			`DELETE FROM consumer_change WHERE consumer = $1`,
		} {
			if _, err := t.Exec(ctx, query, string(id)); err != nil {
				return err
			}
		}
	}
	for _, k := range u.Keys {
		if err := keepKeys(ctx, t, k.Of, k.Keys); err != nil {
			return err
		}
	}
	for _, r := range u.Rights {
		correction, err := json.Marshal(r.Correction)
		if err != nil {
			return fmt.Errorf("write a correction: %w", err)
		}
		_, err = t.Exec(ctx, `
			INSERT INTO consumer_right (consumer, number, kind, at, note, correction)
			VALUES ($1, (SELECT COALESCE(MAX(number), 0) + 1 FROM consumer_right WHERE consumer = $1), $2, $3, $4, $5)`,
			string(r.Of), string(r.Kind), stamp{&r.At}, r.Note, string(correction))
		if err != nil {
			return err
		}
	}
	for _, c := range u.Changes {
		_, err := t.Exec(ctx, `
			INSERT INTO consumer_change (consumer, at, field)
			VALUES ($1, $2, $3)
			ON CONFLICT DO NOTHING`, string(c.Consumer), stamp{&c.At}, string(c.Field))
		if err != nil {
			return err
		}
	}
	return nil
}

// keepKeys changes only what is different: most imports change no key.
func keepKeys(ctx context.Context, t tx, id identity.ID, keys []string) error {
	var held []string
	err := each(ctx, t, func(r row) error {
		var key string
		err := r.Scan(&key)
		held = append(held, key)
		return err
	}, `SELECT key FROM consumer_key WHERE consumer = $1`, string(id))
	if err != nil {
		return err
	}
	for _, key := range held {
		if !slices.Contains(keys, key) {
			if _, err := t.Exec(ctx, `DELETE FROM consumer_key WHERE key = $1 AND consumer = $2`, key, string(id)); err != nil {
				return err
			}
		}
	}
	for _, key := range keys {
		if !slices.Contains(held, key) {
			if _, err := t.Exec(ctx, `INSERT INTO consumer_key (key, consumer) VALUES ($1, $2)`, key, string(id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// OldConsumers implements identity.Store.
func (db *DB) OldConsumers(ctx context.Context, turn int64, limit int) ([]identity.ID, error) {
	var out []identity.ID
	err := each(ctx, db, func(r row) error {
		var id string
		err := r.Scan(&id)
		out = append(out, identity.ID(id))
		return err
	}, `SELECT id FROM consumer WHERE turn < $1 ORDER BY id LIMIT $2 + 0`, turn, limit)
	if err != nil {
		return nil, fmt.Errorf("look for consumers that are gone: %w", err)
	}
	return out, nil
}

// Consumers implements identity.Store.
func (db *DB) Consumers(ctx context.Context, ids []identity.ID) (map[identity.ID]identity.Held, error) {
	held, err := db.heldConsumers(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	for id, h := range held {
		if !h.Known() {
			delete(held, id)
		}
	}
	return held, nil
}

// FindConsumers implements identity.Store.
func (db *DB) FindConsumers(ctx context.Context, keys []string, limit int) ([]identity.ID, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var out []identity.ID
	err := each(ctx, db, func(r row) error {
		var id string
		err := r.Scan(&id)
		out = append(out, identity.ID(id))
		return err
	}, `
		SELECT consumer FROM consumer_key
		WHERE `+db.d.oneOf("key", "$1")+`
		GROUP BY consumer
		HAVING COUNT(*) = $2 + 0
		ORDER BY consumer
		LIMIT $3 + 0`, many(db.d, keys), len(keys), limit)
	if err != nil {
		return nil, fmt.Errorf("find consumers: %w", err)
	}
	return out, nil
}

// ConsumersByKey implements identity.Store.
func (db *DB) ConsumersByKey(ctx context.Context, keys []string) (map[string][]identity.ID, error) {
	out := map[string][]identity.ID{}
	if len(keys) == 0 {
		return out, nil
	}
	err := each(ctx, db, func(r row) error {
		var key, id string
		err := r.Scan(&key, &id)
		out[key] = append(out[key], identity.ID(id))
		return err
	}, `SELECT key, consumer FROM consumer_key WHERE `+db.d.oneOf("key", "$1")+` ORDER BY key, consumer`, many(db.d, keys))
	if err != nil {
		return nil, fmt.Errorf("find consumers by key: %w", err)
	}
	return out, nil
}

// ConsumerChanges implements identity.Store.
func (db *DB) ConsumerChanges(ctx context.Context, id identity.ID, since time.Time) ([]identity.Change, error) {
	var out []identity.Change
	err := each(ctx, db, func(r row) error {
		c := identity.Change{Consumer: id}
		err := r.Scan(&c.Field, stamp{&c.At})
		out = append(out, c)
		return err
	}, `
		SELECT field, at FROM consumer_change
		WHERE consumer = $1 AND at >= $2
		ORDER BY at DESC, field`, string(id), stamp{&since})
	if err != nil {
		return nil, fmt.Errorf("read the changes of a consumer: %w", err)
	}
	return out, nil
}
