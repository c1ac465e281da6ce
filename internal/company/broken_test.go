package company_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bureau/internal/company"
	"bureau/internal/store"
)

// A crashing store fails at its n-th write, as a process that dies there does.
type crashing struct {
	company.Store
	left int
}

var errCrash = errors.New("the process died")

func (c *crashing) Write(ctx context.Context, edit func(company.View) (company.Update, error)) error {
	if c.left--; c.left < 0 {
		return errCrash
	}
	return c.Store.Write(ctx, edit)
}

// An import that dies at any write and is begun again, perhaps more than once,
// leaves the same rows as one that did not, to the number of each change.
func TestBrokenOffImportEndsWhereAnUnbrokenOneDoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	serial := 0
	var unbroken, broken desk
	used := 100
	rapid.Check(t, func(r *rapid.T) {
		serial++
		// An empty register is a case of its own; a pair that came apart is
		// not used again.
		if used++; used > 10 {
			for _, d := range []desk{unbroken, broken} {
				if d.db != nil {
					d.db.Close()
				}
			}
			unbroken = openDesk(r, filepath.Join(dir, fmt.Sprint(serial, "a")))
			broken = openDesk(r, filepath.Join(dir, fmt.Sprint(serial, "b")))
			used = 0
		}
		was := used
		used = 100
		w := world{serial}
		from := unbroken.end(r)
		var files []file
		if rapid.Bool().Draw(r, "anchored") {
			files = append(files, w.anchor())
		}
		for range rapid.IntRange(1, 3).Draw(r, "files") {
			files = append(files, w.file(r))
		}
		for i, f := range files {
			f.mustRead(r, unbroken.Register)
			for tries := 0; ; tries++ {
				dying := &crashing{broken.db, rapid.IntRange(tries, 4+tries).Draw(r, "writes")}
				_, err := f.read(r, &company.Register{Store: dying, Now: broken.Now})
				if err == nil {
					break
				}
				if !errors.Is(err, errCrash) {
					r.Fatalf("%v", err)
				}
			}
			if diff := cmp.Diff(w.rows(r, unbroken.db, from), w.rows(r, broken.db, from)); diff != "" {
				r.Fatalf("after file %d (-unbroken +broken):\n%s", i, diff)
			}
		}
		used = was
	})
}

// rows are all rows about a world, as texts.
func (w world) rows(t tb, db *store.DB, from int64) (out []string) {
	t.Helper()
	mine := fmt.Sprintf("%05d", w.serial)
	for _, query := range []string{
		`SELECT 'company', id, country, name, status, hex(said), '', '' FROM company WHERE id LIKE '%' || $1 || '_' AND $2 >= 0 ORDER BY id`,
		`SELECT 'ident', kind, value, company, '', '', '', '' FROM company_ident WHERE company LIKE '%' || $1 || '_' AND $2 >= 0 ORDER BY kind, value, company`,
		`SELECT 'statement', source, key, company, hash, '', '', '' FROM statement WHERE company LIKE '%' || $1 || '_' AND $2 >= 0 ORDER BY source, key`,
		`SELECT 'change', number, company, field, item, old, new, source || ' ' || at FROM change WHERE $1 <> '' AND number > $2 ORDER BY number`,
	} {
		rows, err := db.Query(t.Context(), query, mine, from)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for rows.Next() {
			var cells [8]any
			if err := rows.Scan(&cells[0], &cells[1], &cells[2], &cells[3], &cells[4], &cells[5], &cells[6], &cells[7]); err != nil {
				t.Fatalf("%v", err)
			}
			out = append(out, fmt.Sprint(cells[:]...))
		}
		rows.Close()
		if err := rows.Err(); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return out
}
