package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/identity"
	"bureau/internal/monitor"
)

// What was told before somebody objected does not name them afterwards, in none
// of the ways in which it is read again; and does when the objection is taken
// back. One of the boards has forgotten them.
func TestAnObjectionIsHonouredByWhatWasTold(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		w.watchers()
		w.companies(1)
		acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
		id := w.newPortfolio(acme.login, "Boards")
		for _, c := range []string{"GB-0-03375464", "GB-0-1"} {
			must(t, acme.AddCompany(t.Context(), id, c, client.Notes{}))
		}
		codes := []int{5030, 5031, 5032, 5033}
		for _, code := range codes {
			must(t, acme.SwitchRules(t.Context(), id, "XX", client.RuleSwitch{Code: code, IsActive: true}))
		}
		from := w.clock.Now()
		must(t, w.db.Write(t.Context(), func(company.View) (company.Update, error) {
			change := func(of company.ID, field company.Field, item, old, new string) company.Change {
				return company.Change{Company: of, Field: field, Item: item, Old: old, New: new, Source: "src", At: w.clock.Now()}
			}
			return company.Update{Changes: []company.Change{
				change("GB-0-03375464", company.OfficerIn, "77", "", "Director: Ada Hollbrook"),
				change("GB-0-03375464", company.OfficerChanged, "77", "Ada Hollbrook; British; 90 Old Road", "Ada Hollbrook; British; 7 Mill Lane"),
				change("GB-0-03375464", company.Signing, "", "", "Ada Hollbrook alone"),
				change("GB-0-1", company.OfficerOut, "77", "Director: Ada Hollbrook", "2026-01-31"),
				change("GB-0-1", company.OfficerIn, "78", "", "Director: Bela Quince"),
			}}, nil
		}))
		for {
			n, err := w.engine.Step(t.Context())
			must(t, err)
			if n == 0 {
				break
			}
		}
		told := func() map[string]any {
			out := map[string]any{}
			var list []client.Event
			for e, err := range acme.Events(t.Context(), client.EventFilter{}) {
				must(t, err)
				list = append(list, e)
			}
			if len(list) != 5 {
				t.Fatalf("%d events", len(list))
			}
			out["events"] = list
			var ids []monitor.EventID
			for _, e := range list {
				cause, err := acme.WhyEvent(t.Context(), e.ID)
				must(t, err)
				out["why "+e.Company.ID+fmt.Sprint(" ", e.ID)] = cause
				ids = append(ids, monitor.EventID(e.ID))
			}
			for _, c := range []string{"GB-0-03375464", "GB-0-1"} {
				explained, err := acme.WhyChanges(t.Context(), id, c, 0)
				must(t, err)
				out["why "+c] = explained
			}
			for _, code := range codes {
				trial, err := acme.BackTest(t.Context(), id, client.Trial{Code: code, CountryCode: "XX", From: from.Add(-time.Hour), To: w.clock.Now().Add(time.Hour)})
				must(t, err)
				out[fmt.Sprint("back-test ", code)] = trial
			}
			whose := map[monitor.EventID]auth.CustomerID{}
			for _, id := range ids {
				whose[id] = acme.login.Customer
			}
			sent, err := w.db.EventsByID(t.Context(), whose)
			must(t, err)
			out["webhooks"] = sent
			streamed, err := w.db.EventsAfter(t.Context(), 0, 10)
			must(t, err)
			out["stream"] = streamed
			fed, err := w.db.Feed(t.Context(), auth.Caller{Customer: acme.login.Customer, Account: acme.login.Account}, false, 0, ids[0]+100, 10)
			must(t, err)
			out["stream from a cursor"] = fed
			return out
		}
		see := func(when string, want bool) {
			t.Helper()
			bela := false
			for what, list := range told() {
				text, err := json.Marshal(list)
				must(t, err)
				if strings.Contains(string(text), "Mill Lane") && !want || strings.Contains(string(text), "Hollbrook") && !want {
					t.Errorf("%s: %s: %s", when, what, text)
				}
				if want && strings.HasPrefix(what, "stream") && strings.Count(string(text), "Hollbrook") < 4 {
					t.Errorf("%s: %s: %s", when, what, text)
				}
				bela = bela || strings.Contains(string(text), "Bela Quince")
			}
			if !bela {
				t.Errorf("%s: nobody is named", when)
			}
		}
		see("before", true)
		must(t, w.rights().Give(t.Context(), "GB-T1", identity.Right{Kind: identity.Objected}))
		see("after an objection", false)
		must(t, w.rights().Give(t.Context(), "GB-T1", identity.Right{Kind: identity.Allowed}))
		see("after it was taken back", true)
	})
}
