package lacktest

import (
	"os"
	"os/exec"
	"testing"
)

// Skip leaves a test out and says what it lacks. Under BUREAU_CI=1 nothing may be
// left out: there the test fails.
func Skip(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if os.Getenv("BUREAU_CI") == "1" {
		tb.Fatalf("in CI no test is left out: "+format, args...)
	}
	tb.Skipf("left out: "+format, args...)
}

// Program is the path of a program that a test runs.
func Program(tb testing.TB, name string) string {
	tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil { // servers are where only root looks
		path, err = exec.LookPath("/usr/sbin/" + name)
	}
	if err != nil {
		Skip(tb, "there is no %s here", name)
	}
	return path
}
