package notify

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"bureau/internal/fault"
)

// samples are the first, the last and a middle address of a range.
func samples(p netip.Prefix) []netip.Addr {
	first, last, middle := p.Masked().Addr().AsSlice(), p.Masked().Addr().AsSlice(), p.Masked().Addr().AsSlice()
	for bit := p.Bits(); bit < p.Addr().BitLen(); bit++ {
		last[bit/8] |= 0x80 >> (bit % 8)
		if bit%3 == 1 {
			middle[bit/8] |= 0x80 >> (bit % 8)
		}
	}
	var out []netip.Addr
	for _, b := range [][]byte{first, last, middle} {
		a, _ := netip.AddrFromSlice(b)
		if len(out) == 0 || out[len(out)-1] != a {
			out = append(out, a)
		}
	}
	return out
}

// writings4 are the ways to write an IPv4 address that some program somewhere
// reads as one.
func writings4(a netip.Addr) []string {
	b := a.As4()
	n := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	wide := strings.NewReplacer("0", "０", "1", "１", "2", "２", "3", "３", "4", "４", "5", "５", "6", "６", "7", "７", "8", "８", "9", "９", ".", "。")
	return []string{
		a.String(),
		a.String() + ".",
		fmt.Sprint(n),
		fmt.Sprintf("0x%x", n),
		fmt.Sprintf("0%o", n),
		fmt.Sprintf("0x%02x.0x%02x.0x%02x.0x%02x", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("0%03o.0%03o.0%03o.0%03o", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("%d.%d", b[0], n&0xffffff),
		fmt.Sprintf("%d.%d.%d", b[0], b[1], n&0xffff),
		fmt.Sprintf("%03d.%03d.%03d.%03d", b[0], b[1], b[2], b[3]),
		fmt.Sprintf("%d.%d.%d.0x%x", b[0], b[1], b[2], b[3]),
		strings.ReplaceAll(a.String(), ".", "%2e"),
		wide.Replace(a.String()),
		fmt.Sprintf("[::ffff:%s]", a),
		fmt.Sprintf("[::ffff:%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[0:0:0:0:0:FFFF:%s]", a),
		fmt.Sprintf("[::%s]", a),
		fmt.Sprintf("[64:ff9b::%s]", a),
		fmt.Sprintf("[64:ff9b:1::%x:%x]", n>>16, n&0xffff),
		fmt.Sprintf("[2002:%x:%x::]", n>>16, n&0xffff),
		fmt.Sprintf("[2001:0:4136:e378:8000:63bf:%x:%x]", ^n>>16, ^n&0xffff),
		fmt.Sprintf("example.com@%s", a),
		fmt.Sprintf("example.com:443@%s", a),
		fmt.Sprintf("%s\\@example.com", a),
		fmt.Sprintf("%s#.example.com", a),
		fmt.Sprintf("%s%%00.example.com", a),
		fmt.Sprintf("[%s]", a),
	}
}

func writings6(a netip.Addr) []string {
	return []string{
		"[" + a.String() + "]",
		"[" + a.StringExpanded() + "]",
		"[" + strings.ToUpper(a.StringExpanded()) + "]",
		"[" + a.String() + "%25eth0]",
		"[" + a.String() + "%25lo]",
		a.String(),
		"user:word@[" + a.String() + "]",
		"[" + a.String() + "].",
	}
}

// hostile are addresses of webhooks that lead into somebody's house.
func hostile(port uint16) []string {
	var out []string
	for _, p := range special {
		for _, a := range samples(p) {
			forms := writings6(a)
			if a.Is4() {
				forms = writings4(a)
			}
			for _, f := range forms {
				out = append(out, "https://"+f+":"+strconv.Itoa(int(port))+"/hook", "https://"+f+"/")
			}
		}
	}
	for _, name := range []string{
		"localhost", "LOCALHOST", "localhost.", "ⓛocalhost", "foo.localhost", "printer.local", "metadata.internal", "intranet",
		"db", "vault.corp", "host.docker.internal", "router.lan", "1.0.0.127.in-addr.arpa", "x.home.arpa",
	} {
		for _, scheme := range []string{"https", "http"} {
			out = append(out, fmt.Sprintf("%s://%s:%d/", scheme, name, port), scheme+"://"+name+"/")
		}
	}
	for _, r := range innerPorts {
		out = append(out, fmt.Sprintf("https://example.com:%d/", r.from))
	}
	for _, p := range []int{0, 1, 22, 25, 53, 80, 81, 110, 139, 445, 444, 1023} {
		out = append(out, fmt.Sprintf("https://example.com:%d/", p))
	}
	return append(out,
		"", "example.com", "//example.com/", "/hook", "https:/example.com", "https:example.com", "https://", "https:///path",
		"http://example.com/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/_x", "unix:///run/docker.sock", "javascript:alert(1)", "data:,x", "HTTPS+x://example.com",
		"https://user@example.com/", "https://user:word@example.com/", "https://:@example.com/", "https://@example.com/", "https://example.com@example.net@10.0.0.1/",
		"https://example.com/#top", "https://example.com#@10.0.0.1/", "https://exa mple.com/", "https://example.com/a b", " https://example.com/", "https://example.com/\r\nX: y", "https://example.com/\x00", "https://example.com\\@10.0.0.1/", "https:\\\\example.com\\",
		"https://example.com:/", "https://example.com:0443/", "https://example.com:443443/", "https://example.com:-1/", "https://example.com:x/",
		"https://example..com/", "https://.example.com/", "https://-a.example.com/", "https://a-.example.com/", "https://exa%6dple.com/", "https://"+strings.Repeat("a", 64)+".com/", "https://"+strings.Repeat("a.", 130)+"com/", "https://example.com/"+strings.Repeat("a", maxAddress),
		"https://[::1", "https://::1/", "https://[::1]x/", "https://[v1.x]/", "https://1.2.3/", "https://1.2.3.4.5/", "https://256.1.1.1/", "https://0x.example.0x7f/", "https://１２７.0.0.1/", "https://127。0。0。1/", "https://①②⑦.⓪.⓪.①/", "https://xn--a/", "https://ex\u200bample.invalid/",
	)
}

// B1: no way of writing an address leads where webhooks may not go, at the
// registration and, for one that was registered before we knew better, at the
// connection.
func TestHostileAddresses(t *testing.T) {
	list := hostile(8443)
	if len(list) < 1000 {
		t.Fatalf("only %d addresses", len(list))
	}
	t.Logf("%d addresses", len(list))
	// Every name leads home: whatever a program makes of 0x7f.1, it is looked
	// up here.
	dns := newNames(t, func(string, int) []netip.Addr { return []netip.Addr{netip.MustParseAddr("127.0.0.1")} })
	p := newPoster(t)
	p.Resolver = dns.resolver()
	// What passes the guard ends here: if the guard fails, this test must not
	// call at strangers' doors.
	passed := map[netip.AddrPort]bool{}
	p.passed = func(a netip.AddrPort) error {
		// One sample of the range for mapped addresses is a public one in
		// disguise, which the system takes the disguise off.
		passed[a] = a.Addr() != netip.MustParseAddr("73.36.146.73")
		return errors.New("far enough")
	}
	for _, address := range list {
		if got, err := p.Address(address); !errors.Is(err, fault.Invalid) {
			t.Errorf("%q was taken as %q (%v)", address, got, err)
		} else if v, _ := fault.Of(err); len(v.Details) != 1 || !strings.HasPrefix(v.Details[0], "url: ") {
			t.Errorf("%q: the error %q does not name the field", address, v.Details)
		}
		if a := post(t, p, address); a.Status != 0 || a.Error != noAnswer || a.Took != 0 {
			t.Errorf("%q: the answer is %+v", address, a)
		}
	}
	for a, bad := range passed {
		if bad {
			t.Errorf("%s would have been connected to", a)
		}
	}
}

// The last check stands at the connection itself.
func TestEveryRangeIsRefusedAtTheConnection(t *testing.T) {
	g := &Guard{}
	n := 0
	for _, p := range special {
		for _, a := range samples(p) {
			network := "tcp6"
			if a.Is4() {
				network = "tcp4"
			}
			for _, as := range []netip.Addr{a, netip.AddrFrom16(a.As16()), a.WithZone("eth0")} {
				n++
				if g.control(false)(t.Context(), network, netip.AddrPortFrom(as, 443).String(), nil) == nil {
					t.Errorf("%s of %s is let through", as, p)
				}
			}
		}
	}
	for _, bad := range []struct{ network, address string }{
		{"unix", "/run/docker.sock"}, {"udp4", "8.8.8.8:53"}, {"tcp4", "8.8.8.8:22"}, {"tcp4", "8.8.8.8:6379"}, {"tcp4", "nonsense"},
	} {
		if g.control(false)(context.Background(), bad.network, bad.address, nil) == nil {
			t.Errorf("%s %s is let through", bad.network, bad.address)
		}
	}
	// And what is on the Internet passes, but not without TLS.
	for _, good := range []string{"8.8.8.8:443", "1.1.1.1:8443", "[2606:4700::1]:443", "[2a00:1450::5]:9443"} {
		if err := g.control(false)(t.Context(), "tcp4", good, nil); err != nil {
			t.Errorf("%s is refused: %v", good, err)
		}
		if g.control(true)(t.Context(), "tcp4", good, nil) == nil {
			t.Errorf("%s is let through without TLS", good)
		}
	}
	t.Logf("%d addresses", n)
}

func TestGoodAddresses(t *testing.T) {
	open := &Guard{}
	for in, want := range map[string]string{
		"https://example.com":                      "https://example.com/",
		"https://Example.COM:443/Hooks?a=1&b=%2F":  "https://example.com/Hooks?a=1&b=%2F",
		"https://example.com:8443/x":               "https://example.com:8443/x",
		"https://bücher.example.com/":              "https://xn--bcher-kva.example.com/",
		"https://8.8.8.8/":                         "https://8.8.8.8/",
		"https://[2606:4700:0:0::1]:9443/a/../b":   "https://[2606:4700::1]:9443/a/../b",
		"https://a-b.c1.example.co.uk/?token=x%20": "https://a-b.c1.example.co.uk/?token=x%20",
	} {
		if got, err := open.Address(in); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", in, got, err, want)
		}
	}
	// What the operator opens is open, and nothing beside it.
	g := &Guard{Allow: prefixes("10.1.0.0/16", "fd00:1::/32")}
	for in, want := range map[string]bool{
		"http://10.1.2.3:8080/":    true,
		"https://10.1.2.3/":        true,
		"http://10.1.2.3/":         true,
		"http://[fd00:1::5]:9000/": true,
		"http://receiver:9000/":    true, // what it leads to is seen when it is connected to
		"http://10.2.2.3:8080/":    false,
		"http://8.8.8.8/":          false,
		"https://127.0.0.1/":       false,
		"http://10.1.2.3:6379/":    false,
		"http://10.1.2.3:22/":      false,
	} {
		if _, err := g.Address(in); (err == nil) != want {
			t.Errorf("%s: got %v, want taken: %v", in, err, want)
		}
	}
}
