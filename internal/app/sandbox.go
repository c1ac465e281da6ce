package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/sandbox"
)

// A Welcome is how to get into the sandbox.
type Welcome struct {
	File     string `json:"file"` // where the rest is
	BaseURL  string `json:"baseUrl"`
	Username string `json:"username"`
	Password string `json:"password"`

	Console       string `json:"console"`
	Email         string `json:"email"`
	EmailPassword string `json:"emailPassword"`

	Note string `json:"note,omitempty"` // what became of the passwords, if that needs saying
}

// OpenSandbox fills the database with the invented world, once, and keeps what
// there is to try in sandbox.json.
func (a *App) OpenSandbox(ctx context.Context) (Welcome, error) {
	path := filepath.Join(a.Config.Data, "sandbox.json")
	var card sandbox.Card
	var note string
	err := a.aloneInSandbox(ctx, func() (err error) {
		card, note, err = a.openSandbox(ctx, path)
		return err
	})
	a.sandboxOpen.Store(err == nil)
	return Welcome{
		File: path, BaseURL: card.BaseURL, Username: card.Username, Password: card.Password,
		Console: card.BaseURL + "/console", Email: card.Email, EmailPassword: card.EmailPassword, Note: note,
	}, err
}

func (a *App) openSandbox(ctx context.Context, path string) (card sandbox.Card, note string, err error) {
	card, note, err = a.admitToSandbox(ctx, path)
	if err != nil {
		return card, "", err
	}
	if err := a.fillWorld(ctx, &card); err != nil {
		return card, "", err
	}
	if err := a.makePortfolios(ctx, card.Username); err != nil {
		return card, "", err
	}
	// Whoever reads sandbox.json may search at once.
	if err := a.catchUp(ctx); err != nil {
		return card, "", fmt.Errorf("have the sandbox searched in: %w", err)
	}
	card.BaseURL = a.Config.publicURL()
	b, err := json.MarshalIndent(card, "", "  ")
	if err != nil {
		return card, "", fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.MkdirAll(a.Config.Data, 0o700); err != nil {
		return card, "", fmt.Errorf("make the data folder: %w", err)
	}
	return card, note, writeWhole(path, append(b, '\n'), 0o600)
}

// clock is the sandbox's clock on this node.
func (a *App) clock() *sandbox.Clock {
	return &sandbox.Clock{World: a.world, Register: a.Register, Places: a.DB, Owner: a.Calls.Node, Lists: a.DB}
}

// fillWorld makes the companies, unless they are there.
func (a *App) fillWorld(ctx context.Context, card *sandbox.Card) error {
	c := a.clock()
	card.CompanyID = string(c.World.ID("GB", 1))
	card.SortCode, card.AccountNumber, card.IBAN = c.World.BankExample(1)
	card.ListedPerson, card.ListedBusiness = c.World.ListExample()
	a.peopleToTry(c.World, card)
	filled, err := c.Filled(ctx)
	if err != nil {
		return err
	}
	if !filled {
		a.Log.Info("filling the sandbox; this takes a few seconds, once")
		if err := c.Fill(ctx); err != nil {
			return fmt.Errorf("fill the sandbox: %w", err)
		}
		if err := a.rateAll(ctx); err != nil {
			return fmt.Errorf("rate the sandbox: %w", err)
		}
		if err := a.fillDocuments(ctx, c.World); err != nil {
			return err
		}
	}
	if err := c.World.FillList(ctx, a.DB); err != nil {
		return fmt.Errorf("fill the sandbox's list: %w", err)
	}
	if err := a.fillPeople(ctx, c.World); err != nil {
		return err
	}
	return a.fillBanks(ctx, c.World)
}

// makePortfolios gives the sandbox's first account something to watch.
func (a *App) makePortfolios(ctx context.Context, userKey string) error {
	for _, acc := range a.Directory.Accounts(0) {
		if acc.UserKey == userKey {
			return a.world.Portfolios(ctx, a.DB, auth.Caller{Customer: acc.Customer, Account: acc.ID})
		}
	}
	return fmt.Errorf("the sandbox's account %s is not there", userKey)
}

// tickEvery is how long a tick of the sandbox's clock takes at speed 1: a day
// goes by in a minute.
const tickEvery = 5 * time.Second

// AdvanceSandbox lets days pass in the sandbox at once, and says what day it is
// then.
func (a *App) AdvanceSandbox(ctx context.Context, d time.Duration) (time.Time, error) {
	ticks := int(d * sandbox.TicksPerDay / (24 * time.Hour))
	if ticks < 1 {
		return time.Time{}, fault.Invalid.Errorf("%s is less than a tick of the sandbox's clock: advance at least %s", d, 24*time.Hour/sandbox.TicksPerDay)
	}
	c := a.clock()
	if ok, err := c.Filled(ctx); err != nil || !ok {
		return time.Time{}, errors.Join(err, fault.Missing.Errorf("there is no sandbox here: 'bureau serve --sandbox' makes one"))
	}
	done, err := c.Advance(ctx, ticks)
	if err == nil && done < ticks {
		err = fault.Conflict.Errorf("a server holds the sandbox's clock: start it with --sandbox-speed 0; one that was killed holds it for half a minute more, so try again then")
	}
	if err != nil {
		return time.Time{}, err
	}
	now, err := c.Now(ctx)
	return now, errors.Join(err, c.Release(ctx))
}

// ChangeSandbox sets one field of a company of the sandbox.
func (a *App) ChangeSandbox(ctx context.Context, id, field, value string) error {
	parsed, err := company.ParseID(id)
	if err != nil {
		return err
	}
	return a.clock().Change(ctx, parsed, field, value)
}

// CertificatePath is where the certificate that Bureau made itself lies, or ""
// when it serves with another.
func (c Config) CertificatePath() string {
	if c.HTTP || c.TLSCert != "" || len(c.ACMEHost) > 0 {
		return ""
	}
	return filepath.Join(c.Data, "cert.pem")
}
