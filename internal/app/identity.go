package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/importer"
	"bureau/internal/importer/consumers"
	"bureau/internal/kyc"
	"bureau/internal/national"
	"bureau/internal/sandbox"
)

func (a *App) newIdentity(now func() time.Time) *identity.Desk {
	return &identity.Desk{
		Store: a.DB, Directors: a.Finder, Companies: a.Register, Now: now, Fingerprint: a.Vault.BankAccount, Lists: a.listed,
	}
}

func (a *App) sweden() *national.Sweden {
	return &national.Sweden{Companies: a.Register, Finder: a.Finder, People: a.Identity, Now: time.Now}
}

func (a *App) nonLimited() *national.NonLimited {
	return &national.NonLimited{Companies: a.Register, Finder: a.Finder, Numbers: a.DB, Now: time.Now, Veil: a.Identity.Veiled}
}

// rights are what the operator does on a person's behalf.
func (a *App) rights() *identity.Rights {
	return &identity.Rights{
		Store: a.DB, Audit: a.DB, Journal: a.Journal, Directors: a.Finder, Directory: a.Directory, Now: time.Now, Mark: a.Vault.Person,
	}
}

// listed looks for somebody on the screening lists.
func (a *App) listed(ctx context.Context, name identity.Name, born company.Date) ([]identity.Listed, error) {
	who := kyc.Subject{Person: true, Name: name.Full(), Born: born}
	hits, _, err := a.Screener.Screen(ctx, who, kyc.Options{Kinds: []kyc.Kind{kyc.Person}, Datasets: []kyc.Dataset{kyc.SAN, kyc.PEP}})
	if err != nil {
		return nil, err
	}
	var out []identity.Listed
	for _, h := range hits {
		e := &h.Entry
		one := identity.Listed{Name: e.Names[0].Text, Score: h.Score, PEP: !slices.ContainsFunc(e.Datasets, isSanction), Position: strings.Join(e.Positions, "; ")}
		for _, n := range e.Names[1:] {
			one.Aliases = append(one.Aliases, n.Text)
		}
		for _, b := range e.Bodies {
			one.Bodies = append(one.Bodies, string(b))
		}
		for _, d := range e.Born {
			one.Births = append(one.Births, d.On)
		}
		out = append(out, one)
	}
	return out, nil
}

// peopleToTry puts people and a Swedish company on the sandbox's card.
func (a *App) peopleToTry(w sandbox.World, card *sandbox.Card) {
	card.Consumer = w.ConsumerExample()
	card.SwedishNumber, card.SwedishPerson = w.ID("SE", 1).Number(), w.SwedishExample(1)
}

// fillPeople makes the sandbox's people, unless they are there.
func (a *App) fillPeople(ctx context.Context, w sandbox.World) error {
	f := sandbox.ConsumerFill{World: w, Store: a.DB, Fingerprint: a.Vault.BankAccount}
	filled, err := f.Filled(ctx)
	if err != nil || filled {
		return err
	}
	if err := f.Fill(ctx); err != nil {
		return fmt.Errorf("fill the sandbox's people: %w", err)
	}
	return nil
}

// isSanction reports whether a dataset is of sanctions, in force or lifted.
func isSanction(d kyc.Dataset) bool { return strings.HasPrefix(string(d), string(kyc.SAN)) }

// peopleSources are those that we can read.
var peopleSources = []bankSource{
	newBankSource("people", consumers.Source, func(a *App, turn int64, whole bool, _ ImportOptions) (importer.Sink[identity.Record], *bank.Result) {
		s := &consumerSink{Intake: &identity.Intake{
			Store: a.DB, Turn: turn, Whole: whole, Now: time.Now, Fingerprint: a.Vault.BankAccount,
		}}
		return s, &s.got
	}),
}

// A consumerSink counts what became of people in the form that all imports
// share.
type consumerSink struct {
	*identity.Intake
	got bank.Result
}

func (s *consumerSink) Add(ctx context.Context, list []identity.Record) error {
	err := s.Intake.Add(ctx, list)
	s.count()
	return err
}

func (s *consumerSink) Finish(ctx context.Context) error {
	err := s.Intake.Finish(ctx)
	s.count()
	return err
}

func (s *consumerSink) count() {
	r := s.Intake.Result
	s.got = bank.Result{Kept: bank.Kept{New: r.New, Changed: r.Changed, Unchanged: r.Unchanged}, Removed: r.Removed}
}
