package store

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/invented"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// BenchmarkScaling measures what docs/scaling.md reckons with: what a row takes of
// the disk, and what a change, the question who watches it and an event cost in time
// and in PostgreSQL's log. One operation is one company of the register; a fiftieth
// of them change. The server syncs every commit:
//
//	go test ./internal/store -run '^$' -bench Scaling -benchtime 100000x
func BenchmarkScaling(b *testing.B) {
	db := openBench(b, storetest.PostgresServer(b).URL("postgres"))
	ctx := b.Context()
	takeIn(b, db, houseFile(b))
	changed := houseChanges(b)
	by := auth.Caller{Customer: 1, Account: 1}
	watch(b, db, by)

	b.ResetTimer()
	var last int64
	measure(b, db, "change", func() int {
		takeInFeed(b, db, changed)
		last = one64(b, db, `SELECT last_number FROM change_log`)
		return int(last) - b.N // the first edition made one for each
	})
	changes, err := db.Changes(ctx, last-int64(b.N/50), b.N/50)
	if err != nil {
		b.Fatal(err)
	}
	const batch = 500
	var events []monitor.Event
	measure(b, db, "look", func() int {
		for at := 0; at < len(changes); at += batch {
			of := map[company.ID]*company.Change{}
			var ids []company.ID
			for i := at; i < min(at+batch, len(changes)); i++ {
				of[changes[i].Company] = &changes[i]
				ids = append(ids, changes[i].Company)
			}
			_, err := db.Watchers(ctx, ids, func(w monitor.Watcher) {
				c := of[w.Company]
				events = append(events, monitor.Event{
					Customer: w.Customer, Portfolio: w.Portfolio, Company: w.Company, Name: "EXAMPLE TRADING LIMITED", Country: "XX",
					Rule: 105, Version: 1, Setting: 1, Change: c.Number, Field: c.Field, Source: c.Source,
					Old: c.Old, New: c.New, Why: "it was something else before", At: c.At,
				})
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		return len(changes)
	})
	measure(b, db, "event", func() int {
		for at := 0; at < len(events); at += batch {
			if _, err := db.Tell(ctx, events[at:min(at+batch, len(events))], nil); err != nil {
				b.Fatal(err)
			}
		}
		return len(events)
	})
	b.StopTimer()
	keep(b, db)
	for _, table := range []string{"company", "statement", "change", "search_key", "member", "watcher", "event"} {
		rows := one64(b, db, `SELECT COUNT(*) FROM `+table)
		size := one64(b, db, `
			SELECT CAST(SUM(pg_total_relation_size(c.oid)) AS BIGINT) FROM pg_class AS c
			WHERE c.oid = '`+table+`'::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '`+table+`'::regclass)`)
		per := rows
		if table == "search_key" {
			per = int64(b.N) // a company has several
		}
		b.ReportMetric(float64(size)/float64(max(per, 1)), table+"-B")
	}
}

func one64(b *testing.B, db *DB, query string) (n int64) {
	b.Helper()
	if err := db.QueryRow(b.Context(), query).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// measure reports how long each of some things took, and how much of the log.
func measure(b *testing.B, db *DB, name string, do func() int) {
	b.Helper()
	const written = `SELECT CAST(pg_current_wal_insert_lsn() - '0/0' AS BIGINT)`
	wal, began := one64(b, db, written), time.Now()
	n := float64(max(do(), 1))
	b.ReportMetric(float64(time.Since(began).Microseconds())/n, name+"-µs")
	b.ReportMetric(float64(one64(b, db, written)-wal)/n, name+"-log-B")
}

// houseChanges are the records of the second edition that differ from the first.
func houseChanges(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "changes.csv")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	old, fresh := bufio.NewScanner(invented.CompaniesHouse(b.N, 0)), bufio.NewScanner(invented.CompaniesHouse(b.N, 1))
	for line := 0; old.Scan() && fresh.Scan(); line++ {
		if line == 0 || old.Text() != fresh.Text() {
			fmt.Fprintln(f, fresh.Text())
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

func takeInFeed(b *testing.B, db *DB, path string) {
	b.Helper()
	files, err := importer.Files(path, nil)
	if err != nil {
		b.Fatal(err)
	}
	register := &company.Register{Store: db, Now: time.Now}
	run, err := register.NewRun(b.Context(), "companies-house", false, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := importer.Run(b.Context(), companieshouse.Companies, files, run, importer.Options{Now: time.Now}); err != nil {
		b.Fatal(err)
	}
}

// keep makes the keys by which companies are searched.
func keep(b *testing.B, db *DB) {
	b.Helper()
	register := &company.Register{Store: db, Now: time.Now}
	for after := int64(0); ; {
		changes, err := db.Changes(b.Context(), after, 1000)
		if err != nil {
			b.Fatal(err)
		}
		if len(changes) == 0 {
			return
		}
		after = changes[len(changes)-1].Number
		list, err := register.KeysOf(b.Context(), changes)
		if err == nil {
			err = db.SaveKeys(b.Context(), list, job.Place{Name: "keys", Number: after})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// watch puts every company into two portfolios.
func watch(b *testing.B, db *DB, by auth.Caller) {
	b.Helper()
	for _, name := range []string{"one", "two"} {
		p, err := db.CreatePortfolio(b.Context(), by, monitor.Portfolio{Name: name})
		if err != nil {
			b.Fatal(err)
		}
		var list []monitor.Member
		err = each(b.Context(), db, func(r row) error {
			var id company.ID
			err := r.Scan(&id)
			list = append(list, monitor.Member{Company: id})
			return err
		}, `SELECT id FROM company ORDER BY id`)
		if err != nil {
			b.Fatal(err)
		}
		for at := 0; at < len(list); at += 1000 {
			if _, err := db.AddMembers(b.Context(), by, p.ID, list[at:min(at+1000, len(list))]); err != nil {
				b.Fatal(err)
			}
		}
	}
}
