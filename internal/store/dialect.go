package store

import "context"

// A dialect is the little that differs between the two databases. Placeholders
// do not: both drivers bind $1, $2 by number, in any order.
type dialect struct {
	name      string           // also the folder under migrations/
	forUpdate string           // locks the rows a SELECT returns
	isTaken   func(error) bool // a UNIQUE constraint refused the row
	isGone    func(error) bool // the database cannot be reached, or is full

	// What the schema is made of, for backups. columns lists table, column,
	// type and place in the primary key (0: none), in order; references lists
	// the pairs of tables of which the first refers to the second.
	columns, references string
	byteOrder           string // sorts text by its bytes
}

// A tx is what queries run on: a transaction of either engine, or the pool of
// readers.
type tx interface {
	Exec(ctx context.Context, query string, args ...any) (rows int64, err error)
	QueryRow(ctx context.Context, query string, args ...any) row
	Query(ctx context.Context, query string, args ...any) (rows, error)

	// Bulk adds n rows to a table the fastest way the engine has; values
	// returns the i-th row in the order of columns.
	Bulk(ctx context.Context, table string, columns []string, n int, values func(i int) []any) error
}

type row interface{ Scan(into ...any) error }

type rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
	Close()
}

// An engine is one of the two databases.
type engine interface {
	tx // reads, outside a transaction

	// write runs f in a transaction and commits it, unless f fails.
	write(ctx context.Context, f func(tx) error) error
	// snapshot runs f in a transaction that sees one state and changes none.
	snapshot(ctx context.Context, f func(tx) error) error
	close() error
}

// each calls read for every row of a query.
func each(ctx context.Context, t tx, read func(row) error, query string, args ...any) error {
	rs, err := t.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rs.Close()
	for rs.Next() {
		if err := read(rs); err != nil {
			return err
		}
	}
	return rs.Err()
}
