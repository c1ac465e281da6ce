package job

import (
	"context"
	"io"
	"time"
)

// A TaskID is a task's number. It is never given twice.
type TaskID int64

// A FileID is the number of a file that belongs to a task. 0 is none.
type FileID int64

// A Task is work that somebody asked for and does not wait for. It is kept
// until it is done, whatever happens to the node that is doing it.
type Task struct {
	ID       TaskID
	Kind     string // who does it: a key of Worker.Kinds
	Customer int64
	Account  int64  // who asked for it
	About    string // what it changes: tasks about the same are done one after the other
	Input    []byte // what was asked for, as JSON
	File     FileID // what was sent along; it goes when the task ends
	FileSize int64

	State    TaskState
	Done, Of int64 // how much of the work is behind us, in whatever it counts
	// Notes are what the next attempt needs to go on where the last one was, as
	// JSON.
	Notes    []byte
	Result   []byte // as JSON, for whoever asked
	Output   FileID // a result that is too large for that
	Error    string // why it failed, in words for whoever asked
	Attempts int    // since it last got further

	CreatedAt  time.Time
	StartedAt  time.Time // of the first attempt
	FinishedAt time.Time

	Fence int64 // of whoever works on it
}

// A TaskState says what has become of a task.
type TaskState string

const (
	Waiting TaskState = "waiting"
	Working TaskState = "working"
	Done    TaskState = "done"
	Failed  TaskState = "failed"
)

// Over reports whether nothing more will happen to the task.
func (t *Task) Over() bool { return t.State == Done || t.State == Failed }

// TaskQuery says which tasks of a customer to list.
type TaskQuery struct {
	About  string
	Before TaskID // only lower numbers; 0 is all
	Skip   int
	Limit  int
}

// TaskStore is what tasks ask of a database.
//
// The methods that take a task which is being worked on are fenced: once
// another has taken it over, or it is over, they are a fault.Conflict and
// change nothing.
type TaskStore interface {
	// AddFile keeps all that it reads, and returns the file's number and size.
	// A slow reader holds up nobody. If reading fails nothing stays behind. A
	// file that no task takes up is forgotten by ForgetTasks.
	AddFile(ctx context.Context, r io.Reader) (FileID, int64, error)

	// DropFile takes away a file that no task has taken up. One that is gone
	// already is no error.
	DropFile(ctx context.Context, id FileID) error

	// OpenFile reads a file from a place on, in pieces: no more than a few are
	// in memory. A file that is not there is a fault.Missing when it is read,
	// and one that lacks a piece is an error: it never looks shorter than it
	// is.
	OpenFile(ctx context.Context, id FileID, from int64) io.Reader

	// AddTask keeps a new task and returns it with its number. Its file, if it
	// has one, is its own from then on. Tasks become visible in the order of
	// their numbers.
	AddTask(ctx context.Context, t Task) (Task, error)

	// Task returns a customer's task. Another customer's is a fault.Missing,
	// like one that does not exist.
	Task(ctx context.Context, customer int64, id TaskID) (Task, error)

	// Tasks lists a customer's tasks about something, the newest first, and
	// says how many there are in all. OpenTasks counts all of the customer's
	// that are not over.
	Tasks(ctx context.Context, customer int64, q TaskQuery) (list []Task, total int64, err error)
	OpenTasks(ctx context.Context, customer int64) (int64, error)

	// ClaimTask takes the oldest task of some kinds that waits and whose time
	// has come, or whose holder's time is over, and holds it for an owner for
	// a while. Each claim has a higher fence than the last, and is one more
	// attempt. A task that is about the same as an older one is not taken
	// before that one is over. ok is false if there is none.
	ClaimTask(ctx context.Context, kinds []string, owner string, life time.Duration) (t Task, ok bool, err error)

	// KeepTask saves Done, Of, Notes and Attempts, and holds the task for
	// another while.
	KeepTask(ctx context.Context, t Task, life time.Duration) error

	// FinishTask ends a task well: Done, Of, Result and Output are saved. Its
	// file and notes are taken away.
	FinishTask(ctx context.Context, t Task) error

	// FailTask ends a task badly: the same, and Error.
	FailTask(ctx context.Context, t Task) error

	// ReturnTask lets a task wait for another attempt, which comes after some
	// time at the earliest. Attempts is saved; the rest is as it was kept last.
	ReturnTask(ctx context.Context, t Task, after time.Duration) error

	// ForgetTasks takes away the tasks that ended before a time, with their
	// files, and the files that were begun before it and that no task has.
	ForgetTasks(ctx context.Context, before time.Time) error
}
