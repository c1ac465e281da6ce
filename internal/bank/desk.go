package bank

import (
	"context"
	"errors"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Desk verifies accounts for customers.
type Desk struct {
	Store    Store
	Tables   *Tables
	Register *company.Register
	Now      func() time.Time

	// Fingerprint makes of a number what only we can make of it again. Held
	// accounts are found by it, and what a customer asked about is known by it.
	Fingerprint func(number string) string
}

// Branch is what the directory says of a sort code. An unknown one is a
// fault.Missing.
func (d *Desk) Branch(ctx context.Context, code SortCode) (Branch, error) {
	rec, err := d.Store.BankRecord(ctx, BranchRecord, code.String())
	if errors.Is(err, fault.Missing) {
		return Branch{}, fault.Missing.Errorf("Sort code not found")
	}
	if err != nil {
		return Branch{}, err
	}
	b := Branch{SortCode: code}
	return b, decode(rec.Facts, &b)
}

// bank is what the directory says of a bank code.
func (d *Desk) bank(ctx context.Context, country, code string) (Bank, error) {
	rec, err := d.Store.BankRecord(ctx, BankRecord, bankKey(country, code))
	if err != nil {
		return Bank{}, err
	}
	b := Bank{Country: country, Code: code}
	return b, decode(rec.Facts, &b)
}

// held is what the operator knows of an account.
func (d *Desk) held(ctx context.Context, country, number string) (Account, error) {
	rec, err := d.Store.BankRecord(ctx, AccountRecord, d.Fingerprint(accountKey(country, number)))
	if err != nil {
		return Account{}, err
	}
	a := Account{Country: country, Number: number}
	return a, decode(rec.Facts, &a)
}

// key is a British account as held accounts are found by it.
func (acc GB) key() string { return acc.SortCode.String() + acc.Number.String() }

// payee compares a name with an account's holder.
func (d *Desk) payee(ctx context.Context, ask payeeQuestion) (Payee, error) {
	a, err := d.held(ctx, ask.country, ask.number)
	if errors.Is(err, fault.Missing) {
		there, err := d.Store.HasBankRecords(ctx, AccountRecord, ask.country+" "+ask.place)
		if err != nil {
			return Payee{}, err
		}
		if there {
			return Payee{Code: AccountUnknown}, nil
		}
		return Payee{Code: BranchUnknown}, nil
	}
	if err != nil {
		return Payee{}, err
	}
	return a.answer(ask), nil
}
