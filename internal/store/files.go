package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"bureau/internal/fault"
	"bureau/internal/job"
)

// fileChunk is how much of a file is written, and read, at once. Each piece
// says where it begins, so that this may change.
const fileChunk = 512 << 10

// AddFile implements job.TaskStore. Each piece is a transaction of its own:
// whoever sends a file slowly must not keep others from writing.
func (db *DB) AddFile(ctx context.Context, r io.Reader) (id job.FileID, size int64, err error) {
	err = db.write(ctx, func(t tx) error {
		n, err := db.nextTaskNumber(ctx, t)
		if err != nil {
			return err
		}
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		id = job.FileID(n)
		_, err = t.Exec(ctx, `INSERT INTO file (id, task, size, begun_at) VALUES ($1, 0, 0, $2)`, n, stamp{&now})
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("begin a file: %w", err)
	}
	for piece := make([]byte, fileChunk); ; {
		n, rerr := io.ReadFull(r, piece)
		end := rerr == io.EOF || rerr == io.ErrUnexpectedEOF
		if rerr != nil && !end {
			err = rerr
			break
		}
		if n > 0 {
			if err = db.addChunk(ctx, id, size, piece[:n]); err != nil {
				break
			}
			size += int64(n)
		}
		if end {
			return id, size, nil
		}
	}
	return 0, 0, errors.Join(fmt.Errorf("keep a file: %w", err), db.DropFile(context.WithoutCancel(ctx), id))
}

func (db *DB) addChunk(ctx context.Context, id job.FileID, start int64, data []byte) error {
	return db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `INSERT INTO file_chunk (file, start, data) VALUES ($1, $2, $3)`, id, start, data)
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, `UPDATE file SET size = $2 WHERE id = $1`, id, start+int64(len(data)))
		return err
	})
}

// DropFile implements job.TaskStore.
func (db *DB) DropFile(ctx context.Context, id job.FileID) error {
	err := db.write(ctx, func(t tx) error {
		var held int64
		err := t.QueryRow(ctx, `SELECT id FROM file WHERE id = $1 AND task = 0 `+db.d.forUpdate, id).Scan(&held)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return dropContent(ctx, t, held)
	})
	if err != nil {
		return fmt.Errorf("drop a file: %w", err)
	}
	return nil
}

// takeFile gives a file that nobody has to a task and its customer, and returns
// its size.
func takeFile(ctx context.Context, t tx, id job.FileID, of job.Task) (size int64, err error) {
	if id == 0 {
		return 0, nil
	}
	whose := cmp.Or(of.Customer, -1) // 0 would be everybody's
	n, err := t.Exec(ctx, `UPDATE file SET task = $2, customer = $3 WHERE id = $1 AND task = 0`, id, of.ID, whose)
	if err == nil && n == 0 {
		err = fmt.Errorf("file %d is not there to be taken", id)
	}
	if err != nil {
		return 0, err
	}
	if _, err := t.Exec(ctx, `UPDATE file_chunk SET customer = $2 WHERE file = $1`, id, whose); err != nil {
		return 0, err
	}
	err = t.QueryRow(ctx, `SELECT size FROM file WHERE id = $1`, id).Scan(&size)
	return size, err
}

// OpenFile implements job.TaskStore.
func (db *DB) OpenFile(ctx context.Context, id job.FileID, from int64) io.Reader {
	return &fileReader{ctx: ctx, db: db, id: id, at: from, size: -1}
}

// A fileReader reads a file piece by piece. It belongs to one call, whose
// context it keeps: io.Reader has no place for one.
type fileReader struct {
	ctx  context.Context
	db   *DB
	id   job.FileID
	at   int64 // where the next piece begins
	size int64
	left []byte // of the piece that was read last
}

func (f *fileReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(f.left) == 0 {
		if err := f.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.left)
	f.left = f.left[n:]
	return n, nil
}

func (f *fileReader) next() error {
	if f.size < 0 {
		err := f.db.QueryRow(f.ctx, `SELECT size FROM file WHERE id = $1`, f.id).Scan(&f.size)
		if errors.Is(err, sql.ErrNoRows) {
			return fault.Missing.Errorf("File not found")
		}
		if err != nil {
			return fmt.Errorf("open file %d: %w", f.id, err)
		}
	}
	if f.at == f.size {
		return io.EOF
	}
	var start int64
	err := f.db.QueryRow(f.ctx, `
		SELECT start, data FROM file_chunk
		WHERE file = $1 AND start <= $2
		ORDER BY start DESC
		LIMIT 1`, f.id, f.at).Scan(&start, &f.left)
	end := start + int64(len(f.left))
	if errors.Is(err, sql.ErrNoRows) || err == nil && end <= f.at {
		f.left = nil
		return fmt.Errorf("read file %d: nothing is kept at %d of %d bytes", f.id, f.at, f.size)
	}
	if err != nil {
		return fmt.Errorf("read file %d: %w", f.id, err)
	}
	f.left, f.at = f.left[f.at-start:], end
	return nil
}
