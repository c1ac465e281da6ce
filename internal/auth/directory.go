package auth

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Directory holds who and what is known: customers, accounts, keys and
// revoked tokens, in memory, as of a point in the record. Reading it takes no
// lock. Refresh brings it up to date and runs several times a second; a Turn
// does so too, so a login never sees yesterday's account.
type Directory struct {
	Store Store
	Vault *Vault
	Now   func() time.Time

	now atomic.Pointer[directory]
	mu  sync.Mutex // held while a new one is made

	// Attempts of other nodes are passed on to the login limits.
	limits *loginLimits
}

// A directory is one state. It is never changed, only replaced.
type directory struct {
	seen      Seen
	customers map[CustomerID]Customer
	accounts  map[AccountID]*Account
	userKeys  map[string]*Account
	emails    map[string]*Account
	keys      []Key
	live      []Key                // those for tokens that are not revoked, oldest first
	public    map[string]publicKey // token keys by kid, revoked ones left out; see publicKey.holds
	revoked   map[string]time.Time
	chosen    int // accounts with a chosen password
	issued    int
}

// NewDirectory reads the whole record.
func NewDirectory(ctx context.Context, s Store, v *Vault, rules LoginRules, now func() time.Time) (*Directory, error) {
	d := &Directory{Store: s, Vault: v, Now: now, limits: newLoginLimits(rules, maxKeys)}
	d.now.Store(&directory{
		customers: map[CustomerID]Customer{}, accounts: map[AccountID]*Account{},
		userKeys: map[string]*Account{}, emails: map[string]*Account{},
		public: map[string]publicKey{}, revoked: map[string]time.Time{},
	})
	return d, d.Refresh(ctx)
}

// Refresh takes in what others added.
func (d *Directory) Refresh(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	news, err := d.Store.News(ctx, d.now.Load().seen)
	if err != nil {
		return fmt.Errorf("refresh the directory: %w", err)
	}
	return d.take(news)
}

// take makes the next state from the last and the news. d.mu is held.
func (d *Directory) take(n News) error {
	old := d.now.Load()
	if n.Seen.Attempts > old.seen.Attempts {
		for _, a := range n.Attempts {
			d.limits.apply(a, n.Now)
		}
	}
	if n.Seen.Access <= old.seen.Access {
		if n.Seen.Attempts > old.seen.Attempts {
			next := *old
			next.seen.Attempts = n.Seen.Attempts
			d.now.Store(&next)
		}
		return nil
	}
	next := &directory{
		seen:      n.Seen,
		customers: maps.Clone(old.customers), accounts: maps.Clone(old.accounts),
		userKeys: maps.Clone(old.userKeys), emails: maps.Clone(old.emails),
		keys: slices.Clone(old.keys), live: old.live, public: old.public, revoked: maps.Clone(old.revoked),
		chosen: old.chosen, issued: old.issued,
	}
	for _, c := range n.Customers {
		next.customers[c.ID] = c
	}
	for _, a := range n.Accounts {
		next.put(a)
	}
	for _, r := range n.Revoked {
		next.revoked[r.TokenID] = r.Expires
	}
	maps.DeleteFunc(next.revoked, func(_ string, expires time.Time) bool { return expires.Before(n.Now) })
	if err := next.putKeys(n.Keys); err != nil {
		return err
	}
	d.now.Store(next)
	return nil
}

func (d *directory) put(a Account) {
	if was := d.accounts[a.ID]; was != nil {
		// Someone else may have taken a name that this account gave up.
		if d.userKeys[was.UserKey] == was {
			delete(d.userKeys, was.UserKey)
		}
		if d.emails[tidyEmail(was.Email)] == was {
			delete(d.emails, tidyEmail(was.Email))
		}
		d.tally(was, -1)
	}
	d.accounts[a.ID] = &a
	d.userKeys[a.UserKey] = &a
	if a.Email != "" {
		d.emails[tidyEmail(a.Email)] = &a
	}
	d.tally(&a, 1)
}

// find is the account behind a user key or, for the console, behind an e-mail
// address; nil if there is none.
func (d *directory) find(name string, console bool) *Account {
	if console {
		return d.emails[name]
	}
	return d.userKeys[name]
}

func (d *directory) tally(a *Account, n int) {
	switch {
	case a.Password.isChosen():
		d.chosen += n
	case a.Password != "":
		d.issued += n
	}
}

// chosenShare is how many of 16 accounts have a chosen password, rounded up.
func (d *directory) chosenShare() int {
	if d.chosen == 0 {
		return 0
	}
	return (16*d.chosen + d.chosen + d.issued - 1) / (d.chosen + d.issued)
}

func (d *directory) putKeys(keys []Key) error {
	if len(keys) == 0 {
		return nil
	}
	for _, k := range keys {
		d.keys = slices.DeleteFunc(d.keys, func(o Key) bool { return o.ID == k.ID })
		d.keys = append(d.keys, k)
	}
	d.public = map[string]publicKey{}
	d.live = tokenKeys(d.keys)
	for i, k := range d.live {
		p, err := k.public()
		if err != nil {
			return err
		}
		if i+1 < len(d.live) {
			p.until = d.live[i+1].ActiveAt.Add(overlap)
		}
		d.public[k.ID] = p
	}
	return nil
}

// Account finds an account by its number.
func (d *Directory) Account(id AccountID) (Account, bool) {
	a, ok := d.now.Load().accounts[id]
	if !ok {
		return Account{}, false
	}
	return *a, true
}

// Customer finds a customer by its number.
func (d *Directory) Customer(id CustomerID) (Customer, bool) {
	c, ok := d.now.Load().customers[id]
	return c, ok
}

// Customers are all customers, by number.
func (d *Directory) Customers() []Customer {
	now := d.now.Load()
	return slices.SortedFunc(maps.Values(now.customers), func(a, b Customer) int { return int(a.ID - b.ID) })
}

// Accounts are a customer's accounts (0: everybody's), by number.
func (d *Directory) Accounts(of CustomerID) []Account {
	var out []Account
	for _, a := range d.now.Load().accounts {
		if of == 0 || a.Customer == of {
			out = append(out, *a)
		}
	}
	slices.SortFunc(out, func(a, b Account) int { return int(a.ID - b.ID) })
	return out
}

// PublicKeys are what the JWKS publishes now.
func (d *Directory) PublicKeys() []PublicKey {
	state := d.now.Load()
	var out []PublicKey
	for _, k := range verifyingKeys(state.keys, d.Now()) {
		out = append(out, PublicKey{ID: k.ID, Alg: k.Alg, Key: state.public[k.ID].public})
	}
	return out
}

// Keys are all keys, also those of the past.
func (d *Directory) Keys() []Key { return slices.Clone(d.now.Load().keys) }

// KeepAttempts is how long a login attempt can matter to the limits.
func (d *Directory) KeepAttempts() time.Duration { return d.limits.rules.keepFor() }
