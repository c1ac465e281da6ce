package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
)

// aBackup is a small one of a real world.
func aBackup(t *testing.T) []byte {
	t.Helper()
	w := newWorld(t, open(t, filepath.Join(t.TempDir(), "source.db")))
	for i := range 5 {
		if _, err := w.office.AddCustomer(t.Context(), fmt.Sprint("customer ", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	return backup(t, w.db)
}

func TestRestoreRefusesABadBackup(t *testing.T) {
	good := aBackup(t)
	lines := unpacked(t, good)
	header := lines[0]
	at := func(part string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, part) })
	}
	change := func(i int, from, to string) []byte {
		if !strings.Contains(lines[i], from) {
			t.Fatalf("line %d has no %q", i, from)
		}
		l := slices.Clone(lines)
		l[i] = strings.Replace(l[i], from, to, 1)
		return packed(t, l)
	}
	const damaged = "the backup is damaged: it is not as it was written"
	const tooMuch = "the backup does not end where it should: something was put behind it"
	const cutOff = "the backup is cut off: the end of the file is missing"
	cases := []struct {
		what   string
		backup []byte
		want   string
	}{
		{"nothing", nil, "this is not a backup of Bureau"},
		{"something else", []byte("PK\x03\x04 a picture of a cat"), "this is not a backup of Bureau"},
		{"something else, compressed", packed(t, []string{"a poem"}), "this is not a backup of Bureau"},
		{"nothing, compressed", packed(t, nil), cutOff},
		{"a newer schema", change(0, `"schema":`, `"schema":9`), "which a newer Bureau made"},
		{"a newer format", change(0, `"number":1`, `"number":2`), "the backup has format 2, which a newer Bureau made; this one reads 1: restore it with the newer version"},
		{"no schema", change(0, `"schema":`, `"schema":-`), damaged},
		{"the last line missing", packed(t, lines[:len(lines)-1]), cutOff},
		{"the last table missing", packed(t, lines[:at(`{"table":"usage"`)]), cutOff},
		{"only a header", packed(t, []string{header}), cutOff},
		{"a changed value", change(at("customer 3"), "customer 3", "customer 8"), damaged},
		{"a changed header", change(0, `"made":"2`, `"made":"3`), damaged},
		{"a missing row", packed(t, slices.Delete(slices.Clone(lines), at("customer 3"), at("customer 3")+1)), damaged},
		{"a row twice", packed(t, slices.Insert(slices.Clone(lines), at("customer 3"), lines[at("customer 3")])), damaged},
		{"a row that is no JSON", change(at("customer 3"), "[", "[,"), damaged},
		{"a table with another name", change(at(`{"table":"customer"`), "customer", "custom"), damaged},
		{"a line of nonsense", packed(t, slices.Insert(slices.Clone(lines), 1, "nonsense")), damaged},
		{"an empty line", packed(t, slices.Insert(slices.Clone(lines), 1, "")), damaged},
		{"lines after the end", packed(t, append(slices.Clone(lines), header)), damaged},
		{"a byte after the end", append(slices.Clone(good), '\n'), tooMuch},
		{"bytes after the end", append(slices.Clone(good), "and then some"...), tooMuch},
		{"two backups in one", append(slices.Clone(good), good...), tooMuch},
		{"its last byte missing", good[:len(good)-1], cutOff},
	}
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		for _, it := range cases {
			_, err := Restore(t.Context(), db, bytes.NewReader(it.backup), nil)
			if err == nil || !strings.Contains(err.Error(), it.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want %q", it.what, err, it.want)
			}
			if got := schemaText(t, db); len(got) > 0 {
				t.Fatalf("%s: it left behind %v", it.what, got)
			}
		}
		if _, err := Restore(t.Context(), db, bytes.NewReader(good), nil); err != nil {
			t.Errorf("after all that a good one: %v", err)
		}
	})
}

// Every kind of damage that a disk or a line can do. A few bits of a gzip file
// mean nothing, and may change.
func TestRestoreNoticesEveryDamage(t *testing.T) {
	t.Parallel()
	good := aBackup(t)
	db := connect(t, filepath.Join(t.TempDir(), "test.db"))
	want := strings.Join(unpacked(t, good), "\n") + "\n"
	try := func(what string, bad []byte) {
		t.Helper()
		if z, err := gzip.NewReader(bytes.NewReader(bad)); err == nil {
			if text, err := io.ReadAll(z); err == nil && string(text) == want {
				return
			}
		}
		_, err := Restore(t.Context(), db, bytes.NewReader(bad), nil)
		if !errors.Is(err, errDamaged) && !errors.Is(err, errTooMuch) && !errors.Is(err, errCutOff) && !errors.Is(err, errNoBackup) {
			t.Errorf("%s: got %v", what, err)
		}
		if got := schemaText(t, db); len(got) > 0 {
			t.Fatalf("%s: it left behind %v", what, got)
		}
	}
	n := len(good)
	for i := range 60 {
		cut := i * n / 60
		try(fmt.Sprintf("cut off at %d of %d", cut, n), good[:cut])
	}
	for i := 1; i < 10; i++ {
		try(fmt.Sprintf("cut off %d before the end", i), good[:n-i])
	}
	for i := range 150 {
		at := i * n / 150
		bad := slices.Clone(good)
		bad[at] ^= 1 << (i % 8)
		try(fmt.Sprintf("bit %d of byte %d of %d", i%8, at, n), bad)
	}
	for i := range 8 {
		bad := slices.Clone(good)
		bad[n-1-i] ^= 0x10
		try(fmt.Sprintf("byte %d before the end", i+1), bad)
	}
}

func TestRestoreNeedsAnEmptyDatabase(t *testing.T) {
	good := aBackup(t)
	onBoth(t, func(t *testing.T, url string) {
		w := newWorld(t, open(t, url))
		w.fill(t)
		before := w.rows(t)
		_, err := Restore(t.Context(), w.db, bytes.NewReader(good), nil)
		if err == nil || err.Error() != "the database is not empty (it has a table audit): restore into a new one" {
			t.Errorf("got %v, want a refusal", err)
		}
		if after := w.rows(t); !slices.Equal(before, after) {
			t.Error("the database was changed")
		}
	})
}

func TestRestoreFromAnOlderBureau(t *testing.T) {
	first := `
		CREATE TABLE one (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
		CREATE TABLE two (id BIGINT PRIMARY KEY, one BIGINT REFERENCES one (id));
		INSERT INTO one (id, name) VALUES (1, 'at the start')`
	next := `
		ALTER TABLE one ADD COLUMN length BIGINT NOT NULL DEFAULT 0;
		UPDATE one SET length = length(name);`
	old := connect(t, filepath.Join(t.TempDir(), "old.db"))
	old.files = withMigrations(first)
	if _, err := old.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := old.write(t.Context(), func(w tx) error {
		_, err := w.Exec(t.Context(), `
			UPDATE one SET name = 'changed' WHERE id = 1;
			INSERT INTO one (id, name) VALUES (2, 'at the start');
			INSERT INTO two (id, one) VALUES (7, 2), (8, NULL)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	b := backup(t, old)
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		db.files = withMigrations(first, next)
		s, err := Restore(t.Context(), db, bytes.NewReader(b), nil)
		if err != nil || s.Schema != 1 {
			t.Fatalf("restored %+v (%v)", s, err)
		}
		if n, err := db.Schema(t.Context()); err != nil || n != 2 {
			t.Errorf("got schema %d (%v), want 2", n, err)
		}
		var got []string
		err = each(t.Context(), db, func(r row) error {
			var name string
			var id, length int64
			err := r.Scan(&id, &name, &length)
			got = append(got, fmt.Sprint(id, name, length))
			return err
		}, `SELECT id, name, length FROM one ORDER BY id`)
		if d := cmp.Diff([]string{"1changed7", "2at the start12"}, got); d != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	})
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		db.files = withMigrations(first, "a migration that fails")
		if _, err := Restore(t.Context(), db, bytes.NewReader(b), nil); err == nil {
			t.Error("a migration that fails was passed over")
		}
		if got := schemaText(t, db); len(got) > 0 {
			t.Errorf("it left behind %v", got)
		}
	})
}

// A database that keeps something else than it was given is found out.
func TestRestoreReadsBackWhatItWrote(t *testing.T) {
	for _, it := range []struct{ what, does, want string }{
		{"changes a row", "UPDATE one SET name = 'spoilt' WHERE id = 2", "2 rows of 2"},
		{"loses a row", "DELETE FROM one WHERE id = 2", "1 rows of 2"},
	} {
		files := withMigrations(`
			CREATE TABLE one (id BIGINT PRIMARY KEY, name TEXT);
			INSERT INTO one (id, name) VALUES (1, 'a'), (2, 'b');
			CREATE TRIGGER spoil AFTER INSERT ON one BEGIN ` + it.does + `; END`)
		old := connect(t, filepath.Join(t.TempDir(), "old.db"))
		old.files = files
		if _, err := old.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		db := connect(t, filepath.Join(t.TempDir(), "test.db"))
		db.files = files
		_, err := Restore(t.Context(), db, bytes.NewReader(backup(t, old)), nil)
		if err == nil || err.Error() != "table one did not come out as the backup has it ("+it.want+")" {
			t.Errorf("one that %s: got %v", it.what, err)
		}
		if got := schemaText(t, db); len(got) > 0 {
			t.Errorf("it left behind %v", got)
		}
	}
}

// SQLite keeps text that is not UTF-8, and PostgreSQL does not.
func TestTextThatIsNoText(t *testing.T) {
	old := open(t, filepath.Join(t.TempDir(), "old.db"))
	err := old.Turn(t.Context(), auth.Seen{}, func(auth.News) (auth.Record, error) {
		return auth.Record{Customers: []auth.Customer{{ID: 1, Name: "a\xffb\x00c"}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b := backup(t, old)
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		_, err := Restore(t.Context(), db, bytes.NewReader(b), nil)
		if db.Engine() == "postgres" {
			if err == nil || !strings.Contains(err.Error(), "write table customer") || len(schemaText(t, db)) > 0 {
				t.Errorf("got %v, want the table named and nothing written", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		n, err := db.News(t.Context(), auth.Seen{})
		if err != nil || n.Customers[0].Name != "a\xffb\x00c" {
			t.Errorf("got %q (%v)", n.Customers[0].Name, err)
		}
	})
}

func TestRestoreCanBeCancelled(t *testing.T) {
	good := aBackup(t)
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := Restore(ctx, db, bytes.NewReader(good), func(string, int64) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want it cancelled", err)
		}
		if got := schemaText(t, db); len(got) > 0 {
			t.Errorf("it left behind %v", got)
		}
	})
}

// A disk that fails is not called a damaged backup.
func TestRestoreTellsWhenTheFileCannotBeRead(t *testing.T) {
	good := aBackup(t)
	db := connect(t, filepath.Join(t.TempDir(), "test.db"))
	failing := io.MultiReader(bytes.NewReader(good[:len(good)/2]), errReader{})
	_, err := Restore(t.Context(), db, failing, nil)
	if err == nil || err.Error() != "read the backup: the disk is on fire" {
		t.Errorf("got %v", err)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("the disk is on fire") }
