package auth_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"bureau/internal/auth"
)

// A slowStore has whoever takes a turn wait for it.
type slowStore struct {
	auth.Store
	waits, may chan struct{} // nil: nobody waits
	turns      int
	kept       int // parcels
}

func (s *slowStore) Turn(ctx context.Context, seen auth.Seen, act func(auth.News) (auth.Record, error)) error {
	s.await()
	return s.Store.Turn(ctx, seen, act)
}

// Carry keeps nothing of what it is handed, but for those that it refuses.
func (s *slowStore) Carry(ctx context.Context, seen auth.Seen, loads []auth.Load, act func(auth.News) (auth.Record, error)) error {
	s.await()
	for _, l := range loads {
		if l.Parcel.(parcel).wrong {
			return auth.Unkept{Err: errBroken}
		}
	}
	s.kept += len(loads)
	return s.Store.Turn(ctx, seen, act)
}

func (s *slowStore) await() {
	if s.waits != nil {
		s.turns++
		s.waits <- struct{}{}
		<-s.may
	}
}

func slowHouse(t *testing.T) (*house, *slowStore) {
	var slow *slowStore
	h := newHouse(t, newClock(), plan{store: func(s auth.Store) auth.Store {
		slow = &slowStore{Store: s}
		return slow
	}})
	slow.waits, slow.may = make(chan struct{}), make(chan struct{})
	return h, slow
}

// A parcel is one that nobody opens.
type parcel struct{ wrong bool }

func (p parcel) Entry() auth.Entry { return auth.Entry{Action: auth.Screened} }

// What comes while a node waits for its turn is written in that turn.
func TestWhoComesWhileATurnIsAwaitedGoesAlong(t *testing.T) {
	h, slow := slowHouse(t)
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

// What carries something is written before its turn has come: who comes later with
// more is held over to the next turn, who comes with nothing goes along, and one that
// cannot be kept is refused by itself.
func TestParcelsThatComeLateAreHeldOver(t *testing.T) {
	h, slow := slowHouse(t)
	const many = 20
	done, refused := make(chan error, 2*many), make(chan error, 1)
	carry := func(p parcel, to chan error) {
		to <- h.gate.CountParcel(t.Context(), auth.Caller{Customer: 1, Account: 1}, auth.KYC, p)
	}
	go carry(parcel{}, done)
	<-slow.waits
	for range many - 1 {
		go carry(parcel{}, done)
		go func() { done <- h.journal.Write(t.Context(), auth.Entry{Action: auth.CallDenied}) }()
	}
	go carry(parcel{wrong: true}, refused)
	for h.journal.Waiting() < 2*many-1 {
		time.Sleep(time.Millisecond) // between two looks
	}
	slow.may <- struct{}{}
	for range many { // the first turn: one parcel, and all that carry nothing
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if slow.kept != 1 {
		t.Errorf("the first turn kept %d parcels, want one", slow.kept)
	}
	close(slow.may)
	for told := 0; told < many; {
		select {
		case err := <-done:
			if told++; err != nil {
				t.Fatal(err)
			}
		case err := <-refused:
			if told++; !errors.Is(err, errBroken) {
				t.Errorf("what cannot be kept is told %v", err)
			}
		case <-slow.waits:
		}
	}
	if slow.kept != many {
		t.Errorf("%d parcels were kept, want %d", slow.kept, many)
	}
	slow.waits = nil
}
