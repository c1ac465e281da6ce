package store

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/invented"
	"bureau/internal/store/storetest"
)

// BenchmarkRegister is how fast a file is taken in, against the bare insert of
// the very rows that it comes to, into the same tables with the same indexes,
// in batches of the same size. One operation is one company:
//
//	go test ./internal/store -run '^$' -bench Register -benchtime 100000x
func BenchmarkRegister(b *testing.B) {
	for name, fresh := range map[string]func(b *testing.B) string{
		"sqlite":   func(b *testing.B) string { return filepath.Join(b.TempDir(), "bench.db") },
		"postgres": func(b *testing.B) string { return storetest.Postgres(b) },
	} {
		b.Run(name+"/bare", func(b *testing.B) { benchBare(b, fresh) })
		b.Run(name+"/import", func(b *testing.B) { benchImport(b, fresh, false) })
		b.Run(name+"/again", func(b *testing.B) { benchImport(b, fresh, true) })
	}
}

// timed runs f alone on the clock.
func timed(b *testing.B, f func()) {
	b.ResetTimer()
	began := processorTime()
	f()
	b.ReportMetric(float64((processorTime()-began).Microseconds())/float64(b.N), "cpu-µs/op")
}

func benchImport(b *testing.B, fresh func(b *testing.B) string, again bool) {
	db, path := openBench(b, fresh(b)), houseFile(b)
	if again {
		takeIn(b, db, path)
	}
	timed(b, func() { takeIn(b, db, path) })
}

func benchBare(b *testing.B, fresh func(b *testing.B) string) {
	from := openBench(b, filepath.Join(b.TempDir(), "from.db"))
	takeIn(b, from, houseFile(b))
	tables := []*bareTable{
		{name: "company", columns: []string{"id", "country", "name", "status", "said"}, order: "rowid"},
		{name: "company_ident", columns: []string{"kind", "value", "company"}, order: "kind"},
		{name: "statement", columns: []string{"source", "key", "company", "hash"}, order: "(SELECT rowid FROM company WHERE id = statement.company)"},
		{name: "change", columns: []string{"number", "company", "field", "item", "old", "new", "source", "at"}, order: "number"},
	}
	for _, t := range tables {
		t.load(b, from)
	}
	db := openBench(b, fresh(b))
	timed(b, func() {
		const batch = 2000
		for at := 0; at < b.N; at += batch {
			err := db.write(b.Context(), func(to tx) error {
				for _, t := range tables {
					part := t.rows[min(at, len(t.rows)):min(at+batch, len(t.rows))]
					if err := to.Bulk(b.Context(), t.name, t.columns, len(part), func(i int) []any { return part[i] }); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func openBench(b *testing.B, url string) *DB {
	b.Helper()
	db, err := Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
}

// houseFile is a file of b.N companies on disk.
func houseFile(b *testing.B) string { b.Helper(); return houseFileOf(b, b.N) }

func houseFileOf(b *testing.B, n int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "companies.csv")
	f, err := os.Create(path)
	if err == nil {
		_, err = io.Copy(f, invented.CompaniesHouse(n, 0))
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	return path
}

func takeIn(b *testing.B, db *DB, path string) {
	b.Helper()
	files, err := importer.Files(path, nil)
	if err != nil {
		b.Fatal(err)
	}
	register := &company.Register{Store: db, Now: time.Now}
	run, err := register.NewRun(b.Context(), "companies-house", true, time.Now())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := importer.Run(b.Context(), companieshouse.Companies, files, run, importer.Options{Now: time.Now}); err != nil {
		b.Fatal(err)
	}
}

type bareTable struct {
	name, order string
	columns     []string
	rows        [][]any
}

func (t *bareTable) load(b *testing.B, db *DB) {
	b.Helper()
	err := each(b.Context(), db, func(r row) error {
		cells := make([]value, len(t.columns))
		into, values := make([]any, len(cells)), make([]any, len(cells))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		for i, c := range cells {
			values[i] = c.v
		}
		t.rows = append(t.rows, values)
		return nil
	}, "SELECT "+strings.Join(t.columns, ", ")+" FROM "+t.name+" ORDER BY "+t.order)
	if err != nil {
		b.Fatal(err)
	}
}

// processorTime is what this process has used so far: on a busy machine it says
// more than the clock does. What a server does is not in it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
