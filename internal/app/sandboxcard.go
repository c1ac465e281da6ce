package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"bureau/internal/fault"
	"bureau/internal/sandbox"
)

// sandboxName is what the lease for making the sandbox is called, and its card in
// the database.
const sandboxName = "sandbox"

// sandboxLease is more than it takes to make the sandbox. A node that was killed over it
// is not waited for, unless nobody can see that it is dead.
const sandboxLease = 5 * time.Minute

// aloneInSandbox has one node at a time make the sandbox, or take what is there:
// any number of them may start together.
func (a *App) aloneInSandbox(ctx context.Context, f func() error) error {
	for waits := false; ; waits = true {
		lease, ok, err := a.DB.Lease(ctx, sandboxName, a.Calls.Node, sandboxLease)
		if err != nil {
			return err
		}
		if ok {
			return errors.Join(f(), a.DB.EndLease(context.WithoutCancel(ctx), lease))
		}
		if !waits {
			a.Log.Info("another node makes the sandbox; this one waits for it")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// admitToSandbox makes the sandbox's accounts, or finds their passwords: in
// sandbox.json, or in the database, where every node with the key file can read
// them. Only passwords that are in neither are made anew; note says so, since
// whoever was given the old ones is then shut out.
func (a *App) admitToSandbox(ctx context.Context, path string) (card sandbox.Card, note string, err error) {
	card, err = readCard(path)
	if err != nil {
		return card, "", err
	}
	if err := a.Directory.Refresh(ctx); err != nil { // another node may have made them just now
		return card, "", err
	}
	kept, err := a.keptCard(ctx)
	if err != nil {
		return card, "", err
	}
	was := a.sandboxAccount()
	if !a.holds(ctx, card) && a.holds(ctx, kept) {
		card, note = kept, "The sandbox was there already: these are the passwords that it has."
	}
	known := card
	if card, err = sandbox.Accounts(ctx, a.Office, a.Directory, card); err != nil {
		return card, "", fmt.Errorf("make the sandbox: %w", err)
	}
	if was && (card.Password != known.Password || card.EmailPassword != known.EmailPassword) {
		note = "The sandbox was there already, and its passwords were not to be found: new ones were made, and the old ones no longer hold."
	}
	return card, note, a.keepCard(ctx, card, kept)
}

// readCard reads sandbox.json, if it is there.
func readCard(path string) (card sandbox.Card, err error) {
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return card, nil
	case err != nil:
		return card, fmt.Errorf("read %s: %w", path, err)
	}
	if err := json.Unmarshal(b, &card); err != nil {
		return card, fmt.Errorf("read %s: %w (delete it and it is written again)", path, err)
	}
	return card, nil
}

// keptCard is the card in the database, sealed with the key that all nodes share.
func (a *App) keptCard(ctx context.Context) (card sandbox.Card, err error) {
	sealed, err := a.DB.Setting(ctx, sandboxName)
	if errors.Is(err, fault.Missing) {
		return card, nil
	}
	if err != nil {
		return card, err
	}
	plain, err := a.Vault.Open(sandboxName, sealed)
	if err == nil {
		err = json.Unmarshal(plain, &card)
	}
	if err != nil {
		return card, fmt.Errorf("read the sandbox's card: %w", err)
	}
	return card, nil
}

// keepCard keeps the passwords of a card in the database, unless they are there.
func (a *App) keepCard(ctx context.Context, card, kept sandbox.Card) error {
	card = sandbox.Card{
		Username: card.Username, Password: card.Password, OtherUsername: card.OtherUsername, OtherPassword: card.OtherPassword,
		BareUsername: card.BareUsername, BarePassword: card.BarePassword, Email: card.Email, EmailPassword: card.EmailPassword,
	}
	if card == kept {
		return nil
	}
	plain, err := json.Marshal(card)
	if err != nil {
		return err
	}
	return a.DB.SaveSetting(ctx, sandboxName, a.Vault.Seal(sandboxName, plain))
}

// sandboxAccount reports whether the sandbox's first account is there.
func (a *App) sandboxAccount() bool {
	for _, acc := range a.Directory.Accounts(0) {
		if acc.UserKey == sandbox.UserKey {
			return true
		}
	}
	return false
}

// holds reports whether a card opens the sandbox's first account.
func (a *App) holds(ctx context.Context, card sandbox.Card) bool {
	for _, acc := range a.Directory.Accounts(0) {
		if acc.UserKey == card.Username {
			ok, err := a.Login.Checker.Check(ctx, &acc, 0, acc.UserKey, card.Password)
			return ok && err == nil
		}
	}
	return false
}
