package company_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"bureau/internal/company"
)

// An empty register is filled without looking at it. Whoever else writes in the
// middle is seen all the same: what both speak of is one company.
func TestTwoFillAnEmptyRegister(t *testing.T) {
	onBoth(t, func(t *testing.T, d desk) {
		lei := func(i int) string { return fmt.Sprintf("LEI%05d", i) }
		var lists [2][]company.Statement
		for i := range 40 {
			// One knows them by number and LEI, the other by LEI alone.
			lists[0] = append(lists[0], company.Statement{Country: "GB", Number: fmt.Sprintf("%08d", i), LEI: lei(i), Facts: company.Facts{Name: fmt.Sprint("House ", i), LEI: lei(i)}})
			lists[1] = append(lists[1], company.Statement{Country: "GB", LEI: lei(i), Facts: company.Facts{Name: fmt.Sprint("Lei ", i), LEI: lei(i)}})
		}
		var runs [2]*company.Run
		for i, source := range []string{"house", "lei"} {
			run, err := d.NewRun(t.Context(), source, true, noon)
			if err != nil {
				t.Fatal(err)
			}
			runs[i] = run
		}
		for at := 0; at < 40; at += 4 {
			for i, run := range runs {
				// The second speaks of those that the first will come to, and
				// of those that it has spoken of.
				list := slices.Clone(lists[i][at : at+4])
				if i == 1 {
					list = slices.Clone(lists[1][40-at-4 : 40-at])
				}
				ctx, cancel := context.WithCancel(t.Context())
				err := run.Add(ctx, list)
				cancel() // what was taken in is written all the same
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		for i, run := range runs {
			if err := run.Finish(t.Context()); err != nil {
				t.Fatal(err)
			}
			if run.Result.Records != 40 || run.Result.Companies != 40 {
				t.Errorf("file %d came to %+v", i, run.Result)
			}
		}
		if n, err := d.db.Count(t.Context()); n != 40 || err != nil {
			t.Errorf("%d companies (%v), want 40", n, err)
		}
		d.changes(t) // their numbers have no gap
		for i, list := range lists {
			if res := d.take(t, []string{"house", "lei"}[i], true, list...); res.Unchanged != 40 || res.Changes != 0 {
				t.Errorf("file %d again came to %+v", i, res)
			}
		}
	})
}
