package notify

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"bureau/internal/fault"
)

// maxAddress is how long the address of a webhook may be.
const maxAddress = 2000

// An address is where a webhook goes, taken apart.
type address struct {
	plain bool       // HTTP without TLS
	ip    netip.Addr // if it is written as a number
	host  string     // else the name, in ASCII and lower case
	port  uint16
	rest  string // path and query
}

func (a *address) String() string {
	scheme, usual := "https://", uint16(443)
	if a.plain {
		scheme, usual = "http://", 80
	}
	host := a.host
	if a.ip.Is4() {
		host = a.ip.String()
	} else if a.ip.IsValid() {
		host = "[" + a.ip.String() + "]"
	}
	if a.port != usual {
		host += ":" + strconv.Itoa(int(a.port))
	}
	return scheme + host + a.rest
}

func refuse(format string, args ...any) error {
	return fault.Invalid.Details("Bad request", "url: "+fault.Invalid.Errorf(format, args...).Error())
}

// parse takes an address apart. It is stricter than browsers are: what two
// programs could read in two ways is not an address.
func parse(text string) (*address, error) {
	if text == "" {
		return nil, refuse("it is missing")
	}
	if len(text) > maxAddress {
		return nil, refuse("longer than %d characters", maxAddress)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f || r == 0xfffd }) {
		return nil, refuse("it holds a space, a backslash or a control character")
	}
	u, err := url.Parse(text)
	if err != nil || u.Opaque != "" || u.Host == "" {
		return nil, refuse("it is not an address such as https://example.com/hooks")
	}
	a := &address{port: 443}
	switch u.Scheme {
	case "https":
	case "http":
		a.plain, a.port = true, 80
	default:
		return nil, refuse("it begins with %s: and must begin with https:", u.Scheme)
	}
	if u.User != nil || strings.Contains(u.Host, "@") {
		return nil, refuse("it holds a user name; the signature says who is calling")
	}
	if strings.Contains(text, "#") {
		return nil, refuse("it holds a #, which is never sent")
	}
	if a.rest = u.EscapedPath(); a.rest == "" {
		a.rest = "/"
	}
	if u.RawQuery != "" {
		a.rest += "?" + u.RawQuery
	}
	if err := a.setPort(u); err != nil {
		return nil, err
	}
	return a, a.setHost(u.Hostname(), strings.HasPrefix(u.Host, "["))
}

func (a *address) setPort(u *url.URL) error {
	text := u.Port()
	if text == "" {
		if strings.HasSuffix(u.Host, ":") {
			return refuse("there is no port after the colon")
		}
		return nil
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || text[0] == '0' || !usualPort(uint16(n)) {
		return refuse("port %s is not one that webhooks go to: use 443, or one from 1024 on that no well-known inner service has", text)
	}
	a.port = uint16(n)
	return nil
}

func (a *address) setHost(host string, brackets bool) error {
	if brackets {
		ip, err := netip.ParseAddr(host)
		if err != nil || !ip.Is6() || ip.Is4In6() || ip.Zone() != "" {
			return refuse("%q is not an IPv6 address", host)
		}
		a.ip = ip
		return nil
	}
	name, err := idna.Lookup.ToASCII(host)
	if err != nil {
		return refuse("%q is not the name of a host", host)
	}
	name = strings.ToLower(name)
	labels := strings.Split(name, ".")
	// The last label of a name never looks like a number. What does is an IPv4
	// address, in its one usual form: 0x7f.1, 2130706433 and 0177.0.0.1 are
	// ways to hide one.
	if last := labels[len(labels)-1]; looksLikeNumber(last) {
		ip, err := netip.ParseAddr(name)
		if err != nil || !ip.Is4() {
			return refuse("%q is neither a name nor an IPv4 address in its usual form", host)
		}
		a.ip = ip
		return nil
	}
	if len(name) > 253 {
		return refuse("the name of the host is too long")
	}
	for _, l := range labels {
		if !isLabel(l) {
			return refuse("%q is not the name of a host", host)
		}
	}
	a.host = name
	return nil
}

func looksLikeNumber(label string) bool {
	if label == "" {
		return false
	}
	if rest, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func isLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	})
}

// innerNames end the names that are never looked up on the Internet.
var innerNames = []string{
	"localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan",
	"home.arpa", "test", "invalid", "example", "onion", "alt", "arpa",
}

// inner reports whether a name can only be that of something in a house.
func inner(host string) bool {
	if !strings.Contains(host, ".") {
		return true
	}
	for _, n := range innerNames {
		if host == n || strings.HasSuffix(host, "."+n) {
			return true
		}
	}
	return false
}
