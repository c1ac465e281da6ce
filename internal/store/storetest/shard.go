package storetest

import (
	"io"
	"slices"
	"testing"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// shards are the promises of job.Store about leases that several nodes share,
// and about owners that are no more.
var shards = []promise{
	{"one node alone gets all shares", shareAlone},
	{"two nodes come to hold half of the shares each, and every share is held once", shareHalves},
	{"a node that stays away loses its shares when their life is over, and none sooner", shareWaits},
	{"shares taken over have a higher fence, and the last holder saves nothing", shareFenced},
	{"the places of shards are found by the reader's name", sharePlaces},
	{"what a process held is free as soon as it is gone, with a higher fence", leaseOfTheGone},
	{"an owner that another handle still speaks for is not gone", ownerSpokenFor},
	{"a node that is gone counts for no share", shareOfTheGone},
}

func takeShare(t tb, s job.Store, owner string, life time.Duration) []job.Lease {
	t.Helper()
	held, err := s.Share(t.Context(), "work", 8, owner, life)
	noError(t, err)
	return held
}

func leaseNames(list []job.Lease) (out []string) {
	for _, l := range list {
		out = append(out, l.Name)
	}
	return out
}

func shareAlone(t *testing.T, s nodes) {
	first := takeShare(t, s, "a", time.Hour)
	want := []string{"work/0", "work/1", "work/2", "work/3", "work/4", "work/5", "work/6", "work/7"}
	if got := leaseNames(first); !slices.Equal(got, want) {
		t.Errorf("got %v, want all, in order", got)
	}
	again := takeShare(t, s, "a", time.Hour)
	for i := range again {
		if again[i].Fence != first[i].Fence {
			t.Errorf("%s has the fence %d, and had %d", again[i].Name, again[i].Fence, first[i].Fence)
		}
	}
}

func shareHalves(t *testing.T, s nodes) {
	takeShare(t, s, "a", time.Hour)
	if got := takeShare(t, s.other, "b", time.Hour); len(got) != 0 {
		t.Errorf("b got %v while a holds all", leaseNames(got))
	}
	a := takeShare(t, s, "a", time.Hour) // and gives back
	b := takeShare(t, s.other, "b", time.Hour)
	both := slices.Sorted(slices.Values(append(leaseNames(a), leaseNames(b)...)))
	if len(a) != 4 || len(b) != 4 || len(slices.Compact(both)) != 8 {
		t.Errorf("a holds %v, b holds %v", leaseNames(a), leaseNames(b))
	}
}

func shareWaits(t *testing.T, s nodes) {
	takeShare(t, s, "a", time.Hour)
	if got := takeShare(t, s.other, "b", 0); len(got) != 0 {
		t.Errorf("b got %v while a holds all", leaseNames(got))
	}
	takeShare(t, s, "a", 0) // all that a has ends at once
	if got := takeShare(t, s.other, "b", time.Hour); len(got) != 8 {
		t.Errorf("b got %v after a's leases ended", leaseNames(got))
	}
}

func shareFenced(t *testing.T, s nodes) {
	a := takeShare(t, s, "a", 0)
	b := takeShare(t, s.other, "b", time.Hour)
	for i := range a {
		if b[i].Fence <= a[i].Fence {
			t.Errorf("%s has the fence %d after %d", b[i].Name, b[i].Fence, a[i].Fence)
		}
		wantKind(t, s.SavePlace(t.Context(), job.Place{Name: a[i].Name, Number: 9, Fence: a[i].Fence}), fault.Conflict)
	}
}

func sharePlaces(t *testing.T, s nodes) {
	for _, l := range takeShare(t, s, "a", time.Hour)[:2] {
		noError(t, s.SavePlace(t.Context(), job.Place{Name: l.Name, Number: 7, Fence: l.Fence}))
	}
	for _, name := range []string{"work", "work0", "worker/0"} {
		noError(t, s.SavePlace(t.Context(), job.Place{Name: name, Number: 1}))
	}
	got, err := s.other.Places(t.Context(), "work")
	noError(t, err)
	if len(got) != 2 || got["work/0"] != 7 || got["work/1"] != 7 {
		t.Errorf("got %v", got)
	}
}

// hangUp closes a handle, as the end of its process does.
func hangUp(t *testing.T, s Store) {
	t.Helper()
	_ = s.(io.Closer).Close() // its owner closes it again
}

// soon asks until the answer is yes: a server learns a moment later that a
// connection was closed.
func soon(ask func() bool) bool {
	for range 2000 {
		if ask() {
			return true
		}
	}
	return false
}

func leaseOfTheGone(t *testing.T, s nodes) {
	a, _ := take(t, s.other, "work", "a", time.Hour)
	shared := takeShare(t, s.other, "a", time.Hour)
	if _, ok := take(t, s, "work", "b", time.Hour); ok {
		t.Error("b took the lease of one who is there")
	}
	hangUp(t, s.other)
	var b job.Lease
	ok := soon(func() (ok bool) {
		b, ok = take(t, s, "work", "b", time.Hour)
		return ok
	})
	if !ok || b.Fence <= a.Fence {
		t.Errorf("b took %+v (%v), a had %+v", b, ok, a)
	}
	wantKind(t, s.SavePlace(t.Context(), job.Place{Name: "work", Number: 9, Fence: a.Fence}), fault.Conflict)
	taken := takeShare(t, s, "b", time.Hour)
	if len(taken) != len(shared) {
		t.Fatalf("b got %v", leaseNames(taken))
	}
	for i, l := range taken {
		if l.Fence <= shared[i].Fence {
			t.Errorf("b took %+v, a had %+v", l, shared[i])
		}
	}
}

func ownerSpokenFor(t *testing.T, s nodes) {
	take(t, s, "other work", "a", time.Hour)
	take(t, s.other, "work", "a", time.Hour)
	hangUp(t, s.other)
	if l, ok := take(t, s, "work", "b", time.Hour); ok {
		t.Errorf("b took %+v, and a is still there", l)
	}
}

func shareOfTheGone(t *testing.T, s nodes) {
	takeShare(t, s.other, "a", time.Hour)
	takeShare(t, s, "b", time.Hour)
	hangUp(t, s.other)
	var got []job.Lease
	if !soon(func() bool { got = takeShare(t, s, "b", time.Hour); return len(got) == 8 }) {
		t.Errorf("b got %v with a gone", leaseNames(got))
	}
}
