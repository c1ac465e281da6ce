package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"bureau/internal/auth"
)

var sqliteDialect = dialect{
	name:    "sqlite",
	insert:  "INSERT OR FAIL INTO ",
	isTaken: isSQLite(sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY),
	isGone:  isSQLite(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY),
	columns: `
		SELECT t.name, c.name, lower(c.type), c.pk
		FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
		WHERE t.schema = 'main' AND t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_'
		ORDER BY t.name, c.cid`,
	references: `
		SELECT DISTINCT t.name, f."table"
		FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS f
		WHERE t.schema = 'main' AND t.type = 'table'`,
	eventMade: `SELECT created_at FROM event WHERE id >= $1 ORDER BY id LIMIT 1`,
}

func isSQLite(codes ...int) func(error) bool {
	return func(err error) bool {
		var e *sqlite.Error
		if !errors.As(err, &e) {
			return false
		}
		for _, c := range codes {
			if e.Code() == c || e.Code()&0xff == c {
				return true
			}
		}
		return false
	}
}

// sqliteEngine is a file with one writer and many readers. The writer is one
// connection under a lock of ours: waiting for a mutex is fair, polling a busy
// database is not. Other processes are waited for by the busy time-out.
type sqliteEngine struct {
	sqlReader
	writers *sql.DB
	mu      sync.Mutex
	conn    *sql.Conn
	stmts   map[string]*sql.Stmt
	moves   *checkpointer
	readers int // at most
	sharers
	*filePresence
}

func openSQLite(ctx context.Context, path string) (*sqliteEngine, error) {
	if dir := filepath.Dir(path); dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the data folder: %w", err)
		}
	}
	// Only its owner may read the database: the driver would make it readable
	// by everyone.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	f.Close()

	writers, err := sql.Open("sqlite", sqliteURL(path, "_pragma=wal_autocheckpoint(4000)", "_pragma=cache_size(-32000)"))
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	writers.SetMaxOpenConns(1)
	conn, err := firstConn(ctx, writers)
	if err != nil {
		writers.Close()
		return nil, fmt.Errorf("open the database %s: %w", path, err)
	}
	readers, err := sql.Open("sqlite", sqliteURL(path, "_pragma=query_only(1)", "_pragma=cache_size(-8000)"))
	if err != nil {
		writers.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	n := max(4, 2*runtime.NumCPU())
	readers.SetMaxOpenConns(n)
	readers.SetMaxIdleConns(n)
	moves, err := newCheckpointer(path)
	if err != nil {
		writers.Close()
		readers.Close()
		return nil, fmt.Errorf("open the database: %w", err)
	}
	return &sqliteEngine{
		sqlReader: sqlReader{db: readers, snapshots: make(chan struct{}, n-1)},
		writers:   writers, conn: conn, stmts: map[string]*sql.Stmt{}, moves: moves, readers: n,
		filePresence: newFilePresence(path),
	}, nil
}

// firstConn opens the writing connection. Several processes that open a new
// file together turn it to write-ahead logging at the same time, which SQLite
// refuses at once instead of waiting: then it is tried again.
func firstConn(ctx context.Context, writers *sql.DB) (*sql.Conn, error) {
	busy := isSQLite(sqlite3.SQLITE_BUSY)
	for deadline := time.Now().Add(10 * time.Second); ; {
		conn, err := writers.Conn(ctx)
		if err == nil || !busy(err) || time.Now().After(deadline) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// sqliteURL opens a file as house rules say: write-ahead log, every commit
// synced to disk, foreign keys on. The file is not mapped into memory: each
// connection would map it anew, and a process that reads a large register look
// as if it held hundreds of megabytes.
func sqliteURL(path string, more ...string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}
	u.RawQuery = strings.Join(append([]string{
		"_pragma=busy_timeout(10000)", "_pragma=journal_mode(wal)", "_pragma=synchronous(full)", "_pragma=foreign_keys(1)",
	}, more...), "&")
	return u.String()
}

func (e *sqliteEngine) public() tx { return e }

func (e *sqliteEngine) within(auth.CustomerID) []step { return nil } // there is no wall

func (e *sqliteEngine) without() []step { return nil }

func (e *sqliteEngine) write(ctx context.Context, f func(tx) error) (err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endSharing() // who shares does not wait for what may be long
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.begin(f); err != nil {
		return err
	}
	return e.commit()
}

// begin runs f in a new transaction and leaves that open, unless f fails.
//
// From here on the transaction is short and is not interrupted: a cancelled
// request must not leave the one connection in doubt.
func (e *sqliteEngine) begin(f func(tx) error) error {
	if err := e.run("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			e.rollback()
			panic(r)
		}
	}()
	err := f(e.writer())
	if err != nil {
		e.rollback()
	}
	return err
}

// commit ends the open transaction.
func (e *sqliteEngine) commit() error {
	if err := e.run("COMMIT"); err != nil {
		e.rollback()
		return err
	}
	e.moves.committed()
	return nil
}

// run runs a statement that takes no values.
func (e *sqliteEngine) run(statement string) error {
	s, err := (&sqliteWriter{e}).prepare(statement)
	if err == nil {
		_, err = s.ExecContext(context.Background())
	}
	return err
}

// rollback ends a transaction that failed. SQLite may have ended it already
// (disk full does that); then there is nothing to do.
func (e *sqliteEngine) rollback() {
	_, _ = e.conn.ExecContext(context.Background(), "ROLLBACK")
}

func (e *sqliteEngine) writer() tx { return &sqliteWriter{e} }

// giveBack lets go of the pages that connections keep: those of a reader go with
// it, and the next one is opened when it is needed.
func (e *sqliteEngine) giveBack() error {
	e.db.SetMaxIdleConns(0)
	e.db.SetMaxIdleConns(e.readers)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endSharing()
	return e.run("PRAGMA shrink_memory")
}

func (e *sqliteEngine) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endSharing()
	moved := e.moves.close()
	for _, s := range e.stmts {
		s.Close()
	}
	e.conn.Close()
	e.filePresence.close()
	return errors.Join(moved, e.db.Close(), e.writers.Close())
}

// A sqliteWriter runs statements on the writing connection, each prepared once
// for good.
type sqliteWriter struct{ e *sqliteEngine }

func (w *sqliteWriter) prepare(query string) (*sql.Stmt, error) {
	if s := w.e.stmts[query]; s != nil {
		return s, nil
	}
	s, err := w.e.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.e.stmts[query] = s
	}
	return s, err
}

func (w *sqliteWriter) Exec(_ context.Context, query string, args ...any) (int64, error) {
	if len(args) == 0 { // may be several statements: a migration
		res, err := w.e.conn.ExecContext(context.Background(), query)
		if err != nil {
			return 0, err
		}
		return res.RowsAffected()
	}
	s, err := w.prepare(query)
	if err != nil {
		return 0, err
	}
	res, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func (w *sqliteWriter) QueryRow(_ context.Context, query string, args ...any) row {
	s, err := w.prepare(query)
	if err != nil {
		return failed{err}
	}
	return s.QueryRowContext(context.Background(), args...)
}

func (w *sqliteWriter) Query(_ context.Context, query string, args ...any) (rows, error) {
	s, err := w.prepare(query)
	if err != nil {
		return nil, err
	}
	rs, err := s.QueryContext(context.Background(), args...)
	if err != nil {
		return nil, err
	}
	return sqlRows{rs}, nil
}

func (w *sqliteWriter) Together(ctx context.Context, steps []step) error {
	return oneByOne(ctx, w, steps)
}

// Last leaves the commit to write: there is no trip to spare.
func (w *sqliteWriter) Last(ctx context.Context, steps []step) error { return w.Together(ctx, steps) }

// Bulk adds rows. One that is refused fails its statement as it stands: the
// transaction is given up anyway, and to keep each page as it was before the
// statement would cost a tenth of the whole.
func (w *sqliteWriter) Bulk(ctx context.Context, table string, columns []string, n int, values func(int) []any) error {
	return insertRows(ctx, w, "INSERT OR FAIL INTO "+table, columns, "", n, values)
}

// insertRows adds several rows with one statement where it can: to run a
// statement costs more than a small row does. Its placeholders have no numbers,
// since the driver looks for each number among all of them.
func insertRows(ctx context.Context, t tx, verb string, columns []string, tail string, n int, values func(int) []any) error {
	var args []any
	var query string
	for i, last := 0, 0; i < n; {
		rows := sizeOfInsert(n - i)
		args = args[:0]
		for range rows {
			args = append(args, values(i)...)
			i++
		}
		if rows != last {
			query, last = severalSQL(verb, columns, tail, rows), rows
		}
		if _, err := t.Exec(ctx, query, args...); err != nil {
			return err
		}
	}
	return nil
}

// sizeOfInsert is how many of so many rows go into one statement. The sizes are few,
// since each statement is prepared for good.
func sizeOfInsert(left int) int {
	switch {
	case left >= 32:
		return 32
	case left >= 8:
		return 8
	}
	return 1
}

// severalSQL is the statement that adds so many rows.
func severalSQL(verb string, columns []string, tail string, rows int) string {
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	return verb + " (" + strings.Join(columns, ", ") + ") VALUES " + strings.Repeat(one+", ", rows-1) + one + tail
}

// sqlReader reads through the pool, each query prepared once.
type sqlReader struct {
	db    *sql.DB
	stmts sync.Map // query → *sql.Stmt

	// snapshots are those under way. To prepare a statement takes a connection
	// besides the snapshot's own, so one is always left.
	snapshots chan struct{}
}

func (r *sqlReader) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := r.stmts.Load(query); ok {
		return s.(*sql.Stmt), nil
	}
	s, err := r.db.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if old, loaded := r.stmts.LoadOrStore(query, s); loaded {
		s.Close()
		return old.(*sql.Stmt), nil
	}
	return s, nil
}

// QueryRow does not watch for a cancel: it takes two goroutines to notice one,
// and the row is there before they run.
func (r *sqlReader) QueryRow(ctx context.Context, query string, args ...any) row {
	if err := ctx.Err(); err != nil {
		return failed{err}
	}
	s, err := r.prepare(ctx, query)
	if err != nil {
		return failed{err}
	}
	return s.QueryRowContext(context.WithoutCancel(ctx), args...)
}

func (r *sqlReader) Query(ctx context.Context, query string, args ...any) (rows, error) {
	s, err := r.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	rs, err := s.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	return sqlRows{rs}, nil
}

var errReadOnly = errors.New("write outside a transaction")

func (r *sqlReader) Exec(context.Context, string, ...any) (int64, error) { return 0, errReadOnly }

// Together does not watch for a cancel either: its statements are short, and there
// would be two goroutines for each.
func (r *sqlReader) Together(ctx context.Context, steps []step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return oneByOne(context.WithoutCancel(ctx), r, steps)
}

func (r *sqlReader) Last(context.Context, []step) error { return errReadOnly }

func (r *sqlReader) Bulk(context.Context, string, []string, int, func(int) []any) error {
	return errReadOnly
}

func (r *sqlReader) snapshot(ctx context.Context, f func(tx) error) error {
	select {
	case r.snapshots <- struct{}{}:
		defer func() { <-r.snapshots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	t, err := r.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer t.Rollback()
	return f(sqlSnapshot{t, r})
}

// sqlSnapshot reads one state of the database, with the reader's statements.
type sqlSnapshot struct {
	t *sql.Tx
	r *sqlReader
}

func (s sqlSnapshot) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	statement, err := s.r.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.t.StmtContext(ctx, statement), nil
}

func (s sqlSnapshot) QueryRow(ctx context.Context, query string, args ...any) row {
	statement, err := s.prepare(ctx, query)
	if err != nil {
		return failed{err}
	}
	return statement.QueryRowContext(ctx, args...)
}

func (s sqlSnapshot) Query(ctx context.Context, query string, args ...any) (rows, error) {
	statement, err := s.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	rs, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	return sqlRows{rs}, nil
}

func (s sqlSnapshot) Exec(context.Context, string, ...any) (int64, error) { return 0, errReadOnly }

func (s sqlSnapshot) Together(ctx context.Context, steps []step) error {
	return oneByOne(ctx, s, steps)
}

func (s sqlSnapshot) Last(context.Context, []step) error { return errReadOnly }

func (s sqlSnapshot) Bulk(context.Context, string, []string, int, func(int) []any) error {
	return errReadOnly
}

type sqlRows struct{ *sql.Rows }

func (r sqlRows) Close() { _ = r.Rows.Close() }

// failed is a row that could not be asked for.
type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }
