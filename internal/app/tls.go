package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
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
func (c Config) tlsConfig() (*tls.Config, error) {
	base := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	switch {
	case len(c.ACMEHost) > 0:
		m := &autocert.Manager{
			Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(c.ACMEHost...),
			Cache: autocert.DirCache(filepath.Join(c.Data, "acme")), Email: c.ACMEEmail,
		}
		if c.ACMEDirectory != "" {
			m.Client = &acme.Client{DirectoryURL: c.ACMEDirectory}
		}
		base.GetCertificate = m.GetCertificate
		base.NextProtos = append(base.NextProtos, acme.ALPNProto)
		return base, nil
	case c.TLSCert != "":
		r := &reloader{cert: c.TLSCert, key: c.TLSKey}
		if _, err := r.get(); err != nil {
			return nil, err
		}
		base.GetCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return r.get() }
		return base, nil
	}
	cert, key := filepath.Join(c.Data, "cert.pem"), filepath.Join(c.Data, "cert-key.pem")
	host, _, _ := net.SplitHostPort(c.Listen)
	if err := ownCertificate(cert, key, host, time.Now()); err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("read our certificate: %w", err)
	}
	base.Certificates = []tls.Certificate{pair}
	return base, nil
}

// A reloader serves the operator's certificate and notices when it is renewed.
type reloader struct {
	cert, key string

	mu     sync.Mutex
	loaded *tls.Certificate
	at     time.Time // when the file was last looked at
	stamp  time.Time // its date then
}

func (r *reloader) get() (*tls.Certificate, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loaded != nil && time.Since(r.at) < time.Minute {
		return r.loaded, nil
	}
	r.at = time.Now()
	info, err := os.Stat(r.cert)
	if err == nil && r.loaded != nil && info.ModTime().Equal(r.stamp) {
		return r.loaded, nil
	}
	pair, err := tls.LoadX509KeyPair(r.cert, r.key)
	if err != nil {
		if r.loaded != nil {
			return r.loaded, nil // half-written: the old one will do for now
		}
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	r.loaded = &pair
	if info != nil {
		r.stamp = info.ModTime()
	}
	return r.loaded, nil
}

// ownCertificate makes a certificate for this machine, unless there is one that
// holds for another month and names the host.
func ownCertificate(certPath, keyPath, host string, now time.Time) error {
	names := []string{"localhost"}
	ips := []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	if h, err := os.Hostname(); err == nil && h != "" {
		names = append(names, h)
	}
	if ip := net.ParseIP(host); ip != nil {
		ips = append(ips, ip)
	} else if host != "" && host != "localhost" {
		names = append(names, host)
	}
	old, err := readCertificate(certPath)
	if err == nil && old.NotAfter.After(now.AddDate(0, 1, 0)) && !slices.ContainsFunc(names, func(n string) bool { return old.VerifyHostname(n) != nil }) {
		if _, err := os.Stat(keyPath); err == nil {
			return nil
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read our certificate %s: %w", certPath, err)
	}
	return makeCertificate(certPath, keyPath, names, ips, now)
}

func readCertificate(path string) (*x509.Certificate, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(b)
	if block == nil {
		return nil, errors.New("it holds no certificate")
	}
	return x509.ParseCertificate(block.Bytes)
}

func makeCertificate(certPath, keyPath string, names []string, ips []net.IP, now time.Time) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Bureau on " + names[len(names)-1]},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    names, IPAddresses: ips,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(certPath), 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	if err := writeWhole(keyPath, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600); err != nil {
		return err
	}
	return writeWhole(certPath, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}

// writeWhole replaces a file so that a crash leaves the old one or the new one.
func writeWhole(path string, b []byte, mode os.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(b)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
