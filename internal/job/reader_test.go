package job_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A house is a log of changes in a real database, and what its readers made of
// it. Its clock stands still until a test moves it.
type house struct {
	t   tb
	db  *store.DB
	now time.Time

	mu   sync.Mutex
	done []int64 // what was handled, in order: saved together with the place
}

// tb is what *testing.T and *rapid.T have in common.
type tb interface {
	Helper()
	Context() context.Context
	Fatalf(format string, args ...any)
}

const life = 10 * time.Second

func newHouse(t *testing.T) *house {
	t.Helper()
	db, err := storetest.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"), store.Open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	h := &house{t: t, db: db, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	db.Now = func() time.Time { return h.now }
	return h
}

func (h *house) pass(d time.Duration) { h.now = h.now.Add(d) }

// write adds changes to the log.
func (h *house) write(n int) {
	h.t.Helper()
	err := h.db.Write(h.t.Context(), func(company.View) (company.Update, error) {
		u := company.Update{Changes: make([]company.Change, n)}
		for i := range u.Changes {
			u.Changes[i] = company.Change{Company: "GB-0-1", Field: company.FieldName, At: h.now}
		}
		return u, nil
	})
	if err != nil {
		h.t.Fatalf("write: %v", err)
	}
}

// reader is a node that reads the log.
func (h *house) reader(owner string) *job.Reader[company.Change] {
	return &job.Reader[company.Change]{
		Name: "reader", Owner: owner, Store: h.db,
		Log: h.db.Changes, Number: func(c company.Change) int64 { return c.Number },
		Handle: h.handle, Batch: 3, Life: life, Every: time.Second,
		Wake: &job.Signal{}, Now: func() time.Time { return h.now },
	}
}

// handle saves the place, and with it that the batch is done.
func (h *house) handle(ctx context.Context, batch []company.Change, to job.Place) error {
	if err := h.db.SavePlace(ctx, to); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range batch {
		h.done = append(h.done, c.Number)
	}
	return nil
}

func (h *house) step(r *job.Reader[company.Change], want int) {
	h.t.Helper()
	if n, err := r.Step(h.t.Context()); n != want || err != nil {
		h.t.Fatalf("%s handled %d (%v), want %d", r.Owner, n, err, want)
	}
}

func (h *house) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.done)
}

// handled fails unless the first n changes were handled once, in order.
func (h *house) handled(n int) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, number := range h.done {
		if number != int64(i+1) {
			h.t.Fatalf("handled %v, want each once in order", h.done)
		}
	}
	if len(h.done) != n {
		h.t.Fatalf("handled %v, want the first %d", h.done, n)
	}
}

func TestStepTakesBatchAfterBatch(t *testing.T) {
	h := newHouse(t)
	r := h.reader("a")
	h.step(r, 0)
	h.write(7)
	h.step(r, 3)
	h.step(r, 3)
	h.step(r, 1)
	h.step(r, 0)
	h.handled(7)
}

// A batch that takes longer than the lease is not taken from who renews it.
func TestRenewHoldsTheLeaseForALongBatch(t *testing.T) {
	h := newHouse(t)
	h.write(5)
	a, b := h.reader("a"), h.reader("b")
	a.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
		for range 5 {
			h.pass(life / 2)
			if err := a.Renew(ctx, to); err != nil {
				return err
			}
			h.step(b, 0)
		}
		return h.handle(ctx, batch, to)
	}
	h.step(a, 3)
	h.handled(3)

	a.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
		h.pass(2 * life)
		h.step(b, 2)
		if err := a.Renew(ctx, to); !errors.Is(err, fault.Conflict) {
			t.Errorf("renewed after another took over: %v", err)
		}
		return a.Renew(ctx, to)
	}
	if _, err := a.Step(t.Context()); !errors.Is(err, fault.Conflict) {
		t.Errorf("the late one: %v", err)
	}
	h.handled(5)
}

var errDied = errors.New("the process died")

func TestCrashAfterTheSaveRepeatsNothing(t *testing.T) {
	h := newHouse(t)
	h.write(5)
	r := h.reader("a")
	r.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
		if err := h.handle(ctx, batch, to); err != nil {
			return err
		}
		return errDied // before the reader hears that it was saved
	}
	if _, err := r.Step(t.Context()); !errors.Is(err, errDied) {
		t.Fatalf("got %v", err)
	}
	h.pass(life)
	next := h.reader("b")
	h.step(next, 2)
	h.handled(5)
}

func TestHandleThatFailsIsTriedAgain(t *testing.T) {
	h := newHouse(t)
	h.write(3)
	r := h.reader("a")
	tries := 0
	r.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
		if tries++; tries < 3 {
			return fmt.Errorf("try %d", tries)
		}
		return h.handle(ctx, batch, to)
	}
	for range 2 {
		if n, err := r.Step(t.Context()); err == nil || n != 0 {
			t.Fatalf("handled %d (%v), want a failure", n, err)
		}
		h.handled(0)
	}
	h.step(r, 3)
	h.handled(3)
}

func TestOneNodeReadsAndAnotherTakesOver(t *testing.T) {
	h := newHouse(t)
	a, b := h.reader("a"), h.reader("b")
	h.write(2)
	h.step(a, 2)
	h.write(2)
	h.step(b, 0)
	h.pass(life - time.Millisecond)
	h.step(b, 0) // a may still be at work
	h.pass(time.Millisecond)
	h.step(b, 2)
	h.write(1)
	h.step(a, 0)
	h.handled(4)
	h.step(b, 1)
	h.handled(5)
}

// A holder that steps often keeps its lease for good.
func TestLeaseIsRenewedInTime(t *testing.T) {
	h := newHouse(t)
	counted := &counting{Store: h.db}
	a, b := h.reader("a"), h.reader("b")
	a.Store = counted
	for range 30 {
		h.write(1)
		h.step(a, 1)
		h.step(b, 0)
		h.pass(life / 10)
	}
	h.handled(30)
	if counted.leases > 12 {
		t.Errorf("the lease was asked for %d times in three lives, want about nine", counted.leases)
	}
}

type counting struct {
	job.Store
	leases int
	slow   func()
}

func (c *counting) Lease(ctx context.Context, name, owner string, life time.Duration) (job.Lease, bool, error) {
	c.leases++
	l, ok, err := c.Store.Lease(ctx, name, owner, life)
	if c.slow != nil {
		c.slow()
	}
	return l, ok, err
}

// The answer came late: what is left of the lease is counted from the question.
func TestSlowAnswerShortensTheLease(t *testing.T) {
	h := newHouse(t)
	a := h.reader("a")
	counted := &counting{Store: h.db, slow: func() { h.pass(life / 2) }}
	a.Store = counted
	h.write(2)
	h.step(a, 2)
	h.step(a, 0)
	if counted.leases != 2 {
		t.Errorf("the lease was asked for %d times: half of it was over when it came", counted.leases)
	}
}

func TestPausedHolderCannotSave(t *testing.T) {
	h := newHouse(t)
	h.write(3)
	a, b := h.reader("a"), h.reader("b")
	a.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
		// While a is held up, its lease ends and b does the work.
		h.pass(life)
		h.step(b, 3)
		return h.handle(ctx, batch, to)
	}
	if _, err := a.Step(t.Context()); !errors.Is(err, fault.Conflict) {
		t.Fatalf("the paused holder saved: %v", err)
	}
	h.handled(3)
	h.write(1)
	h.step(b, 1)
	h.handled(4)
}

// Two nodes, a log that grows, a clock that jumps, handlers that fail before
// and after they saved, nodes that are paused while they work: each change is
// handled once, in order.
func TestEachIsHandledOnceWhateverHappens(t *testing.T) {
	h := newHouse(t)
	written := 0
	serial := 0
	rapid.Check(t, func(r *rapid.T) {
		h.t = r
		defer func() { h.t = t }()
		serial++ // the same log goes on; the nodes are new
		nodes := []*job.Reader[company.Change]{h.reader(fmt.Sprint("a", serial)), h.reader(fmt.Sprint("b", serial))}
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			i := rapid.IntRange(0, 1).Draw(r, "node")
			n := nodes[i]
			switch rapid.IntRange(0, 5).Draw(r, "what") {
			case 0:
				k := rapid.IntRange(1, 5).Draw(r, "changes")
				h.write(k)
				written += k
			case 1:
				h.pass(time.Duration(rapid.IntRange(0, 12).Draw(r, "seconds")) * time.Second)
			case 2:
				n.Handle = func(context.Context, []company.Change, job.Place) error { return errDied }
			case 3:
				n.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
					return errors.Join(h.handle(ctx, batch, to), errDied)
				}
			case 4:
				n.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
					h.pass(life)
					_, _ = nodes[1-i].Step(ctx)
					return h.handle(ctx, batch, to)
				}
			}
			if _, err := n.Step(r.Context()); err != nil && !errors.Is(err, errDied) && !errors.Is(err, fault.Conflict) {
				r.Fatalf("%v", err)
			}
			n.Handle = h.handle
		}
		h.pass(life)
		for last := h.reader(fmt.Sprint("c", serial)); ; {
			if n, err := last.Step(r.Context()); err != nil {
				r.Fatalf("%v", err)
			} else if n == 0 {
				break
			}
		}
		h.pass(life)
		h.handled(written)
	})
}
