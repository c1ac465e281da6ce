package store

import (
	"os"
	"path/filepath"
	"testing"

	"bureau/internal/company"
)

// What is committed is moved into the file beside the writer: the log that a
// crash leaves to read stays short, and no commit has to move it.
func TestCommitsAreMovedBesideTheWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := open(t, path)
	e := db.engine.(*sqliteEngine)
	// The writer moves nothing itself in this test.
	if _, err := e.conn.ExecContext(t.Context(), "PRAGMA wal_autocheckpoint = 0"); err != nil {
		t.Fatal(err)
	}
	longest := int64(0)
	for range 20 {
		for range checkpointEvery {
			err := db.Write(t.Context(), func(company.View) (u company.Update, err error) {
				u.Changes = make([]company.Change, 20)
				for i := range u.Changes {
					u.Changes[i] = company.Change{Company: company.NewID("GB", string(rune('a'+i))), Field: company.FieldName}
				}
				return u, nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if left, err := e.moves.move(); err != nil || left != 0 {
			t.Fatalf("%d pages are left (%v)", left, err)
		}
		log, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, log.Size())
	}
	// A thousand commits of several pages each would be many times as much.
	if longest > 16<<20 {
		t.Errorf("the log grew to %d bytes", longest)
	}
}
