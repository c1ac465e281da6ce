package store

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A backup of 64 MB goes out and in with a few of them in memory at a time.
// Not in parallel with other tests: they have the same heap.
func TestBackupStreams(t *testing.T) {
	const rows, each, most = 64, 1 << 20, 24 << 20
	for name, fresh := range engines {
		t.Run(name, func(t *testing.T) {
			old := open(t, fresh(t))
			chunk := make([]byte, each)
			err := old.write(t.Context(), func(w tx) error {
				return w.Bulk(t.Context(), "login_attempts", []string{"number", "at", "attempts"}, rows, func(i int) []any {
					rand.Read(chunk)
					return []any{int64(i), int64(0), chunk}
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "backup")
			out := peak(func() { _, err = BackupFile(t.Context(), old, path, false, nil) })
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			db := connect(t, fresh(t))
			in := peak(func() { _, err = Restore(t.Context(), db, f, nil) })
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("peak of the heap: backup %d MB, restore %d MB", out>>20, in>>20)
			if max(out, in) > most {
				t.Errorf("the heap grew to %d MB for %d MB of data, want at most %d", max(out, in)>>20, rows*each>>20, most>>20)
			}
		})
	}
}

// peak is by how much the heap grew at most while f ran. Garbage is collected
// early meanwhile, so that what is held is measured and not what was let go.
func peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	before, most := heap(), uint64(0)
	done, measured := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(measured)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if now := heap(); now > before {
					most = max(most, now-before)
				}
			}
		}
	}()
	f()
	close(done)
	<-measured
	return most
}
