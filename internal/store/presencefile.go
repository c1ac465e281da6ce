//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
)

// filePresence keeps a locked file beside the database for each owner: all who
// use one SQLite file are on one machine.
type filePresence struct {
	database string

	mu   sync.Mutex
	held map[string]*os.File
}

func newFilePresence(database string) *filePresence {
	return &filePresence{database: database, held: map[string]*os.File{}}
}

func (p *filePresence) path(owner string) string {
	return fmt.Sprintf("%s-node-%016x", p.database, presenceKey(owner))
}

func (p *filePresence) announce(_ context.Context, owner string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[owner] != nil {
		return nil
	}
	if len(p.held) == 0 {
		p.tidyAll()
	}
	for {
		f, err := os.OpenFile(p.path(owner), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return fmt.Errorf("be present: %w", err)
		}
		if err := flock(f, syscall.LOCK_SH); err != nil {
			f.Close()
			return fmt.Errorf("be present: lock %s: %w", f.Name(), err)
		}
		if isStill(f) {
			p.held[owner] = f
			return nil
		}
		f.Close() // somebody tidied it away before it was locked
	}
}

// isStill reports whether a file that is open is still there under its name.
func isStill(f *os.File) bool {
	open, err1 := f.Stat()
	there, err2 := os.Stat(f.Name())
	return err1 == nil && err2 == nil && os.SameFile(open, there)
}

func (p *filePresence) gone(_ context.Context, _ tx, owner string) (bool, error) {
	f, err := os.OpenFile(p.path(owner), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for a node: %w", err)
	}
	defer f.Close()
	return tidy(f)
}

// tidy removes the file of an owner that is gone, and reports whether it is.
func tidy(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("lock %s: %w", f.Name(), err)
	case isStill(f):
		_ = os.Remove(f.Name()) // else it stays, and says the same
	}
	return true, nil
}

// nodeFile is how the name of an owner's file ends.
var nodeFile = regexp.MustCompile(`^-node-[0-9a-f]{16}$`)

// tidyAll removes the files of owners who were killed. Nobody else asks for them
// once their leases have ended. One that cannot be removed does no harm.
func (p *filePresence) tidyAll() {
	files, err := os.ReadDir(filepath.Dir(p.database))
	if err != nil {
		return
	}
	for _, file := range files {
		end, ours := strings.CutPrefix(file.Name(), filepath.Base(p.database))
		if !ours || !nodeFile.MatchString(end) {
			continue
		}
		if f, err := os.OpenFile(p.database+end, os.O_RDWR, 0); err == nil {
			_, _ = tidy(f)
			f.Close()
		}
	}
}

func (p *filePresence) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for owner, f := range p.held {
		_, _ = tidy(f)
		f.Close()
		delete(p.held, owner)
	}
}

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
