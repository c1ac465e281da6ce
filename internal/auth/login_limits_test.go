package auth_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
)

// strict are rules with a total that a test can use up.
func strict(total int) auth.LoginRules {
	r := auth.DefaultLoginRules
	r.TotalSource, r.TotalPair = total, total
	return r
}

// crowd runs n logins at once, on the houses in turn, and counts the verdicts.
func crowd(n int, houses []*house, one func(h *house, i int) auth.Answer) map[auth.Verdict]int {
	var mu sync.Mutex
	got := map[auth.Verdict]int{}
	var wg sync.WaitGroup
	gate := make(chan struct{}, 64)
	for i := range n {
		gate <- struct{}{}
		wg.Go(func() {
			defer func() { <-gate }()
			a := one(houses[i%len(houses)], i)
			mu.Lock()
			got[a.Verdict]++
			mu.Unlock()
		})
	}
	wg.Wait()
	return got
}

// A5: an attacker who asks a hundred times as often as anyone may does not keep
// the owner out.
func TestAttackerDoesNotLockTheOwnerOut(t *testing.T) {
	clock := newClock()
	const total = 30
	h := newHouse(t, clock, plan{rules: strict(total)})
	_, password := h.account(h.customer("Acme"), "acme-api")
	var wg sync.WaitGroup
	wg.Go(func() {
		got := crowd(100*total, []*house{h}, func(h *house, i int) auth.Answer {
			return h.try(from(100+i%3), "acme-api", wrong(i%1000))
		})
		if got[auth.Granted] > 0 || got[auth.Refused] > 3*total {
			t.Errorf("the attacker's verdicts: %v; want at most %d answered", got, 3*total)
		}
	})
	granted := 0
	for range total - 1 { // the owner's own limit
		if h.try(from(1), "acme-api", password).Verdict == auth.Granted {
			granted++
		}
	}
	wg.Wait()
	if granted != total-1 {
		t.Errorf("the owner came in %d times of %d", granted, total-1)
	}
	if got := h.try(from(100), "acme-api", password); got.Verdict != auth.Limited {
		t.Errorf("the attacker's address with the right password: verdict %d, want limited", got.Verdict)
	}
}

// A5: wrong guesses, from wherever, use up nothing of the right password's.
func TestWrongGuessesDoNotUseUpTheRightPassword(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	_, password := h.account(h.customer("Acme"), "acme-api")
	for i := range 20 {
		for range 7 {
			h.try(from(1), "acme-api", wrong(i))
		}
		if got := h.try(from(1), "acme-api", password); got.Verdict != auth.Granted {
			t.Fatalf("after %d wrong guesses from the same address: verdict %d, want granted", 7*(i+1), got.Verdict)
		}
	}
	// The right one is never identical to an invalid one, however often it comes.
	for i := range 50 {
		if got := h.try(from(2), "acme-api", password); got.Verdict != auth.Granted {
			t.Fatalf("the right password for the %dth time: verdict %d, want granted", i+1, got.Verdict)
		}
	}
}

// The wait that a refused login is told is exact, to the millisecond.
func TestWaitOfALoginIsExact(t *testing.T) {
	for _, c := range []struct {
		name string
		fill func(h *house, clock *clock)
	}{
		{"too many identical", func(h *house, clock *clock) {
			for range 5 {
				h.try(from(1), "acme-api", wrong(0))
				clock.Step(7 * time.Second)
			}
		}},
		{"too many in all", func(h *house, clock *clock) {
			for i := range 12 {
				h.try(from(1), "acme-api", wrong(i))
				clock.Step(1333 * time.Millisecond)
			}
		}},
		{"too many from the address, and this name is new", func(h *house, clock *clock) {
			for i := range 12 {
				h.try(from(1), "someone-else", wrong(i))
				clock.Step(time.Second)
			}
			clock.Step(4 * time.Minute)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := newClock()
			h := newHouse(t, clock, plan{rules: strict(10)})
			_, password := h.account(h.customer("Acme"), "acme-api")
			c.fill(h, clock)
			a := h.try(from(1), "acme-api", wrong(0))
			if a.Verdict != auth.Limited || a.Wait <= 0 {
				t.Fatalf("verdict %d, wait %s; want limited", a.Verdict, a.Wait)
			}
			clock.Step(a.Wait - time.Millisecond)
			if early := h.try(from(1), "acme-api", wrong(0)); early.Verdict != auth.Limited {
				t.Fatalf("a millisecond too soon: verdict %d, want limited", early.Verdict)
			}
			clock.Step(time.Millisecond)
			if got := h.try(from(1), "acme-api", wrong(0)); got.Verdict != auth.Refused {
				t.Fatalf("when the wait is over: verdict %d, want refused, not limited", got.Verdict)
			}
			if got := h.try(from(1), "acme-api", password); got.Verdict != auth.Granted {
				t.Fatalf("the right password then: verdict %d, want granted", got.Verdict)
			}
		})
	}
}

// What makes no sense is limited like what is wrong.
func TestUnreadableRequestsAreLimited(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	var got []auth.Verdict
	for range 7 {
		a, err := h.login.Authenticate(t.Context(), auth.LoginRequest{Source: from(1), Unreadable: []byte("{")})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a.Verdict)
	}
	u, l := auth.Unreadable, auth.Limited
	if diff := cmp.Diff([]auth.Verdict{u, u, u, u, u, l, l}, got); diff != "" {
		t.Error(diff)
	}
}

// A8: a restart in the middle of a window changes nothing.
func TestLimitsOutliveARestart(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		clock := newClock()
		p := plan{rules: strict(20)}
		h := openHouse(t, url, clock, p)
		for range 5 {
			h.try(from(1), "acme-api", wrong(0))
		}
		for i := range 21 {
			h.try(from(2), "acme-api", wrong(100+i))
		}
		clock.Step(time.Minute)
		h.stop()

		h = openHouse(t, url, clock, p)
		if a := h.try(from(1), "acme-api", wrong(0)); a.Verdict != auth.Limited || a.Wait != time.Minute {
			t.Errorf("the sixth after a restart: verdict %d, wait %s; want limited for a minute", a.Verdict, a.Wait)
		}
		if a := h.try(from(2), "acme-api", wrong(1)); a.Verdict != auth.Limited || a.Wait != 4*time.Minute {
			t.Errorf("a closed door after a restart: verdict %d, wait %s; want limited for four minutes", a.Verdict, a.Wait)
		}
		h.stop()
		// An hour wrong to either side: the past is forgotten, and the future
		// weighs no longer than its window.
		clock.Step(-time.Hour)
		h = openHouse(t, url, clock, p)
		if a := h.try(from(1), "acme-api", wrong(0)); a.Verdict != auth.Limited || a.Wait != 2*time.Minute {
			t.Errorf("an hour back: verdict %d, wait %s; want limited for two minutes", a.Verdict, a.Wait)
		}
		h.stop()
		clock.Step(2 * time.Hour)
		h = openHouse(t, url, clock, p)
		if a := h.try(from(1), "acme-api", wrong(0)); a.Verdict != auth.Refused {
			t.Errorf("an hour on: verdict %d, want refused", a.Verdict)
		}
	})
}

// A8: two nodes share one count, exactly, however the requests fall on them.
func TestNodesShareTheirCounts(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		clock := newClock()
		p := plan{rules: strict(60)}
		nodes := []*house{openHouse(t, url, clock, p), openHouse(t, url, clock, p)}
		for round := range 3 {
			got := crowd(40, nodes, func(h *house, _ int) auth.Answer { return h.try(from(round), "acme-api", wrong(round)) })
			if got[auth.Refused] != 5 || got[auth.Limited] != 35 {
				t.Fatalf("round %d: verdicts %v, want 5 refused and 35 limited", round, got)
			}
		}
		got := crowd(100, nodes, func(h *house, i int) auth.Answer { return h.try(from(9), "acme-api", wrong(100+i)) })
		if got[auth.Refused] != 60 || got[auth.Limited] != 40 {
			t.Fatalf("in all: verdicts %v, want 60 refused and 40 limited", got)
		}
		for i, h := range nodes {
			if a := h.try(from(9), "acme-api", wrong(1)); a.Verdict != auth.Limited || a.Wait != 5*time.Minute {
				t.Errorf("node %d: verdict %d, wait %s; want the door closed for five minutes", i, a.Verdict, a.Wait)
			}
		}
	})
}

// A8: a node whose own clock is wrong neither forgets nor keeps people out.
func TestNodeWithAWrongClockDecidesAlike(t *testing.T) {
	for _, ahead := range []time.Duration{time.Hour, -time.Hour, time.Second, -time.Second} {
		t.Run(fmt.Sprint(ahead), func(t *testing.T) {
			clock := newClock()
			url := filepath.Join(t.TempDir(), "bureau.db")
			h := openHouse(t, url, clock, plan{rules: strict(10)})
			_, password := h.account(h.customer("Acme"), "acme-api")
			h.ahead.Store(int64(ahead))
			for range 5 {
				h.try(from(1), "acme-api", wrong(0))
			}
			for range 3 {
				if a := h.try(from(1), "acme-api", wrong(0)); a.Verdict != auth.Limited || a.Wait != 2*time.Minute {
					t.Fatalf("the sixth: verdict %d, wait %s; want limited for two minutes", a.Verdict, a.Wait)
				}
			}
			for i := range 11 {
				h.try(from(2), "acme-api", wrong(i))
			}
			clock.Step(5*time.Minute - time.Millisecond)
			if a := h.try(from(2), "acme-api", password); a.Verdict != auth.Limited {
				t.Errorf("behind a closed door: verdict %d, want limited", a.Verdict)
			}
			clock.Step(time.Millisecond)
			if a := h.try(from(2), "acme-api", password); a.Verdict != auth.Granted {
				t.Errorf("the right password, when the door opens: verdict %d, want granted", a.Verdict)
			}
		})
	}
}
