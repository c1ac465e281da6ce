package auth

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/fault"
)

// The Office is where customers, accounts and keys are made and changed. What
// it does is in the audit log, in the same transaction.
type Office struct {
	Journal  *Journal
	Schedule KeySchedule
	Cost     Cost
}

// A NewAccount is what it takes to open one.
type NewAccount struct {
	Customer CustomerID
	UserKey  string // made up if empty
	Email    string
	Title    string
	First    string
	Surname  string
	Language string
	Operator bool
	Role     Role   // Analyst if empty
	Chosen   string // a password for the console, with the e-mail address
}

// AddCustomer opens the books for a customer.
func (o *Office) AddCustomer(ctx context.Context, name string, grants []Grant) (c Customer, err error) {
	err = o.change(ctx, func(_ *directory, n News) (Record, []Entry, error) {
		c = Customer{ID: CustomerID(n.NextID), Name: strings.TrimSpace(name), Grants: grants, CreatedAt: n.Now}
		if err := c.check(); err != nil {
			return Record{}, nil, err
		}
		return Record{Customers: []Customer{c}, NextID: n.NextID + 1},
			[]Entry{{Action: CustomerAdded, Customer: c.ID, Detail: grantWords(grants)}}, nil
	})
	return c, err
}

// Grant gives a customer products and countries. A grant replaces the one for
// the same product and country; with take, it is taken away instead.
func (o *Office) Grant(ctx context.Context, id CustomerID, grants []Grant, take bool) (c Customer, err error) {
	err = o.change(ctx, func(state *directory, _ News) (Record, []Entry, error) {
		old, ok := state.customers[id]
		if !ok {
			return Record{}, nil, fault.Missing.Errorf("there is no customer %d", id)
		}
		c = old
		c.Grants = slices.Clone(old.Grants)
		for _, g := range grants {
			c.Grants = slices.DeleteFunc(c.Grants, func(o Grant) bool { return o.Product == g.Product && o.Country == g.Country })
			if !take {
				c.Grants = append(c.Grants, g)
			}
		}
		if err := c.check(); err != nil {
			return Record{}, nil, err
		}
		detail := grantWords(grants)
		if take {
			detail = "taken: " + detail
		}
		return Record{Customers: []Customer{c}}, []Entry{{Action: CustomerGranted, Customer: id, Detail: detail}}, nil
	})
	return c, err
}

// AddAccount opens an account and returns its password, which is kept nowhere.
func (o *Office) AddAccount(ctx context.Context, want NewAccount) (a Account, password string, err error) {
	password, keep := o.vault().IssuePassword()
	var console Verifier
	if want.Chosen != "" {
		if want.Email == "" {
			return a, "", fault.Invalid.Errorf("a chosen password goes with an e-mail address")
		}
		if console, err = ChoosePassword(want.Chosen, o.Cost); err != nil {
			return a, "", err
		}
	}
	err = o.change(ctx, func(state *directory, n News) (Record, []Entry, error) {
		if _, ok := state.customers[want.Customer]; !ok {
			return Record{}, nil, fault.Missing.Errorf("there is no customer %d", want.Customer)
		}
		a = Account{
			ID: AccountID(n.NextID), Customer: want.Customer, UserKey: want.UserKey, Email: tidyEmail(want.Email),
			Title: want.Title, First: want.First, Surname: want.Surname, Language: want.Language,
			Operator: want.Operator, Role: want.Role, Password: keep, Console: console, CreatedAt: n.Now,
		}
		if a.Role == "" {
			a.Role = Analyst
		}
		if a.UserKey == "" {
			a.UserKey = fmt.Sprintf("user-%d", a.ID)
		}
		if a.Language == "" {
			a.Language = DefaultLanguage
		}
		if err := a.check(); err != nil {
			return Record{}, nil, err
		}
		return Record{Accounts: []Account{a}, NextID: n.NextID + 1},
			[]Entry{{Action: AccountAdded, Customer: a.Customer, Account: a.ID}}, nil
	})
	return a, password, err
}

// ResetPassword issues a new password for the user key. Tokens from before die.
func (o *Office) ResetPassword(ctx context.Context, userKey string) (a Account, password string, err error) {
	password, keep := o.vault().IssuePassword()
	a, err = o.edit(ctx, userKey, PasswordSet, "issued", func(a *Account) { a.Password = keep })
	return a, password, err
}

// SetChosenPassword keeps a password that a person chose: for the user key, or
// with console for the e-mail address.
func (o *Office) SetChosenPassword(ctx context.Context, userKey, password string, console bool) (Account, error) {
	keep, err := ChoosePassword(password, o.Cost)
	if err != nil {
		return Account{}, err
	}
	if console {
		return o.edit(ctx, userKey, PasswordSet, "console", func(a *Account) { a.Console = keep })
	}
	return o.edit(ctx, userKey, PasswordSet, "chosen", func(a *Account) { a.Password = keep })
}

// Disable shuts an account, or opens it again. Its tokens die within a second
// on every node.
func (o *Office) Disable(ctx context.Context, userKey string, disabled bool) (Account, error) {
	detail := "enabled"
	if disabled {
		detail = "disabled"
	}
	return o.edit(ctx, userKey, AccountChanged, detail, func(a *Account) { a.Disabled = disabled })
}

// RevokeAll kills every token of an account; it may log in again.
func (o *Office) RevokeAll(ctx context.Context, userKey string) (Account, error) {
	return o.edit(ctx, userKey, TokenRevoked, "all", func(*Account) {})
}

// edit changes an account and starts a new epoch for it.
func (o *Office) edit(ctx context.Context, userKey string, did Action, detail string, edit func(*Account)) (a Account, err error) {
	err = o.change(ctx, func(state *directory, _ News) (Record, []Entry, error) {
		old := state.userKeys[userKey]
		if old == nil {
			return Record{}, nil, fault.Missing.Errorf("there is no account with the user key %q", userKey)
		}
		a = *old
		edit(&a)
		a.Epoch++
		if err := a.check(); err != nil {
			return Record{}, nil, err
		}
		return Record{Accounts: []Account{a}}, []Entry{{Action: did, Customer: a.Customer, Account: a.ID, Detail: detail}}, nil
	})
	return a, err
}

// RevokeToken kills one token.
func (o *Office) RevokeToken(ctx context.Context, tokenID string) error {
	if b, err := hex.DecodeString(tokenID); err != nil || len(b) != tokenIDSize {
		return fault.Invalid.Errorf("%q is not a token's jti: that is %d hexadecimal digits; the audit log has it", tokenID, 2*tokenIDSize)
	}
	return o.change(ctx, func(_ *directory, n News) (Record, []Entry, error) {
		return Record{Revoked: []Revocation{{TokenID: tokenID, Expires: n.Now.Add(overlap)}}},
			[]Entry{{Action: TokenRevoked, Detail: "token=" + tokenID}}, nil
	})
}

// StepKeys makes the first keys of a new database, and the next signing key
// when its time has come. Many nodes may call it; one of them makes the key.
func (o *Office) StepKeys(ctx context.Context) error {
	state := o.Journal.Directory.now.Load()
	now := o.Journal.Directory.Now()
	_, due := o.Schedule.due(state.keys, now)
	if !due && hasAuditKey(state.keys) {
		return nil
	}
	return o.change(ctx, func(state *directory, n News) (Record, []Entry, error) {
		var rec Record
		if at, due := o.Schedule.due(state.keys, n.Now); due {
			k, err := o.vault().NewKey(o.Schedule.alg(state.keys), n.Now, at)
			if err != nil {
				return Record{}, nil, err
			}
			rec.Keys = append(rec.Keys, k)
		}
		if !hasAuditKey(state.keys) {
			k, err := o.vault().NewKey("EdDSA", n.Now, n.Now)
			if err != nil {
				return Record{}, nil, err
			}
			k.Audit = true
			rec.Keys = append(rec.Keys, k)
		}
		return rec, keyEntries(KeyMade, rec.Keys), nil
	})
}

// RotateKey makes a new signing key before its time. With revoke, every token
// signed so far dies and the new key signs at once; otherwise the old ones live
// out their hour and the new key waits until every node has met it.
func (o *Office) RotateKey(ctx context.Context, revoke bool) (k Key, err error) {
	err = o.change(ctx, func(state *directory, n News) (Record, []Entry, error) {
		var rec Record
		at := n.Now.Add(2 * time.Second)
		var revoked []Key
		if revoke {
			at = n.Now
			for _, old := range tokenKeys(state.keys) {
				old.Revoked = true
				revoked = append(revoked, old)
			}
		}
		var err error
		if k, err = o.vault().NewKey(o.Schedule.alg(state.keys), n.Now, at); err != nil {
			return Record{}, nil, err
		}
		rec.Keys = append(revoked, k)
		return rec, append(keyEntries(KeyRevoked, revoked), keyEntries(KeyMade, []Key{k})...), nil
	})
	return k, err
}

func hasAuditKey(keys []Key) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return k.Audit })
}

func keyEntries(did Action, keys []Key) []Entry {
	var out []Entry
	for _, k := range keys {
		out = append(out, Entry{Action: did, Detail: "key=" + k.ID})
	}
	return out
}

func grantWords(grants []Grant) string {
	var words []string
	for _, g := range grants {
		words = append(words, string(g.Product)+":"+g.Country)
	}
	return strings.Join(words, " ")
}

func (o *Office) vault() *Vault { return o.Journal.Directory.Vault }

// change waits to the end even if its caller has gone: the journal is at work
// on what f fills in.
func (o *Office) change(ctx context.Context, f func(*directory, News) (Record, []Entry, error)) error {
	return o.Journal.put(context.WithoutCancel(ctx), &note{change: f})
}
