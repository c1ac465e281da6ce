package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/auth"
)

func TestBackupGoesFromEachEngineToEach(t *testing.T) {
	for from, fresh := range engines {
		t.Run(from, func(t *testing.T) {
			t.Parallel()
			old := newWorld(t, open(t, fresh(t)))
			old.fill(t)
			want := old.rows(t)
			var b bytes.Buffer
			heard := map[string]int64{}
			made, err := old.db.Backup(t.Context(), &b, func(table string, rows int64) { heard[table] = rows })
			if err != nil {
				t.Fatal(err)
			}
			if made.Tables != len(heard) || made.Tables < 12 || made.Rows < 2500 || heard["audit"] < 2500 || made.Schema != newest(t, old.db) {
				t.Errorf("got %+v and heard of %v", made, heard)
			}
			for to, fresh := range engines {
				t.Run("to "+to, func(t *testing.T) {
					db := connect(t, fresh(t))
					told := map[string]int64{}
					s, err := Restore(t.Context(), db, bytes.NewReader(b.Bytes()), func(table string, rows int64) { told[table] = rows })
					if err != nil {
						t.Fatal(err)
					}
					if s != made {
						t.Errorf("restored %+v, want %+v", s, made)
					}
					if d := cmp.Diff(heard, told); d != "" {
						t.Errorf("heard other progress (-backup +restore):\n%s", d)
					}
					got := world{db: db}.rows(t)
					if len(got) != len(want) {
						t.Errorf("%d rows, want %d", len(got), len(want))
					}
					for i := range min(len(got), len(want)) {
						if got[i] != want[i] {
							t.Fatalf("got  %.300s\nwant %.300s", got[i], want[i])
						}
					}
					verify(t, db, old.vault)
					if a, z := unpacked(t, b.Bytes()), unpacked(t, backup(t, db)); strings.Join(a[1:len(a)-1], "\n") != strings.Join(z[1:len(z)-1], "\n") {
						t.Error("a backup of the same data differs in more than its first line")
					}
					// Life goes on.
					next := newWorld(t, db)
					if _, err := next.office.AddCustomer(t.Context(), "New", nil); err != nil {
						t.Error(err)
					}
					verify(t, db, old.vault)
				})
			}
		})
	}
}

// A writer adds to the audit log and to the attempts while backups are made:
// each of them shows one moment.
func TestBackupIsOfOneMoment(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		w := newWorld(t, open(t, url))
		w.fill(t) // so that a backup takes a while
		var stop atomic.Bool
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			one := auth.Record{Attempts: []auth.Attempt{{Source: 1}}}
			for i := 0; !stop.Load(); i++ {
				if _, err := w.office.AddCustomer(t.Context(), fmt.Sprint("customer ", i), nil); err != nil {
					t.Error(err)
				}
				if err := w.db.Turn(t.Context(), auth.Seen{}, func(auth.News) (auth.Record, error) { return one, nil }); err != nil {
					t.Error(err)
				}
			}
		}()
		defer func() {
			stop.Store(true)
			<-stopped
		}()
		var last int64
		for range 4 {
			b := backup(t, w.db)
			db := connect(t, filepath.Join(t.TempDir(), "copy.db"))
			if _, err := Restore(t.Context(), db, bytes.NewReader(b), nil); err != nil {
				t.Fatal(err)
			}
			verify(t, db, w.vault)
			var head, audit, attempts, made, access, changed int64
			err := db.QueryRow(t.Context(), `
				SELECT audit_number, (SELECT MAX(number) FROM audit),
				       attempts, (SELECT COALESCE(MAX(number), 0) FROM login_attempts),
				       access, (SELECT MAX(access) FROM (SELECT access FROM customer UNION SELECT access FROM account UNION SELECT access FROM signing_key))
				FROM record`).Scan(&head, &audit, &attempts, &made, &access, &changed)
			if err != nil || head != audit || attempts != made || access != changed {
				t.Errorf("audit %d ends at %d, attempts %d at %d, access %d at %d (%v)", head, audit, attempts, made, access, changed, err)
			}
			if audit <= last {
				t.Errorf("nothing was written between two backups: the log ends at %d", audit)
			}
			last = audit
		}
	})
}

func TestBackupOfNothingIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		_, err := connect(t, url).Backup(t.Context(), &bytes.Buffer{}, nil)
		if err == nil || err.Error() != "back up: the database is empty" {
			t.Errorf("got %v", err)
		}
	})
}

func TestBackupRefusesWhatItCannotHold(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := connect(t, url)
		for _, it := range []struct{ make, drop, want string }{
			{"CREATE TABLE a (n DOUBLE PRECISION PRIMARY KEY)", "DROP TABLE a", "column n of table a is of the type double precision, which a backup cannot hold"},
			{"CREATE TABLE a (n BIGINT)", "DROP TABLE a", "table a has no primary key, so its rows have no order"},
			{"CREATE TABLE a (n BIGINT PRIMARY KEY REFERENCES a (n))", "DROP TABLE a", "read the schema: some tables refer to each other, or one to itself, and cannot be restored"},
		} {
			db.files = withMigrations(it.make, it.drop)
			run := func(text string) {
				err := db.write(t.Context(), func(w tx) error {
					_, err := w.Exec(t.Context(), text)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			run(`CREATE TABLE IF NOT EXISTS schema_version (number BIGINT PRIMARY KEY, name TEXT NOT NULL)`)
			run(it.make)
			if _, err := db.Backup(t.Context(), &bytes.Buffer{}, nil); err == nil || err.Error() != "back up: "+it.want {
				t.Errorf("got %v, want %s", err, it.want)
			}
			run(it.drop)
		}
	})
}

func TestBackupFile(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "test.db"))
	dir := t.TempDir()
	path := filepath.Join(dir, "today.backup")
	names := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if _, err := BackupFile(t.Context(), db, path, false, nil); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v (%v), want 0600", info.Mode(), err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), connect(t, filepath.Join(t.TempDir(), "copy.db")), bytes.NewReader(before), nil); err != nil {
		t.Error(err)
	}

	_, err = BackupFile(t.Context(), db, path, false, nil)
	if err == nil || !strings.Contains(err.Error(), "there is a file of this name already; it was not touched") {
		t.Errorf("got %v, want a refusal", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := BackupFile(ctx, db, path, true, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it cancelled", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the first backup was changed (%v)", err)
	}
	if _, err := BackupFile(t.Context(), db, path, true, nil); err != nil {
		t.Error(err)
	}
	if _, err := BackupFile(t.Context(), db, filepath.Join(dir, "nowhere", "x"), false, nil); err == nil {
		t.Error("a backup was written to a folder that is not there")
	}
	if got := names(); len(got) != 1 {
		t.Errorf("the folder holds %v, want one backup", got)
	}
	// Someone makes the file at the last moment.
	other := filepath.Join(dir, "other.backup")
	_, err = BackupFile(t.Context(), db, other, false, func(string, int64) { os.WriteFile(other, []byte("mine"), 0o600) })
	if text, _ := os.ReadFile(other); err == nil || string(text) != "mine" {
		t.Errorf("a file was written over (%v)", err)
	}
}

// Whatever a row holds, it comes back the same, and is written the same.
func TestRowsComeBack(t *testing.T) {
	cell := rapid.OneOf(
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return append([]byte{}, b...) }),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return string(b) }),
		rapid.Just[any](nil),
	)
	rapid.Check(t, func(r *rapid.T) {
		given := rapid.SliceOfN(cell, 1, 8).Draw(r, "row")
		var row []value
		for _, v := range given {
			row = append(row, value{v})
		}
		line, err := appendRow(nil, row)
		if err != nil || bytes.Count(line, []byte("\n")) != 1 {
			r.Fatalf("wrote %q (%v)", line, err)
		}
		got, err := readRow(line)
		if err != nil {
			r.Fatalf("%s: %v", line, err)
		}
		if d := cmp.Diff(given, got); d != "" {
			r.Errorf("%s came back (-want +got):\n%s", line, d)
		}
		var all []any
		if err := json.Unmarshal(line, &all); err != nil || len(all) != len(given) {
			r.Errorf("%s is not JSON (%v)", line, err)
		}
		// Half a row is none, and does not panic.
		half := line[:rapid.IntRange(0, len(line)-1).Draw(r, "cut")]
		if _, err := readRow(half); err == nil {
			r.Errorf("%s was read", half)
		}
	})
}

func FuzzReadRow(f *testing.F) {
	f.Add([]byte("[1,null,\"a\\\"\",{\"x\":\"AA==\"},{\"t\":\"/w==\"}]\n"))
	f.Add([]byte("[\"\\"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if row, err := readRow(line); err == nil && len(row) == 0 {
			t.Errorf("%q is a row of nothing", line)
		}
	})
}
