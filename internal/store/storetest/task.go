package storetest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// tasks are the promises of job.TaskStore about tasks; those about files are in
// file.go. A claim with no life has ended as soon as it is made.
var tasks = []promise{
	{"a task comes back as it was added, to its customer alone", taskComesBack},
	{"tasks about something are listed from the newest, with their total", tasksListed},
	{"a customer's open tasks are counted", tasksCounted},
	{"a task is claimed once, the oldest first, and only by who can do it", taskClaimed},
	{"a claim that ended is taken over with a higher fence and one more attempt", taskTakenOver},
	{"many who claim at once get a task each", taskRace},
	{"a task waits for an older one about the same", taskInOrder},
	{"what is kept of a task is there for the next attempt", taskKept},
	{"a task that was taken over is saved by its new holder alone", taskFenced},
	{"a task that is over is not saved again, nor claimed", taskOver},
	{"a finished task has its result and no file any more", taskFinished},
	{"a failed task has its words and its result", taskFailed},
	{"a task that is returned waits for its time", taskReturned},
	{"old tasks are forgotten with their files, open ones never", tasksForgotten},
	{"numbers are not given twice, also when the last was forgotten", taskNumbers},
}

// addTask adds a task of customer 1 about something.
func addTask(t tb, s job.TaskStore, kind, about string) job.Task {
	t.Helper()
	k, err := s.AddTask(t.Context(), job.Task{Kind: kind, Customer: 1, Account: 2, About: about, Input: []byte(`{"a":1}`)})
	noError(t, err)
	return k
}

func claimTask(t tb, s job.TaskStore, life time.Duration, kinds ...string) job.Task {
	t.Helper()
	k, ok, err := s.ClaimTask(t.Context(), kinds, "a", life)
	noError(t, err)
	if !ok {
		t.Fatalf("no task was there to claim")
	}
	return k
}

func noTask(t tb, s job.TaskStore, kinds ...string) {
	t.Helper()
	if k, ok, err := s.ClaimTask(t.Context(), kinds, "b", time.Hour); ok || err != nil {
		t.Errorf("claimed %+v (%v), want none", k, err)
	}
}

func task(t tb, s job.TaskStore, id job.TaskID) job.Task {
	t.Helper()
	k, err := s.Task(t.Context(), 1, id)
	noError(t, err)
	return k
}

func taskComesBack(t *testing.T, s nodes) {
	file := addFile(t, s, "x")
	want, err := s.AddTask(t.Context(), job.Task{
		Kind: "import", Customer: 1, Account: 2, About: "portfolio 3", Input: []byte("{\x00\xff}"), File: file, Of: 7,
	})
	noError(t, err)
	if want.ID == 0 || want.State != job.Waiting || want.FileSize != 1 || want.CreatedAt.IsZero() || want.Over() {
		t.Errorf("added as %+v", want)
	}
	same(t, "the task", task(t, s.other, want.ID), want)
	for _, customer := range []int64{2, 0} {
		_, err = s.Task(t.Context(), customer, want.ID)
		wantKind(t, err, fault.Missing)
	}
	_, err = s.Task(t.Context(), 1, want.ID+1)
	wantKind(t, err, fault.Missing)
	empty, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1})
	noError(t, err)
	same(t, "a task of nothing", task(t, s, empty.ID), empty)
}

func tasksListed(t *testing.T, s nodes) {
	var want []job.TaskID
	for range 5 {
		want = append(want, addTask(t, s, "import", "portfolio 1").ID)
		addTask(t, s, "import", "portfolio 2")
	}
	other, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 9, About: "portfolio 1"})
	noError(t, err)
	slices.Reverse(want)
	for _, c := range []struct {
		q     job.TaskQuery
		want  []job.TaskID
		total int64
	}{
		{job.TaskQuery{About: "portfolio 1", Limit: 10}, want, 5},
		{job.TaskQuery{About: "portfolio 1", Limit: 2}, want[:2], 5},
		{job.TaskQuery{About: "portfolio 1", Skip: 3, Limit: 10}, want[3:], 5},
		{job.TaskQuery{About: "portfolio 1", Before: want[1], Limit: 2}, want[2:4], 5},
		{job.TaskQuery{About: "portfolio 1", Before: want[4], Limit: 2}, nil, 5},
		{job.TaskQuery{About: "portfolio 7", Limit: 2}, nil, 0},
	} {
		list, total, err := s.other.Tasks(t.Context(), 1, c.q)
		noError(t, err)
		var got []job.TaskID
		for _, k := range list {
			got = append(got, k.ID)
		}
		same(t, fmt.Sprintf("%+v", c.q), got, c.want)
		if total != c.total {
			t.Errorf("%+v: %d in all, want %d", c.q, total, c.total)
		}
	}
	list, total, err := s.Tasks(t.Context(), 9, job.TaskQuery{About: "portfolio 1", Limit: 10})
	if err != nil || total != 1 || len(list) != 1 || list[0].ID != other.ID {
		t.Errorf("the other customer has %+v, %d (%v)", list, total, err)
	}
}

func tasksCounted(t *testing.T, s nodes) {
	count := func(customer, want int64) {
		t.Helper()
		if n, err := s.other.OpenTasks(t.Context(), customer); n != want || err != nil {
			t.Errorf("customer %d has %d open tasks (%v), want %d", customer, n, err, want)
		}
	}
	count(1, 0)
	addTask(t, s, "import", "")
	addTask(t, s, "import", "x")
	count(1, 2)
	k := claimTask(t, s, time.Hour, "import")
	count(1, 2)
	noError(t, s.FinishTask(t.Context(), k))
	count(1, 1)
	count(2, 0)
}

func taskClaimed(t *testing.T, s nodes) {
	noTask(t, s, "import", "sync")
	first, second := addTask(t, s, "import", ""), addTask(t, s, "sync", "")
	noTask(t, s, "report", "imp", "port", "import-2")
	noTask(t, s)
	k := claimTask(t, s.other, time.Hour, "sync", "import")
	if k.ID != first.ID || k.State != job.Working || k.Attempts != 1 || k.Fence == 0 || k.StartedAt.IsZero() || string(k.Input) != `{"a":1}` {
		t.Errorf("claimed %+v, want the first, %+v", k, first)
	}
	same(t, "the claimed task", task(t, s, first.ID), k)
	noTask(t, s, "import")
	if k := claimTask(t, s, time.Hour, "sync", "import"); k.ID != second.ID {
		t.Errorf("claimed %+v, want the second", k)
	}
	noTask(t, s, "import", "sync")
}

func taskTakenOver(t *testing.T, s nodes) {
	addTask(t, s, "import", "x")
	first := claimTask(t, s, 0, "import")
	second := claimTask(t, s.other, time.Hour, "import")
	if second.ID != first.ID || second.Fence <= first.Fence || second.Attempts != 2 || !second.StartedAt.Equal(first.StartedAt) {
		t.Errorf("taken over as %+v, was %+v", second, first)
	}
	noTask(t, s, "import")
}

func taskRace(t *testing.T, s nodes) {
	const workers, each = 8, 10
	for range workers * each {
		addTask(t, s, "import", "")
	}
	var mu sync.Mutex
	taken := map[job.TaskID]int{}
	var wg sync.WaitGroup
	for i := range workers {
		node := []Store{s.Store, s.other}[i%2]
		wg.Go(func() {
			for range each {
				k, ok, err := node.ClaimTask(t.Context(), []string{"import"}, fmt.Sprint(i), time.Hour)
				if err != nil || !ok {
					t.Errorf("there are tasks enough, but %v (%v)", ok, err)
				}
				mu.Lock()
				taken[k.ID]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(taken) != workers*each {
		t.Errorf("of %d tasks these were taken: %v", workers*each, taken)
	}
}

func taskInOrder(t *testing.T, s nodes) {
	addTask(t, s, "import", "portfolio 1")
	second := addTask(t, s, "sync", "portfolio 1")
	other := addTask(t, s, "sync", "portfolio 2")
	theirs, err := s.AddTask(t.Context(), job.Task{Kind: "sync", Customer: 9, About: "portfolio 1"})
	noError(t, err)
	// Also when nobody here can do the first, and when it is at work or waits
	// for another attempt.
	for _, want := range []job.TaskID{other.ID, theirs.ID} {
		if k := claimTask(t, s, time.Hour, "sync"); k.ID != want {
			t.Errorf("claimed task %d, want %d", k.ID, want)
		}
	}
	noTask(t, s, "sync")
	k := claimTask(t, s, time.Hour, "import", "sync")
	noTask(t, s.other, "import", "sync")
	noError(t, s.ReturnTask(t.Context(), k, 0))
	k = claimTask(t, s, time.Hour, "import")
	noTask(t, s.other, "import", "sync")
	noError(t, s.FailTask(t.Context(), k))
	if k := claimTask(t, s, time.Hour, "import", "sync"); k.ID != second.ID {
		t.Errorf("claimed task %d, want %d", k.ID, second.ID)
	}
}

func taskKept(t *testing.T, s nodes) {
	addTask(t, s, "import", "x")
	k := claimTask(t, s, 0, "import")
	k.Done, k.Of, k.Notes, k.Attempts = 5, 10, []byte(`{"line":7}`), 1
	noError(t, s.KeepTask(t.Context(), k, time.Hour))
	noTask(t, s, "import") // it is held for another while
	same(t, "the kept task", task(t, s.other, k.ID), k)
	noError(t, s.KeepTask(t.Context(), k, 0))
	next := claimTask(t, s.other, time.Hour, "import")
	if next.Done != 5 || next.Of != 10 || string(next.Notes) != `{"line":7}` || next.Attempts != 2 {
		t.Errorf("taken over as %+v", next)
	}
}

func taskFenced(t *testing.T, s nodes) {
	addTask(t, s, "import", "x")
	old := claimTask(t, s, 0, "import")
	noError(t, s.KeepTask(t.Context(), old, 0)) // nobody else has it yet
	now := claimTask(t, s.other, time.Hour, "import")
	want := task(t, s, now.ID)
	old.Done, old.Notes, old.Result, old.Error = 9, []byte("{}"), []byte("{}"), "late"
	old.Output = addFile(t, s, "late")
	wantKind(t, s.KeepTask(t.Context(), old, time.Hour), fault.Conflict)
	wantKind(t, s.FinishTask(t.Context(), old), fault.Conflict)
	wantKind(t, s.FailTask(t.Context(), old), fault.Conflict)
	wantKind(t, s.ReturnTask(t.Context(), old, 0), fault.Conflict)
	same(t, "what the old holder left", task(t, s, now.ID), want)
	noError(t, s.other.FinishTask(t.Context(), now))
}

func taskOver(t *testing.T, s nodes) {
	for i, end := range []func(job.Task) error{
		func(k job.Task) error { return s.FinishTask(t.Context(), k) },
		func(k job.Task) error { return s.FailTask(t.Context(), k) },
	} {
		addTask(t, s, "import", "x")
		k := claimTask(t, s, 0, "import")
		noError(t, end(k))
		want := task(t, s, k.ID)
		if !want.Over() || want.FinishedAt.IsZero() {
			t.Errorf("%d: ended as %+v", i, want)
		}
		k.Done = 77
		wantKind(t, s.other.KeepTask(t.Context(), k, time.Hour), fault.Conflict)
		wantKind(t, s.other.FinishTask(t.Context(), k), fault.Conflict)
		wantKind(t, s.other.FailTask(t.Context(), k), fault.Conflict)
		wantKind(t, s.other.ReturnTask(t.Context(), k, 0), fault.Conflict)
		same(t, "after its end", task(t, s, k.ID), want)
		noTask(t, s, "import")
	}
}

func taskFinished(t *testing.T, s nodes) {
	file := addFile(t, s, "what was sent")
	added, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1, File: file})
	noError(t, err)
	k := claimTask(t, s, time.Hour, "import")
	k.Notes, k.Done, k.Of = []byte("{}"), 3, 3
	noError(t, s.KeepTask(t.Context(), k, time.Hour))
	k.Result, k.Output, k.Error = []byte(`{"rows":3}`), addFile(t, s, "what was made"), "not this"
	noError(t, s.FinishTask(t.Context(), k))
	got := task(t, s.other, added.ID)
	if got.State != job.Done || string(got.Result) != `{"rows":3}` || got.Done != 3 || got.Error != "" || got.File != 0 || len(got.Notes) != 0 {
		t.Errorf("finished as %+v", got)
	}
	_, err = readFile(t, s, file, 0)
	wantKind(t, err, fault.Missing)
	if text, err := readFile(t, s, got.Output, 0); text != "what was made" || err != nil {
		t.Errorf("its output is %q (%v)", text, err)
	}
}

func taskFailed(t *testing.T, s nodes) {
	file := addFile(t, s, "what was sent")
	_, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1, File: file})
	noError(t, err)
	k := claimTask(t, s, time.Hour, "import")
	k.Result, k.Error = []byte(`{"rows":3}`), "no line names a company"
	noError(t, s.FailTask(t.Context(), k))
	got := task(t, s.other, k.ID)
	if got.State != job.Failed || string(got.Result) != `{"rows":3}` || got.Error != k.Error || got.FinishedAt.IsZero() {
		t.Errorf("failed as %+v", got)
	}
	_, err = readFile(t, s, file, 0)
	wantKind(t, err, fault.Missing)
}

func taskReturned(t *testing.T, s nodes) {
	addTask(t, s, "import", "x")
	k := claimTask(t, s, time.Hour, "import")
	k.Attempts = 4
	noError(t, s.ReturnTask(t.Context(), k, 0))
	k = claimTask(t, s.other, time.Hour, "import")
	if k.Attempts != 5 {
		t.Errorf("claimed for attempt %d, want 5", k.Attempts)
	}
	noError(t, s.ReturnTask(t.Context(), k, time.Hour))
	if got := task(t, s, k.ID); got.State != job.Waiting {
		t.Errorf("it is %s", got.State)
	}
	noTask(t, s, "import")
}

func tasksForgotten(t *testing.T, s nodes) {
	sent, made, orphan := addFile(t, s, "sent"), addFile(t, s, "made"), addFile(t, s, "nobody's")
	_, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1})
	noError(t, err)
	over := claimTask(t, s, time.Hour, "import")
	over.Output = made
	noError(t, s.FinishTask(t.Context(), over))
	open, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1, File: sent})
	noError(t, err)

	noError(t, s.ForgetTasks(t.Context(), time.Now().Add(-time.Hour)))
	task(t, s, over.ID)
	for _, id := range []job.FileID{sent, made, orphan} {
		if _, err := readFile(t, s, id, 0); err != nil {
			t.Errorf("a file was forgotten before its time: %v", err)
		}
	}
	noError(t, s.ForgetTasks(t.Context(), time.Now().Add(time.Hour)))
	_, err = s.Task(t.Context(), 1, over.ID)
	wantKind(t, err, fault.Missing)
	for _, id := range []job.FileID{made, orphan} {
		_, err := readFile(t, s, id, 0)
		wantKind(t, err, fault.Missing)
	}
	task(t, s, open.ID)
	if text, err := readFile(t, s, sent, 0); text != "sent" || err != nil {
		t.Errorf("the open task's file is %q (%v)", text, err)
	}
}

func taskNumbers(t *testing.T, s nodes) {
	last := job.TaskID(0)
	for range 3 {
		k := addTask(t, s, "import", "x")
		if k.ID <= last {
			t.Errorf("number %d after %d", k.ID, last)
		}
		last = k.ID
		noError(t, s.FinishTask(t.Context(), claimTask(t, s, time.Hour, "import")))
		noError(t, s.ForgetTasks(t.Context(), time.Now().Add(time.Hour)))
	}
}
