package kyc_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// dyingStore dies when the progress of a batch is kept, after so many times.
type dyingStore struct {
	kyc.BatchStore
	lives int
}

var errDead = errors.New("the process is dead")

func (s *dyingStore) KeepBatch(ctx context.Context, h *job.Hold, id kyc.BatchID, failed []kyc.BatchRow) error {
	if s.lives--; s.lives < 0 {
		return errDead
	}
	return s.BatchStore.KeepBatch(ctx, h, id, failed)
}

// A process dies between the searches of some rows and what is kept of its task.
// Whoever goes on counts each search once.
func TestABatchCountsEachSearchOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		w := newBatchWorld(t, db)
		for attempt := 0; w.status() != "completed"; attempt++ {
			if attempt > 10 {
				t.Fatal("it came to no end")
			}
			w.batches.Store = &dyingStore{db, min(attempt, 2)}
			if attempt > 2 {
				w.batches.Store = db
			}
			if _, err := w.step(fmt.Sprint("node ", attempt)); err != nil && !errors.Is(err, errDead) {
				t.Fatal(err)
			}
			w.pass() // the next one takes over when the time of the dead one is up
		}
		w.wantCounted()
	})
}

// pausedStore lets others work for a long while once the rows to be searched for
// were read.
type pausedStore struct {
	kyc.BatchStore
	meanwhile func()
}

func (s *pausedStore) BatchRows(ctx context.Context, by auth.Caller, q kyc.RowQuery) ([]kyc.BatchRow, int64, error) {
	rows, total, err := s.BatchStore.BatchRows(ctx, by, q)
	s.meanwhile()
	return rows, total, err
}

// A process stands still with rows in its hands, and another takes its batch over.
// When it wakes up, it finds that those were searched for, and counts none again.
func TestANodeThatStoodStillCountsNothingTwice(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		w := newBatchWorld(t, db)
		paused := &pausedStore{BatchStore: db}
		paused.meanwhile = func() {
			paused.meanwhile = func() {}
			w.pass()
			w.batches.Store = db
			worked, err := w.step("another")
			if w.batches.Store = paused; err != nil || !worked || w.status() != "completed" {
				t.Errorf("the other node came to %s: %v", w.status(), err)
			}
		}
		w.batches.Store = paused
		if _, err := w.step("paused"); err == nil {
			t.Error("nobody told it that it had lost the batch")
		}
		w.wantCounted()
	})
}

// A batchWorld has a batch, and nodes that work on it one at a time.
type batchWorld struct {
	*testing.T
	db      *store.DB
	by      auth.Caller
	batches *kyc.Batches
	id      kyc.BatchID
	now     time.Time
}

const countedRows = 80

func newBatchWorld(t *testing.T, db *store.DB) *batchWorld {
	t.Helper()
	mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"))
	w := &batchWorld{T: t, db: db, by: auth.Caller{Customer: batchHolder, Account: 8}, now: time.Now()}
	var journal *auth.Journal
	w.batches, journal = newBatches(t, db)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { journal.Run(ctx); close(ended) }()
	t.Cleanup(func() { stop(); <-ended })
	w.id = uploadRows(t, w.batches, w.by, countedRows).ID
	db.Now = func() time.Time { return w.now }
	return w
}

func (w *batchWorld) step(node string) (bool, error) {
	one := &job.Worker{Kinds: w.batches.Kinds(), Store: w.db, Owner: node, Life: time.Minute, Wake: w.batches.Wake}
	return one.Step(w.Context())
}

// pass lets the time of whoever has the batch run out.
func (w *batchWorld) pass() { w.now = w.now.Add(time.Hour) }

func (w *batchWorld) get() kyc.Batch {
	w.Helper()
	b, err := w.batches.Get(w.Context(), w.by, kyc.Upload, string(w.id))
	must(w.T, err)
	return b
}

func (w *batchWorld) status() string {
	b := w.get()
	return b.Status()
}

// wantCounted wants that each row was searched for, noted and counted once.
func (w *batchWorld) wantCounted() {
	w.Helper()
	_, total, err := w.db.Deeds(w.Context(), w.by, kyc.DeedQuery{Limit: 1})
	must(w.T, err)
	used, err := w.db.Usage(w.Context(), w.by.Customer, "2000-01-01", "2999-01-01")
	must(w.T, err)
	calls := int64(0)
	for _, u := range used {
		calls += u.Calls
	}
	if b := w.get(); b.Done != countedRows || total != countedRows || calls != countedRows {
		w.Errorf("of %d rows %d are done, the audit log tells of %d, and %d were counted", countedRows, b.Done, total, calls)
	}
	wantSound(w.T, w.db, w.batches.Gate.Directory)
}
