package bench

import (
	"path/filepath"
	"strings"
	"testing"
)

// What a command was called with is told when it fails, but for the password in it.
func TestAFailedCommandIsToldWithoutPasswords(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "bureau")
	p := place{w: &workshop{program: nowhere}, data: "data", db: "postgres://bureau:s3cr3t@127.0.0.1:1/bureau"}
	_, timed := p.timed(t.Context(), nil, "migrate")
	for _, err := range []error{p.run(t.Context(), "", nil, "migrate"), timed} {
		const want = "bureau migrate --data data --db postgres://bureau:xxxxx@127.0.0.1:1/bureau: "
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("got %v, want it to begin with %s", err, want)
		}
	}
}
