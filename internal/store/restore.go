package store

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// Restore fills an empty database from a backup and brings it up to date: a new
// file, or a PostgreSQL database without tables, opened with Connect. The
// backup may come from the other engine and from an older Bureau. Whatever was
// written is read again and compared with the backup's sums. All of it is one
// transaction: if anything is wrong, the database is as empty as it was.
func Restore(ctx context.Context, db *DB, r io.Reader, progress func(table string, rows int64)) (Summary, error) {
	all, err := db.migrations()
	if err != nil {
		return Summary{}, err
	}
	in, h, err := readBackup(r)
	if err != nil {
		return Summary{}, err
	}
	if newest := int64(len(all)); h.Schema > newest {
		return Summary{}, in.unlessDamaged(fmt.Errorf("the backup has schema %d, which a newer Bureau made; this one knows up to %d: restore it with the newer version", h.Schema, newest))
	}
	s := Summary{Schema: h.Schema, MadeAt: h.Made}
	err = db.write(ctx, func(t tx) error {
		l, err := db.newLoader(ctx, t, all[:h.Schema], progress)
		if err != nil {
			return err
		}
		end, err := in.tables(func(err error) bool { return ctx.Err() != nil || db.IsGone(err) }, l)
		if err != nil {
			return err
		}
		s.Tables, s.Rows = end.Tables, end.Rows
		if err := l.check(); err != nil {
			return err
		}
		_, err = migrate(ctx, t, all, int64(len(all)))
		return err
	})
	if err != nil {
		return Summary{}, err
	}
	return s, nil
}

// A loader puts a backup's rows into the tables of its schema.
type loader struct {
	ctx      context.Context // of the one call of Restore that this belongs to
	db       *DB
	t        tx
	progress func(string, int64)

	left  []table // not in the backup yet
	now   table
	rows  [][]any
	size  int // bytes in rows, about
	count int64

	loaded []table
	ends   []tableEndLine
}

// newLoader makes the backup's schema in an empty database.
func (db *DB) newLoader(ctx context.Context, t tx, schema []migration, progress func(string, int64)) (*loader, error) {
	if err := db.lockSchema(ctx, t); err != nil {
		return nil, err
	}
	found, err := db.tables(ctx, t)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		return nil, fmt.Errorf("the database is not empty (it has a table %s): restore into a new one", found[0].name)
	}
	if _, err := migrate(ctx, t, schema, int64(len(schema))); err != nil {
		return nil, fmt.Errorf("make schema %d: %w", len(schema), err)
	}
	l := &loader{ctx: ctx, db: db, t: t, progress: progress}
	if l.left, err = db.tables(ctx, t); err != nil {
		return nil, err
	}
	l.left = slices.DeleteFunc(l.left, func(t table) bool { return t.name == versionTable })
	// The rows that a new database starts with are in the backup too.
	for _, table := range slices.Backward(l.left) {
		if _, err := t.Exec(ctx, "DELETE FROM "+table.name); err != nil {
			return nil, fmt.Errorf("clear table %s: %w", table.name, err)
		}
	}
	return l, nil
}

func (l *loader) begin(line tableLine) error {
	i := slices.IndexFunc(l.left, func(t table) bool { return t.name == line.Table })
	if i < 0 {
		return fmt.Errorf("the backup has a table %q that does not belong there, or has it twice", line.Table)
	}
	l.now = l.left[i]
	l.left = slices.Delete(l.left, i, i+1)
	if !slices.Equal(slices.Sorted(slices.Values(l.now.columns)), slices.Sorted(slices.Values(line.Columns))) {
		return fmt.Errorf("the backup's table %s has other columns than ours", line.Table)
	}
	l.now.columns, l.count = line.Columns, 0
	return nil
}

// maxBytes of rows go into the database at once: a table may hold files.
const maxBytes = 4 << 20

func (l *loader) row(line []byte) error {
	cells, err := readRow(line)
	if err == nil {
		err = l.now.fits(cells)
	}
	if err != nil {
		return fmt.Errorf("table %s, row %d: %w", l.now.name, l.count+int64(len(l.rows))+1, err)
	}
	l.rows = append(l.rows, cells)
	l.size += len(line)
	if len(l.rows) < backupBatch && l.size < maxBytes {
		return nil
	}
	return l.flush()
}

func (l *loader) flush() error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if len(l.rows) > 0 {
		err := l.t.Bulk(l.ctx, l.now.name, l.now.columns, len(l.rows), func(i int) []any { return l.rows[i] })
		if err != nil {
			return fmt.Errorf("write table %s: %w", l.now.name, err)
		}
	}
	l.count += int64(len(l.rows))
	clear(l.rows)
	l.rows, l.size = l.rows[:0], 0
	if l.progress != nil {
		l.progress(l.now.name, l.count)
	}
	return nil
}

func (l *loader) end(line tableEndLine) error {
	if err := l.flush(); err != nil {
		return err
	}
	l.loaded, l.ends = append(l.loaded, l.now), append(l.ends, line)
	return nil
}

// check reads back what was written.
func (l *loader) check() error {
	if len(l.left) > 0 {
		return fmt.Errorf("the backup has no table %s", l.left[0].name)
	}
	for i, table := range l.loaded {
		got, err := l.db.eachLine(l.ctx, l.t, table, nil, func([]byte) error { return nil })
		if err != nil {
			return err
		}
		if got != l.ends[i] {
			return fmt.Errorf("table %s did not come out as the backup has it (%d rows of %d)", table.name, got.Rows, l.ends[i].Rows)
		}
	}
	return nil
}
