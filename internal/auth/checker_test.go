package auth

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/fault"
)

var cheapCost = Cost{Memory: 64, Time: 1, Threads: 1}

// chosenAccount has a password that a person chose.
func chosenAccount(t *testing.T, password string) Account {
	t.Helper()
	keep, err := ChoosePassword(password, cheapCost)
	if err != nil {
		t.Fatal(err)
	}
	return Account{ID: 1002, UserKey: "ann", Password: keep}
}

// A6: no more verifiers run than there are slots, no more wait than the queue
// takes, and the rest is told at once to come back.
func TestSlowVerifiersAreBounded(t *testing.T) {
	v := testVault(t)
	for name, a := range map[string]*Account{"an account": new(chosenAccount(t, "a long password")), "an unknown name": nil} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := NewChecker(v, cheapCost, time.Now)
				for range cap(c.slots) {
					c.slots <- struct{}{} // every slot is at work
				}
				queue := cap(c.slots) * queuePerSlot
				done := make(chan error, queue)
				for i := range queue {
					go func() {
						_, err := c.Check(t.Context(), a, 16, "ann", fmt.Sprint("wrong password", i))
						done <- err
					}()
				}
				synctest.Wait()
				if n := c.waiting.Load(); n != int64(queue) {
					t.Fatalf("%d wait, want %d", n, queue)
				}
				_, err := c.Check(t.Context(), a, 16, "ann", "one too many")
				if view, _ := fault.Of(err); !errors.Is(err, fault.Busy) || view.Wait != time.Second {
					t.Errorf("one too many: %v, want busy for a second", err)
				}
				<-c.slots // now there is one place
				for range queue {
					if err := <-done; err != nil {
						t.Error(err)
					}
				}
				for range cap(c.slots) - 1 {
					<-c.slots
				}
				if len(c.slots) != 0 || c.waiting.Load() != 0 {
					t.Errorf("%d slots and %d places are still taken", len(c.slots), c.waiting.Load())
				}
			})
		})
	}
}

// A fleet of workers that starts at once costs one hash.
func TestIdenticalLoginsShareOneVerifier(t *testing.T) {
	v := testVault(t)
	a := chosenAccount(t, "a long password")
	synctest.Test(t, func(t *testing.T) {
		c := NewChecker(v, cheapCost, time.Now)
		for range cap(c.slots) {
			c.slots <- struct{}{}
		}
		const workers = 1000
		done := make(chan bool, workers)
		for range workers {
			go func() {
				ok, err := c.Check(t.Context(), &a, 1, "ann", "a long password")
				done <- ok && err == nil
			}()
		}
		synctest.Wait()
		<-c.slots
		for range workers {
			if !<-done {
				t.Fatal("a right password is refused")
			}
		}
		if n := c.runs.Load(); n != 1 {
			t.Errorf("%d hashes for %d workers, want 1", n, workers)
		}
	})
}

// The one whose hash others wait for may go away; the others are still served.
func TestWhoeverSharesAVerifierOutlivesTheFirst(t *testing.T) {
	v := testVault(t)
	a := chosenAccount(t, "a long password")
	synctest.Test(t, func(t *testing.T) {
		c := NewChecker(v, cheapCost, time.Now)
		for range cap(c.slots) {
			c.slots <- struct{}{}
		}
		first, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := c.Check(first, &a, 1, "ann", "a long password")
			left <- err
		}()
		synctest.Wait()
		stayed := make(chan error, 1)
		go func() {
			ok, err := c.Check(t.Context(), &a, 1, "ann", "a long password")
			if err == nil && !ok {
				err = errors.New("refused")
			}
			stayed <- err
		}()
		synctest.Wait()
		leave()
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the first: %v, want cancelled", err)
		}
		<-c.slots
		if err := <-stayed; err != nil {
			t.Errorf("the second: %v, want the right password accepted", err)
		}
	})
}

func TestRememberedSuccess(t *testing.T) {
	v := testVault(t)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	start := now
	a := chosenAccount(t, "a long password")
	c := NewChecker(v, cheapCost, func() time.Time { return now })
	for _, s := range []struct {
		name     string
		change   func()
		password string
		ok       bool
		runs     int64
	}{
		{"the first time", func() {}, "a long password", true, 1},
		{"again", func() {}, "a long password", true, 1},
		{"a wrong one", func() {}, "a wrong password", false, 2},
		{"the wrong one again: failures are not remembered", func() {}, "a wrong password", false, 3},
		{"a moment before the minute is over", func() { now = start.Add(time.Minute - time.Millisecond) }, "a long password", true, 3},
		{"after a minute", func() { now = start.Add(time.Minute) }, "a long password", true, 4},
		{"in a new epoch", func() { a.Epoch++ }, "a long password", true, 5},
		{"disabled", func() { a.Epoch++; a.Disabled = true }, "a long password", false, 6},
		{"disabled: no faster than a wrong one the second time", func() {}, "a long password", false, 7},
		{"another account with the same hash", func() { a.ID++; a.Disabled = false }, "a long password", true, 8},
		{"a new password", func() { a = chosenAccount(t, "another password") }, "a long password", false, 9},
	} {
		s.change()
		ok, err := c.Check(t.Context(), &a, 1, a.UserKey, s.password)
		if err != nil || ok != s.ok || c.runs.Load() != s.runs {
			t.Errorf("%s: %t, %v after %d hashes; want %t after %d", s.name, ok, err, c.runs.Load(), s.ok, s.runs)
		}
	}
}

func TestRememberedSuccessesAreBounded(t *testing.T) {
	c := NewChecker(testVault(t), cheapCost, time.Now)
	for i := range maxKnown + 10 {
		c.remember([32]byte{byte(i), byte(i >> 8), byte(i >> 16)}, Account{})
	}
	if n := len(c.known); n > maxKnown {
		t.Errorf("%d are remembered, want at most %d", n, maxKnown)
	}
}

// A2: a name that nobody has is as slow as an account may be, in proportion,
// and each name keeps its class.
func TestDecoysAreSlowInProportion(t *testing.T) {
	c := NewChecker(testVault(t), cheapCost, time.Now)
	const names = 16_000
	for _, share := range []int{0, 1, 4, 15, 16} {
		slow := 0
		for i := range names {
			key := fmt.Sprint("nobody-", i)
			if c.decoyIsSlow(key, share) {
				slow++
			}
			if share < 16 && c.decoyIsSlow(key, share) && !c.decoyIsSlow(key, share+1) {
				t.Fatalf("%s is slow at %d of 16 and fast at %d", key, share, share+1)
			}
		}
		if want := names * share / 16; slow < want-600 || slow > want+600 {
			t.Errorf("at %d of 16, %d of %d names are slow, want about %d", share, slow, names, want)
		}
	}
	for _, s := range []struct{ chosen, issued, want int }{
		{0, 0, 0}, {0, 9, 0}, {1, 999, 1}, {1, 15, 1}, {1, 14, 2}, {5, 5, 8}, {9, 0, 16},
	} {
		d := directory{chosen: s.chosen, issued: s.issued}
		if got := d.chosenShare(); got != s.want {
			t.Errorf("%d chosen and %d issued: %d of 16, want %d", s.chosen, s.issued, got, s.want)
		}
	}
}

// Whatever the decoy is, no password opens it.
func TestNoPasswordOpensADecoy(t *testing.T) {
	c := NewChecker(testVault(t), cheapCost, time.Now)
	for _, share := range []int{0, 16} {
		for _, password := range []string{"", "\x00", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", string(make([]byte, 30))} {
			for _, a := range []*Account{nil, {ID: 7, UserKey: "ann"}} {
				if ok, err := c.Check(t.Context(), a, share, "ann", password); ok || err != nil {
					t.Errorf("%q: %t, %v; want refused", password, ok, err)
				}
			}
		}
	}
}
