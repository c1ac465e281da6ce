package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"bureau/internal/api"
)

func TestPathsAreForgiving(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme"))
	for _, path := range []string{
		"/access/users/me", "/v1/access/users/me", "/V1/access/users/me", "/v1/ACCESS/Users/ME", "/v1/access/users/me/",
		"//v1//access///users/me//", "/access/users/me?", "/v1/access/users/me/?x=y", "/v1/%61ccess/users/me",
	} {
		if got := w.send("GET", path, "", "Authorization", token); got.status != 200 {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
	for _, path := range []string{"/v1/authenticate", "/authenticate", "/V1/Authenticate/", "//authenticate"} {
		if got := w.send("POST", path, `{}`); got.status != 400 || got.body != "" {
			t.Errorf("%s: got %d %q, want an empty 400", path, got.status, got.body)
		}
	}
}

func TestIDsArriveAsTheyWereSent(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme"))
	for path, want := range map[string]string{
		"GB-0-01234567": "GB-0-01234567", "aBcD": "aBcD", "a%2Fb": "a/b", "a%2fb": "a/b", "%E2%82%AC": "€", "a+b": "a+b",
		"a%20b": "a b", "..": "..", "%2e%2e": "..", "a;b=c": "a;b=c", "a%3Fb": "a?b", "%25": "%", "a:b@c": "a:b@c",
		"newest": "literal", "NEWEST": "literal", "newest%2F": "newest/", "newest2": "newest2",
	} {
		got := w.send("GET", "/v1/TEST/echo/"+path+"/", "", "Authorization", token)
		var body struct{ ID string }
		must(t, json.Unmarshal([]byte(got.body), &body))
		if got.status != 200 || body.ID != want {
			t.Errorf("%s: got %d %q, want %q", path, got.status, body.ID, want)
		}
	}
}

func TestNoSuchPathOrMethod(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme"))
	for _, path := range []string{"/", "/v1", "/nowhere", "/v1/v1/access", "/access/users/me/more", "/v2/access"} {
		for _, header := range [][]string{nil, {"Authorization", token}} {
			wantError(t, w.send("GET", path, "", header...), 404, "Resource not found", "there is nothing at this path")
		}
	}
	for _, c := range []struct{ method, path, allow, details string }{
		{"POST", "/v1/access", "GET, HEAD, OPTIONS", "this path takes GET"},
		{"GET", "/v1/authenticate", "POST, OPTIONS", "this path takes POST"},
		{"DELETE", "/test/things", "POST, OPTIONS", "this path takes POST"},
		{"BREW", "/test/echo/newest", "GET, HEAD, OPTIONS", "this path takes GET"},
	} {
		got := w.send(c.method, c.path, "")
		wantError(t, got, 405, "Method not allowed", c.details)
		wantHeader(t, got, "Allow", c.allow)
	}
}

func TestBrowsersMayCall(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme"))
	for path, methods := range map[string]string{
		"/v1/authenticate": "POST, OPTIONS", "/v1/access": "GET, HEAD, OPTIONS", "/test/echo/newest": "GET, HEAD, OPTIONS",
		"/openapi.json": "GET, HEAD, OPTIONS",
	} {
		got := w.send("OPTIONS", path, "", "Origin", "https://app.example", "Access-Control-Request-Method", "GET")
		if got.status != http.StatusNoContent || got.body != "" {
			t.Errorf("%s: got %d %q, want an empty 204", path, got.status, got.body)
		}
		wantHeader(t, got, "Access-Control-Allow-Origin", "*")
		wantHeader(t, got, "Access-Control-Allow-Methods", methods)
		wantHeader(t, got, "Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Idempotency-Key, Last-Event-ID")
	}
	if got := w.send("OPTIONS", "/nowhere", ""); got.status != 404 {
		t.Errorf("OPTIONS of nothing: got %d, want 404", got.status)
	}
	// The answer itself, whatever it is, may be read too.
	for _, path := range []string{"/access", "/nowhere", "/protect/x", "/test/broken"} {
		got := w.send("GET", path, "", "Authorization", token, "Origin", "https://app.example")
		wantHeader(t, got, "Access-Control-Allow-Origin", "*")
		if got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s lets cookies in", path)
		}
	}
}

func TestHeadIsGetWithoutABody(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme"))
	for path, status := range map[string]int{"/access/users/me": 200, "/.well-known/jwks.json": 200, "/openapi.json": 200, "/nowhere": 404} {
		got := w.send("HEAD", path, "", "Authorization", token)
		if got.status != status || got.body != "" || got.header.Get("Content-Type") != jsonType {
			t.Errorf("%s: got %d %q %q", path, got.status, got.header.Get("Content-Type"), got.body)
		}
	}
	if got := w.send("HEAD", "/access", ""); got.status != 401 {
		t.Errorf("without a token: got %d, want 401", got.status)
	}
}
