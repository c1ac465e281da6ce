package store

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/store/storetest"
)

// A damage is something done behind Bureau's back, and what is to be said of it.
type damage struct{ subject, sql, says string }

// damages are done one after the other.
var damages = []damage{
	{"indexes", `DROP INDEX event_company`, "event_company is missing; it is made by: CREATE INDEX event_company ON event"},
	{"indexes", `DROP INDEX portfolio_name; CREATE INDEX portfolio_name ON portfolio (customer, account, name)`, "portfolio_name is another than ours"},
	{"indexes", `DROP INDEX company_due; CREATE INDEX company_due ON company (accounts_due, id)`, "company_due is another than ours"},
	{"indexes", `DROP INDEX quiet_number; CREATE INDEX quiet_number ON quiet (portfolio)`, "quiet_number is another than ours"},

	{"counts", `UPDATE event_total SET events = events + 3 WHERE made = 0 AND portfolio > 0`, "3 totals of events by the day of the change are wrong: there are 1 events, and the total says 4, in portfolio 100001 on 2026-04-06"},
	{"counts", `UPDATE event_total SET events = events + 3 WHERE made = 1 AND portfolio < 0`, "1 totals of events by the day they were made are wrong: there are 1 events, and the total says 4, among the alerts of customer 1"},
	{"counts", `UPDATE event_total SET events = 3 - events WHERE made = 2 AND portfolio > 0`, "2 totals of events in all are wrong"}, // the sum is right
	{"counts", `UPDATE event_total SET events = 3 - events WHERE made = 2 AND portfolio > 0; DELETE FROM event WHERE id = 4`, "there are 1 events, and the total says 2, in portfolio 100001, of those that were not processed"},

	{"rows", `INSERT INTO consumer_key (key, consumer) VALUES ('eve', 'nobody')`, "1 of consumer_key name a consumer in consumer that is not there, such as nobody"},
	{"rows", `UPDATE rule_setting SET portfolio = 7`, "1 of rule_setting name a portfolio in portfolio that is not there, such as 7"},
	{"rows", `DELETE FROM file WHERE id = (SELECT MIN(file) FROM document)`, "1 of document name a file"},
	{"rows", `DELETE FROM watcher WHERE portfolio = 100001`, "2 of member are watched by nobody, so that no event tells of them, such as 100001 GB-0-1"},
	{"rows", `INSERT INTO watcher (company, portfolio, since, until, customer) VALUES ('GB-0-8', 100001, 0, 9223372036854775807, 1)`, "1 of watcher watch a company that is not in the portfolio, such as 100001 GB-0-8"},
	{"rows", `DELETE FROM company WHERE id = 'GB-0-2'`, "1 of change added a company that is not there, and that never left the register, such as GB-0-2"},
	{"rows", `UPDATE place SET number = 5 WHERE name = 'search keys'`, "1 of search_key name a company in company that is not there, such as GB-0-3"},
	{"rows", `DELETE FROM kyc_watch`, "1 of kyc_schedule are not watched for"},
	{"rows", `DELETE FROM kyc_subject WHERE sought = 'over'`, "1 of kyc_search name a kyc_subject in customer, sought that is not there, such as 1 over"},
	{"rows", `UPDATE event SET portfolio = -2 WHERE portfolio < 0`, "1 of event are alerts of a customer that is not there, or is another's, such as 1"},
	{"rows", `UPDATE event SET portfolio = -2, customer = 2 WHERE portfolio < 0`, "1 of event are alerts of a customer that is not there, or is another's, such as 2"},
	{"rows", `DELETE FROM portfolio`, "2 of event name a portfolio"},

	{"logs", `DELETE FROM change WHERE number = 5`, "the log of changes ends with 4, and 5 was its last number"},
	{"logs", `DELETE FROM change WHERE number = 2`, "the log of changes is broken in 1 places: after 1 comes 3"},
	{"logs", `DELETE FROM change WHERE number = 1`, "the log of changes is broken in 1 places: it begins with 3"},
	{"logs", `DELETE FROM entry_change WHERE number = 2`, "the log of changes of lists is broken in 1 places: after 1 comes 3"},
	{"logs", `DELETE FROM entry_change WHERE number = 3`, "the log of changes of lists ends with 1, and 3 was its last number"},
	{"logs", `UPDATE change_log SET last_number = -1`, "says that its end is -1"},
	{"logs", `UPDATE monitor_log SET last_number = 2 WHERE name = 'event'`, "the log of events goes to 6, and says that its end is 2"},
	{"cursors", `UPDATE place SET number = 99 WHERE name = 'search keys'`, `"search keys" has read to 99`},
}

// Whatever is broken behind Bureau's back is found and named.
func TestInspectFindsWhatIsBroken(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		h := newHouse(t, url)
		all := damages
		if h.d.name == "postgres" { // where a key can go without its table
			all = append([]damage{
				{"indexes", `ALTER TABLE webhook DROP CONSTRAINT webhook_pkey`, "webhook_pkey is missing; it is made by: ALTER TABLE webhook ADD CONSTRAINT webhook_pkey PRIMARY KEY (id)"},
				{"indexes", `ALTER TABLE account DROP CONSTRAINT account_email_key`, "account_email_key is missing"},
			}, all...)
			all = append(all, damage{"logs", `INSERT INTO change (number, company, field, item, old, new, source, at) VALUES (3, 'GB-0-7', '', '', '', '', '', 0)`, "broken in 2 places"})
		}
		for _, d := range all {
			h.exec(strings.Split(d.sql, "; ")...)
			if got := h.wrong(); !strings.Contains(got[d.subject], d.says) {
				t.Errorf("after %s\ngot %v\nwant %s: %s", d.sql, got, d.subject, d.says)
			}
		}
	})
}

// What goes as it should leaves nothing that the doctor takes for damage, on either
// engine, and in what is restored from a backup on the other.
func TestInspectFindsNothingInAHouseInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		h := newHouse(t, url)
		if got := h.wrong(); len(got) > 0 {
			t.Errorf("a house in order: %v", got)
		}
		var b bytes.Buffer
		_, err := h.Backup(t.Context(), &b, nil)
		must(t, err)
		other := map[string]string{"sqlite": "postgres", "postgres": "sqlite"}[h.d.name]
		restored := connect(t, engines[other](t))
		_, err = Restore(t.Context(), restored, &b, nil)
		must(t, err)
		if got := wrongIn(t, restored); len(got) > 0 {
			t.Errorf("restored: %v", got)
		}
	})
}

// A transaction that fails takes no number with it.
func TestInspectFindsNothingAfterAFailure(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		h := newHouse(t, url)
		one := company.Update{Changes: []company.Change{{Company: "GB-0-1", Field: company.FieldName, New: "y"}}}
		two := company.Update{Companies: []company.Saved{{Held: company.Held{ID: "GB-0-1"}, New: true}}, Changes: one.Changes}
		for i, u := range []company.Update{one, two, one} {
			err := h.Write(t.Context(), func(company.View) (company.Update, error) { return u, nil })
			if there := i == 1; (err != nil) != there {
				t.Errorf("write %d: %v, want a refusal: %t", i, err, there)
			}
		}
		if last, err := h.LastChange(t.Context()); err != nil || last != 7 {
			t.Errorf("the last change is %d (%v), want 7", last, err)
		}
		if got := h.wrong(); len(got) > 0 {
			t.Errorf("after a failure: %v", got)
		}
	})
}

// A document may come before its company, so that one without is worth a note.
func TestInspectNotesDocumentsWithoutACompany(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		list, err := newHouse(t, url).Inspect(t.Context(), func(string) {})
		must(t, err)
		const want = "1 of document are of a company that was never in the register, such as GB-0-9"
		if !slices.ContainsFunc(list, func(c Check) bool { return slices.Contains(c.Notes, want) }) {
			t.Errorf("got %+v, want %q", list, want)
		}
	})
}

// What is missing from an index is found by no query that goes by it.
func TestInspectFindsARowThatIsInNoIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	h := newHouse(t, path)
	const index = "company_ident_company"
	const schema = `UPDATE sqlite_master SET sql = replace(sql, ')', ') WHERE company = ''''') WHERE name = '` + index + `'`
	const back = `UPDATE sqlite_master SET sql = replace(sql, ' WHERE company = ''''', '') WHERE name = '` + index + `'`
	h.exec(`INSERT INTO company_ident (kind, value, company) VALUES ('lei', '2', 'GB-0-2')`)
	// While the index is said to be of no row, a row comes and another goes: it has as
	// many as it should.
	for _, statements := range [][]string{
		{`PRAGMA writable_schema = ON`, schema},
		{`INSERT INTO company_ident (kind, value, company) VALUES ('lei', '1', 'GB-0-1')`, `DELETE FROM company_ident WHERE value = '2'`},
		{`PRAGMA writable_schema = ON`, back},
	} {
		must(t, h.Close())
		db, err := sql.Open("sqlite", path)
		must(t, err)
		db.SetMaxOpenConns(1)
		for _, s := range statements {
			_, err := db.ExecContext(t.Context(), s)
			must(t, err)
		}
		must(t, db.Close())
		h.DB = open(t, path)
	}
	if got := h.wrong(); !strings.Contains(got["pages"], "missing from index "+index) {
		t.Errorf("got %v", got)
	}
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
