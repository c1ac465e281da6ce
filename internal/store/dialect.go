package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"bureau/internal/auth"
)

// A dialect is the little that differs between the two databases. Placeholders
// do not: both drivers bind $1, $2 by number, in any order.
type dialect struct {
	name      string           // also the folder under migrations/
	insert    string           // how a statement that adds rows begins
	forUpdate string           // locks the rows a SELECT returns
	forShare  string           // keeps others from locking them
	forKey    string           // only keeps others from deleting them
	forDelete string           // locks them also against forKey
	isTaken   func(error) bool // a UNIQUE constraint refused the row
	isGone    func(error) bool // the database cannot be reached, or is full

	// What the schema is made of, for backups. columns lists table, column,
	// type and place in the primary key (0: none), in order; references lists
	// the pairs of tables of which the first refers to the second.
	columns, references string
	byteOrder           string // sorts text by its bytes

	// eventMade asks when the first event from a number on was made, whosever it is.
	eventMade string
}

// oneOf is the condition that a column holds one of many texts, which many
// binds at a place such as $2.
func (d dialect) oneOf(column, place string) string {
	if d.name == "postgres" {
		return column + " = ANY(" + place + ")"
	}
	return column + " IN (SELECT value FROM json_each(" + place + "))"
}

// many is a list of texts as oneOf wants it.
func many[T ~string](d dialect, list []T) any {
	if d.name == "postgres" {
		return texts(list)
	}
	b, err := json.Marshal(list)
	if err != nil {
		panic(err) // texts can be written
	}
	return string(b)
}

// owned is a table k (number, customer) of numbers and whose they are, to be joined
// with, and its arguments, which are the first of the query. To ask for one of many
// numbers of one of many customers would look for each with each.
func owned[T ~int64](d dialect, of map[T]auth.CustomerID) (table string, args []any) {
	numbers, customers := make([]int64, 0, len(of)), make([]int64, 0, len(of))
	pairs := make([][2]int64, 0, len(of))
	for _, n := range slices.Sorted(maps.Keys(of)) {
		numbers, customers = append(numbers, int64(n)), append(customers, int64(of[n]))
		pairs = append(pairs, [2]int64{int64(n), int64(of[n])})
	}
	if d.name == "postgres" {
		return `unnest($1::bigint[], $2::bigint[]) AS k (number, customer)`, []any{numbers, customers}
	}
	b, err := json.Marshal(pairs)
	if err != nil {
		panic(err) // numbers can be written
	}
	return `(SELECT value ->> 0 AS number, value ->> 1 AS customer FROM json_each($1)) AS k`, []any{string(b)}
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

	// Together runs several statements, in one round trip where there is one. Last
	// does so with the end of a transaction, which is committed by the same trip;
	// what is read from an answer comes too late to stop it, so that it takes only
	// statements that write.
	Together(ctx context.Context, steps []step) error
	Last(ctx context.Context, steps []step) error
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
	presence

	// public reads what is no customer's. It does not go behind the wall, which
	// would cost most of what a short read takes; a test sees to it that nothing
	// else is read by it.
	public() tx

	// write runs f in a transaction and commits it, unless f fails.
	write(ctx context.Context, f func(tx) error) error
	// writeShared is write for what is short: it may share its commit with others that
	// come at the same time, each of which still happens or not by itself.
	writeShared(ctx context.Context, f func(tx) error) error
	// snapshot runs f in a transaction that sees one state and changes none.
	snapshot(ctx context.Context, f func(tx) error) error
	// within are the steps that go behind a customer's wall in the middle of a
	// transaction that is behind none, and without those that come back.
	within(c auth.CustomerID) []step
	without() []step
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
