package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/store"
)

// openVault reads the key file. It makes one only for a database that has never
// had a key: what another key sealed, a new one cannot open.
func openVault(ctx context.Context, p Place, db *store.DB) (*auth.Vault, error) {
	path := p.keyFile()
	key, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		old, dberr := db.HasKeyCheck(ctx)
		if dberr != nil {
			return nil, fmt.Errorf("look for the database's key: %w", dberr)
		}
		if old {
			// Another process may have made both while we looked.
			if key, err = readKey(path); errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("the key file %s is missing, and the database cannot be opened without it: put it back, or name it with --key-file", path)
			}
		} else {
			key, err = makeKey(path)
		}
	}
	if err != nil {
		return nil, err
	}
	v, err := auth.NewVault(key)
	if err != nil {
		return nil, fmt.Errorf("the key file %s: %w", path, err)
	}
	return v, db.CheckKey(ctx, v.Check())
}

func readKey(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the key file: %w", err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the key file %s can be read by others: chmod 600 it", path)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(key) != auth.MasterKeySize {
		return nil, fmt.Errorf("the key file %s does not hold a key: it is one line, %d bytes in base64", path, auth.MasterKeySize)
	}
	return key, nil
}

// makeKey writes a new key so that a crash leaves a whole file or none, and two
// processes that start together end up with the same.
func makeKey(path string) ([]byte, error) {
	key := make([]byte, auth.MasterKeySize)
	rand.Read(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the key file: %w", err)
	}
	text := base64.StdEncoding.EncodeToString(key) + "\n"
	tmp, err := os.CreateTemp(filepath.Dir(path), ".key-*")
	if err != nil {
		return nil, fmt.Errorf("make the key file: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.WriteString(text)
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err != nil {
		return nil, fmt.Errorf("write the key file: %w", err)
	}
	// Link fails where Rename would replace a file that another process has
	// made in the meantime.
	if err := os.Link(tmp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make the key file: %w", err)
	}
	return readKey(path)
}
