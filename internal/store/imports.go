package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/company"
)

// BeginImport implements company.Store.
func (db *DB) BeginImport(ctx context.Context, i company.Import) (company.Import, error) {
	err := db.write(ctx, func(t tx) error {
		// The lock on the end of the log keeps two from beginning the same file,
		// or from taking the same number.
		var last int64
		err := t.QueryRow(ctx, `SELECT last_number FROM change_log WHERE id = 1 `+db.d.forUpdate).Scan(&last)
		if err != nil {
			return err
		}
		err = t.QueryRow(ctx, `
			SELECT id, started_at FROM import
			WHERE source = $1 AND mark = $2 AND finished_at = 0
			ORDER BY id DESC
			LIMIT 1`, i.Source, i.Mark).Scan(&i.ID, stamp{&i.StartedAt})
		if err == nil {
			return nil // it goes on where it was broken off
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err := t.QueryRow(ctx, `SELECT COALESCE(MAX(id), 0) + 1 FROM import`).Scan(&i.ID); err != nil {
			return err
		}
		_, err = t.Exec(ctx, `
			INSERT INTO import (id, source, file, mark, started_at, finished_at, records, refused,
			                    unchanged, changed, changes, removed, error)
			VALUES ($1, $2, $3, $4, $5, 0, 0, 0, 0, 0, 0, 0, '')`,
			i.ID, i.Source, i.File, i.Mark, stamp{&i.StartedAt})
		return err
	})
	if err != nil {
		return i, fmt.Errorf("begin an import: %w", err)
	}
	return i, nil
}

// FinishImport implements company.Store.
func (db *DB) FinishImport(ctx context.Context, i company.Import) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			UPDATE import
			SET finished_at = $2, records = $3, refused = $4, unchanged = $5, changed = $6,
			    changes = $7, removed = $8, error = $9
			WHERE id = $1`,
			i.ID, stamp{&i.FinishedAt}, i.Records, i.Refused, i.Unchanged, i.Changed, i.Changes, i.Removed, i.Error)
		return err
	})
	if err != nil {
		return fmt.Errorf("finish an import: %w", err)
	}
	return nil
}

// Imports implements company.Store.
func (db *DB) Imports(ctx context.Context, limit int) ([]company.Import, error) {
	var out []company.Import
	err := each(ctx, db, func(r row) error {
		var i company.Import
		err := r.Scan(&i.ID, &i.Source, &i.File, &i.Mark, stamp{&i.StartedAt}, stamp{&i.FinishedAt}, &i.Records,
			&i.Refused, &i.Unchanged, &i.Changed, &i.Changes, &i.Removed, &i.Error)
		out = append(out, i)
		return err
	}, `
		SELECT id, source, file, mark, started_at, finished_at, records, refused,
		       unchanged, changed, changes, removed, error
		FROM import
		ORDER BY id DESC
		LIMIT $1 + 0`, limit)
	if err != nil {
		return nil, fmt.Errorf("list imports: %w", err)
	}
	return out, nil
}
