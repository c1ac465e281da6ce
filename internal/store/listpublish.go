package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/kyc"
)

// PublishList implements kyc.Store.
func (db *DB) PublishList(ctx context.Context, p kyc.Publication) (v kyc.Version, err error) {
	changed := false
	err = db.write(ctx, func(t tx) error {
		last, _, err := db.lockLists(ctx, t)
		if err != nil {
			return err
		}
		if err := isOpen(ctx, t, p.List, p.Version); err != nil {
			return err
		}
		if err := db.endEntries(ctx, t, p); err != nil {
			return err
		}
		v = kyc.Version{Number: p.Version, List: p.List, File: p.File, At: p.At, AsOf: p.AsOf}
		if err := logEntries(ctx, t, last, &v); err != nil {
			return err
		}
		changed = v.Added+v.Changed+v.Removed > 0
		return db.keepVersion(ctx, t, p, &v)
	})
	if err != nil {
		return kyc.Version{}, fmt.Errorf("put a version of %s in force: %w", p.List, err)
	}
	if changed {
		db.Signals.raise(listsMade)
	}
	return v, nil
}

// endEntries ends what the new version replaces, and what is gone.
func (db *DB) endEntries(ctx context.Context, t tx, p kyc.Publication) error {
	_, err := t.Exec(ctx, `
		UPDATE entry_version SET until = $2
		WHERE list = $1 AND until = 0 AND since < $2
		  AND entry IN (SELECT entry FROM entry_version WHERE list = $1 AND since = $2)`, p.List, p.Version)
	if err != nil {
		return err
	}
	if db.d.name == "postgres" {
		for part := range slices.Chunk(p.Gone, 10_000) {
			ids := make([]int64, len(part))
			for i, id := range part {
				ids[i] = int64(id)
			}
			_, err := t.Exec(ctx, `UPDATE entry_version SET until = $2 WHERE entry = ANY($1) AND until = 0 AND since < $2 AND list = $3`,
				ids, p.Version, p.List)
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, id := range p.Gone {
		_, err := t.Exec(ctx, `UPDATE entry_version SET until = $2 WHERE entry = $1 AND until = 0 AND since < $2 AND list = $3`,
			int64(id), p.Version, p.List)
		if err != nil {
			return err
		}
	}
	return nil
}

// logEntries writes what a version changes into the log. What began with it and
// took nothing's place was added, what only ended with it was removed.
func logEntries(ctx context.Context, t tx, last int64, v *kyc.Version) error {
	_, err := t.Exec(ctx, `
		INSERT INTO entry_change (number, version, list, entry, kind)
		SELECT CAST($3 AS BIGINT) + ROW_NUMBER() OVER (ORDER BY entry), CAST($2 AS BIGINT), list, entry,
		       CASE WHEN MIN(since) < $2 AND MAX(since) = $2 THEN 'changed'
		            WHEN MAX(since) = $2 THEN 'added'
		            ELSE 'removed' END
		FROM entry_version
		WHERE list = $1 AND (since = $2 OR until = $2)
		GROUP BY list, entry`, v.List, v.Number, last)
	if err != nil {
		return err
	}
	err = each(ctx, t, func(r row) error {
		var kind string
		var n int64
		if err := r.Scan(&kind, &n); err != nil {
			return err
		}
		switch kyc.ChangeKind(kind) {
		case kyc.Added:
			v.Added = n
		case kyc.Changed:
			v.Changed = n
		case kyc.Removed:
			v.Removed = n
		}
		return nil
	}, `SELECT kind, COUNT(*) FROM entry_change WHERE number > $1 GROUP BY kind`, last)
	if err != nil {
		return err
	}
	_, err = t.Exec(ctx, `UPDATE list_log SET last_number = $1 WHERE id = 1`, last+v.Added+v.Changed+v.Removed)
	return err
}

// keepVersion makes a version the list's newest. One that changed nothing leaves
// the number as it was.
func (db *DB) keepVersion(ctx context.Context, t tx, p kyc.Publication, v *kyc.Version) error {
	var before, entries int64
	err := t.QueryRow(ctx, `SELECT version, entries FROM screening_list WHERE name = $1`, p.List).Scan(&before, &entries)
	if err != nil {
		return err
	}
	v.Entries = entries + v.Added - v.Removed
	asOf := p.At
	if day, err := time.Parse(time.DateOnly, string(p.AsOf)); err == nil {
		asOf = day
	}
	if v.Added+v.Changed+v.Removed == 0 && before != 0 {
		v.Number = before
	} else {
		_, err := t.Exec(ctx, `
			INSERT INTO list_version (number, list, file, at, as_of, entries, added, changed, removed)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			v.Number, v.List, v.File, stamp{&v.At}, string(v.AsOf), v.Entries, v.Added, v.Changed, v.Removed)
		if err != nil {
			return err
		}
	}
	_, err = t.Exec(ctx, `
		UPDATE screening_list
		SET version = $2, aside = 0, entries = $3, loaded_at = $4, as_of = $5, file = $6
		WHERE name = $1`, p.List, v.Number, v.Entries, stamp{&p.At}, stamp{&asOf}, p.File)
	if err != nil {
		return err
	}
	return t.Together(ctx, db.tell(listsMade))
}
