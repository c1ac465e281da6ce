package notify

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// names is a DNS server that answers each question as a test likes.
type names struct {
	at string

	mu    sync.Mutex
	asked map[string]int
	to    func(name string, n int) []netip.Addr
	alias map[string]string
}

// newNames answers the n-th question for a name, from 0, with what to returns.
func newNames(t testing.TB, to func(name string, n int) []netip.Addr) *names {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	s := &names{at: conn.LocalAddr().String(), asked: map[string]int{}, to: to, alias: map[string]string{}}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			if out := s.answer(buf[:n]); out != nil {
				_, _ = conn.WriteTo(out, from)
			}
		}
	}()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	return s
}

func (s *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", s.at)
	}}
}

func (s *names) answer(question []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	name := strings.TrimSuffix(q.Name.String(), ".")
	s.mu.Lock()
	defer s.mu.Unlock()
	if to := s.alias[name]; to != "" {
		m.Answers = append(m.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: dnsmessage.TypeCNAME, Class: q.Class},
			Body:   &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(to + ".")},
		})
		q.Name, name = dnsmessage.MustNewName(to+"."), to
	}
	for _, a := range s.to(name, s.asked[name]) {
		h := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class} // and no time to live
		switch {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AResource{A: a.As4()}})
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: h, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}})
		}
	}
	if q.Type == dnsmessage.TypeA {
		s.asked[name]++
	}
	out, err := m.Pack()
	if err != nil {
		return nil
	}
	return out
}

// listenOn serves on an address of loopback that stands for one on the Internet.
func listenOn(t testing.TB, at string, port uint16, h http.HandlerFunc) {
	t.Helper()
	l, err := net.Listen("tcp", netip.AddrPortFrom(netip.MustParseAddr(at), port).String())
	must(t, err)
	s := &http.Server{Handler: h}
	s.SetKeepAlivesEnabled(false) // so that every sending looks the name up
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l)
	}()
	t.Cleanup(func() {
		s.Close()
		<-done
	})
}

// B2: a name that leads to a good address when it is looked at and into the
// house when it is connected to gets nowhere.
func TestRebinding(t *testing.T) {
	birds := newCanary(t)
	const good, home = "127.0.0.2", "127.0.0.1"
	taken := 0
	listenOn(t, good, birds.port, func(w http.ResponseWriter, _ *http.Request) { taken++ })
	inside, outside := netip.MustParseAddr(home), netip.MustParseAddr(good)
	dns := newNames(t, func(name string, n int) []netip.Addr {
		switch name {
		case "flips.example.com":
			return []netip.Addr{[]netip.Addr{outside, inside}[n%2]}
		case "both.example.com":
			return []netip.Addr{inside, outside, netip.IPv6Loopback()}
		case "house.example.com", "inside.example.com":
			return []netip.Addr{inside, netip.IPv6Loopback()}
		}
		return nil
	})
	dns.mu.Lock()
	dns.alias["alias.example.com"] = "house.example.com"
	dns.mu.Unlock()
	p := newPoster(t, good)
	p.Resolver = dns.resolver()
	at := func(name string) string { return "http://" + name + ":" + strconv.Itoa(int(birds.port)) + "/hook" }
	for i := range 20 {
		a := post(t, p, at("flips.example.com"))
		if want := i%2 == 0; a.OK() != want {
			t.Errorf("look %d: the answer is %+v, want taken: %v", i, a, want)
		}
	}
	if taken != 10 {
		t.Errorf("the good address got %d messages, want 10", taken)
	}
	// Of several addresses only the good one is connected to.
	if a := post(t, p, at("both.example.com")); !a.OK() {
		t.Errorf("both: %+v", a)
	}
	for _, name := range []string{"alias.example.com", "inside.example.com"} {
		if a := post(t, p, at(name)); a.Status != 0 || a.Error != noAnswer {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if n := birds.calls.Load(); n != 0 {
		t.Errorf("%d connections were made into the house", n)
	}
}
