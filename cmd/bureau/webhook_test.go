package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bureau/client"
)

// TestReceiver runs the receiver of docs/receiver beside a sandbox: a webhook is
// added from the command line, a company changes, and the receiver says so.
func TestReceiver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "receiver")
	if out, err := exec.Command("go", "build", "-o", program, "../../docs/receiver").CombinedOutput(); err != nil {
		t.Fatalf("build the receiver: %v\n%s", err, out)
	}
	data := filepath.Join(dir, "data")
	if err := copySandbox(data); err != nil {
		t.Fatal(err)
	}
	said, err := os.Create(filepath.Join(dir, "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	serve := exec.Command("bureau", "serve", "--sandbox", "--sandbox-speed", "0", "--data", data, "--listen", "localhost:0")
	serve.Stderr = said
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = serve.Process.Kill()
		_ = serve.Wait()
	})
	awaitAddress(t, said.Name())

	key := filepath.Join(dir, "webhook.key")
	lines, address := startReceiver(t, program, key)
	bureau := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("bureau", append(args, "--data", data)...).Output()
		if err != nil {
			t.Fatalf("bureau %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	var hook struct{ Secret, PublicKey string }
	awaitSandbox(t, data)
	if err := json.Unmarshal([]byte(bureau("webhook", "add", "http://"+address+"/hooks", "--json")), &hook); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, []byte(hook.Secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := bureau("webhook", "test", "1"); !strings.HasPrefix(out, "200 in ") {
		t.Errorf("the test says %q", out)
	}
	id := watchCompany(t, data)
	bureau("sandbox", "change", id, "name=Renamed Trading Ltd")
	await := func(want string) {
		t.Helper()
		for {
			select {
			case line := <-lines:
				if strings.Contains(line, want) {
					return
				}
			case <-time.After(patience):
				t.Fatalf("the receiver does not say %q", want)
			}
		}
	}
	await("Renamed Trading Ltd")
	for _, c := range []struct{ args, want string }{
		{"webhook list", "on "},
		{"webhook show 1", hook.PublicKey},
		{"webhook deliveries 1", "delivered"},
		{"webhook deliveries 1 --state dead", "no deliveries"},
		{"webhook replay 1 --since 1", "1 event is sent again"},
		{"webhook rotate 1 --overlap 1h", "whsec_"},
		{"webhook edit 1 --off", "off (switched off by its owner)"},
		{"webhook remove 1", "removed webhook 1"},
		{"webhook list", "no webhooks yet"},
	} {
		if out := bureau(strings.Fields(c.args)...); !strings.Contains(out, c.want) {
			t.Errorf("bureau %s says %q, want %q", c.args, out, c.want)
		}
	}
	for _, args := range []string{"webhook replay 1", "webhook edit 1", "webhook edit 1 --on --off", "webhook rotate 1 --overlap 25h", "webhook add", "webhook deliveries 1 --state lost"} {
		if code, _, errs := call(t, append(strings.Fields(args), "--data", data)...); code != 2 {
			t.Errorf("bureau %s: got exit status %d (%s), want 2", args, code, errs)
		}
	}
}

// startReceiver starts it and returns what it says, and where it listens.
func startReceiver(t *testing.T, program, key string) (<-chan string, string) {
	t.Helper()
	c := exec.Command(program, "--listen", "localhost:0", "--key-file", key)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 1000)
	done := make(chan struct{})
	go func() { // until it is killed
		defer close(done)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = c.Process.Kill()
		<-done
		_ = c.Wait()
	})
	select {
	case first := <-lines:
		return lines, strings.TrimPrefix(first, "listening on ")
	case <-time.After(patience):
		t.Fatal("the receiver does not listen")
		return nil, ""
	}
}

// awaitSandbox waits until there is something to try.
func awaitSandbox(t *testing.T, data string) (card struct{ BaseURL, Username, Password, CompanyID string }) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		b, err := os.ReadFile(filepath.Join(data, "sandbox.json"))
		if err == nil && json.Unmarshal(b, &card) == nil && card.BaseURL != "" {
			return card
		}
		if time.Now().After(deadline) {
			t.Fatalf("there is no sandbox: %v", err)
		}
		time.Sleep(10 * time.Millisecond) // between two looks
	}
}

// watchCompany puts a company of the sandbox into a portfolio that hears of its
// name.
func watchCompany(t *testing.T, data string) (id string) {
	t.Helper()
	card := awaitSandbox(t, data)
	pem, err := os.ReadFile(filepath.Join(data, "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	trust, err := client.Trust(pem)
	if err != nil {
		t.Fatal(err)
	}
	c := &client.Client{BaseURL: card.BaseURL, Username: card.Username, Password: card.Password, HTTP: trust}
	ctx := t.Context()
	name := "For the receiver"
	p, err := c.CreatePortfolio(ctx, client.PortfolioEdit{Name: &name})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddCompany(ctx, p.ID, card.CompanyID, client.Notes{}); err != nil {
		t.Fatal(err)
	}
	if err := c.SwitchRules(ctx, p.ID, "XX", client.RuleSwitch{Code: 5001, IsActive: true}); err != nil {
		t.Fatal(err)
	}
	return card.CompanyID
}
