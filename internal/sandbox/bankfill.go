package sandbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"bureau/internal/bank"
)

// A BankFill puts the world's banks and accounts into a database.
type BankFill struct {
	World       World
	Store       bank.Store
	Fingerprint func(number string) string
}

// Filled reports whether the bank data is there: the accounts are written last.
func (b BankFill) Filled(ctx context.Context) (bool, error) {
	return b.Store.HasBankRecords(ctx, bank.AccountRecord, "GB "+sortCode(0, 0).String())
}

// Fill puts the world's modulus table, directories and accounts into a database.
func (b BankFill) Fill(ctx context.Context) error {
	table := &bank.TableIntake{Store: b.Store, ValidFrom: day(Birthday.AddDate(-10, 0, 0)), Now: func() time.Time { return Birthday }}
	for _, r := range modulusRows() {
		if err := table.Add(ctx, []bank.TableLine{{Row: &r}}); err != nil {
			return err
		}
	}
	if err := table.Finish(ctx); err != nil {
		return err
	}
	in := bank.Intake{Store: b.Store}
	branches := &bank.Branches{Intake: in}
	if err := branches.Add(ctx, b.World.Branches()); err != nil {
		return err
	}
	banks := &bank.Banks{Intake: in}
	if err := errors.Join(banks.Add(ctx, b.World.BankCodes()), banks.Finish(ctx)); err != nil {
		return err
	}
	accounts := &bank.Accounts{Intake: in, Fingerprint: b.Fingerprint}
	list := b.World.BankAccounts()
	slices.Reverse(list) // the first British one, by which Filled looks, is the last
	for part := range slices.Chunk(list, 1000) {
		if err := accounts.Add(ctx, part); err != nil {
			return err
		}
	}
	return nil
}
