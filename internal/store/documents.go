package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// documentTask stands in the place of a task for files that are documents.
const documentTask = -1

const documentColumns = `id, company, kind, text, media, language, comment, reference, filed, accounts, source, digest,
	size, file, uploaded_at`

func readDocument(r row) (d company.Document, err error) {
	err = r.Scan(&d.ID, &d.Company, &d.Kind, &d.Text, &d.Media, &d.Language, &d.Comment, &d.Reference, &d.Filed,
		&d.AccountsTo, &d.Source, &d.Digest, &d.Size, &d.File, stamp{&d.UploadedAt})
	return d, err
}

// PutDocument implements company.DocumentStore. The content comes first, in
// pieces that nobody has yet; one statement then makes them the document's.
func (db *DB) PutDocument(ctx context.Context, d company.Document, content io.Reader, turn int64) (same, fresh bool, err error) {
	d.ID = company.DocumentID(d.Company, d.Reference)
	sum := sha256.New()
	file, size, err := db.AddFile(ctx, io.TeeReader(content, sum))
	if err != nil {
		return false, false, err
	}
	d.Size, d.Digest, d.File = size, hex.EncodeToString(sum.Sum(nil)), int64(file)
	err = db.write(ctx, func(t tx) error {
		same, fresh, err = db.keepDocument(ctx, t, d, turn)
		return err
	})
	if err != nil || same {
		err = errors.Join(err, db.DropFile(context.WithoutCancel(ctx), file))
	}
	if err != nil {
		return false, false, fmt.Errorf("keep a document: %w", err)
	}
	return same, fresh, nil
}

func (db *DB) keepDocument(ctx context.Context, t tx, d company.Document, turn int64) (same, fresh bool, err error) {
	was, err := readDocument(t.QueryRow(ctx, `SELECT `+documentColumns+` FROM document WHERE id = $1 AND company = $2 `+db.d.forUpdate,
		d.ID, string(d.Company)))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		fresh = true
	case err != nil:
		return false, false, err
	}
	if d.UploadedAt, err = db.clock(ctx, t); err != nil {
		return false, false, err
	}
	is := d
	is.File, is.UploadedAt = was.File, was.UploadedAt
	if !fresh && is == was {
		_, err := t.Exec(ctx, `UPDATE document SET turn = $3 WHERE id = $1 AND company = $2`, d.ID, string(d.Company), turn)
		return true, false, err
	}
	if !fresh {
		if err := dropContent(ctx, t, was.File); err != nil {
			return false, false, err
		}
		if _, err := t.Exec(ctx, `DELETE FROM document WHERE id = $1 AND company = $2`, d.ID, string(d.Company)); err != nil {
			return false, false, err
		}
	}
	n, err := t.Exec(ctx, `UPDATE file SET task = $2 WHERE id = $1 AND task = 0`, d.File, documentTask)
	if err == nil && n == 0 {
		err = fmt.Errorf("file %d is not there to be taken", d.File)
	}
	if err != nil {
		return false, false, err
	}
	_, err = t.Exec(ctx, `
		INSERT INTO document (id, company, country, kind, text, media, language, comment, reference, filed, accounts,
		                      source, digest, size, file, turn, uploaded_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		d.ID, string(d.Company), d.Company.Country(), d.Kind, d.Text, string(d.Media), d.Language, d.Comment, d.Reference,
		string(d.Filed), string(d.AccountsTo), d.Source, d.Digest, d.Size, d.File, turn, stamp{&d.UploadedAt})
	return false, fresh, err
}

func dropContent(ctx context.Context, t tx, file int64) error {
	if _, err := t.Exec(ctx, `DELETE FROM file_chunk WHERE file = $1`, file); err != nil {
		return err
	}
	_, err := t.Exec(ctx, `DELETE FROM file WHERE id = $1`, file)
	return err
}

// DropDocuments implements company.DocumentStore.
func (db *DB) DropDocuments(ctx context.Context, source string, turn int64) (n int64, err error) {
	err = db.write(ctx, func(t tx) error {
		var files []int64
		err := each(ctx, t, func(r row) error {
			var file int64
			err := r.Scan(&file)
			files = append(files, file)
			return err
		}, `SELECT file FROM document WHERE source = $1 AND turn < $2`, source, turn)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := dropContent(ctx, t, file); err != nil {
				return err
			}
		}
		n, err = t.Exec(ctx, `DELETE FROM document WHERE source = $1 AND turn < $2`, source, turn)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("drop documents: %w", err)
	}
	return n, nil
}

// Document implements company.DocumentStore.
func (db *DB) Document(ctx context.Context, id string) (company.Document, error) {
	d, err := readDocument(db.QueryRow(ctx, `SELECT `+documentColumns+` FROM document WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return d, fault.Missing.Errorf("Image resource not found")
	}
	if err != nil {
		return d, fmt.Errorf("read a document: %w", err)
	}
	return d, nil
}

// Documents implements company.DocumentStore.
func (db *DB) Documents(ctx context.Context, q company.DocumentQuery) (list []company.Document, total int64, err error) {
	const which = ` FROM document
		WHERE company = $1 AND ($2 = '' OR kind = $2) AND ($3 = '' OR language = $3)
		  AND ($4 = '' OR filed >= $4) AND ($5 = '' OR filed <= $5)`
	args := []any{string(q.Company), q.Kind, q.Language, string(q.From), string(q.To)}
	if err := db.QueryRow(ctx, `SELECT COUNT(*)`+which, args...).Scan(&total); err != nil {
		return nil, 0, fmt.Errorf("count documents: %w", err)
	}
	err = each(ctx, db, func(r row) error {
		d, err := readDocument(r)
		list = append(list, d)
		return err
	}, `SELECT `+documentColumns+which+` ORDER BY filed DESC, id LIMIT $6 + 0 OFFSET $7 + 0`, append(args, q.Limit, q.Skip)...)
	if err != nil {
		return nil, 0, fmt.Errorf("list documents: %w", err)
	}
	return list, total, nil
}

// OpenDocument implements company.DocumentStore.
func (db *DB) OpenDocument(ctx context.Context, d company.Document, from int64) io.Reader {
	if d.Size == 0 {
		return bytes.NewReader(nil)
	}
	return db.OpenFile(ctx, job.FileID(d.File), from)
}
