package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A lateTx is a transaction that begins with its first statement, and may end with its
// last: what begins and ends it travels with them. A short one is two trips instead of
// four.
type lateTx struct {
	conn  *pgxpool.Conn
	opens []step // what begins it
	begun bool
	ended bool // it was committed with its last statements
}

// errNoTx is that of a statement behind the last, or behind one that failed before
// the transaction had begun: by itself it would be kept, whatever becomes of the others.
var errNoTx = errors.New("a statement outside its transaction")

// ready says whether a statement may go by itself: the transaction has begun. If it
// must begin with the statement and cannot, it is begun here.
func (t *lateTx) ready(ctx context.Context, args []any) (bool, error) {
	if t.begun {
		if t.conn.Conn().PgConn().TxStatus() == 'I' {
			return false, errNoTx
		}
		return true, nil
	}
	if len(args) > 0 {
		if _, own := args[0].(pgx.QueryExecMode); own { // which nothing that goes with others has
			return true, t.begin(ctx)
		}
	}
	return false, nil
}

func (t *lateTx) begin(ctx context.Context) error { return t.open(ctx, new(pgx.Batch)).Close() }

// open sends a batch with what begins the transaction before it.
func (t *lateTx) open(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	t.begun = true
	whole := new(pgx.Batch)
	for _, s := range t.opens {
		whole.Queue(s.query, s.args...)
	}
	whole.QueuedQueries = append(whole.QueuedQueries, b.QueuedQueries...)
	res := t.conn.SendBatch(ctx, whole)
	for range t.opens {
		_, _ = res.Exec() // a failure is that of all that follow, too
	}
	return res
}

func (t *lateTx) openWith(ctx context.Context, query string, args []any) pgx.BatchResults {
	b := new(pgx.Batch)
	b.Queue(query, args...)
	return t.open(ctx, b)
}

func (t *lateTx) Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error) {
	ready, err := t.ready(ctx, args)
	switch {
	case err != nil:
		return pgconn.CommandTag{}, err
	case ready:
		return t.conn.Exec(ctx, query, args...)
	}
	res := t.openWith(ctx, query, args)
	tag, err := res.Exec()
	if cerr := res.Close(); err == nil {
		err = cerr
	}
	return tag, err
}

func (t *lateTx) Query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	ready, err := t.ready(ctx, args)
	switch {
	case err != nil:
		return nil, err
	case ready:
		return t.conn.Query(ctx, query, args...)
	}
	return rowsOf(t.openWith(ctx, query, args))
}

func (t *lateTx) QueryRow(ctx context.Context, query string, args ...any) pgx.Row {
	ready, err := t.ready(ctx, args)
	switch {
	case err != nil:
		return lastRow{err: err}
	case ready:
		return t.conn.QueryRow(ctx, query, args...)
	}
	return lastRow{res: t.openWith(ctx, query, args)}
}

func (t *lateTx) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	ready, err := t.ready(ctx, nil)
	switch {
	case err != nil:
		return noResults{err}
	case ready:
		return t.conn.SendBatch(ctx, b)
	}
	return t.open(ctx, b)
}

func (t *lateTx) CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, from pgx.CopyFromSource) (int64, error) {
	ready, err := t.ready(ctx, nil)
	if err == nil && !ready {
		err = t.begin(ctx)
	}
	if err != nil {
		return 0, err
	}
	return t.conn.CopyFrom(ctx, table, columns, from)
}

// commit ends a transaction that went well.
func (t *lateTx) commit(ctx context.Context) error {
	if !t.begun || t.ended {
		return nil // there was nothing in it, or it is done
	}
	tag, err := t.Exec(ctx, "COMMIT")
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback
	}
	return err
}

// release gives the connection back. What was not committed is undone; if even that
// fails nobody gets the connection again.
func (t *lateTx) release(ctx context.Context) {
	defer t.conn.Release()
	if t.conn.Conn().PgConn().TxStatus() == 'I' {
		return
	}
	if _, err := t.conn.Exec(ctx, "ROLLBACK"); err != nil {
		_ = t.conn.Conn().Close(ctx) // the first error is the one that tells
	}
}

// rowsOf are the rows of the last statement of a batch.
func rowsOf(res pgx.BatchResults) (pgx.Rows, error) {
	rs, err := res.Query()
	if err != nil {
		res.Close()
		return nil, err
	}
	return &lastRows{rs, res}, nil
}

// lastRows end their batch when they are closed.
type lastRows struct {
	pgx.Rows
	res pgx.BatchResults
}

func (r *lastRows) Close() {
	r.Rows.Close()
	r.res.Close()
}

// A lastRow is that of the last statement of a batch.
type lastRow struct {
	res pgx.BatchResults
	err error
}

func (r lastRow) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	err := r.res.QueryRow().Scan(into...)
	if cerr := r.res.Close(); err == nil {
		err = cerr
	}
	return err
}

// noResults are those of a batch that was not sent.
type noResults struct{ err error }

func (r noResults) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, r.err }
func (r noResults) Query() (pgx.Rows, error)         { return nil, r.err }
func (r noResults) QueryRow() pgx.Row                { return lastRow{err: r.err} }
func (r noResults) Close() error                     { return r.err }
