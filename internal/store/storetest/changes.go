package storetest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/company"
)

// changes are the promises of company.Store about the log, and about imports.
var changes = []promise{
	{"a reader sees every change once, in order, while two nodes write", changesInOrder},
	{"a change comes back as it was kept", changeComesBack},
	{"changes come by number, so many at a time", changesPaged},
	{"a company's changes come the newest first, so many at a time", changesOfPaged},
	{"a file that was not finished goes on, one that was begins anew", importsGoOn},
	{"two that begin the same file at once go on together", importsBeginOnce},
	{"imports come the newest first, as they ended", importsListed},
}

// changesInOrder has two writers on each of two nodes and a reader on each. The
// writers add one to three changes at a time and keep them in the order of
// their writes.
func changesInOrder(t *testing.T, s nodes) {
	const each = 30
	var mu sync.Mutex // for the race detector: the register's own lock would do
	var want []string
	var writers, readers sync.WaitGroup
	var done atomic.Bool
	for n, node := range []Store{s.Store, s.other, s.Store, s.other} {
		writers.Go(func() {
			for i := range each {
				err := node.Write(t.Context(), func(v company.View) (company.Update, error) {
					mu.Lock()
					defer mu.Unlock()
					if v.LastChange() != int64(len(want)) {
						t.Errorf("a write begins at %d, %d changes are kept", v.LastChange(), len(want))
					}
					var u company.Update
					for k := range 1 + (n+i)%3 {
						c := aChange(company.NewID("GB", fmt.Sprint(n)), fmt.Sprintf("%d-%d-%d", n, i, k))
						u.Changes = append(u.Changes, c)
						want = append(want, c.New)
					}
					return u, nil
				})
				if err != nil {
					t.Errorf("write: %v", err)
					return
				}
			}
		})
	}
	got := make([][]string, 2)
	for r, node := range []Store{s.Store, s.other} {
		readers.Go(func() {
			for last := false; ; {
				last = done.Load()
				end, err := node.LastChange(t.Context())
				if err != nil {
					t.Errorf("last change: %v", err)
					return
				}
				for {
					list, err := node.Changes(t.Context(), int64(len(got[r])), 7)
					if err != nil {
						t.Errorf("changes: %v", err)
						return
					}
					for _, c := range list {
						if c.Number != int64(len(got[r])+1) {
							t.Errorf("after %d changes comes number %d", len(got[r]), c.Number)
							return
						}
						got[r] = append(got[r], c.New)
					}
					if len(list) < 7 {
						break
					}
				}
				if int64(len(got[r])) < end {
					t.Errorf("the last change is %d, but only %d can be read", end, len(got[r]))
					return
				}
				if last {
					return
				}
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
	for r := range got {
		if !slices.Equal(got[r], want) {
			t.Errorf("reader %d met %d changes, not the %d that were written in their order", r, len(got[r]), len(want))
		}
	}
}

func changeComesBack(t *testing.T, s nodes) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 999_999_999, time.FixedZone("", 3600))
	want := []company.Change{
		{Number: 1, Company: "GB-0-1", Field: company.FieldAddress, Item: "registered", Old: "a", New: "b", Source: "src", At: noon},
		{Number: 2, Company: "GB-0-Å", Field: company.Added, New: "'); DROP TABLE change; --\n\t\u2028雪", Source: "", At: noon},
		{Number: 3, Company: "", Field: "", Old: text(500_000, false), At: noon},
		{Number: 4, Company: "GB-0-1", Field: company.Removed, At: at},
	}
	given := slices.Clone(want)
	for i := range given {
		given[i].Number = 99 // the store's own hold
	}
	write(t, s, company.Update{Changes: given})
	want[3].At = time.Date(2026, 1, 2, 2, 4, 5, 999e6, time.UTC)
	same(t, "the log", log(t, s.other), want)
}

func writeChanges(t tb, s company.Store, n int) {
	t.Helper()
	var u company.Update
	for i := range n {
		u.Changes = append(u.Changes, aChange(company.NewID("GB", fmt.Sprint(i%2)), fmt.Sprint(i+1)))
	}
	write(t, s, u)
}

func changesPaged(t *testing.T, s nodes) {
	writeChanges(t, s, 100)
	all := log(t, s)
	for _, from := range []int{0, 1, 50, 99, 100, 1000} {
		for _, limit := range []int{1, 10, 1000} {
			got, err := s.other.Changes(t.Context(), int64(from), limit)
			noError(t, err)
			same(t, fmt.Sprintf("%d after %d", limit, from), got, all[min(from, 100):min(from+limit, 100)])
		}
	}
}

func changesOfPaged(t *testing.T, s nodes) {
	writeChanges(t, s, 100)
	var want []company.Change
	for _, c := range log(t, s) {
		if c.Company == "GB-0-1" {
			want = append([]company.Change{c}, want...)
		}
	}
	var got []company.Change
	for before := int64(0); ; {
		page, err := s.other.ChangesOf(t.Context(), "GB-0-1", before, 7)
		noError(t, err)
		got = append(got, page...)
		if len(page) < 7 {
			break
		}
		before = page[6].Number
	}
	same(t, "page by page", got, want)
	none, err := s.ChangesOf(t.Context(), "GB-0-9", 0, 10)
	noError(t, err)
	same(t, "of a company without changes", none, []company.Change(nil))
}

func beginImport(t tb, s company.Store, i company.Import) company.Import {
	t.Helper()
	got, err := s.BeginImport(t.Context(), i)
	noError(t, err)
	return got
}

func importsGoOn(t *testing.T, s nodes) {
	first := company.Import{Source: "src", File: "a.csv", Mark: "m", StartedAt: noon}
	one := beginImport(t, s, first)
	if one.ID == 0 || !one.StartedAt.Equal(noon) {
		t.Errorf("it began as %+v", one)
	}
	again := first
	again.StartedAt = noon.Add(time.Hour)
	if got := beginImport(t, s.other, again); got.ID != one.ID || !got.StartedAt.Equal(noon) || got.StartedAt.Location() != time.UTC {
		t.Errorf("the second attempt is %+v, want number %d begun at %v", got, one.ID, noon)
	}
	for what, other := range map[string]company.Import{
		"another file":   {Source: "src", File: "a.csv", Mark: "n", StartedAt: noon.Add(time.Hour)},
		"another source": {Source: "other", File: "a.csv", Mark: "m", StartedAt: noon.Add(time.Hour)},
	} {
		if got := beginImport(t, s, other); got.ID == one.ID || !got.StartedAt.Equal(other.StartedAt) {
			t.Errorf("%s goes on as %+v", what, got)
		}
	}
	one.FinishedAt = noon.Add(2 * time.Hour)
	noError(t, s.FinishImport(t.Context(), one))
	if got := beginImport(t, s, again); got.ID == one.ID || !got.StartedAt.Equal(again.StartedAt) {
		t.Errorf("after it was finished it goes on as %+v", got)
	}
}

func importsBeginOnce(t *testing.T, s nodes) {
	var ids sync.Map
	var wg sync.WaitGroup
	for i, node := range []Store{s.Store, s.other, s.Store, s.other, s.Store, s.other} {
		wg.Go(func() {
			got, err := node.BeginImport(t.Context(), company.Import{Source: "src", Mark: "m", StartedAt: noon.Add(time.Duration(i) * time.Second)})
			if err != nil {
				t.Errorf("begin: %v", err)
			}
			ids.Store(fmt.Sprint(got.ID, got.StartedAt), true)
		})
	}
	wg.Wait()
	n := 0
	ids.Range(func(any, any) bool { n++; return true })
	if n != 1 {
		t.Errorf("six that began one file began %d", n)
	}
}

func importsListed(t *testing.T, s nodes) {
	var want []company.Import
	for i := range 5 {
		one := beginImport(t, s, company.Import{Source: "src", File: fmt.Sprint("f", i), Mark: fmt.Sprint(i), StartedAt: noon})
		if i%2 == 0 {
			one.FinishedAt = noon.Add(time.Minute)
			one.Records, one.Refused, one.Unchanged, one.Changed, one.Changes, one.Removed = 1, 2, 3, 4, 5, 6
			one.Error = "two\nlines"
			noError(t, s.other.FinishImport(t.Context(), one))
		}
		want = append([]company.Import{one}, want...)
	}
	for _, limit := range []int{1, 3, 100} {
		got, err := s.Imports(t.Context(), limit)
		noError(t, err)
		same(t, fmt.Sprint("at most ", limit), got, want[:min(limit, 5)])
	}
}
