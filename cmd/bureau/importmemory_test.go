package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bureau/internal/importer/invented"
	"bureau/internal/lacktest"
)

// TestImportTakesTheSameMemoryForAnyFile reads how much a process ever held: for
// a first import, for the same file again, and for a newer edition in which
// every record is reworded. A file of millions takes no more than it may.
func TestImportTakesTheSameMemoryForAnyFile(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		lacktest.Skip(t, "this system does not tell how much memory a process had")
	}
	sizes := []int{100_000}
	if prove() {
		sizes = []int{100_000, 5_000_000}
	}
	for _, rows := range sizes {
		dir := t.TempDir()
		first, second := filepath.Join(dir, "first.csv"), filepath.Join(dir, "second.csv")
		streamList(t, first, rows, "", "")
		type edition struct{ what, file string }
		list := []edition{{"the first import", first}, {"the same again", first}}
		if prove() {
			streamList(t, second, rows, " STREET", " LANE")
			list = append(list, edition{"every record reworded", second})
		}
		for name, url := range engines {
			h := newHome(t, url(t))
			for _, e := range list {
				const most = 300 // MB
				began := time.Now()
				mb := h.peak(t, e.file)
				t.Logf("%s, %s: %d rows, %d MB at most, %v", name, e.what, rows, mb, time.Since(began).Round(time.Second))
				if mb > most {
					t.Errorf("%s, %s: %d MB for %d rows, want at most %d", name, e.what, mb, rows, most)
				}
			}
		}
	}
}

// streamList writes a list without holding it.
func streamList(t *testing.T, path string, rows int, old, new string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	s := invented.CompaniesHouse(rows, 0)
	record := s.Record
	s.Record = func(i int) string {
		if old == "" {
			return record(i)
		}
		return strings.Replace(record(i), old, new, 1)
	}
	_, err = io.Copy(f, s)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// peak runs an import and returns the most memory that it had, in MB.
func (h home) peak(t *testing.T, file string) (mb int64) {
	t.Helper()
	c := h.command(file)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }() // until the end of the import
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		for line := range strings.Lines(string(status)) {
			var kb int64
			if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kb); err == nil {
				mb = max(mb, kb/1024)
			}
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("import: %v\n%s", err, said.String())
			}
			return mb
		case <-time.After(100 * time.Millisecond): // between two looks
		}
	}
}
