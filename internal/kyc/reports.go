package kyc

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/pdf"
)

// Reports is the door to the reports of a customer. Each is a task: whatever
// happens to the node that makes it, another goes on.
type Reports struct {
	Store    ReportStore
	Profiles ProfileStore
	Searches SearchStore
	Trail    *Trail
	Fonts    *pdf.Fonts
	Wake     *job.Signal // raised when there is something to do
	Keep     time.Duration
	Now      func() time.Time
	// Alerts lists what ongoing screening found, with the entries.
	Alerts func(context.Context, auth.Caller, AlertQuery) (Page[Alert], error)
	// Called is what a colleague is called in a report.
	Called func(auth.AccountID) string
}

// ReportStore is what reports ask of a database. A report of another customer is
// a fault.Missing, exactly like one that does not exist.
type ReportStore interface {
	job.TaskStore

	// AddReport keeps a new report and the task that makes it, in one
	// transaction. A FileName that another report of the customer has is a
	// fault.Conflict.
	AddReport(ctx context.Context, by auth.Caller, r Report, t job.Task) error

	// Report returns a report with what has become of it.
	Report(ctx context.Context, by auth.Caller, id ReportID) (Report, error)

	// Reports lists a customer's reports, the newest first, and says how many
	// there are in all.
	Reports(ctx context.Context, by auth.Caller, q ReportQuery) (list []Report, total int64, err error)

	// ForgetReports takes away the reports whose tasks are forgotten.
	ForgetReports(ctx context.Context) error
}

// A ReportQuery says which reports to list. What is empty does not matter.
type ReportQuery struct {
	Type        ReportType
	Term        string // part of the file's name
	Skip, Limit int
}

const reportKindName = "kyc-report"

// maxOpen is how many tasks of one customer may be waiting or at work.
const maxOpen = 50

// reportOrder is what a task needs to make a report.
type reportOrder struct {
	ID       ReportID
	Type     ReportType
	Format   SheetFormat
	Criteria ReportCriteria
}

// Order has a report made.
func (s *Reports) Order(ctx context.Context, by auth.Caller, r Report) (Report, error) {
	now := s.Now().UTC().Truncate(time.Millisecond)
	r.ID, r.Created, r.State, r.Changed = ReportID(freshID()), Act{by.Account, now}, job.Waiting, now
	r.FileName = strings.TrimSpace(r.FileName)
	r.name(now)
	if err := r.check(); err != nil {
		return Report{}, err
	}
	open, err := s.Store.OpenTasks(ctx, int64(by.Customer))
	if err != nil {
		return Report{}, err
	}
	if open >= maxOpen {
		return Report{}, fault.Conflict.Errorf("%d reports and files of your company are still being worked on: wait until some are done", open)
	}
	input, err := json.Marshal(reportOrder{r.ID, r.Type, r.Format, r.Criteria})
	if err != nil {
		return Report{}, fmt.Errorf("order a report: %w", err)
	}
	err = s.Store.AddReport(ctx, by, r, job.Task{
		Kind: reportKindName, Customer: int64(by.Customer), Account: int64(by.Account), About: "report " + string(r.ID), Input: input,
	})
	if err != nil {
		return Report{}, err
	}
	s.Wake.Raise()
	return s.dated(r), nil
}

// dated says when a report is forgotten.
func (s *Reports) dated(r Report) Report {
	r.Expires = r.Changed.Add(s.Keep)
	return r
}

// Get returns a report.
func (s *Reports) Get(ctx context.Context, by auth.Caller, id ReportID) (Report, error) {
	r, err := s.Store.Report(ctx, by, id)
	if err != nil {
		return Report{}, err
	}
	return s.dated(r), nil
}

// List lists reports, the newest first, and says how many there are in all.
func (s *Reports) List(ctx context.Context, by auth.Caller, q ReportQuery) ([]Report, int64, error) {
	list, total, err := s.Store.Reports(ctx, by, q)
	for i := range list {
		list[i] = s.dated(list[i])
	}
	return list, total, err
}

// Ready returns a report that can be fetched; one that is not done is a
// fault.Conflict.
func (s *Reports) Ready(ctx context.Context, by auth.Caller, id ReportID) (Report, error) {
	r, err := s.Get(ctx, by, id)
	switch {
	case err != nil:
		return Report{}, err
	case r.State == job.Failed:
		return Report{}, fault.Conflict.Errorf("the report could not be made: %s", r.Error)
	case r.State != job.Done:
		return Report{}, fault.Conflict.Errorf("the report is not ready yet")
	}
	return r, nil
}

// Open reads the file of a report that is ready.
func (s *Reports) Open(ctx context.Context, r Report) io.Reader {
	return s.Store.OpenFile(ctx, r.Contents, 0)
}

// Kinds are the tasks that reports are.
func (s *Reports) Kinds() map[string]func(context.Context, *job.Hold) ([]byte, error) {
	return map[string]func(context.Context, *job.Hold) ([]byte, error){reportKindName: s.make}
}

// make does the task of a report. If it is broken off, the next attempt begins
// anew: until the end nobody sees anything of it.
func (s *Reports) make(ctx context.Context, h *job.Hold) ([]byte, error) {
	var o reportOrder
	if err := json.Unmarshal(h.Input, &o); err != nil {
		return nil, fmt.Errorf("read the order of a report: %w", err)
	}
	kind, known := reportKinds[o.Type]
	if !known {
		return nil, fault.Invalid.Errorf("there are no reports of the type %s any more", o.Type)
	}
	by := auth.Caller{Customer: auth.CustomerID(h.Customer), Account: auth.AccountID(h.Account)}
	ctx = auth.Within(ctx, by.Customer)
	sheet := kind.sheet(s, ctx, by, o.Criteria)
	rows := sheet.Rows
	h.Done = 0
	sheet.Rows = func(yield func([]string, error) bool) {
		for row, err := range rows {
			if h.Done++; h.Done%sheetPage == 0 && err == nil {
				err = h.Keep(ctx)
			}
			if !yield(row, err) {
				return
			}
		}
	}
	file, err := s.store(ctx, func(w io.Writer) error { return s.write(w, sheet, o, by) })
	if err != nil {
		return nil, err
	}
	h.Output = file
	return nil, nil
}

// store keeps what write writes as a file, a piece of it in memory at a time.
func (s *Reports) store(ctx context.Context, write func(io.Writer) error) (job.FileID, error) {
	r, w := io.Pipe()
	done := make(chan struct{})
	go func() { // it ends with the pipe, and we wait for it
		defer close(done)
		w.CloseWithError(write(w))
	}()
	id, _, err := s.Store.AddFile(ctx, r)
	r.CloseWithError(io.ErrClosedPipe) // should nobody read any more
	<-done
	return id, err
}

func (s *Reports) write(w io.Writer, sheet Sheet, o reportOrder, by auth.Caller) error {
	switch o.Format {
	case XLSX:
		return writeXLSX(w, sheet)
	case PDF:
		return writePDF(w, sheet, s.Fonts, string(o.ID), "Made for "+s.Called(by.Account), s.Now())
	}
	return writeCSV(w, sheet)
}
