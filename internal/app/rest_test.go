package app

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
)

// A node that rests gives memory back, and one that is busy does not.
func TestRestGivesMemoryBack(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nobody else gives it back
	for range 64 {
		b := make([]byte, 1<<20)
		runtime.KeepAlive(b)
	}
	var r resting
	r.calls.Store(fewCalls + 1)
	if err := r.step(t.Context()); err != nil || spare() <= worthIt {
		t.Errorf("a busy node gave memory back: %d bytes are spare (%v)", spare(), err)
	}
	if err := r.step(t.Context()); err != nil || spare() > worthIt {
		t.Errorf("%d bytes are spare after a rest (%v)", spare(), err)
	}
}

// The pages of the program are let go, and come back as they are needed.
func TestProgramIsForgotten(t *testing.T) {
	before := filePages(t)
	if err := forgetProgram(); err != nil {
		t.Fatal(err)
	}
	if after := filePages(t); before > 0 && after >= before {
		t.Errorf("the program's pages took %d KB, and take %d", before, after)
	}
}

// filePages is how many KB of files are in this process's memory; 0 where the system
// does not tell.
func filePages(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/status")
	if os.IsNotExist(err) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "RssFile:")
	kb, err := strconv.Atoi(strings.Fields(rest + " 0")[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb
}
