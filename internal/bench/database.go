package bench

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "modernc.org/sqlite"

	"bureau/internal/store"
)

// A database is either engine without anything of ours around it: a baseline
// that went through our own store would measure the store against itself.
type database interface {
	exec(ctx context.Context, statement string) error

	// insert adds rows the fastest way that the engine has, in one
	// transaction, on disk when it returns.
	insert(ctx context.Context, table string, columns []string, rows [][]string) error

	// row reads the row of one company by its key.
	row(ctx context.Context, id string) (companyRow, error)

	close()
}

// companyRow is all that the table company holds of one.
type companyRow struct {
	ID      string `json:"id"`
	Country string `json:"country"`
	Name    string `json:"name"`
	Status  string `json:"status"`
	Said    []byte `json:"-"`
}

const selectCompany = `SELECT id, country, name, status, said FROM company WHERE id = $1`

// openDatabase opens a postgres:// URL or an SQLite file, with the same care for
// the disk that Bureau takes.
func openDatabase(ctx context.Context, address string) (database, error) {
	if store.IsPostgres(address) {
		pool, err := pgxpool.New(ctx, address)
		return bareServer{pool}, err
	}
	path := (&url.URL{Path: address}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)"+
		"&_pragma=synchronous(full)&_pragma=cache_size(-32000)&_pragma=mmap_size(268435456)")
	if err != nil {
		return nil, err
	}
	n := max(4, 2*runtime.NumCPU())
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return &bareFile{db, sync.OnceValues(func() (*sql.Stmt, error) { return db.Prepare(selectCompany) })}, nil
}

type bareServer struct{ pool *pgxpool.Pool }

func (b bareServer) exec(ctx context.Context, statement string) error {
	_, err := b.pool.Exec(ctx, statement)
	return err
}

func (b bareServer) insert(ctx context.Context, table string, columns []string, rows [][]string) error {
	_, err := b.pool.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
		return values(nil, rows[i]), nil
	}))
	return err
}

func (b bareServer) row(ctx context.Context, id string) (c companyRow, err error) {
	err = b.pool.QueryRow(ctx, selectCompany, id).Scan(&c.ID, &c.Country, &c.Name, &c.Status, &c.Said)
	return c, err
}

func (b bareServer) close() { b.pool.Close() }

type bareFile struct {
	db      *sql.DB
	company func() (*sql.Stmt, error) // selectCompany, prepared once
}

func (b *bareFile) exec(ctx context.Context, statement string) error {
	_, err := b.db.ExecContext(ctx, statement)
	return err
}

// perStatement is how many rows one statement adds. More of them make it no
// faster: the driver takes its time over each value.
const perStatement = 32

func (b *bareFile) insert(ctx context.Context, table string, columns []string, rows [][]string) error {
	t, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	verb := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES "
	var many, single *sql.Stmt
	if many, err = t.PrepareContext(ctx, verb+strings.Repeat(one+", ", perStatement-1)+one); err != nil {
		return err
	}
	if single, err = t.PrepareContext(ctx, verb+one); err != nil {
		return err
	}
	args := make([]any, 0, perStatement*len(columns))
	for len(rows) > 0 {
		statement, n := single, 1
		if len(rows) >= perStatement {
			statement, n = many, perStatement
		}
		args = args[:0]
		for _, r := range rows[:n] {
			args = values(args, r)
		}
		if _, err := statement.ExecContext(ctx, args...); err != nil {
			return fmt.Errorf("insert: %w", err)
		}
		rows = rows[n:]
	}
	return t.Commit()
}

func (b *bareFile) row(ctx context.Context, id string) (c companyRow, err error) {
	s, err := b.company()
	if err == nil {
		err = s.QueryRowContext(ctx, id).Scan(&c.ID, &c.Country, &c.Name, &c.Status, &c.Said)
	}
	return c, err
}

func (b *bareFile) close() { b.db.Close() }

func values(to []any, row []string) []any {
	for _, v := range row {
		to = append(to, v)
	}
	return to
}
