package api_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
)

// unexpected is the whole body of a limited login.
const unexpected = `{"error":{"code":"UnexpectedInternalError","text":"An unexpected error occurred.",` +
	`"detail":"The request could not be handled at this time."}}`

func wantLimited(t *testing.T, got answer, retryAfter int) {
	t.Helper()
	if got.status != http.StatusTooManyRequests || got.header.Get("Content-Type") != jsonType || got.body != unexpected {
		t.Errorf("got %d %q %q, want 429 %q %q", got.status, got.header.Get("Content-Type"), got.body, jsonType, unexpected)
	}
	if got, want := got.header.Get("Retry-After"), strconv.Itoa(retryAfter); got != want {
		t.Errorf("got Retry-After %q, want %q", got, want)
	}
}

// wantIdentical checks what a login says of the limit on identical requests.
func wantIdentical(t *testing.T, got answer, left, reset int) {
	t.Helper()
	if got, want := got.header.Get("RateLimit"), fmt.Sprintf(`"identical";r=%d;t=%d, `, left, reset); !strings.HasPrefix(got, want) {
		t.Errorf("got RateLimit %s, want it to begin with %s", got, want)
	}
}

func wantHeader(t *testing.T, got answer, name, want string) {
	t.Helper()
	if got := got.header.Get(name); got != want {
		t.Errorf("got %s: %s, want %s", name, got, want)
	}
}

func TestSixthIdenticalInvalidRequestIsLimited(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme")
	for _, c := range []struct {
		name string
		body string
		want int
	}{
		{"wrong password", credentials("acme", "wrong"), 401},
		{"unknown name", credentials("nobody", "wrong"), 401},
		{"no JSON", "{", 400},
		{"too long", credentials("acme", l.Password+"x"), 400},
		{"empty", "", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			send := func() answer { return w.send("POST", "/v1/authenticate", c.body, "Content-Type", jsonType) }
			for i := range 5 {
				got := send()
				wantLogin(t, got, c.want)
				wantHeader(t, got, "RateLimit-Policy", `"identical";q=5;w=120, "total";q=10000;w=300`)
				wantIdentical(t, got, 4-i, 120-10*i)
				w.clock.Step(10 * time.Second)
			}
			// The first was 50 seconds ago, so there is room in 70.
			got := send()
			wantLimited(t, got, 70)
			wantIdentical(t, got, 0, 70)
			wantLogin(t, w.send("POST", "/v1/authenticate", credentials("acme", l.Password)), 200)

			w.clock.Step(69999 * time.Millisecond)
			wantLimited(t, send(), 1) // nor did the refused ones prolong it
			w.clock.Step(time.Millisecond)
			wantLogin(t, send(), c.want)
			wantLimited(t, send(), 10) // the second of the five has ten more to go
			w.clock.Step(5 * time.Minute)
		})
	}
}

func TestIdenticalMeansIdentical(t *testing.T) {
	w := newWorld(t, plan{})
	w.join("acme")
	for i := range 12 {
		wantLogin(t, w.send("POST", "/v1/authenticate", credentials("acme", fmt.Sprint("guess ", i))), 401)
	}
	// The same request in another dress is the same.
	for i := range 5 {
		body := []string{credentials("acme", "x"), ` {"password":"x","username":"acme"}`, `{"username":"acme","password":"\u0078"}`}[i%3]
		wantLogin(t, w.send("POST", "/v1/authenticate", body), 401)
	}
	wantLimited(t, w.send("POST", "/authenticate", "username=acme&password=x", "Content-Type", formType), 120)
}

func TestWrongGuessesNeverUseUpTheRightPassword(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme")
	for range 20 {
		w.send("POST", "/v1/authenticate", credentials("acme", "wrong"))
		wantLogin(t, w.send("POST", "/v1/authenticate", credentials("acme", l.Password)), 200)
	}
}

func TestTotalThresholdClosesTheDoor(t *testing.T) {
	rules := auth.DefaultLoginRules
	rules.TotalSource, rules.TotalPair = 10, 10
	w := newWorld(t, plan{login: rules, proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	l := w.join("acme")
	from := func(address, body string) answer {
		return w.send("POST", "/v1/authenticate", body, "X-Forwarded-For", address)
	}
	right := credentials("acme", l.Password)
	for i := range 10 {
		got := from("192.0.2.1", right)
		wantLogin(t, got, 200)
		wantHeader(t, got, "RateLimit", fmt.Sprintf(`"total";r=%d;t=300`, 9-i))
	}
	got := from("192.0.2.1", right)
	wantLimited(t, got, 300)
	wantHeader(t, got, "RateLimit", `"total";r=0;t=300`)
	wantHeader(t, got, "RateLimit-Policy", `"total";q=10;w=300`)
	wantLogin(t, from("192.0.2.2", right), 200) // another address is another matter

	w.clock.Step(299 * time.Second)
	wantLimited(t, from("192.0.2.1", right), 1)
	w.clock.Step(time.Second)
	wantLogin(t, from("192.0.2.1", right), 200)

	// Refused requests count: a source that goes on finds the door closed anew.
	for range 11 {
		from("192.0.2.3", right)
	}
	w.clock.Step(299 * time.Second)
	for range 10 {
		from("192.0.2.3", right)
	}
	w.clock.Step(time.Second)
	wantLimited(t, from("192.0.2.3", right), 300)
}

// Whatever a limited answer promises is kept, and not a second late.
func TestRetryAfterTellsTheTruth(t *testing.T) {
	rules := auth.DefaultLoginRules
	rules.TotalSource, rules.TotalPair = 9, 7
	w := newWorld(t, plan{login: rules})
	l := w.join("acme")
	bodies := []string{credentials("acme", l.Password), credentials("acme", "wrong"), "{"}
	limited := 0
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		body := bodies[random.IntN(len(bodies))]
		got := w.send("POST", "/v1/authenticate", body)
		if got.status == http.StatusTooManyRequests {
			limited++
			wait, err := strconv.Atoi(got.header.Get("Retry-After"))
			must(t, err)
			w.clock.Step(time.Duration(wait) * time.Second)
			if got := w.send("POST", "/v1/authenticate", body); got.status == http.StatusTooManyRequests {
				t.Fatalf("request %d: refused again after the %d seconds it was told", i, wait)
			}
		}
		w.clock.Step(time.Duration(random.IntN(7000)) * time.Millisecond)
	}
	if limited == 0 {
		t.Error("nothing was ever limited")
	}
}
