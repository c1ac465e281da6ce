package company_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"bureau/internal/company"
	"bureau/internal/store"
)

// openDesk opens a register in a file of its own.
func openDesk(t tb, dir string) desk {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(dir, "test.db"))
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return desk{&company.Register{Store: db, Now: func() time.Time { return noon }}, db}
}

// Whatever files come, in whatever batches: the register is what the last words
// come to, the log tells the way there, and a file that comes twice changes
// nothing.
func TestRegisterIsTheLastWord(t *testing.T) {
	t.Parallel()
	d := openDesk(t, t.TempDir())
	defer d.db.Close()
	serial := 0
	rapid.Check(t, func(r *rapid.T) {
		serial++
		w := world{serial}
		from := d.end(r)
		plain := oracle{}
		files := []file{w.anchor()}
		for range rapid.IntRange(1, 4).Draw(r, "files") {
			files = append(files, w.file(r))
		}
		for i, f := range files {
			f.mustRead(r, d.Register)
			plain.read(w, f)
			d.holds(r, w, plain, fmt.Sprintf("after file %d", i))
			if res := f.mustRead(r, d.Register); res.Changes != 0 || res.Companies != 0 || res.Unknown != 0 {
				r.Fatalf("file %d came twice and made changes: %+v", i, res)
			}
		}
		d.replays(r, w, from)
	})
}

// end is the number of the last change.
func (d desk) end(t tb) int64 {
	t.Helper()
	n, err := d.db.LastChange(t.Context())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return n
}

// holds compares the register with the oracle.
func (d desk) holds(t tb, w world, plain oracle, when string) {
	t.Helper()
	for i := range worldSize {
		got, err := d.Company(t.Context(), w.id(i))
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if diff := cmp.Diff(plain.company(w.id(i)), got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s %s is not the last word (-want +got):\n%s", when, w.id(i), diff)
		}
	}
}

// replays reads the log and compares where it leads with what is held.
func (d desk) replays(t tb, w world, from int64) {
	t.Helper()
	log, err := d.db.Changes(t.Context(), from, 100_000)
	if err != nil {
		t.Fatalf("%v", err)
	}
	names, status := map[company.ID]string{}, map[company.ID]string{}
	for i, c := range log {
		if c.Number != from+int64(i)+1 {
			t.Fatalf("the change after %d has the number %d", from+int64(i), c.Number)
		}
		switch c.Field {
		case company.Added:
			names[c.Company] = c.New
		case company.FieldName:
			if !strings.EqualFold(names[c.Company], c.Old) {
				t.Fatalf("%+v, but the name was %q", c, names[c.Company])
			}
			names[c.Company] = c.New
		case company.FieldStatus:
			if status[c.Company] != c.Old {
				t.Fatalf("%+v, but the status was %q", c, status[c.Company])
			}
			status[c.Company] = c.New
		}
	}
	for i := range worldSize {
		c, err := d.Company(t.Context(), w.id(i))
		if err != nil {
			t.Fatalf("%v", err)
		}
		if !strings.EqualFold(names[c.ID], c.Name) || status[c.ID] != string(c.Status) {
			t.Fatalf("the log ends at %q, %q; the register holds %q, %q", names[c.ID], status[c.ID], c.Name, c.Status)
		}
	}
}

// Two editions of a whole list give the changes that a plain comparison of the
// two gives, and no others.
func TestWholeListsComparePlainly(t *testing.T) {
	t.Parallel()
	d := openDesk(t, t.TempDir())
	defer d.db.Close()
	serial := 0
	rapid.Check(t, func(r *rapid.T) {
		serial++
		source := fmt.Sprint("list-", serial)
		number := func(i int) string { return fmt.Sprintf("%06d%02d", serial, i) }
		edition := rapid.MapOfN(rapid.IntRange(0, 12), rapid.SampledFrom([]string{"Oak", "Elm", "Ash", "Fir"}), 0, 12)
		old, now := edition.Draw(r, "old"), edition.Draw(r, "new")
		take := func(list map[int]string) {
			f := file{source: source, whole: true}
			for _, i := range rapid.Permutation(sortedKeys(list)).Draw(r, "order") {
				f.list = append(f.list, gb(number(i), list[i]))
			}
			f.cuts = cuts(r, len(f.list))
			f.mustRead(r, d.Register)
		}
		take(old)
		from := d.end(r)
		take(now)
		var want []string
		for i := range 13 {
			was, is := old[i], now[i]
			switch {
			case was == is:
			case was == "":
				want = append(want, fmt.Sprintf("%s added  %s", number(i), is))
			case is == "":
				want = append(want, fmt.Sprintf("%s removed %s ", number(i), was))
			default:
				want = append(want, fmt.Sprintf("%s name %s %s", number(i), was, is))
			}
		}
		var got []string
		log, err := d.db.Changes(r.Context(), from, 1000)
		if err != nil {
			r.Fatalf("%v", err)
		}
		for _, c := range log {
			got = append(got, fmt.Sprintf("%s %s %s %s", c.Company.Number(), c.Field, c.Old, c.New))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			r.Fatalf("(-plain comparison +changes):\n%s", diff)
		}
	})
}

func sortedKeys(m map[int]string) (out []int) {
	for i := range m {
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}
