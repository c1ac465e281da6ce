package kyc

import "testing"

// BeAnotherProgram is as if the test's program were another.
func BeAnotherProgram(t *testing.T) {
	was := program
	t.Cleanup(func() { program = was })
	program = func() (uint64, error) { return 1, nil }
}
