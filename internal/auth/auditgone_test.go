package auth_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
)

// threeMonths fills the log in March, April and May, and moves on to 10 June. It
// returns how many entries are older than May.
func threeMonths(t *testing.T, h *house) (old int64) {
	t.Helper()
	if err := h.db.MakeMonths(t.Context(), h.shared.Now()); err != nil {
		t.Fatal(err)
	}
	for month := time.March; month <= time.May; month++ {
		if month == time.May {
			old = h.verify().Entries
		}
		for range 7 {
			if err := h.journal.Write(t.Context(), auth.Entry{Action: auth.CallDenied, Detail: month.String()}); err != nil {
				t.Fatal(err)
			}
			h.shared.Step(time.Hour)
		}
		if err := h.journal.Sign(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.shared.Step(time.Date(2026, month+1, 5, 0, 0, 0, 0, time.UTC).Sub(h.shared.Now()))
	}
	h.shared.Step(5 * 24 * time.Hour)
	return old
}

func (h *house) forget(before time.Time, most int) int64 {
	h.t.Helper()
	n, err := h.journal.Forget(h.t.Context(), before, most)
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

// What is old enough is let go by whole months, and the log is whole from there on.
func TestOldMonthsAreLetGo(t *testing.T) {
	for _, most := range []int{0, 3} {
		t.Run(fmt.Sprint("at most ", most), func(t *testing.T) {
			onBoth(t, func(t *testing.T, url string) {
				h := openHouse(t, url, newClock(), plan{})
				old := threeMonths(t, h)
				all := h.verify()
				if n := h.forget(time.Date(2026, 3, 31, 23, 59, 0, 0, time.UTC), most); n != 0 {
					t.Errorf("%d entries were let go of a month that was not over", n)
				}
				if n := h.forget(time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC), most); n != old {
					t.Errorf("%d entries were let go, want the %d of March and April", n, old)
				}
				f := h.verify()
				if f.Problem != "" || f.Entries != all.Entries-old || !slices.Equal(f.Months(), []string{"2026-03", "2026-04"}) {
					t.Errorf("after that: %+v, months %v; want %d entries and no problem", f, f.Months(), all.Entries-old)
				}
				if most == 0 && len(f.Gone) != 2 || most > 0 && len(f.Gone) < 4 {
					t.Errorf("they went in %d pieces", len(f.Gone))
				}
				if f.Signed == 0 || f.Signed >= all.Signed {
					t.Errorf("%d signed heads, of %d before", f.Signed, all.Signed)
				}
				if n := h.forget(time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC), most); n != 0 {
					t.Errorf("%d entries were let go once more", n)
				}
				// It goes on, to the last.
				if err := h.journal.Write(t.Context(), auth.Entry{Action: auth.CallDenied}); err != nil {
					t.Fatal(err)
				}
				h.forget(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), most)
				if f := h.verify(); f.Problem != "" || f.Entries != 0 {
					t.Errorf("after everything was let go: %+v", f)
				}
				if err := h.journal.Write(t.Context(), auth.Entry{Action: auth.CallDenied}); err != nil {
					t.Fatal(err)
				}
				if f := h.verify(); f.Problem != "" || f.Entries != 1 {
					t.Errorf("and one was written: %+v", f)
				}
			})
		})
	}
}

// Two nodes that let go at once let go once.
func TestTwoNodesLetGo(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := newClock()
		one, two := openHouse(t, url, c, plan{}), openHouse(t, url, c, plan{})
		old := threeMonths(t, one)
		done := make(chan int64)
		for _, h := range []*house{one, two} {
			go func() {
				n, _ := h.journal.Forget(t.Context(), time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC), 0) // the slower one may fail
				done <- n
			}()
		}
		if n := <-done + <-done; n != old {
			t.Errorf("%d entries were let go, want %d", n, old)
		}
		if f := one.verify(); f.Problem != "" {
			t.Error(f.Problem)
		}
	})
}

// What is left of a stretch that was let go cannot be changed unseen, nor can
// somebody else let one go.
func TestTamperingWithWhatIsGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bureau.db")
	h := openHouse(t, path, newClock(), plan{})
	threeMonths(t, h)
	h.forget(time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC), 0)
	raw, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(off)")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	first := h.verify().Gone[1].Last + 1
	tamper := func(name, want string, statements ...string) {
		t.Helper()
		save(t, raw)
		for _, s := range statements {
			if _, err := raw.Exec(s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if f := h.verify(); f.Problem == "" || !strings.Contains(f.Problem, want) {
			t.Errorf("%s: finding %q, want it to say %q", name, f.Problem, want)
		}
		restore(t, raw)
		if f := h.verify(); f.Problem != "" {
			t.Fatalf("%s: not undone: %s", name, f.Problem)
		}
	}
	for _, column := range []string{"last", "first", "at"} {
		tamper(column+" of what is gone", "2026-04", fmt.Sprintf(`UPDATE audit_gone SET %s = %s - 1 WHERE month = '2026-04'`, column, column))
	}
	tamper("its month", "2026-02", `UPDATE audit_gone SET month = '2026-02' WHERE month = '2026-04'`)
	for _, column := range []string{"sum", "before"} {
		tamper(column+" of what is gone", "2026-04", fmt.Sprintf(`UPDATE audit_gone SET %s = randomblob(32) WHERE month = '2026-04'`, column))
	}
	tamper("a signature", "signature is wrong", `UPDATE audit_gone SET signature = randomblob(64)`)
	tamper("a signer that nobody knows", "unknown", `UPDATE audit_gone SET key_id = 'other'`)
	tamper("the first month forgotten", "do not follow", `DELETE FROM audit_gone WHERE month = '2026-03'`)
	tamper("the last month forgotten", "is missing", `DELETE FROM audit_gone WHERE month = '2026-04'`)
	tamper("the first entry that is left", fmt.Sprintf("entry %d ", first), fmt.Sprintf(`UPDATE audit SET detail = 'x' WHERE number = %d`, first))
	tamper("the first entry that is left is deleted", fmt.Sprintf("entry %d ", first), fmt.Sprintf(`DELETE FROM audit WHERE number = %d`, first))
	tamper("somebody else lets go", "signature is wrong",
		fmt.Sprintf(`INSERT INTO audit_gone SELECT %d, %d, '2026-05', (SELECT sum FROM audit_gone WHERE month = '2026-04'), sum, at, (SELECT MAX(key_id) FROM audit_gone), randomblob(64)
			FROM audit WHERE number = %d`, first, first, first),
		fmt.Sprintf(`DELETE FROM audit WHERE number = %d`, first))

	// A month that is not as it was written stays.
	if _, err := raw.Exec(fmt.Sprintf(`UPDATE audit SET detail = 'x' WHERE number = %d`, first+1)); err != nil {
		t.Fatal(err)
	}
	if n, err := h.journal.Forget(t.Context(), time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC), 0); err == nil || n != 0 {
		t.Errorf("%d entries of a month that was changed were let go (%v)", n, err)
	}
}
