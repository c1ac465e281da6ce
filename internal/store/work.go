package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"bureau/internal/job"
)

// Lease implements job.Store.
func (db *DB) Lease(ctx context.Context, name, owner string, life time.Duration) (l job.Lease, ok bool, err error) {
	l = job.Lease{Name: name, Owner: owner}
	if err := db.announce(ctx, owner); err != nil {
		return job.Lease{}, false, fmt.Errorf("take the lease %s: %w", name, err)
	}
	err = db.write(ctx, func(t tx) error {
		// The row is made first, so that two who ask at once wait for each
		// other on it.
		_, err := t.Exec(ctx, `
			INSERT INTO lease (name, owner, fence, held_until) VALUES ($1, '', 0, 0)
			ON CONFLICT (name) DO NOTHING`, name)
		if err != nil {
			return err
		}
		var holder string
		var until time.Time
		err = t.QueryRow(ctx, `SELECT owner, fence, held_until FROM lease WHERE name = $1 `+db.d.forUpdate, name).
			Scan(&holder, &l.Fence, stamp{&until})
		if err != nil {
			return err
		}
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		held := until.After(now)
		if held && holder != owner {
			if gone, err := db.gone(ctx, t, holder); err != nil || !gone {
				return err
			}
			held = false
		}
		if !held {
			l.Fence++
		}
		ok, l.Until = true, now.Add(life)
		_, err = t.Exec(ctx, `UPDATE lease SET owner = $2, fence = $3, held_until = $4 WHERE name = $1`,
			name, owner, l.Fence, stamp{&l.Until})
		return err
	})
	if err != nil {
		return job.Lease{}, false, fmt.Errorf("take the lease %s: %w", name, err)
	}
	return l, ok, nil
}

// EndLease implements job.Store.
func (db *DB) EndLease(ctx context.Context, l job.Lease) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `UPDATE lease SET held_until = 0 WHERE name = $1 AND owner = $2 AND fence = $3`,
			l.Name, l.Owner, l.Fence)
		return err
	})
	if err != nil {
		return fmt.Errorf("end the lease %s: %w", l.Name, err)
	}
	return nil
}

// Place implements job.Store.
func (db *DB) Place(ctx context.Context, name string) (n int64, err error) {
	err = db.QueryRow(ctx, `SELECT number FROM place WHERE name = $1`, name).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("find the place of %s: %w", name, err)
	}
	return n, nil
}

// SavePlace implements job.Store.
func (db *DB) SavePlace(ctx context.Context, p job.Place) error {
	return db.write(ctx, func(t tx) error { return db.savePlace(ctx, t, p) })
}

// savePlace saves a reader's place in the transaction of its results.
func (db *DB) savePlace(ctx context.Context, t tx, p job.Place) error {
	if err := t.Together(ctx, db.checkFences(fenceOf(p))); err != nil {
		return err
	}
	return keepPlace(ctx, t, p.Name, p.Number)
}

// savePlaces does the same for several. One without a number stays where it is, and
// its lease is checked.
func (db *DB) savePlaces(to []job.Place) []step {
	var fences []job.Lease
	var moved []job.Place
	for _, p := range sortedPlaces(to) {
		fences = append(fences, fenceOf(p))
		if p.Number > 0 {
			moved = append(moved, p)
		}
	}
	return append(db.checkFences(fences...), db.inserts("place", []string{"name", "number"},
		" ON CONFLICT (name) DO UPDATE SET number = excluded.number", len(moved),
		func(i int) []any { return []any{moved[i].Name, moved[i].Number} })...)
}

// sortedPlaces puts places in the order in which everyone locks them.
func sortedPlaces(to []job.Place) []job.Place {
	to = slices.Clone(to)
	slices.SortFunc(to, func(a, b job.Place) int { return cmp.Compare(a.Name, b.Name) })
	return to
}

// fenceOf is the lease under which a place is kept.
func fenceOf(p job.Place) job.Lease { return job.Lease{Name: p.Name, Fence: p.Fence} }

func keepPlace(ctx context.Context, t tx, name string, number int64) error {
	_, err := t.Exec(ctx, `
		INSERT INTO place (name, number) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET number = $2`, name, number)
	if err != nil {
		return fmt.Errorf("save the place of %s: %w", name, err)
	}
	return nil
}
