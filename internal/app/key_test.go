package app

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Many who make the key at once end up with the same. (The stories do it with
// two processes.)
func TestKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sub", "bureau.key")
	keys := make([][]byte, 16)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = makeKey(path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, k := range keys {
		if !bytes.Equal(k, keys[0]) {
			t.Fatal("two keys were made")
		}
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("want the key alone in its folder, got %v, %v", files, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v; want mode 0600", info, err)
	}
}

func TestKeyThatOthersCanReadIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bureau.key")
	if _, err := makeKey(path); err != nil {
		t.Fatal(err)
	}
	for mode, fine := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o640: false, 0o604: false, 0o660: false, 0o601: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := readKey(path)
		if fine && err != nil || !fine && (err == nil || !strings.Contains(err.Error(), "chmod 600")) {
			t.Errorf("mode %o: got %v", mode, err)
		}
	}
}

// Processes that open a new database together race for its key and for the
// row that says which key it has.
func TestNewDatabaseIsOpenedByManyAtOnce(t *testing.T) {
	t.Parallel()
	for range 5 {
		c := config(t)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				log, _ := newLog()
				a, err := Open(t.Context(), c, log)
				if err != nil {
					t.Error(err)
					return
				}
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}
