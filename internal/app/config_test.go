package app

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSettingsComeFromTheVariableThenTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bureau.yaml")
	text := "listen: file:1\ndata: from-file\ntrusted-proxy: [10.0.0.0/8, 192.0.2.1]\nhttp: true\nstop-within: 5s\nlissten: x\ntls: {cert: y}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"BUREAU_LISTEN": "variable:2", "BUREAU_PUBLIC_URL": "https://variable.example.com", "BUREAU_DATA": ""}
	s, err := ReadSettings(func(name string) string { return env[name] }, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, value, origin string }{
		{"listen", "variable:2", "variable BUREAU_LISTEN"},
		{"public-url", "https://variable.example.com", "variable BUREAU_PUBLIC_URL"},
		{"data", "from-file", "file " + path},
		{"trusted-proxy", "10.0.0.0/8,192.0.2.1", "file " + path},
		{"http", "true", "file " + path},
		{"stop-within", "5s", "file " + path},
		{"audience", "", ""},
	} {
		value, origin, ok := s.Lookup(c.name)
		if value != c.value || origin != c.origin || ok != (c.origin != "") {
			t.Errorf("%s: got %q from %q", c.name, value, origin)
		}
	}
	known := []string{"listen", "data", "trusted-proxy", "http", "stop-within"}
	if got := s.Unknown(known); !slices.Equal(got, []string{"lissten", "tls.cert"}) {
		t.Errorf("lines that set nothing: got %v", got)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listen   string
		loopback bool
		url      string
	}{
		{"localhost:8443", true, "https://localhost:8443"},
		{"LocalHost:8443", true, "https://LocalHost:8443"},
		{"127.0.0.1:8443", true, "https://127.0.0.1:8443"},
		{"127.1.2.3:1", true, "https://127.1.2.3:1"},
		{"[::1]:8443", true, "https://[::1]:8443"},
		{"[::ffff:127.0.0.1]:1", true, "https://[::ffff:127.0.0.1]:1"},
		{":8443", false, "https://localhost:8443"},
		{"0.0.0.0:8443", false, "https://localhost:8443"},
		{"[::]:8443", false, "https://localhost:8443"},
		{"192.0.2.1:8443", false, "https://192.0.2.1:8443"},
		{"localhost.example.com:1", false, "https://localhost.example.com:1"},
	} {
		if got := isLoopback(c.listen); got != c.loopback {
			t.Errorf("%s is loopback: got %v", c.listen, got)
		}
		if got := (Config{Listen: c.listen}).publicURL(); got != c.url {
			t.Errorf("%s is known as %s, want %s", c.listen, got, c.url)
		}
	}
	if got := (Config{Listen: "localhost:1", HTTP: true}).publicURL(); got != "http://localhost:1" {
		t.Errorf("plain HTTP is known as %s", got)
	}
	if got := (Config{Listen: ":1", HTTP: true, BehindProxy: true, PublicURL: "https://api.example.com/"}).publicURL(); got != "https://api.example.com" {
		t.Errorf("behind a proxy we are known as %s", got)
	}
}

func TestSecretsPrintAsStars(t *testing.T) {
	t.Parallel()
	c := config(t, func(c *Config) { c.DB = "postgres://bureau:s3cr3t@db/bureau" })
	log, j := newLog()
	log.Info("settings", "config", c.DB)
	for _, text := range []string{j.String(), fmt.Sprint(c), fmt.Sprintf("%+v %v %s", c, c.Place, c.DB)} {
		if strings.Contains(text, "s3cr3t") {
			t.Errorf("the password shows: %s", text)
		}
	}
}
