package storetest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// files are the promises of job.TaskStore about files.
var files = []promise{
	{"a file of any size comes back as it was sent, from any place on", fileComesBack},
	{"of a file that breaks off nothing stays behind", fileBreaksOff},
	{"a slow file holds up nobody", fileSlow},
	{"a file belongs to one task", fileTaken},
	{"a file that nobody has can be dropped, and only such a one", fileDropped},
}

func addFile(t tb, s job.TaskStore, text string) job.FileID {
	t.Helper()
	id, size, err := s.AddFile(t.Context(), strings.NewReader(text))
	noError(t, err)
	if id == 0 || size != int64(len(text)) {
		t.Errorf("file %d has %d bytes, want %d", id, size, len(text))
	}
	return id
}

func readFile(t tb, s job.TaskStore, id job.FileID, from int64) (string, error) {
	b, err := io.ReadAll(s.OpenFile(t.Context(), id, from))
	return string(b), err
}

func fileComesBack(t *testing.T, s nodes) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 1000, 512 << 10, 512<<10 + 1, 3<<20 + 7} {
		want := make([]byte, size)
		for i := range want {
			want[i] = byte(random.Uint32())
		}
		// It comes in odd pieces, as over a network.
		id, n, err := s.AddFile(t.Context(), iotest.OneByteReader(bytes.NewReader(want[:min(size, 100)])))
		noError(t, err)
		if n != int64(min(size, 100)) {
			t.Errorf("%d bytes were kept", n)
		}
		noError(t, s.DropFile(t.Context(), id))
		id = addFile(t, s, string(want))
		for _, from := range []int64{0, 1, int64(size) / 2, 512 << 10, int64(size) - 1, int64(size)} {
			if from < 0 || from > int64(size) {
				continue
			}
			got, err := readFile(t, s.other, id, from)
			if err != nil || got != string(want[from:]) {
				t.Errorf("%d bytes from %d: got %d (%v)", size, from, len(got), err)
			}
		}
	}
	_, err := readFile(t, s, 1<<40, 0)
	wantKind(t, err, fault.Missing)
}

func fileBreaksOff(t *testing.T, s nodes) {
	wrong := errors.New("the line is dead")
	before := addFile(t, s, "x")
	long := strings.Repeat("y", 2<<20)
	_, _, err := s.AddFile(t.Context(), io.MultiReader(strings.NewReader(long), iotest.ErrReader(wrong)))
	if !errors.Is(err, wrong) {
		t.Errorf("got %v, want the reader's own error", err)
	}
	_, err = readFile(t, s, before+1, 0)
	wantKind(t, err, fault.Missing)
	_, _, err = s.AddFile(t.Context(), iotest.ErrReader(fault.Invalid.Errorf("too long")))
	wantKind(t, err, fault.Invalid)
}

// fileSlow adds another file and a task while the first is being read.
func fileSlow(t *testing.T, s nodes) {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, _, err := s.AddFile(t.Context(), r)
		done <- err
	}()
	_, err := w.Write(bytes.Repeat([]byte("slow"), 200<<10))
	noError(t, err)
	addFile(t, s, "quick")
	addFile(t, s.other, "quick")
	addTask(t, s.other, "import", "")
	noError(t, w.Close())
	noError(t, <-done)
}

func fileTaken(t *testing.T, s nodes) {
	id := addFile(t, s, "x")
	_, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1, File: id})
	noError(t, err)
	for _, taken := range []job.FileID{id, id + 1000} {
		if _, err := s.other.AddTask(t.Context(), job.Task{Kind: "import", Customer: 2, File: taken}); err == nil {
			t.Errorf("another task has taken up file %d", taken)
		}
	}
	if n, err := s.OpenTasks(t.Context(), 2); n != 0 || err != nil {
		t.Errorf("%d tasks were added without their files (%v)", n, err)
	}
}

func fileDropped(t *testing.T, s nodes) {
	id, taken := addFile(t, s, "x"), addFile(t, s, "y")
	_, err := s.AddTask(t.Context(), job.Task{Kind: "import", Customer: 1, File: taken})
	noError(t, err)
	for range 2 {
		noError(t, s.DropFile(t.Context(), id))
		noError(t, s.DropFile(t.Context(), taken))
	}
	_, err = readFile(t, s, id, 0)
	wantKind(t, err, fault.Missing)
	if text, err := readFile(t, s, taken, 0); text != "y" || err != nil {
		t.Errorf("the task's file is %q (%v)", text, err)
	}
}
