package console_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// account is the one with a user key.
func (h *house) account(key string) auth.Account {
	h.t.Helper()
	for _, a := range h.Directory.Accounts(0) {
		if a.UserKey == key {
			return a
		}
	}
	h.t.Fatalf("there is no account %s", key)
	return auth.Account{}
}

// What an analyst shares is on a reader's pages, until it is shared no longer.
// Nobody but the owner shares it, and with colleagues alone.
func TestPortfoliosAreShared(t *testing.T) {
	h := newHouse(t)
	owner := h.account("analyst")
	p, err := h.Portfolios.Create(t.Context(), auth.Caller{Customer: owner.Customer, Account: owner.ID}, monitor.Portfolio{Name: "Shared soon"})
	must(t, err)
	analyst, reader := h.as("analyst"), h.as("reader")
	share := func(b *browser, with, rights string) *http.Response {
		t.Helper()
		res, _ := b.post(portfolio(p.ID)+"/share", url.Values{"account": {with}, "rights": {rights}})
		return res
	}
	seen := func(want bool) {
		t.Helper()
		for _, path := range []string{"/console/", "/console/portfolios"} {
			if _, body := reader.get(path); strings.Contains(body, "Shared soon") != want {
				t.Errorf("%s shows it: %v, want %v", path, !want, want)
			}
		}
	}
	id := itoa(int64(h.account("reader").ID))
	seen(false)
	if _, body := reader.get("/console/portfolios"); strings.Contains(body, "Give it a name above") || !strings.Contains(body, "can share it with you") {
		t.Error("who makes no portfolios is asked to make one")
	}
	_, body := analyst.get(portfolio(p.ID) + "/edit")
	if !strings.Contains(body, "Nobody but you sees this portfolio") || strings.Contains(body, "stranger@acme.test") {
		t.Error("the page does not say with whom it can be shared")
	}
	for what, res := range map[string]*http.Response{
		"nobody":          share(analyst, "", "view"),
		"another's":       share(analyst, itoa(int64(h.account("stranger").ID)), "view"),
		"oneself":         share(analyst, itoa(int64(owner.ID)), "view"),
		"no such right":   share(analyst, id, "everything"),
		"not one's own":   share(h.as("admin"), id, "view"),
		"another's right": share(h.as("stranger"), id, "view"),
	} {
		if res.StatusCode < 400 || res.StatusCode >= 500 {
			t.Errorf("%s: %s, want a refusal", what, res.Status)
		}
	}
	seen(false)
	if res := share(analyst, id, "view"); res.StatusCode != http.StatusSeeOther {
		t.Fatalf("share: %s", res.Status)
	}
	seen(true)
	if _, body := analyst.get(portfolio(p.ID) + "/edit"); !strings.Contains(body, "Stop sharing with reader@acme.test") {
		t.Error("the page does not say with whom it is shared")
	}
	if res := share(analyst, id, "none"); res.StatusCode != http.StatusSeeOther {
		t.Fatalf("stop sharing: %s", res.Status)
	}
	seen(false)
}
