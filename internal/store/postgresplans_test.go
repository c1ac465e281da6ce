package store

import (
	"context"
	"strconv"
	"strings"
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

// A plan is made once and kept while its table grows from nothing to millions: it goes
// by the index from the beginning. Whoever reads all of a table goes through it.
func TestPlansGoByIndexes(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	ctx := t.Context()
	plan := func(tx tx, query string) (out string) {
		t.Helper()
		err := each(ctx, tx, func(r row) error {
			var line string
			err := r.Scan(&line)
			out += line + "\n"
			return err
		}, "EXPLAIN "+query)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if err := db.write(ctx, func(t tx) error { _, err := t.Exec(ctx, `ANALYZE event, delivery, lease`); return err }); err != nil {
		t.Fatal(err)
	}
	const one, all = `SELECT * FROM event AS e JOIN delivery AS d ON d.event = e.id AND d.customer = e.customer WHERE e.id = 7 AND e.customer = 1`, `SELECT * FROM lease`
	err := db.write(ctx, func(tx tx) error {
		if got := plan(tx, one); strings.Contains(got, "Seq Scan") {
			t.Errorf("one event of an empty table is looked for in all of it:\n%s", got)
		}
		if got := plan(tx, all); strings.Contains(got, "JIT") {
			t.Errorf("what must be gone through is compiled:\n%s", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.snapshot(ctx, func(tx tx) error {
		if err := db.readsAll(ctx, tx); err != nil {
			return err
		}
		if got := plan(tx, all+` ORDER BY fence`); !strings.Contains(got, "Seq Scan") {
			t.Errorf("all of a table is read otherwise than through it:\n%s", got)
		}
		if got := plan(tx, one); !strings.Contains(got, "Seq Scan") {
			t.Errorf("the setting has no effect:\n%s", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
