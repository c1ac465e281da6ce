package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// BackupFile makes a backup in a file that only its owner may read. The file is
// whole and on disk, or it is not there: it is written under another name
// first. A file that is there already is kept, unless force is set.
func BackupFile(ctx context.Context, db *DB, path string, force bool, progress func(table string, rows int64)) (Summary, error) {
	if !force {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return Summary{}, taken(path, err)
		}
	}
	// A name of its own: two backups at once must not write to the same.
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return Summary{}, fmt.Errorf("back up: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	s, err := db.Backup(ctx, f, progress)
	if err != nil {
		return Summary{}, err
	}
	if err := f.Sync(); err != nil {
		return Summary{}, fmt.Errorf("back up: %w", err)
	}
	if err := f.Close(); err != nil {
		return Summary{}, fmt.Errorf("back up: %w", err)
	}
	return s, place(f.Name(), path, force)
}

// place gives a finished file its name, for good.
func place(from, to string, force bool) error {
	var err error
	if force {
		err = os.Rename(from, to)
	} else if err = os.Link(from, to); err != nil {
		// Someone made the file while we worked, or the disk knows no links.
		if _, there := os.Lstat(to); !errors.Is(there, fs.ErrNotExist) {
			return taken(to, there)
		}
		err = os.Rename(from, to)
	}
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	return syncFolder(filepath.Dir(to))
}

func taken(path string, err error) error {
	if err == nil {
		err = errors.New("there is a file of this name already; it was not touched")
	}
	return fmt.Errorf("back up to %s: %w", path, err)
}

// syncFolder puts a new name on disk.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("back up: sync the folder: %w", err)
	}
	return nil
}
