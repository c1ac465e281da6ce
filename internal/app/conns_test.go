package app

import (
	"net"
	"net/netip"
	"testing"
)

// A crowd hands out connections from addresses of the test's choice.
type crowd struct {
	net.Listener
	from chan string
}

type caller struct {
	net.Conn
	from   net.Addr
	closed chan struct{}
}

func (c *caller) RemoteAddr() net.Addr { return c.from }
func (c *caller) Close() error {
	close(c.closed)
	return nil
}

func (c *crowd) Accept() (net.Conn, error) {
	from, ok := <-c.from
	if !ok {
		return nil, net.ErrClosed
	}
	return &caller{from: net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from)), closed: make(chan struct{})}, nil
}

func TestConnectionsPerSource(t *testing.T) {
	t.Parallel()
	door := &crowd{from: make(chan string, 16)}
	l := limitConns(door, 2, []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")})
	accept := func(from ...string) net.Conn {
		t.Helper()
		for _, f := range from {
			door.from <- f
		}
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := accept("192.0.2.1:1")
	accept("[::ffff:192.0.2.1]:2") // the same host, spelt differently
	// The third is shut out, and the next in line comes in its place.
	if c := accept("192.0.2.1:3", "192.0.2.2:1"); c.RemoteAddr().String() != "192.0.2.2:1" {
		t.Errorf("let in %s beyond the limit", c.RemoteAddr())
	}
	// A proxy speaks for many.
	for _, p := range []string{"10.0.0.1:1", "10.0.0.1:2", "10.0.0.1:3"} {
		if c := accept(p); c.RemoteAddr().String() != p {
			t.Errorf("a trusted proxy was shut out: got %s", c.RemoteAddr())
		}
	}
	// Who leaves makes room; leaving twice makes no more of it.
	first.Close()
	first.(*counted).leave()
	if c := accept("192.0.2.1:4"); c.RemoteAddr().String() != "192.0.2.1:4" {
		t.Errorf("no room for %s", c.RemoteAddr())
	}
	if c := accept("192.0.2.1:5", "192.0.2.3:1"); c.RemoteAddr().String() != "192.0.2.3:1" {
		t.Errorf("let in %s beyond the limit", c.RemoteAddr())
	}
	close(door.from)
	if _, err := l.Accept(); err == nil {
		t.Error("the end of the listener was hidden")
	}
	if limitConns(door, 0, nil) != net.Listener(door) {
		t.Error("a limit of 0 is not off")
	}
}
