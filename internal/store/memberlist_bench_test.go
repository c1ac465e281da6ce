package store

import (
	"path/filepath"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// BenchmarkMembers measures the lists of a portfolio of 10,000 companies that need
// what a register of 50,000 says of them:
//
//	go test ./internal/store -run '^$' -bench Members -benchtime 100x -count 5
func BenchmarkMembers(b *testing.B) {
	for engine, url := range map[string]func() string{
		"sqlite":   func() string { return filepath.Join(b.TempDir(), "bench.db") },
		"postgres": func() string { return storetest.Postgres(b) },
	} {
		b.Run(engine, func(b *testing.B) {
			db := openBench(b, url())
			by := auth.Caller{Customer: 1, Account: 1}
			id := largePortfolio(b, db, by)
			for name, do := range map[string]func() (int64, error){
				"bands": func() (int64, error) { of, err := db.Bands(b.Context(), by, id); return of.Total, err },
				"name": func() (int64, error) {
					of, err := db.Members(b.Context(), by, id, monitor.MemberQuery{Sort: monitor.ByCompany, Limit: 100})
					return of.Total, err
				},
				"search": func() (int64, error) {
					of, err := db.Members(b.Context(), by, id, monitor.MemberQuery{Search: "limited", Limit: 100})
					return of.Total, err
				},
				"reference": func() (int64, error) {
					of, err := db.Members(b.Context(), by, id, monitor.MemberQuery{Sort: monitor.ByReference, Limit: 100})
					return of.Total, err
				},
			} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						if n, err := do(); err != nil || n < 100 {
							b.Fatalf("%d companies (%v)", n, err)
						}
					}
				})
			}
		})
	}
}

// largePortfolio has every fifth company of the register.
func largePortfolio(b *testing.B, db *DB, by auth.Caller) monitor.PortfolioID {
	b.Helper()
	takeIn(b, db, houseFileOf(b, 50_000))
	p, err := db.CreatePortfolio(b.Context(), by, monitor.Portfolio{Name: "large"})
	if err != nil {
		b.Fatal(err)
	}
	var list []monitor.Member
	n := 0
	err = each(b.Context(), db, func(r row) error {
		var id company.ID
		err := r.Scan(&id)
		if n++; n%5 == 0 {
			list = append(list, monitor.Member{Company: id})
		}
		return err
	}, `SELECT id FROM company ORDER BY id`)
	if err == nil {
		_, err = db.AddMembers(b.Context(), by, p.ID, list)
	}
	if err == nil {
		err = db.write(b.Context(), func(t tx) error { _, err := t.Exec(b.Context(), `ANALYZE`); return err })
	}
	if err != nil {
		b.Fatal(err)
	}
	return p.ID
}
