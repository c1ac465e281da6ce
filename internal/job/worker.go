package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"bureau/internal/fault"
)

// MaxAttempts is how often a task is tried without getting further before it
// is given up.
const MaxAttempts = 5

// ErrOver is what the function of a task returns when it has ended the task
// itself, in the transaction that saved its results.
var ErrOver = errors.New("the task is over")

// A Worker does tasks, one at a time.
type Worker struct {
	// Kinds are what it can do. A function returns the task's result, which is
	// kept also when it fails. If its error is a fault the task has failed, in
	// the fault's words: to try again would not help. After any other error, a
	// fault.Busy, a panic or a crash it is tried again.
	Kinds map[string]func(context.Context, *Hold) (result []byte, err error)

	Store TaskStore
	Owner string        // this node
	Life  time.Duration // of a claim; another node takes over after that
	Every time.Duration // how often to look when nothing wakes us
	Wake  *Signal
}

// A Hold is a task in the hands of a worker.
type Hold struct {
	Task
	Life  time.Duration // until it must be kept again
	Store TaskStore
}

// Keep saves how far the task has come and holds it for another while. Whatever
// takes long calls it often. An error means that the task may be another's by
// now: stop.
func (h *Hold) Keep(ctx context.Context) error { return h.Store.KeepTask(ctx, h.Task, h.Life) }

// Further notes that the task got further: the next attempt, if there is one,
// begins here. Keep saves it.
func (h *Hold) Further(done int64, notes []byte) { h.Done, h.Notes, h.Attempts = done, notes, 1 }

// Open reads the task's file from a place on.
func (h *Hold) Open(ctx context.Context, from int64) io.Reader {
	return h.Store.OpenFile(ctx, h.File, from)
}

// Step does one task, and reports whether there was one.
func (w *Worker) Step(ctx context.Context) (worked bool, err error) {
	t, ok, err := w.Store.ClaimTask(ctx, slices.Sorted(maps.Keys(w.Kinds)), w.Owner, w.Life)
	if err != nil || !ok {
		return false, err
	}
	h := &Hold{Task: t, Life: w.Life, Store: w.Store}
	if t.Attempts > MaxAttempts {
		// Whoever tried last did not live to tell why.
		return true, w.giveUp(ctx, h, errors.New("it was broken off each time"))
	}
	h.Result, err = w.do(ctx, h)
	// What became of it is saved even if we are stopping.
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Life)
	defer cancel()
	return true, w.end(end, h, err, ctx.Err() != nil)
}

// do runs a task's function. A bug in one must not end the service.
func (w *Worker) do(ctx context.Context, h *Hold) (result []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return w.Kinds[h.Kind](ctx, h)
}

// end saves what became of a task.
func (w *Worker) end(ctx context.Context, h *Hold, err error, stopping bool) error {
	view, told := fault.Of(err)
	switch {
	case err == nil:
		return w.Store.FinishTask(ctx, h.Task)
	case errors.Is(err, ErrOver):
		return nil
	case told && view.Kind != fault.Busy:
		h.Error = view.Text
		return w.Store.FailTask(ctx, h.Task)
	case stopping:
		h.Attempts-- // it was not the task's doing
		return w.Store.ReturnTask(ctx, h.Task, 0)
	case h.Attempts >= MaxAttempts:
		return w.giveUp(ctx, h, err)
	}
	return errors.Join(fmt.Errorf("task %d (%s), attempt %d: %w", h.ID, h.Kind, h.Attempts, err),
		w.Store.ReturnTask(ctx, h.Task, backOff(h.Attempts)))
}

// giveUp fails a task for a reason that is not its asker's, and tells us.
func (w *Worker) giveUp(ctx context.Context, h *Hold, err error) error {
	h.Error = fmt.Sprintf("it could not be finished in %d attempts, for a reason on our side", MaxAttempts)
	return errors.Join(fmt.Errorf("task %d (%s) is given up: %w", h.ID, h.Kind, err), w.Store.FailTask(ctx, h.Task))
}

// backOff is how long to wait after so many attempts: 2 s, 8 s, 32 s, 2 min.
func backOff(attempts int) time.Duration { return 500 * time.Millisecond << (2 * attempts) }

// Run does tasks until ctx is done. A step that fails is told to failed.
func (w *Worker) Run(ctx context.Context, failed func(error)) {
	Follow(ctx, w.Wake, w.Every, failed, w.Step)
}
