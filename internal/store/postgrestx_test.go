package store

import (
	"context"
	"errors"
	"testing"

	"bureau/internal/store/storetest"
)

// firstStatements are the ways in which a transaction may begin. Each adds a place.
var firstStatements = map[string]func(context.Context, tx) error{
	"Exec": func(ctx context.Context, t tx) error {
		_, err := t.Exec(ctx, `INSERT INTO place (name, number) VALUES ($1, 1)`, "first")
		return err
	},
	"Exec of a long list": func(ctx context.Context, t tx) error {
		_, err := t.Exec(ctx, `INSERT INTO place (name, number) SELECT 'first', MIN(n) FROM unnest($1::bigint[]) AS n`, longNumbers())
		return err
	},
	"Query": func(ctx context.Context, t tx) error {
		return each(ctx, t, func(row) error { return nil }, `INSERT INTO place (name, number) VALUES ($1, 1) RETURNING number`, "first")
	},
	"QueryRow": func(ctx context.Context, t tx) error {
		var n int64
		return t.QueryRow(ctx, `INSERT INTO place (name, number) VALUES ($1, 1) RETURNING number`, "first").Scan(&n)
	},
	"Together": func(ctx context.Context, t tx) error {
		return t.Together(ctx, []step{
			{query: `SELECT 1`, read: func(r row) error { return r.Scan(new(int64)) }},
			{query: `INSERT INTO place (name, number) VALUES ($1, 1)`, args: []any{"first"}},
		})
	},
	"Bulk": func(ctx context.Context, t tx) error {
		return t.Bulk(ctx, "place", []string{"name", "number"}, 1, func(int) []any { return []any{"first", int64(1)} })
	},
}

func longNumbers() []int64 {
	out := make([]int64, longList)
	for i := range out {
		out[i] = int64(i + 1)
	}
	return out
}

// Whatever a transaction begins with belongs to it: it is kept with the rest, or
// undone with the rest, and the connection is as good as new.
func TestFirstStatementIsOfTheTransaction(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	ctx := t.Context()
	places := func() (n int) {
		t.Helper()
		if err := db.QueryRow(ctx, `SELECT COUNT(*) FROM place`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	empty := func() {
		t.Helper()
		if err := db.write(ctx, func(t tx) error { _, err := t.Exec(ctx, `DELETE FROM place`); return err }); err != nil {
			t.Fatal(err)
		}
	}
	empty()
	later := errors.New("something else failed")
	for name, first := range firstStatements {
		if err := db.write(ctx, func(t tx) error { return errors.Join(first(ctx, t), later) }); !errors.Is(err, later) || places() != 0 {
			t.Errorf("%s, then a failure: %v, and %d places", name, err, places())
		}
		if err := db.write(ctx, func(t tx) error { return errors.Join(first(ctx, t), nothing(ctx, t)) }); code(err) != "42P01" || places() != 0 {
			t.Errorf("%s, then a statement that fails: %v, and %d places", name, err, places())
		}
		if err := db.write(ctx, func(t tx) error { return errors.Join(nothing(ctx, t), first(ctx, t)) }); code(err) != "42P01" || places() != 0 {
			t.Errorf("a statement that fails, then %s: %v, and %d places", name, err, places())
		}
		if err := db.write(ctx, func(t tx) error { _ = nothing(ctx, t); return nil }); err == nil {
			t.Error("a failure that nobody minded was committed")
		}
		gone, cancel := context.WithCancel(ctx)
		err := db.write(gone, func(t tx) error {
			err := first(gone, t)
			cancel()
			return err
		})
		if !errors.Is(err, context.Canceled) || places() != 0 {
			t.Errorf("%s, and nobody waits for it: %v, and %d places", name, err, places())
		}
		if err := db.snapshot(ctx, func(t tx) error { return first(ctx, t) }); code(err) != "25006" {
			t.Errorf("%s in a snapshot: %v, want that it is read-only", name, err)
		}
		if err := db.write(ctx, func(t tx) error { return first(ctx, t) }); err != nil || places() != 1 {
			t.Errorf("%s: %v, and %d places, want one", name, err, places())
		}
		if err := db.write(ctx, func(t tx) error { return first(ctx, t) }); !db.d.isTaken(err) || places() != 1 {
			t.Errorf("%s of what is there: %v, and %d places", name, err, places())
		}
		empty()
	}
	if err := db.write(ctx, func(tx) error { return nil }); err != nil {
		t.Errorf("a transaction of nothing: %v", err)
	}
}

func nothing(ctx context.Context, t tx) error {
	_, err := t.Exec(ctx, `SELECT * FROM nothing`)
	return err
}

// What is sent with the commit is kept by it, or undone with the rest; nothing may come
// behind it.
func TestLastStatementsAreCommitted(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	ctx := t.Context()
	add := func(name string) step {
		return step{query: `INSERT INTO place (name, number) VALUES ($1, 1)`, args: []any{name}}
	}
	count := func() (n int) {
		t.Helper()
		if err := db.QueryRow(ctx, `SELECT COUNT(*) FROM place WHERE name LIKE 'last %'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		says string
		do   func(tx) error
		kept int
		code string
	}{
		{"by themselves", func(t tx) error { return t.Last(ctx, []step{add("last 1")}) }, 1, ""},
		{"behind others", func(t tx) error {
			return errors.Join(t.Together(ctx, []step{add("last 2")}), t.Last(ctx, []step{add("last 3")}))
		}, 3, ""},
		{"none", func(t tx) error { return errors.Join(t.Together(ctx, []step{add("last 4")}), t.Last(ctx, nil)) }, 4, ""},
		{"one that fails", func(t tx) error {
			return errors.Join(t.Together(ctx, []step{add("last 5")}), t.Last(ctx, []step{add("last 6"), add("last 1")}))
		}, 4, "23505"},
	} {
		if err := db.write(ctx, c.do); code(err) != c.code || (err == nil) != (c.code == "") || count() != c.kept {
			t.Errorf("%s: %v, and %d are kept, want %d", c.says, err, count(), c.kept)
		}
	}
	for says, do := range map[string]func(tx) error{
		"one that reads": func(t tx) error {
			return t.Last(ctx, []step{add("last 7"), {query: `SELECT 1`, read: func(row) error { return nil }}})
		},
		"more behind them": func(t tx) error {
			_ = t.Last(ctx, nil)
			return t.Together(ctx, []step{add("last 8")})
		},
	} {
		if err := db.write(ctx, do); err == nil || count() != 4 {
			t.Errorf("%s: %v, and %d are kept", says, err, count())
		}
	}
}
