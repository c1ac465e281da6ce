package store

import (
	"slices"
	"strings"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// Whatever is broken behind Bureau's back is found and named, and nothing is
// found in a database that nobody touched.
func TestInspectFindsWhatIsBroken(t *testing.T) {
	damages := []struct{ subject, sql, says string }{
		{"indexes", `DROP INDEX event_company`, "event_company is missing"},
		{"cursors", `UPDATE place SET number = 99 WHERE name = 'search keys'`, `"search keys" has read to 99`},
		{"cursors", `UPDATE change_log SET last_number = -1`, "says that its end is -1"},
		{"rows", `DELETE FROM portfolio`, "1 of event name a portfolio"},
		{"counts", `DELETE FROM event`, "there are 0 events, and the totals say 1"},
	}
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		ctx := t.Context()
		exec := func(sql string) {
			t.Helper()
			if err := db.write(ctx, func(tx tx) error { _, err := tx.Exec(ctx, sql); return err }); err != nil {
				t.Fatal(err)
			}
		}
		by := ledgerOwner
		exec(`INSERT INTO customer (id, name, grants, created_at, access) VALUES (1, 'Acme', '[]', 0, 1)`)
		exec(`INSERT INTO place (name, number) VALUES ('search keys', 0)`)
		exec(`INSERT INTO account (id, customer, user_key, title, first_name, surname, language, operator, disabled, epoch, password, console, created_at, access)
			VALUES (1, 1, 'ada', '', 'Ada', '', 'en', 0, 0, 0, '', '', 0, 1)`)
		p, err := db.CreatePortfolio(ctx, by, monitor.Portfolio{Name: "Watched"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Tell(ctx, []monitor.Event{{Customer: auth.CustomerID(1), Portfolio: p.ID, Company: "GB-0-1", Country: "XX", Rule: 5001}}, nil); err != nil {
			t.Fatal(err)
		}
		inspect := func() (wrong map[string]string) {
			t.Helper()
			var looked []string
			list, err := db.Inspect(ctx, func(s string) { looked = append(looked, s) })
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != len(looked) {
				t.Errorf("%d checks, heard of %v", len(list), looked)
			}
			wrong = map[string]string{}
			for _, c := range list {
				if len(c.Wrong) > 0 {
					wrong[c.Subject] = strings.Join(c.Wrong, "\n")
				} else if c.Says == "" {
					t.Errorf("%s: nothing is said", c.Subject)
				}
			}
			return wrong
		}
		if got := inspect(); len(got) > 0 {
			t.Fatalf("a whole database: %v", got)
		}
		for _, d := range damages {
			exec(d.sql)
			if got := inspect(); !strings.Contains(got[d.subject], d.says) {
				t.Errorf("after %s: %v", d.sql, got)
			}
		}
	})
}

// A source's key is one company's. On PostgreSQL no key of the schema sees to it.
func TestInspectFindsAKeyOfTwoCompanies(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	ctx := t.Context()
	rows := [][]any{
		{"a", int64(1), "GB-0-1", int64(1)},
		{"a", int64(2), "GB-0-1", int64(1)},
		{"b", int64(1), "GB-0-2", int64(1)},
		{"b", int64(1), "GB-0-3", int64(1)},
	}
	err := db.write(ctx, func(t tx) error {
		return t.Bulk(ctx, "statement", fingerprintColumns, len(rows), func(i int) []any { return rows[i] })
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := db.Inspect(ctx, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	const want = "1 keys of statement are of several companies, such as b 1"
	if !slices.ContainsFunc(list, func(c Check) bool { return c.Subject == "rows" && slices.Contains(c.Wrong, want) }) {
		t.Errorf("got %+v, want %q", list, want)
	}
}
