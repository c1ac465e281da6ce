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

// EntryPrints implements kyc.Store.
func (db *DB) EntryPrints(ctx context.Context, list string, visit func(string, kyc.Print)) error {
	err := each(ctx, db, func(r row) error {
		var number string
		var id, hash int64
		if err := r.Scan(&number, &id, &hash); err != nil {
			return err
		}
		visit(number, kyc.Print{ID: kyc.EntryID(id), Hash: hash})
		return nil
	}, `
		SELECT e.number, v.entry, v.hash
		FROM entry_version AS v
		JOIN list_entry AS e ON e.id = v.entry
		WHERE v.list = $1 AND v.until = 0 AND v.since <= (SELECT version FROM screening_list WHERE name = $1)
		ORDER BY e.number`, list)
	if err != nil {
		return fmt.Errorf("read what is held of %s: %w", list, err)
	}
	return nil
}

// heldColumns are what readHeld reads.
const heldColumns = `
	v.entry, v.list, e.number, v.since, COALESCE(f.at, 0), v.facts
	FROM entry_version AS v
	JOIN list_entry AS e ON e.id = v.entry
	JOIN screening_list AS l ON l.name = v.list
	LEFT JOIN list_version AS f ON f.number = e.first_version `

func readHeld(r row) (h kyc.Held, err error) {
	var id int64
	err = r.Scan(&id, &h.List, &h.Number, &h.Since, stamp{&h.FirstAdded}, &h.Facts)
	h.ID = kyc.EntryID(id)
	return h, err
}

// Standing implements kyc.Store.
func (db *DB) Standing(ctx context.Context, visit func(kyc.Held) error) (ed kyc.Edition, err error) {
	err = db.snapshot(ctx, func(t tx) error {
		if ed.Lists, err = loadedLists(ctx, t); err != nil {
			return err
		}
		if err := t.QueryRow(ctx, `SELECT last_number FROM list_log WHERE id = 1`).Scan(&ed.Change); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			h, err := readHeld(r)
			if err != nil {
				return err
			}
			return visit(h)
		}, `SELECT `+heldColumns+`WHERE v.until = 0 AND v.since <= l.version ORDER BY v.entry`)
	})
	if err != nil {
		return kyc.Edition{}, fmt.Errorf("read all entries: %w", err)
	}
	return ed, nil
}

// EntriesOf implements kyc.Store.
func (db *DB) EntriesOf(ctx context.Context, list string, version int64, visit func(kyc.Held) error) error {
	err := each(ctx, db, func(r row) error {
		h, err := readHeld(r)
		if err != nil {
			return err
		}
		return visit(h)
	}, `SELECT `+heldColumns+`
		WHERE v.list = $1 AND v.since <= $2 AND (v.until = 0 OR v.until > $2) AND v.since <= l.version
		ORDER BY v.entry`, list, version)
	if err != nil {
		return fmt.Errorf("read entries of %s: %w", list, err)
	}
	return nil
}

// Entry implements kyc.Store.
func (db *DB) Entry(ctx context.Context, list, number string, version int64) (kyc.Held, error) {
	h, err := readHeld(db.QueryRow(ctx, `SELECT `+heldColumns+`
		WHERE e.list = $1 AND e.number = $2 AND v.since <= $3 AND (v.until = 0 OR v.until > $3) AND v.since <= l.version
		ORDER BY v.since DESC
		LIMIT 1`, list, number, version))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return kyc.Held{}, fault.Missing.Errorf("%s has no entry %q in that version", list, number)
	case err != nil:
		return kyc.Held{}, fmt.Errorf("read entry %s of %s: %w", number, list, err)
	}
	return h, nil
}

// Entries implements kyc.Store.
func (db *DB) Entries(ctx context.Context, ids []kyc.EntryID) (map[kyc.EntryID]kyc.Held, error) {
	out := make(map[kyc.EntryID]kyc.Held, len(ids))
	plain := make([]int64, len(ids))
	for i, id := range ids {
		plain[i] = int64(id)
	}
	err := pick(ctx, db, db, func(r row) error {
		h, err := readHeld(r)
		out[h.ID] = h
		return err
	}, `SELECT `+heldColumns+`WHERE v.entry = $1 AND v.until = 0 AND v.since <= l.version`,
		`SELECT `+heldColumns+`WHERE v.entry = ANY($1) AND v.until = 0 AND v.since <= l.version`, plain)
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	return out, nil
}

// EntriesSince implements kyc.Store.
func (db *DB) EntriesSince(ctx context.Context, since map[kyc.EntryID]int64) (map[kyc.EntryID]kyc.Held, error) {
	out := make(map[kyc.EntryID]kyc.Held, len(since))
	plain := make([]int64, 0, len(since))
	for id := range since {
		plain = append(plain, int64(id))
	}
	err := pick(ctx, db, db.public(), func(r row) error {
		h, err := readHeld(r)
		if h.Since == since[h.ID] {
			out[h.ID] = h
		}
		return err
	}, `SELECT `+heldColumns+`WHERE v.entry = $1 AND v.since <= l.version`,
		`SELECT `+heldColumns+`WHERE v.entry = ANY($1) AND v.since <= l.version`, plain)
	if err != nil {
		return nil, fmt.Errorf("read entries: %w", err)
	}
	return out, nil
}

// LoadedLists implements kyc.Store.
func (db *DB) LoadedLists(ctx context.Context) ([]kyc.Loaded, error) {
	lists, err := loadedLists(ctx, db)
	if err != nil {
		return nil, fmt.Errorf("read the lists: %w", err)
	}
	return lists, nil
}

func loadedLists(ctx context.Context, t tx) (out []kyc.Loaded, err error) {
	err = each(ctx, t, func(r row) error {
		var l kyc.Loaded
		err := r.Scan(&l.List, &l.Version, &l.File, &l.Entries, stamp{&l.LoadedAt}, stamp{&l.AsOf})
		out = append(out, l)
		return err
	}, `SELECT name, version, file, entries, loaded_at, as_of FROM screening_list WHERE version > 0 ORDER BY name`)
	return out, err
}

const versionColumns = `number, list, file, at, as_of, entries, added, changed, removed`

func readVersion(r row) (v kyc.Version, err error) {
	err = r.Scan(&v.Number, &v.List, &v.File, stamp{&v.At}, &v.AsOf, &v.Entries, &v.Added, &v.Changed, &v.Removed)
	return v, err
}

// ListVersions implements kyc.Store.
func (db *DB) ListVersions(ctx context.Context, list string, limit int) (out []kyc.Version, err error) {
	err = each(ctx, db, func(r row) error {
		v, err := readVersion(r)
		out = append(out, v)
		return err
	}, `SELECT `+versionColumns+` FROM list_version WHERE list = $1 ORDER BY number DESC LIMIT $2 + 0`, list, limit)
	if err != nil {
		return nil, fmt.Errorf("read the versions of %s: %w", list, err)
	}
	return out, nil
}

// VersionOn implements kyc.Store.
func (db *DB) VersionOn(ctx context.Context, list string, at time.Time) (kyc.Version, error) {
	v, err := readVersion(db.QueryRow(ctx, `SELECT `+versionColumns+` FROM list_version
		WHERE list = $1 AND at <= $2
		ORDER BY number DESC
		LIMIT 1`, list, stamp{&at}))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return v, fault.Missing.Errorf("%s was not loaded at that time", list)
	case err != nil:
		return v, fmt.Errorf("find a version of %s: %w", list, err)
	}
	return v, nil
}

// EntryChanges implements kyc.Store.
func (db *DB) EntryChanges(ctx context.Context, after int64, limit int) (out []kyc.Change, err error) {
	err = each(ctx, db, func(r row) error {
		var c kyc.Change
		var entry int64
		err := r.Scan(&c.Number, &c.Version, &c.List, &entry, &c.Kind)
		c.Entry = kyc.EntryID(entry)
		out = append(out, c)
		return err
	}, `
		SELECT number, version, list, entry, kind
		FROM entry_change
		WHERE number > $1
		ORDER BY number
		LIMIT $2 + 0`, after, limit)
	if err != nil {
		return nil, fmt.Errorf("read changes of entries: %w", err)
	}
	return out, nil
}

// LastEntryChange implements kyc.Store.
func (db *DB) LastEntryChange(ctx context.Context) (n int64, err error) {
	if err = db.QueryRow(ctx, `SELECT last_number FROM list_log WHERE id = 1`).Scan(&n); err != nil {
		return 0, fmt.Errorf("read the end of the log of entries: %w", err)
	}
	return n, nil
}
