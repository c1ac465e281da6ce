package store

import (
	"slices"
	"strings"
	"testing"

	"bureau/internal/store/storetest"
)

// Whatever somebody does to the wall is said, table by table, with what puts it right:
// that closes the hole again.
func TestHolesInTheWallAreFound(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	exec := func(statements string) {
		t.Helper()
		for s := range strings.SplitSeq(statements, "; ") {
			must(t, db.write(t.Context(), func(q tx) error { _, err := q.Exec(t.Context(), s); return err }))
		}
	}
	const ours = `USING (customer = current_setting('bureau.customer'::text)::bigint)`
	for _, d := range []struct{ damage, says string }{
		{`ALTER TABLE webhook DISABLE ROW LEVEL SECURITY`, "row-level security is off on webhook, whose rows it must hold apart: ALTER TABLE webhook ENABLE ROW LEVEL SECURITY"},
		{`ALTER TABLE portfolio DISABLE ROW LEVEL SECURITY`, "row-level security is off on portfolio, whose rows it must hold apart: ALTER TABLE portfolio ENABLE ROW LEVEL SECURITY"},
		{`CREATE POLICY w2 ON portfolio USING (true)`, "portfolio has a policy w2 that is not ours, by which other rows may be seen: DROP POLICY w2 ON portfolio"},
		{`DROP POLICY wall ON event`, "event lacks its policy: CREATE POLICY wall ON event " + ours},
		{
			`DROP POLICY wall ON member; CREATE POLICY wall ON member USING (true)`,
			"the policy of member is another than ours, USING (true): DROP POLICY wall ON member; CREATE POLICY wall ON member " + ours,
		},
		{
			`DROP POLICY wall ON task; CREATE POLICY wall ON task FOR SELECT TO bureau ` + ours,
			"the policy of task is another than ours, FOR r TO bureau " + ours + ": DROP POLICY wall ON task; CREATE POLICY wall ON task " + ours,
		},
		{
			`DROP POLICY wall ON usage; CREATE POLICY wall ON usage ` + ours + ` WITH CHECK (true)`,
			"the policy of usage is another than ours, " + ours + " WITH CHECK (true): DROP POLICY wall ON usage; CREATE POLICY wall ON usage " + ours,
		},
	} {
		exec(d.damage)
		got, err := db.WallHoles(t.Context())
		if err != nil || !slices.Equal(got, []string{d.says}) {
			t.Errorf("after %s\ngot %q (%v)\nwant %q", d.damage, got, err, d.says)
		}
		_, mend, _ := strings.Cut(d.says, ": ")
		exec(mend)
		if got, err := db.WallHoles(t.Context()); err != nil || len(got) > 0 {
			t.Errorf("after %s: %q (%v), want no hole", mend, got, err)
		}
	}
}

// A wall that is off is not the fault of the role.
func TestAWallThatIsOffIsNotTheRolesFault(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	must(t, db.write(t.Context(), func(q tx) error {
		_, err := q.Exec(t.Context(), `ALTER TABLE portfolio DISABLE ROW LEVEL SECURITY`)
		return err
	}))
	w, err := db.Wall(t.Context())
	if err != nil || w.Up || !strings.Contains(w.Why, "row-level security is off on portfolio") {
		t.Errorf("got %+v (%v)", w, err)
	}
}

// An SQLite file has no wall, and no holes in it.
func TestAFileHasNoHoles(t *testing.T) {
	if got, err := open(t, t.TempDir()+"/test.db").WallHoles(t.Context()); err != nil || len(got) > 0 {
		t.Errorf("got %q (%v)", got, err)
	}
}
