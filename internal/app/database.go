package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"bureau/internal/auth"
	"bureau/internal/store"
)

// KeyPath is where the key file lies.
func (p Place) KeyPath() string { return p.keyFile() }

// mustExist refuses a place where no file is: to open it would make one. What is
// in it, and what is in a PostgreSQL, is seen when it is open.
func (p Place) mustExist() error {
	if !p.Embedded() || p.check() != nil {
		return nil
	}
	if _, err := os.Stat(p.database()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database %s: 'bureau serve' or 'bureau customer add' makes one; --data or --db name another", p.database())
	}
	return nil
}

// BackupView is a backup as commands show it.
type BackupView struct {
	Schema int64  `json:"schema"`
	MadeAt string `json:"madeAt"`
	Tables int    `json:"tables"`
	Rows   int64  `json:"rows"`
	// KeyFile says what is wrong with the key file, if anything is.
	KeyFile string `json:"keyFile,omitempty"`
}

func toBackupView(s store.Summary) BackupView {
	return BackupView{Schema: s.Schema, MadeAt: s.MadeAt.UTC().Format(time.RFC3339), Tables: s.Tables, Rows: s.Rows}
}

// Backup writes the database to a file while it is in use.
func (a *App) Backup(ctx context.Context, path string, force bool, progress func(table string, rows int64)) (BackupView, error) {
	if err := a.Journal.Sign(ctx); err != nil {
		return BackupView{}, fmt.Errorf("sign the audit log: %w", err)
	}
	s, err := store.BackupFile(ctx, a.DB, path, force, progress)
	return toBackupView(s), err
}

// Restore fills an empty database from a backup.
func Restore(ctx context.Context, p Place, path string, progress func(table string, rows int64)) (v BackupView, err error) {
	if err := p.check(); err != nil {
		return v, err
	}
	f, err := os.Open(path)
	if err != nil {
		return v, fmt.Errorf("open the backup: %w", err)
	}
	defer f.Close()
	db, err := store.Connect(ctx, p.database())
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s, err := store.Restore(ctx, db, f, progress)
	v = toBackupView(s)
	if err == nil {
		if err := matchKey(ctx, p, db); err != nil {
			v.KeyFile = Explain(err)
		}
	}
	return v, err
}

// matchKey reports what is wrong with the key file for a database.
func matchKey(ctx context.Context, p Place, db *store.DB) error {
	key, err := readKey(p.keyFile())
	if err != nil {
		return err
	}
	vault, err := auth.NewVault(key)
	if err != nil {
		return err
	}
	return db.MatchKey(ctx, vault.Check())
}

// Migrate brings the schema up to date.
func Migrate(ctx context.Context, p Place) (int64, error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	db, err := store.Connect(ctx, p.database())
	if err != nil {
		return 0, err
	}
	schema, err := db.Migrate(ctx)
	return schema, errors.Join(err, db.Close())
}
