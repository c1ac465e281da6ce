package app

import (
	"math"
	"runtime"
	"runtime/debug"
)

// PrepareProcess sets the Go runtime up for a node that serves, and returns what
// must be kept alive as long as it does.
func PrepareProcess() (ballast []byte) {
	// Checking a chosen password takes a core for 40 ms. With more threads than
	// cores it is the system that shares them out, and it lets the short work
	// of other calls in between at once.
	runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))

	// The heap of a quiet node is a few megabytes, and Go would collect garbage
	// whenever it has doubled: dozens of times a second under load, for a quarter
	// of the CPU. Memory that is never touched takes up none, but counts as heap.
	// Who has set a limit for the memory has decided otherwise.
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		ballast = make([]byte, 64<<20)
	}
	return ballast
}
