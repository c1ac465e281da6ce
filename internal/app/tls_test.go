package app

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/acme"
)

func TestServesHTTP2WithItsOwnCertificate(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	res, _ := h.get(t, "/healthz")
	if res.StatusCode != http.StatusOK || res.ProtoMajor != 2 {
		t.Errorf("got %s by HTTP/%d, want 200 by HTTP/2", res.Status, res.ProtoMajor)
	}
	if res.TLS.Version < tls.VersionTLS12 {
		t.Errorf("got TLS version %x", res.TLS.Version)
	}
	info, err := os.Stat(filepath.Join(h.Config.Data, "cert-key.pem"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the certificate's key: %v, %v; want mode 0600", info, err)
	}
}

func TestRefusesOldTLS(t *testing.T) {
	t.Parallel()
	h := serveHouse(t, config(t))
	for _, v := range []uint16{tls.VersionTLS10, tls.VersionTLS11} {
		conn, err := tls.Dial("tcp", h.Config.Listen, &tls.Config{
			InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: v,
		})
		if err == nil {
			conn.Close()
			t.Errorf("%s was spoken", tls.VersionName(v))
		}
	}
	conn, err := tls.Dial("tcp", h.Config.Listen, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatalf("TLS 1.2: %v", err)
	}
	conn.Close()
}

// keeperOf is the keeper of our own certificate, with a clock to turn.
func keeperOf(t *testing.T, c Config, now *time.Time) *certKeeper {
	t.Helper()
	clock := func() time.Time { return *now }
	own := c.ownCert()
	own.now = clock
	log, _ := newLog()
	return &certKeeper{refresh: own.refresh, now: clock, log: log}
}

func mustGet(t *testing.T, k *certKeeper) *tls.Certificate {
	t.Helper()
	c, err := k.get()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOwnCertificateIsKeptAndRenewedInTime(t *testing.T) {
	t.Parallel()
	c := config(t)
	now := time.Now()
	k := keeperOf(t, c, &now)
	first := mustGet(t, k)

	// Another start with the same data finds it again.
	if again := mustGet(t, keeperOf(t, c, &now)); !again.Leaf.Equal(first.Leaf) {
		t.Error("a second start made another certificate")
	}
	now = first.Leaf.NotAfter.AddDate(0, -1, 0).Add(-time.Minute)
	if !mustGet(t, k).Leaf.Equal(first.Leaf) {
		t.Error("renewed earlier than a month before its end")
	}
	now = now.Add(2 * time.Minute)
	second := mustGet(t, k)
	if second.Leaf.Equal(first.Leaf) || !second.Leaf.NotAfter.After(now.AddDate(0, 11, 0)) {
		t.Errorf("not renewed a month before its end: it lasts until %s", second.Leaf.NotAfter)
	}
	if again := mustGet(t, keeperOf(t, c, &now)); !again.Leaf.Equal(second.Leaf) {
		t.Error("the renewed certificate was not kept")
	}
}

func TestOwnCertificateBearsTheNamesItNeeds(t *testing.T) {
	t.Parallel()
	c := config(t)
	now := time.Now()
	first := mustGet(t, keeperOf(t, c, &now))
	c.Listen, c.PublicURL = "192.0.2.7:8443", "https://api.example.com:8443"
	second := mustGet(t, keeperOf(t, c, &now))
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "192.0.2.7", "api.example.com"} {
		if err := second.Leaf.VerifyHostname(name); err != nil {
			t.Error(err)
		}
	}
	if first.Leaf.VerifyHostname("192.0.2.7") == nil {
		t.Error("the first certificate bears an address that nobody asked for")
	}
	c.Listen = "0.0.0.0:8443"
	if third := mustGet(t, keeperOf(t, c, &now)); !third.Leaf.Equal(second.Leaf) {
		t.Error("listening on every address is no reason for a new certificate")
	}
	if second.Leaf.IsCA {
		t.Error("whoever trusts our certificate trusts it to sign others")
	}
}

// A crash between the two files of a renewal leaves a key that does not fit.
func TestOwnCertificateSurvivesACrash(t *testing.T) {
	t.Parallel()
	c, other := config(t), config(t)
	now := time.Now()
	mustGet(t, keeperOf(t, c, &now))
	mustGet(t, keeperOf(t, other, &now))
	key, err := os.ReadFile(filepath.Join(other.Data, "cert-key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Data, "cert-key.pem"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	mustGet(t, keeperOf(t, c, &now))
}

func TestOperatorsCertificateIsReloadedWhenRenewed(t *testing.T) {
	t.Parallel()
	// Certificates are easily made: two of our own stand for the operator's.
	now := time.Now()
	files := func(data string) (cert, key string) {
		return filepath.Join(data, "cert.pem"), filepath.Join(data, "cert-key.pem")
	}
	made, renewed := config(t), config(t)
	first := mustGet(t, keeperOf(t, made, &now))
	second := mustGet(t, keeperOf(t, renewed, &now))
	cert, key := files(made.Data)
	newCert, newKey := files(renewed.Data)
	log, j := newLog()
	k := &certKeeper{refresh: (&givenCert{cert: cert, key: key}).refresh, now: func() time.Time { return now }, log: log}
	if !mustGet(t, k).Leaf.Equal(first.Leaf) {
		t.Fatal("not the operator's certificate")
	}

	replace := func(from, to string) {
		t.Helper()
		b, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Hour)
		if err := errors.Join(os.WriteFile(to, b, 0o600), os.Chtimes(to, later, later)); err != nil {
			t.Fatal(err)
		}
	}
	replace(newCert, cert)
	now = now.Add(time.Minute)
	if !mustGet(t, k).Leaf.Equal(first.Leaf) {
		t.Error("half a renewal was taken")
	}
	if len(j.lines(t, "the certificate was not replaced; the old one goes on")) != 1 {
		t.Errorf("the log does not say that the renewal does not fit:\n%s", j)
	}
	replace(newKey, key)
	now = now.Add(time.Minute)
	if !mustGet(t, k).Leaf.Equal(second.Leaf) {
		t.Error("the renewed certificate was not taken")
	}
	if err := os.Remove(cert); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Minute)
	if !mustGet(t, k).Leaf.Equal(second.Leaf) {
		t.Error("a certificate that is gone is served no more")
	}
}

func TestACME(t *testing.T) {
	t.Parallel()
	c := config(t, func(c *Config) {
		c.ACMEHost = []string{"api.example.com", "www.example.com"}
		c.ACMEDirectory, c.ACMEEmail = "https://ca.example.com/directory", "ops@example.com"
	})
	log, j := newLog()
	conf, err := c.tlsConfig(log)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"h2", "http/1.1", acme.ALPNProto}; !slices.Equal(conf.NextProtos, want) {
		t.Errorf("got protocols %v, want %v", conf.NextProtos, want)
	}
	if conf.MinVersion != tls.VersionTLS12 {
		t.Errorf("got lowest version %x", conf.MinVersion)
	}
	m := c.acmeManager()
	if m.Client.DirectoryURL != c.ACMEDirectory || m.Email != c.ACMEEmail {
		t.Errorf("the manager asks %s for %s", m.Client.DirectoryURL, m.Email)
	}
	for host, want := range map[string]bool{"api.example.com": true, "www.example.com": true, "example.com": false, "evil.example": false} {
		if got := m.HostPolicy(t.Context(), host) == nil; got != want {
			t.Errorf("a certificate for %s: got %v, want %v", host, got, want)
		}
	}
	// A name that is not ours is refused without a word to anyone.
	if _, err := conf.GetCertificate(&tls.ClientHelloInfo{ServerName: "evil.example"}); err == nil {
		t.Error("got a certificate for a name that is not ours")
	}
	if j.String() != "" {
		t.Errorf("a scanner fills the log: %s", j)
	}
	if _, err := os.Stat(filepath.Join(c.Data, "cert.pem")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("made a certificate of our own beside the one by ACME")
	}
	if s := Examine(t.Context(), c, false, nil); !slices.ContainsFunc(s, func(s Symptom) bool {
		return s.Subject == "certificate" && strings.Contains(s.Says, "api.example.com")
	}) {
		t.Errorf("the doctor does not tell of ACME: %v", s)
	}
}
