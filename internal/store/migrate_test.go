package store

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestMigrationsHaveTheSameNames(t *testing.T) {
	names := func(engine string) (names []string) {
		files, err := fs.ReadDir(migrationFiles, "migrations/"+engine)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			names = append(names, f.Name())
		}
		return names
	}
	if d := cmp.Diff(names("sqlite"), names("postgres")); d != "" {
		t.Errorf("the folders differ (-sqlite +postgres):\n%s", d)
	}
}

// Both folders must make the same tables, or a backup fits only one of them.
func TestMigrationsMakeTheSameTables(t *testing.T) {
	made := map[string][]table{}
	for name, fresh := range engines {
		db := open(t, fresh(t))
		all, err := db.tables(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range all {
			if _, err := table.query(db.d); err != nil {
				t.Error(err)
			}
		}
		made[name] = all
	}
	if d := cmp.Diff(made["sqlite"], made["postgres"], cmp.AllowUnexported(table{})); d != "" {
		t.Errorf("the schemas differ (-sqlite +postgres):\n%s", d)
	}
	if n := len(made["sqlite"]); n < 12 {
		t.Errorf("%d tables were found, want all of them", n)
	}
}

func TestMigratingTwiceChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		before, n := schemaText(t, db), newest(t, db)
		for range 2 {
			if got, err := db.Migrate(t.Context()); err != nil || got != n {
				t.Errorf("got schema %d (%v), want %d", got, err, n)
			}
		}
		again := open(t, url)
		if d := cmp.Diff(before, schemaText(t, again)); d != "" {
			t.Errorf("the schema changed:\n%s", d)
		}
	})
}

func TestManyMigrateAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				db, err := Open(t.Context(), url)
				if err != nil {
					t.Error(err)
					return
				}
				defer db.Close()
				if n, err := db.Schema(t.Context()); err != nil || n != newest(t, db) {
					t.Errorf("got schema %d (%v), want %d", n, err, newest(t, db))
				}
			})
		}
		wg.Wait()
	})
}

func TestDatabaseFromTheFutureIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		err := db.write(t.Context(), func(w tx) error {
			_, err := w.Exec(t.Context(), `INSERT INTO schema_version (number, name) VALUES ($1, $2)`, 999, "0999_future.sql")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		before := schemaText(t, db)
		again, err := Open(t.Context(), url)
		if err == nil {
			again.Close()
			t.Fatal("it was opened")
		}
		if want := "the database has schema 999, which a newer Bureau made; this one knows up to "; !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %q, want one sentence with %q", err, want)
		}
		if d := cmp.Diff(before, schemaText(t, db)); d != "" {
			t.Errorf("the schema changed:\n%s", d)
		}
	})
}

// The second migration of two fails half-way.
func TestFailedMigrationLeavesNothingBehind(t *testing.T) {
	bad := `CREATE TABLE half (n BIGINT); INSERT INTO half (n) VALUES (1); INSERT INTO nowhere (n) VALUES (1);`
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		db.files = withMigrations("CREATE TABLE one (n BIGINT)", bad)
		_, err := db.Migrate(t.Context())
		if err == nil || !strings.Contains(err.Error(), "0002_next.sql") || !strings.Contains(err.Error(), "nowhere") {
			t.Errorf("got %v, want the migration's name and the reason", err)
		}
		if got := schemaText(t, db); len(got) != 0 {
			t.Errorf("it left behind %v", got)
		}

		// On a database with something in it, too; and then it can be put right.
		db.files = withMigrations("CREATE TABLE one (n BIGINT)")
		if n, err := db.Migrate(t.Context()); err != nil || n != 1 {
			t.Fatalf("got schema %d (%v), want 1", n, err)
		}
		before := schemaText(t, db)
		db.files = withMigrations("CREATE TABLE one (n BIGINT)", bad)
		if _, err := db.Migrate(t.Context()); err == nil {
			t.Error("the bad migration passed")
		}
		if d := cmp.Diff(before, schemaText(t, db)); d != "" {
			t.Errorf("the schema changed:\n%s", d)
		}
		db.files = withMigrations("CREATE TABLE one (n BIGINT)", "CREATE TABLE half (n BIGINT)")
		if n, err := db.Migrate(t.Context()); err != nil || n != 2 {
			t.Errorf("got schema %d (%v), want 2", n, err)
		}
	})
}

func TestMigrationsOutOfOrderAreRefused(t *testing.T) {
	db := connect(t, filepath.Join(t.TempDir(), "test.db"))
	for _, name := range []string{"0002_second.sql", "first.sql", "0000_zero.sql"} {
		db.files = fstest.MapFS{"migrations/sqlite/" + name: {Data: []byte("SELECT 1")}}
		if _, err := db.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %s refused", err, name)
		}
	}
}

// withMigrations are migrations made up for a test, for both engines.
func withMigrations(texts ...string) fs.FS {
	files := fstest.MapFS{}
	names := []string{"0001_first.sql", "0002_next.sql"}
	for i, text := range texts {
		for engine := range maps.Keys(engines) {
			files["migrations/"+engine+"/"+names[i]] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return files
}

func newest(t *testing.T, db *DB) int64 {
	t.Helper()
	n, err := db.Newest()
	if err != nil {
		t.Error(err)
	}
	return n
}

// schemaText is everything that the schema consists of, and which migrations
// ran.
func schemaText(t *testing.T, db *DB) (lines []string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	query := `SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_schema`
	if db.Engine() == "postgres" {
		query = `
			SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
			FROM information_schema.columns WHERE table_schema = 'public'
			UNION ALL
			SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
			UNION ALL
			SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
			WHERE connamespace = 'public'::regnamespace`
	}
	read := func(query string) {
		err := each(ctx, db, func(r row) error {
			var line string
			err := r.Scan(&line)
			lines = append(lines, line)
			return err
		}, query)
		if err != nil {
			t.Fatal(err)
		}
	}
	read(query)
	if len(lines) > 0 {
		read(`SELECT name FROM schema_version`)
	}
	slices.Sort(lines)
	return lines
}
