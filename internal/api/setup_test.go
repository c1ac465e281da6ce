package api_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/api"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/national"
	"bureau/internal/notify"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A clock stands still until a test moves it.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.ms.Store(time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) Now() time.Time       { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) Step(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// A plan is how a world is made; the zero plan is the usual one.
type plan struct {
	login   auth.LoginRules
	calls   auth.CallRules
	alg     string
	proxies []netip.Prefix
	rows    []api.Row // beside the real ones
	url     string    // of the database; "" is an SQLite file
}

// A world is the whole interface on a real database, served on loopback.
type world struct {
	t      testing.TB
	clock  *clock
	db     *store.DB
	dir    *auth.Directory
	office *auth.Office
	usage  *auth.Usages
	tokens *auth.Tokens
	server *api.Server
	engine *monitor.Engine
	log    *buffer
	url    string

	receiver *receiver
	poster   *notify.Poster
	courier  *monitor.Courier
	hooks    int // how many were made

	seen atomic.Int64 // requests, for their correlation ids
}

func newWorld(t testing.TB, p plan) *world {
	t.Helper()
	ctx := t.Context()
	if p.login == (auth.LoginRules{}) {
		p.login = auth.DefaultLoginRules
	}
	if p.calls == (auth.CallRules{}) {
		p.calls = auth.DefaultCallRules
	}
	w := &world{t: t, clock: newClock(), log: new(buffer)}
	if p.url == "" {
		p.url = filepath.Join(t.TempDir(), "bureau.db")
	}
	db, err := storetest.Open(ctx, p.url, store.Open)
	must(t, err)
	db.Now = w.clock.Now
	vault, err := auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize))
	must(t, err)
	dir, err := auth.NewDirectory(ctx, db, vault, p.login, w.clock.Now)
	must(t, err)
	journal := auth.NewJournal(dir)
	cost := auth.Cost{Memory: 64, Time: 1, Threads: 1}
	schedule := auth.DefaultKeySchedule
	if p.alg != "" {
		schedule.Alg = p.alg
	}
	w.db, w.dir = db, dir
	w.office = &auth.Office{Journal: journal, Schedule: schedule, Cost: cost}
	w.usage = &auth.Usages{Store: db, Directory: dir, Now: w.clock.Now}
	w.tokens = &auth.Tokens{Directory: dir, Issuer: "https://bureau.test", Audience: "bureau", Now: w.clock.Now}
	w.server = &api.Server{
		Login: &auth.Login{
			Directory: dir, Checker: auth.NewChecker(vault, cost, w.clock.Now), Journal: journal, Tokens: w.tokens,
		},
		Gate: &auth.Gate{
			Tokens: w.tokens, Directory: dir, Journal: journal, Now: w.clock.Now,
			Calls: &auth.Calls{Rules: p.calls, Store: db, Node: "test", Now: w.clock.Now},
		},
		Directory: dir, Usage: w.usage, Replies: db, Vault: vault,
		Companies: &company.Register{Store: db, Now: w.clock.Now}, Documents: db, Fonts: fonts(t),
		Bank:     newBankDesk(w, vault),
		Identity: newIdentityDesk(w, vault),
		KYC:      newSearches(w, vault),
		Mail:     &monitor.Subscriptions{Store: db, Vault: vault},
		Gone:     db.IsGone,
		Log:      slog.New(slog.NewTextHandler(w.log, nil)), PublicURL: "https://bureau.test", TrustedProxies: p.proxies,
	}

	w.server.Finder = &company.Finder{Register: w.server.Companies, Store: db, Veil: w.server.Identity.Veiled}
	db.Cover = w.server.Finder.Cover
	w.server.Sweden = &national.Sweden{Companies: w.server.Companies, Finder: w.server.Finder, People: w.server.Identity, Now: w.clock.Now}
	w.server.NonLimited = &national.NonLimited{Companies: w.server.Companies, Finder: w.server.Finder, Numbers: db, Now: w.clock.Now, Veil: w.server.Identity.Veiled}
	w.server.Trail = &kyc.Trail{Store: db, Journal: journal}
	w.server.Profiles = &kyc.Profiles{Store: db, Links: db, Directory: dir, Trail: w.server.Trail, Now: w.clock.Now}
	w.server.Reports = w.kycReports()
	w.server.Batches = w.kycBatches()
	w.server.Portfolios, w.server.Events = w.portfolios(), db
	w.watchers()
	w.server.Imports = w.imports()
	w.server.Webhooks = w.webhooks()

	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() { journal.Run(run) })
	t.Cleanup(func() {
		stop()
		done.Wait()
		if err := db.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
	})
	must(t, w.office.StepKeys(ctx))
	must(t, w.server.KYC.Screener.Index.Refresh(ctx))
	w.serve(w.server.Build(append(w.server.Rows(), p.rows...)))
	return w
}

// serve listens. What comes before the interface in the program, package app,
// is here in its smallest form: every request gets a correlation id.
func (w *world) serve(h http.Handler) {
	ts := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", w.seen.Add(1))
		rw.Header().Set(api.CorrelationHeader, id)
		defer func() {
			if recover() != nil {
				api.WriteUnhandled(rw)
			}
		}()
		h.ServeHTTP(rw, r)
	}))
	w.t.Cleanup(ts.Close)
	w.url = ts.URL
}

// A login is how to get in.
type login struct {
	Customer auth.CustomerID
	Account  auth.AccountID
	Username string
	Password string
}

// everywhere is a grant of products in all countries.
func everywhere(products ...auth.Product) []auth.Grant {
	var out []auth.Grant
	for _, p := range products {
		out = append(out, auth.Grant{Product: p, Country: auth.Everywhere, From: "2026-01-01"})
	}
	return out
}

// join adds a customer with one account.
func (w *world) join(userKey string, grants ...auth.Grant) login {
	w.t.Helper()
	c, err := w.office.AddCustomer(w.t.Context(), "Customer of "+userKey, grants)
	must(w.t, err)
	return w.account(auth.NewAccount{Customer: c.ID, UserKey: userKey})
}

func (w *world) account(a auth.NewAccount) login {
	w.t.Helper()
	made, password, err := w.office.AddAccount(w.t.Context(), a)
	must(w.t, err)
	return login{made.Customer, made.ID, made.UserKey, password}
}

func (w *world) client(l login) *client.Client {
	return &client.Client{BaseURL: w.url + "/v1", Username: l.Username, Password: l.Password}
}

func (w *world) token(l login) string {
	w.t.Helper()
	token, err := w.client(l).Authenticate(w.t.Context())
	must(w.t, err)
	return token
}

// An answer is a whole response.
type answer struct {
	status int
	header http.Header
	body   string
}

// plain is a connection that does nothing by itself: no redirects, no gzip.
var plain = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// send sends one request; header is name, value, name, value.
func (w *world) send(method, path, body string, header ...string) answer {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, strings.NewReader(body))
	must(w.t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	resp, err := plain.Do(r)
	must(w.t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(w.t, err)
	return answer{resp.StatusCode, resp.Header, string(b)}
}

// raw writes a request byte by byte and returns the whole answer.
func (w *world) raw(request string) string {
	w.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	must(w.t, err)
	defer c.Close()
	must(w.t, c.SetDeadline(time.Now().Add(10*time.Second)))
	_, err = io.WriteString(c, request)
	must(w.t, err)
	b, err := io.ReadAll(c)
	must(w.t, err)
	return string(b)
}

// golden compares with a file of testdata; BUREAU_UPDATE=1 rewrites it.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("BUREAU_UPDATE") == "1" {
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, got, 0o644))
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (make golden writes it)", err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got; make golden rewrites it):\n%s", path, d)
	}
}

// A buffer is a log that tests read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
