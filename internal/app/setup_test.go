package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// patience is how long a test waits for what happens beside it. It only ends what hangs:
// a machine that others use as well may stand still for minutes.
const patience = 5 * time.Minute

// config is what an operator has who sets nothing, in a folder of its own and
// on a free port.
func config(t *testing.T, change ...func(*Config)) Config {
	t.Helper()
	var c Config
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(nil); err != nil {
		t.Fatal(err)
	}
	c.Data, c.Listen = t.TempDir(), "localhost:0"
	for _, f := range change {
		f(&c)
	}
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	return c
}

// A journal is a log that a test can read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// lines are the lines with a message, as JSON.
func (j *journal) lines(t *testing.T, message string) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(j.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("a line of the log is no JSON: %s", line)
		}
		if m["msg"] == message {
			out = append(out, m)
		}
	}
	return out
}

func newLog() (*slog.Logger, *journal) {
	j := &journal{}
	return slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug})), j
}

func openHouse(t *testing.T, c Config) (*App, *journal) {
	t.Helper()
	log, j := newLog()
	a, err := Open(t.Context(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a, j
}

// A house is one that serves, and a client that trusts it.
type house struct {
	*App
	serving *Serving
	log     *journal
	client  *http.Client
	stopped bool
}

func serveHouse(t *testing.T, c Config) *house {
	t.Helper()
	a, j := openHouse(t, c)
	s, err := a.Serve(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	h := &house{App: a, serving: s, log: j}
	t.Cleanup(func() {
		if !h.stopped {
			h.stop(t)
		}
	})
	roots := x509.NewCertPool()
	if path := a.Config.CertificatePath(); path != "" {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		roots.AppendCertsFromPEM(b)
	}
	h.client = &http.Client{Timeout: patience, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true, DisableCompression: true,
	}}
	return h
}

func (h *house) stop(t *testing.T) {
	t.Helper()
	h.stopped = true
	h.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := h.serving.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// get calls a path, with headers as name and value by turns.
func (h *house) get(t *testing.T, path string, header ...string) (*http.Response, string) {
	t.Helper()
	return h.do(t, http.MethodGet, path, "", header...)
}

func (h *house) do(t *testing.T, method, path, body string, header ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, h.Config.publicURL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := h.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(b)
}

// login returns the status and the token of a login.
func (h *house) login(t *testing.T, user, password string) (status int, token string) {
	t.Helper()
	b, err := json.Marshal(map[string]string{"username": user, "password": password})
	if err != nil {
		t.Fatal(err)
	}
	res, body := h.do(t, http.MethodPost, "/v1/authenticate", string(b), "Content-Type", "application/json")
	var answer struct{ Token string }
	if res.StatusCode == http.StatusOK {
		if err := json.Unmarshal([]byte(body), &answer); err != nil {
			t.Fatal(err)
		}
	}
	return res.StatusCode, answer.Token
}

// account opens an account with every product and returns its password.
func (h *house) account(t *testing.T, userKey string) string {
	t.Helper()
	c, err := h.AddCustomer(t.Context(), "Customer of "+userKey, Terms{Products: []string{"all"}})
	if err != nil {
		t.Fatal(err)
	}
	v, err := h.AddAccount(t.Context(), AccountWish{Customer: c.ID, UserKey: userKey})
	if err != nil {
		t.Fatal(err)
	}
	return v.Password
}

// eventually polls until done says so.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come to this: %s", what)
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
}
