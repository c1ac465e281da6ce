package auth_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// prove reports whether the long proofs were asked for.
func prove() bool { return os.Getenv("BUREAU_PROVE") == "1" }

// A clock stands still until a test moves it.
type clock struct{ ms atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.ms.Store(time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC).UnixMilli())
	return c
}

func (c *clock) Now() time.Time       { return time.UnixMilli(c.ms.Load()).UTC() }
func (c *clock) Step(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// cheap is a hash for tests that are about something else.
var cheap = auth.Cost{Memory: 64, Time: 1, Threads: 1}

// A plan is how a house is built; the zero plan is the usual one.
type plan struct {
	rules    auth.LoginRules
	calls    auth.CallRules
	cost     auth.Cost
	schedule auth.KeySchedule
	node     string
	// store may put something before the database.
	store func(auth.Store) auth.Store
}

// A house is one whole node: all of auth on a real database. The database has
// the shared clock; the node has its own, which may be wrong by ahead.
type house struct {
	t       testing.TB
	shared  *clock
	ahead   atomic.Int64
	db      *store.DB
	store   auth.Store
	vault   *auth.Vault
	dir     *auth.Directory
	journal *auth.Journal
	office  *auth.Office
	login   *auth.Login
	tokens  *auth.Tokens
	gate    *auth.Gate
	calls   *auth.Calls

	stop func()
}

func newHouse(t testing.TB, c *clock, p plan) *house {
	t.Helper()
	return openHouse(t, filepath.Join(t.TempDir(), "bureau.db"), c, p)
}

// openHouse starts a node on a database, which may hold something already.
func openHouse(t testing.TB, url string, c *clock, p plan) *house {
	t.Helper()
	ctx := t.Context()
	if p.rules.Identical == 0 {
		p.rules = auth.DefaultLoginRules
	}
	if p.cost.Memory == 0 {
		p.cost = cheap
	}
	if p.schedule.Every == 0 {
		p.schedule = auth.DefaultKeySchedule
	}
	h := &house{t: t, shared: c}
	db, err := storetest.Open(ctx, url, store.Open)
	if err != nil {
		t.Fatal(err)
	}
	db.Now = c.Now
	h.db, h.store = db, db
	if p.store != nil {
		h.store = p.store(db)
	}
	if h.vault, err = auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize)); err != nil {
		t.Fatal(err)
	}
	if h.dir, err = auth.NewDirectory(ctx, h.store, h.vault, p.rules, h.now); err != nil {
		t.Fatal(err)
	}
	h.journal = auth.NewJournal(h.dir)
	h.office = &auth.Office{Journal: h.journal, Schedule: p.schedule, Cost: p.cost}
	h.tokens = &auth.Tokens{Directory: h.dir, Issuer: "https://bureau.test", Audience: "bureau", Now: h.now}
	checker := auth.NewChecker(h.vault, p.cost, h.now)
	h.login = &auth.Login{Directory: h.dir, Checker: checker, Journal: h.journal, Tokens: h.tokens}
	h.calls = &auth.Calls{Rules: p.calls, Store: h.store, Node: p.node, Now: h.now}
	h.gate = &auth.Gate{Tokens: h.tokens, Directory: h.dir, Calls: h.calls, Journal: h.journal, Now: h.now}

	running, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { h.journal.Run(running) })
	h.stop = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(h.stop)
	if err := h.office.StepKeys(ctx); err != nil {
		t.Fatal(err)
	}
	return h
}

// now is the node's own clock.
func (h *house) now() time.Time { return h.shared.Now().Add(time.Duration(h.ahead.Load())) }

// refresh hears what other nodes did.
func (h *house) refresh() {
	h.t.Helper()
	if err := h.dir.Refresh(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// customer opens the books for a customer with products everywhere.
func (h *house) customer(name string, products ...auth.Product) auth.Customer {
	h.t.Helper()
	var grants []auth.Grant
	for _, p := range products {
		grants = append(grants, auth.Grant{Product: p, Country: auth.Everywhere})
	}
	c, err := h.office.AddCustomer(h.t.Context(), name, grants)
	if err != nil {
		h.t.Fatal(err)
	}
	return c
}

// account opens an account with an issued password.
func (h *house) account(of auth.Customer, userKey string) (auth.Account, string) {
	h.t.Helper()
	a, password, err := h.office.AddAccount(h.t.Context(), auth.NewAccount{Customer: of.ID, UserKey: userKey})
	if err != nil {
		h.t.Fatal(err)
	}
	return a, password
}

// from is the n-th address of a network of many.
func from(n int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte(n >> 8), byte(n)})
}

// try sends one login. It may run beside others, so an error of ours fails the
// test without ending it.
func (h *house) try(source netip.Addr, userKey, password string) auth.Answer {
	h.t.Helper()
	a, err := h.login.Authenticate(h.t.Context(), auth.LoginRequest{
		Source: source, UserKey: userKey, Password: password, IsReadable: true,
	})
	if err != nil {
		h.t.Error(err)
		return auth.Answer{Verdict: -1}
	}
	return a
}

// token logs in and must succeed.
func (h *house) token(userKey, password string) string {
	h.t.Helper()
	a := h.try(from(1), userKey, password)
	if a.Verdict != auth.Granted {
		h.t.Fatalf("login as %q: verdict %d, want granted", userKey, a.Verdict)
	}
	return a.Token
}

// onBoth runs a test on either database. The URL may be opened several times.
func onBoth(t *testing.T, run func(t *testing.T, url string)) {
	t.Run("sqlite", func(t *testing.T) { run(t, filepath.Join(t.TempDir(), "bureau.db")) })
	t.Run("postgres", func(t *testing.T) { run(t, storetest.Postgres(t)) })
}

// A brokenStore fails to write while it is told to.
type brokenStore struct {
	auth.Store
	mode atomic.Int32
}

const (
	sound   = iota
	full    // nothing is written: the disk is full
	cut     // it is written, but we are not told so: the connection broke
	breakUp // how many ways there are
)

var errBroken = errors.New("database or disk is full")

func (s *brokenStore) Turn(ctx context.Context, seen auth.Seen, act func(auth.News) (auth.Record, error)) error {
	switch s.mode.Load() {
	case full:
		return s.Store.Turn(ctx, seen, func(n auth.News) (auth.Record, error) {
			if _, err := act(n); err != nil {
				return auth.Record{}, err
			}
			return auth.Record{}, fmt.Errorf("commit: %w", errBroken)
		})
	case cut:
		return errors.Join(s.Store.Turn(ctx, seen, act), errBroken)
	}
	return s.Store.Turn(ctx, seen, act)
}
