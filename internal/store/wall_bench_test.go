package store

import (
	"context"
	"fmt"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// BenchmarkWall is what it costs to be served behind the second wall, against the
// same questions without it: a read by itself, one in a transaction with others,
// and a thousand rows at once, where PostgreSQL takes no COPY from who is held.
//
//	go test ./internal/store -run '^$' -bench Wall
func BenchmarkWall(b *testing.B) {
	db := openBench(b, storetest.Postgres(b))
	by := auth.Caller{Customer: 1, Account: 2}
	p, err := db.CreatePortfolio(b.Context(), by, monitor.Portfolio{Name: "benchmark"})
	if err != nil {
		b.Fatal(err)
	}
	columns := []string{"company", "portfolio", "since", "until", "customer"}
	for name, do := range map[string]func(context.Context) error{
		"read": func(ctx context.Context) error {
			var name string
			return db.QueryRow(ctx, `SELECT name FROM portfolio WHERE id = $1 AND customer = $2`, int64(p.ID), int64(by.Customer)).Scan(&name)
		},
		"transaction": func(ctx context.Context) error {
			_, err := db.Shares(ctx, by, p.ID)
			return err
		},
		"rows": func(ctx context.Context) error {
			_, err := tried(ctx, db, func(t tx) (int64, error) {
				return 1000, t.Bulk(ctx, "watcher", columns, 1000, func(i int) []any {
					return []any{fmt.Sprint("GB-0-", i), int64(p.ID), int64(1), int64(2), int64(by.Customer)}
				})
			})
			return err
		},
	} {
		for side, ctx := range map[string]context.Context{"free": b.Context(), "walled": auth.Within(b.Context(), by.Customer)} {
			b.Run(name+"/"+side, func(b *testing.B) {
				for b.Loop() {
					if err := do(ctx); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
