package app

import (
	"net"
	"net/netip"
	"sync"
)

// limited is a listener that keeps one source address from holding all
// connections. Trusted proxies speak for many and are not limited.
type limited struct {
	net.Listener
	most   int
	exempt []netip.Prefix

	mu   sync.Mutex
	open map[netip.Addr]int
}

func limitConns(l net.Listener, most int, exempt []netip.Prefix) net.Listener {
	if most <= 0 {
		return l
	}
	return &limited{Listener: l, most: most, exempt: exempt, open: map[netip.Addr]int{}}
}

// Accept returns the next connection that is within its limit; others are
// closed at once.
func (l *limited) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		ap, err := netip.ParseAddrPort(c.RemoteAddr().String())
		if err != nil || l.isExempt(ap.Addr().Unmap()) {
			return c, nil
		}
		if counted := l.enter(c, ap.Addr().Unmap()); counted != nil {
			return counted, nil
		}
		_ = c.Close()
	}
}

func (l *limited) isExempt(a netip.Addr) bool {
	for _, p := range l.exempt {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

func (l *limited) enter(c net.Conn, from netip.Addr) net.Conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[from] >= l.most {
		return nil
	}
	l.open[from]++
	return &counted{Conn: c, leave: sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.open[from]--; l.open[from] == 0 {
			delete(l.open, from)
		}
	})}
}

type counted struct {
	net.Conn
	leave func()
}

func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}
