package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"bureau/internal/fault"
	"bureau/internal/kyc"
)

// lockLists lets one change lists at a time, and returns the ends of the log and
// of the versions. The lock is held to the commit, so that numbers become
// visible in order.
func (db *DB) lockLists(ctx context.Context, t tx) (number, version int64, err error) {
	err = t.QueryRow(ctx, `SELECT last_number, last_version FROM list_log WHERE id = 1 `+db.d.forUpdate).Scan(&number, &version)
	return number, version, err
}

// BeginList implements kyc.Store.
func (db *DB) BeginList(ctx context.Context, list string) (version int64, err error) {
	err = db.write(ctx, func(t tx) error {
		_, last, err := db.lockLists(ctx, t)
		if err != nil {
			return err
		}
		version = last + 1
		if _, err := t.Exec(ctx, `UPDATE list_log SET last_version = $1 WHERE id = 1`, version); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO screening_list (name, version, aside, file, entries, loaded_at, as_of)
			VALUES ($1, 0, $2, '', 0, 0, 0)
			ON CONFLICT (name) DO UPDATE SET aside = $2`, list, version)
		if err != nil {
			return err
		}
		return dropAside(ctx, t, list)
	})
	if err != nil {
		return 0, fmt.Errorf("begin a version of %s: %w", list, err)
	}
	return version, nil
}

// dropAside takes away what was put aside for versions that never came into
// force, with the entries that nobody else knows.
func dropAside(ctx context.Context, t tx, list string) error {
	for _, query := range []string{
		`DELETE FROM entry_version WHERE list = $1 AND since > (SELECT version FROM screening_list WHERE name = $1)`,
		`DELETE FROM list_entry WHERE list = $1 AND first_version > (SELECT version FROM screening_list WHERE name = $1)`,
	} {
		if _, err := t.Exec(ctx, query, list); err != nil {
			return err
		}
	}
	return nil
}

// DropAside implements kyc.Store.
func (db *DB) DropAside(ctx context.Context, list string, version int64) error {
	err := db.write(ctx, func(t tx) error {
		if _, _, err := db.lockLists(ctx, t); err != nil {
			return err
		}
		n, err := t.Exec(ctx, `UPDATE screening_list SET aside = 0 WHERE name = $1 AND aside = $2`, list, version)
		if err != nil || n == 0 {
			return err
		}
		return dropAside(ctx, t, list)
	})
	if err != nil {
		return fmt.Errorf("give a version of %s up: %w", list, err)
	}
	return nil
}

// isOpen fails unless a version was begun and no other after it.
func isOpen(ctx context.Context, t tx, list string, version int64) error {
	var aside int64
	err := t.QueryRow(ctx, `SELECT aside FROM screening_list WHERE name = $1`, list).Scan(&aside)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err != nil || aside != version {
		return fault.Conflict.Errorf("another import of %s has begun since: let it end, and import this one again", list)
	}
	return nil
}

// PutAside implements kyc.Store.
func (db *DB) PutAside(ctx context.Context, list string, version int64, drafts []kyc.Draft) (ids []kyc.EntryID, err error) {
	err = db.write(ctx, func(t tx) error {
		if _, _, err := db.lockLists(ctx, t); err != nil {
			return err
		}
		if err := isOpen(ctx, t, list, version); err != nil {
			return err
		}
		if ids, err = db.entryIDs(ctx, t, list, version, drafts); err != nil {
			return err
		}
		if err := db.dropDrafts(ctx, t, version, drafts); err != nil {
			return err
		}
		var keep []int
		for i, d := range drafts {
			if !d.Undo {
				keep = append(keep, i)
			}
		}
		columns := []string{"entry", "since", "until", "list", "hash", "facts"}
		return t.Bulk(ctx, "entry_version", columns, len(keep), func(n int) []any {
			d := &drafts[keep[n]]
			return []any{int64(ids[keep[n]]), version, int64(0), list, d.Hash, d.Facts}
		})
	})
	if err != nil {
		return nil, fmt.Errorf("put entries of %s aside: %w", list, err)
	}
	return ids, nil
}

// dropDrafts takes away what was put aside before of the same entries: there can
// only be something of those that have an ID.
func (db *DB) dropDrafts(ctx context.Context, t tx, version int64, drafts []kyc.Draft) error {
	var ids []int64
	for _, d := range drafts {
		if d.ID != 0 {
			ids = append(ids, int64(d.ID))
		}
	}
	if db.d.name == "postgres" {
		_, err := t.Exec(ctx, `DELETE FROM entry_version WHERE entry = ANY($1) AND since = $2`, ids, version)
		return err
	}
	for _, id := range ids {
		if _, err := t.Exec(ctx, `DELETE FROM entry_version WHERE entry = $1 AND since = $2`, id, version); err != nil {
			return err
		}
	}
	return nil
}

// entryIDs gives entries their IDs. An entry that was listed once and is listed
// again has the one that it had.
func (db *DB) entryIDs(ctx context.Context, t tx, list string, version int64, drafts []kyc.Draft) ([]kyc.EntryID, error) {
	var numbers []string
	for _, d := range drafts {
		if d.ID == 0 {
			numbers = append(numbers, d.Number)
		}
	}
	had := map[string]kyc.EntryID{}
	err := pick(ctx, db, t, func(r row) error {
		var number string
		var id int64
		err := r.Scan(&number, &id)
		had[number] = kyc.EntryID(id)
		return err
	}, `SELECT number, id FROM list_entry WHERE number = $1 AND list = $2`,
		`SELECT number, id FROM list_entry WHERE number = ANY($1) AND list = $2`, numbers, list)
	if err != nil {
		return nil, err
	}
	var next int64
	if err := t.QueryRow(ctx, `SELECT COALESCE(MAX(id), 0) + 1 FROM list_entry`).Scan(&next); err != nil {
		return nil, err
	}
	ids := make([]kyc.EntryID, len(drafts))
	var fresh []int
	for i, d := range drafts {
		switch id, known := had[d.Number]; {
		case d.ID != 0:
			ids[i] = d.ID
		case known:
			ids[i] = id
		default:
			ids[i] = kyc.EntryID(next)
			had[d.Number] = ids[i]
			next++
			fresh = append(fresh, i)
		}
	}
	return ids, t.Bulk(ctx, "list_entry", []string{"id", "list", "number", "first_version"}, len(fresh), func(n int) []any {
		return []any{int64(ids[fresh[n]]), list, drafts[fresh[n]].Number, version}
	})
}

// ConfirmList implements kyc.Store.
func (db *DB) ConfirmList(ctx context.Context, list string, at time.Time) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `UPDATE screening_list SET as_of = $2 WHERE name = $1 AND as_of < $2`, list, stamp{&at})
		return err
	})
	if err != nil {
		return fmt.Errorf("confirm %s: %w", list, err)
	}
	return nil
}
