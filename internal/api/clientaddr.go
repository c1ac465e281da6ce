package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// ClientAddr is the address that a request came from. What proxies say is
// believed only as far as they are trusted: the list is read from its end, and
// the first address that is not a trusted proxy's is the client's. Whatever
// stands before it, the client may have written itself.
func (s *Server) ClientAddr(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.IPv6Unspecified()
	}
	addr = addr.Unmap().WithZone("")
	if !s.trusts(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, ok := parseHop(strings.TrimSpace(hops[i]))
		if !ok {
			break // not an address: nothing before it can be believed either
		}
		addr = hop.Unmap().WithZone("")
		if !s.trusts(addr) {
			break
		}
	}
	return addr
}

// parseHop reads an address; some proxies write a port behind it.
func parseHop(text string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(text); err == nil {
		return a, true
	}
	ap, err := netip.ParseAddrPort(text)
	return ap.Addr(), err == nil
}

func (s *Server) trusts(a netip.Addr) bool {
	for _, p := range s.TrustedProxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
