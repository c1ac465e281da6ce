package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/store/storetest"
)

// What a turn added is there after a crash: each database is killed in the
// middle of its work, and must hold at least what was acknowledged.

func TestTurnSurvivesTheDeathOfItsProcess(t *testing.T) {
	if path := os.Getenv("BUREAU_STORE_CHILD"); path != "" {
		db := open(t, path)
		for i := int64(1); ; i++ { // until we are killed
			addAttempt(t, db, i)
			fmt.Println("turn", i)
		}
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	acknowledged := int64(0)
	for range 3 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTurnSurvivesTheDeathOfItsProcess$")
		cmd.Env = append(os.Environ(), "BUREAU_STORE_CHILD="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines, n := bufio.NewScanner(out), 0
		for lines.Scan() {
			if _, ok := strings.CutPrefix(lines.Text(), "turn "); ok {
				acknowledged, n = acknowledged+1, n+1
			}
			if n == 40 {
				_ = cmd.Process.Kill() // and read what it still said
			}
		}
		_ = cmd.Wait()
		if n < 40 {
			t.Fatalf("the child took %d turns", n)
		}
		db := open(t, path)
		if held := attemptsIn(t, db); held < acknowledged {
			t.Errorf("%d turns were acknowledged, and %d are there", acknowledged, held)
		} else {
			acknowledged = held // one may have been on its way
		}
		var verdict string
		if err := db.QueryRow(t.Context(), `PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
			t.Errorf("the file is %s (%v)", verdict, err)
		}
		db.Close()
	}
}

// A killed process cannot show whether the disk was waited for; these settings
// say that it is.
func TestSQLiteWaitsForTheDisk(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "test.db"))
	for query, want := range map[string]string{
		"PRAGMA synchronous": "2", "PRAGMA journal_mode": "wal", "PRAGMA foreign_keys": "1",
	} {
		var got any
		err := db.write(t.Context(), func(w tx) error { return w.QueryRow(t.Context(), query).Scan(&got) })
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s is %v (%v), want %s", query, got, err, want)
		}
	}
}

func TestTurnSurvivesTheDeathOfTheServer(t *testing.T) {
	t.Parallel()
	s := storetest.PostgresServer(t)
	db := open(t, s.URL("postgres"))
	for i := range int64(20) {
		addAttempt(t, db, i)
	}
	s.Kill()
	err := db.Turn(t.Context(), auth.Seen{}, func(auth.News) (auth.Record, error) { return auth.Record{}, nil })
	if err == nil || !db.IsGone(err) {
		t.Errorf("with the server gone: %v (gone: %v)", err, db.IsGone(err))
	}
	s.Start()
	if n := attemptsIn(t, db); n != 20 {
		t.Errorf("%d turns are there, want 20", n)
	}
	addAttempt(t, db, 20) // the same handle goes on
}

func addAttempt(t *testing.T, db *DB, i int64) {
	t.Helper()
	err := db.Turn(t.Context(), auth.Seen{Attempts: 1 << 62}, func(auth.News) (auth.Record, error) {
		return auth.Record{Attempts: []auth.Attempt{{Source: uint64(i)}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func attemptsIn(t *testing.T, db *DB) int64 {
	t.Helper()
	n, err := db.News(context.WithoutCancel(t.Context()), auth.Seen{})
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(n.Attempts)) != n.Seen.Attempts {
		t.Errorf("%d attempts under the number %d", len(n.Attempts), n.Seen.Attempts)
	}
	return n.Seen.Attempts
}

// A path may hold anything that a file system allows.
func TestSQLitePathsMayHoldAnything(t *testing.T) {
	for i, name := range []string{"a b", "50%", "%41", "what?", "a#b", "å", "a&_pragma=x", "'", "file:x", strconv.Itoa(1)} {
		path := filepath.Join(t.TempDir(), name, name+".db")
		addAttempt(t, open(t, path), int64(i))
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", path, err)
		}
		if n := attemptsIn(t, open(t, path)); n != 1 {
			t.Errorf("%s: %d turns, want 1", path, n)
		}
	}
}
