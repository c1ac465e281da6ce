package api_test

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"testing"

	"bureau/internal/api"
	"bureau/internal/auth"
)

func networks(texts ...string) (out []netip.Prefix) {
	for _, s := range texts {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

// A9: what a header says of the client is believed only as far as the proxies
// that wrote it are trusted.
func TestClientAddress(t *testing.T) {
	none := networks()
	ours := networks("10.0.0.0/8", "2001:db8:1::/48")
	for _, c := range []struct {
		name    string
		trusted []netip.Prefix
		remote  string
		header  []string // X-Forwarded-For lines
		want    string
	}{
		{"no header", none, "203.0.113.7:4000", nil, "203.0.113.7"},
		{"a header from nobody we trust", none, "203.0.113.7:4000", []string{"192.0.2.1"}, "203.0.113.7"},
		{"loopback is not trusted by itself", none, "127.0.0.1:4000", []string{"192.0.2.1"}, "127.0.0.1"},
		{"a stranger with proxies set", ours, "203.0.113.7:4000", []string{"192.0.2.1"}, "203.0.113.7"},
		{"a stranger who claims to be a proxy", ours, "203.0.113.7:4000", []string{"192.0.2.1, 10.0.0.1"}, "203.0.113.7"},
		{"a proxy without the header", ours, "10.0.0.1:4000", nil, "10.0.0.1"},
		{"a proxy with an empty one", ours, "10.0.0.1:4000", []string{""}, "10.0.0.1"},
		{"a proxy that names its client", ours, "10.0.0.1:4000", []string{"192.0.2.1"}, "192.0.2.1"},
		{"the client wrote one before", ours, "10.0.0.1:4000", []string{"198.51.100.9, 192.0.2.1"}, "192.0.2.1"},
		{"in two lines", ours, "10.0.0.1:4000", []string{"198.51.100.9", "192.0.2.1"}, "192.0.2.1"},
		{"the client wrote a proxy's address before", ours, "10.0.0.1:4000", []string{"10.9.9.9, 192.0.2.1"}, "192.0.2.1"},
		{"two proxies", ours, "10.0.0.1:4000", []string{"198.51.100.9, 192.0.2.1, 10.0.0.2"}, "192.0.2.1"},
		{"proxies all the way", ours, "10.0.0.1:4000", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage last", ours, "10.0.0.1:4000", []string{"192.0.2.1, unknown"}, "10.0.0.1"},
		{"garbage before a proxy", ours, "10.0.0.1:4000", []string{"192.0.2.1, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"garbage before the client", ours, "10.0.0.1:4000", []string{"<script>, 192.0.2.1"}, "192.0.2.1"},
		{"no spaces", ours, "10.0.0.1:4000", []string{"198.51.100.9,192.0.2.1,10.0.0.2"}, "192.0.2.1"},
		{"a trailing comma", ours, "10.0.0.1:4000", []string{"192.0.2.1,"}, "10.0.0.1"},
		{"a port behind the address", ours, "10.0.0.1:4000", []string{"192.0.2.1:5000"}, "192.0.2.1"},
		{"an IPv6 client", ours, "[2001:db8:1::5]:4000", []string{"2001:db8:2::7"}, "2001:db8:2::7"},
		{"an IPv6 client with a port", ours, "10.0.0.1:4000", []string{"[2001:db8:2::7]:443"}, "2001:db8:2::7"},
		{"a zone is dropped", ours, "10.0.0.1:4000", []string{"fe80::1%eth0"}, "fe80::1"},
		{"a proxy on a mapped address", ours, "[::ffff:10.0.0.1]:4000", []string{"192.0.2.1"}, "192.0.2.1"},
		{"a client with a mapped address", ours, "10.0.0.1:4000", []string{"::ffff:192.0.2.1"}, "192.0.2.1"},
		{"a proxy forged as mapped", ours, "10.0.0.1:4000", []string{"198.51.100.9, ::ffff:10.0.0.2"}, "198.51.100.9"},
		{"leading zeros are no address", ours, "10.0.0.1:4000", []string{"192.000.002.001"}, "10.0.0.1"},
		{"decimal is no address", ours, "10.0.0.1:4000", []string{"3221225985"}, "10.0.0.1"},
		{"no port of its own", none, "203.0.113.7", nil, "203.0.113.7"},
		{"no address at all", none, "@", nil, "::"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &api.Server{TrustedProxies: c.trusted}
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.remote
			for _, line := range c.header {
				r.Header.Add("X-Forwarded-For", line)
			}
			for _, other := range []string{"X-Real-Ip", "Forwarded", "X-Client-Ip", "True-Client-Ip", "Cf-Connecting-Ip"} {
				r.Header.Set(other, "for=198.51.100.66")
			}
			if got := s.ClientAddr(r); got.String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A forged header does not buy a second budget.
func TestForgedAddressesShareOneBudget(t *testing.T) {
	rules := auth.DefaultLoginRules
	rules.TotalSource = 10
	for name, c := range map[string]struct {
		trusted []netip.Prefix
		forge   func(i int) string
	}{
		"nobody is trusted":          {nil, func(i int) string { return fmt.Sprintf("192.0.2.%d", i) }},
		"the proxy is trusted":       {loopback, func(i int) string { return fmt.Sprintf("192.0.2.%d, 198.51.100.1", i) }},
		"the client is in one /64":   {loopback, func(i int) string { return fmt.Sprintf("2001:db8::%d", i) }},
		"the header is no address":   {loopback, func(i int) string { return fmt.Sprintf("client-%d", i) }},
		"a proxy is named behind it": {loopback, func(i int) string { return fmt.Sprintf("192.0.2.%d, 198.51.100.2, 127.0.0.9", i) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, plan{login: rules, proxies: c.trusted})
			for i := range 11 {
				got := w.send("POST", "/v1/authenticate", credentials(fmt.Sprint("user", i), "x"), "X-Forwarded-For", c.forge(i+1))
				want := 401
				if i == 10 {
					want = 429
				}
				if got.status != want {
					t.Errorf("request %d: got %d, want %d", i+1, got.status, want)
				}
			}
		})
	}
}
