package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
)

func addEntries(ctx context.Context, t tx, entries []auth.Entry) error {
	columns := []string{"number", "at", "action", "customer", "account", "person", "source", "detail", "sum"}
	return t.Bulk(ctx, "audit", columns, len(entries), func(i int) []any {
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
