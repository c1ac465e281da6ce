package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// A sharedWorld has writers that wait for each other.
type sharedWorld struct {
	*testing.T
	db *DB
	e  *sqliteEngine
}

func newSharedWorld(t *testing.T) sharedWorld {
	db := open(t, filepath.Join(t.TempDir(), "test.db"))
	return sharedWorld{t, db, db.engine.(*sqliteEngine)}
}

// note writes a row whose number may be there once.
func note(t tx, n int) error {
	return t.Bulk(context.Background(), "login_attempts", []string{"number", "at", "attempts"}, 1, func(int) []any {
		return []any{int64(n), int64(0), []byte{}}
	})
}

// noted are the rows that are there for everybody.
func (w sharedWorld) noted() (out []int64) {
	w.Helper()
	err := each(w.Context(), w.db, func(r row) error {
		var n int64
		err := r.Scan(&n)
		out = append(out, n)
		return err
	}, `SELECT number FROM login_attempts ORDER BY number`)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// together lets several share once all of them wait for a writer that is at work,
// and returns their errors and how many commits they took.
func (w sharedWorld) together(all ...func(tx) error) (errs []error, commits int) {
	w.Helper()
	errs = make([]error, len(all))
	var wg sync.WaitGroup
	err := w.db.write(w.Context(), func(tx) error {
		commits = w.e.moves.since
		for i, f := range all {
			wg.Go(func() {
				defer func() {
					if r := recover(); r != nil {
						errs[i] = fmt.Errorf("panic: %v", r)
					}
				}()
				errs[i] = w.e.writeShared(w.Context(), f)
			})
		}
		for w.e.coming.Load() < int64(len(all)) {
			runtime.Gosched()
		}
		return nil
	})
	if err != nil {
		w.Fatal(err)
	}
	wg.Wait()
	w.e.mu.Lock()
	defer w.e.mu.Unlock()
	return errs, w.e.moves.since - commits - 1 // the first was the other writer's
}

// Those who come at the same time share a commit, and whoever fails takes nothing
// of the others along.
func TestSmallWritesShareACommit(t *testing.T) {
	w := newSharedWorld(t)
	refused := errors.New("refused")
	var all []func(tx) error
	for i := range 12 {
		all = append(all, func(t tx) error {
			if err := note(t, i); err != nil {
				return err
			}
			switch i % 4 {
			case 1:
				return refused
			case 2:
				panic("lost")
			case 3:
				return note(t, i) // it is there already
			}
			return nil
		})
	}
	errs, commits := w.together(all...)
	for i, err := range errs {
		if kept := i%4 == 0; kept != (err == nil) {
			t.Errorf("writer %d: %v", i, err)
		}
	}
	if got := w.noted(); !slices.Equal(got, []int64{0, 4, 8}) {
		t.Errorf("there are %v", got)
	}
	// A writer that fails at the end of a transaction lets the next open another.
	if commits > 3 {
		t.Errorf("three writers took %d commits", commits)
	}

	all = nil
	for i := range maxSharing + 10 {
		all = append(all, func(t tx) error { return note(t, 100+i) })
	}
	errs, commits = w.together(all...)
	if err := errors.Join(errs...); err != nil || commits != 2 || len(w.noted()) != 3+len(all) {
		t.Errorf("%d writers took %d commits (%v), want 2", len(all), commits, err)
	}
}

// Nobody is told that something is kept before it is, and a transaction that is
// lost as a whole is lost for all who share it.
func TestASharedTransactionIsLostForAll(t *testing.T) {
	w := newSharedWorld(t)
	var all []func(tx) error
	for i := range 3 {
		all = append(all, func(t tx) error {
			if got := w.noted(); len(got) > 0 {
				w.Errorf("%v can be seen before the commit", got)
			}
			if err := note(t, i); err != nil || w.e.open == nil || w.e.open.members < 2 {
				return err
			}
			w.e.rollback() // as SQLite does when the disk is full
			return errors.New("the disk is full")
		})
	}
	errs, _ := w.together(all...)
	for i, err := range errs {
		if err == nil {
			t.Errorf("writer %d was told that it is kept", i)
		}
	}
	if got := w.noted(); len(got) != 0 {
		t.Errorf("there are %v", got)
	}
	if err := w.e.writeShared(t.Context(), func(t tx) error { return note(t, 9) }); err != nil || !slices.Equal(w.noted(), []int64{9}) {
		t.Errorf("afterwards: %v, %v", w.noted(), err)
	}
}

// Who shares does not wait for a long transaction that comes behind it, and one
// that nobody waits for any more writes nothing.
func TestALongWriteComesBehindThoseWhoShare(t *testing.T) {
	w := newSharedWorld(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.e.writeShared(gone, func(t tx) error { return note(t, 1) }); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that is gone: %v", err)
	}
	shared := make(chan error, 1)
	w.e.coming.Add(1) // somebody is on the way, so the first leaves its transaction open
	go func() { shared <- w.e.writeShared(t.Context(), func(t tx) error { return note(t, 2) }) }()
	for open := false; !open; runtime.Gosched() {
		w.e.mu.Lock()
		open = w.e.open != nil
		w.e.mu.Unlock()
	}
	err := w.db.write(t.Context(), func(tx) error { return <-shared })
	if err != nil || !slices.Equal(w.noted(), []int64{2}) {
		t.Errorf("behind one who shares: %v, %v", w.noted(), err)
	}
	w.e.coming.Add(-1)
}
