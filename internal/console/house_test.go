package console_test

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"bureau/internal/app"
)

// A house serves, with one customer that has people of every role and one that
// is somebody else.
type house struct {
	*app.App
	t   *testing.T
	url string
}

const sentence = "a long sentence to remember"

func newHouse(t *testing.T) *house {
	t.Helper()
	var c app.Config
	parser, err := kong.New(&c)
	must(t, err)
	_, err = parser.Parse(nil)
	must(t, err)
	c.Data, c.Listen, c.HashMemKB = t.TempDir(), "localhost:0", 8192
	a, err := app.Open(t.Context(), c, c.NewLog(io.Discard))
	must(t, err)
	ours, err := a.AddCustomer(t.Context(), "Acme", app.Terms{Products: []string{"all"}})
	must(t, err)
	others, err := a.AddCustomer(t.Context(), "Others", app.Terms{Products: []string{"all"}})
	must(t, err)
	for _, w := range []app.AccountWish{
		{Customer: ours.ID, Role: "reader"},
		{Customer: ours.ID, Role: "analyst"},
		{Customer: ours.ID, Role: "admin"},
		{Customer: ours.ID, UserKey: "operator", Operator: true},
		{Customer: others.ID, UserKey: "stranger", Role: "admin"},
	} {
		if w.UserKey == "" {
			w.UserKey = w.Role
		}
		w.Email, w.ConsolePassword = w.UserKey+"@acme.test", sentence
		_, err := a.AddAccount(t.Context(), w)
		must(t, err)
	}
	serving, err := a.Serve(t.Context(), "test")
	must(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := serving.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
		if err := a.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &house{App: a, t: t, url: "https://" + a.Config.Listen}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// companies takes companies into the register, as our own lines.
func (h *house) companies(lines ...string) {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), "companies.jsonl")
	must(h.t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	res, err := h.Import(h.t.Context(), "companies", []string{file}, nil, app.ImportOptions{})
	must(h.t, err)
	if res.Refused > 0 {
		h.t.Fatalf("refused: %v", res.Reasons)
	}
}

// A browser has cookies and follows no redirect by itself.
type browser struct {
	h      *house
	client *http.Client
	token  string
}

func (h *house) browser() *browser {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	must(h.t, err)
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // our own, made a moment ago
	h.t.Cleanup(transport.CloseIdleConnections)
	return &browser{h: h, client: &http.Client{
		Jar: jar, Transport: transport, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// as signs somebody in.
func (h *house) as(who string) *browser {
	h.t.Helper()
	b := h.browser()
	b.get("/console/sign-in")
	res, _ := b.post("/console/sign-in", url.Values{"email": {who + "@acme.test"}, "password": {sentence}})
	if res.StatusCode != http.StatusSeeOther {
		h.t.Fatalf("%s signs in: %s", who, res.Status)
	}
	b.get("/console/")
	return b
}

var tokens = regexp.MustCompile(`name="token" value="([^"]+)"`)

func (b *browser) get(path string, header ...string) (*http.Response, string) {
	b.h.t.Helper()
	return b.do(http.MethodGet, path, nil, header...)
}

// post sends a form with the token of the last page.
func (b *browser) post(path string, form url.Values, header ...string) (*http.Response, string) {
	b.h.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	if !form.Has("token") {
		form.Set("token", b.token)
	}
	return b.do(http.MethodPost, path, form, header...)
}

func (b *browser) do(method, path string, form url.Values, header ...string) (*http.Response, string) {
	b.h.t.Helper()
	req, err := http.NewRequestWithContext(b.h.t.Context(), method, b.h.url+path, strings.NewReader(form.Encode()))
	must(b.h.t, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := b.client.Do(req)
	must(b.h.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(b.h.t, err)
	if m := tokens.FindSubmatch(body); m != nil {
		b.token = string(m[1])
	}
	return res, string(body)
}
