package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/api"
	"bureau/internal/auth"
	"bureau/internal/store/storetest"
)

// wantError checks a whole error body: both vocabularies, and the correlationId
// of the header.
func wantError(t *testing.T, got answer, status int, message, details string) {
	t.Helper()
	id := got.header.Get(api.CorrelationHeader)
	if id == "" {
		t.Error("no correlation id")
	}
	code := strings.ReplaceAll(http.StatusText(status), " ", "")
	want := map[string]any{
		"correlationId": id, "message": message, "details": details,
		"error": map[string]any{"code": code, "text": message, "detail": details},
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(got.body), &body); err != nil {
		t.Fatalf("got %d %q, want JSON", got.status, got.body)
	}
	if d := cmp.Diff(want, body); d != "" || got.status != status || got.header.Get("Content-Type") != jsonType {
		t.Errorf("got %d %q, want %d (-want +got):\n%s", got.status, got.header.Get("Content-Type"), status, d)
	}
}

func TestInputThatIsWrongIsNamed(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme", everywhere(auth.Monitoring, auth.Companies)...))
	for _, c := range []struct {
		name, method, path, kind, body string
		status                         int
		details                        string
	}{
		{"missing field", "POST", "/test/things", jsonType, `{}`, 400, "body: expected required property name to be present"},
		{"empty field", "POST", "/test/things", jsonType, `{"name":""}`, 400, "name: expected length >= 1"},
		{"long field", "POST", "/test/things", jsonType, `{"name":"12345678901"}`, 400, "name: expected length <= 10"},
		{"wrong type", "POST", "/test/things", jsonType, `{"name":7}`, 400, "name: expected string"},
		{"out of range", "POST", "/test/things", jsonType, `{"name":"x","count":6}`, 400, "count: expected number <= 5"},
		{"two at once", "POST", "/test/things", jsonType, `{"name":"","count":6}`, 400, "count: expected number <= 5; name: expected length >= 1"},
		{"inside a list", "POST", "/test/things", jsonType, `{"name":"x","tags":["a",1]}`, 400, "tags[1]: expected string"},
		{"no body", "POST", "/test/things", jsonType, ``, 400, "request body is required"},
		{"no JSON", "POST", "/test/things", jsonType, `{`, 400, "body: unexpected end of JSON input"},
		{"something behind", "POST", "/test/things", jsonType, `{"name":"x"}{}`, 400, "body: invalid character '{' after top-level value"},
		{"an array", "POST", "/test/things", jsonType, `[]`, 400, "body: expected object"},
		{"not JSON by its own word", "POST", "/test/things", "text/csv", `a,b`, 415, "body: unknown content type: text/csv"},
		{"too large", "POST", "/test/things", jsonType, `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "request body is too large limit=1048576 bytes"},
		{"a word for a number", "GET", "/test/countries/GB?page=one", "", "", 400, "page: invalid integer"},
		{"beyond the end", "GET", "/test/countries/GB?page=10", "", "", 400, "page: expected number <= 9"},
		{"no country", "GET", "/test/countries/Britain", "", "", 400, "countryCode: expected string to match pattern ^[A-Za-z]{2}$"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := w.send(c.method, c.path, c.body, "Authorization", token, "Content-Type", c.kind)
			message := "Bad request"
			if c.status != 400 {
				message = http.StatusText(c.status)
			}
			wantError(t, got, c.status, message, c.details)
		})
	}
	if log := w.log.String(); log != "" {
		t.Errorf("none of it is our failure, but the log says %s", log)
	}
}

func TestBodyThatBreaksOff(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme", everywhere(auth.Monitoring)...))
	got := w.raw("POST /test/things HTTP/1.1\r\nHost: x\r\nAuthorization: " + token +
		"\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{\"nam\r\nzz\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 400 Bad Request\r\n") || !strings.Contains(got, `"details":"the body could not be read"`) {
		t.Errorf("got %q, want a 400", got)
	}
}

func TestWhatIsUnknownIsIgnored(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme", everywhere(auth.Monitoring, auth.Companies)...))
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/test/things", `{"name":"x","colour":"red","nested":{"a":[1]}}`},
		{"POST", "/test/things?colour=red", `{"name":"x"}`},
		{"GET", "/test/countries/GB?colour=red&page=1&x[]=2&=&%zz", ""},
		{"GET", "/access/users/me?colour=red", `{"a":1}`},
	} {
		got := w.send(c.method, c.path, c.body, "Authorization", token, "Content-Type", jsonType,
			"X-Client-Ver", "1", "Accept", "application/json+pdf")
		if got.status != 200 || got.header.Get("Content-Type") != jsonType {
			t.Errorf("%s %s: got %d %q %s", c.method, c.path, got.status, got.header.Get("Content-Type"), got.body)
		}
	}
	for _, accept := range []string{"", "*/*", "text/html", "application/cbor", "application/json;q=0.1, text/plain", "json"} {
		got := w.send("GET", "/access/users/me", "", "Authorization", token, "Accept", accept)
		if got.status != 200 || got.header.Get("Content-Type") != jsonType {
			t.Errorf("Accept %q: got %d %q", accept, got.status, got.header.Get("Content-Type"))
		}
	}
}

func TestOurOwnFailuresShowNothing(t *testing.T) {
	w := newWorld(t, plan{rows: append(new(api.Shelf).Rows(), api.Panics())})
	token := w.token(w.join("acme"))
	const said = "something went wrong on our side; it was noted under this correlationId"
	got := w.send("GET", "/test/broken", "", "Authorization", token)
	wantError(t, got, 500, "Unhandled error", said)
	for _, want := range []string{"plugh", "testBroken", got.header.Get(api.CorrelationHeader)} {
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log does not say %q: %s", want, w.log)
		}
	}
	if n := strings.Count(w.log.String(), "\n"); n != 1 {
		t.Errorf("the log has %d lines, want 1", n)
	}
	wantError(t, w.send("GET", "/test/panics", "", "Authorization", token), 500, "Unhandled error", said)
}

func TestFaultsAreToldInTheirWords(t *testing.T) {
	w := newWorld(t, plan{rows: new(api.Shelf).Rows()})
	token := w.token(w.join("acme", everywhere(auth.Monitoring)...))
	send := func(path string) answer { return w.send("GET", path, "", "Authorization", token) }
	wantError(t, send("/test/details"), 400, "Bad request", "one; two")
	wantError(t, send("/test/conflict"), 409, "it is there already", "it is there already")
	wantError(t, send("/test/things/none"), 404, "Thing not found", "Thing not found")
	got := send("/test/busy")
	wantError(t, got, 503, "Service busy", "not now")
	wantHeader(t, got, "Retry-After", "2") // 1.5 seconds, and never too soon
	if log := w.log.String(); log != "" {
		t.Errorf("none of it is our failure, but the log says %s", log)
	}
}

func TestCorrelationIDIsTheRequests(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme")
	me, err := w.client(l).Me(t.Context())
	must(t, err)
	last := fmt.Sprintf("00000000-0000-4000-8000-%012d", w.seen.Load())
	if me.CorrelationID != last {
		t.Errorf("got %q, want %q", me.CorrelationID, last)
	}
}

// While the database is out of reach callers are told to come again, and when;
// when it is back they are answered.
func TestDatabaseOutOfReachIsBusy(t *testing.T) {
	pg := storetest.PostgresServer(t)
	w := newWorld(t, plan{url: pg.URL("postgres")})
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	ask := func() answer { return w.send("GET", "/companies/GB-0-1", "", "Authorization", token) }
	wantError(t, ask(), 404, "Company resource not found", "Company resource not found")
	pg.Kill()
	got := ask()
	wantError(t, got, 503, "Service busy", "the database cannot be used just now; try again soon")
	if after := got.header.Get("Retry-After"); after != "2" {
		t.Errorf("Retry-After is %q", after)
	}
	if !strings.Contains(w.log.String(), "request failed") {
		t.Errorf("the log says nothing of it: %s", w.log)
	}
	pg.Start()
	wantError(t, ask(), 404, "Company resource not found", "Company resource not found")
}
