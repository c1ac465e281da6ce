package match

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// SaveFile writes a file that is there whole or as it was. An index holds names of
// people: only its owner may read it.
func SaveFile(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*") // which only the owner may read
	if err != nil {
		return err
	}
	if err = errors.Join(write(tmp), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
	}
	return err
}
