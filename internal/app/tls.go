package app

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// tlsConfig finds the certificate to serve with: the operator's, one from an
// ACME authority, or one of our own making.
func (c Config) tlsConfig(log *slog.Logger) (*tls.Config, error) {
	base := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	if len(c.ACMEHost) > 0 {
		m := c.acmeManager()
		base.NextProtos = append(base.NextProtos, acme.ALPNProto)
		base.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			cert, err := m.GetCertificate(hello)
			if err != nil && slices.Contains(c.ACMEHost, hello.ServerName) { // and not a scanner's guess
				log.Warn("no certificate by ACME", "host", hello.ServerName, "err", err)
			}
			return cert, err
		}
		return base, nil
	}
	k := &certKeeper{refresh: c.ownCert().refresh, now: time.Now, log: log}
	if c.TLSCert != "" {
		k.refresh = (&givenCert{cert: c.TLSCert, key: c.TLSKey}).refresh
	}
	if _, err := k.get(); err != nil {
		return nil, err
	}
	base.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return k.get() }
	return base, nil
}

func (c Config) acmeManager() *autocert.Manager {
	m := &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(c.ACMEHost...),
		Cache: autocert.DirCache(filepath.Join(c.Data, "acme")), Email: c.ACMEEmail,
	}
	if c.ACMEDirectory != "" {
		m.Client = &acme.Client{DirectoryURL: c.ACMEDirectory}
	}
	return m
}

// ownCert names the certificate that we make ourselves: for this machine, the
// address that we listen on and the one that clients know.
func (c Config) ownCert() *ownCert {
	o := &ownCert{
		cert: filepath.Join(c.Data, "cert.pem"), key: filepath.Join(c.Data, "cert-key.pem"),
		names: []string{"localhost"}, ips: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, now: time.Now,
	}
	hosts := []string{}
	if host, _, err := net.SplitHostPort(c.Listen); err == nil {
		hosts = append(hosts, host)
	}
	if u, err := url.Parse(c.PublicURL); err == nil {
		hosts = append(hosts, u.Hostname())
	}
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	for _, h := range hosts {
		ip := net.ParseIP(h)
		switch {
		case h == "" || ip.IsUnspecified():
		case ip != nil && !slices.ContainsFunc(o.ips, ip.Equal):
			o.ips = append(o.ips, ip)
		case ip == nil && !slices.Contains(o.names, h):
			o.names = append(o.names, h)
		}
	}
	return o
}

// A certKeeper serves a certificate and looks once a minute whether it is to be
// replaced. A certificate that cannot be replaced is served for as long as it
// lasts.
type certKeeper struct {
	// refresh returns the certificate to serve: held itself if all is well
	// with it. At first there is none.
	refresh func(held *tls.Certificate) (*tls.Certificate, error)
	now     func() time.Time
	log     *slog.Logger

	mu   sync.Mutex
	held *tls.Certificate
	at   time.Time // of the last look
}

func (k *certKeeper) get() (*tls.Certificate, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	if k.held != nil && now.Sub(k.at) < time.Minute {
		return k.held, nil
	}
	k.at = now
	next, err := k.refresh(k.held)
	switch {
	case err == nil:
		k.held = next
	case k.held == nil:
		return nil, err
	default:
		k.log.Warn("the certificate was not replaced; the old one goes on", "err", err)
	}
	return k.held, nil
}

// A givenCert is the operator's certificate, which others renew.
type givenCert struct {
	cert, key string
	stamp     time.Time // the date of the file that is held
}

func (g *givenCert) refresh(held *tls.Certificate) (*tls.Certificate, error) {
	info, err := os.Stat(g.cert)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	if held != nil && info.ModTime().Equal(g.stamp) {
		return held, nil
	}
	// Certificate and key are two files: where only one of them is new yet,
	// they do not fit and the next look tries again.
	pair, err := tls.LoadX509KeyPair(g.cert, g.key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	g.stamp = info.ModTime()
	return &pair, nil
}
