package app

import (
	"net/http"
	"testing"
	"time"

	"bureau/internal/store/storetest"
)

// twoNodes are two houses on one PostgreSQL, with one key.
func twoNodes(t *testing.T, change ...func(*Config)) (one, two *house) {
	t.Helper()
	url := Secret(storetest.Postgres(t))
	c := config(t, append(change, func(c *Config) { c.DB = url })...)
	one = serveHouse(t, c)
	other := config(t, append(change, func(o *Config) {
		o.DB, o.KeyFile, o.Listen = url, c.keyFile(), "127.0.0.1:0" // not the address of the first
	})...)
	return one, serveHouse(t, other)
}

func status(t *testing.T, h *house, token string) int {
	t.Helper()
	res, _ := h.get(t, "/access/users/me", "Authorization", "Bearer "+token)
	return res.StatusCode
}

func TestWhatOneNodeForbidsTheOtherForbids(t *testing.T) {
	t.Parallel()
	one, two := twoNodes(t)
	password := one.account(t, "caller")
	_, token := one.login(t, "caller", password)
	refresh := func(h *house) {
		t.Helper()
		if err := h.Directory.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	refresh(two)
	if got := status(t, two, token); got != http.StatusOK {
		t.Fatalf("a token of the other node: got %d", got)
	}
	if _, err := one.DisableAccount(t.Context(), "caller", true); err != nil {
		t.Fatal(err)
	}
	if got := status(t, one, token); got != http.StatusUnauthorized {
		t.Errorf("disabled here: got %d at once, want 401", got)
	}
	refresh(two)
	if got := status(t, two, token); got != http.StatusUnauthorized {
		t.Errorf("disabled there: got %d after a refresh, want 401", got)
	}
	if got, _ := two.login(t, "caller", password); got != http.StatusUnauthorized {
		t.Errorf("a login of a disabled account: got %d", got)
	}

	// Without anyone driving it, the refresh comes by itself within a second.
	if _, err := one.DisableAccount(t.Context(), "caller", false); err != nil {
		t.Fatal(err)
	}
	_, token = one.login(t, "caller", password)
	eventually(t, "the account is open on both", func() bool { return status(t, two, token) == http.StatusOK })
	if _, err := one.RotateKey(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	eventually(t, "the revoked key is refused", func() bool { return status(t, two, token) == http.StatusUnauthorized })
	if took := time.Since(start); took > time.Second {
		t.Logf("the other node refused the revoked key after %s, on this machine", took)
	}
	for _, w := range two.background() {
		if w.name == "directory" && w.every > 500*time.Millisecond {
			t.Errorf("news reaches a node every %s; to bite within a second it must be less", w.every)
		}
	}
}

func TestLoginLimitsAreShared(t *testing.T) {
	t.Parallel()
	one, two := twoNodes(t)
	one.account(t, "caller")
	for i, h := range []*house{one, two, one, two, two} {
		if got, _ := h.login(t, "caller", "wrong"); got != http.StatusUnauthorized {
			t.Fatalf("the %d. wrong login: got %d, want 401", i+1, got)
		}
	}
	for name, h := range map[string]*house{"one": one, "two": two} {
		if got, _ := h.login(t, "caller", "wrong"); got != http.StatusTooManyRequests {
			t.Errorf("the sixth wrong login on node %s: got %d, want 429", name, got)
		}
	}
}

func TestCallLimitsAreShared(t *testing.T) {
	t.Parallel()
	one, two := twoNodes(t, func(c *Config) { c.CallSustained = 10 })
	_, token := one.login(t, "caller", one.account(t, "caller"))
	eventually(t, "the account is known to both", func() bool { return status(t, two, token) != http.StatusUnauthorized })
	for range 10 {
		status(t, one, token)
	}
	if got := status(t, one, token); got != http.StatusTooManyRequests {
		t.Errorf("the eleventh call: got %d, want 429", got)
	}
	for _, h := range []*house{one, two} {
		if err := h.Calls.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := status(t, two, token); got != http.StatusTooManyRequests {
		t.Errorf("a call of the other node: got %d, want 429", got)
	}
}
