package store

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// later are today's migrations and further ones, by name and text.
func later(t *testing.T, more ...[2]string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for engine := range maps.Keys(engines) {
		dir := "migrations/" + engine
		found, err := fs.ReadDir(migrationFiles, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			text, err := fs.ReadFile(migrationFiles, dir+"/"+f.Name())
			if err != nil {
				t.Fatal(err)
			}
			files[dir+"/"+f.Name()] = &fstest.MapFile{Data: text}
		}
		for i, m := range more {
			files[fmt.Sprintf("%s/%04d_%s.sql", dir, len(found)+1+i, m[0])] = &fstest.MapFile{Data: []byte(m[1])}
		}
	}
	return files
}

// earlier are the migrations up to one, which was the last once.
func earlier(t *testing.T, last int) fs.FS {
	t.Helper()
	files := later(t).(fstest.MapFS)
	maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool { return path.Base(name) >= fmt.Sprintf("%04d", last+1) })
	return files
}

// An upgrade goes node by node: the first new one adds to the schema, and the old
// ones go on, also those that are started anew meanwhile.
func TestOldNodesGoOnWithANewerSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		ctx := t.Context()
		old := newWorld(t, open(t, url))
		if _, err := old.office.AddCustomer(ctx, "before", nil); err != nil {
			t.Fatal(err)
		}
		newer := connect(t, url)
		newer.files = later(t,
			[2]string{"more", "ALTER TABLE customer ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'; CREATE TABLE paint (id BIGINT PRIMARY KEY)"},
			[2]string{"index", "CREATE INDEX customer_colour ON customer (colour)"})
		upgraded, err := newer.Migrate(ctx)
		if err != nil || upgraded != newest(t, old.db)+2 {
			t.Fatalf("the newer node made schema %d (%v)", upgraded, err)
		}
		if _, err := old.office.AddCustomer(ctx, "during", nil); err != nil {
			t.Errorf("the old node does not go on: %v", err)
		}
		again, err := Open(ctx, url)
		if err != nil {
			t.Fatalf("an old node does not start beside a newer one: %v", err)
		}
		defer again.Close()
		if got, err := again.Schema(ctx); err != nil || got != upgraded {
			t.Errorf("it found schema %d (%v), want %d, and not to touch it", got, err, upgraded)
		}
		if err := again.Fits(ctx); err != nil {
			t.Error(err)
		}
		w := newWorld(t, again)
		for _, name := range []string{"before", "during"} {
			if !w.has(t, name) {
				t.Errorf("the customer %q is gone", name)
			}
		}
		if checks, err := again.Inspect(ctx, func(string) {}); err != nil {
			t.Error(err)
		} else {
			for _, c := range checks {
				for _, wrong := range c.Wrong {
					t.Errorf("%s: %s", c.Subject, wrong)
				}
			}
		}
	})
}

// What takes something away says which schema every node must know: an older
// node does not start, and leaves the database alone.
func TestOldNodesRefuseWhatTookSomethingAway(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		ctx := t.Context()
		db := open(t, url)
		today := newest(t, db)
		newer := connect(t, url)
		newer.files = later(t,
			[2]string{"more", "CREATE TABLE paint (id BIGINT PRIMARY KEY)"},
			[2]string{fmt.Sprintf("less.after-%04d", today), "ALTER TABLE paint ADD COLUMN colour TEXT"})
		if _, err := newer.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		again, err := Open(ctx, url)
		if err != nil {
			t.Fatalf("a node that knows schema %d is refused: %v", today, err)
		}
		again.Close()

		newer.files = later(t,
			[2]string{"more", ""}, [2]string{fmt.Sprintf("less.after-%04d", today), ""},
			[2]string{fmt.Sprintf("least.after-%04d", today+1), "DROP TABLE paint"})
		if _, err := newer.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		before := schemaText(t, db)
		if again, err = Open(ctx, url); err == nil {
			again.Close()
			t.Fatal("a node that does not know what went away was let in")
		}
		if !strings.Contains(err.Error(), "run the newer version") {
			t.Errorf("got %v", err)
		}
		if !slices.Equal(before, schemaText(t, db)) {
			t.Error("it changed the schema")
		}
	})
}

// has reports whether there is a customer of that name.
func (w *world) has(t *testing.T, name string) bool {
	t.Helper()
	found := false
	err := each(t.Context(), w.db, func(r row) error {
		var id int64
		err := r.Scan(&id)
		found = true
		return err
	}, `SELECT id FROM customer WHERE name = $1`, name)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
