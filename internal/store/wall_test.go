package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/store/storetest"
)

// everybodys are the tables whose rows are no customer's. A new table is one of
// these, or has a policy.
var everybodys = strings.Fields(`
	schema_version setting record signing_key revoked_token login_attempts audit_signed audit_gone
	change_log company company_ident company_number statement change search_key document
	import fetched lease place monitor_log task_counter trouble bank_record modulus_table
	list_log screening_list list_version list_entry entry_version entry_change
	consumer consumer_key consumer_right consumer_change`)

// one opens a database through a single connection, so that whatever the last
// query left behind is there for the next.
func one(t *testing.T, url string) *DB {
	t.Helper()
	db := open(t, url+"&pool_max_conns=1")
	if w, err := db.Wall(t.Context()); err != nil || !w.Up {
		t.Fatalf("the wall: %+v (%v), want it up", w, err)
	}
	return db
}

// twoCustomers puts a row of each of two customers into every table that belongs
// to customers, and returns those tables. Every value of a row is its customer's
// number, so that a portfolio's rules are those of the portfolio's customer.
func twoCustomers(t *testing.T, db *DB) (walled []table) {
	t.Helper()
	ctx := t.Context()
	err := db.write(ctx, func(to tx) error {
		all, err := db.tables(ctx, to)
		if err != nil {
			return err
		}
		for _, table := range all {
			if slices.Contains(everybodys, table.name) {
				continue
			}
			walled = append(walled, table)
			if err := to.Bulk(ctx, table.name, table.columns, 2, func(i int) []any { return rowOf(table, int64(i+1)) }); err != nil {
				return fmt.Errorf("%s: %w", table.name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return walled
}

func rowOf(of table, customer int64) (row []any) {
	for _, c := range of.columns {
		switch of.kinds[c] {
		case number:
			row = append(row, customer)
		case words:
			row = append(row, strconv.FormatInt(customer, 10))
		default:
			row = append(row, []byte(strconv.FormatInt(customer, 10)))
		}
	}
	return row
}

// holes asks for everything there is in a customer's name, without a word of whom
// it belongs to: the first wall is not there. It returns a sentence for every row
// of another that can be seen, changed, taken away or made.
func holes(t *testing.T, db *DB, walled []table) (out []string) {
	t.Helper()
	ctx := auth.Within(t.Context(), 1)
	for _, of := range walled {
		say := func(format string, args ...any) { out = append(out, of.name+": "+fmt.Sprintf(format, args...)) }
		count := func(ctx context.Context, q tx) (n int64) {
			t.Helper()
			if err := q.QueryRow(ctx, "SELECT COUNT(*) FROM "+of.name).Scan(&n); err != nil {
				t.Fatalf("%s: %v", of.name, err)
			}
			return n
		}
		if n := count(ctx, db); n != 1 {
			say("%d rows are seen, want the customer's own", n)
		}
		if n := count(t.Context(), db); n != 2 {
			say("%d rows are seen by nobody in particular on the same connection, want all", n)
		}
		var rows int64
		err := each(ctx, db, func(row) error { rows++; return nil }, "SELECT 1 FROM "+of.name)
		if err != nil || rows != 1 {
			say("%d rows are listed (%v)", rows, err)
		}
		for _, in := range []func(context.Context, func(tx) error) error{db.write, db.snapshot} {
			err := in(ctx, func(q tx) error {
				if n := count(ctx, q); n != 1 {
					say("%d rows are seen in a transaction", n)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		first := of.columns[0]
		for doing, query := range map[string]string{
			"changed":    "UPDATE " + of.name + " SET " + first + " = " + first,
			"taken away": "DELETE FROM " + of.name,
		} {
			n, err := tried(ctx, db, func(q tx) (int64, error) { return q.Exec(ctx, query) })
			if slices.Contains(shownTables, of.name) {
				if !isRefused(err) {
					say("%d rows were %s (%v), want a refusal", n, doing, err)
				}
			} else if err != nil || n != 1 {
				say("%d rows were %s (%v), want the customer's own", n, doing, err)
			}
		}
		_, err = tried(ctx, db, func(q tx) (int64, error) {
			return 1, q.Bulk(ctx, of.name, of.columns, 1, func(int) []any { return rowOf(of, 2) })
		})
		if !isRefused(err) {
			say("a row of another was made (%v)", err)
		}
	}
	return out
}

var errUndo = errors.New("undo")

// tried does something, and undoes it.
func tried(ctx context.Context, db *DB, do func(tx) (int64, error)) (n int64, err error) {
	werr := db.write(ctx, func(q tx) error {
		if n, err = do(q); err != nil {
			return err
		}
		return errUndo
	})
	if errors.Is(werr, errUndo) {
		return n, nil
	}
	return n, werr
}

// What a customer's call asks without naming the customer shows and changes that
// customer's rows alone, in every table there is.
func TestWallHolds(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	walled := twoCustomers(t, db)
	if len(walled) < 30 {
		t.Fatalf("%d tables belong to customers: that is not all of them", len(walled))
	}
	for _, hole := range holes(t, db, walled) {
		t.Error(hole)
	}
}

// The test above finds each kind of hole.
func TestHolesAreFound(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	walled := twoCustomers(t, db)
	err := db.write(t.Context(), func(q tx) error {
		for _, query := range []string{
			"ALTER TABLE member DISABLE ROW LEVEL SECURITY",
			"CREATE POLICY gate ON quiet FOR INSERT WITH CHECK (true)",
		} {
			if _, err := q.Exec(t.Context(), query); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, hole := range holes(t, db, walled) {
		name, _, _ := strings.Cut(hole, ":")
		got[name]++
	}
	if len(got) != 2 || got["member"] < 5 || got["quiet"] != 1 {
		t.Errorf("holes by table: %v, want all kinds in member and one in quiet", got)
	}
}

// A table with a customer is behind the wall, and so is every table that is not
// known to be everybody's.
func TestEveryTableHasItsSide(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	all, err := db.tables(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range all {
		var enabled, policy bool
		err := db.QueryRow(t.Context(), `
			SELECT relrowsecurity, EXISTS (SELECT 1 FROM pg_policy WHERE polrelid = pg_class.oid)
			FROM pg_class
			WHERE oid = to_regclass($1)`, table.name).Scan(&enabled, &policy)
		if err != nil {
			t.Fatal(err)
		}
		free := slices.Contains(everybodys, table.name)
		switch {
		case free && table.kinds["customer"] != "":
			t.Errorf("%s has a customer and is called everybody's", table.name)
		case free == (enabled && policy):
			t.Errorf("%s: row-level security %t, a policy %t; everybody's %t: a migration must give it a policy, or this test must know it", table.name, enabled, policy, free)
		}
	}
}

// A file that no task took up yet is there for whoever is sending it; once it is
// taken up it is its customer's.
func TestFileBehindTheWall(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	mine, theirs := auth.Within(t.Context(), 1), auth.Within(t.Context(), 2)
	file, _, err := db.AddFile(mine, strings.NewReader("a file"))
	if err != nil {
		t.Fatal(err)
	}
	if k, err := db.AddTask(mine, job.Task{Kind: "test", Customer: 1, Account: 1, File: file}); err != nil || k.FileSize != 6 {
		t.Fatalf("got a task with a file of %d bytes (%v), want 6", k.FileSize, err)
	}
	if b, err := io.ReadAll(db.OpenFile(mine, file, 0)); err != nil || string(b) != "a file" {
		t.Errorf("the customer read %q (%v)", b, err)
	}
	if b, err := io.ReadAll(db.OpenFile(theirs, file, 0)); err == nil {
		t.Errorf("another customer read %q", b)
	}
	dropped, _, err := db.AddFile(mine, strings.NewReader("another"))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.DropFile(mine, dropped); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := db.QueryRow(t.Context(), `SELECT COUNT(*) FROM file_chunk WHERE file = $1`, int64(dropped)).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d pieces of a dropped file are left (%v)", left, err)
	}
}

// Who logs in with every power is held like anybody else, and a login that may not
// make the role is told so and works without it.
func TestWallByLogin(t *testing.T) {
	server := storetest.PostgresServer(t)
	t.Run("a superuser", func(t *testing.T) {
		db := one(t, server.URL("postgres"))
		for _, hole := range holes(t, db, twoCustomers(t, db)) {
			t.Error(hole)
		}
	})
	t.Run("an owner without the role", func(t *testing.T) {
		db := open(t, server.OwnedBy("alone"))
		w, err := db.Wall(t.Context())
		if err != nil || w.Up || w.Role != "alone_walled" || !strings.Contains(w.Why, "no role alone_walled") {
			t.Errorf("the wall: %+v (%v), want to hear that the role is missing", w, err)
		}
		var n int
		if err := db.QueryRow(auth.Within(t.Context(), 1), `SELECT COUNT(*) FROM portfolio`).Scan(&n); err != nil {
			t.Error(err)
		}
	})
}

// A role that was made later is given its tables at the next start.
func TestWallIsRaisedLater(t *testing.T) {
	server := storetest.PostgresServer(t)
	url := server.OwnedBy("late")
	if w, err := open(t, url).Wall(t.Context()); err != nil || w.Up {
		t.Fatalf("the wall: %+v (%v), want none yet", w, err)
	}
	admin := connect(t, server.URL("postgres"))
	for _, query := range []string{"CREATE ROLE late_walled NOLOGIN", "GRANT late_walled TO late"} {
		if _, err := admin.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	one(t, url)
}

// code is PostgreSQL's own word for an error.
func code(err error) string {
	e, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return ""
	}
	return e.Code
}

// A call fails whose role went away: it is not served without a wall.
func TestNoWallNoCall(t *testing.T) {
	db := one(t, storetest.Postgres(t))
	db.engine.(*pgEngine).wall = "nobody_walled"
	ctx := auth.Within(t.Context(), 1)
	var n int
	if err := db.QueryRow(ctx, `SELECT COUNT(*) FROM portfolio`).Scan(&n); code(err) != "22023" {
		t.Errorf("read %d rows (%v), want a failure", n, err)
	}
	for name, first := range firstStatements {
		if err := db.write(ctx, func(t tx) error { return first(ctx, t) }); code(err) != "22023" {
			t.Errorf("a transaction that begins with %s: %v, want a failure", name, err)
		}
	}
	if err := db.QueryRow(t.Context(), `SELECT COUNT(*) FROM portfolio`).Scan(&n); err != nil {
		t.Errorf("and then for nobody in particular: %v", err)
	}
}
