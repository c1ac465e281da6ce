package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bureau/internal/store/storetest"
)

// A doctored is a database that something is done to behind Bureau's back.
type doctored struct {
	t    *testing.T
	data string
	db   string
	exec func(statement string)
}

func newDoctored(t *testing.T, engine string) doctored {
	t.Helper()
	d := doctored{t: t, data: t.TempDir()}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if engine == "postgres" {
		d.db = storetest.Postgres(t)
		conn, err := pgx.Connect(t.Context(), d.db)
		must(err)
		t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
		d.exec = func(s string) { t.Helper(); _, err := conn.Exec(t.Context(), s); must(err) }
	} else {
		d.db = filepath.Join(d.data, "bureau.db")
		conn, err := sql.Open("sqlite", d.db)
		must(err)
		t.Cleanup(func() { conn.Close() })
		d.exec = func(s string) { t.Helper(); _, err := conn.ExecContext(t.Context(), s); must(err) }
	}
	if code, out, errs := call(t, "customer", "add", "Example Ltd", "--data", d.data, "--db", d.db); code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	return d
}

// says fails unless the doctor ends with a code and has a line for a finding.
func (d doctored) says(code int, state, subject, text string, flags ...string) {
	d.t.Helper()
	got, out, errs := call(d.t, append([]string{"doctor", "--listen", "localhost:0", "--data", d.data, "--db", d.db}, flags...)...)
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, state) && strings.Contains(line, subject) && strings.Contains(line, text) {
			if got == code {
				return
			}
		}
	}
	d.t.Errorf("the doctor ends with %d, want %d and a line %s %s %s\n%s%s", got, code, state, subject, text, out, errs)
}

// The doctor says what is wrong with what is in a database, on either engine, unless it
// is asked to be quick.
func TestDoctorFindsDamage(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgres"} {
		d := newDoctored(t, engine)
		d.says(0, "ok", "logs", "whole: changes to 0")
		d.exec(`UPDATE change_log SET last_number = 3`)
		d.says(1, "bad", "logs", "3 was its last number")
		d.says(0, "ok", "database", engine, "--quick")
		d.exec(`UPDATE change_log SET last_number = 0`)
		d.exec(`INSERT INTO document (id, company, country, kind, text, media, language, comment, reference, filed, accounts, source, digest, size, file, turn, uploaded_at)
			VALUES ('1', 'GB-0-1', 'GB', '', '', '', '', '', '', '', '', '', '', 0, 7, 0, 0)`)
		d.exec(`INSERT INTO file (id, task, size, begun_at) VALUES (7, -1, 0, 0)`)
		d.says(0, "note", "rows", "1 of document are of a company that was never in the register")
	}
}

// A hole in the wall is bad, also where nothing is read through.
func TestDoctorFindsHolesInTheWall(t *testing.T) {
	t.Parallel()
	d := newDoctored(t, "postgres")
	d.says(0, "ok", "wall", "row-level security holds")
	for _, hole := range []struct{ made, says, closed string }{
		{`ALTER TABLE webhook DISABLE ROW LEVEL SECURITY`, "is off on webhook", `ALTER TABLE webhook ENABLE ROW LEVEL SECURITY`},
		{`CREATE POLICY w2 ON portfolio USING (true)`, "has a policy w2", `DROP POLICY w2 ON portfolio`},
		{`ALTER TABLE portfolio DISABLE ROW LEVEL SECURITY`, "is off on portfolio", `ALTER TABLE portfolio ENABLE ROW LEVEL SECURITY`},
	} {
		d.exec(hole.made)
		d.says(1, "bad", "wall", hole.says)
		d.says(1, "bad", "wall", hole.says, "--quick")
		d.exec(hole.closed)
	}
	d.says(0, "ok", "wall", "row-level security holds")
}
