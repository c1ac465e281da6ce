package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bureau/internal/app"
	"bureau/internal/auth"
)

// A19: canaries go in by every way there is, and come out nowhere.

// A mine is the whole program, with everything that it says kept.
type mine struct {
	t        *testing.T
	app      *app.App
	url      string
	log      *buffer
	traces   *buffer
	canaries map[string]string
	dir      string
}

const (
	canaryName  = "Canarina"
	canaryWrong = "canary-wrong-password"
	canaryUser  = "canary-user-key"
)

func newMine(t *testing.T, spoil func(*app.App)) *mine {
	t.Helper()
	m := &mine{t: t, log: new(buffer), traces: new(buffer), dir: t.TempDir()}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(m.traces, r.Body)
	}))
	t.Cleanup(collector.Close)
	c := app.Config{
		Place:  app.Place{Data: m.dir},
		Listen: "127.0.0.1:0", HTTP: true, TokenAlg: "EdDSA", KeyEvery: auth.DefaultKeySchedule.Every, Audience: "bureau",
		HashMemKB: 8192, LogFormat: "json", LogLevel: "debug", OTLPEndpoint: collector.URL,
	}
	a, err := app.Open(t.Context(), c, c.NewLog(m.log))
	must(t, err)
	m.app = a
	customer, err := a.AddCustomer(t.Context(), "Acme", app.Terms{Products: []string{"all"}})
	must(t, err)
	account, err := a.AddAccount(t.Context(), app.AccountWish{
		Customer: customer.ID, UserKey: "acme", Email: "canary@example.com", First: "Ada", ConsolePassword: "canary for the console",
	})
	must(t, err)
	m.canaries = map[string]string{
		"password": account.Password, "wrong password": canaryWrong, "unknown user key": canaryUser, "name": canaryName,
		"console password": "canary for the console", "e-mail address": "canary@example.com",
	}
	if spoil != nil {
		spoil(a)
	}
	serving, err := a.Serve(t.Context(), "test")
	must(t, err)
	m.url = "http://" + a.Config.Listen
	t.Cleanup(func() {
		// The context of the test is over by now.
		if err := serving.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("stop: %v", err)
		}
		m.scan("the log", m.log.String())
		m.scan("the traces", m.traces.String())
		if !strings.Contains(m.traces.String(), "http.route") || !strings.Contains(m.log.String(), `"msg":"request"`) {
			t.Error("there are no traces or no log: the test sees nothing")
		}
		_ = a.Close() // one of the tests has closed the database already
		m.scanFiles()
	})
	return m
}

// scan looks for canaries, also as they look in an address.
func (m *mine) scan(what, text string) {
	m.t.Helper()
	for name, canary := range m.canaries {
		for _, form := range []string{canary, url.QueryEscape(canary), url.PathEscape(canary)} {
			if i := strings.Index(text, form); i >= 0 {
				m.t.Errorf("%s is in %s: …%s…", name, what, text[max(0, i-200):min(len(text), i+len(form)+50)])
				break
			}
		}
	}
}

// scanFiles looks at what is on disk. The e-mail address belongs there.
func (m *mine) scanFiles() {
	m.t.Helper()
	delete(m.canaries, "e-mail address")
	files, err := filepath.Glob(filepath.Join(m.dir, "bureau.db*"))
	must(m.t, err)
	if len(files) == 0 {
		m.t.Error("there is no database")
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		must(m.t, err)
		m.scan(filepath.Base(f), string(b))
	}
}

// send sends a request and scans the answer, unless it is what was asked for.
func (m *mine) send(method, path, body string, header ...string) answer {
	m.t.Helper()
	w := &world{t: m.t, url: m.url}
	got := w.send(method, path, body, header...)
	if got.status != http.StatusOK {
		where, _, _ := strings.Cut(path, "?")
		text := fmt.Sprint(got.header, got.body)
		if strings.Contains(where, canaryName) || got.status == http.StatusUnsupportedMediaType {
			// A wrong id or type is quoted to the one who sent it, and to nobody else.
			text = strings.ReplaceAll(text, canaryName, "")
		}
		m.scan("the answer to "+method+" "+where, text)
	}
	return got
}

// login gets a token, which is a canary from then on.
func (m *mine) login() string {
	m.t.Helper()
	got := m.send("POST", "/v1/authenticate", credentials("acme", m.canaries["password"]))
	var out struct{ Token string }
	must(m.t, json.Unmarshal([]byte(got.body), &out))
	if got.status != 200 {
		m.t.Fatalf("login: got %d %s", got.status, got.body)
	}
	m.canaries["token"] = out.Token
	m.canaries["signature"] = out.Token[strings.LastIndexByte(out.Token, '.')+1:]
	return out.Token
}

// everyWay sends canaries by every way there is.
func (m *mine) everyWay(token string) {
	password := m.canaries["password"]
	for _, l := range []struct{ kind, body string }{
		{jsonType, credentials("acme", canaryWrong)},
		{jsonType, credentials(canaryUser, password)},
		{jsonType, credentials("canary@example.com", "canary for the console")},
		{jsonType, credentials("acme", password+"x")},
		{jsonType, credentials("acme", password) + "x"},
		{formType, "username=" + canaryUser + "&password=%zz" + password},
		{jsonType, `{"username":"acme","password":["` + password + `"]}`},
		{"text/plain; " + canaryName, password},
	} {
		m.send("POST", "/v1/authenticate", l.body, "Content-Type", l.kind)
	}
	for range 6 {
		m.send("POST", "/v1/authenticate?password="+password, credentials("acme", canaryWrong), "Authorization", "Basic "+password)
	}
	name := url.QueryEscape(canaryName + " Testperson")
	for _, path := range []string{
		"/access", "/access/users/me", "/access/users/active", "/nowhere/" + canaryName, "/protect/audit", "/protect/" + canaryName,
		"/" + canaryName, "/authenticate/" + canaryName, "/healthz", "/readyz", "/openapi.json", "/.well-known/jwks.json",
		"/%" + canaryName, "/companies/" + canaryName,
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS", "BREW"} {
			for _, authorization := range []string{"", "Bearer " + token, token, token + "x", "Bearer " + strings.Repeat(token, 12)} {
				m.send(method, strings.ReplaceAll(path, "/%", "/%25")+"?name="+name+"&token="+token, `{"name":"`+canaryName+`"}`,
					"Authorization", authorization, "User-Agent", canaryName, "Referer", "https://"+canaryName, "Cookie", "session="+token,
					"X-Forwarded-For", canaryName, "Idempotency-Key", canaryName, "Traceparent", canaryName, "Baggage", "name="+canaryName,
					"X-Correlation-Id", canaryName, "Origin", "https://"+canaryName, "Content-Type", canaryName)
			}
		}
	}
}

func TestCanariesComeOutNowhere(t *testing.T) {
	m := newMine(t, nil)
	m.everyWay(m.login())
	got := m.send("GET", "/metrics", "")
	if got.status != 200 || !strings.Contains(got.body, "bureau_requests_total") {
		t.Fatalf("got %d, want the metrics", got.status)
	}
	m.scan("the metrics", got.body)
}

// The same where handlers break down.
func TestCanariesComeOutOfNoPanic(t *testing.T) {
	m := newMine(t, func(a *app.App) {
		a.Usage = nil            // breaks /access
		a.Register = nil         // breaks /companies
		a.Directory.Vault = nil  // breaks authenticate, once somebody has logged in
		a.Tokens.Directory = nil // breaks every protected call
	})
	m.canaries["token"] = "eyJhbGciOiJFZERTQSJ9.eyJjYW5hcnkiOjF9.Y2FuYXJ5"
	m.everyWay(m.canaries["token"])
	if n := strings.Count(m.log.String(), "panic"); n < 10 {
		t.Errorf("only %d panics are in the log", n)
	}
}

// The same where the database is gone.
func TestCanariesComeOutOfNoFailure(t *testing.T) {
	m := newMine(t, nil)
	token := m.login()
	must(t, m.app.DB.Close())
	m.everyWay(token)
	if !strings.Contains(m.log.String(), "request failed") {
		t.Error("nothing failed")
	}
	if got := m.send("GET", "/access", "", "Authorization", token); got.status != 500 || !strings.Contains(got.body, "Unhandled error") {
		t.Errorf("got %d %s, want a 500", got.status, got.body)
	}
}
