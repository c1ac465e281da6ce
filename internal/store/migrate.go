package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed migrations
var migrationFiles embed.FS

// A migration is one file: 0001_record.sql has number 1.
type migration struct {
	number int64
	name   string
	text   string
}

// migrations are those of this Bureau for the engine, in order.
func (db *DB) migrations() ([]migration, error) {
	dir := "migrations/" + db.d.name
	files, err := fs.ReadDir(db.files, dir)
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	var out []migration
	for _, f := range files {
		digits, _, _ := strings.Cut(f.Name(), "_")
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n != int64(len(out)+1) {
			return nil, fmt.Errorf("migration %s is out of order", f.Name())
		}
		b, err := fs.ReadFile(db.files, dir+"/"+f.Name())
		if err != nil {
			return nil, fmt.Errorf("read migration %s: %w", f.Name(), err)
		}
		out = append(out, migration{n, f.Name(), string(b)})
	}
	return out, nil
}

// Newest is the number of the newest migration that this program has.
func (db *DB) Newest() (int64, error) {
	all, err := db.migrations()
	return int64(len(all)), err
}

// Migrate brings the schema up to date and returns its number. All of it
// happens in one transaction under one lock: a second node waits, and a
// migration that fails leaves nothing behind.
func (db *DB) Migrate(ctx context.Context) (version int64, err error) {
	all, err := db.migrations()
	if err != nil {
		return 0, err
	}
	if version, err = db.Schema(ctx); err == nil && version == int64(len(all)) {
		return version, nil // the usual start: nothing to lock for
	}
	err = db.write(ctx, func(t tx) error {
		if err := db.lockSchema(ctx, t); err != nil {
			return err
		}
		version, err = migrate(ctx, t, all, int64(len(all)))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("migrate %s: %w", db.d.name, err)
	}
	return version, nil
}

// migrate runs the migrations that the database lacks, up to the number last,
// and returns the number that it then has. The schema is locked.
func migrate(ctx context.Context, t tx, all []migration, last int64) (version int64, err error) {
	if _, err := t.Exec(ctx, `CREATE TABLE IF NOT EXISTS schema_version (number BIGINT PRIMARY KEY, name TEXT NOT NULL)`); err != nil {
		return 0, err
	}
	if version, err = schemaOf(ctx, t); err != nil {
		return 0, err
	}
	if newest := int64(len(all)); version > newest {
		return 0, fmt.Errorf("the database has schema %d, which a newer Bureau made; this one knows up to %d: run the newer version", version, newest)
	}
	for _, m := range all[version:max(version, last)] {
		if _, err := t.Exec(ctx, m.text); err != nil {
			return 0, fmt.Errorf("%s: %w", m.name, err)
		}
		if _, err := t.Exec(ctx, `INSERT INTO schema_version (number, name) VALUES ($1, $2)`, m.number, m.name); err != nil {
			return 0, fmt.Errorf("%s: %w", m.name, err)
		}
		version = m.number
	}
	return version, nil
}

// Schema is the number of the newest migration that the database has.
func (db *DB) Schema(ctx context.Context) (int64, error) { return schemaOf(ctx, db) }

func schemaOf(ctx context.Context, t tx) (version int64, err error) {
	err = t.QueryRow(ctx, `SELECT COALESCE(MAX(number), 0) FROM schema_version`).Scan(&version)
	return version, err
}

// lockSchema lets one migrate at a time. A write transaction of SQLite is such
// a lock already.
func (db *DB) lockSchema(ctx context.Context, t tx) error {
	if db.d.name != "postgres" {
		return nil
	}
	_, err := t.Exec(ctx, `SELECT pg_advisory_xact_lock(7283645)`)
	return err
}
