package bench

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// askNumber asks either engine for one number.
func askNumber(ctx context.Context, db database, query string) (n int64, err error) {
	switch b := db.(type) {
	case *bareFile:
		err = b.db.QueryRowContext(ctx, query).Scan(&n)
	case bareServer:
		err = b.pool.QueryRow(ctx, query).Scan(&n)
	}
	return n, err
}

// eachRow reads all rows of a query, which has so many columns.
func eachRow(ctx context.Context, db database, columns int, query string, read func(row []any)) error {
	row := func(scan func(...any) error) error {
		cells, into := make([]any, columns), make([]any, columns)
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		read(cells)
		return nil
	}
	switch b := db.(type) {
	case *bareFile:
		rows, err := b.db.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := row(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	case bareServer:
		rows, err := b.pool.Query(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := row(rows.Scan); err != nil {
				return err
			}
		}
		return rows.Err()
	}
	return fmt.Errorf("no way to read from a %T", db)
}

// insertValues adds rows of any values as insert does, in one transaction.
func insertValues(ctx context.Context, db database, table string, columns []string, rows [][]any) error {
	switch b := db.(type) {
	case *bareFile:
		return insertInto(ctx, b.db, table, columns, rows)
	case bareServer:
		_, err := b.pool.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
		return err
	}
	return fmt.Errorf("no way to write to a %T", db)
}

func insertInto(ctx context.Context, db *sql.DB, table string, columns []string, rows [][]any) error {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	one := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	verb := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES "
	many, err := t.PrepareContext(ctx, verb+strings.Repeat(one+", ", perStatement-1)+one)
	if err != nil {
		return err
	}
	single, err := t.PrepareContext(ctx, verb+one)
	if err != nil {
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
			args = append(args, r...)
		}
		if _, err := statement.ExecContext(ctx, args...); err != nil {
			return fmt.Errorf("insert: %w", err)
		}
		rows = rows[n:]
	}
	return t.Commit()
}
