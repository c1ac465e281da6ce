package notify

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newPoster makes a poster that may also go to some ranges.
func newPoster(t testing.TB, allow ...string) *Poster {
	t.Helper()
	vault, err := auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize))
	must(t, err)
	return &Poster{Guard: &Guard{Allow: prefixes(allow...)}, Keys: &Keys{Safe: vault}, Now: time.Now, Within: 5 * time.Second}
}

// hookTo is a webhook with one secret, which is returned too.
func hookTo(t testing.TB, p *Poster, url string) (*monitor.Webhook, string) {
	t.Helper()
	h := &monitor.Webhook{ID: 7, Customer: 1001, URL: url}
	s, secret, err := p.NewSecret(h.Customer)
	must(t, err)
	h.Secrets = []monitor.Secret{s}
	return h, secret
}

func sendingTo(h *monitor.Webhook) *monitor.Sending {
	return &monitor.Sending{Hook: h, Event: monitor.Event{ID: 17, Customer: h.Customer, Portfolio: 3, Company: "GB-0-1", Name: "Acme", Rule: 101}}
}

// post posts a made-up event to an address.
func post(t testing.TB, p *Poster, url string) monitor.Answer {
	t.Helper()
	h, _ := hookTo(t, p, url)
	return p.Post(t.Context(), sendingTo(h))
}

// A canary listens where nothing may ever connect to.
type canary struct {
	port  uint16
	calls atomic.Int64
}

func newCanary(t testing.TB) *canary {
	t.Helper()
	c := &canary{}
	for _, at := range []string{"127.0.0.1", "::1"} {
		l, err := net.Listen("tcp", netip.AddrPortFrom(netip.MustParseAddr(at), c.port).String())
		if err != nil && at == "::1" {
			t.Logf("this machine has no IPv6: %v", err)
			continue
		}
		must(t, err)
		c.port = l.Addr().(*net.TCPAddr).AddrPort().Port()
		go func() { // until the listener is closed
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				c.calls.Add(1)
				conn.Close()
			}
		}()
		t.Cleanup(func() { l.Close() })
	}
	return c
}

// sink serves a handler on loopback.
func sink(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}
