package store

import (
	"fmt"
	"slices"
	"testing"
)

// What belonged to a customer through something else has its customer's number after
// migration 0027, and what belonged to nobody nobody's.
func TestScreeningLearnsItsCustomer(t *testing.T) {
	of := map[string]struct{ table, column string }{
		"kyc_note":           {"kyc_profile", "profile"},
		"kyc_profile_search": {"kyc_profile", "profile"},
		"kyc_batch_row":      {"kyc_batch", "batch"},
		"kyc_watch":          {"kyc_schedule", "schedule"},
	}
	onBoth(t, func(t *testing.T, url string) {
		ctx := t.Context()
		db := connect(t, url)
		db.files = earlier(t, 26)
		if _, err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		err := db.write(ctx, func(w tx) error {
			all, err := db.tables(ctx, w)
			if err != nil {
				return err
			}
			for _, table := range all {
				rows := 0
				for child, parent := range of {
					switch table.name {
					case child:
						rows = 3 // the parent of the last is not there
					case parent.table:
						rows = max(rows, 2)
					}
				}
				if err := w.Bulk(ctx, table.name, table.columns, rows, func(i int) []any { return rowOf(table, int64(i+1)) }); err != nil {
					return fmt.Errorf("%s: %w", table.name, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		db = connect(t, url)
		if _, err := db.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		for child, parent := range of {
			var got []string
			err := each(ctx, db, func(r row) error {
				var customer int64
				var id string
				err := r.Scan(&customer, &id)
				got = append(got, fmt.Sprint(id, " of ", customer))
				return err
			}, `SELECT customer, `+parent.column+` FROM `+child+` ORDER BY `+parent.column)
			if want := []string{"1 of 1", "2 of 2", "3 of 0"}; err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q (%v), want %q", child, got, err, want)
			}
		}
	})
}
