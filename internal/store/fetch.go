package store

import (
	"context"
	"fmt"

	"bureau/internal/importer"
)

// Fetches lists what is known of the publishers' files, by source.
func (db *DB) Fetches(ctx context.Context) (map[string]importer.Fetch, error) {
	out := map[string]importer.Fetch{}
	err := each(ctx, db, func(r row) error {
		var f importer.Fetch
		err := r.Scan(&f.Source, &f.URL, &f.ETag, &f.Modified, stamp{&f.AskedAt}, stamp{&f.GoodAt}, stamp{&f.ImportedAt}, &f.Error)
		out[f.Source] = f
		return err
	}, `SELECT source, url, etag, modified, asked_at, good_at, imported_at, error FROM fetched`)
	if err != nil {
		return nil, fmt.Errorf("read the state of sources: %w", err)
	}
	return out, nil
}

// SaveFetch keeps the state of one.
func (db *DB) SaveFetch(ctx context.Context, f importer.Fetch) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO fetched (source, url, etag, modified, asked_at, good_at, imported_at, error)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (source) DO UPDATE SET
				url = $2, etag = $3, modified = $4, asked_at = $5, good_at = $6, imported_at = $7, error = $8`,
			f.Source, f.URL, f.ETag, f.Modified, stamp{&f.AskedAt}, stamp{&f.GoodAt}, stamp{&f.ImportedAt}, f.Error)
		return err
	})
	if err != nil {
		return fmt.Errorf("save the state of %s: %w", f.Source, err)
	}
	return nil
}
