package store

import (
	"context"
	"fmt"
	"math"

	"bureau/internal/company"
)

// readChange reads plain types: a log is long, and the driver takes its time over
// others.
func readChange(r row) (c company.Change, err error) {
	var id, field string
	err = r.Scan(&c.Number, &id, &field, &c.Item, &c.Old, &c.New, &c.Source, stamp{&c.At})
	c.Company, c.Field = company.ID(id), company.Field(field)
	return c, err
}

func (db *DB) changes(ctx context.Context, t tx, query string, args ...any) ([]company.Change, error) {
	var out []company.Change
	err := each(ctx, t, func(r row) error {
		c, err := readChange(r)
		out = append(out, c)
		return err
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", err)
	}
	return out, nil
}

// Changes implements company.Store. Numbers are given under a lock that is held
// to the commit, so whoever sees one sees all before it.
func (db *DB) Changes(ctx context.Context, after int64, limit int) ([]company.Change, error) {
	return db.changes(ctx, db, `
		SELECT number, company, field, item, old, new, source, at
		FROM change
		WHERE number > $1
		ORDER BY number
		LIMIT $2 + 0`, after, limit)
}

// ChangesOf implements company.Store.
func (db *DB) ChangesOf(ctx context.Context, id company.ID, before int64, limit int) ([]company.Change, error) {
	var out []company.Change
	if err := db.public().Together(ctx, []step{readChangesOf(id, before, limit, &out)}); err != nil {
		return nil, fmt.Errorf("read changes: %w", err)
	}
	return out, nil
}

func readChangesOf(id company.ID, before int64, limit int, into *[]company.Change) step {
	if before == 0 {
		before = math.MaxInt64
	}
	return step{
		query: `
		SELECT number, company, field, item, old, new, source, at
		FROM change
		WHERE company = $1 AND number < $2
		ORDER BY number DESC
		LIMIT $3 + 0`,
		args: []any{string(id), before, limit},
		read: func(r row) error {
			c, err := readChange(r)
			*into = append(*into, c)
			return err
		},
	}
}

// LastChange implements company.Store.
func (db *DB) LastChange(ctx context.Context) (n int64, err error) {
	err = db.QueryRow(ctx, `SELECT last_number FROM change_log WHERE id = 1`).Scan(&n)
	return n, err
}
