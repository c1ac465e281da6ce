package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/fault"
)

// errOtherKey is what a node with the wrong key file is told.
var errOtherKey = errors.New("the database was made with another key file: give the one it was made with (--key-file)")

// CheckKey remembers the fingerprint of the master key in a new database, and
// refuses another in an old one.
func (db *DB) CheckKey(ctx context.Context, check []byte) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			INSERT INTO setting (name, value) VALUES ('key check', $1)
			ON CONFLICT (name) DO NOTHING`, check)
		if err != nil {
			return err
		}
		kept, err := setting(ctx, t, "key check")
		if err != nil {
			return err
		}
		if !bytes.Equal(kept, check) {
			return errOtherKey
		}
		return nil
	})
	if err != nil && !errors.Is(err, errOtherKey) {
		return fmt.Errorf("check the key: %w", err)
	}
	return err
}

// MatchKey is CheckKey for those who only look: it remembers nothing.
func (db *DB) MatchKey(ctx context.Context, check []byte) error {
	kept, err := setting(ctx, db, "key check")
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("check the key: %w", err)
	case !bytes.Equal(kept, check):
		return errOtherKey
	}
	return nil
}

// HasKeyCheck reports whether the database belongs to a key already.
func (db *DB) HasKeyCheck(ctx context.Context) (bool, error) {
	_, err := setting(ctx, db, "key check")
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Setting returns what was saved under a name. If nothing was, it is a
// fault.Missing.
func (db *DB) Setting(ctx context.Context, name string) ([]byte, error) {
	value, err := setting(ctx, db, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fault.Missing.Errorf("there is no setting %s", name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the setting %s: %w", name, err)
	}
	return value, nil
}

// SaveSetting saves a value under a name, in place of an older one. It is kept as
// it is: what is secret must be sealed.
func (db *DB) SaveSetting(ctx context.Context, name string, value []byte) error {
	err := db.write(ctx, func(t tx) error { return saveSetting(ctx, t, name, value) })
	if err != nil {
		return fmt.Errorf("save the setting %s: %w", name, err)
	}
	return nil
}

func saveSetting(ctx context.Context, t tx, name string, value []byte) error {
	_, err := t.Exec(ctx, `
		INSERT INTO setting (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

func setting(ctx context.Context, t tx, name string) (value []byte, err error) {
	err = t.QueryRow(ctx, `SELECT value FROM setting WHERE name = $1`, name).Scan(&value)
	return value, err
}
