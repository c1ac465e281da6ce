package bank

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
)

// Store is what bank checks ask of a database. Each method is one transaction.
// Package storetest holds every promise made here to account.
type Store interface {
	// KeepBankRecords saves records of a kind, each in the place of the one with
	// its key, and says how many were new, different and the same. turn is the
	// number of the import; a record that a later turn has kept stays that turn's.
	KeepBankRecords(ctx context.Context, kind string, turn int64, list []Record) (Kept, error)

	// DropBankRecords removes the records of a kind that no turn from this one on
	// has kept, in some places or, without any, in all, and says how many.
	DropBankRecords(ctx context.Context, kind string, turn int64, places []string) (int64, error)

	// BankRecord returns a record. An unknown one is a fault.Missing.
	BankRecord(ctx context.Context, kind, key string) (Record, error)

	// HasBankRecords reports whether there is any record of a kind in a place.
	HasBankRecords(ctx context.Context, kind, place string) (bool, error)

	// KeepModulusTable saves a version of a table in the place of the one that
	// holds from the same day, and reports whether that changed anything: rows
	// that are those of the version in force on that day do not.
	KeepModulusTable(ctx context.Context, t StoredTable) (changed bool, err error)

	// ModulusTables returns the newest version of each table that is in force on
	// a day.
	ModulusTables(ctx context.Context, on company.Date) ([]StoredTable, error)

	// ModulusVersion is a number that grows whenever a table is kept.
	ModulusVersion(ctx context.Context) (int64, error)

	// AddBankVerification saves what a customer asked and was told.
	AddBankVerification(ctx context.Context, by auth.Caller, v Verification) error

	// BankVerification returns a verification of the caller's customer. Someone
	// else's is a fault.Missing, exactly like one that does not exist.
	BankVerification(ctx context.Context, by auth.Caller, id string) (Verification, error)

	// UpdateBankVerification loads a verification, lets edit change its reference
	// and saves the result, or saves nothing if edit fails. Someone else's is a
	// fault.Missing.
	UpdateBankVerification(ctx context.Context, by auth.Caller, id string, edit func(*Verification) error) (Verification, error)

	// BankVerifications lists verifications of the caller's customer, the newest
	// first.
	BankVerifications(ctx context.Context, by auth.Caller, q VerificationQuery) ([]Verification, error)

	// AddBankMatch saves a match, and BankMatch returns one of the caller's
	// customer. Someone else's is a fault.Missing.
	AddBankMatch(ctx context.Context, by auth.Caller, m Match) error
	BankMatch(ctx context.Context, by auth.Caller, id string) (Match, error)
}

// Kept is what became of records.
type Kept struct{ New, Changed, Unchanged int64 }

// A StoredTable is one version of one of the two modulus tables.
type StoredTable struct {
	Kind      string       // WeightsTable or SubstitutionsTable
	ValidFrom company.Date // a whole day
	Rows      string       // as encode writes them
	KeptAt    time.Time
}

// The two tables, which have versions of their own: the publisher changes the
// weights several times a year and the substitutions hardly ever.
const (
	WeightsTable       = "weights"
	SubstitutionsTable = "substitutions"
)

// A VerificationQuery says which verifications to list. What is empty does not
// matter.
type VerificationQuery struct {
	Mine      bool // only those of the caller's own account
	Name      string
	Match     NameMatch
	From      time.Time // this moment or later
	Until     time.Time // before this moment
	Type      AccountType
	Reference string
	After     string // the ID of the last one that was seen
	Limit     int
}
