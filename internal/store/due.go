package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/company"
)

// Deadlines implements company.View.
func (v *view) Deadlines(ctx context.Context, after company.Deadline, before company.Date, limit int) ([]company.Deadline, error) {
	var out []company.Deadline
	err := each(ctx, v.t, func(r row) error {
		var d company.Deadline
		err := r.Scan(&d.Day, &d.Company)
		out = append(out, d)
		return err
	}, `
		SELECT accounts_due, id FROM company
		WHERE accounts_due <> '' AND (accounts_due, id) > ($1, $2) AND accounts_due < $3
		ORDER BY accounts_due, id
		LIMIT $4 + 0`, string(after.Day), string(after.Company), string(before), limit)
	return out, err
}

// Undated implements company.View.
func (v *view) Undated(ctx context.Context, limit int) ([]company.ID, error) {
	var out []company.ID
	err := each(ctx, v.t, func(r row) error {
		var id company.ID
		err := r.Scan(&id)
		out = append(out, id)
		return err
	}, `SELECT id FROM company WHERE accounts_due <> '' AND accounts_due = '?' LIMIT $1 + 0`, limit)
	return out, err
}

// ScoresDue implements company.Store.
func (db *DB) ScoresDue(ctx context.Context, by company.Date, limit int) ([]company.ID, error) {
	var out []company.ID
	err := each(ctx, db, func(r row) error {
		var id company.ID
		err := r.Scan(&id)
		out = append(out, id)
		return err
	}, `
		SELECT id FROM company
		WHERE rerate <> '' AND rerate <= $1
		ORDER BY rerate, id
		LIMIT $2 + 0`, string(by), limit)
	if err != nil {
		return nil, fmt.Errorf("find scores that are due: %w", err)
	}
	return out, nil
}

// Note implements company.View.
func (v *view) Note(ctx context.Context, name string) (string, error) {
	text, err := setting(ctx, v.t, "note "+name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return string(text), err
}

// keepNotes keeps what a Write notes for the next one.
func keepNotes(ctx context.Context, t tx, notes map[string]string) error {
	for name, text := range notes {
		if err := saveSetting(ctx, t, "note "+name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}
