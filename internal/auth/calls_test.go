package auth_test

import (
	"errors"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
)

// spend makes n calls and reports how many were admitted.
func spend(c *auth.Calls, id auth.AccountID, n int) (admitted int) {
	for range n {
		if _, wait := c.Spend(id); wait == 0 {
			admitted++
		}
	}
	return admitted
}

// Two nodes count for themselves and reconcile at each step: in all they admit
// no more than the limit and one burst a node.
func TestNodesReconcileTheirCalls(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		const burst, sustained = 20, 100
		clock := newClock()
		p := plan{calls: auth.CallRules{Burst: burst, Sustained: sustained}}
		var nodes []*house
		for _, name := range []string{"a", "b"} {
			p.node = name
			nodes = append(nodes, openHouse(t, url, clock, p))
		}
		step := func() {
			t.Helper()
			for range 2 { // the first tells, the second hears
				for _, h := range nodes {
					if err := h.calls.Step(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		total := 0
		for range 10 { // a second each
			for _, h := range nodes {
				got := spend(h.calls, 7, 2*burst)
				if got > burst {
					t.Fatalf("a burst of %d, want at most %d", got, burst)
				}
				total += got
			}
			step()
			clock.Step(time.Second)
		}
		if total < sustained || total > sustained+2*burst {
			t.Errorf("%d calls in five minutes, want %d to %d", total, sustained, sustained+2*burst)
		}
		// From here on the count is exact, on both nodes.
		for i, h := range nodes {
			quotas, wait := h.calls.Spend(7)
			if wait <= 0 || quotas[1].Name != "sustained" || quotas[1].Left != 0 {
				t.Errorf("node %d: wait %s, quotas %v; want the sustained limit", i, wait, quotas)
			}
		}
		// Another account is not touched, and after the window all is as new.
		if got := spend(nodes[0].calls, 8, burst); got != burst {
			t.Errorf("another account: %d calls, want %d", got, burst)
		}
		clock.Step(6 * time.Minute)
		step()
		for i, h := range nodes {
			if got := spend(h.calls, 7, 1); got != 1 {
				t.Errorf("node %d refuses after the window", i)
			}
		}
	})
}

// What one node counted, the other knows to the call, and its wait is exact.
func TestOtherNodesCallsCount(t *testing.T) {
	clock := newClock()
	url := t.TempDir() + "/bureau.db"
	p := plan{calls: auth.CallRules{Sustained: 50}, node: "a"}
	a := openHouse(t, url, clock, p)
	p.node = "b"
	b := openHouse(t, url, clock, p)
	spend(a.calls, 7, 30)
	if err := a.calls.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	clock.Step(30 * time.Second)
	if err := b.calls.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := spend(b.calls, 7, 50); got != 20 {
		t.Fatalf("%d calls after the other node's 30, want 20", got)
	}
	_, wait := b.calls.Spend(7)
	clock.Step(wait - time.Millisecond)
	if _, w := b.calls.Spend(7); w != time.Millisecond {
		t.Errorf("a millisecond too soon: wait %s, want 1ms", w)
	}
	clock.Step(time.Millisecond)
	if got := spend(b.calls, 7, 50); got != 30 {
		t.Errorf("%d calls when the other node's 30 have left, want 30", got)
	}
}

func TestGate(t *testing.T) {
	ctx := t.Context()
	clock := newClock()
	h := newHouse(t, clock, plan{calls: auth.CallRules{Burst: 3}})
	c := h.customer("Acme")
	_, err := h.office.Grant(ctx, c.ID, []auth.Grant{
		{Product: auth.Companies, Country: "GB"},
		{Product: auth.KYC, Country: auth.Everywhere, From: "2026-03-03", Until: "2026-03-04"},
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	a, password := h.account(c, "acme-api")
	token := h.token("acme-api", password)
	by := auth.Caller{Customer: c.ID, Account: a.ID}

	for _, header := range []string{token, "Bearer " + token, "bearer " + token, "BEARER  " + token + " "} {
		if got, _, err := h.gate.Admit(ctx, header, auth.Open); err != nil || got != by {
			t.Errorf("Admit(%.12q…) = %v, %v; want %v", header, got, err, by)
		}
		clock.Step(time.Second)
	}
	for _, header := range []string{"", "Bearer", "Bearer ", "Basic " + token, "Bearer " + token + " x", "Bearer Bearer " + token, token + "," + token} {
		if got, _, err := h.gate.Admit(ctx, header, auth.Open); !errors.Is(err, fault.Stranger) || got != (auth.Caller{}) {
			t.Errorf("Admit(%.12q…) = %v, %v; want a stranger", header, got, err)
		}
	}

	for _, g := range []struct {
		product auth.Product
		country string
		days    int
		ok      bool
	}{
		{auth.Companies, "", 0, true},
		{auth.Companies, "GB", 0, true},
		{auth.Companies, "gb", 0, true},
		{auth.Companies, "SE", 0, false},
		{auth.Images, "", 0, false},
		{auth.Open, "", 0, true},
		{auth.KYC, "SE", 0, false},
		{auth.KYC, "SE", 1, true},
		{auth.KYC, "SE", 2, true},
		{auth.KYC, "SE", 3, false},
	} {
		h.ahead.Store(int64(time.Duration(g.days) * 24 * time.Hour))
		err := h.gate.Allow(ctx, by, g.product, g.country)
		if (err == nil) != g.ok || err != nil && !errors.Is(err, fault.Denied) {
			t.Errorf("%s in %q after %d days: %v, want allowed: %t", g.product, g.country, g.days, err, g.ok)
		}
	}
	h.ahead.Store(0)

	clock.Step(time.Second)
	for range 3 {
		if _, _, err := h.gate.Admit(ctx, token, auth.Companies); err != nil {
			t.Fatal(err)
		}
	}
	_, quotas, err := h.gate.Admit(ctx, token, auth.Companies)
	view, _ := fault.Of(err)
	if !errors.Is(err, fault.Exhausted) || view.Wait != time.Second || len(quotas) != 1 || quotas[0].Left != 0 {
		t.Errorf("the fourth in a second: %v, wait %s, %v; want exhausted for a second", err, view.Wait, quotas)
	}
}
