package store

import (
	"path/filepath"
	"testing"
	"time"

	"bureau/internal/store/storetest"
)

// The tables are made once, and copied for each promise.
func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) (one, other storetest.Store) {
		path := filepath.Join(t.TempDir(), "test.db")
		db, err := storetest.Open(t.Context(), path, Open)
		must(t, err)
		t.Cleanup(func() { db.Close() })
		return db, open(t, path)
	})
}

func TestPostgres(t *testing.T) {
	model := storetest.Postgres(t)
	db := open(t, model)
	// What the suite tells is in two months that touch, and in the rest.
	for _, first := range []time.Time{newYear.AddDate(0, 1, 0), newYear.AddDate(0, 2, 0)} {
		must(t, db.makeMonth(t.Context(), monthOf("event", first)))
	}
	must(t, db.Close())
	storetest.Run(t, func(t *testing.T) (one, other storetest.Store) {
		url := storetest.PostgresLike(t, model)
		return open(t, url), open(t, url)
	})
}

// engines are where a test finds a fresh database of each kind.
var engines = map[string]func(t *testing.T) (url string){
	"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
	"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
}

// onBoth runs a test with the address of a fresh database of each kind.
func onBoth(t *testing.T, test func(t *testing.T, url string)) {
	for name, fresh := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, fresh(t))
		})
	}
}

func open(t *testing.T, url string) *DB {
	t.Helper()
	db, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func connect(t *testing.T, url string) *DB {
	t.Helper()
	db, err := Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// A change of driver may number placeholders by where they first stand.
func TestPlaceholdersAreBoundByNumber(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		var a, b, c, d string
		err := db.write(t.Context(), func(t1 tx) error {
			ctx := t.Context()
			if _, err := t1.Exec(ctx, `CREATE TABLE four (a TEXT, b TEXT, c TEXT, d TEXT)`); err != nil {
				return err
			}
			if _, err := t1.Exec(ctx, `INSERT INTO four (d, c, b, a) VALUES ($4, $3, $2, $1)`, "a", "b", "c", "d"); err != nil {
				return err
			}
			n, err := t1.Exec(ctx, `UPDATE four SET c = $3, d = $4 WHERE a = $1 AND b = $2`, "a", "b", "C", "D")
			if err != nil || n != 1 {
				t.Errorf("updated %d rows (%v), want 1", n, err)
			}
			return t1.QueryRow(ctx, `SELECT a, b, c, d FROM four WHERE d = $2 AND c = $1 AND $1 <> $2`, "C", "D").Scan(&a, &b, &c, &d)
		})
		if got := a + b + c + d; err != nil || got != "abCD" {
			t.Errorf("got %q (%v), want abCD", got, err)
		}
	})
}
