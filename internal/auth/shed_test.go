package auth_test

import (
	"testing"
	"time"

	"bureau/internal/auth"
)

// A6: who is turned away for want of room does not wait for the disk, and is
// counted all the same.
func TestTurnedAwayWithoutWaitingForTheDisk(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	h.account(h.customer("Acme"), "acme-slow")
	if _, err := h.office.SetChosenPassword(t.Context(), "acme-slow", "slow but steady wins", false); err != nil {
		t.Fatal(err)
	}
	// Someone else has the turn, and keeps it.
	taken, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- h.store.Turn(t.Context(), auth.Seen{}, func(auth.News) (auth.Record, error) {
			close(taken)
			<-release
			return auth.Record{}, nil
		})
	}()
	<-taken

	free := h.login.Checker.Crowd()
	const times = 3
	for range times {
		got := h.try(from(1), "acme-slow", wrong(1)) // comes back although nothing can be written
		if got.Verdict != auth.Limited || got.Wait != time.Second || len(got.Quotas) != 1 {
			t.Errorf("got %+v, want limited for a second", got)
		}
	}
	free()
	close(release)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	got := h.try(from(1), "acme-slow", wrong(1))
	if left, want := got.Quotas[1].Left, auth.DefaultLoginRules.TotalPair-times-1; left != want {
		t.Errorf("%d requests are left, want %d: those turned away count", left, want)
	}
}

// The one that closes the door hears for how long.
func TestTurnedAwayAtTheLimitHearsForHowLong(t *testing.T) {
	rules := auth.DefaultLoginRules
	rules.TotalPair = 3
	h := newHouse(t, newClock(), plan{rules: rules})
	h.account(h.customer("Acme"), "acme-slow")
	if _, err := h.office.SetChosenPassword(t.Context(), "acme-slow", "slow but steady wins", false); err != nil {
		t.Fatal(err)
	}
	defer h.login.Checker.Crowd()()
	for i, want := range []time.Duration{time.Second, time.Second, time.Second, rules.TotalClosed} {
		if err := h.journal.Sign(t.Context()); err != nil { // after which the ones before are counted
			t.Fatal(err)
		}
		got := h.try(from(1), "acme-slow", wrong(1))
		if got.Verdict != auth.Limited || got.Wait != want {
			t.Errorf("request %d: verdict %d, wait %s; want limited for %s", i+1, got.Verdict, got.Wait, want)
		}
	}
}
