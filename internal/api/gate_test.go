package api_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/api"
	"bureau/internal/auth"
)

const invalidToken = `{"error":"Invalid token."}`

func wantStranger(t *testing.T, got answer) {
	t.Helper()
	if got.status != http.StatusUnauthorized || got.header.Get("Content-Type") != jsonType || got.body != invalidToken {
		t.Errorf("got %d %q %q, want 401 %q %q", got.status, got.header.Get("Content-Type"), got.body, jsonType, invalidToken)
	}
	wantHeader(t, got, "WWW-Authenticate", `Bearer error="invalid_token"`)
}

func TestTokenInEveryFormThatClientsSend(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme"))
	for _, header := range []string{
		"Bearer " + token, "bearer " + token, "BEARER " + token, "bEaReR " + token,
		token, "Bearer   " + token, "Bearer " + token + " ", " " + token,
	} {
		if got := w.send("GET", "/v1/access/users/me", "", "Authorization", header); got.status != 200 {
			t.Errorf("%.20q…: got %d, want 200", header, got.status)
		}
	}
	parts := strings.Split(token, ".")
	for name, header := range map[string]string{
		"nothing":            "",
		"a scheme only":      "Bearer",
		"a scheme and space": "Bearer ",
		"another scheme":     "Basic " + token,
		"a scheme twice":     "Bearer Bearer " + token,
		"no space":           "Bearer" + token,
		"a tab":              "Bearer\t" + token,
		"quoted":             `Bearer "` + token + `"`,
		"two tokens":         "Bearer " + token + ", " + token,
		"two parts":          "Bearer " + parts[0] + "." + parts[1],
		"four parts":         "Bearer " + token + ".x",
		"a part empty":       "Bearer " + parts[0] + ".." + parts[2],
		"its end cut off":    "Bearer " + token[:len(token)-1],
		"its start cut off":  "Bearer " + token[1:],
		"in capitals":        "Bearer " + strings.ToUpper(token),
		"not a token":        "Bearer null",
	} {
		t.Run(name, func(t *testing.T) {
			wantStranger(t, w.send("GET", "/v1/access/users/me", "", "Authorization", header))
		})
	}
	t.Run("no header", func(t *testing.T) { wantStranger(t, w.send("GET", "/access", "")) })
	t.Run("in the query", func(t *testing.T) { wantStranger(t, w.send("GET", "/access?access_token="+token+"&token="+token, "")) })
	t.Run("in a cookie", func(t *testing.T) { wantStranger(t, w.send("GET", "/access", "", "Cookie", "token="+token)) })
}

// A11: a hostile header is refused before anything of it is read.
func TestHostileTokens(t *testing.T) {
	w := newWorld(t, plan{})
	for name, header := range map[string]string{
		"many dots":          strings.Repeat(".", 12<<10),
		"a huge header":      strings.Repeat("A", 8<<10) + ".e30.c2ln",
		"a huge claim":       "e30." + strings.Repeat("A", 8<<10) + ".c2ln",
		"a huge scheme":      strings.Repeat("Bearer ", 1000),
		"deep JSON":          "W1tbW1tbW1tbW1tbW1tbW1tbW1tbW1tb.W1tb.W1tb",
		"bad base64":         "!!!.???.###",
		"one over the limit": strings.Repeat("a", 4097),
	} {
		t.Run(name, func(t *testing.T) {
			wantStranger(t, w.send("GET", "/v1/access/users/me", "", "Authorization", "Bearer "+header))
		})
	}
}

func TestTokenComesBeforeTheInput(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	bare := w.token(w.join("bare"))
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/test/things", "no JSON"},
		{"POST", "/test/things", `{"name":"far too long for a name"}`},
		{"POST", "/test/things", strings.Repeat("x", 2<<20)},
		{"GET", "/test/countries/nowhere?page=ninety", ""},
	} {
		wantStranger(t, w.send(c.method, c.path, c.body, "Idempotency-Key", strings.Repeat("k", 300)))
		if got := w.send(c.method, c.path, c.body, "Authorization", bare); got.status != 403 {
			t.Errorf("%s %s without the product: got %d, want 403", c.method, c.path, got.status)
		}
	}
}

// openPatterns are all that can be called without a token. Think before you add
// one.
var openPatterns = []string{
	"/protect", "/protect/...", "GET /.well-known/jwks.json", "GET /openapi.json",
	"GET /signed/companies/{connectId}",           // its address is signed
	"GET /signed/kyc-protect/searches/{searchId}", // likewise
	"GET /signed/kyc/{file}",                      // likewise
	"GET /unsubscribe/{token}",                    // so is this one's
	"POST /authenticate",
	"POST /unsubscribe/{token}",
}

var placeholder = regexp.MustCompile(`\{[^}]*\}|\.\.\.`)

// unguarded calls everything without a token and returns what did not refuse.
func unguarded(w *world) (out []string) {
	w.t.Helper()
	for _, pattern := range w.server.Registered() {
		method, path, ok := strings.Cut(pattern, " ")
		if !ok {
			method, path = "GET", pattern
		}
		got := w.send(method, placeholder.ReplaceAllString(path, "1"), "{}")
		if got.status != http.StatusUnauthorized || got.body != invalidToken {
			out = append(out, pattern)
		}
	}
	return out
}

func TestEverythingElseNeedsAToken(t *testing.T) {
	sh := new(api.Shelf)
	w := newWorld(t, plan{rows: append(sh.Rows(), api.OpenDoor())})
	if d := cmp.Diff(slices.Sorted(slices.Values(append(openPatterns, "GET /test/open"))), unguarded(w)); d != "" {
		t.Errorf("a row that forgot the gate was not found (-want +got):\n%s", d)
	}
	w = newWorld(t, plan{rows: sh.Rows()})
	if d := cmp.Diff(openPatterns, unguarded(w)); d != "" {
		t.Errorf("open without a token (-want +got):\n%s", d)
	}
}

func TestProductAndCountry(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	grant := func(p auth.Product, country string, from, until auth.Date) auth.Grant {
		return auth.Grant{Product: p, Country: country, From: from, Until: until}
	}
	token := w.token(w.join("acme",
		grant(auth.Companies, "GB", "2026-01-01", ""),
		grant(auth.Companies, "SE", "2026-01-01", "2026-03-02"), // today is the last day
		grant(auth.Companies, "NO", "2026-01-01", "2026-03-01"),
		grant(auth.Companies, "DE", "2026-03-03", ""),
		grant(auth.KYC, auth.Everywhere, "2026-01-01", ""),
	))
	for _, c := range []struct {
		path   string
		want   int
		detail string
	}{
		{"/test/countries/GB", 200, ""},
		{"/test/countries/gb", 200, ""},
		{"/test/countries/SE", 200, ""},
		{"/test/countries/NO", 403, "no access to companies in NO"},
		{"/test/countries/DE", 403, "no access to companies in DE"},
		{"/test/countries/FR", 403, "no access to companies in FR"},
		{"/test/things/1", 403, "no access to monitoring"},
	} {
		t.Run(c.path, func(t *testing.T) {
			got := w.send("GET", "/v1"+c.path, "", "Authorization", "Bearer "+token)
			if c.want == 200 {
				if got.status != 200 {
					t.Errorf("got %d %s, want 200", got.status, got.body)
				}
				return
			}
			wantError(t, got, c.want, "Access forbidden", c.detail)
		})
	}
	denied := 0
	must(t, w.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.CallDenied {
			denied++
		}
		return nil
	}))
	if denied != 4 {
		t.Errorf("%d refusals are in the audit log, want 4", denied)
	}
}

func TestGrantThatIsTakenAway(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	l := w.join("acme", everywhere(auth.Companies)...)
	token := w.token(l)
	call := func() int { return w.send("GET", "/test/countries/GB", "", "Authorization", token).status }
	if got := call(); got != 200 {
		t.Fatalf("got %d, want 200", got)
	}
	_, err := w.office.Grant(t.Context(), l.Customer, everywhere(auth.Companies), true)
	must(t, err)
	if got := call(); got != 403 {
		t.Errorf("got %d, want 403", got)
	}
	_, err = w.office.Disable(t.Context(), l.Username, true)
	must(t, err)
	if got := call(); got != 401 {
		t.Errorf("a disabled account: got %d, want 401", got)
	}
}

func TestCallsAreLimited(t *testing.T) {
	w := newWorld(t, plan{calls: auth.CallRules{Burst: 3, Sustained: 5}})
	token, other := w.token(w.join("acme")), w.token(w.join("other"))
	call := func(token string) answer { return w.send("GET", "/access/users/me", "", "Authorization", token) }
	for i, want := range []string{
		`"burst";r=2;t=1, "sustained";r=4;t=300`, `"burst";r=1;t=1, "sustained";r=3;t=300`, `"burst";r=0;t=1, "sustained";r=2;t=300`,
	} {
		got := call(token)
		if got.status != 200 {
			t.Errorf("call %d: got %d, want 200", i+1, got.status)
		}
		wantHeader(t, got, "RateLimit", want)
		wantHeader(t, got, "RateLimit-Policy", `"burst";q=3;w=1, "sustained";q=5;w=300`)
	}
	got := call(token)
	wantError(t, got, 429, "Too many requests", "this account has made too many calls; try again in 1s")
	wantHeader(t, got, "Retry-After", "1")
	wantHeader(t, got, "RateLimit", `"burst";r=0;t=1, "sustained";r=2;t=300`) // the refused call cost nothing
	if got := call(other); got.status != 200 {
		t.Errorf("another account: got %d, want 200", got.status)
	}
	w.clock.Step(time.Second)
	call(token)
	call(token)
	w.clock.Step(time.Second)
	got = call(token)
	wantError(t, got, 429, "Too many requests", "this account has made too many calls; try again in 4m58s")
	wantHeader(t, got, "Retry-After", "298")
	w.clock.Step(298 * time.Second)
	if got := call(token); got.status != 200 {
		t.Errorf("after the wait: got %d, want 200", got.status)
	}
}
