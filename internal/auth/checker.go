package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"bureau/internal/fault"
)

// A Checker verifies passwords so that the time it takes says nothing: every
// attempt runs exactly one verifier, a decoy of the same class where there is
// no real one. Slow verifiers run in a small pool with a short queue; what
// does not fit is turned away at once instead of piling up.
type Checker struct {
	Vault *Vault
	Cost  Cost
	Now   func() time.Time

	slots   chan struct{}
	waiting atomic.Int64
	runs    atomic.Int64 // slow verifiers that ran
	flight  singleflight.Group
	boot    [32]byte

	mu    sync.Mutex
	known map[[sha256.Size]byte]remembered
}

type remembered struct {
	account AccountID
	epoch   int64
	until   time.Time
}

const (
	rememberFor  = time.Minute
	maxKnown     = 10_000
	queuePerSlot = 8           // about a third of a second of waiting at 40 ms a hash
	busyWait     = time.Second // for who finds no place in it
)

// NewChecker makes a checker whose slow verifiers use at most one slot a core.
func NewChecker(v *Vault, cost Cost, now func() time.Time) *Checker {
	c := &Checker{
		Vault: v, Cost: cost, Now: now,
		slots: make(chan struct{}, runtime.NumCPU()),
		known: map[[sha256.Size]byte]remembered{},
	}
	rand.Read(c.boot[:])
	return c
}

// Check reports whether password opens account a, which is nil for a user key
// that nobody has. chosenShare is how many of 16 accounts have a chosen
// password: as many of the names that do not exist are as slow as those, so
// that a slow answer tells as little as a fast one. A fault.Busy says that the
// pool is full and nothing was checked.
func (c *Checker) Check(ctx context.Context, a *Account, chosenShare int, userKey, password string) (bool, error) {
	// Asked for every name, so that the asking itself does not tell.
	slowDecoy := c.decoyIsSlow(userKey, chosenShare)
	switch {
	case a != nil && a.Password.isChosen():
		ok, err := c.slow(ctx, *a, password)
		return ok && !a.Disabled, err
	case a != nil && a.Password != "":
		return c.Vault.verifyIssued(a.Password, password) && !a.Disabled, nil
	case slowDecoy:
		_, err := c.slow(ctx, Account{UserKey: userKey, Password: c.decoy()}, password)
		return false, err
	default:
		c.Vault.verifyIssued(decoyIssued, password)
		return false, nil
	}
}

// checkConsole is Check for the console, where every password is one that
// somebody chose: who has none, and who does not exist, are as slow as the rest.
func (c *Checker) checkConsole(ctx context.Context, a *Account, email, password string) (bool, error) {
	who := Account{UserKey: email, Password: c.decoy()}
	if a != nil && a.Console.isChosen() {
		who = *a
		who.UserKey, who.Password = email, a.Console
	}
	ok, err := c.slow(ctx, who, password)
	return ok && a != nil && !a.Disabled, err
}

// decoyIsSlow gives each unknown name its class for good, by its fingerprint.
func (c *Checker) decoyIsSlow(userKey string, share int) bool {
	sum := c.Vault.mac(forDecoy, []byte(userKey))
	return int(sum[0]&15) < share
}

const decoyIssued = Verifier(issuedPrefix + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")

// decoy is a hash that no password has, at today's cost.
func (c *Checker) decoy() Verifier {
	salt := make([]byte, 16)
	sum := make([]byte, 32)
	return formatChosen(c.Cost, salt, sum)
}

// slow runs the slow verifier in the pool. Identical attempts that arrive
// together share one run, and a success is remembered for a minute, so that a
// fleet of workers that starts at once costs one hash.
func (c *Checker) slow(ctx context.Context, a Account, password string) (bool, error) {
	key := c.fingerprint(a, password)
	if c.remembers(key, a) {
		return true, nil
	}
	ok, err, shared := c.flight.Do(string(key[:]), func() (any, error) {
		if c.remembers(key, a) {
			return true, nil // someone finished while we were on our way here
		}
		if err := c.enter(ctx); err != nil {
			return false, err
		}
		defer func() { <-c.slots }()
		c.runs.Add(1)
		ok := verifyChosen(a.Password, password)
		// A disabled account's right password is as slow each time as a wrong one.
		if ok && !a.Disabled {
			c.remember(key, a)
		}
		return ok, nil
	})
	if shared && err != nil && ctx.Err() == nil && !errors.Is(err, fault.Busy) {
		// The one who ran it for us has gone away; we have not.
		return c.slow(ctx, a, password)
	}
	if err != nil {
		return false, err
	}
	return ok.(bool), nil
}

// enter takes a slot of the pool, waiting in a queue of bounded length.
func (c *Checker) enter(ctx context.Context) error {
	select {
	case c.slots <- struct{}{}:
		return nil
	default:
	}
	defer c.waiting.Add(-1)
	if c.waiting.Add(1) > int64(cap(c.slots)*queuePerSlot) {
		return fault.Busy.After(busyWait, "too many passwords are being checked")
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Checker) fingerprint(a Account, password string) (key [sha256.Size]byte) {
	h := sha256.New()
	h.Write(c.boot[:])
	var n [8]byte
	for _, part := range []string{a.UserKey, string(a.Password), password} {
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write([]byte(part))
	}
	h.Sum(key[:0])
	return key
}

func (c *Checker) remembers(key [sha256.Size]byte, a Account) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.known[key]
	return ok && r.account == a.ID && r.epoch == a.Epoch && c.Now().Before(r.until)
}

func (c *Checker) remember(key [sha256.Size]byte, a Account) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Now()
	if len(c.known) >= maxKnown {
		clear(c.known)
	}
	c.known[key] = remembered{a.ID, a.Epoch, now.Add(rememberFor)}
}
