package client_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bureau/client"
)

func TestTokenIsKeptAndRenewedBeforeItExpires(t *testing.T) {
	for _, c := range []struct {
		name   string
		life   time.Duration
		skew   time.Duration
		opaque bool
		after  time.Duration
		want   int
	}{
		{"used again at once", time.Hour, 0, false, 0, 1},
		{"five minutes and a second before its end", time.Hour, 0, false, 55*time.Minute - time.Second, 1},
		{"five minutes before its end", time.Hour, 0, false, 55 * time.Minute, 2},
		{"after its end", time.Hour, 0, false, 2 * time.Hour, 2},
		{"a short life is renewed at half of it", 4 * time.Minute, 0, false, 2 * time.Minute, 2},
		{"and not before", 4 * time.Minute, 0, false, 2*time.Minute - time.Second, 1},
		{"the service's clock is hours ahead", time.Hour, 5 * time.Hour, false, 54 * time.Minute, 1},
		{"the service's clock is hours behind", time.Hour, -5 * time.Hour, false, 54 * time.Minute, 1},
		{"a token that is no JWT lives an hour", 0, 0, true, 54 * time.Minute, 1},
		{"and is renewed too", 0, 0, true, 56 * time.Minute, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, cl := newService()
				s.life, s.skew, s.opaque = c.life, c.skew, c.opaque
				call(t, cl)
				time.Sleep(c.after)
				call(t, cl)
				wantTokens(t, s, c.want, "two calls "+c.after.String()+" apart")
			})
		})
	}
}

func TestCallersShareOneRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		s.busy = make(chan struct{})
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() { call(t, c) })
		}
		synctest.Wait() // all of them need a token
		close(s.busy)
		wg.Wait()
		wantTokens(t, s, 1, "50 callers at once")
	})
}

func TestOthersGoOnWithTheOldTokenWhileOneRenews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		call(t, c)
		time.Sleep(56 * time.Minute)
		s.busy = make(chan struct{})
		done := make(chan struct{})
		go func() { call(t, c); close(done) }()
		synctest.Wait() // it waits for authenticate
		call(t, c)      // which does not hold this one up
		close(s.busy)
		<-done
		wantTokens(t, s, 2, "after the renewal")
	})
}

func TestWaitersOutliveTheOneWhoRenews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		s.busy = make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error)
		go func() { _, err := c.Me(ctx); first <- err }()
		synctest.Wait()
		second := make(chan error)
		go func() { _, err := c.Me(t.Context()); second <- err }()
		synctest.Wait()
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("the one who gave up got %v, want context.Canceled", err)
		}
		close(s.busy)
		if err := <-second; err != nil {
			t.Errorf("the one who waited got %v, want an answer", err)
		}
		wantTokens(t, s, 1, "in all")
	})
}

func TestWaiterMayGiveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		s.busy = make(chan struct{})
		first := make(chan error)
		go func() { _, err := c.Me(t.Context()); first <- err }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Me(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want context.DeadlineExceeded", err)
		}
		close(s.busy)
		if err := <-first; err != nil {
			t.Errorf("the other one got %v, want an answer", err)
		}
	})
}

func TestOldTokenServesWhileRenewalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		c.Retries = -1
		call(t, c)
		time.Sleep(56 * time.Minute)
		s.logins = append(s.logins, refuse(503, nil, `{}`))
		call(t, c)
		if left := len(s.logins); left != 0 {
			t.Fatalf("%d renewals were not tried", left)
		}
		s.logins = append(s.logins, refuse(503, nil, `{}`))
		call(t, c) // too soon to try again
		if left := len(s.logins); left != 1 {
			t.Error("a renewal that failed was tried again at once")
		}
		time.Sleep(10 * time.Minute) // now the token is dead
		if _, err := c.Me(t.Context()); !errors.Is(err, client.ErrServer) {
			t.Errorf("got %v, want the service's own error", err)
		}
		call(t, c)
		wantTokens(t, s, 2, "once the service was well again")
	})
}

func TestRefusedTokenIsReplacedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		s.answer = []func() *answer{deadToken}
		call(t, c)
		wantTokens(t, s, 2, "after a refused token")
		if a, b := s.calls[0].Header.Get("Authorization"), s.calls[1].Header.Get("Authorization"); a == b {
			t.Errorf("sent %q twice", a)
		}

		s.answer = []func() *answer{deadToken, deadToken}
		if _, err := c.Me(t.Context()); !errors.Is(err, client.ErrUnauthorized) {
			t.Errorf("got %v, want ErrUnauthorized after the second refusal", err)
		}
		wantTokens(t, s, 3, "after two refusals")

		s.answer = []func() *answer{refuse(401, nil, `{"error":"Another reason."}`)}
		if _, err := c.Me(t.Context()); !errors.Is(err, client.ErrUnauthorized) {
			t.Errorf("got %v, want ErrUnauthorized", err)
		}
		wantTokens(t, s, 3, "after a 401 for another reason, which a new token does not help")
	})
}

func TestRefusedTokenDoesNotDropItsSuccessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		call(t, c)
		var wg sync.WaitGroup
		for range 10 {
			s.answer = append(s.answer, deadToken)
		}
		for range 10 {
			wg.Go(func() { _, _ = c.Me(t.Context()) })
		}
		wg.Wait()
		if n := s.given(); n > 11 {
			t.Errorf("authenticated %d times for 10 refusals", n)
		}
		s.answer = nil
		before := s.given()
		call(t, c)
		if n := s.given(); n > before+1 {
			t.Errorf("authenticated %d times more than once", n-before)
		}
	})
}

func TestAuthenticateSendsTheCredentialsAndKeepsTheToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newService()
		token, err := c.Authenticate(t.Context())
		if err != nil || token == "" {
			t.Fatalf("got %q, %v", token, err)
		}
		call(t, c)
		wantTokens(t, s, 1, "one of its own and a call")
		if got, want := s.calls[0].Header.Get("Authorization"), "Bearer "+token; got != want {
			t.Errorf("sent %q, want %q", got, want)
		}
		if _, err := c.PublicKeys(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.calls[1].Header.Get("Authorization"); got != "" {
			t.Errorf("an open operation was sent the token %q", got)
		}
		s.logins = append(s.logins, refuse(http.StatusOK, nil, `{}`))
		if _, err := c.Authenticate(t.Context()); err == nil {
			t.Error("an answer without a token was taken")
		}
	})
}
