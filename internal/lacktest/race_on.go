//go:build race

package lacktest

// Race reports that the race detector is on. It looks at goroutines that meet and
// makes all else ten times as slow, so that what one goroutine does over and over
// is done less often: without the detector it runs whole.
const Race = true
