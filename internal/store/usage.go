package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bureau/internal/auth"
)

func addUsage(usage []auth.Usage) (steps []step) {
	for _, u := range usage {
		steps = append(steps, step{
			query: `
			INSERT INTO usage (customer, account, product, country, day, calls)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (customer, day, account, product, country) DO UPDATE SET calls = usage.calls + $6`,
			args: []any{u.Customer, u.Account, string(u.Product), u.Country, string(u.Day), u.Calls},
		})
	}
	return steps
}

// Usage implements auth.Store.
func (db *DB) Usage(ctx context.Context, customer auth.CustomerID, from, to auth.Date) ([]auth.Usage, error) {
	var out []auth.Usage
	err := each(ctx, db, func(r row) error {
		var u auth.Usage
		var month string
		err := r.Scan(&u.Customer, &u.Account, &u.Product, &u.Country, &month, &u.Calls)
		u.Day = auth.Date(month + "-01")
		out = append(out, u)
		return err
	}, `
		SELECT customer, account, product, country, substr(day, 1, 7) AS month, CAST(SUM(calls) AS BIGINT)
		FROM usage
		WHERE ($1 = 0 OR customer = $1) AND day >= $2 AND day <= $3
		GROUP BY customer, account, product, country, substr(day, 1, 7)`,
		customer, string(from), string(to))
	if err != nil {
		return nil, fmt.Errorf("read usage: %w", err)
	}
	// Sorted here, since PostgreSQL would sort words by its own language.
	slices.SortFunc(out, func(a, b auth.Usage) int {
		return cmp.Or(
			cmp.Compare(a.Customer, b.Customer), cmp.Compare(a.Account, b.Account),
			cmp.Compare(a.Product, b.Product), cmp.Compare(a.Country, b.Country), cmp.Compare(a.Day, b.Day))
	})
	return out, nil
}

// SpendCalls implements auth.Store.
func (db *DB) SpendCalls(ctx context.Context, node string, counts []auth.CallCount, since int64) ([]auth.CallCount, error) {
	var others []auth.CallCount
	read := func(t tx) error {
		return each(ctx, t, func(r row) error {
			var c auth.CallCount
			err := r.Scan(&c.Account, &c.Slot, &c.Calls)
			others = append(others, c)
			return err
		}, `
			SELECT account, slot, CAST(SUM(calls) AS BIGINT)
			FROM call_count
			WHERE slot >= $1 AND node <> $2
			GROUP BY account, slot`, since, node)
	}
	var err error
	if len(counts) == 0 {
		err = read(db)
	} else {
		err = db.write(ctx, func(t tx) error {
			for _, c := range counts {
				_, err := t.Exec(ctx, `
					INSERT INTO call_count (slot, node, account, calls)
					VALUES ($1, $2, $3, $4)
					ON CONFLICT (slot, node, account) DO UPDATE SET calls = call_count.calls + $4`,
					c.Slot, node, c.Account, c.Calls)
				if err != nil {
					return err
				}
			}
			if _, err := t.Exec(ctx, `DELETE FROM call_count WHERE slot < $1`, since); err != nil {
				return err
			}
			return read(t)
		})
	}
	if err != nil {
		return nil, fmt.Errorf("spend calls: %w", err)
	}
	return others, nil
}
