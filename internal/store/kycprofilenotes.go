package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/kyc"
)

const noteColumns = `id, body, archived, created_at, created_by, modified_at, modified_by`

func readNote(r row) (n kyc.Note, err error) {
	err = r.Scan(&n.ID, &n.Body, flag{&n.Archived}, stamp{&n.Created.At}, &n.Created.By, stamp{&n.Modified.At}, &n.Modified.By)
	return n, err
}

// noteError says what a database error means for a note.
func (db *DB) noteError(doing string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing.Errorf("Note not found")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// holdProfile finds a profile of the caller's customer, and keeps it there until
// the transaction ends.
func (db *DB) holdProfile(ctx context.Context, t tx, by auth.Caller, id kyc.ProfileID) error {
	var one int64
	err := t.QueryRow(ctx, `
		SELECT 1 FROM kyc_profile
		WHERE customer = $1 AND id = $2 `+db.d.forShare, by.Customer, string(id)).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing.Errorf("Profile not found")
	}
	return err
}

// AddNote implements kyc.ProfileStore.
func (db *DB) AddNote(ctx context.Context, by auth.Caller, of kyc.ProfileID, n kyc.Note) error {
	err := db.write(ctx, func(t tx) error {
		if err := db.holdProfile(ctx, t, by, of); err != nil {
			return err
		}
		_, err := t.Exec(ctx, `
			INSERT INTO kyc_note (id, profile, body, folded, archived, created_at, created_by, modified_at, modified_by, customer)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
			string(n.ID), string(of), n.Body, kyc.Folded(n.Body), flag{&n.Archived}, stamp{&n.Created.At}, int64(n.Created.By),
			stamp{&n.Modified.At}, int64(n.Modified.By), by.Customer)
		return err
	})
	return db.noteError("add a note", err)
}

// note reads a note of a profile that the caller may see.
func (db *DB) note(ctx context.Context, t tx, by auth.Caller, of kyc.ProfileID, id kyc.NoteID, lock string) (kyc.Note, error) {
	return readNote(t.QueryRow(ctx, `
		SELECT `+noteColumns+` FROM kyc_note
		WHERE customer = $1 AND profile = $2 AND id = $3 `+lock,
		by.Customer, string(of), string(id)))
}

// Note implements kyc.ProfileStore.
func (db *DB) Note(ctx context.Context, by auth.Caller, of kyc.ProfileID, id kyc.NoteID) (kyc.Note, error) {
	n, err := db.note(ctx, db, by, of, id, "")
	if err != nil {
		return kyc.Note{}, db.noteError("find a note", err)
	}
	return n, nil
}

// Notes implements kyc.ProfileStore.
func (db *DB) Notes(ctx context.Context, by auth.Caller, of kyc.ProfileID, q kyc.NoteQuery) (out []kyc.Note, total int64, err error) {
	archived := int64(-1)
	if q.Archived != nil {
		archived = 0
		if *q.Archived {
			archived = 1
		}
	}
	err = db.snapshot(ctx, func(t tx) error {
		// What is read here cannot be locked, and need not be.
		var one int64
		err := t.QueryRow(ctx, `SELECT 1 FROM kyc_profile WHERE customer = $1 AND id = $2`, by.Customer, string(of)).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.Missing.Errorf("Profile not found")
		}
		if err != nil {
			return err
		}
		where := `
			FROM kyc_note
			WHERE customer = $4 AND profile = $1
			  AND ($2 = '' OR folded LIKE '%' || $2 || '%' ESCAPE '\')
			  AND (archived = $3 OR $3 < 0)`
		args := []any{string(of), literally.Replace(kyc.Folded(q.Term)), archived, by.Customer}
		if err := t.QueryRow(ctx, `SELECT COUNT(*) `+where, args...).Scan(&total); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			n, err := readNote(r)
			out = append(out, n)
			return err
		}, `SELECT `+noteColumns+where+` ORDER BY created_at DESC, id DESC LIMIT $5 + 0 OFFSET $6 + 0`, append(args, q.Limit, q.Skip)...)
	})
	if err != nil {
		return nil, 0, db.noteError("list notes", err)
	}
	return out, total, nil
}

// UpdateNote implements kyc.ProfileStore.
func (db *DB) UpdateNote(ctx context.Context, by auth.Caller, of kyc.ProfileID, id kyc.NoteID, edit func(*kyc.Note) error) (n kyc.Note, err error) {
	err = db.write(ctx, func(t tx) error {
		if n, err = db.note(ctx, t, by, of, id, db.d.forUpdate); err != nil {
			return err
		}
		if err := edit(&n); err != nil {
			return err
		}
		_, err := t.Exec(ctx, `
			UPDATE kyc_note
			SET body = $2, folded = $3, archived = $4, modified_at = $5, modified_by = $6
			WHERE id = $1 AND customer = $7`,
			string(id), n.Body, kyc.Folded(n.Body), flag{&n.Archived}, stamp{&n.Modified.At}, int64(n.Modified.By), by.Customer)
		return err
	})
	if err != nil {
		return kyc.Note{}, db.noteError("change a note", err)
	}
	return n, nil
}

// DeleteNote implements kyc.ProfileStore.
func (db *DB) DeleteNote(ctx context.Context, by auth.Caller, of kyc.ProfileID, id kyc.NoteID) error {
	err := db.write(ctx, func(t tx) error {
		if _, err := db.note(ctx, t, by, of, id, db.d.forUpdate); err != nil {
			return err
		}
		_, err := t.Exec(ctx, `DELETE FROM kyc_note WHERE id = $1 AND customer = $2`, string(id), by.Customer)
		return err
	})
	return db.noteError("delete a note", err)
}
