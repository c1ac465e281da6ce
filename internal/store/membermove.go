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
		n := len(list)
		if list == nil {
			if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM member WHERE portfolio = $1`, from).Scan(&n); err != nil {
				return err
			}
		}
		all = n * len(to)
		// What is in every one of the others already does not move.
		moved, err := db.missingFromSome(ctx, t, from, to, list)
		if err != nil {
			return err
		}
		for _, p := range to {
			put, err := db.copyMembers(ctx, t, from, p, list)
			if err != nil {
				return err
			}
			done += int(put)
		}
		if !out || len(moved) == 0 {
			return nil
		}
		_, err = db.takeMembers(ctx, t, from, moved)
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
func (db *DB) missingFromSome(ctx context.Context, t tx, from monitor.PortfolioID, to []monitor.PortfolioID, list []company.ID) ([]company.ID, error) {
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
			WHERE m.portfolio = $1`+named+` AND NOT EXISTS (
				SELECT 1 FROM member AS o WHERE o.portfolio = `+fmt.Sprint("$", len(args)+1)+` AND o.company = m.company)`,
			append(args, p)...)
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// copyMembers puts companies of one portfolio into another where they are not
// there, and returns how many that were. Watchers come first, since they go by
// what is not in yet.
func (db *DB) copyMembers(ctx context.Context, t tx, from, to monitor.PortfolioID, list []company.ID) (int64, error) {
	now, err := db.clock(ctx, t)
	if err != nil {
		return 0, err
	}
	since, err := db.endOfChanges(ctx, t)
	if err != nil {
		return 0, err
	}
	named, args := db.named(list, from)
	target, value := fmt.Sprint("$", len(args)+1), fmt.Sprint("$", len(args)+2)
	source := `
		FROM member AS m
		WHERE m.portfolio = $1` + named + ` AND NOT EXISTS (
			SELECT 1 FROM member AS o WHERE o.portfolio = ` + target + ` AND o.company = m.company)`
	_, err = t.Exec(ctx, `
		INSERT INTO watcher (company, portfolio, since, until, customer)
		SELECT m.company, CAST(`+target+` AS BIGINT), CAST(`+value+` AS BIGINT), 9223372036854775807, m.customer`+source,
		append(args, to, since)...)
	if err != nil {
		return 0, err
	}
	return t.Exec(ctx, `
		INSERT INTO member (customer, portfolio, company, reference, notes, own_limit, added_at, changed_at)
		SELECT m.customer, CAST(`+target+` AS BIGINT), m.company, m.reference, m.notes, m.own_limit,
		       CAST(`+value+` AS BIGINT), CAST(`+value+` AS BIGINT)`+source,
		append(args, to, now.UnixMilli())...)
}
