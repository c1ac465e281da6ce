package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// A house is a database that has been in use, with all that things leave behind when
// they go as they should.
type house struct {
	*DB
	t *testing.T
}

func newHouse(t *testing.T, url string) house {
	t.Helper()
	h := house{open(t, url), t}
	h.exec(`INSERT INTO customer (id, name, grants, created_at, access) VALUES (1, 'Acme', '[]', 0, 1)`,
		`INSERT INTO account (id, customer, user_key, title, first_name, surname, language, operator, disabled, epoch, password, console, created_at, access)
			VALUES (1, 1, 'ada', '', 'Ada', '', 'en', 0, 0, 0, '', '', 0, 1)`)
	h.fillRegister()
	h.fillMonitoring()
	h.fillScreening()
	// One is known. Another is not any more, and has objected.
	h.exec(`INSERT INTO consumer (id, facts, turn) VALUES ('known', '{}', 1)`,
		`INSERT INTO consumer_key (key, consumer) VALUES ('ann', 'known'), ('bob', 'objected')`,
		`INSERT INTO consumer_right (consumer, number, kind, at, note, correction) VALUES ('objected', 1, 'objection', 0, '', 'null')`)
	return h
}

// exec runs statements behind Bureau's back.
func (h house) exec(statements ...string) {
	h.t.Helper()
	for _, s := range statements {
		err := h.write(h.t.Context(), func(t tx) error { _, err := t.Exec(h.t.Context(), s); return err })
		if err != nil {
			h.t.Fatalf("%s: %v", s, err)
		}
	}
}

// fillRegister leaves two companies, one that is gone with what stays of it, and a
// document that came before its company. The changes are 1 to 5.
func (h house) fillRegister() {
	h.t.Helper()
	ctx := h.t.Context()
	var u company.Update
	for _, id := range []company.ID{"GB-0-1", "GB-0-2", "GB-0-3"} {
		u.Companies = append(u.Companies, company.Saved{Held: company.Held{ID: id}, New: true, Name: string(id), Country: "GB", Status: company.Active})
		u.Changes = append(u.Changes, company.Change{Company: id, Field: company.Added, New: string(id)})
	}
	must(h.t, h.Write(ctx, func(company.View) (company.Update, error) { return u, nil }))
	must(h.t, h.Write(ctx, func(company.View) (company.Update, error) {
		return company.Update{Removed: []company.ID{"GB-0-3"}, Changes: []company.Change{
			{Company: "GB-0-3", Field: company.Removed, Old: "GB-0-3"}, {Company: "GB-0-1", Field: company.FieldName, New: "x"},
		}}, nil
	}))
	h.exec(`INSERT INTO search_key (company, kind, value) VALUES ('GB-0-1', 'town', 'x'), ('GB-0-3', 'town', 'x')`,
		`INSERT INTO place (name, number) VALUES ('search keys', 3)`) // which has not heard that one left
	for _, id := range []company.ID{"GB-0-1", "GB-0-3", "GB-0-9"} {
		_, _, err := h.PutDocument(ctx, company.Document{Company: id, Reference: "1"}, strings.NewReader("text"), 1)
		must(h.t, err)
	}
}

// fillMonitoring leaves a portfolio with two companies and three events, after one event
// was forgotten for its age and another portfolio went with the last event of all.
func (h house) fillMonitoring() {
	h.t.Helper()
	ctx := h.t.Context()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h.Now = func() time.Time { return now }
	create := func(name string) monitor.PortfolioID {
		p, err := h.CreatePortfolio(ctx, ledgerOwner, monitor.Portfolio{Name: name})
		must(h.t, err)
		return p.ID
	}
	changes := int64(0)
	tell := func(in monitor.PortfolioID, n int) {
		h.t.Helper()
		var list []monitor.Event
		for range n {
			changes++
			list = append(list, monitor.Event{
				Customer: 1, Portfolio: in, Company: "GB-0-1", Country: "XX", Rule: 105, Change: changes, At: now.AddDate(0, 0, -int(changes)),
			})
		}
		_, err := h.Tell(ctx, list, nil)
		must(h.t, err)
	}
	kept, gone := create("Kept"), create("Gone")
	_, err := h.AddMembers(ctx, ledgerOwner, kept, []monitor.Member{{Company: "GB-0-1"}, {Company: "GB-0-2"}})
	must(h.t, err)
	h.exec(`INSERT INTO rule_setting (id, portfolio, country, code, param0, param1, param2, since, until, number, customer)
		VALUES (1, 100001, 'XX', 105, '', '', '', 0, 9223372036854775807, 1, 1)`)
	tell(kept, 1)
	now = now.AddDate(0, 0, 40)
	tell(kept, 3)
	_, err = h.MarkEvents(ctx, ledgerOwner, monitor.Mark{Portfolio: kept, Event: 2, Processed: true})
	must(h.t, err)
	tell(gone, 1)
	n, err := h.ForgetEvents(ctx, now.AddDate(0, 0, -30), 10)
	if err != nil || n != 1 {
		h.t.Fatalf("forgot %d events (%v), want 1", n, err)
	}
	h.exec(`INSERT INTO digest (portfolio, day, event, event_at) VALUES (100002, 1, 1, 1)`)
	must(h.t, h.DeletePortfolio(ctx, ledgerOwner, gone))
}

// fillScreening leaves a search on a schedule that found something, and one whose
// schedule ended.
func (h house) fillScreening() {
	h.t.Helper()
	ctx := h.t.Context()
	h.exec(`INSERT INTO screening_list (name, version, aside, file, entries, loaded_at, as_of) VALUES ('x', 1, 0, '', 1, 0, 0)`,
		`INSERT INTO list_version (number, list, file, at, as_of, entries, added, changed, removed) VALUES (1, 'x', '', 0, '', 1, 1, 0, 0)`,
		`INSERT INTO list_entry (id, list, number, first_version) VALUES (1, 'x', '1', 1)`,
		`INSERT INTO entry_change (number, version, list, entry, kind) VALUES (1, 1, 'x', 1, 'added'), (2, 1, 'x', 1, 'changed'), (3, 1, 'x', 1, 'changed')`,
		`UPDATE list_log SET last_number = 3, last_version = 1`)
	for _, id := range []kyc.SearchID{"live", "over"} {
		row, err := newSavingRow(&kyc.Saving{Search: kyc.Search{ID: id, Sought: string(id), Secret: []byte{1}}})
		must(h.t, err)
		must(h.t, h.write(ctx, func(t tx) error { return t.Together(ctx, h.keepSearches(1, []*savingRow{row})) }))
		must(h.t, h.AddKYCSchedule(ctx, ledgerOwner, kyc.Schedule{ID: kyc.ScheduleID(id), Search: id, Threshold: 80}))
	}
	must(h.t, h.EndKYCSchedule(ctx, ledgerOwner, "over"))
	must(h.t, h.AddKYCAlerts(ctx, []kyc.Alert{{
		SavedHit: kyc.SavedHit{ID: "found", Search: "live", Entry: 1, Current: true}, Customer: auth.CustomerID(1), At: h.ownClock(),
	}}))
}

// wrong is what the doctor finds in a database, by subject.
func (h house) wrong() map[string]string { h.t.Helper(); return wrongIn(h.t, h.DB) }

func wrongIn(t *testing.T, db *DB) (wrong map[string]string) {
	t.Helper()
	var looked []string
	list, err := db.Inspect(context.WithoutCancel(t.Context()), func(s string) { looked = append(looked, s) })
	must(t, err)
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
