package app

import (
	"bufio"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener without a network, so that time can be synctest's.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// dialled serves a handler with the real server's time-outs, and is a client of
// it.
func dialled(t *testing.T, h http.HandlerFunc) net.Conn {
	t.Helper()
	p := &pipes{make(chan net.Conn), make(chan struct{})}
	s := (&App{Log: slog.New(slog.DiscardHandler)}).newServer(h)
	done := make(chan error)
	go func() { done <- s.Serve(p) }()
	client, server := net.Pipe()
	p.conns <- server
	t.Cleanup(func() {
		client.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return client
}

// A21: whoever is slow is shown the door, and not before.
func TestSlowClientsAreShownTheDoor(t *testing.T) {
	answer := func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // net/http closes the connection
		}
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<20))
	}
	// trickle sends a byte a second for as long as anyone listens.
	trickle := func(c net.Conn) {
		for {
			if _, err := c.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}
	for _, tc := range []struct {
		name string
		do   func(t *testing.T, c net.Conn)
		want time.Duration
	}{
		{"says nothing", func(_ *testing.T, c net.Conn) {
			_, _ = io.Copy(io.Discard, c)
		}, 10 * time.Second},
		{"sends its header a byte a second", func(t *testing.T, c net.Conn) {
			send(t, c, "GET / HTTP/1.1\r\nX: ")
			trickle(c)
		}, 10 * time.Second},
		{"sends its body a byte a second", func(t *testing.T, c net.Conn) {
			send(t, c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
			go func() { _, _ = io.Copy(io.Discard, c) }()
			trickle(c)
		}, 60 * time.Second},
		{"does not read the answer", func(t *testing.T, c net.Conn) {
			send(t, c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			time.Sleep(119 * time.Second)
			if _, err := io.CopyN(io.Discard, c, 1000); err != nil {
				t.Errorf("it was given up too soon: %v", err)
			}
			// Past the limit, not just at it: both would be right then.
			time.Sleep(2 * time.Second)
			_, _ = io.Copy(io.Discard, c)
		}, 120 * time.Second},
		{"keeps its connection and asks no more", func(t *testing.T, c net.Conn) {
			send(t, c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			_, _ = io.Copy(io.Discard, c)
		}, 120 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dialled(t, answer)
				start := time.Now()
				tc.do(t, c)
				if took := time.Since(start); took < tc.want || took > tc.want+2*time.Second {
					t.Errorf("stayed for %s, want %s", took, tc.want)
				}
			})
		})
	}
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// A11, A21: a header has an end.
func TestHugeHeaderIsRefused(t *testing.T) {
	for size, want := range map[int]int{12 << 10: http.StatusNoContent, 24 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		synctest.Test(t, func(t *testing.T) {
			c := dialled(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
			go func() {
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: "+strings.Repeat("a", size)+"\r\n\r\n")
			}()
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != want {
				t.Errorf("%d bytes: got %d, want %d", size, resp.StatusCode, want)
			}
			c.Close()
			time.Sleep(time.Second) // net/http lingers after a refusal
		})
	}
}
