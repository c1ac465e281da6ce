package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

var errDisk = errors.New("the disk is gone")

// A brokenStore is a database of which something breaks.
type brokenStore struct {
	monitor.ImportStore
	after int64 // a file cannot be read behind this; 0 is never

	// before and behind are called around each batch; an error of theirs is
	// all that the worker hears.
	before, behind func() error
}

func (b *brokenStore) OpenFile(ctx context.Context, id job.FileID, from int64) io.Reader {
	r := b.ImportStore.OpenFile(ctx, id, from)
	if b.after == 0 {
		return r
	}
	return io.MultiReader(io.LimitReader(r, max(b.after-from, 0)), failing{})
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errDisk }

func (b *brokenStore) ImportMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []monitor.Member,
	life time.Duration, of job.Task, note func([]company.ID) job.Task,
) error {
	if b.before != nil {
		if err := b.before(); err != nil {
			return err
		}
	}
	err := b.ImportStore.ImportMembers(ctx, by, id, list, life, of, note)
	if b.behind != nil && err == nil {
		err = b.behind()
	}
	return err
}

func (b *brokenStore) SyncMembers(ctx context.Context, by auth.Caller, id monitor.PortfolioID, list []monitor.Member, stay monitor.Stay,
	of job.Task, note func(added, removed, kept int) job.Task,
) error {
	if b.before != nil {
		if err := b.before(); err != nil {
			return err
		}
	}
	err := b.ImportStore.SyncMembers(ctx, by, id, list, stay, of, note)
	if b.behind != nil && err == nil {
		err = b.behind()
	}
	return err
}

// breaking is a worker of its own, on a database that breaks.
func (o *office) breaking(name string, s *brokenStore) *job.Worker {
	s.ImportStore = o.db
	imports := *o.imports
	imports.Store = s
	w := o.worker(name, &imports)
	w.Store = s
	return w
}

// aFile names companies that are new, there, unknown, twice and nonsense, in
// every batch.
func aFile() string {
	var b strings.Builder
	b.WriteString("id,reference\n")
	for i := 1; i <= 95; i++ {
		fmt.Fprintf(&b, "GB-0-%d,r%d\n", i, i)
		switch i % 7 {
		case 1:
			fmt.Fprintf(&b, "GB-0-%d,again\n", max(i-30, 1))
		case 3:
			fmt.Fprintf(&b, "GB-0-9%d,unknown\n", i)
		case 5:
			b.WriteString("\"nonsense\n")
		}
	}
	return b.String()
}

// A worker dies before or after each of an import's batches, and another takes
// over: the portfolio and the counts are those of an unbroken import.
func TestBrokenImportEndsLikeAnUnbrokenOne(t *testing.T) {
	onBoth(t, 100, func(t *testing.T, o *office) {
		prepare := func() {
			t.Helper()
			_, err := o.db.RemoveMembers(t.Context(), ann, o.portfolio, nil)
			noError(t, err)
			o.sent(false, "GB-0-3\nGB-0-50\nGB-0-100\n")
			o.work()
		}
		prepare()
		id := o.sent(false, aFile())
		o.work()
		want, content := o.result(id), o.content()
		if want.State != "done" || want.Added != 93 || want.Unknown == 0 || want.Refused == 0 || want.There < 10 {
			t.Fatalf("unbroken: %+v", want)
		}

		prepare()
		id = o.sent(false, aFile())
		for died := 0; ; died++ {
			var w *job.Worker
			die := func() error {
				// It is never heard of again: its claim runs out.
				o.pass(time.Hour)
				panic(errDisk)
			}
			if died%2 == 0 {
				w = o.breaking(fmt.Sprint(died), &brokenStore{before: die})
			} else {
				w = o.breaking(fmt.Sprint(died), &brokenStore{behind: die})
			}
			// A worker that is dead saves nothing more.
			w.Store = silent{w.Store}
			worked, err := w.Step(t.Context())
			if err == nil && worked {
				break
			}
			if !worked || died > 60 {
				t.Fatalf("after %d deaths: worked %v (%v)", died, worked, err)
			}
			if died%2 == 0 { // one who does its batch and no more
				o.pass(time.Hour)
			}
		}
		got := o.result(id)
		if d := cmp.Diff(want.ImportReport, got.ImportReport); d != "" || got.State != "done" {
			t.Errorf("%s (-unbroken +broken):\n%s", got.State, d)
		}
		if d := cmp.Diff(content, o.content()); d != "" {
			t.Errorf("content (-unbroken +broken):\n%s", d)
		}
	})
}

// silent is a store that hears no more of a task from a worker that died.
type silent struct{ job.TaskStore }

var errDead = errors.New("dead")

func (silent) ReturnTask(context.Context, job.Task, time.Duration) error { return errDead }
func (silent) FailTask(context.Context, job.Task) error                  { return errDead }

func TestBrokenSyncIsWholeOrNothing(t *testing.T) {
	onBoth(t, 100, func(t *testing.T, o *office) {
		o.sent(false, "GB-0-3\nGB-0-50\nGB-0-100\n")
		o.work()
		before := o.content()
		// A line that names nobody would keep GB-0-100 in.
		id := o.sent(true, strings.ReplaceAll(aFile(), "\"nonsense\n", ""))
		die := func() error {
			o.pass(time.Hour)
			panic(errDisk)
		}
		w := o.breaking("a", &brokenStore{before: die})
		w.Store = silent{w.Store}
		if _, err := w.Step(t.Context()); err == nil {
			t.Fatal("it did not die")
		}
		if d := cmp.Diff(before, o.content()); d != "" {
			t.Errorf("half a sync (-want +got):\n%s", d)
		}
		w = o.breaking("b", &brokenStore{behind: die}) // and dies before it hears that it was saved
		w.Store = silent{w.Store}
		if _, err := w.Step(t.Context()); err == nil {
			t.Fatal("it did not die")
		}
		got := o.result(id)
		if got.State != "done" || got.Added != 93 || got.Removed != 1 {
			t.Errorf("got %+v", got)
		}
		o.work()
		if n := len(o.content()); n != 95 {
			t.Errorf("the portfolio has %d companies, want 95", n)
		}
	})
}

// A worker that is held up while another takes over adds nothing afterwards,
// whatever has become of the portfolio.
func TestPausedImportAddsNothing(t *testing.T) {
	onBoth(t, 100, func(t *testing.T, o *office) {
		o.sent(false, aFile())
		paused := false
		w := o.breaking("a", &brokenStore{before: func() error {
			if !paused {
				paused = true
				o.pass(time.Hour)
				o.work()
				_, err := o.db.RemoveMembers(t.Context(), ann, o.portfolio, nil)
				noError(t, err)
			}
			return nil
		}})
		if _, err := w.Step(t.Context()); err == nil {
			t.Error("the paused worker went on")
		}
		if got := o.content(); len(got) != 0 {
			t.Errorf("the paused worker added %q", got)
		}
	})
}

// A company that leaves the register while an import is under way is unknown to
// it, and stops nothing.
func TestCompanyThatLeavesDuringAnImport(t *testing.T) {
	onBoth(t, 20, func(t *testing.T, o *office) {
		for _, sync := range []bool{false, true} {
			id := o.sent(sync, "GB-0-1\nGB-0-2\nGB-0-3\n")
			gone := false
			w := o.breaking("a", &brokenStore{before: func() error {
				if gone {
					return nil
				}
				gone = true
				return o.db.Write(t.Context(), func(company.View) (company.Update, error) {
					return company.Update{Removed: []company.ID{"GB-0-2"}}, nil
				})
			}})
			_, err := w.Step(t.Context())
			o.pass(time.Hour)
			if err != nil {
				o.work()
			}
			if got := o.result(id); got.State != "done" || got.Unknown != 1 {
				t.Errorf("sync %v: got %+v (%v)", sync, got, err)
			}
			if d := cmp.Diff([]string{"GB-0-1", "GB-0-3"}, o.content()); d != "" {
				t.Errorf("sync %v: content (-want +got):\n%s", sync, d)
			}
		}
	})
}

// Files for one portfolio are taken in one after the other, in the order in
// which they were sent, however many workers there are.
func TestImportsAndSyncsKeepTheirOrder(t *testing.T) {
	onBoth(t, 100, func(t *testing.T, o *office) {
		var many strings.Builder
		for i := range 100 {
			fmt.Fprintln(&many, gb(i+1))
		}
		for range 3 {
			first := o.sent(false, many.String())
			second := o.sent(true, "GB-0-1\nGB-0-2\n")
			third := o.sent(false, "GB-0-2\nGB-0-3\n")
			var wg sync.WaitGroup
			for n := range 4 {
				wg.Go(func() {
					for w := o.worker(fmt.Sprint(n), o.imports); ; {
						if _, err := w.Step(t.Context()); err != nil {
							t.Errorf("step: %v", err)
							return
						}
						if i := o.result(third); i.State == "done" || i.State == "failed" {
							return
						}
					}
				})
			}
			wg.Wait()
			if d := cmp.Diff([]string{"GB-0-1", "GB-0-2", "GB-0-3"}, o.content()); d != "" {
				t.Errorf("content (-want +got):\n%s", d)
			}
			for _, id := range []monitor.ImportID{first, second, third} {
				if i := o.result(id); i.State != "done" {
					t.Errorf("import %d: %+v", id, i)
				}
			}
		}
	})
}
