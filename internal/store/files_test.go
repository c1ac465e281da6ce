package store

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"bureau/internal/job"
)

func pieces(t *testing.T, db *DB) (n int) {
	t.Helper()
	if err := db.QueryRow(t.Context(), `SELECT COUNT(*) FROM file_chunk`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// However a file ends, none of its pieces stays where nobody can see it.
func TestNoPieceOfAFileIsLeftBehind(t *testing.T) {
	long := strings.Repeat("x", 3*fileChunk)
	add := func(t *testing.T, db *DB) job.FileID {
		t.Helper()
		id, _, err := db.AddFile(t.Context(), strings.NewReader(long))
		if err != nil || pieces(t, db) != 3 {
			t.Fatalf("%d pieces were kept (%v)", pieces(t, db), err)
		}
		return id
	}
	claim := func(t *testing.T, db *DB) job.Task {
		t.Helper()
		if _, err := db.AddTask(t.Context(), job.Task{Kind: "import", File: add(t, db)}); err != nil {
			t.Fatal(err)
		}
		k, _, err := db.ClaimTask(t.Context(), []string{"import"}, "a", time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	for name, end := range map[string]func(t *testing.T, db *DB) error{
		"broken off": func(t *testing.T, db *DB) error {
			_, _, err := db.AddFile(t.Context(), io.MultiReader(strings.NewReader(long), iotest.ErrReader(io.ErrClosedPipe)))
			if !errors.Is(err, io.ErrClosedPipe) {
				return err
			}
			return nil
		},
		"dropped":  func(t *testing.T, db *DB) error { return db.DropFile(t.Context(), add(t, db)) },
		"finished": func(t *testing.T, db *DB) error { return db.FinishTask(t.Context(), claim(t, db)) },
		"failed":   func(t *testing.T, db *DB) error { return db.FailTask(t.Context(), claim(t, db)) },
		"forgotten": func(t *testing.T, db *DB) error {
			add(t, db)
			return db.ForgetTasks(t.Context(), time.Now().Add(time.Hour))
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBoth(t, func(t *testing.T, url string) {
				db := open(t, url)
				if err := end(t, db); err != nil || pieces(t, db) != 0 {
					t.Errorf("%d pieces are left (%v)", pieces(t, db), err)
				}
			})
		})
	}
}

// A file that has lost a piece does not pass for a shorter one.
func TestFileThatLacksAPieceIsNotWhole(t *testing.T) {
	for _, lost := range []int{0, 1, 2} {
		onBoth(t, func(t *testing.T, url string) {
			db := open(t, url)
			id, _, err := db.AddFile(t.Context(), strings.NewReader(strings.Repeat("x", 2*fileChunk+5)))
			if err != nil {
				t.Fatal(err)
			}
			err = db.write(t.Context(), func(w tx) error {
				_, err := w.Exec(t.Context(), `DELETE FROM file_chunk WHERE start = $1`, lost*fileChunk)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(db.OpenFile(t.Context(), id, 0))
			if err == nil || len(b) != lost*fileChunk {
				t.Errorf("%d bytes were read (%v), want those before the lost piece and an error", len(b), err)
			}
		})
	}
}
