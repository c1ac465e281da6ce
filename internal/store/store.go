package store

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"bureau/internal/company"
)

// A DB keeps everything Bureau knows.
type DB struct {
	engine
	d     dialect
	files fs.FS // the migrations

	// Now replaces the shared clock in tests. Otherwise SQLite uses this
	// process's clock, which steps of the wall clock do not move, and
	// PostgreSQL its own, the same for every node.
	Now func() time.Time

	// Signals are raised when something was written.
	Signals Signals

	// Cover hides in what was told who may not be shown. Without it everybody
	// may.
	Cover func(ctx context.Context, told []company.Told) error

	started time.Time
}

// Open opens a database and brings its schema up to date: url is a
// postgres:// URL or the path of an SQLite file.
func Open(ctx context.Context, url string) (*DB, error) {
	return openAfter(ctx, url, func(*DB) error { return nil })
}

// OpenExisting is Open for those who do not set a database up: one without
// Bureau's tables is refused, and stays as it is.
func OpenExisting(ctx context.Context, url string) (*DB, error) {
	return openAfter(ctx, url, func(db *DB) error {
		ok, err := db.IsSetUp(ctx)
		if err != nil || ok {
			return err
		}
		name := url
		if IsPostgres(url) { // the URL may hold a password
			err = db.QueryRow(ctx, `SELECT current_database()::text`).Scan(&name)
		}
		if err != nil {
			return fmt.Errorf("ask for the database's name: %w", err)
		}
		return fmt.Errorf("there is no Bureau in the database %s: 'bureau serve' or 'bureau customer add' makes one; --db names another", name)
	})
}

// openAfter opens a database, has it looked at, and brings it up to date.
func openAfter(ctx context.Context, url string, look func(*DB) error) (*DB, error) {
	db, err := Connect(ctx, url)
	if err != nil {
		return nil, err
	}
	err = look(db)
	if err == nil {
		_, err = db.Migrate(ctx)
	}
	if err == nil {
		err = db.raiseWall(ctx)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Connect opens a database as it is.
func Connect(ctx context.Context, url string) (*DB, error) {
	if IsPostgres(url) {
		e, err := openPostgres(ctx, url)
		if err != nil {
			return nil, err
		}
		return &DB{engine: e, d: postgresDialect, files: migrationFiles, started: time.Now()}, nil
	}
	e, err := openSQLite(ctx, url)
	if err != nil {
		return nil, err
	}
	return &DB{engine: e, d: sqliteDialect, files: migrationFiles, started: time.Now()}, nil
}

// IsPostgres reports whether a database setting names a PostgreSQL server.
func IsPostgres(url string) bool {
	return strings.HasPrefix(url, "postgres://") || strings.HasPrefix(url, "postgresql://")
}

// Engine is "sqlite" or "postgres".
func (db *DB) Engine() string { return db.d.name }

// Close gives the database back. SQLite folds its log into the file.
func (db *DB) Close() error { return db.close() }

// GiveBack lets go of memory that is only kept to answer faster.
func (db *DB) GiveBack() error {
	if e, ok := db.engine.(*sqliteEngine); ok {
		return e.giveBack()
	}
	return nil // PostgreSQL has its own
}

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	var one int64
	if err := db.QueryRow(ctx, `SELECT 1`).Scan(&one); err != nil {
		return fmt.Errorf("ask the database: %w", err)
	}
	return nil
}

// IsGone reports whether an error means that the database is out of reach or
// out of room, rather than that something is wrong with the request.
func (db *DB) IsGone(err error) bool { return db.d.isGone(err) }

// clock is the time that all nodes agree on.
func (db *DB) clock(ctx context.Context, t tx) (now time.Time, err error) {
	ask, asked := db.askClock(&now)
	if !asked {
		return db.ownClock(), nil
	}
	return now, t.QueryRow(ctx, ask.query).Scan(stamp{&now})
}

// askClock is the step that asks the database for the time, where that has the clock.
func (db *DB) askClock(now *time.Time) (ask step, asked bool) {
	return step{
		query: `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)`,
		read:  func(r row) error { return r.Scan(stamp{now}) },
	}, db.Now == nil && db.d.name != "sqlite"
}

// ownClock is the time where this process has the clock.
func (db *DB) ownClock() time.Time {
	if db.Now != nil {
		return db.Now().UTC().Truncate(time.Millisecond)
	}
	return db.started.Add(time.Since(db.started)).Round(0).UTC().Truncate(time.Millisecond)
}
