package store

import (
	"context"
	"fmt"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// MoveMembers implements monitor.MemberStore.
func (db *DB) MoveMembers(ctx context.Context, by auth.Caller, from monitor.PortfolioID, to []monitor.PortfolioID, list []company.ID, out bool) (done, all int, err error) {
	to = slices.Compact(slices.Sorted(slices.Values(to)))
	if len(list) > 0 { // an empty list stays one: nil would be all
		list = slices.Compact(slices.Sorted(slices.Values(list)))
	}
	err = db.write(ctx, func(t tx) error {
		done = 0
		if err := db.lockForMove(ctx, t, by, from, to, out); err != nil {
			return err
		}
		source := monitor.Portfolio{ID: from, Customer: by.Customer}
		n := len(list)
		if list == nil {
			if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM member WHERE customer = $2 AND portfolio = $1`, from, by.Customer).Scan(&n); err != nil {
				return err
			}
		}
		all = n * len(to)
		// What is in every one of the others already does not move.
		moved, err := db.missingFromSome(ctx, t, source, to, list)
		if err != nil {
			return err
		}
		for _, p := range to {
			put, err := db.copyMembers(ctx, t, source, p, list)
			if err != nil {
				return err
			}
			done += int(put)
		}
		if !out || len(moved) == 0 {
			return nil
		}
		_, err = db.takeMembers(ctx, t, source, moved)
		return err
	})
	if err != nil {
		return 0, 0, memberError("move companies between portfolios", err)
	}
	return done, all, nil
}

// lockForMove locks all portfolios of a move, in the order of their numbers as
// everyone does who locks several.
func (db *DB) lockForMove(ctx context.Context, t tx, by auth.Caller, from monitor.PortfolioID, to []monitor.PortfolioID, out bool) error {
	needs := map[monitor.PortfolioID]monitor.Rights{}
	for _, id := range to {
		needs[id] = monitor.Add
	}
	if needs[from] != 0 {
		return fault.Invalid.Details("companies cannot be put where they come from", fmt.Sprintf("portfolios: %d is the portfolio itself", from))
	}
	needs[from] = monitor.View
	if out {
		needs[from] = monitor.Remove
	}
	for _, id := range slices.Sorted(slices.Values(append([]monitor.PortfolioID{from}, to...))) {
		if _, _, err := db.lockPortfolio(ctx, t, by, id, needs[id]); err != nil {
			return err
		}
	}
	return nil
}

// missingFromSome returns the companies of a portfolio that some of the others
// do not hold.
func (db *DB) missingFromSome(ctx context.Context, t tx, from monitor.Portfolio, to []monitor.PortfolioID, list []company.ID) ([]company.ID, error) {
	var out []company.ID
	for _, p := range to {
		named, args := db.named(list, from)
		err := each(ctx, t, func(r row) error {
			var id company.ID
			err := r.Scan(&id)
			out = append(out, id)
			return err
		}, `
			SELECT m.company FROM member AS m
			WHERE m.customer = $2 AND m.portfolio = $1`+named+` AND NOT EXISTS (
				SELECT 1 FROM member AS o WHERE o.customer = m.customer AND o.portfolio = `+fmt.Sprint("$", len(args)+1)+` AND o.company = m.company)`,
			append(args, p)...)
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// copyMembers puts companies of one portfolio into another where they are not
// there, and returns how many that were.
func (db *DB) copyMembers(ctx context.Context, t tx, from monitor.Portfolio, to monitor.PortfolioID, list []company.ID) (n int64, err error) {
	now, err := db.clock(ctx, t)
	if err != nil {
		return 0, err
	}
	since, err := db.endOfChanges(ctx, t)
	if err != nil {
		return 0, err
	}
	missing, err := db.missingFromSome(ctx, t, from, []monitor.PortfolioID{to}, list)
	if err != nil || len(missing) == 0 {
		return 0, err
	}
	columns := []string{"company", "portfolio", "since", "until", "customer"}
	err = t.Bulk(ctx, "watcher", columns, len(missing), func(i int) []any {
		return []any{string(missing[i]), int64(to), since, int64(monitor.Forever), int64(from.Customer)}
	})
	for part := range slices.Chunk(missing, heldPage) {
		if err != nil {
			break
		}
		named, args := db.named(part, from)
		var put int64
		put, err = t.Exec(ctx, `
			INSERT INTO member (customer, portfolio, company, reference, notes, own_limit, added_at, changed_at)
			SELECT m.customer, CAST($4 AS BIGINT), m.company, m.reference, m.notes, m.own_limit, CAST($5 AS BIGINT), CAST($5 AS BIGINT)
			FROM member AS m
			WHERE m.customer = $2 AND m.portfolio = $1`+named, append(args, to, now.UnixMilli())...)
		n += put
	}
	return n, err
}
