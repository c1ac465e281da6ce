package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/job"
)

// Share implements job.Store. Beside the leases there is a row for each owner,
// name/node/owner, which ends when the owner has not asked for the life of a
// lease.
func (db *DB) Share(ctx context.Context, name string, count int, owner string, life time.Duration) ([]job.Lease, error) {
	var held []job.Lease
	if err := db.announce(ctx, owner); err != nil {
		return nil, fmt.Errorf("take the leases %s: %w", name, err)
	}
	err := db.write(ctx, func(t tx) (err error) {
		held, err = db.share(ctx, t, name, count, owner, life)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("take the leases %s: %w", name, err)
	}
	return held, nil
}

func (db *DB) share(ctx context.Context, t tx, name string, count int, owner string, life time.Duration) ([]job.Lease, error) {
	self := job.NodeName(name, owner)
	names := []string{self}
	for i := range count {
		names = append(names, job.ShardName(name, i))
	}
	slices.Sort(names)
	for _, n := range names { // first, so that two who ask at once wait for each other
		if _, err := t.Exec(ctx, `
			INSERT INTO lease (name, owner, fence, held_until) VALUES ($1, '', 0, 0)
			ON CONFLICT (name) DO NOTHING`, n); err != nil {
			return nil, err
		}
	}
	leases, err := db.leasesOf(ctx, t, name)
	if err != nil {
		return nil, err
	}
	now, err := db.clock(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := db.endOfTheGone(ctx, t, leases, owner, now); err != nil {
		return nil, err
	}
	shards := make([]*job.Lease, count)
	nodes := 1
	for i := range leases {
		l := &leases[i]
		rest := strings.TrimPrefix(l.Name, name+"/")
		if n, err := strconv.Atoi(rest); err == nil && n < count {
			shards[n] = l
		} else if l.Name != self && l.Until.After(now) {
			nodes++
		}
	}
	var mine, free []int
	for n, l := range shards {
		switch {
		case !l.Until.After(now):
			free = append(free, n)
		case l.Owner == owner:
			mine = append(mine, n)
		}
	}
	take, give := job.ShareOut(count, nodes, mine, free)
	slices.Sort(take)
	var held []job.Lease
	for _, n := range take {
		l := shards[n]
		if !l.Until.After(now) {
			l.Fence++
		}
		l.Owner, l.Until = owner, now.Add(life)
		held = append(held, *l)
	}
	for _, n := range give {
		shards[n].Until = time.Time{}
	}
	for _, n := range append(take, give...) {
		if err := keepLease(ctx, t, *shards[n]); err != nil {
			return nil, err
		}
	}
	if err := keepLease(ctx, t, job.Lease{Name: self, Owner: owner, Until: now.Add(life)}); err != nil {
		return nil, err
	}
	day := now.Add(-24 * time.Hour)
	_, err = t.Exec(ctx, `DELETE FROM lease WHERE name >= $1 AND name < $2 AND held_until < $3`, name+"/node/", name+"/node0", stamp{&day})
	return held, err
}

// leasesOf reads and locks all leases below a name, in order.
func (db *DB) leasesOf(ctx context.Context, t tx, name string) ([]job.Lease, error) {
	var out []job.Lease
	err := each(ctx, t, func(r row) error {
		var l job.Lease
		err := r.Scan(&l.Name, &l.Owner, &l.Fence, stamp{&l.Until})
		out = append(out, l)
		return err
	}, `SELECT name, owner, fence, held_until FROM lease WHERE name >= $1 AND name < $2 ORDER BY name `+db.d.forUpdate, name+"/", name+"0")
	// PostgreSQL would sort by its own language; nobody relies on it here.
	slices.SortFunc(out, func(a, b job.Lease) int { return cmp.Compare(a.Name, b.Name) })
	return out, err
}

// endOfTheGone ends the leases of owners that are there no more.
func (db *DB) endOfTheGone(ctx context.Context, t tx, leases []job.Lease, self string, now time.Time) error {
	gone := map[string]bool{self: false}
	for i := range leases {
		l := &leases[i]
		if !l.Until.After(now) {
			continue
		}
		is, known := gone[l.Owner]
		if !known {
			var err error
			if is, err = db.gone(ctx, t, l.Owner); err != nil {
				return err
			}
			gone[l.Owner] = is
		}
		if is {
			l.Until = time.Time{}
		}
	}
	return nil
}

func keepLease(ctx context.Context, t tx, l job.Lease) error {
	_, err := t.Exec(ctx, `UPDATE lease SET owner = $2, fence = $3, held_until = $4 WHERE name = $1`,
		l.Name, l.Owner, l.Fence, stamp{&l.Until})
	return err
}

// Places implements job.Store.
func (db *DB) Places(ctx context.Context, name string) (map[string]int64, error) {
	out := map[string]int64{}
	err := each(ctx, db, func(r row) error {
		var n string
		var number int64
		err := r.Scan(&n, &number)
		out[n] = number
		return err
	}, `SELECT name, number FROM place WHERE name >= $1 AND name < $2`, name+"/", name+"0")
	if err != nil {
		return nil, fmt.Errorf("find the places of %s: %w", name, err)
	}
	return out, nil
}
