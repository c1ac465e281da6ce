package store

import (
	"context"
	"strconv"
	"testing"

	"bureau/internal/store/storetest"
)

// The plan of a prepared statement is kept, and is made for short lists. A statement
// about a long one must not get it, in whichever way it is sent.
func TestLongListsHavePlansOfTheirOwn(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	ways := map[string]func(context.Context, tx, string, []string) error{
		"Query": func(ctx context.Context, t tx, query string, list []string) error {
			return each(ctx, t, func(row) error { return nil }, query, list)
		},
		"Exec": func(ctx context.Context, t tx, query string, list []string) error {
			_, err := t.Exec(ctx, query, list)
			return err
		},
		"Together": func(ctx context.Context, t tx, query string, list []string) error {
			return t.Together(ctx, []step{{query: query, args: []any{list}, read: func(row) error { return nil }}})
		},
	}
	if !hasLongList([]any{[]string{"few"}, make([]int64, longList)}) {
		t.Error("a long list behind a short one is missed")
	}
	for name, send := range ways {
		for length, want := range map[int]int64{longList - 1: 1, longList: 0} {
			list := make([]string, length)
			for i := range list {
				list[i] = strconv.Itoa(i)
			}
			query := `SELECT name FROM lease WHERE name = ANY($1) -- ` + name + " " + strconv.Itoa(length)
			err := db.write(t.Context(), func(tx tx) error {
				if err := send(t.Context(), tx, query, list); err != nil {
					return err
				}
				var kept int64
				if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM pg_prepared_statements WHERE statement = $1`, query).Scan(&kept); err != nil {
					return err
				}
				if kept != want {
					t.Errorf("%s of a list of %d: %d plans are kept, want %d", name, length, kept, want)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}
