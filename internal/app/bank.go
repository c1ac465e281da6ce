package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"bureau/internal/bank"
	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/bankdir"
	"bureau/internal/sandbox"
)

func (a *App) newDesk(now func() time.Time) *bank.Desk {
	return &bank.Desk{
		Store: a.DB, Tables: &bank.Tables{Store: a.DB, Now: now}, Register: a.Register,
		Now: now, Fingerprint: a.Vault.BankAccount,
	}
}

// A bankSource is a source of bank data with where it goes.
type bankSource struct {
	SourceView
	of  string // what its records are
	run func(ctx context.Context, a *App, paths []string, stdin io.Reader, o ImportOptions) (ImportResult, error)
}

// bankSources are those that we can read. To add one, write its Source and put
// it here with what takes it in.
var bankSources = []bankSource{
	newBankSource("rows", bankdir.Modulus, func(a *App, _ int64, _ bool, o ImportOptions) (importer.Sink[bank.TableLine], *bank.Result) {
		t := &bank.TableIntake{Store: a.DB, Now: time.Now, ValidFrom: company.Date(o.ValidFrom)}
		return t, &t.Result
	}),
	newBankSource("branches", bankdir.Branches, func(a *App, turn int64, whole bool, _ ImportOptions) (importer.Sink[bank.Branch], *bank.Result) {
		b := &bank.Branches{Intake: bank.Intake{Store: a.DB, Turn: turn, Whole: whole}}
		return b, &b.Result
	}),
	newBankSource("banks", bankdir.Banks, func(a *App, turn int64, whole bool, _ ImportOptions) (importer.Sink[bank.Bank], *bank.Result) {
		b := &bank.Banks{Intake: bank.Intake{Store: a.DB, Turn: turn, Whole: whole}}
		return b, &b.Result
	}),
	newBankSource("accounts", bankdir.Accounts, func(a *App, turn int64, whole bool, _ ImportOptions) (importer.Sink[bank.Account], *bank.Result) {
		b := &bank.Accounts{Intake: bank.Intake{Store: a.DB, Turn: turn, Whole: whole}, Fingerprint: a.Vault.BankAccount}
		return b, &b.Result
	}),
}

// newBankSource puts a source and its sink together. Where the sink counts what
// became of records is known before it has counted.
func newBankSource[T any](of string, s importer.Source[T],
	sink func(a *App, turn int64, whole bool, o ImportOptions) (importer.Sink[T], *bank.Result),
) bankSource {
	out := bankSource{SourceView: SourceView{s.Name, s.Title, s.URL, s.Whole, s.Licence, s.Credit, s.Sample}, of: of}
	out.run = func(ctx context.Context, a *App, paths []string, stdin io.Reader, o ImportOptions) (ImportResult, error) {
		r := bankImport[T]{source: s, of: of, began: time.Now(), sink: sink}
		return r.run(ctx, a, paths, stdin, o)
	}
	return out
}

type bankImport[T any] struct {
	source importer.Source[T]
	of     string
	began  time.Time
	sink   func(a *App, turn int64, whole bool, o ImportOptions) (importer.Sink[T], *bank.Result)
}

func (b bankImport[T]) run(ctx context.Context, a *App, paths []string, stdin io.Reader, o ImportOptions) (res ImportResult, err error) {
	res = ImportResult{Source: b.source.Name, Of: b.of}
	b.source.Whole = b.source.Whole || o.Whole
	files, forget, err := a.openFiles(paths, stdin)
	if err != nil {
		return res, err
	}
	defer forget()
	rejects := a.newRejects(b.source.Name, b.began)
	defer func() { err = errors.Join(err, rejects.Close()) }()
	options := importer.Options{Check: o.Check, Partial: o.Partial, Progress: o.Progress, Now: time.Now}
	if o.Check {
		report, err := importer.Run(ctx, b.source, files, nil, options)
		res.take(report, bank.Result{}, b.began)
		return res, err
	}
	options.Rejects = rejects
	mark, err := markOf(paths)
	if err != nil {
		return res, err
	}
	job, err := a.DB.BeginImport(ctx, company.Import{
		Source: b.source.Name, File: filepath.Base(paths[0]), Mark: mark, StartedAt: b.began.UTC().Truncate(time.Millisecond),
	})
	if err != nil {
		return res, err
	}
	sink, got := b.sink(a, job.ID, b.source.Whole && !o.Partial, o)
	report, err := importer.Run(ctx, b.source, files, sink, options)
	res.take(report, *got, b.began)
	res.Rejects = rejects.written()
	if err != nil {
		return res, err // not finished: the same command goes on
	}
	job.Records, job.Refused, job.Unchanged = report.Records, report.Refused, got.Unchanged
	job.Changed, job.Removed, job.FinishedAt = got.New+got.Changed, got.Removed, time.Now()
	return res, a.DB.FinishImport(ctx, job)
}

func (r *ImportResult) take(report importer.Report, got bank.Result, began time.Time) {
	r.Records, r.Refused, r.Reasons = report.Records, report.Refused, report.First
	r.Unchanged, r.New, r.Companies, r.Removed = got.Unchanged, got.New, got.New+got.Changed, got.Removed
	r.Took = took(began)
}

// fillBanks makes the sandbox's banks and accounts, unless they are there.
func (a *App) fillBanks(ctx context.Context, w sandbox.World) error {
	f := sandbox.BankFill{World: w, Store: a.DB, Fingerprint: a.Vault.BankAccount}
	filled, err := f.Filled(ctx)
	if err != nil || filled {
		return err
	}
	if err := f.Fill(ctx); err != nil {
		return fmt.Errorf("fill the sandbox's banks: %w", err)
	}
	return a.Bank.Tables.Refresh(ctx) // who finds sandbox.json can check an account at once
}
