package kyc

import (
	"context"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// A BatchID is a batch's number, a UUID.
type BatchID string

// A Batch is many searches that were asked for at once and are made while the
// customer goes about other things: a file, or a job of a profile.
type Batch struct {
	ID      BatchID
	Kind    BatchKind
	Name    string    // of the file
	Profile ProfileID // that the searches of a job are linked to
	Created Act

	// What has become of it:
	Rows       int64 // 0 until the file was read
	Done       int64 // rows whose search was made
	Failed     int64
	State      job.TaskState
	Error      string // why the file was rejected
	StartedAt  time.Time
	FinishedAt time.Time
}

// A BatchKind is how a batch was asked for.
type BatchKind string

const (
	Upload BatchKind = "upload"
	Job    BatchKind = "job"
)

// BatchStatuses are what can have become of a file, in the words of the wire.
var BatchStatuses = []string{
	"submitted", "validating", "rejected", "validated", "insufficientCredits", "queued", "inProgress", "processed",
	"completed", "partiallyCompleted", "failed",
}

// JobStatuses are what can have become of a job, and RowStatuses what can have
// become of one of its rows.
var (
	JobStatuses = []string{"created", "processing", "completed"}
	RowStatuses = []RowState{RowSubmitted, "processing", RowCompleted, RowFailed}
)

// Status is what has become of a batch, in the words of the wire.
func (b *Batch) Status() string {
	if b.Kind == Job {
		switch b.State {
		case job.Waiting:
			return "created"
		case job.Working:
			return "processing"
		}
		return "completed"
	}
	read := b.Rows > 0
	switch {
	case b.State == job.Waiting && read:
		return "queued"
	case b.State == job.Waiting:
		return "submitted"
	case b.State == job.Working && read:
		return "inProgress"
	case b.State == job.Working:
		return "validating"
	case !read:
		return "rejected"
	case b.State == job.Done && b.Failed == 0:
		return "completed"
	case b.State == job.Done && b.Done > 0:
		return "partiallyCompleted"
	}
	return "failed"
}

// Over reports whether nothing more will happen to the batch by itself.
func (b *Batch) Over() bool { return b.State == job.Done || b.State == job.Failed }

// A RowState is what has become of a row.
type RowState string

const (
	RowSubmitted RowState = "submitted"
	RowCompleted RowState = "completed"
	RowFailed    RowState = "failed"
)

// A BatchRow is one search of a batch.
type BatchRow struct {
	Number  int64  // from 1
	ID      string // a UUID, which is also that of its search
	Line    int64  // of the file
	Asked   BatchLine
	State   RowState
	Error   string
	EndedAt time.Time
}

// A BatchLine is what is asked of one search, as it was sent. Several values of a
// field are separated by semicolons or vertical bars.
type BatchLine struct {
	Type      string `json:"type,omitempty"` // individual or business
	Name      string `json:"name,omitempty"`
	First     string `json:"firstName,omitempty"`
	Middle    string `json:"middleName,omitempty"`
	Last      string `json:"lastName,omitempty"`
	Born      string `json:"dateOfBirth,omitempty"`
	Gender    string `json:"gender,omitempty"`
	Countries string `json:"countryCodes,omitempty"`
	Threshold string `json:"threshold,omitempty"`
	Datasets  string `json:"datasets,omitempty"`
	Tiers     string `json:"pepTiers,omitempty"`
	Surplus   string `json:"surplus,omitempty"` // what stands behind the last column of a file
}

// batchColumns are the columns of a file, in the order of the template.
var batchColumns = []struct {
	name string
	of   func(*BatchLine) *string
}{
	{"type", func(l *BatchLine) *string { return &l.Type }},
	{"name", func(l *BatchLine) *string { return &l.Name }},
	{"firstName", func(l *BatchLine) *string { return &l.First }},
	{"middleName", func(l *BatchLine) *string { return &l.Middle }},
	{"lastName", func(l *BatchLine) *string { return &l.Last }},
	{"dateOfBirth", func(l *BatchLine) *string { return &l.Born }},
	{"gender", func(l *BatchLine) *string { return &l.Gender }},
	{"countryCodes", func(l *BatchLine) *string { return &l.Countries }},
	{"threshold", func(l *BatchLine) *string { return &l.Threshold }},
	{"datasets", func(l *BatchLine) *string { return &l.Datasets }},
	{"pepTiers", func(l *BatchLine) *string { return &l.Tiers }},
}

// request is a line as a search is asked for.
func (l BatchLine) request() (r Request, err error) {
	var bad wrong
	kind, ok := choose([]string{"individual", "business"}, l.Type)
	if !ok {
		bad.say("type", "%q is neither individual nor business", fault.Clip(l.Type))
	}
	r = Request{
		Person: kind == "individual", Name: l.Name, First: l.First, Middle: l.Middle, Last: l.Last, Born: l.Born, Gender: l.Gender,
		Countries: l.CountryList(), Datasets: values(l.Datasets), Tiers: values(l.Tiers), Preferred: true,
	}
	if l.Threshold != "" {
		if r.Threshold, err = strconv.Atoi(strings.TrimSpace(l.Threshold)); err != nil || r.Threshold == 0 {
			bad.say("threshold", "%q is not between %d and %d", fault.Clip(l.Threshold), MinThreshold, MaxThreshold)
		}
	}
	if l.Surplus != "" {
		// A name with a comma in it would be searched for by its first half.
		bad.say("columns", "%q stands behind the last one: a value with a separator in it must be in quotes", fault.Clip(l.Surplus))
	}
	if kind == "business" {
		for _, c := range batchColumns[2:7] {
			if *c.of(&l) != "" {
				bad.say(c.name, "a business has none")
			}
		}
	}
	return r, bad.err()
}

// CountryList, DatasetList and TierList are the values of fields that hold
// several.
func (l BatchLine) CountryList() []string { return values(l.Countries) }
func (l BatchLine) DatasetList() []string { return values(l.Datasets) }
func (l BatchLine) TierList() []string    { return values(l.Tiers) }

func values(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '|' || r == ' ' })
}

// A BatchQuery says which batches to list, the newest first.
type BatchQuery struct {
	Kind        BatchKind
	Statuses    []string       // none: all
	Account     auth.AccountID // 0: all
	Skip, Limit int
}

// A RowQuery says which rows of a batch to list, in their order.
type RowQuery struct {
	Batch       BatchID
	States      []RowState // none: all
	After       int64      // only higher numbers
	Skip, Limit int
}

// BatchStore is what batches ask of a database. A batch of another customer is a
// fault.Missing, exactly like one that does not exist.
type BatchStore interface {
	job.TaskStore

	// AddBatch keeps a batch, the rows that are known of it and its task, in one
	// transaction. A profile that is not there is a fault.Missing.
	AddBatch(ctx context.Context, by auth.Caller, b Batch, rows []BatchRow, t job.Task) error

	// Batch returns a batch, Batches lists them, and says how many there are in
	// all. Rows lists the rows of one.
	Batch(ctx context.Context, by auth.Caller, kind BatchKind, id BatchID) (Batch, error)
	Batches(ctx context.Context, by auth.Caller, q BatchQuery) (list []Batch, total int64, err error)
	BatchRows(ctx context.Context, by auth.Caller, q RowQuery) (list []BatchRow, total int64, err error)

	// FillBatch gives a batch its rows, if it has none yet, and keeps its task.
	FillBatch(ctx context.Context, h *job.Hold, id BatchID, rows []BatchRow) error

	// KeepBatch keeps a batch's task, and which rows have failed. Those that were
	// completed are kept as Savings.
	KeepBatch(ctx context.Context, h *job.Hold, id BatchID, failed []BatchRow) error

	// RetryBatch lets the rows of a batch that failed wait again, for a new task.
	// A batch that is not over, has no rows, or of which nothing failed is a
	// fault.Conflict.
	RetryBatch(ctx context.Context, by auth.Caller, kind BatchKind, id BatchID, t job.Task) (Batch, error)

	// ForgetBatches takes away the batches whose tasks are forgotten. Their
	// searches stay.
	ForgetBatches(ctx context.Context) error
}
