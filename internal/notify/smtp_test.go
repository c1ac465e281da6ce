package notify

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"math/big"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
)

// A letter is a mail as a receiver took it.
type letter struct {
	from, to string
	raw      []byte
}

// header is a header of the letter.
func (l letter) header(t testing.TB, name string) string {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(l.raw))
	must(t, err)
	return m.Header.Get(name)
}

// A receiver is a mail server of the real kind, but for keeping what it gets.
type receiver struct {
	tls    *tls.Config
	direct bool                     // TLS from the first byte
	plain  bool                     // no STARTTLS
	user   string                   // asks for this user, and the password "secret"
	say    func(line string) string // what to answer instead; "" is the usual, "drop" hangs up

	addr  net.Addr
	roots *x509.CertPool

	mu      sync.Mutex
	letters []letter
	secure  bool // the last letter came over TLS
}

// start makes the receiver listen until the test ends.
func (r *receiver) start(t testing.TB) *receiver {
	t.Helper()
	r.certificate(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r.addr = l.Addr()
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			conns.Go(func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(30 * time.Second))
				if r.direct {
					c = tls.Server(c, r.tls)
				}
				r.serve(c, r.direct)
			})
		}
	})
	t.Cleanup(func() { l.Close(); conns.Wait() })
	return r
}

func (r *receiver) certificate(t testing.TB) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	must(t, err)
	parsed, err := x509.ParseCertificate(der)
	must(t, err)
	r.roots = x509.NewCertPool()
	r.roots.AddCert(parsed)
	r.tls = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// serve speaks with one client.
func (r *receiver) serve(c net.Conn, secure bool) {
	in := textproto.NewReader(bufio.NewReader(c))
	answer := func(s string) { _, _ = io.WriteString(c, s+"\r\n") }
	answer("220 receiver")
	var l letter
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		if r.say != nil {
			if s := r.say(line); s == "drop" {
				return
			} else if s != "" {
				answer(s)
				continue
			}
		}
		word, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(word) {
		case "EHLO":
			lines := []string{"receiver", "8BITMIME"}
			if !secure && !r.plain {
				lines = append(lines, "STARTTLS")
			}
			if r.user != "" {
				lines = append(lines, "AUTH PLAIN")
			}
			for i, s := range lines {
				if i < len(lines)-1 {
					answer("250-" + s)
				} else {
					answer("250 " + s)
				}
			}
		case "STARTTLS":
			answer("220 go ahead")
			r.serveTLS(tls.Server(c, r.tls))
			return
		case "AUTH":
			_, given, _ := strings.Cut(rest, " ")
			b, _ := base64.StdEncoding.DecodeString(given)
			if string(b) == "\x00"+r.user+"\x00secret" {
				answer("235 welcome")
			} else {
				answer("535 no")
			}
		case "MAIL":
			l = letter{from: between(rest)}
			answer("250 ok")
		case "RCPT":
			l.to = between(rest)
			answer("250 ok")
		case "DATA":
			answer("354 go ahead")
			if l.raw, err = in.ReadDotBytes(); err != nil {
				return
			}
			if r.say != nil {
				if s := r.say("taken"); s == "drop" {
					return
				} else if s != "" {
					answer(s)
					continue
				}
			}
			r.mu.Lock()
			r.letters, r.secure = append(r.letters, l), secure
			r.mu.Unlock()
			if r.say != nil && r.say("kept") == "drop" {
				return
			}
			answer("250 taken")
		case "QUIT":
			answer("221 bye")
			return
		default: // NOOP, RSET
			answer("250 ok")
		}
	}
}

// serveTLS goes on after STARTTLS, where the client greets again. It has had its
// 220 by then.
func (r *receiver) serveTLS(c *tls.Conn) {
	r.serve(silentFirst{c, new(sync.Once)}, true)
}

// silentFirst swallows the greeting that a new connection would begin with.
type silentFirst struct {
	net.Conn
	once *sync.Once
}

func (s silentFirst) Write(b []byte) (int, error) {
	first := false
	s.once.Do(func() { first = true })
	if first {
		return len(b), nil
	}
	return s.Conn.Write(b)
}

func between(s string) string {
	_, s, _ = strings.Cut(s, "<")
	s, _, _ = strings.Cut(s, ">")
	return s
}

// got is what was received.
func (r *receiver) got() []letter {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]letter(nil), r.letters...)
}

// relay is how a postman finds the receiver.
func (r *receiver) relay() Relay {
	a := r.addr.(*net.TCPAddr)
	mode := StartTLS
	if r.direct {
		mode = ImplicitTLS
	} else if r.plain {
		mode = Plain
	}
	relay := Relay{Host: a.IP.String(), Port: a.Port, From: "Bureau <bureau@example.com>", TLS: mode, Roots: r.roots, Within: 5 * time.Second}
	if r.user != "" {
		relay.User, relay.Password = r.user, "secret"
	}
	return relay
}
