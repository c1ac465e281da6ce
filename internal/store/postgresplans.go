package store

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// PostgreSQL makes one plan for all lists that a prepared statement is ever given, on the
// assumption that they are short, and keeps it while a table grows until it counts the
// rows again. Such a plan may go through a whole portfolio and hold each row against
// each of a list: fast for ten, hours for a hundred thousand. So a statement about a long
// list has a plan of its own every time. That costs less than what it asks for.

// longList is from how many values on a list is worth a plan of its own.
const longList = 64

// ownPlans is a transaction whose statements about long lists have plans of their own.
type ownPlans struct{ pgx.Tx }

func (t ownPlans) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return t.Tx.Exec(ctx, sql, t.planned(args)...)
}

func (t ownPlans) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return t.Tx.Query(ctx, sql, t.planned(args)...)
}

// planned are the arguments with the wish for a plan before them. Whoever chose another
// way of talking to the server in its URL has no plan that is kept.
func (t ownPlans) planned(args []any) []any {
	if !hasLongList(args) || t.Conn().Config().DefaultQueryExecMode != pgx.QueryExecModeCacheStatement {
		return args
	}
	return append([]any{pgx.QueryExecModeCacheDescribe}, args...)
}

func hasLongList(args []any) bool {
	for _, a := range args {
		switch list := a.(type) {
		case []string:
			return len(list) >= longList
		case []int64:
			return len(list) >= longList
		}
	}
	return false
}

// Together sends a statement that is alone as what it is: so it has a plan of its own.
func (p pgTx) Together(ctx context.Context, steps []step) error {
	if len(steps) == 1 && hasLongList(steps[0].args) {
		return oneByOne(ctx, p, steps)
	}
	return p.pgQueries.Together(ctx, steps)
}
