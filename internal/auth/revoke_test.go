package auth_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/lacktest"
)

// Ways to take a token's power away, and what the caller is told then.
var revocations = []struct {
	name string
	do   func(ctx context.Context, h *house, a auth.Account, token string) error
	want fault.Kind
	// spares tells whether another account of the customer keeps its token.
	spares bool
}{
	{"one token", func(ctx context.Context, h *house, _ auth.Account, token string) error {
		_, claims, err := h.tokens.Verify(token)
		if err != nil {
			return err
		}
		return h.office.RevokeToken(ctx, claims.ID)
	}, fault.Stranger, true},
	{"all tokens of the account", func(ctx context.Context, h *house, a auth.Account, _ string) error {
		_, err := h.office.RevokeAll(ctx, a.UserKey)
		return err
	}, fault.Stranger, true},
	{"the account disabled", func(ctx context.Context, h *house, a auth.Account, _ string) error {
		_, err := h.office.Disable(ctx, a.UserKey, true)
		return err
	}, fault.Stranger, true},
	{"a new password", func(ctx context.Context, h *house, a auth.Account, _ string) error {
		_, _, err := h.office.ResetPassword(ctx, a.UserKey)
		return err
	}, fault.Stranger, true},
	{"the signing key revoked", func(ctx context.Context, h *house, _ auth.Account, _ string) error {
		_, err := h.office.RotateKey(ctx, true)
		return err
	}, fault.Stranger, false},
	{"the product taken away", func(ctx context.Context, h *house, a auth.Account, _ string) error {
		_, err := h.office.Grant(ctx, a.Customer, []auth.Grant{{Product: auth.Companies, Country: auth.Everywhere}}, true)
		return err
	}, fault.Denied, false},
}

// A13, A22: whatever takes a right away does so at once on this node, and on
// another as soon as it hears of it.
func TestRightsEndAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		clock := newClock()
		here, there := openHouse(t, url, clock, plan{}), openHouse(t, url, clock, plan{})
		for i, r := range revocations {
			t.Run(r.name, func(t *testing.T) {
				ctx := t.Context()
				c := here.customer("Acme "+r.name, auth.Companies)
				a, password := here.account(c, fmt.Sprint("acme-api-", i))
				b, otherPassword := here.account(c, fmt.Sprint("acme-other-", i))
				token, other := here.token(a.UserKey, password), here.token(b.UserKey, otherPassword)
				there.refresh()
				for _, h := range []*house{here, there} {
					if _, _, err := h.gate.Admit(ctx, token, auth.Companies); err != nil {
						t.Fatalf("before: %v", err)
					}
				}
				if err := r.do(ctx, here, a, token); err != nil {
					t.Fatal(err)
				}
				there.refresh()
				for name, h := range map[string]*house{"here": here, "there": there} {
					if _, _, err := h.gate.Admit(ctx, token, auth.Companies); !errors.Is(err, r.want) {
						t.Errorf("%s: %v, want %q", name, err, r.want)
					}
					if _, _, err := h.gate.Admit(ctx, other, auth.Companies); (err == nil) != r.spares {
						t.Errorf("%s, another account's token: %v, want accepted: %t", name, err, r.spares)
					}
				}
			})
		}
	})
}

// A22: a thousand callers are at work while the right is taken. Of the calls
// that begin after a node knows, not one succeeds.
func TestNoCallSucceedsAfterARevocation(t *testing.T) {
	callers, calls := 1000, 20
	if lacktest.Race {
		callers = 100
	}
	for _, r := range revocations {
		t.Run(r.name, func(t *testing.T) {
			clock := newClock()
			url := t.TempDir() + "/bureau.db"
			houses := []*house{openHouse(t, url, clock, plan{}), openHouse(t, url, clock, plan{})}
			h := houses[0]
			a, password := h.account(h.customer("Acme", auth.Companies), "acme-api")
			token := h.token("acme-api", password)
			houses[1].refresh()

			knows := []chan struct{}{make(chan struct{}), make(chan struct{})}
			var before, after atomic.Int64
			var wg, begun sync.WaitGroup
			begun.Add(callers / 2)
			for i := range callers {
				wg.Go(func() {
					node := i % 2
					call := func(counts *atomic.Int64) {
						if _, _, err := houses[node].gate.Admit(t.Context(), token, auth.Companies); err == nil {
							counts.Add(1)
						}
					}
					for n := range calls {
						select {
						case <-knows[node]:
							call(&after)
						default:
							call(&before)
						}
						if n == 0 && i < callers/2 {
							begun.Done()
						}
					}
					<-knows[node]
					call(&after)
				})
			}
			begun.Wait()
			if err := r.do(t.Context(), h, a, token); err != nil {
				t.Error(err)
			}
			close(knows[0])
			houses[1].refresh()
			close(knows[1])
			wg.Wait()
			if before.Load() == 0 || after.Load() > 0 {
				t.Errorf("%d calls succeeded before and %d after; want some before and none after", before.Load(), after.Load())
			}
		})
	}
}

// A disabled account that is opened again has a clean slate, but its old tokens
// stay dead.
func TestOldTokensStayDeadWhenAnAccountIsOpenedAgain(t *testing.T) {
	h := newHouse(t, newClock(), plan{})
	_, password := h.account(h.customer("Acme"), "acme-api")
	token := h.token("acme-api", password)
	for _, disabled := range []bool{true, false} {
		if _, err := h.office.Disable(t.Context(), "acme-api", disabled); err != nil {
			t.Fatal(err)
		}
		if disabled {
			for range 6 { // the right password is wrong just now
				h.try(from(1), "acme-api", password)
			}
		}
	}
	if _, _, err := h.tokens.Verify(token); err == nil {
		t.Error("a token from before is good again")
	}
	if a := h.try(from(1), "acme-api", password); a.Verdict != auth.Granted {
		t.Errorf("login after it was opened again: verdict %d, want granted", a.Verdict)
	}
}

// A revocation is kept for as long as the token could live, and no longer.
func TestRevocationsAreForgottenInTime(t *testing.T) {
	clock := newClock()
	h := newHouse(t, clock, plan{})
	_, password := h.account(h.customer("Acme"), "acme-api")
	token := h.token("acme-api", password)
	_, claims, err := h.tokens.Verify(token)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.office.RevokeToken(t.Context(), claims.ID); err != nil {
		t.Fatal(err)
	}
	for range 70 {
		if _, _, err := h.tokens.Verify(token); err == nil {
			t.Fatalf("the token is good again at %s", clock.Now())
		}
		clock.Step(time.Minute)
		if err := h.store.ForgetAttempts(t.Context(), clock.Now()); err != nil {
			t.Fatal(err)
		}
		// Any change makes the directory tidy up.
		if err := h.office.RevokeToken(t.Context(), "00112233445566778899aabbccddeeff"); err != nil {
			t.Fatal(err)
		}
	}
}
