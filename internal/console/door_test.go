package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"bureau/internal/console"
)

// address fills the places of a path with numbers that nothing has.
func address(path string) string {
	r := strings.NewReplacer("{$}", "", "{id}", "999999", "{country}", "XX", "{code}", "101", "/{name}", "/console.css")
	return r.Replace(path)
}

func TestStrangersAreSentToTheDoor(t *testing.T) {
	h := newHouse(t)
	for _, row := range console.Rows() {
		if row.Need == "" {
			continue
		}
		res, body := h.browser().do(row.Method, address(row.Path), url.Values{})
		if to := res.Header.Get("Location"); res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/console/sign-in") || len(body) > 200 {
			t.Errorf("%s %s: %s to %q with %d bytes, want the door", row.Method, row.Path, res.Status, to, len(body))
		}
	}
}

// Every page and every act, by every role: who may not is told so, and what is
// the operator's does not exist for others.
func TestRolesDecideWhoMay(t *testing.T) {
	h := newHouse(t)
	rank := map[string]int{"reader": 1, "analyst": 2, "admin": 3, "operator": 4}
	for who, has := range rank {
		b := h.as(who)
		for _, row := range console.Rows() {
			if row.Need == "" || row.Need == "code" || strings.HasSuffix(row.Path, "/stream") {
				continue
			}
			res, _ := b.do(row.Method, address(row.Path), url.Values{"token": {b.token}})
			denied := res.StatusCode == http.StatusForbidden
			switch {
			case row.Need == "operator" && who != "operator":
				if res.StatusCode != http.StatusNotFound {
					t.Errorf("%s, %s %s: %s, want 404", who, row.Method, row.Path, res.Status)
				}
			case denied != (has < rank[row.Need]):
				t.Errorf("%s, %s %s: %s, want denied %v", who, row.Method, row.Path, res.Status, !denied)
			case res.StatusCode >= 500:
				t.Errorf("%s, %s %s: %s", who, row.Method, row.Path, res.Status)
			}
		}
	}
}

// A form that another site sends in somebody's name does nothing, whatever it
// carries.
func TestFormsAreOurs(t *testing.T) {
	h := newHouse(t)
	b, other := h.as("operator"), h.as("analyst")
	for _, row := range console.Rows() {
		if row.Method != http.MethodPost || row.Need == "code" {
			continue
		}
		for what, send := range map[string]func() (*http.Response, string){
			"no token":              func() (*http.Response, string) { return b.post(address(row.Path), url.Values{"token": {""}}) },
			"somebody else's token": func() (*http.Response, string) { return b.post(address(row.Path), url.Values{"token": {other.token}}) },
			"another site": func() (*http.Response, string) {
				return b.post(address(row.Path), nil, "Sec-Fetch-Site", "cross-site")
			},
			"another origin": func() (*http.Response, string) {
				return b.post(address(row.Path), nil, "Origin", "https://evil.example")
			},
		} {
			if res, _ := send(); res.StatusCode != http.StatusForbidden {
				t.Errorf("%s with %s: %s, want 403", row.Path, what, res.Status)
			}
		}
	}
}

func TestSessionCookie(t *testing.T) {
	h := newHouse(t)
	b := h.browser()
	b.get("/console/sign-in")
	before := b.token
	res, _ := b.post("/console/sign-in", url.Values{"email": {"reader@acme.test"}, "password": {sentence}})
	var session *http.Cookie
	for _, c := range res.Cookies() {
		if c.Name == "__Host-bureau-session" {
			session = c
		}
	}
	if session == nil || !session.Secure || !session.HttpOnly || session.SameSite != http.SameSiteLaxMode || session.Path != "/" || session.Domain != "" {
		t.Fatalf("the session's cookie: %+v", session)
	}
	b.get("/console/")
	if b.token == before {
		t.Error("the token of the forms is the same before and after signing in")
	}
	// Who signs in again gets another secret, and the old one is dead.
	res, _ = b.post("/console/sign-in", url.Values{"email": {"reader@acme.test"}, "password": {sentence}})
	if res.StatusCode != http.StatusSeeOther {
		t.Fatalf("signing in again: %s", res.Status)
	}
	for _, c := range res.Cookies() {
		if c.Name == session.Name && c.Value == session.Value {
			t.Error("the secret was not changed at sign-in")
		}
	}
	res, _ = h.browser().get("/console/", "Cookie", session.Name+"="+session.Value)
	if res.StatusCode != http.StatusSeeOther {
		t.Errorf("the secret of before: %s, want the door", res.Status)
	}
	b.get("/console/")
	b.post("/console/sign-out", nil)
	if res, _ := b.get("/console/"); res.StatusCode != http.StatusSeeOther {
		t.Errorf("after signing out: %s", res.Status)
	}
}

// Whatever is wrong, the page is the same; and after five the limit of the API
// is the limit here.
func TestRefusedSignInsAreAlike(t *testing.T) {
	h := newHouse(t)
	echo := regexp.MustCompile(`value="[^"]*"`)
	var first string
	for i, who := range []string{"reader@acme.test", "nobody@acme.test", "reader"} {
		b := h.browser()
		b.get("/console/sign-in")
		res, body := b.post("/console/sign-in", url.Values{"email": {who}, "password": {"not the right sentence"}})
		body = echo.ReplaceAllString(body, "")
		if i == 0 {
			first = body
		}
		if res.StatusCode != http.StatusUnauthorized || body != first {
			t.Errorf("%s: %s, and the page is another", who, res.Status)
		}
	}
	b := h.browser()
	b.get("/console/sign-in")
	for i := range 6 {
		res, _ := b.post("/console/sign-in", url.Values{"email": {"admin@acme.test"}, "password": {"wrong, wrong, wrong"}})
		if want := map[bool]int{false: http.StatusUnauthorized, true: http.StatusTooManyRequests}[i == 5]; res.StatusCode != want {
			t.Errorf("attempt %d: %s, want %d", i+1, res.Status, want)
		}
	}
}

func TestNextPageStaysInside(t *testing.T) {
	for to, want := range map[string]string{
		"/console/events?state=open": "/console/events?state=open", "/console/": "/console/",
		"": "/console/", "https://evil.example/": "/console/", "//evil.example/console/": "/console/", "/console/../v1": "/console/",
		"/console/\\evil": "/console/", "javascript:alert(1)": "/console/", "/other": "/console/", "\r\nSet-Cookie: a=b": "/console/",
	} {
		if got := console.Within(to); got != want {
			t.Errorf("Within(%q) = %q, want %q", to, got, want)
		}
	}
}
