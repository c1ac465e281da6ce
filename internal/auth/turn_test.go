package auth_test

import (
	"context"
	"testing"
	"time"

	"bureau/internal/auth"
)

// A slowStore has whoever takes a turn wait for it.
type slowStore struct {
	auth.Store
	waits, may chan struct{} // nil: nobody waits
	turns      int
}

func (s *slowStore) Turn(ctx context.Context, seen auth.Seen, act func(auth.News) (auth.Record, error)) error {
	if s.waits != nil {
		s.turns++
		s.waits <- struct{}{}
		<-s.may
	}
	return s.Store.Turn(ctx, seen, act)
}

// What comes while a node waits for its turn is written in that turn.
func TestWhoComesWhileATurnIsAwaitedGoesAlong(t *testing.T) {
	var slow *slowStore
	h := newHouse(t, newClock(), plan{store: func(s auth.Store) auth.Store {
		slow = &slowStore{Store: s}
		return slow
	}})
	slow.waits, slow.may = make(chan struct{}), make(chan struct{})
	const many = 50
	done := make(chan error, many)
	write := func() { done <- h.journal.Write(t.Context(), auth.Entry{Action: auth.CallDenied}) }
	go write()
	<-slow.waits
	for range many - 1 {
		go write()
	}
	for h.journal.Waiting() < many-1 {
		time.Sleep(time.Millisecond) // between two looks
	}
	close(slow.may)
	for range many {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-slow.waits:
		}
	}
	if slow.turns != 1 {
		t.Errorf("%d turns were taken, want one", slow.turns)
	}
	slow.waits = nil
}
