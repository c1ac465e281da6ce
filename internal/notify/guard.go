package notify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// How much an endpoint may cost us.
const (
	sendTime    = 15 * time.Second // from the first look at its name to the end of its answer
	connectTime = 10 * time.Second
	maxHeader   = 16 << 10
	maxAnswer   = 64 << 10
	idleTime    = 30 * time.Second
	idleInAll   = 1024
)

// AtHost is how many messages a host gets at once. As many connections to it stay open
// between them: with fewer, some of every round would be made anew.
const AtHost = 64

// A Guard decides where webhooks may go. What counts is the address that is
// connected to: a name may lead somewhere else each time it is asked for.
type Guard struct {
	// Allow are ranges that webhooks may go to although they are not public.
	// To these, and only to these, they may go without TLS.
	Allow []netip.Prefix

	Resolver *net.Resolver  // nil: the machine's
	Roots    *x509.CertPool // nil: the machine's

	// passed, in tests, is asked about what would be connected to.
	passed func(netip.AddrPort) error
}

// Address implements monitor.Sender: it refuses what can be refused without
// asking anyone.
func (g *Guard) Address(text string) (string, error) {
	a, err := parse(text)
	if err != nil {
		return "", err
	}
	switch {
	case a.plain && len(g.Allow) == 0:
		return "", refuse("it begins with http: and must begin with https:")
	case a.ip.IsValid() && !g.permits(a.ip, a.plain), !a.ip.IsValid() && len(g.Allow) == 0 && inner(a.host):
		return "", refuse("%s", notAllowed)
	case a.port == 80 && !a.plain:
		return "", refuse("port 80 is not for https")
	}
	return a.String(), nil
}

const notAllowed = "webhooks do not go to this address: it is not one on the Internet"

// permits reports whether something may be sent to an address.
func (g *Guard) permits(a netip.Addr, plain bool) bool {
	return a.Zone() == "" && (g.allows(a) || !plain && public(a))
}

// allows reports whether the operator opened an address.
func (g *Guard) allows(a netip.Addr) bool { return within(a.Unmap(), g.Allow) }

// errForbidden is for the log. Customers see the same as when nobody answers.
var errForbidden = errors.New("the address is not one that webhooks may go to")

// control is asked for every address before it is connected to, after every
// name was looked up.
func (g *Guard) control(plain bool) func(context.Context, string, string, syscall.RawConn) error {
	return func(_ context.Context, network, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil || network != "tcp4" && network != "tcp6" {
			return errForbidden
		}
		if !g.permits(ap.Addr(), plain) || !usualPort(ap.Port()) {
			return errForbidden
		}
		if g.passed != nil {
			return g.passed(ap)
		}
		return nil
	}
}

// client makes what speaks to endpoints. Connections are kept for a while, and
// those with and without TLS are apart: what may be reached by one may not be
// by the other.
func (g *Guard) client(plain bool) *http.Client {
	dialer := &net.Dialer{Timeout: connectTime, ControlContext: g.control(plain), Resolver: g.Resolver, KeepAlive: -1}
	only1 := new(http.Protocols)
	only1.SetHTTP1(true)
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  nil, // whatever the environment says
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{RootCAs: g.Roots, MinVersion: tls.VersionTLS12},
			TLSHandshakeTimeout:    connectTime,
			ResponseHeaderTimeout:  sendTime,
			MaxResponseHeaderBytes: maxHeader,
			DisableCompression:     true,
			Protocols:              only1,
			IdleConnTimeout:        idleTime,
			MaxIdleConns:           idleInAll,
			MaxIdleConnsPerHost:    AtHost,
			WriteBufferSize:        8 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Jar:           nil,
	}
}
