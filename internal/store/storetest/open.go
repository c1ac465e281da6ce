package storetest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Open opens a database as open does. A file that is not there yet gets its tables
// from one that open made before, for all tests of this process: under the race
// detector it takes a second to make them, and no time to copy them.
func Open[DB io.Closer](ctx context.Context, url string, open func(ctx context.Context, url string) (DB, error)) (DB, error) {
	if _, err := os.Stat(url); errors.Is(err, fs.ErrNotExist) && !strings.Contains(url, "://") {
		model.once.Do(func() {
			model.file, model.err = makeModel(func(path string) (io.Closer, error) { return open(context.WithoutCancel(ctx), path) })
		})
		if err := errors.Join(model.err, os.WriteFile(url, model.file, 0o600)); err != nil {
			var none DB
			return none, err
		}
	}
	return open(ctx, url)
}

// model is a file with tables and nothing else.
var model struct {
	once sync.Once
	file []byte
	err  error
}

func makeModel(open func(path string) (io.Closer, error)) ([]byte, error) {
	dir, err := os.MkdirTemp("", "bureau-model-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.db")
	db, err := open(path)
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil { // folds the log into the file
		return nil, err
	}
	return os.ReadFile(path)
}
