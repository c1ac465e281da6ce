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
	"time"
)

// An ownCert is a certificate of our own making. It is kept, and made anew a
// month before it ends or when it must bear another name.
type ownCert struct {
	cert, key string
	names     []string
	ips       []net.IP
	now       func() time.Time
}

func (o *ownCert) refresh(held *tls.Certificate) (*tls.Certificate, error) {
	if held != nil && o.isGood(held.Leaf) {
		return held, nil
	}
	pair, err := tls.LoadX509KeyPair(o.cert, o.key)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("read our certificate: %w", err)
	}
	if err == nil && o.isGood(pair.Leaf) {
		return &pair, nil
	}
	// None yet, too old, or a crash left the two files from different days.
	if err := o.make(); err != nil {
		return nil, err
	}
	if pair, err = tls.LoadX509KeyPair(o.cert, o.key); err != nil {
		return nil, fmt.Errorf("read our certificate: %w", err)
	}
	return &pair, nil
}

func (o *ownCert) isGood(c *x509.Certificate) bool {
	if !c.NotAfter.After(o.now().AddDate(0, 1, 0)) {
		return false
	}
	for _, n := range o.names {
		if c.VerifyHostname(n) != nil {
			return false
		}
	}
	for _, ip := range o.ips {
		if c.VerifyHostname(ip.String()) != nil {
			return false
		}
	}
	return true
}

func (o *ownCert) make() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	now := o.now()
	// Not an authority: who trusts it trusts it for its own names only.
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Bureau on " + o.names[len(o.names)-1]},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true, DNSNames: o.names, IPAddresses: o.ips,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(o.cert), 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	if err := writeWhole(o.key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600); err != nil {
		return err
	}
	return writeWhole(o.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644)
}

// readCertificate reads the first certificate of a file.
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
