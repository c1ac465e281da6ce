package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

//go:embed migrations
var migrationFiles embed.FS

// A migration is one file: 0001_record.sql has number 1. Those of a release run
// while nodes of the release before go on serving; migrate_rule_test.go says what
// they may therefore not do.
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
// migration that fails leaves nothing behind. A schema that is newer than what
// this program knows is left as it is, and used if that is allowed.
func (db *DB) Migrate(ctx context.Context) (version int64, err error) {
	all, err := db.migrations()
	if err != nil {
		return 0, err
	}
	newest := int64(len(all))
	if version, err = db.Schema(ctx); err == nil && version == newest {
		return version, nil // the usual start: nothing to lock for
	}
	if err == nil && version > newest { // an upgrade under way: another node has made it
		if err := allowed(ctx, db, version, newest); err != nil {
			return 0, fmt.Errorf("migrate %s: %w", db.d.name, err)
		}
		return version, nil
	}
	err = db.write(ctx, func(t tx) error {
		if err := db.lockSchema(ctx, t); err != nil {
			return err
		}
		version, err = migrate(ctx, t, all, newest)
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
		return version, allowed(ctx, t, version, newest)
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

// after is how the name of a migration says that it takes something away:
// 0031_fewer_columns.after-0029.sql may run when every node knows schema 29, and
// a program that does not know it may not use the database any more.
var after = regexp.MustCompile(`\.after-(\d{4,})\.sql$`)

// allowed reports whether a program that knows schemas up to newest may use a
// database with a newer one: it may if nothing that it uses was taken away.
func allowed(ctx context.Context, t tx, version, newest int64) error {
	refused := fmt.Errorf("the database has schema %d, which a newer Bureau made; this one knows up to %d: run the newer version", version, newest)
	next := newest
	return each(ctx, t, func(r row) error {
		var number int64
		var name string
		if err := r.Scan(&number, &name); err != nil {
			return err
		}
		if next++; number != next { // not a list that we write
			return refused
		}
		if found := after.FindStringSubmatch(name); found != nil {
			if least, err := strconv.ParseInt(found[1], 10, 64); err != nil || least > newest {
				return refused
			}
		}
		return nil
	}, `SELECT number, name FROM schema_version WHERE number > $1 ORDER BY number`, newest)
}

// Fits reports whether this program may use the database with the schema that it
// has, which may be newer than its own.
func (db *DB) Fits(ctx context.Context) error {
	version, err := db.Schema(ctx)
	if err != nil {
		return err
	}
	newest, err := db.Newest()
	if err != nil || version <= newest {
		return err
	}
	return allowed(ctx, db, version, newest)
}

// IsSetUp reports whether there is a Bureau in the database, of whatever version.
func (db *DB) IsSetUp(ctx context.Context) (bool, error) {
	version, failed := db.Schema(ctx)
	if failed == nil {
		return version > 0, nil
	}
	// The table is not there, or we may not read it: the two engines tell us in
	// different words, and their catalogues in the same.
	there := false
	err := each(ctx, db, func(r row) error {
		var in, column, is string
		var place int64
		err := r.Scan(&in, &column, &is, &place)
		there = there || in == versionTable
		return err
	}, db.d.columns)
	switch {
	case err != nil:
		return false, fmt.Errorf("look for Bureau's tables: %w", err)
	case there:
		return false, fmt.Errorf("look for the schema's version: %w", failed)
	}
	return false, nil
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
