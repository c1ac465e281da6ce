package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

func (db *DB) addEntries(entries []auth.Entry) []step {
	columns := []string{"number", "at", "action", "customer", "account", "person", "source", "detail", "sum"}
	return db.inserts("audit", columns, "", len(entries), func(i int) []any {
		e := &entries[i]
		return []any{
			e.Number, e.At.UnixMilli(), string(e.Action), int64(e.Customer), int64(e.Account),
			e.Person, e.Source, e.Detail, e.Sum[:],
		}
	})
}

// AuditLog implements auth.Store.
func (db *DB) AuditLog(ctx context.Context, after int64, visit func(auth.Entry) error) error {
	// A page at a time, so that a long log neither fills the memory nor holds
	// a snapshot open.
	const page = 5000
	for {
		var entries []auth.Entry
		err := each(ctx, db, func(r row) error {
			var e auth.Entry
			err := r.Scan(&e.Number, stamp{&e.At}, &e.Action, &e.Customer, &e.Account, &e.Person, &e.Source, &e.Detail, sum{&e.Sum})
			entries = append(entries, e)
			return err
		}, `
			SELECT number, at, action, customer, account, person, source, detail, sum
			FROM audit
			WHERE number > $1
			ORDER BY number
			LIMIT $2 + 0`, after, page)
		if err != nil {
			return fmt.Errorf("read the audit log: %w", err)
		}
		for _, e := range entries {
			if err := visit(e); err != nil {
				return err
			}
			after = e.Number
		}
		if len(entries) < page {
			return nil
		}
	}
}

// AuditHead implements auth.Store.
func (db *DB) AuditHead(ctx context.Context) (h auth.Head, signed []auth.SignedHead, err error) {
	err = db.QueryRow(ctx, `SELECT audit_number, audit_sum, audit_seal FROM record WHERE id = 1`).
		Scan(&h.Number, sum{&h.Sum}, sum{&h.Seal})
	if err != nil {
		return h, nil, fmt.Errorf("read the end of the audit log: %w", err)
	}
	err = each(ctx, db, func(r row) error {
		var s auth.SignedHead
		err := r.Scan(&s.Number, sum{&s.Sum}, stamp{&s.At}, &s.KeyID, &s.Signature)
		signed = append(signed, s)
		return err
	}, `SELECT number, sum, at, key_id, signature FROM audit_signed WHERE number <= $1 ORDER BY number`, h.Number)
	if err != nil {
		return h, nil, fmt.Errorf("read the signed heads of the audit log: %w", err)
	}
	return h, signed, nil
}

// AuditGone implements auth.Store.
func (db *DB) AuditGone(ctx context.Context) ([]auth.Gone, error) { return auditGone(ctx, db) }

func auditGone(ctx context.Context, t tx) (out []auth.Gone, err error) {
	err = each(ctx, t, func(r row) error {
		var g auth.Gone
		err := r.Scan(&g.First, &g.Last, &g.Month, sum{&g.Before}, sum{&g.Sum}, stamp{&g.At}, &g.KeyID, &g.Signature)
		out = append(out, g)
		return err
	}, `SELECT first, last, month, before, sum, at, key_id, signature FROM audit_gone ORDER BY first`)
	if err != nil {
		return nil, fmt.Errorf("read what was let go of the audit log: %w", err)
	}
	return out, nil
}

// LetGo implements auth.Store. A month of its own is dropped whole, while nobody
// else uses the log; what is in the rest, or in a month that is not over, goes row
// by row beside them.
func (db *DB) LetGo(ctx context.Context, g auth.Gone) error {
	months, err := db.monthsWithin(ctx, g)
	if err != nil {
		return fmt.Errorf("list the months of the audit log: %w", err)
	}
	do := db.write
	if len(months) > 0 {
		do = func(ctx context.Context, f func(tx) error) error { return db.alone(ctx, "audit", f) }
	}
	err = do(ctx, func(t tx) error {
		if err := db.followsGone(ctx, t, g); err != nil {
			return err
		}
		for _, m := range months {
			if _, err := t.Exec(ctx, `DROP TABLE IF EXISTS `+m.table()); err != nil {
				return err
			}
		}
		for _, query := range []string{`DELETE FROM audit WHERE number <= $1`, `DELETE FROM audit_signed WHERE number <= $1`} {
			if _, err := t.Exec(ctx, query, g.Last); err != nil {
				return err
			}
		}
		_, err := t.Exec(ctx, `
			INSERT INTO audit_gone (first, last, month, before, sum, at, key_id, signature)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			g.First, g.Last, g.Month, sum{&g.Before}, sum{&g.Sum}, stamp{&g.At}, g.KeyID, g.Signature)
		return err
	})
	if db.d.isTaken(err) {
		return fault.Conflict.Errorf("the audit log of %s is being let go already", g.Month)
	}
	if err != nil {
		return fmt.Errorf("let go of the audit log of %s: %w", g.Month, err)
	}
	return nil
}

// followsGone refuses a stretch that does not follow what is gone. The key of the
// table refuses one that another node lets go at the same time.
//
// The record is not locked for it: who takes a turn has it locked before it comes to
// the audit log, and the two would wait for each other.
func (db *DB) followsGone(ctx context.Context, t tx, g auth.Gone) error {
	gone, err := auditGone(ctx, t)
	if err != nil {
		return err
	}
	var last int64
	if len(gone) > 0 {
		last = gone[len(gone)-1].Last
	}
	if g.First != last+1 {
		return fault.Conflict.Errorf("the audit log up to %d is gone already", last)
	}
	return nil
}

// monthsWithin are the months of the audit log of which every entry is in a stretch.
// Entries are only ever added behind it.
func (db *DB) monthsWithin(ctx context.Context, g auth.Gone) (out []month, err error) {
	if db.d.name != "postgres" {
		return nil, nil
	}
	made, err := db.months(ctx, db, "audit")
	if err != nil {
		return nil, err
	}
	for _, m := range made {
		var last int64
		if err := db.QueryRow(ctx, `SELECT COALESCE(MAX(number), 0) FROM `+m.table()).Scan(&last); err != nil {
			return nil, err
		}
		if last > 0 && last <= g.Last && m.first.Format("2006-01") <= g.Month {
			out = append(out, m)
		}
	}
	return out, nil
}
