package sourcetest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared finds a file or folder of the real data beside the repository, and
// skips the test where there is none.
func Shared(tb testing.TB, parts ...string) string {
	tb.Helper()
	root, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(root)
		if up == root {
			tb.Fatal("there is no go.mod above this folder")
		}
		root = up
	}
	rel := filepath.Join(append([]string{"..", "shared", "data"}, parts...)...)
	path := filepath.Join(root, rel)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("no real data to read: %s is missing", rel)
	}
	return path
}

// Real reads a file of the real data.
func Real(t *testing.T, src Source, parts ...string) Reading {
	t.Helper()
	path := Shared(t, parts...)
	in := open(t, path)
	defer in.Close()
	read := Collect(src, in, filepath.Base(path))
	t.Logf("%s: %d statements, %d bad records, error %v", filepath.Join(parts...), len(read.Statements), len(read.Bad), read.Err)
	return read
}
