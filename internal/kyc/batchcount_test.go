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

func (s *dyingStore) KeepBatch(ctx context.Context, h *job.Hold, id kyc.BatchID, noted []int64, failed []kyc.BatchRow) error {
	if s.lives--; s.lives < 0 {
		return errDead
	}
	return s.BatchStore.KeepBatch(ctx, h, id, noted, failed)
}

func (s *dyingStore) AddBatchSearch(ctx context.Context, by auth.Caller, b kyc.Batch, row kyc.BatchRow, search kyc.Search, hits []kyc.SavedHit) ([]byte, error) {
	secret, err := s.BatchStore.AddBatchSearch(ctx, by, b, row, search, hits)
	if err == nil && s.lives == 0 && row.Number%5 == 0 {
		err = errDead // before the search is noted
	}
	return secret, err
}

// A process dies between the searches of some rows, what the audit log tells of
// them, and what is kept of that. Whoever goes on counts each search once.
func TestABatchCountsEachSearchOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		by := auth.Caller{Customer: batchHolder, Account: 8}
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"))
		batches, journal := newBatches(t, db)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { journal.Run(ctx); close(ended) }()
		defer func() { stop(); <-ended }()
		const rows = 80
		b := uploadRows(t, batches, by, rows)
		var err error
		now := time.Now()
		db.Now = func() time.Time { return now }
		for attempt := 0; b.Status() != "completed"; attempt++ {
			if attempt > 10 {
				t.Fatalf("it came no further than %+v", b)
			}
			batches.Store = &dyingStore{db, min(attempt, 2)}
			if attempt > 2 {
				batches.Store = db
			}
			// The next one takes over when the time of the dead one is up.
			w := &job.Worker{Kinds: batches.Kinds(), Store: db, Owner: fmt.Sprint("node ", attempt), Life: time.Minute, Wake: batches.Wake}
			if _, err := w.Step(t.Context()); err != nil && !errors.Is(err, errDead) {
				t.Fatal(err)
			}
			now = now.Add(time.Hour)
			b, err = batches.Get(t.Context(), by, kyc.Upload, string(b.ID))
			must(t, err)
		}
		_, total, err := db.Deeds(t.Context(), by, kyc.DeedQuery{Limit: 1})
		must(t, err)
		used, err := db.Usage(t.Context(), by.Customer, "2000-01-01", "2999-01-01")
		must(t, err)
		calls := int64(0)
		for _, u := range used {
			calls += u.Calls
		}
		if b.Done != rows || total != rows || calls != rows {
			t.Errorf("of %d rows %d are done, the audit log tells of %d, and %d were counted", rows, b.Done, total, calls)
		}
	})
}
