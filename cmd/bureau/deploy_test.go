package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/knadh/koanf/parsers/yaml"

	"bureau/internal/app"
	"bureau/internal/lacktest"
)

// A compose file as far as we look into it.
type compose struct {
	Services map[string]struct {
		Image       string
		Build       struct{ Context, Dockerfile string }
		Environment map[string]string
		Ports       []string
		Volumes     []string
		Networks    []string
		Secrets     []string
		DependsOn   any    `json:"depends_on"`
		Grace       string `json:"stop_grace_period"`
	}
	Volumes  map[string]any
	Networks map[string]struct {
		IPAM struct{ Config []struct{ Subnet string } }
	}
	Secrets map[string]struct{ File string }
}

func readCompose(t *testing.T, path string) (c compose) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := yaml.Parser().Unmarshal(b)
	if err == nil {
		b, err = json.Marshal(plain)
	}
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

// What the compose files name is there: settings, files, services, volumes,
// networks; and a node is given the time that it asks for to stop.
func TestComposeFiles(t *testing.T) {
	settings := map[string]string{}
	for _, f := range everyCommand(t)["serve"].Flags {
		settings[app.Variable(f.Name)] = f.Default
	}
	for _, path := range []string{"../../deploy/compose.yaml", "../../deploy/three-nodes/compose.yaml"} {
		c, dir := readCompose(t, path), filepath.Dir(path)
		if len(c.Services) < 2 {
			t.Fatalf("%s has %d services", path, len(c.Services))
		}
		for name, s := range c.Services {
			say := func(format string, args ...any) {
				t.Helper()
				t.Errorf("%s: %s: %s", path, name, fmt.Sprintf(format, args...))
			}
			for variable := range s.Environment {
				if _, ok := settings[variable]; strings.HasPrefix(variable, "BUREAU_") && !ok {
					say("there is no setting %s", variable)
				}
			}
			if s.Build.Dockerfile != "" {
				if _, err := os.Stat(filepath.Join(dir, s.Build.Context, s.Build.Dockerfile)); err != nil {
					say("%v", err)
				}
				grace, err := time.ParseDuration(s.Grace)
				within, err2 := time.ParseDuration(settings["BUREAU_STOP_WITHIN"])
				if err != nil || err2 != nil || grace <= within {
					say("it is killed after %s, while it takes %s to stop", s.Grace, settings["BUREAU_STOP_WITHIN"])
				}
			} else if s.Image == "" {
				say("it is neither built nor fetched")
			}
			for _, v := range s.Volumes {
				from, _, _ := strings.Cut(v, ":")
				if _, ok := c.Volumes[from]; !ok && !strings.HasPrefix(from, "./") {
					say("there is no volume %s", from)
				}
			}
			for _, n := range s.Networks {
				if _, ok := c.Networks[n]; !ok {
					say("there is no network %s", n)
				}
			}
			for _, secret := range s.Secrets {
				if c.Secrets[secret].File == "" {
					say("there is no secret %s", secret)
				}
			}
			for _, other := range keysOf(s.DependsOn) {
				if _, ok := c.Services[other]; !ok {
					say("there is no service %s", other)
				}
			}
		}
	}
}

// keysOf reads what may be a list or a map.
func keysOf(v any) (keys []string) {
	switch v := v.(type) {
	case []any:
		for _, k := range v {
			keys = append(keys, fmt.Sprint(k))
		}
	case map[string]any:
		for k := range v {
			keys = append(keys, k)
		}
	}
	return keys
}

// The load balancer and the nodes agree: it sends to each of them, at the port
// where they listen; they trust its network; it serves with files that it is
// given; and it waits longer than a stream is silent.
func TestLoadBalancer(t *testing.T) {
	const dir = "../../deploy/three-nodes/"
	c := readCompose(t, dir+"compose.yaml")
	b, err := os.ReadFile(dir + "haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	cfg := string(b)
	var nodes, served []string
	for name, s := range c.Services {
		if s.Environment["BUREAU_LISTEN"] == "" {
			continue
		}
		nodes = append(nodes, fmt.Sprintf("server %s %s%s", name, name, s.Environment["BUREAU_LISTEN"]))
		if s.Environment["BUREAU_TRUSTED_PROXY"] != c.Networks["inside"].IPAM.Config[0].Subnet {
			t.Errorf("%s does not trust the network of the load balancer", name)
		}
		if file := strings.TrimPrefix(s.Environment["BUREAU_KEY_FILE"], "/run/secrets/"); !slices.Contains(s.Secrets, file) {
			t.Errorf("%s has no key file %s", name, file)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\s*(server \S+ \S+)`).FindAllStringSubmatch(cfg, -1) {
		served = append(served, m[1])
	}
	slices.Sort(nodes)
	if !slices.Equal(nodes, served) || len(nodes) != 3 {
		t.Errorf("it sends to %q, and the nodes are %q", served, nodes)
	}
	balancer := c.Services["balancer"]
	for _, file := range []string{"haproxy.cfg", "site.pem"} {
		if !slices.Contains(balancer.Volumes, "./"+file+":/usr/local/etc/haproxy/"+file+":ro") {
			t.Errorf("the load balancer is not given %s", file)
		}
	}
	listens := regexp.MustCompile(`(?m)^\s*bind :(\d+) ssl crt /usr/local/etc/haproxy/site\.pem `).FindStringSubmatch(cfg)
	if listens == nil || !slices.Contains(balancer.Ports, "443:"+listens[1]) {
		t.Errorf("it listens at %v, and its ports are %v", listens, balancer.Ports)
	}
	for _, side := range []string{"client", "server"} {
		m := regexp.MustCompile(`(?m)^\s*timeout ` + side + ` (\S+)$`).FindStringSubmatch(cfg)
		if m == nil {
			t.Fatalf("it has no timeout %s", side)
		}
		if d, err := time.ParseDuration(m[1]); err != nil || d < 3*15*time.Second {
			t.Errorf("timeout %s is %s, and streams beat every 15 seconds", side, m[1])
		}
	}
	if !strings.Contains(cfg, "http-request set-header X-Forwarded-For %[src]") {
		t.Error("it does not say who is calling")
	}
	askReady(t, regexp.MustCompile(`(?m)^\s*http-check send meth GET uri (\S+)`).FindStringSubmatch(cfg))
}

// The load balancer itself reads its settings, with a certificate of ours and
// addresses for the nodes' names.
func TestHAProxyReadsItsSettings(t *testing.T) {
	program := lacktest.Program(t, "haproxy")
	b, err := os.ReadFile("../../deploy/three-nodes/haproxy.cfg")
	if err != nil {
		t.Fatal(err)
	}
	cfg := string(b)
	dir := t.TempDir()
	site := httptest.NewTLSServer(http.NotFoundHandler())
	site.Close() // only its certificate is wanted
	key, err := x509.MarshalPKCS8PrivateKey(site.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	if err := os.WriteFile(filepath.Join(dir, "site.pem"), both, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg = strings.ReplaceAll(cfg, "/usr/local/etc/haproxy/site.pem", filepath.Join(dir, "site.pem"))
	cfg = regexp.MustCompile(`(?m)^(\s*server \S+) [^:]+:`).ReplaceAllString(cfg, "$1 127.0.0.1:")
	file := filepath.Join(dir, "haproxy.cfg")
	if err := os.WriteFile(file, []byte(cfg), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), program, "-c", "-f", file).CombinedOutput(); err != nil {
		t.Errorf("haproxy says %v\n%s", err, out)
	}
}

// askReady asks a real node what the load balancer asks.
func askReady(t *testing.T, found []string) {
	t.Helper()
	if found == nil {
		t.Fatal("it asks no node whether it is ready")
	}
	said, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"serve", "--http", "--listen", "127.0.0.1:0", "--data", t.TempDir()}, strings.NewReader(""), said, said, func(string) string { return "" })
	}()
	defer func() {
		stop()
		<-done
	}()
	address := awaitAddress(t, said.Name())
	resp, err := http.Get("http://" + address + found[1])
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("%s answers %d", found[1], resp.StatusCode)
	}
}
