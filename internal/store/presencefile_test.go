//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A node that is killed leaves its file behind. The next one that starts takes it
// away, and leaves those of the living, and whatever only looks alike.
func TestANodeTidiesUpAfterTheDead(t *testing.T) {
	t.Parallel()
	database := filepath.Join(t.TempDir(), "bureau.db")
	living, next := newFilePresence(database), newFilePresence(database)
	must(t, living.announce(t.Context(), "living"))
	dead := living.path("dead")
	others := []string{database, database + "-node-notes", filepath.Join(filepath.Dir(database), "other.db-node-0123456789abcdef")}
	for _, path := range append(others, dead) {
		must(t, os.WriteFile(path, nil, 0o600))
	}
	must(t, next.announce(t.Context(), "next"))
	want := append(others, living.path("living"), next.path("next"))
	slices.Sort(want)
	left, err := filepath.Glob(filepath.Join(filepath.Dir(database), "*"))
	if must(t, err); !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	next.close()
	living.close()
	if left, _ := filepath.Glob(database + "-node-*"); !slices.Equal(left, []string{database + "-node-notes"}) {
		t.Errorf("left after a clean stop: %q", left)
	}
}
