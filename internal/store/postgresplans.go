package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// prepares says whether statements are prepared, and the server keeps their plans.
func prepares(c *pgxpool.Config) bool {
	return c.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement
}

// byIndex lets the server go by indexes wherever there is one. A plan that is kept was
// made when the table was small, where going through it costs least, and a table of
// events grows by thousands before the server counts it again. What has no index is
// gone through all the same, and seems so dear then that compiling it would pay: it
// would not. A server that has no such settings plans as it likes.
func byIndex(c *pgxpool.Config) {
	if !prepares(c) {
		return
	}
	c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.PgConn().Exec(ctx, `SELECT set_config(name, 'off', false) FROM pg_settings WHERE name IN ('enable_seqscan', 'jit')`).ReadAll()
		if err != nil {
			return fmt.Errorf("set how statements are planned: %w", err)
		}
		return nil
	}
}

// readsAll says that a transaction reads whole tables, and may go through them.
func (db *DB) readsAll(ctx context.Context, t tx) error {
	if db.d.name != "postgres" {
		return nil
	}
	_, err := t.Exec(ctx, `SELECT set_config(name, 'on', true) FROM pg_settings WHERE name = 'enable_seqscan'`)
	return err
}

// PostgreSQL makes one plan for all lists that a prepared statement is ever given, on the
// assumption that they are short, and keeps it while a table grows until it counts the
// rows again. Such a plan goes through a small table, or a whole portfolio, and holds
// each row against each of the list: fast for a few, minutes for a hundred thousand. So a
// statement about a list that is not short has a plan of its own every time, by which
// PostgreSQL hashes the list or fetches each by its key.

// longList is from how many values on a list has a plan of its own. To plan takes as long
// as to fetch some ten by their keys, so that a page of a search is not worth one.
const longList = 16

// ownPlans gives statements about long lists plans of their own.
type ownPlans struct{ pgQuerier }

// planning is q, with plans of their own for statements about long lists.
func (e *pgEngine) planning(q pgQuerier) pgQuerier {
	if !e.prepares {
		return q // no plan is kept
	}
	return ownPlans{q}
}

func (p ownPlans) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return p.pgQuerier.Exec(ctx, sql, planned(args)...)
}

func (p ownPlans) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.pgQuerier.Query(ctx, sql, planned(args)...)
}

// planned are the arguments with the wish for a plan before them.
func planned(args []any) []any {
	if !hasLongList(args) {
		return args
	}
	return append([]any{pgx.QueryExecModeCacheDescribe}, args...)
}

func hasLongList(args []any) bool {
	for _, a := range args {
		n := 0
		switch list := a.(type) {
		case []string:
			n = len(list)
		case []int64:
			n = len(list)
		}
		if n >= longList {
			return true
		}
	}
	return false
}
