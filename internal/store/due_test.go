package store

import (
	"testing"
	"time"

	"bureau/internal/company"
)

// Companies that were kept before there were deadlines get theirs.
func TestDeadlinesOfOldCompanies(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		reg := &company.Register{Store: db, Now: time.Now}
		run, err := reg.NewRun(t.Context(), "src", false, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		err = run.Add(t.Context(), []company.Statement{
			{Country: "GB", Number: "1", Facts: company.Facts{Name: "One", Status: company.Active, LEI: "L", Due: company.Due{AccountsNext: "2026-11-16"}}},
			{Country: "GB", Number: "2", Facts: company.Facts{Name: "Two"}},
		})
		if err == nil {
			err = run.Finish(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		err = db.write(t.Context(), func(t1 tx) error { // as the migration leaves them
			_, err := t1.Exec(t.Context(), `UPDATE company SET accounts_due = '?'`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		o := &company.Overdue{Store: db}
		told := 0
		for _, day := range []int{15, 16, 17} {
			n, err := o.Step(t.Context(), time.Date(2026, 11, day, 8, 0, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			told += n
		}
		if told != 1 {
			t.Errorf("%d are overdue, want one", told)
		}
		if id, err := db.Find(t.Context(), company.Ident{Kind: company.ByLEI, Value: "L"}); err != nil || id != "GB-0-1" {
			t.Errorf("it is found as %q (%v)", id, err)
		}
	})
}
