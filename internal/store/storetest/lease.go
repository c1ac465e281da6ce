package storetest

import (
	"sync"
	"testing"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// leases are the promises of job.Store. A lease with no life has ended as soon
// as it is taken.
var leases = []promise{
	{"while one holds a lease no other takes it", leaseExcludes},
	{"a lease renewed in time keeps its fence", leaseRenewed},
	{"a lease that ended is taken with a higher fence, by whoever", leaseTakenOver},
	{"a lease given back is free at once", leaseGivenBack},
	{"of many who ask at once one gets the lease", leaseRace},
	{"a place is where it was saved, and 0 before that", placeSaved},
	{"a place saved with an old fence is a conflict, and stays where it was", placeFenced},
}

func take(t tb, s job.Store, name, owner string, life time.Duration) (job.Lease, bool) {
	t.Helper()
	l, ok, err := s.Lease(t.Context(), name, owner, life)
	noError(t, err)
	return l, ok
}

func leaseExcludes(t *testing.T, s nodes) {
	l, ok := take(t, s, "work", "a", time.Hour)
	if !ok || l.Name != "work" || l.Owner != "a" || l.Fence < 1 || time.Until(l.Until) < 55*time.Minute || time.Until(l.Until) > 65*time.Minute {
		t.Errorf("a took %+v, %v; want an hour", l, ok)
	}
	if l, ok := take(t, s.other, "work", "b", time.Hour); ok {
		t.Errorf("b took %+v while a holds it", l)
	}
	if _, ok := take(t, s.other, "other work", "b", time.Hour); !ok {
		t.Error("b could not take another lease")
	}
}

func leaseRenewed(t *testing.T, s nodes) {
	first, _ := take(t, s, "work", "a", time.Minute)
	second, ok := take(t, s.other, "work", "a", time.Hour)
	if !ok || second.Fence != first.Fence || !second.Until.After(first.Until) {
		t.Errorf("renewed as %+v (%v), was %+v", second, ok, first)
	}
	third, ok := take(t, s, "work", "a", time.Minute) // a shorter life is one, too
	if !ok || third.Fence != first.Fence || !third.Until.Before(second.Until) {
		t.Errorf("renewed as %+v (%v), was %+v", third, ok, second)
	}
}

func leaseTakenOver(t *testing.T, s nodes) {
	fence := int64(0)
	for i, owner := range []string{"a", "b", "b", "a", "c"} {
		node := []Store{s.Store, s.other}[i%2]
		l, ok := take(t, node, "work", owner, 0)
		if !ok || l.Owner != owner || l.Fence <= fence {
			t.Errorf("%s took %+v (%v) after the fence %d", owner, l, ok, fence)
		}
		fence = l.Fence
	}
}

func leaseGivenBack(t *testing.T, s nodes) {
	a, _ := take(t, s, "work", "a", time.Hour)
	// One who does not hold it gives nothing back.
	for _, not := range []job.Lease{
		{Name: "work", Owner: "b", Fence: a.Fence},
		{Name: "work", Owner: "a", Fence: a.Fence - 1},
		{Name: "nothing", Owner: "a", Fence: a.Fence},
	} {
		noError(t, s.other.EndLease(t.Context(), not))
	}
	if _, ok := take(t, s.other, "work", "b", time.Hour); ok {
		t.Error("the lease was given back by one who does not hold it")
	}
	noError(t, s.EndLease(t.Context(), a))
	b, ok := take(t, s.other, "work", "b", time.Hour)
	if !ok || b.Fence <= a.Fence {
		t.Errorf("after a gave it back b took %+v (%v), a had %+v", b, ok, a)
	}
	noError(t, s.EndLease(t.Context(), a)) // a is late, and it is b's now
	if _, ok := take(t, s, "work", "a", time.Hour); ok {
		t.Error("a gave back what was b's")
	}
}

func leaseRace(t *testing.T, s nodes) {
	var mu sync.Mutex
	var winners []string
	var wg sync.WaitGroup
	for i, owner := range []string{"a", "b", "c", "d", "e", "f"} {
		node := []Store{s.Store, s.other}[i%2]
		wg.Go(func() {
			_, ok, err := node.Lease(t.Context(), "work", owner, time.Hour)
			if err != nil {
				t.Errorf("lease: %v", err)
			}
			if ok {
				mu.Lock()
				winners = append(winners, owner)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(winners) != 1 {
		t.Errorf("the lease was taken by %v", winners)
	}
}

func place(t tb, s job.Store, name string) int64 {
	t.Helper()
	n, err := s.Place(t.Context(), name)
	noError(t, err)
	return n
}

func placeSaved(t *testing.T, s nodes) {
	if n := place(t, s, "work"); n != 0 {
		t.Errorf("one that never saved is at %d", n)
	}
	l, _ := take(t, s, "work", "a", time.Hour)
	for _, n := range []int64{7, 8, 1 << 60} {
		noError(t, s.SavePlace(t.Context(), job.Place{Name: "work", Number: n, Fence: l.Fence}))
		if got := place(t, s.other, "work"); got != n {
			t.Errorf("at %d, want %d", got, n)
		}
	}
	if n := place(t, s, "other work"); n != 0 {
		t.Errorf("another reader is at %d", n)
	}
}

func placeFenced(t *testing.T, s nodes) {
	a, _ := take(t, s, "work", "a", 0)
	noError(t, s.SavePlace(t.Context(), job.Place{Name: "work", Number: 1, Fence: a.Fence})) // nobody else has it yet
	b, _ := take(t, s.other, "work", "b", time.Hour)
	wantKind(t, s.SavePlace(t.Context(), job.Place{Name: "work", Number: 9, Fence: a.Fence}), fault.Conflict)
	if n := place(t, s, "work"); n != 1 {
		t.Errorf("the old holder moved it to %d", n)
	}
	noError(t, s.other.SavePlace(t.Context(), job.Place{Name: "work", Number: 2, Fence: b.Fence}))
	wantKind(t, s.SavePlace(t.Context(), job.Place{Name: "work", Number: 9, Fence: a.Fence}), fault.Conflict)
	if n := place(t, s, "work"); n != 2 {
		t.Errorf("at %d, want 2", n)
	}
}
