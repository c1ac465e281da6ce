package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// KeepBankRecords implements bank.Store.
func (db *DB) KeepBankRecords(ctx context.Context, kind string, turn int64, list []bank.Record) (kept bank.Kept, err error) {
	err = db.write(ctx, func(t tx) error {
		kept = bank.Kept{} // it may be tried again
		held, err := db.bankRecords(ctx, t, kind, list)
		if err != nil {
			return err
		}
		for _, r := range list {
			was, ok := held[r.Key]
			switch {
			case !ok:
				kept.New++
			case was == r:
				kept.Unchanged++
			default:
				kept.Changed++
			}
			_, err := t.Exec(ctx, `
				INSERT INTO bank_record (kind, key, place, facts, turn)
				VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (kind, key) DO UPDATE
				SET place = $3, facts = $4, turn = CASE WHEN bank_record.turn > $5 THEN bank_record.turn ELSE $5 END`,
				kind, r.Key, r.Place, r.Facts, turn)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return bank.Kept{}, fmt.Errorf("keep records of kind %s: %w", kind, err)
	}
	return kept, nil
}

// bankRecords are those that are held under the keys of a list.
func (db *DB) bankRecords(ctx context.Context, t tx, kind string, list []bank.Record) (map[string]bank.Record, error) {
	keys := make([]string, len(list))
	for i, r := range list {
		keys[i] = r.Key
	}
	held := make(map[string]bank.Record, len(list))
	read := func(r row) error {
		var rec bank.Record
		err := r.Scan(&rec.Key, &rec.Place, &rec.Facts)
		held[rec.Key] = rec
		return err
	}
	return held, pick(ctx, db, t, read,
		`SELECT key, place, facts FROM bank_record WHERE key = $1 AND kind = $2`,
		`SELECT key, place, facts FROM bank_record WHERE key = ANY($1) AND kind = $2`, keys, kind)
}

// DropBankRecords implements bank.Store.
func (db *DB) DropBankRecords(ctx context.Context, kind string, turn int64, places []string) (n int64, err error) {
	err = db.write(ctx, func(t tx) error {
		n = 0
		if len(places) == 0 {
			n, err = t.Exec(ctx, `DELETE FROM bank_record WHERE kind = $1 AND turn < $2`, kind, turn)
			return err
		}
		for _, p := range places {
			gone, err := t.Exec(ctx, `DELETE FROM bank_record WHERE kind = $1 AND turn < $2 AND place = $3`, kind, turn, p)
			if err != nil {
				return err
			}
			n += gone
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("drop records of kind %s: %w", kind, err)
	}
	return n, nil
}

// BankRecord implements bank.Store.
func (db *DB) BankRecord(ctx context.Context, kind, key string) (bank.Record, error) {
	r := bank.Record{Key: key}
	err := db.QueryRow(ctx, `SELECT place, facts FROM bank_record WHERE kind = $1 AND key = $2`, kind, key).Scan(&r.Place, &r.Facts)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return bank.Record{}, fault.Missing.Errorf("there is no such %s", kind)
	case err != nil:
		return bank.Record{}, fmt.Errorf("find a record of kind %s: %w", kind, err)
	}
	return r, nil
}

// HasBankRecords implements bank.Store.
func (db *DB) HasBankRecords(ctx context.Context, kind, place string) (bool, error) {
	var one int64
	err := db.QueryRow(ctx, `SELECT 1 FROM bank_record WHERE kind = $1 AND place = $2 LIMIT 1`, kind, place).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for records of kind %s: %w", kind, err)
	}
	return true, nil
}

// KeepModulusTable implements bank.Store.
func (db *DB) KeepModulusTable(ctx context.Context, s bank.StoredTable) (changed bool, err error) {
	err = db.write(ctx, func(t tx) error {
		changed = false
		if err := db.lockTables(ctx, t); err != nil {
			return err
		}
		var rows string
		err := t.QueryRow(ctx, `
			SELECT table_rows FROM modulus_table
			WHERE kind = $1 AND valid_from <= $2
			ORDER BY valid_from DESC
			LIMIT 1`, s.Kind, string(s.ValidFrom)).Scan(&rows)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err == nil && rows == s.Rows {
			return nil
		}
		changed = true
		var number int64
		if err := t.QueryRow(ctx, `SELECT COALESCE(MAX(number), 0) + 1 FROM modulus_table`).Scan(&number); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO modulus_table (kind, valid_from, number, table_rows, kept_at)
			VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (kind, valid_from) DO UPDATE SET number = $3, table_rows = $4, kept_at = $5`,
			s.Kind, string(s.ValidFrom), number, s.Rows, stamp{&s.KeptAt})
		return err
	})
	if err != nil {
		return false, fmt.Errorf("keep a modulus table: %w", err)
	}
	return changed, nil
}

// lockTables lets one keep a table at a time, so that numbers only grow. A write
// transaction of SQLite is such a lock already.
func (db *DB) lockTables(ctx context.Context, t tx) error {
	if db.d.name != "postgres" {
		return nil
	}
	_, err := t.Exec(ctx, `SELECT pg_advisory_xact_lock(7283646)`)
	return err
}

// ModulusTables implements bank.Store.
func (db *DB) ModulusTables(ctx context.Context, on company.Date) ([]bank.StoredTable, error) {
	var out []bank.StoredTable
	err := each(ctx, db, func(r row) error {
		var s bank.StoredTable
		err := r.Scan(&s.Kind, &s.ValidFrom, &s.Rows, stamp{&s.KeptAt})
		out = append(out, s)
		return err
	}, `
		SELECT kind, valid_from, table_rows, kept_at
		FROM modulus_table AS m
		WHERE valid_from = (SELECT MAX(valid_from) FROM modulus_table WHERE kind = m.kind AND valid_from <= $1)
		ORDER BY kind`, string(on))
	if err != nil {
		return nil, fmt.Errorf("read the modulus tables: %w", err)
	}
	return out, nil
}

// ModulusVersion implements bank.Store.
func (db *DB) ModulusVersion(ctx context.Context) (n int64, err error) {
	if err = db.QueryRow(ctx, `SELECT COALESCE(MAX(number), 0) FROM modulus_table`).Scan(&n); err != nil {
		return 0, fmt.Errorf("read the version of the modulus tables: %w", err)
	}
	return n, nil
}
