package kyc

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"iter"
	"path"
	"strings"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// Batches is the door to many searches at once. Each batch is a task: whatever
// happens to the node that works on it, another goes on where it was, and no row
// is searched for twice.
type Batches struct {
	Store    BatchStore
	Searches *Searches
	Gate     *auth.Gate
	Wake     *job.Signal // raised when there is something to do
	Now      func() time.Time
}

// What callers are told of what is not there, or not theirs.
const (
	NoUpload = "Batch upload not found"
	NoJob    = "Job not found"
)

const batchKindName = "kyc-batch"

// maxJob is how many searches one job may have.
const maxJob = 1000

// How many rows are worked on between two notes of how far a batch has come, and
// how many of those side by side.
const (
	batchWindow  = 32
	batchAbreast = 8
)

type batchOrder struct {
	ID   BatchID
	Kind BatchKind
}

func (s *Batches) task(by auth.Caller, kind BatchKind, id BatchID, file job.FileID) (job.Task, error) {
	input, err := json.Marshal(batchOrder{id, kind})
	return job.Task{
		Kind: batchKindName, Customer: int64(by.Customer), Account: int64(by.Account), About: "batch " + string(id), Input: input, File: file,
	}, err
}

// A BatchFile is a file that was received, and that no batch has taken up yet.
type BatchFile struct {
	Sum  [sha256.Size]byte // of what is in it
	file job.FileID
}

// Receive keeps a file as it comes. One that is too large is a fault.TooLarge.
func (s *Batches) Receive(ctx context.Context, r io.Reader) (f BatchFile, err error) {
	in := &bounded{r: r, left: MaxBatchFile, sum: sha256.New()}
	f.file, _, err = s.Store.AddFile(ctx, in)
	in.sum.Sum(f.Sum[:0])
	return f, err
}

// bounded fails behind so many bytes.
type bounded struct {
	r    io.Reader
	left int64
	sum  hash.Hash
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fault.TooLarge.Errorf("File: it is larger than %d MB", MaxBatchFile>>20)
	}
	b.sum.Write(p[:n])
	return n, err
}

// Drop takes away a file that no batch has taken up.
func (s *Batches) Drop(ctx context.Context, f BatchFile) error { return s.Store.DropFile(ctx, f.file) }

// Upload has a file of subjects screened.
func (s *Batches) Upload(ctx context.Context, by auth.Caller, name string, f BatchFile) (Batch, error) {
	name = path.Base(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	if name == "." || name == "/" {
		name = "subjects.csv"
	}
	if r := []rune(name); len(r) > 200 {
		name = string(r[:200])
	}
	return s.begin(ctx, by, Batch{Kind: Upload, Name: name}, nil, f.file)
}

// Ask has subjects screened for a profile, to which the searches are linked.
func (s *Batches) Ask(ctx context.Context, by auth.Caller, of ProfileID, lines []BatchLine) (Batch, error) {
	if len(lines) == 0 || len(lines) > maxJob {
		return Batch{}, fault.Invalid.Details("Bad request", fmt.Sprintf("items: one call takes 1 to %d", maxJob))
	}
	set, err := s.Searches.Settings(ctx, by.Customer)
	if err != nil {
		return Batch{}, err
	}
	var bad wrong
	rows := make([]BatchRow, len(lines))
	for i, l := range lines {
		r, err := l.request()
		if err == nil {
			_, _, err = r.read(set, s.Now())
		}
		if v, is := fault.Of(err); is {
			for _, d := range v.Details {
				bad = append(bad, fmt.Sprintf("items[%d].%s", i, d))
			}
		} else if err != nil {
			return Batch{}, err
		}
		rows[i] = BatchRow{Number: int64(i + 1), ID: newID(), Asked: l, State: RowSubmitted}
	}
	if err := bad.err(); err != nil {
		return Batch{}, err
	}
	return s.begin(ctx, by, Batch{Kind: Job, Profile: of}, rows, 0)
}

func (s *Batches) begin(ctx context.Context, by auth.Caller, b Batch, rows []BatchRow, file job.FileID) (Batch, error) {
	b.ID, b.Created, b.State, b.Rows = BatchID(newID()), Act{by.Account, s.Now().UTC().Truncate(time.Millisecond)}, job.Waiting, int64(len(rows))
	open, err := s.Store.OpenTasks(ctx, int64(by.Customer))
	if err != nil {
		return Batch{}, err
	}
	if open >= maxOpen {
		return Batch{}, fault.Conflict.Errorf("%d reports and files of your company are still being worked on: wait until some are done", open)
	}
	t, err := s.task(by, b.Kind, b.ID, file)
	if err != nil {
		return Batch{}, err
	}
	if err := s.Store.AddBatch(ctx, by, b, rows, t); err != nil {
		return Batch{}, err
	}
	s.Wake.Raise()
	return b, nil
}

// Get returns a batch of the caller's customer.
func (s *Batches) Get(ctx context.Context, by auth.Caller, kind BatchKind, id string) (Batch, error) {
	if !isID(id) {
		return Batch{}, noBatch(kind)
	}
	return s.Store.Batch(ctx, by, kind, BatchID(strings.ToLower(id)))
}

func noBatch(kind BatchKind) error {
	if kind == Job {
		return fault.Missing.Errorf(NoJob)
	}
	return fault.Missing.Errorf(NoUpload)
}

// Retry lets the rows of a file that failed be searched for again.
func (s *Batches) Retry(ctx context.Context, by auth.Caller, id string) (Batch, error) {
	b, err := s.Get(ctx, by, Upload, id)
	if err != nil {
		return Batch{}, err
	}
	t, err := s.task(by, Upload, b.ID, 0)
	if err != nil {
		return Batch{}, err
	}
	if b, err = s.Store.RetryBatch(ctx, by, Upload, b.ID, t); err != nil {
		return Batch{}, err
	}
	s.Wake.Raise()
	return b, nil
}

// Failures are the rows of a batch that failed, in their order.
func (s *Batches) Failures(ctx context.Context, by auth.Caller, id BatchID) iter.Seq2[BatchRow, error] {
	return func(yield func(BatchRow, error) bool) {
		for q := (RowQuery{Batch: id, States: []RowState{RowFailed}, Limit: 1000}); ; {
			list, _, err := s.Store.BatchRows(ctx, by, q)
			if err != nil {
				yield(BatchRow{}, err)
				return
			}
			for _, row := range list {
				if !yield(row, nil) {
					return
				}
				q.After = row.Number
			}
			if len(list) < q.Limit {
				return
			}
		}
	}
}

// Kinds are the tasks that batches are.
func (s *Batches) Kinds() map[string]func(context.Context, *job.Hold) ([]byte, error) {
	return map[string]func(context.Context, *job.Hold) ([]byte, error){batchKindName: s.work}
}

// work does the task of a batch, from wherever the last attempt came to.
func (s *Batches) work(ctx context.Context, h *job.Hold) ([]byte, error) {
	var o batchOrder
	if err := json.Unmarshal(h.Input, &o); err != nil {
		return nil, fmt.Errorf("read the order of a batch: %w", err)
	}
	by := auth.Caller{Customer: auth.CustomerID(h.Customer), Account: auth.AccountID(h.Account)}
	ctx = auth.Within(ctx, by.Customer)
	b, err := s.Store.Batch(ctx, by, o.Kind, o.ID)
	if err != nil {
		return nil, err
	}
	if b.Rows == 0 {
		rows, err := readBatch(h.Open(ctx, 0))
		if err != nil {
			return nil, err
		}
		h.Of = int64(len(rows))
		if err := s.Store.FillBatch(ctx, h, b.ID, rows); err != nil {
			return nil, err
		}
	}
	for {
		rows, _, err := s.Store.BatchRows(ctx, by, RowQuery{Batch: b.ID, States: []RowState{RowSubmitted}, Limit: batchWindow})
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		failed, err := s.screen(ctx, by, b, rows)
		if err != nil {
			return nil, err
		}
		h.Further(h.Done+int64(len(rows)), nil)
		if err := s.Store.KeepBatch(ctx, h, b.ID, failed); err != nil {
			return nil, err
		}
	}
}

// screen makes the searches of some rows, side by side.
func (s *Batches) screen(ctx context.Context, by auth.Caller, b Batch, rows []BatchRow) (failed []BatchRow, err error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	turn := make(chan struct{}, batchAbreast)
	for _, row := range rows {
		turn <- struct{}{}
		wg.Go(func() { // screen waits for it below
			defer func() { <-turn }()
			one := s.screenRow(ctx, by, b, row)
			v, theirs := fault.Of(one)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case one == nil:
			case theirs && v.Kind == fault.Conflict: // another node took over, and has it
			case theirs && v.Kind == fault.Invalid:
				row.Error, row.EndedAt = strings.Join(reasons(v), "; "), s.Now()
				failed = append(failed, row)
			default:
				err = one
			}
		})
	}
	wg.Wait()
	return failed, err
}

// reasons are what is wrong, one by one.
func reasons(v fault.View) []string {
	if len(v.Details) == 0 {
		return []string{v.Text}
	}
	return v.Details
}

// screenRow makes the search of a row. The search, what the audit log says of it and
// that it counts, and that the row is done are one commit.
func (s *Batches) screenRow(ctx context.Context, by auth.Caller, b Batch, row BatchRow) error {
	r, err := row.Asked.request()
	if err != nil {
		return err
	}
	made, err := s.Searches.screen(ctx, by, SearchID(row.ID), r)
	if err != nil {
		return err
	}
	made.Batch, made.Row = &b, row.Number
	return s.Gate.CountParcel(ctx, by, auth.KYC, made)
}
