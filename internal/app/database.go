package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"bureau/internal/store"
)

// KeyPath is where the key file lies.
func (p Place) KeyPath() string { return p.keyFile() }

// Restore fills an empty database from a backup.
func Restore(ctx context.Context, p Place, path string, progress func(table string, rows int64)) (sum store.Summary, err error) {
	f, err := os.Open(path)
	if err != nil {
		return sum, fmt.Errorf("open the backup: %w", err)
	}
	defer f.Close()
	db, err := store.Connect(ctx, p.database())
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return store.Restore(ctx, db, f, progress)
}

// Migrate brings the schema up to date.
func Migrate(ctx context.Context, p Place) (int64, error) {
	db, err := store.Connect(ctx, p.database())
	if err != nil {
		return 0, err
	}
	schema, err := db.Migrate(ctx)
	return schema, errors.Join(err, db.Close())
}
