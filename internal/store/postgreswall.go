package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bureau/internal/auth"
)

// A context that is bound to a customer is served under the role of the wall,
// which row-level security holds to that customer's rows. Both the role and the
// customer are set for one transaction: whoever has the connection next is whoever
// logged in, and sees all.

// bind is the statement that goes behind the wall.
const bind = `SELECT set_config('bureau.customer', $1, true), set_config('role', $2, true)`

// walled returns the customer to whom a context is bound, as the setting has it,
// and whether there is a wall to go behind.
func (e *pgEngine) walled(ctx context.Context) (customer string, yes bool) {
	if e.wall == "" {
		return "", false
	}
	c, yes := auth.Walled(ctx)
	return strconv.FormatInt(int64(c), 10), yes
}

// A pgReader reads outside a transaction. What a bound context asks goes in one
// round trip with the statement that binds it, and the two are one transaction.
type pgReader struct{ e *pgEngine }

func (r pgReader) send(ctx context.Context, customer, query string, args []any) (pgx.BatchResults, error) {
	b := new(pgx.Batch)
	b.Queue(bind, customer, r.e.wall)
	b.Queue(query, args...)
	res := r.e.pool.SendBatch(ctx, b)
	if _, err := res.Exec(); err != nil {
		res.Close()
		return nil, err
	}
	return res, nil
}

func (r pgReader) Exec(ctx context.Context, query string, args ...any) (pgconn.CommandTag, error) {
	customer, yes := r.e.walled(ctx)
	if !yes {
		return r.e.planning(r.e.pool).Exec(ctx, query, args...)
	}
	res, err := r.send(ctx, customer, query, args)
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := res.Exec()
	if cerr := res.Close(); err == nil {
		err = cerr
	}
	return tag, err
}

func (r pgReader) Query(ctx context.Context, query string, args ...any) (pgx.Rows, error) {
	customer, yes := r.e.walled(ctx)
	if !yes {
		return r.e.planning(r.e.pool).Query(ctx, query, args...)
	}
	res, err := r.send(ctx, customer, query, args)
	if err != nil {
		return nil, err
	}
	return rowsOf(res)
}

func (r pgReader) QueryRow(ctx context.Context, query string, args ...any) pgx.Row {
	customer, yes := r.e.walled(ctx)
	if !yes {
		return r.e.pool.QueryRow(ctx, query, args...)
	}
	res, err := r.send(ctx, customer, query, args)
	return lastRow{res, err}
}

// SendBatch sends several statements, behind that which binds them.
func (r pgReader) SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults {
	customer, yes := r.e.walled(ctx)
	if !yes {
		return r.e.pool.SendBatch(ctx, b)
	}
	bound := new(pgx.Batch)
	bound.Queue(bind, customer, r.e.wall)
	bound.QueuedQueries = append(bound.QueuedQueries, b.QueuedQueries...)
	res := r.e.pool.SendBatch(ctx, bound)
	_, _ = res.Exec() // a failure is that of all that follow, too
	return res
}

func (e *pgEngine) within(c auth.CustomerID) []step {
	if e.wall == "" {
		return nil
	}
	return []step{{query: bind, args: []any{strconv.FormatInt(int64(c), 10), e.wall}}}
}

func (e *pgEngine) without() []step {
	if e.wall == "" {
		return nil
	}
	return []step{{query: bind, args: []any{"", "none"}}}
}

// bulkWalled is Bulk behind the wall, where PostgreSQL takes no COPY. Rows go in
// several to a statement, and the statements in one round trip. Their sizes are
// few, so that the server knows them all by heart after a while.
func bulkWalled(ctx context.Context, t *lateTx, table string, columns []string, n int, values func(int) []any) error {
	b := new(pgx.Batch)
	for from := 0; from < n; {
		size := 1
		for size < 256 && size*4 <= n-from {
			size *= 4
		}
		args := make([]any, 0, size*len(columns))
		for i := range size {
			args = append(args, values(from+i)...)
		}
		b.Queue(insertSQL(table, columns, size), args...)
		from += size
	}
	return t.SendBatch(ctx, b).Close()
}

func insertSQL(table string, columns []string, rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES ")
	for i := range rows * len(columns) {
		switch {
		case i == 0:
			b.WriteString("(")
		case i%len(columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(i+1))
	}
	b.WriteString(")")
	return b.String()
}
