package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"bureau/internal/api"
)

// A collector is what an OpenTelemetry collector is to us: it takes what is
// posted. The names in it are readable as they are.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	paths []string
	got   strings.Builder
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.paths = append(c.paths, r.URL.Path)
		c.got.Write(b)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

func TestTracesArrive(t *testing.T) {
	t.Parallel()
	far := newCollector(t)
	h := serveHouse(t, config(t, func(c *Config) { c.OTLPEndpoint = far.URL }))
	password := h.account(t, "caller")
	_, token := h.login(t, "caller", password)
	res, _ := h.get(t, "/v1/access/users/me?name=Ada+Brook", "Authorization", "Bearer "+token,
		"Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	h.get(t, "/no/such/thing/Ada-Brook")
	h.stop(t) // sends the rest

	if len(far.paths) == 0 || far.paths[0] != "/v1/traces" {
		t.Fatalf("got calls of %v, want /v1/traces", far.paths)
	}
	got := far.got.String()
	for _, want := range []string{
		"POST /authenticate", "GET /access/users/me", "GET (none)", "http.route", "http.response.status_code",
		"service.name", res.Header.Get(api.CorrelationHeader),
		"\x0a\xf7\x65\x19\x16\xcd\x43\xdd\x84\x48\xeb\x21\x1c\x80\x31\x9c", // it goes on with the caller's trace
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the traces", want)
		}
	}
	for _, secret := range []string{"Brook", password, token, "127.0.0.1"} {
		if strings.Contains(got, secret) {
			t.Errorf("%q is in the traces", secret)
		}
	}
	// Beside the tracer the log is what it was.
	for _, l := range h.log.lines(t, "request") {
		if l["path"] == "/access/users/me" && l["status"] == float64(http.StatusOK) {
			return
		}
	}
	t.Errorf("the log has lost the route:\n%s", h.log)
}

func TestCollectorThatIsDown(t *testing.T) {
	t.Parallel()
	far := newCollector(t)
	far.Close()
	h := serveHouse(t, config(t, func(c *Config) { c.OTLPEndpoint = far.URL + "/v1/traces" }))
	if res, _ := h.get(t, "/healthz"); res.StatusCode != http.StatusOK {
		t.Errorf("got %s", res.Status)
	}
	h.stop(t)
	eventually(t, "the log says so", func() bool { return len(h.log.lines(t, "traces do not arrive")) == 1 })
}
