package app

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"bureau/internal/api"
)

// pass sends a request through the outermost handler to a handler of the test.
func pass(t *testing.T, r *http.Request, h http.HandlerFunc) (*httptest.ResponseRecorder, *journal) {
	t.Helper()
	log, j := newLog()
	w := httptest.NewRecorder()
	outermost(log, newMetrics("test"), nil, h).ServeHTTP(w, r)
	return w, j
}

// answer is a handler that answers with a body of n bytes.
func answer(kind string, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Length", fmt.Sprint(n))
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write(bytes.Repeat([]byte("a"), n))
	}
}

func TestGzip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says    string
		accepts string
		method  string
		h       http.HandlerFunc
		zipped  bool
		varies  bool
	}{
		{"large JSON is compressed", "gzip, deflate, br", "GET", answer("application/json", 5000), true, true},
		{"a weight is no refusal", "br;q=1.0, gzip;q=0.5", "GET", answer("application/json", 5000), true, true},
		{"just worth it", "gzip", "GET", answer("application/json; charset=utf-8", worthZipping), true, true},
		{"not quite worth it", "gzip", "GET", answer("application/json", worthZipping-1), false, false},
		{"a client that cannot", "", "GET", answer("application/json", 5000), false, true},
		{"a client that will not", "gzip;q=0, identity", "GET", answer("application/json", 5000), false, true},
		{"a client that will not, to three places", "gzip; q=0.000", "GET", answer("application/json", 5000), false, true},
		{"a picture is compressed already", "gzip", "GET", answer("image/png", 5000), false, false},
		{"what is compressed already", "gzip", "GET", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			answer("application/json", 5000)(w, r)
		}, false, false},
	} {
		t.Run(c.says, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "/", nil)
			r.Header.Set("Accept-Encoding", c.accepts)
			w, _ := pass(t, r, c.h)
			if w.Code != http.StatusAccepted {
				t.Errorf("got status %d", w.Code)
			}
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != c.zipped {
				t.Errorf("compressed: got %v, want %v", got, c.zipped)
			}
			if got := w.Header().Get("Vary") == "Accept-Encoding"; got != c.varies {
				t.Errorf("Vary: got %q, want %v", w.Header().Get("Vary"), c.varies)
			}
			if !c.zipped {
				return
			}
			if w.Header().Get("Content-Length") != "" {
				t.Error("the length is that of the body before it was compressed")
			}
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(z); err != nil || strings.Trim(string(b), "a") != "" || len(b) < worthZipping {
				t.Errorf("got %d bytes, %v", len(b), err)
			}
		})
	}
}

// On a real connection, since it is the server that leaves the body out.
func TestAnswersWithoutABody(t *testing.T) {
	t.Parallel()
	log, _ := newLog()
	server := httptest.NewServer(outermost(log, newMetrics("test"), nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/none" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer("application/json", 5000)(w, r)
	})))
	defer server.Close()
	for _, c := range []struct {
		method, path string
		status       int
	}{{"HEAD", "/", http.StatusAccepted}, {"GET", "/none", http.StatusNoContent}, {"HEAD", "/none", http.StatusNoContent}} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, server.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept-Encoding", "gzip")
		res, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || len(b) != 0 || res.StatusCode != c.status {
			t.Errorf("%s %s: got %s, %d bytes, %v", c.method, c.path, res.Status, len(b), err)
		}
		if c.status == http.StatusNoContent && (res.Header.Get("Content-Encoding") != "" || res.Header.Get("Content-Length") != "") {
			t.Errorf("%s %s says something of a body: %v", c.method, c.path, res.Header)
		}
	}
}

func TestPanicIsA500(t *testing.T) {
	t.Parallel()
	w, j := pass(t, httptest.NewRequest("GET", "/v1/people/Ada%20Brook?born=1815", nil), func(w http.ResponseWriter, r *http.Request) {
		r.Pattern = "/people/{id}"
		w.Header().Set("Content-Length", "3")
		w.Header().Set("Cache-Control", "public")
		w.WriteHeader(http.StatusOK)
		panic("a bug")
	})
	if w.Code != http.StatusInternalServerError || w.Header().Get("Cache-Control") != "" {
		t.Errorf("got %d with %v, want a plain 500", w.Code, w.Header())
	}
	var body struct {
		CorrelationID string
		Message       string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if id := w.Header().Get(api.CorrelationHeader); body.CorrelationID != id || id == "" || strings.Contains(w.Body.String(), "a bug") {
		t.Errorf("got %s, want a body with the correlationId %s and nothing of the bug", w.Body, id)
	}
	lines := j.lines(t, "request")
	if len(lines) != 1 || strings.Count(j.String(), "\n") != 1 {
		t.Fatalf("want one line in the log, got:\n%s", j)
	}
	l := lines[0]
	if l["level"] != "ERROR" || l["err"] != "panic: a bug" || l["correlationId"] != body.CorrelationID ||
		!strings.Contains(fmt.Sprint(l["stack"]), "TestPanicIsA500") {
		t.Errorf("the line does not tell what happened: %v", l)
	}
	if strings.Contains(j.String(), "Brook") || strings.Contains(j.String(), "1815") {
		t.Errorf("the log tells what was asked: %s", j)
	}
}

// Half an answer, closed in good order, would pass for a whole one.
func TestPanicInTheMiddleBreaksOff(t *testing.T) {
	t.Parallel()
	log, j := newLog()
	server := httptest.NewServer(outermost(log, newMetrics("test"), nil, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(bytes.Repeat([]byte("a"), 5000))
		panic("a bug")
	})))
	defer server.Close()
	res, err := server.Client().Get(server.URL)
	if err == nil {
		_, err = io.ReadAll(res.Body)
		res.Body.Close()
	}
	if err == nil {
		t.Error("the answer was read to its end without an error")
	}
	eventually(t, "one line in the log", func() bool { return len(j.lines(t, "request")) == 1 })
}

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func TestOneLinePerRequest(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	password := h.account(t, "caller")
	_, token := h.login(t, "caller", password)
	seen := map[string]bool{}
	for _, c := range []struct{ path, route string }{
		{"/v1/access/users/me?name=Ada+Brook", "/access/users/me"},
		{"/no/such/thing/Ada-Brook", "(none)"},
		{"/healthz?who=Ada-Brook", "/healthz"},
	} {
		res, _ := h.get(t, c.path, "Authorization", "Bearer "+token)
		id := res.Header.Get(api.CorrelationHeader)
		if !uuid.MatchString(id) || seen[id] {
			t.Errorf("%s: the correlationId %q is no new UUID", c.path, id)
		}
		seen[id] = true
		var mine []map[string]any
		eventually(t, "a line for "+c.path, func() bool {
			mine = nil
			for _, l := range h.log.lines(t, "request") {
				if l["correlationId"] == id {
					mine = append(mine, l)
				}
			}
			return len(mine) > 0
		})
		if len(mine) != 1 || mine[0]["path"] != c.route || mine[0]["method"] != "GET" || mine[0]["status"] != float64(res.StatusCode) {
			t.Errorf("%s: got %v, want one line for %s with status %d", c.path, mine, c.route, res.StatusCode)
		}
	}
	for _, secret := range []string{"Brook", password, token, "eyJ"} {
		if strings.Contains(h.log.String(), secret) {
			t.Errorf("%q is in the log", secret)
		}
	}
}

func TestServerHasLimits(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	s := h.serving.server
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.WriteTimeout <= 0 || s.IdleTimeout <= 0 {
		t.Error("a slow client may stay for ever")
	}
	h.client.Transport.(*http.Transport).ForceAttemptHTTP2 = false // by HTTP/2 it is the connection that ends
	res, _ := h.get(t, "/healthz", "X-Padding", strings.Repeat("a", 32<<10))
	if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 32 KiB: got %s", res.Status)
	}
}
