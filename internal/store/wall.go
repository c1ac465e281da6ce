package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// The second wall, on PostgreSQL: a role without a login that owns nothing, and
// that the calls of customers are served under. Policies, which migration 0024
// made, hold it to the rows of one customer. Whoever owns the tables is not held:
// the work that is done for all customers pays nothing for the wall, may COPY, and
// what dumps the database sees all of it. Nor does it matter what Bureau logs in
// as: the role has no power to lose.
//
// To make a role takes a power that Bureau's login may lack. Then there is the
// first wall alone, and the doctor says what to do.

// Wall is how the second wall stands.
type Wall struct {
	Role string // that customers' calls are served under
	Up   bool
	Why  string // it is not
}

// Wall reports how the second wall stands. An SQLite file has none.
func (db *DB) Wall(ctx context.Context) (Wall, error) {
	e, ok := db.engine.(*pgEngine)
	if !ok {
		return Wall{Why: "an SQLite file has one user, who sees all of it"}, nil
	}
	return e.lookAtWall(ctx)
}

// raiseWall makes what the wall lacks, as far as it may, and goes behind it.
func (db *DB) raiseWall(ctx context.Context) error {
	e, ok := db.engine.(*pgEngine)
	if !ok {
		return nil
	}
	w, err := e.lookAtWall(ctx)
	if err != nil {
		return fmt.Errorf("look at the wall between customers: %w", err)
	}
	if !w.Up {
		if err := e.buildWall(ctx, db, w.Role); err != nil && !isRefused(err) {
			return fmt.Errorf("raise the wall between customers: %w", err)
		}
		if w, err = e.lookAtWall(ctx); err != nil {
			return fmt.Errorf("look at the wall between customers: %w", err)
		}
	}
	if w.Up {
		e.wall = w.Role
	}
	return nil
}

// The role is named for the owner of the tables: two Bureaus with an owner each on
// one server do not share it. Names have 63 bytes.
const wallRole = `
	SELECT left(pg_get_userbyid(relowner)::text, 50) || '_walled'
	FROM pg_class
	WHERE oid = to_regclass('portfolio')`

// behindWall is asked as the role: is it held to one customer, and does it lack a
// table that was made since it was given them?
const behindWall = `
	SELECT row_security_active('portfolio'),
	       (SELECT relrowsecurity FROM pg_class WHERE oid = to_regclass('portfolio')),
	       EXISTS (
	           SELECT 1
	           FROM pg_class
	           WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p')
	             AND NOT relispartition AND relname <> ALL($1) AND NOT has_table_privilege(oid, 'SELECT')
	       )`

// lookAtWall does what a customer's call does, and sees whether it is held.
func (e *pgEngine) lookAtWall(ctx context.Context) (w Wall, err error) {
	if err := e.pool.QueryRow(ctx, wallRole).Scan(&w.Role); err != nil {
		return w, err
	}
	var held, on, lacks bool
	err = pgx.BeginFunc(ctx, e.pool, func(t pgx.Tx) error {
		if _, err := t.Exec(ctx, bind, "0", w.Role); err != nil {
			return err
		}
		return t.QueryRow(ctx, behindWall, hiddenTables).Scan(&held, &on, &lacks)
	})
	switch {
	case isRefused(err):
		w.Why = fmt.Sprintf("there is no role %s, or it was not granted to the role that Bureau logs in as", w.Role)
	case err != nil:
		return w, err
	case !on:
		w.Why = "row-level security is off on portfolio: ALTER TABLE portfolio ENABLE ROW LEVEL SECURITY"
	case !held:
		w.Why = fmt.Sprintf("the role %s is not held by row-level security: it must be no superuser, own no table and have no BYPASSRLS", w.Role)
	case lacks:
		w.Why = fmt.Sprintf("the role %s may not use every table yet; 'bureau serve' grants them", w.Role)
	default:
		w.Up = true
	}
	return w, nil
}

// What the calls of customers do not touch themselves: the record is written by
// the journal, for many at once.
var (
	hiddenTables = []string{
		"schema_version", "setting", "record", "signing_key", "revoked_token", "login_attempts", "audit_signed", "audit_gone",
	}
	shownTables = []string{"customer", "account", "audit", "usage"}
)

// wallParts are the statements that give a role what it may use. A month of a log
// is not among them: the policies are those of the whole, and so is the way in.
const wallParts = `
	SELECT format('GRANT %I TO %I', $1::text, current_user) WHERE NOT pg_has_role(current_user, $1::text, 'MEMBER')
	UNION ALL
	SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), $1::text)
	UNION ALL
	SELECT format('GRANT %s ON %s TO %I',
	              CASE WHEN relname = ANY($3) THEN 'SELECT' ELSE 'SELECT, INSERT, UPDATE, DELETE' END,
	              oid::regclass, $1::text)
	FROM pg_class
	WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p') AND NOT relispartition
	  AND relname <> ALL($2)`

// buildWall makes the role if there is none, and gives it what it may use. Each is
// tried for itself: a role that somebody else made may lack the tables only.
func (e *pgEngine) buildWall(ctx context.Context, db *DB, role string) error {
	err := e.write(ctx, func(t tx) error {
		if err := db.lockSchema(ctx, t); err != nil {
			return err
		}
		var query string
		err := t.QueryRow(ctx, `
			SELECT format('CREATE ROLE %I NOLOGIN', $1::text)
			WHERE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)`, role).Scan(&query)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = t.Exec(ctx, query)
		return err
	})
	// A Bureau with another database on the server may have made it just now.
	if err != nil && !isThere(err) {
		return err
	}
	return e.write(ctx, func(t tx) error {
		if err := db.lockSchema(ctx, t); err != nil {
			return err
		}
		var parts []string
		err := each(ctx, t, func(r row) error {
			var query string
			err := r.Scan(&query)
			parts = append(parts, query)
			return err
		}, wallParts, role, hiddenTables, shownTables)
		if err != nil {
			return err
		}
		for _, query := range parts {
			if _, err := t.Exec(ctx, query); err != nil {
				return err
			}
		}
		return nil
	})
}

// isRefused reports whether a role is missing, or we may not do that with it.
func isRefused(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "42501" || e.Code == "22023" || e.Code == "42704")
}

// isThere reports whether a role was there before us.
func isThere(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "42710" || e.Code == "23505")
}
