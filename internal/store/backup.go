package store

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

// A Summary is what a backup holds.
type Summary struct {
	Schema int64 // as it is in the backup
	MadeAt time.Time
	Tables int
	Rows   int64
}

// backupBatch is how many rows go between two calls of progress, and at most
// into the database at once.
const backupBatch = 1000

// Backup writes everything in the database to w, as it stood at one moment;
// others go on writing meanwhile. Backups of the same data differ in their
// first line only, whichever engine they come from. progress, if any, hears how
// many rows of a table are done.
func (db *DB) Backup(ctx context.Context, w io.Writer, progress func(table string, rows int64)) (s Summary, err error) {
	// Backups are long and machines are busy: the fastest level takes a third
	// of the time and a sixth more room.
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return s, fmt.Errorf("back up: %w", err)
	}
	out := newLineWriter(z)
	err = db.snapshot(ctx, func(t tx) error {
		if err := db.readsAll(ctx, t); err != nil {
			return err
		}
		s, err = db.backUp(ctx, t, out, progress)
		return err
	})
	if err == nil {
		err = out.w.Flush()
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return Summary{}, fmt.Errorf("back up: %w", err)
	}
	return s, nil
}

func (db *DB) backUp(ctx context.Context, t tx, out *lineWriter, progress func(string, int64)) (s Summary, err error) {
	all, err := db.tables(ctx, t)
	if err != nil {
		return s, err
	}
	if len(all) == 0 {
		return s, errors.New("the database is empty")
	}
	if s.Schema, err = schemaOf(ctx, t); err != nil {
		return s, err
	}
	if s.MadeAt, err = db.clock(ctx, t); err != nil {
		return s, err
	}
	if err := out.say(headerLine{backupFormat, backupNumber, s.Schema, s.MadeAt}); err != nil {
		return s, err
	}
	for _, table := range all {
		if table.name == versionTable {
			continue
		}
		if err := out.say(tableLine{table.name, table.columns}); err != nil {
			return s, err
		}
		end, err := db.eachLine(ctx, t, table, progress, func(line []byte) error {
			_, err := out.Write(line)
			return err
		})
		if err != nil {
			return s, err
		}
		if err := out.say(end); err != nil {
			return s, err
		}
		s.Tables++
		s.Rows += end.Rows
	}
	return s, out.say(endLine{backupFormat, s.Tables, s.Rows, out.sum()})
}

// eachLine gives every row of a table as a line, in order, and returns how the
// table ends. The line is good until the next one.
func (db *DB) eachLine(ctx context.Context, t tx, table table, progress func(string, int64), write func(line []byte) error) (end tableEndLine, err error) {
	query, err := table.query(db.d)
	if err != nil {
		return end, err
	}
	cells := make([]value, len(table.columns))
	into := make([]any, len(cells))
	for i := range cells {
		into[i] = &cells[i]
	}
	sum := sha256.New()
	var line []byte
	err = each(ctx, t, func(r row) error {
		if err := r.Scan(into...); err != nil {
			return err
		}
		if line, err = appendRow(line[:0], cells); err != nil {
			return err
		}
		sum.Write(line)
		end.Rows++
		if end.Rows%backupBatch == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(table.name, end.Rows)
			}
		}
		return write(line)
	}, query)
	if err != nil {
		return end, fmt.Errorf("read table %s: %w", table.name, err)
	}
	if progress != nil {
		progress(table.name, end.Rows)
	}
	end.Sum = hex.EncodeToString(sum.Sum(nil))
	return end, nil
}

// A lineWriter writes lines and keeps their sum.
type lineWriter struct {
	w     *bufio.Writer
	whole hash.Hash
}

func newLineWriter(w io.Writer) *lineWriter {
	return &lineWriter{bufio.NewWriterSize(w, 64<<10), sha256.New()}
}

func (o *lineWriter) Write(line []byte) (int, error) {
	o.whole.Write(line)
	return o.w.Write(line)
}

func (o *lineWriter) say(line any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = o.Write(append(b, '\n'))
	return err
}

func (o *lineWriter) sum() string { return hex.EncodeToString(o.whole.Sum(nil)) }
