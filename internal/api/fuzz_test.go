package api

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// FuzzClientAddr looks for a header with which a caller who is no trusted proxy
// passes for somebody else, or with which a proxy's caller passes for a proxy.
func FuzzClientAddr(f *testing.F) {
	for _, seed := range []string{"203.0.113.9", "10.0.0.1, 203.0.113.9", "203.0.113.9:443, 10.0.0.2", "[2001:db8::1]:80", "x, 10.0.0.1", "::ffff:203.0.113.9", "fe80::1%eth0", ",,", ""} {
		f.Add(seed)
	}
	s := &Server{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	f.Fuzz(func(t *testing.T, forwarded string) {
		r := &http.Request{RemoteAddr: "198.51.100.7:1234", Header: http.Header{"X-Forwarded-For": {forwarded}}}
		if got := s.ClientAddr(r); got.String() != "198.51.100.7" {
			t.Fatalf("with %q a stranger is %v", forwarded, got)
		}
		r.RemoteAddr = "10.0.0.1:1234"
		got := s.ClientAddr(r)
		if !got.IsValid() || got.Zone() != "" || got.Is4In6() {
			t.Fatalf("%q is %v", forwarded, got)
		}
		// What a client wrote before the proxy did does not count.
		r.Header.Set("X-Forwarded-For", forwarded+", 203.0.113.9")
		if got := s.ClientAddr(r); got.String() != "203.0.113.9" {
			t.Fatalf("behind %q the client is %v", forwarded, got)
		}
	})
}

// FuzzLogin holds that whatever is sent to log in with, it is understood or not,
// and nothing is understood that is longer than what was sent.
func FuzzLogin(f *testing.F) {
	for _, seed := range [][2]string{
		{"application/json", `{"username":"acme","password":"secret"}`},
		{"application/json", `{"Username":"a","password":7}`},
		{"application/json; charset=utf-8", "\ufeff{}"},
		{"application/x-www-form-urlencoded", "username=acme&password=%73"},
		{"", "{"},
		{"text/plain", "null"},
		{";", "[]"},
	} {
		f.Add(seed[0], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		user, password, ok := parseLogin(kind, body)
		if ok && len(user)+len(password) > 3*len(body) { // a stray byte becomes three
			t.Fatalf("%q as %q is %q and %q", body, kind, user, password)
		}
		if again, _, _ := parseLogin(strings.ToUpper(kind), body); ok && again != user {
			t.Fatalf("as %q it is %q, and %q in capitals", kind, user, again)
		}
	})
}
