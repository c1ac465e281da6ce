package monitor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// Imports is the door to the files that customers send to fill a portfolio. A
// file is taken in while its sender goes about other things; what became of it
// is there to be asked for.
type Imports struct {
	Store     ImportStore
	Companies *company.Register
	// Allow says whether a caller may watch companies of a country: nil, or a
	// fault.
	Allow func(ctx context.Context, by auth.Caller, country string) error
	Wake  *job.Signal // raised when there is something to do
	Batch int         // how many companies are added at once; 0 is the usual number
}

// ImportStore is what imports ask of a database.
type ImportStore interface {
	job.TaskStore

	// Portfolio is that of PortfolioStore.
	Portfolio(ctx context.Context, by auth.Caller, id PortfolioID) (Portfolio, Rights, error)

	// ImportMembers does AddMembers for a task, and in the same transaction
	// KeepTask with what note makes of the task when it hears who was there
	// already. If the task is another's by now nothing is added.
	ImportMembers(ctx context.Context, by auth.Caller, id PortfolioID, list []Member,
		life time.Duration, of job.Task, note func(there []company.ID) job.Task) error

	// SyncMembers does ReplaceMembers for a task, and in the same transaction
	// FinishTask with what note makes of the task. If the task is another's by
	// now nothing is replaced. Who is to stay stays, with the notes it has; kept
	// is how many those are beside the list.
	SyncMembers(ctx context.Context, by auth.Caller, id PortfolioID, list []Member, stay Stay,
		of job.Task, note func(added, removed, kept int) job.Task) error
}

// A Stay says which companies a sync leaves in although they are not on its
// list: those that a line of the file names, or may name, which could not be
// taken.
type Stay struct {
	All  bool         // every one
	Gone bool         // those that the register holds no more
	Of   []company.ID // these
}

// The kinds of tasks that imports are.
const (
	importKind = "portfolio-import"
	syncKind   = "portfolio-sync"
)

// maxOpen is how many tasks of one customer may be waiting or at work.
const maxOpen = 50

// An ImportID is the number of an import.
type ImportID int64

// An Import is a file that was sent to a portfolio, and what became of it.
type Import struct {
	ID         ImportID
	Portfolio  PortfolioID
	Sync       bool   // it replaces the portfolio's content
	State      string // waiting, working, done, failed
	Percent    int
	Error      string // why it failed
	CreatedAt  time.Time
	StartedAt  time.Time
	FinishedAt time.Time
	ImportReport
}

// An ImportReport counts what a file did, and lists what could not be taken.
// Every row is in one of Added, There, Unknown and Refused.
type ImportReport struct {
	Rows    int64 `json:"rows"`
	Added   int64 `json:"added"`
	There   int64 `json:"there"`   // in the portfolio already, or in the file twice
	Unknown int64 `json:"unknown"` // not in the register
	Refused int64 `json:"refused"` // makes no sense, or may not be watched
	Removed int64 `json:"removed"` // by a sync
	// Kept counts the companies that a sync left in because a line that could
	// not be taken names them, or may. Note says why, if that was all of them.
	Kept int64  `json:"kept,omitempty"`
	Note string `json:"note,omitempty"`

	Problems []ImportProblem `json:"problems,omitempty"` // the first maxProblems
}

// maxProblems is how many problems of a file are listed.
const maxProblems = 1000

// Truncated reports whether there were more problems than are listed.
func (r *ImportReport) Truncated() bool { return r.Unknown+r.Refused > int64(len(r.Problems)) }

// An ImportProblem is a line that could not be taken.
type ImportProblem struct {
	Line   int    `json:"line"`
	Value  string `json:"value"` // the company as the file names it
	Reason string `json:"reason"`
}

// importInput is what a task remembers of who sent what.
type importInput struct {
	Portfolio PortfolioID `json:"portfolio"`
	Email     string      `json:"email,omitempty"` // who wants to hear of the result
}

func about(id PortfolioID) string { return fmt.Sprint("portfolio ", id) }

// May says whether a caller may send a file to a portfolio: to import it needs
// the right to add, to sync also the right to remove.
func (s *Imports) May(ctx context.Context, by auth.Caller, id PortfolioID, sync bool) error {
	_, has, err := s.Store.Portfolio(ctx, by, id)
	if err != nil {
		return err
	}
	need := Add
	if sync {
		need |= Remove
	}
	if has&need != need {
		return fault.Denied.Errorf("the portfolio is shared with you without the right to %s", need&^has)
	}
	open, err := s.Store.OpenTasks(ctx, int64(by.Customer))
	if err != nil {
		return err
	}
	if open >= maxOpen {
		return fault.Exhausted.After(30*time.Second, "%d files of your company are waiting already; send this one when some are done", open)
	}
	return nil
}

// An Upload is a file that was sent and that no import has yet.
type Upload struct {
	Sum  [32]byte // of all it holds
	file job.FileID
}

// Upload keeps a file, of which it holds no more than a piece in memory. One
// that is too large is a fault.TooLarge, one that can be seen to be useless a
// fault.Invalid; neither stays.
func (s *Imports) Upload(ctx context.Context, file io.Reader) (Upload, error) {
	meter := newMeter(file)
	r := bufio.NewReaderSize(meter, maxRecord)
	head, err := r.Peek(maxRecord)
	if err != nil && !errors.Is(err, io.EOF) {
		return Upload{}, err
	}
	if err := checkHead(head); err != nil {
		return Upload{}, err
	}
	id, _, err := s.Store.AddFile(ctx, r)
	if err != nil {
		return Upload{}, err
	}
	return Upload{Sum: meter.sum(), file: id}, nil
}

// checkHead refuses a file for what it begins with, or for holding nothing.
func checkHead(head []byte) error {
	f, err := openFile(bytes.NewReader(head))
	if err != nil {
		return err
	}
	if _, err := f.next(); errors.Is(err, io.EOF) && len(head) < maxRecord {
		return fault.Invalid.Errorf("importcsv: the file names no company")
	}
	return nil
}

// Drop takes away a file that no import will have.
func (s *Imports) Drop(ctx context.Context, u Upload) error { return s.Store.DropFile(ctx, u.file) }

// Begin has a file taken in.
func (s *Imports) Begin(ctx context.Context, by auth.Caller, id PortfolioID, sync bool, u Upload, email string) (Import, error) {
	if email != "" && !isAddress(email) {
		return Import{}, fault.Invalid.Errorf("email: %s is not an e-mail address", quote(email))
	}
	if err := s.May(ctx, by, id, sync); err != nil {
		return Import{}, err
	}
	input, err := json.Marshal(importInput{Portfolio: id, Email: email})
	if err != nil {
		return Import{}, err
	}
	kind := importKind
	if sync {
		kind = syncKind
	}
	t, err := s.Store.AddTask(ctx, job.Task{
		Kind: kind, Customer: int64(by.Customer), Account: int64(by.Account), About: about(id), Input: input, File: u.file,
	})
	if err != nil {
		return Import{}, err
	}
	s.Wake.Raise()
	return toImport(t)
}

// Get returns an import of a portfolio that the caller may see.
func (s *Imports) Get(ctx context.Context, by auth.Caller, id PortfolioID, of ImportID) (Import, error) {
	if _, _, err := s.Store.Portfolio(ctx, by, id); err != nil {
		return Import{}, err
	}
	t, err := s.Store.Task(ctx, int64(by.Customer), job.TaskID(of))
	if errors.Is(err, fault.Missing) || err == nil && t.About != about(id) {
		return Import{}, fault.Missing.Errorf("Import not found")
	}
	if err != nil {
		return Import{}, err
	}
	return toImport(t)
}

// ImportQuery says which imports of a portfolio to list.
type ImportQuery struct {
	Before ImportID // only older ones; 0 is all
	Skip   int
	Limit  int
}

// List lists the imports of a portfolio that the caller may see, the newest
// first, and says how many there are in all.
func (s *Imports) List(ctx context.Context, by auth.Caller, id PortfolioID, q ImportQuery) ([]Import, int64, error) {
	if _, _, err := s.Store.Portfolio(ctx, by, id); err != nil {
		return nil, 0, err
	}
	tasks, total, err := s.Store.Tasks(ctx, int64(by.Customer), job.TaskQuery{
		About: about(id), Before: job.TaskID(q.Before), Skip: q.Skip, Limit: q.Limit,
	})
	if err != nil {
		return nil, 0, err
	}
	var out []Import
	for _, t := range tasks {
		i, err := toImport(t)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, i)
	}
	return out, total, nil
}

// toImport reads a task as what it is. One that is still at work tells how far
// it has come.
func toImport(t job.Task) (Import, error) {
	var in importInput
	if err := json.Unmarshal(t.Input, &in); err != nil {
		return Import{}, fmt.Errorf("read import %d: %w", t.ID, err)
	}
	i := Import{
		ID: ImportID(t.ID), Portfolio: in.Portfolio, Sync: t.Kind == syncKind, State: string(t.State), Error: t.Error,
		CreatedAt: t.CreatedAt, StartedAt: t.StartedAt, FinishedAt: t.FinishedAt,
	}
	switch {
	case t.State == job.Done:
		i.Percent = 100
	case t.FileSize > 0:
		i.Percent = int(min(t.Done*100/t.FileSize, 99))
	}
	var err error
	switch {
	case len(t.Result) > 0:
		err = json.Unmarshal(t.Result, &i.ImportReport)
	case len(t.Notes) > 0:
		var notes importNotes
		err = json.Unmarshal(t.Notes, &notes)
		i.ImportReport = notes.Report
	}
	if err != nil {
		return Import{}, fmt.Errorf("read what became of import %d: %w", t.ID, err)
	}
	return i, nil
}
