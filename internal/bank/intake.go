package bank

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"bureau/internal/company"
)

// An Intake takes the records of one import in. Its turn is the import's number.
type Intake struct {
	Store Store
	Turn  int64
	Whole bool // what the file does not hold is gone
	Result
}

// A Result is what an intake came to.
type Result struct {
	Kept
	Removed int64
}

func (i *Intake) keep(ctx context.Context, kind string, list []Record) error {
	// Of several records with one key the last holds.
	last := make(map[string]int, len(list))
	for n, r := range list {
		last[r.Key] = n
	}
	n := -1
	list = slices.DeleteFunc(list, func(r Record) bool { n++; return last[r.Key] != n })
	got, err := i.Store.KeepBankRecords(ctx, kind, i.Turn, list)
	i.New += got.New
	i.Changed += got.Changed
	i.Unchanged += got.Unchanged
	return err
}

func (i *Intake) drop(ctx context.Context, kind string, places []string) (err error) {
	if i.Whole {
		i.Removed, err = i.Store.DropBankRecords(ctx, kind, i.Turn, places)
	}
	return err
}

// Branches takes in the directory of sort codes.
type Branches struct{ Intake }

// Add takes the next branches.
func (b *Branches) Add(ctx context.Context, list []Branch) error {
	records := make([]Record, len(list))
	for i := range list {
		records[i] = list[i].record()
	}
	return b.keep(ctx, BranchRecord, records)
}

// Finish removes what a whole list no longer holds.
func (b *Branches) Finish(ctx context.Context) error { return b.drop(ctx, BranchRecord, nil) }

// Banks takes in directories of bank codes. A file is whole for the countries
// that it speaks of. Publishers name a code once for each BIC; that is one bank.
type Banks struct {
	Intake
	seen map[string]*Bank
}

// Add takes the next banks. They are few: all are held until the file's end, so
// that a bank in several records is written once.
func (b *Banks) Add(_ context.Context, list []Bank) error {
	if b.seen == nil {
		b.seen = map[string]*Bank{}
	}
	for _, one := range list {
		key := bankKey(one.Country, one.Code)
		have, ok := b.seen[key]
		if !ok {
			b.seen[key] = &one
			continue
		}
		for _, bic := range one.BICs {
			if !slices.Contains(have.BICs, bic) {
				have.BICs = append(have.BICs, bic)
			}
		}
	}
	return nil
}

// Finish writes the banks, and removes those that the file no longer holds.
func (b *Banks) Finish(ctx context.Context) error {
	countries := map[string]bool{}
	records := make([]Record, 0, len(b.seen))
	for _, key := range slices.Sorted(maps.Keys(b.seen)) {
		one := b.seen[key]
		countries[one.Country] = true
		records = append(records, one.record())
	}
	if err := b.keep(ctx, BankRecord, records); err != nil {
		return err
	}
	if len(countries) == 0 {
		return nil
	}
	return b.drop(ctx, BankRecord, slices.Sorted(maps.Keys(countries)))
}

// Accounts takes in accounts whose holders the operator knows.
type Accounts struct {
	Intake
	Fingerprint func(number string) string
}

// Add takes the next accounts.
func (a *Accounts) Add(ctx context.Context, list []Account) error {
	records := make([]Record, len(list))
	for i := range list {
		records[i] = list[i].record(a.Fingerprint)
	}
	return a.keep(ctx, AccountRecord, records)
}

// Finish removes what a whole list no longer holds.
func (a *Accounts) Finish(ctx context.Context) error { return a.drop(ctx, AccountRecord, nil) }

// A TableLine is a line of one of the two modulus tables.
type TableLine struct {
	Row          *Row
	Substitution *Substitution
	ValidFrom    company.Date // the day that the file names; empty if it names none
}

// A TableIntake takes a modulus table in: whole, or not at all.
type TableIntake struct {
	Store     Store
	ValidFrom company.Date // for files that name no day; today if empty
	Now       func() time.Time
	Result

	rows []Row
	subs []Substitution
	from company.Date
}

// Add takes the next lines.
func (t *TableIntake) Add(_ context.Context, list []TableLine) error {
	for _, l := range list {
		if l.ValidFrom != "" {
			t.from = l.ValidFrom
		}
		switch {
		case l.Row != nil:
			t.rows = append(t.rows, *l.Row)
		case l.Substitution != nil:
			t.subs = append(t.subs, *l.Substitution)
		}
	}
	return nil
}

// Finish puts the tables into force from their day on.
func (t *TableIntake) Finish(ctx context.Context) error {
	if _, err := NewModulus(t.rows, t.subs); err != nil {
		return fmt.Errorf("the modulus table makes no sense: %w", err)
	}
	from := t.ValidFrom
	if from == "" {
		from = t.from
	}
	if from == "" {
		from = company.Date(t.Now().UTC().Format(time.DateOnly))
	}
	keep := func(kind, rows string, n int) error {
		if n == 0 {
			return nil
		}
		changed, err := t.Store.KeepModulusTable(ctx, StoredTable{Kind: kind, ValidFrom: from, Rows: rows, KeptAt: t.Now().UTC().Truncate(time.Millisecond)})
		if changed {
			t.Changed += int64(n)
		} else {
			t.Unchanged += int64(n)
		}
		return err
	}
	if err := keep(WeightsTable, encode(t.rows), len(t.rows)); err != nil {
		return err
	}
	return keep(SubstitutionsTable, encode(t.subs), len(t.subs))
}
