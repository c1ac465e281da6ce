package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bureau/internal/importer/invented"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// prove asks for the long proofs.
func prove() bool { return os.Getenv("BUREAU_PROVE") == "1" }

// TestKilledImportGoesOn kills imports with no warning, at their first batch,
// in their middle and while a newer edition's changes are written, and gives
// the same command again. In the end every row of the register is what it is
// after imports that nobody killed, to the number of each change.
func TestKilledImportGoesOn(t *testing.T) {
	t.Parallel()
	const rows = 9000
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.csv"), filepath.Join(dir, "second.csv")
	writeList(t, first, rows, func(_ int, line []byte) []byte { return line })
	// The second edition rewords every other company and has lost some.
	writeList(t, second, rows-2500, func(i int, line []byte) []byte {
		if i%2 == 0 {
			return bytes.Replace(line, []byte("31/03/2025"), []byte("31/03/2026"), 1)
		}
		return bytes.Replace(line, []byte(" STREET"), []byte(" LANE"), i%3)
	})
	for name, url := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unbroken, broken := newHome(t, url(t)), newHome(t, url(t))
			for i, file := range []string{first, second} {
				unbroken.run(t, file)
				kills := []int64{1, rows / 2, rows - 1000} // by how many changes are kept
				if i == 1 {
					kills = []int64{rows + 1, rows + 1500, rows + 3500}
				}
				for _, at := range kills {
					broken.runAndKill(t, file, at)
				}
				broken.run(t, file)
				want, got := unbroken.rows(t), broken.rows(t)
				if !slices.Equal(got, want) {
					t.Fatalf("after %s: %s", filepath.Base(file), firstDifference(want, got))
				}
				if len(want) < 2*rows {
					t.Fatalf("only %d rows", len(want))
				}
			}
		})
	}
}

// writeList writes an edition of a list of companies.
func writeList(t *testing.T, path string, rows int, edit func(i int, line []byte) []byte) {
	t.Helper()
	all, err := io.ReadAll(invented.CompaniesHouse(rows, 0))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	i := 0
	for line := range bytes.Lines(all) {
		out.Write(edit(i, line))
		i++
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A home is a database and the folder of the commands that use it.
type home struct{ data, url string }

// engines make a database of each kind; the embedded one is in the data folder.
var engines = map[string]func(t *testing.T) string{
	"sqlite":   func(*testing.T) string { return "" },
	"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
}

func newHome(t *testing.T, url string) home { return home{t.TempDir(), url} }

func (h home) command(file string) *exec.Cmd {
	args := []string{"import", "companies-house", file, "--data", h.data}
	if h.url != "" {
		args = append(args, "--db", h.url)
	}
	return exec.Command("bureau", args...)
}

func (h home) open(t *testing.T) *store.DB {
	t.Helper()
	url := h.url
	if url == "" {
		url = filepath.Join(h.data, "bureau.db")
	}
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func (h home) run(t *testing.T, file string) {
	t.Helper()
	if out, err := h.command(file).CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, out)
	}
}

// runAndKill starts an import and kills it once so many changes are kept.
func (h home) runAndKill(t *testing.T, file string, at int64) {
	t.Helper()
	db := h.open(t)
	defer db.Close()
	c := h.command(file)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }() // until the kill below at the latest
	for n := int64(0); n < at; {
		var err error
		if n, err = db.LastChange(t.Context()); err != nil {
			_ = c.Process.Kill()
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			t.Fatalf("the import ended by itself with %d changes, before it was killed at %d: %v", n, at, err)
		case <-time.After(time.Millisecond): // between two looks
		}
	}
	_ = c.Process.Kill()
	<-ended
}

// rows are all rows of the register, as texts. For the time of a change stands
// the import that began then, by how many before it have changed anything: one that
// was over before the kill came is followed by one that finds nothing to do.
func (h home) rows(t *testing.T) (out []string) {
	t.Helper()
	db := h.open(t)
	defer db.Close()
	imports := map[any]int{}
	for _, query := range []string{
		`SELECT 'company', id, country, name, status, said, '', '', '' FROM company ORDER BY id`,
		`SELECT 'ident', kind, value, company, '', '', '', '', '' FROM company_ident ORDER BY kind, value, company`,
		`SELECT 'statement', source, key, company, hash, '', '', '', '' FROM statement ORDER BY source, key`,
		`SELECT 'change', number, company, field, item, old, new, source,
		        (SELECT id FROM import WHERE started_at = at) FROM change ORDER BY number`,
	} {
		rows, err := db.Query(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var c [9]any
			if err := rows.Scan(&c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7], &c[8]); err != nil {
				t.Fatal(err)
			}
			if c[0] == "change" && c[8] != nil {
				if imports[c[8]] == 0 {
					imports[c[8]] = len(imports) + 1
				}
				c[8] = imports[c[8]]
			}
			out = append(out, fmt.Sprintf("%v", c))
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func firstDifference(want, got []string) string {
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return fmt.Sprintf("row %d is\n%s\nwant\n%s", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d rows, want %d", len(got), len(want))
}
