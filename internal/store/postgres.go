package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

var postgresDialect = dialect{
	name:      "postgres",
	insert:    "INSERT INTO ",
	forUpdate: "FOR NO KEY UPDATE",
	forShare:  "FOR SHARE",
	forKey:    "FOR KEY SHARE",
	forDelete: "FOR UPDATE",
	isTaken: func(err error) bool {
		var e *pgconn.PgError
		return errors.As(err, &e) && e.Code == "23505"
	},
	isGone: func(err error) bool {
		var e *pgconn.PgError
		if errors.As(err, &e) {
			// Connection, resources, operator intervention, read-only replica.
			return len(e.Code) == 5 && slices.Contains([]string{"08", "53", "57", "58"}, e.Code[:2]) || e.Code == "25006"
		}
		// It did not answer, or stopped in the middle.
		var c *pgconn.ConnectError
		var n *net.OpError
		return errors.As(err, &c) || errors.As(err, &n) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	},
	// A partition is part of its table.
	columns: `
		SELECT t.relname::text, a.attname::text, format_type(a.atttypid, NULL),
		       COALESCE(array_position(k.conkey, a.attnum), 0)::bigint
		FROM pg_class AS t
		JOIN pg_namespace AS s ON s.oid = t.relnamespace
		JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		LEFT JOIN pg_constraint AS k ON k.conrelid = t.oid AND k.contype = 'p'
		WHERE s.nspname = current_schema() AND t.relkind IN ('r', 'p') AND NOT t.relispartition
		ORDER BY t.relname, a.attnum`,
	references: `
		SELECT DISTINCT t.relname::text, f.relname::text
		FROM pg_constraint AS k
		JOIN pg_class AS t ON t.oid = k.conrelid
		JOIN pg_class AS f ON f.oid = k.confrelid
		JOIN pg_namespace AS s ON s.oid = t.relnamespace
		WHERE s.nspname = current_schema() AND k.contype = 'f' AND NOT t.relispartition`,
	byteOrder: ` COLLATE "C"`,
	eventMade: `SELECT made FROM event_made($1) AS made WHERE made IS NOT NULL`,
}

type pgEngine struct {
	pgQueries
	pool *pgxpool.Pool
	*lockPresence

	wall     string    // the role that bound contexts are served under; "" if there is none
	prepares bool      // statements are prepared, and the server keeps their plans
	replicas *replicas // nil if there are none
}

func openPostgres(ctx context.Context, url string) (*pgEngine, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the database URL cannot be read: %w", err)
	}
	byIndex(cfg)
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	var version int
	err = pool.QueryRow(ctx, "SELECT current_setting('server_version_num')::int").Scan(&version)
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("reach PostgreSQL: %w", err)
	}
	if version < 150000 {
		pool.Close()
		return nil, fmt.Errorf("this is PostgreSQL %d; Bureau needs 15 or newer", version/10000)
	}
	e := &pgEngine{
		pool: pool, lockPresence: newLockPresence(cfg.ConnConfig),
		prepares: prepares(cfg),
	}
	e.pgQueries = pgQueries{pgReader{e}}
	return e, nil
}

func (e *pgEngine) write(ctx context.Context, f func(tx) error) error {
	return e.in(ctx, "BEGIN", f)
}

// writeShared is write: the server itself syncs the commits of several at once.
func (e *pgEngine) writeShared(ctx context.Context, f func(tx) error) error { return e.write(ctx, f) }

func (e *pgEngine) snapshot(ctx context.Context, f func(tx) error) error {
	return e.in(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", f)
}

func (e *pgEngine) in(ctx context.Context, begin string, f func(tx) error) error {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	customer, walled := e.walled(ctx)
	t := &lateTx{conn: conn, opens: []step{{query: begin}}}
	if walled {
		t.opens = append(t.opens, step{query: bind, args: []any{customer, e.wall}})
	}
	// A request that was cancelled still ends its transaction.
	defer t.release(context.WithoutCancel(ctx))
	if err := f(pgTx{pgQueries{e.planning(t)}, t, walled}); err != nil {
		return err
	}
	return t.commit(ctx)
}

func (e *pgEngine) close() error {
	e.lockPresence.close()
	e.replicas.close()
	e.pool.Close()
	return nil
}

func (e *pgEngine) Last(context.Context, []step) error { return errReadOnly }

func (e *pgEngine) Bulk(context.Context, string, []string, int, func(int) []any) error {
	return errReadOnly
}

// pgQuerier is what a pool and a transaction have in common.
type pgQuerier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

type pgQueries struct{ q pgQuerier }

func (p pgQueries) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	tag, err := p.q.Exec(ctx, query, args...)
	return tag.RowsAffected(), err
}

func (p pgQueries) QueryRow(ctx context.Context, query string, args ...any) row {
	return p.q.QueryRow(ctx, query, args...)
}

func (p pgQueries) Query(ctx context.Context, query string, args ...any) (rows, error) {
	return p.q.Query(ctx, query, args...)
}

type pgTx struct {
	pgQueries
	t      *lateTx
	walled bool
}

func (p pgTx) Bulk(ctx context.Context, table string, columns []string, n int, values func(int) []any) error {
	if p.walled {
		return bulkWalled(ctx, p.t, table, columns, n, values)
	}
	_, err := p.t.CopyFrom(ctx, pgx.Identifier{table}, columns,
		pgx.CopyFromSlice(n, func(i int) ([]any, error) { return values(i), nil }))
	return err
}

func (p pgTx) Last(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if s.read != nil {
			return errors.New("a statement that reads cannot be the last: " + s.query)
		}
	}
	if err := p.Together(ctx, append(steps, step{query: "COMMIT"})); err != nil {
		return err
	}
	p.t.ended = true
	return nil
}
