package api_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/api"
	"bureau/internal/auth"
)

// lines are what /access says was used, by product list and country.
func lines(t *testing.T, c *client.Client) map[string]int64 {
	t.Helper()
	a, err := c.Access(t.Context())
	must(t, err)
	out := map[string]int64{}
	for name, list := range map[string][]client.Entitlement{
		"companies": a.CountryAccess.OnlineReports, "monitoring": a.CountryAccess.Monitoring,
	} {
		for _, e := range list {
			out[name+" "+e.Country] = e.Used
		}
	}
	return out
}

func TestAccessCountsRealCalls(t *testing.T) {
	sh := new(api.Shelf)
	w := newWorld(t, plan{rows: sh.Rows()})
	l := w.join("acme", append(everywhere(auth.Monitoring, auth.Companies),
		auth.Grant{Product: auth.Companies, Country: "GB", From: "2026-01-01", Paid: 5})...)
	colleague := w.account(auth.NewAccount{Customer: l.Customer, UserKey: "colleague"})
	stranger := w.join("stranger", everywhere(auth.Monitoring)...)
	id := sh.Put(l.Customer, "one")
	token := w.token(l)
	send := func(method, path, body string, want int, header ...string) {
		t.Helper()
		header = append(header, "Authorization", token, "Content-Type", jsonType)
		if got := w.send(method, path, body, header...); got.status != want {
			t.Errorf("%s %s: got %d %s, want %d", method, path, got.status, got.body, want)
		}
	}
	send("GET", "/test/things/"+id, "", 200)
	send("GET", "/v1/test/things/"+id+"/", "", 200)
	send("HEAD", "/test/things/"+id, "", 200)
	send("GET", "/test/countries/GB", "", 200)
	send("GET", "/test/countries/gb", "", 200)
	send("GET", "/test/countries/SE", "", 200)
	send("POST", "/test/things", `{"name":"x"}`, 200, "Idempotency-Key", "a")
	send("POST", "/test/things", `{"name":"x"}`, 200, "Idempotency-Key", "a") // an old answer is no new call

	// What failed, or belongs to no product, is not counted.
	send("GET", "/test/things/none", "", 404)
	send("GET", "/test/countries/GB?page=99", "", 400)
	send("POST", "/test/things", `{}`, 400)
	send("GET", "/test/broken", "", 500)
	send("OPTIONS", "/test/things/"+id, "", 204)
	send("GET", "/access/users/me", "", 200)
	token = w.token(colleague)
	send("GET", "/test/countries/GB", "", 200)

	want := map[string]int64{"companies GB": 3, "companies WW": 1, "monitoring WW": 4}
	if d := cmp.Diff(want, lines(t, w.client(l))); d != "" {
		t.Errorf("/access (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]int64{"monitoring WW": 0}, lines(t, w.client(stranger))); d != "" {
		t.Errorf("a stranger's /access (-want +got):\n%s", d)
	}
	month, err := w.usage.Month(t.Context(), "2026-03")
	must(t, err)
	got := map[string]int64{}
	for _, u := range month {
		got[fmt.Sprintf("%d %s %q", u.Account-l.Account, u.Product, u.Country)] += u.Calls
	}
	wantMonth := map[string]int64{`0 companies "GB"`: 2, `0 companies "SE"`: 1, `0 monitoring ""`: 4, `1 companies "GB"`: 1}
	if d := cmp.Diff(wantMonth, got); d != "" {
		t.Errorf("the month's usage (-want +got):\n%s", d)
	}
}

func TestConcurrentCallsAreAllCounted(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	l := w.join("acme", everywhere(auth.Companies)...)
	token := w.token(l)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				if got := w.send("GET", "/test/countries/GB", "", "Authorization", token); got.status != 200 {
					t.Errorf("got %d", got.status)
				}
			}
		})
	}
	wg.Wait()
	if got := lines(t, w.client(l))["companies WW"]; got != 200 {
		t.Errorf("%d calls were counted, want 200", got)
	}
}
