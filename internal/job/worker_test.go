package job_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// A doer is what a worker does with a task.
type doer = func(context.Context, *job.Hold) ([]byte, error)

func (h *house) worker(owner string, do doer) *job.Worker {
	return &job.Worker{
		Kinds: map[string]func(context.Context, *job.Hold) ([]byte, error){"work": do},
		Store: h.db, Owner: owner, Life: life, Every: time.Second, Wake: &job.Signal{},
	}
}

// ask adds a task with a file.
func (h *house) ask(text string) job.TaskID {
	h.t.Helper()
	file, _, err := h.db.AddFile(h.t.Context(), strings.NewReader(text))
	if err != nil {
		h.t.Fatalf("add a file: %v", err)
	}
	k, err := h.db.AddTask(h.t.Context(), job.Task{Kind: "work", Customer: 1, Account: 2, File: file})
	if err != nil {
		h.t.Fatalf("add a task: %v", err)
	}
	return k.ID
}

func (h *house) task(id job.TaskID) job.Task {
	h.t.Helper()
	k, err := h.db.Task(h.t.Context(), 1, id)
	if err != nil {
		h.t.Fatalf("task %d: %v", id, err)
	}
	return k
}

func (h *house) works(w *job.Worker, want bool) {
	h.t.Helper()
	if worked, err := w.Step(h.t.Context()); worked != want || err != nil {
		h.t.Fatalf("%s worked: %v (%v), want %v", w.Owner, worked, err, want)
	}
}

func TestTaskIsDoneOnce(t *testing.T) {
	h := newHouse(t)
	times := 0
	w := h.worker("a", func(ctx context.Context, k *job.Hold) ([]byte, error) {
		times++
		b, err := io.ReadAll(k.Open(ctx, 5))
		return []byte(fmt.Sprintf("%q", b)), err
	})
	h.works(w, false)
	id := h.ask("what was sent")
	h.works(w, true)
	h.works(w, false)
	if k := h.task(id); k.State != job.Done || string(k.Result) != `"was sent"` || times != 1 {
		t.Errorf("after %d times: %+v", times, k)
	}
}

// What the asker can do something about is told to them, and not tried again.
func TestFaultFailsATask(t *testing.T) {
	h := newHouse(t)
	times := 0
	w := h.worker("a", func(context.Context, *job.Hold) ([]byte, error) {
		times++
		return []byte(`{"rows":1}`), fmt.Errorf("words for the log: %w", fault.Denied.Errorf("you may not"))
	})
	id := h.ask("")
	h.works(w, true)
	h.pass(time.Hour)
	h.works(w, false)
	if k := h.task(id); k.State != job.Failed || k.Error != "you may not" || string(k.Result) != `{"rows":1}` || times != 1 {
		t.Errorf("after %d times: %+v", times, k)
	}
}

func TestErrorIsTriedAgainAndGivenUp(t *testing.T) {
	for name, do := range map[string]doer{
		"error": func(context.Context, *job.Hold) ([]byte, error) { return nil, errors.New("plugh") },
		"busy":  func(context.Context, *job.Hold) ([]byte, error) { return nil, fault.Busy.Errorf("plugh") },
		"panic": func(context.Context, *job.Hold) ([]byte, error) { panic("plugh") },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t)
			w := h.worker("a", do)
			id := h.ask("")
			var waited time.Duration
			for attempt := 1; attempt <= job.MaxAttempts; attempt++ {
				for worked := false; !worked; {
					var err error
					if worked, err = w.Step(t.Context()); worked && (err == nil || !strings.Contains(err.Error(), "plugh")) {
						t.Fatalf("attempt %d: nobody was told why: %v", attempt, err)
					}
					if k := h.task(id); worked && attempt < job.MaxAttempts && (k.State != job.Waiting || k.Attempts != attempt) {
						t.Fatalf("after attempt %d: %+v", attempt, k)
					}
					if !worked {
						h.pass(time.Second)
						waited += time.Second
					}
				}
			}
			k := h.task(id)
			if k.State != job.Failed || strings.Contains(k.Error, "plugh") || k.Error == "" {
				t.Errorf("given up as %+v", k)
			}
			if waited < 2*time.Minute || waited > 4*time.Minute {
				t.Errorf("it was tried %d times within %v, want a few minutes", job.MaxAttempts, waited)
			}
		})
	}
}

// A task that takes its node down with it does not do so for ever.
func TestTaskThatKillsItsNodeIsGivenUp(t *testing.T) {
	h := newHouse(t)
	id := h.ask("")
	for range job.MaxAttempts {
		if _, ok, err := h.db.ClaimTask(t.Context(), []string{"work"}, "dies", life); !ok || err != nil {
			t.Fatalf("claimed %v (%v)", ok, err)
		}
		h.pass(life)
	}
	w := h.worker("a", func(context.Context, *job.Hold) ([]byte, error) {
		t.Error("it was tried once more")
		return nil, nil
	})
	if worked, err := w.Step(t.Context()); !worked || err == nil {
		t.Errorf("worked %v (%v), want to be told", worked, err)
	}
	if k := h.task(id); k.State != job.Failed || k.Error == "" {
		t.Errorf("given up as %+v", k)
	}
}

// One that gets further each time is never given up.
func TestTaskThatGetsFurtherGoesOn(t *testing.T) {
	h := newHouse(t)
	const steps = 3 * job.MaxAttempts
	id := h.ask("")
	for i := range steps {
		w := h.worker(fmt.Sprint(i), func(ctx context.Context, k *job.Hold) ([]byte, error) {
			if k.Done != int64(i) || string(k.Notes) != strings.Repeat("x", i) {
				t.Errorf("attempt %d begins at %d with %q", i, k.Done, k.Notes)
			}
			k.Further(k.Done+1, append(k.Notes, 'x'))
			if err := k.Keep(ctx); err != nil {
				t.Errorf("keep: %v", err)
			}
			return nil, errDied
		})
		if _, err := w.Step(t.Context()); !errors.Is(err, errDied) {
			t.Fatalf("attempt %d: %v", i, err)
		}
		h.pass(time.Minute)
	}
	if k := h.task(id); k.State != job.Waiting || k.Done != steps {
		t.Errorf("after %d attempts: %+v", steps, k)
	}
}

func TestPausedWorkerSavesNothing(t *testing.T) {
	h := newHouse(t)
	id := h.ask("")
	b := h.worker("b", func(context.Context, *job.Hold) ([]byte, error) { return []byte("b"), nil })
	a := h.worker("a", func(ctx context.Context, k *job.Hold) ([]byte, error) {
		h.pass(life - time.Millisecond)
		h.works(b, false) // a may still be at work
		h.pass(time.Millisecond)
		h.works(b, true)
		k.Further(1, []byte("late"))
		if err := k.Keep(ctx); !errors.Is(err, fault.Conflict) {
			t.Errorf("the paused worker kept its progress: %v", err)
		}
		return []byte("a"), nil
	})
	if _, err := a.Step(t.Context()); !errors.Is(err, fault.Conflict) {
		t.Errorf("the paused worker ended with %v", err)
	}
	if k := h.task(id); k.State != job.Done || string(k.Result) != "b" || k.Attempts != 2 {
		t.Errorf("ended as %+v", k)
	}
}

// A function that ended its task itself is believed.
func TestTaskEndedByItsFunction(t *testing.T) {
	h := newHouse(t)
	id := h.ask("")
	w := h.worker("a", func(ctx context.Context, k *job.Hold) ([]byte, error) {
		k.Result = []byte("mine")
		if err := k.Store.FinishTask(ctx, k.Task); err != nil {
			return nil, err
		}
		return nil, job.ErrOver
	})
	h.works(w, true)
	if k := h.task(id); k.State != job.Done || string(k.Result) != "mine" {
		t.Errorf("ended as %+v", k)
	}
}

// A node that is stopped gives its task back at once, and it counts for
// nothing.
func TestStoppedWorkerGivesItsTaskBack(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		id := h.ask("")
		a := h.worker("a", func(ctx context.Context, _ *job.Hold) ([]byte, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			a.Run(ctx, noFailure(t))
		}()
		synctest.Wait()
		if k := h.task(id); k.State != job.Working {
			t.Errorf("it is %s", k.State)
		}
		cancel()
		<-done
		if k := h.task(id); k.State != job.Waiting || k.Attempts != 0 {
			t.Errorf("given back as %+v", k)
		}
		b := h.worker("b", func(context.Context, *job.Hold) ([]byte, error) { return nil, nil })
		h.works(b, true)
	})
}

func TestWorkerHearsOfTasks(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		w := h.worker("a", func(context.Context, *job.Hold) ([]byte, error) { return nil, nil })
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.Run(ctx, noFailure(t))
		}()
		synctest.Wait()
		began := time.Now()
		first, second := h.ask(""), h.ask("")
		w.Wake.Raise()
		synctest.Wait()
		if !over(h, first) || !over(h, second) || time.Since(began) != 0 {
			t.Errorf("woken, it took %v", time.Since(began))
		}
		third := h.ask("")
		time.Sleep(w.Every) // the bubble's time
		synctest.Wait()
		if !over(h, third) {
			t.Error("a wake-up that was lost cost more than one interval")
		}
		cancel()
		<-done
	})
}

func over(h *house, id job.TaskID) bool {
	k := h.task(id)
	return k.Over()
}
