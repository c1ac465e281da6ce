package storetest

import (
	"fmt"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

// kycBatches are the promises of kyc.BatchStore.
var kycBatches = []promise{
	{"a batch gets its rows once, and each row its search once", batchRowsOnce},
	{"someone else's batch and its rows are missing", batchIsOwned},
	{"what failed of a batch that is over can wait again", batchRetried},
	{"batches go when their tasks are forgotten, and their searches stay", batchesGo},
}

func addBatch(t *testing.T, s kyc.BatchStore, rows ...kyc.BatchRow) (kyc.Batch, *job.Hold) {
	t.Helper()
	b := kyc.Batch{ID: "batch-1", Kind: kyc.Upload, Name: "a.csv", Created: kyc.Act{By: ann.Account, At: noon}}
	noError(t, s.AddBatch(t.Context(), ann, b, rows, job.Task{Kind: "kyc-batch", Customer: int64(ann.Customer), Account: int64(ann.Account), About: "batch 1", Input: []byte(`{}`)}))
	task, ok, err := s.ClaimTask(t.Context(), []string{"kyc-batch"}, "node", time.Minute)
	if err != nil || !ok {
		t.Fatalf("there is no task (%v)", err)
	}
	return b, &job.Hold{Task: task, Life: time.Minute, Store: s}
}

func batchRows(n int) (out []kyc.BatchRow) {
	for i := range n {
		out = append(out, kyc.BatchRow{
			Number: int64(i + 1), ID: string(aSearch(i+1, "").ID), Line: int64(i + 2), Asked: kyc.BatchLine{Type: "individual", Name: fmt.Sprint("Åda ", i)}, State: kyc.RowSubmitted,
		})
	}
	return out
}

// completeRow keeps the search of a row.
func completeRow(t *testing.T, s auth.Store, b kyc.Batch, row kyc.BatchRow, search kyc.Search, hits ...kyc.SavedHit) error {
	t.Helper()
	one := load(ann, search, hits...)
	saving := one.Parcel.(*kyc.Saving)
	saving.Batch, saving.Row = &b, row.Number
	return s.Carry(t.Context(), everything, []auth.Load{one}, func(auth.News) (auth.Record, error) { return auth.Record{}, nil })
}

func batchStatus(t *testing.T, s kyc.BatchStore, want string, rows, done, failed int64) {
	t.Helper()
	got, err := s.Batch(t.Context(), ann, kyc.Upload, "batch-1")
	noError(t, err)
	if got.Status() != want || got.Rows != rows || got.Done != done || got.Failed != failed {
		t.Errorf("it is %s: %+v, want %s", got.Status(), got, want)
	}
	for _, status := range kyc.BatchStatuses {
		list, total, err := s.Batches(t.Context(), ann, kyc.BatchQuery{Kind: kyc.Upload, Statuses: []string{status}, Limit: 5})
		noError(t, err)
		if n := len(list); int64(n) != total || (n == 1) != (status == want) {
			t.Errorf("%d batches are %s, while it is %s", n, status, want)
		}
	}
}

func batchRowsOnce(t *testing.T, s nodes) {
	b, h := addBatch(t, s)
	batchStatus(t, s.other, "validating", 0, 0, 0)
	rows := batchRows(3)
	noError(t, s.FillBatch(t.Context(), h, b.ID, rows))
	noError(t, s.other.FillBatch(t.Context(), h, b.ID, rows))
	got, total, err := s.other.BatchRows(t.Context(), ann, kyc.RowQuery{Batch: b.ID, States: []kyc.RowState{kyc.RowSubmitted}, After: 1, Limit: 1})
	noError(t, err)
	same(t, "rows", got, rows[1:2])
	same(t, "how many", total, int64(2))
	search := aSearch(1, "Brook")
	noError(t, completeRow(t, s, b, rows[0], search, aHit(search, 1, 90, kyc.Undecided)))
	wantKind(t, completeRow(t, s.other, b, rows[0], search), fault.Conflict)
	wantKind(t, completeRow(t, s.other, b, rows[0], aSearch(9, "Brook")), fault.Conflict)
	page, err := s.KYCSearches(t.Context(), ann, kyc.SearchQuery{Person: true, Limit: 5})
	noError(t, err)
	same(t, "searches", page.Total, int64(1))
	rows[1].Error, rows[1].EndedAt = "name: there is none", noon
	noError(t, s.KeepBatch(t.Context(), h, b.ID, rows[1:2]))
	wantKind(t, completeRow(t, s, b, rows[1], aSearch(2, "Brook")), fault.Conflict)
	batchStatus(t, s, "inProgress", 3, 1, 1)
	stale := *h
	stale.Fence--
	wantKind(t, s.KeepBatch(t.Context(), &stale, b.ID, rows[2:]), fault.Conflict)
	noError(t, s.FinishTask(t.Context(), h.Task))
	batchStatus(t, s.other, "partiallyCompleted", 3, 1, 1)
}

func batchIsOwned(t *testing.T, s nodes) {
	b, _ := addBatch(t, s, batchRows(1)...)
	_, err := s.Batch(t.Context(), carol, kyc.Upload, b.ID)
	wantKind(t, err, fault.Missing)
	_, err = s.Batch(t.Context(), ann, kyc.Job, b.ID)
	wantKind(t, err, fault.Missing)
	_, err = s.RetryBatch(t.Context(), carol, kyc.Upload, b.ID, job.Task{})
	wantKind(t, err, fault.Missing)
	list, total, err := s.BatchRows(t.Context(), carol, kyc.RowQuery{Batch: b.ID, Limit: 5})
	noError(t, err)
	all, _, err := s.Batches(t.Context(), carol, kyc.BatchQuery{Kind: kyc.Upload, Limit: 5})
	noError(t, err)
	if len(list)+len(all) > 0 || total > 0 {
		t.Errorf("a stranger sees %v and %v", list, all)
	}
	wantKind(t, s.AddBatch(t.Context(), ann, kyc.Batch{ID: "2", Kind: kyc.Job, Profile: "nobody"}, nil, job.Task{}), fault.Missing)
}

func batchRetried(t *testing.T, s nodes) {
	rows := batchRows(1)
	b, h := addBatch(t, s, rows...)
	again := job.Task{Kind: "kyc-batch", Customer: int64(ann.Customer), Input: []byte(`{}`)}
	_, err := s.RetryBatch(t.Context(), ann, kyc.Upload, b.ID, again)
	wantKind(t, err, fault.Conflict)
	rows[0].Error = "wrong"
	noError(t, s.KeepBatch(t.Context(), h, b.ID, rows))
	noError(t, s.FinishTask(t.Context(), h.Task))
	batchStatus(t, s, "failed", 1, 0, 1)
	got, err := s.other.RetryBatch(t.Context(), ann, kyc.Upload, b.ID, again)
	noError(t, err)
	same(t, "status", got.Status(), "queued")
	batchStatus(t, s, "queued", 1, 0, 0)
	list, _, err := s.BatchRows(t.Context(), ann, kyc.RowQuery{Batch: b.ID, Limit: 5})
	noError(t, err)
	same(t, "rows", list, batchRows(1))
}

func batchesGo(t *testing.T, s nodes) {
	rows := batchRows(1)
	b, h := addBatch(t, s, rows...)
	noError(t, completeRow(t, s, b, rows[0], aSearch(1, "Brook")))
	noError(t, s.FinishTask(t.Context(), h.Task))
	noError(t, s.ForgetBatches(t.Context()))
	batchStatus(t, s, "completed", 1, 1, 0)
	noError(t, s.ForgetTasks(t.Context(), time.Now().Add(time.Hour)))
	noError(t, s.ForgetBatches(t.Context()))
	_, err := s.Batch(t.Context(), ann, kyc.Upload, b.ID)
	wantKind(t, err, fault.Missing)
	_, err = s.KYCSearch(t.Context(), ann, aSearch(1, "").ID)
	noError(t, err)
}
