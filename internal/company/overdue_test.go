package company_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"bureau/internal/company"
)

// due is an active company whose accounts are due on a day.
func due(number string, day company.Date) company.Statement {
	s := gb(number, "Company "+number)
	s.Facts.Status, s.Facts.Due = company.Active, company.Due{AccountsNext: day}
	return s
}

func on(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t.Add(15 * time.Hour)
}

func step(t *testing.T, o *company.Overdue, day string) {
	t.Helper()
	if _, err := o.Step(t.Context(), on(day)); err != nil {
		t.Fatal(err)
	}
}

// late are the companies that were told to be overdue, and since when, in the
// order in which that was told.
func (d desk) late(t *testing.T) (out []string) {
	t.Helper()
	for _, c := range d.changes(t) {
		if c.Field == company.AccountsOverdue {
			out = append(out, c.Company.Number()+" "+c.Item)
		}
	}
	return out
}

func wantLate(t *testing.T, d desk, want ...string) {
	t.Helper()
	if got := d.late(t); !slices.Equal(got, want) {
		t.Errorf("overdue are %q, want %q", got, want)
	}
}

func TestAccountsAreOverdueTheDayAfter(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		o := &company.Overdue{Store: d.Store}
		step(t, o, "2026-11-15")
		d.take(t, "src", false, due("1", "2026-11-16"), due("2", "2026-11-17"), due("3", "2026-11"), due("4", ""))
		step(t, o, "2026-11-15")
		step(t, o, "2026-11-16") // the last day is not over
		wantLate(t, d)
		step(t, o, "2026-11-17")
		wantLate(t, d, "1 2026-11-16")
		for range 3 {
			step(t, o, "2026-11-17")
		}
		step(t, o, "2026-11-16") // a clock that goes back repeats nothing
		wantLate(t, d, "1 2026-11-16")
		step(t, o, "2026-12-24") // days were missed
		wantLate(t, d, "1 2026-11-16", "2 2026-11-17")
		log := d.changes(t)
		got := log[len(log)-2]
		want := company.Change{
			Number: got.Number, Company: "GB-0-1", Field: company.AccountsOverdue, Item: "2026-11-16",
			New: "16 November 2026", Source: "src", At: on("2026-11-17"),
		}
		if got != want {
			t.Errorf("the change is %+v, want %+v", got, want)
		}
	})
}

// The first day on a full register does not tell what everybody knew already.
func TestOverdueBeginsToday(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		d.take(t, "src", false, due("1", "2020-01-01"), due("2", "2026-11-14"), due("3", "2026-11-15"))
		o := &company.Overdue{Store: d.Store}
		step(t, o, "2026-11-15")
		wantLate(t, d)
		step(t, o, "2026-11-16")
		wantLate(t, d, "3 2026-11-15")
	})
}

// Who filed, was dissolved, or has a new day, is not overdue.
func TestOverdueMustStillBeDue(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		o := &company.Overdue{Store: d.Store}
		step(t, o, "2026-11-15")
		d.take(t, "src", true, due("1", "2026-11-16"), due("2", "2026-11-16"), due("3", "2026-11-16"), due("4", "2026-11-16"), due("5", "2026-11-16"))
		pending := due("2", "2026-11-16")
		pending.Facts.Status = company.Pending
		// The third goes altogether; the fifth the operator keeps back.
		d.take(t, "src", true, due("1", "2027-11-16"), pending, due("4", "2026-11-16"), due("5", "2026-11-16"))
		if _, err := d.Correct(t.Context(), "GB-0-5", func(f *company.Facts) error { f.Suppressed = []string{"due"}; return nil }); err != nil {
			t.Fatal(err)
		}
		step(t, o, "2026-11-17")
		wantLate(t, d, "4 2026-11-16")
		step(t, o, "2027-11-17")
		wantLate(t, d, "4 2026-11-16", "1 2027-11-16")
	})
}

// brokenStore fails some writes: before they are kept, or after, as when the
// answer is lost on its way.
type brokenStore struct {
	company.Store
	n      int
	broken func(n int) (before, after bool)
}

var errBroken = errors.New("broken off")

func (b *brokenStore) Write(ctx context.Context, edit func(company.View) (company.Update, error)) error {
	b.n++
	before, after := b.broken(b.n)
	err := b.Store.Write(ctx, func(v company.View) (company.Update, error) {
		u, err := edit(v)
		if before {
			err = errBroken
		}
		return u, err
	})
	if after && err == nil {
		err = errBroken
	}
	return err
}

// manyDue is more than one write takes.
func manyDue(n int) (list []company.Statement, want []string) {
	for i := range n {
		s := due(fmt.Sprintf("%06d", i), company.Date(fmt.Sprintf("2026-11-%02d", 16+i%2)))
		list = append(list, s)
	}
	for day := range 2 {
		for i := day; i < n; i += 2 {
			want = append(want, fmt.Sprintf("%06d 2026-11-%02d", i, 16+day))
		}
	}
	return list, want
}

func TestOverdueIsToldOnceThroughCrashes(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		step(t, &company.Overdue{Store: d.Store}, "2026-11-15")
		list, want := manyDue(1300)
		d.take(t, "src", false, list...)
		broken := &brokenStore{Store: d.Store, broken: func(n int) (before, after bool) { return n%3 == 1, n%3 == 2 }}
		for crashes := 0; ; crashes++ {
			o := &company.Overdue{Store: broken} // each time a new process, that knows nothing
			if _, err := o.Step(t.Context(), on("2026-11-18")); err == nil {
				break
			} else if !errors.Is(err, errBroken) || crashes > 30 {
				t.Fatal(err)
			}
		}
		wantLate(t, d, want...)
	})
}

func TestOverdueIsToldOnceByTwoNodes(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		step(t, &company.Overdue{Store: d.Store}, "2026-11-15")
		list, want := manyDue(1300)
		d.take(t, "src", false, list...)
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if _, err := (&company.Overdue{Store: d.Store}).Step(t.Context(), on("2026-11-18")); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		wantLate(t, d, want...)
	})
}
