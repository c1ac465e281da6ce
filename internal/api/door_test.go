package api_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/store/storetest"
)

// onBothEngines runs a test in a world on each database.
func onBothEngines(t *testing.T, test func(t *testing.T, w *world)) {
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "bureau.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) { test(t, newWorld(t, plan{url: url(t)})) })
	}
}

// Bytes that are not text are refused by every operation, before a database
// gets them, and the parameter is named.
func TestBytesThatAreNotTextAreRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		w.companies(2)
		acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
		id := w.watched(acme, "Mine", 2)
		w.rename("GB-0-1", "Old", "New")
		one := fmt.Sprintf("/monitoring/portfolios/%d", id)
		for _, bytes := range []string{"%00", "%FF", "%ED%A0%80", "GB%00", "GB-0-%FF", "a%C3"} {
			for _, c := range []struct{ method, path, param string }{
				{"GET", "/monitoring/notificationEvents?searchQuery=" + bytes, "searchQuery"},
				{"GET", "/v1/monitoring/notificationEvents?pageSize=5&searchQuery=" + bytes, "searchQuery"},
				{"GET", one + "/notificationEvents?searchQuery=" + bytes, "searchQuery"},
				{"GET", one + "/notificationEvents?other=" + bytes, "other"},
				{"GET", one + "/companies?searchQuery=" + bytes, "searchQuery"},
				{"GET", "/monitoring/portfolios?searchQuery=" + bytes, "searchQuery"},
				{"GET", one + "/companies/" + bytes + "/notificationEvents", "companyId"},
				{"GET", one + "/companies/" + bytes, "companyId"},
				{"DELETE", one + "/companies/" + bytes, "companyId"},
				{"GET", "/monitoring/companies/" + bytes + "/events", "id"},
				{"GET", "/monitoring/eventRules/" + bytes, "countryCode"},
				{"GET", "/companies/" + bytes, "connectId"},
				{"GET", "/companies?countries=GB&name=" + bytes, "name"},
				{"GET", "/monitoring/notificationEvents/stream?after=" + bytes, "after"}, // a raw row
			} {
				got := w.send(c.method, c.path, "", "Authorization", acme.token)
				if got.status != 400 || !strings.Contains(got.body, `"details":"`+c.param+": it holds bytes that are not text") {
					t.Errorf("%s %s: got %d %s, want a 400 that names %s", c.method, c.path, got.status, got.body, c.param)
				}
			}
		}
		if got := w.send("GET", "/monitoring/notificationEvents?searchQuery=%FF", ""); got.status != 401 {
			t.Errorf("a stranger is told %d %s", got.status, got.body)
		}
		for _, c := range []struct{ path, body, field string }{
			{"/monitoring/portfolios", `{"name":"a\u0000b"}`, "name"},
			{"/monitoring/portfolios", `{"name":"\\\u0000"}`, "name"},
			{"/monitoring/portfolios", `{"a\u0000":1}`, "body"},
			{one + "/companies", `{"id":"GB-0-2","freeText":"\u0000"}`, "freeText"},
			{one + "/companies/copy", `{"portfolios":[1],"companies":[{"id":"x"},{"id":"\u0000"}]}`, "companies[1].id"},
			{one + "/silences", `{"until":"2100-01-01","note":"\u0000"}`, "note"},
		} {
			if got := w.call(acme, "POST", c.path, c.body, 400); got["details"] != c.field+": it holds a NUL character" {
				t.Errorf("%s %s: got %q", c.path, c.body, got["details"])
			}
		}
		// What only looks like it is text.
		w.call(acme, "POST", "/monitoring/portfolios", `{"name":"\\u0000 100% \u00e9"}`, 200)
		for _, path := range []string{"/monitoring/notificationEvents?searchQuery=%25%C3%A9+%F0%9F%98%80", one + "/companies?searchQuery=%EF%BF%BD"} {
			w.call(acme, "GET", path, "", 200)
		}
	})
}

// What is wrong with a body is said in words of the interface: what a flag may
// be, which item of a list it is, and nothing of our own types.
func TestBodiesAreRefusedInPlainWords(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 1)
	w.rename("GB-0-1", "Old", "New")
	one := fmt.Sprintf("/monitoring/portfolios/%d", id)
	const flag = "expected true or false (or 0, 1)"
	for _, c := range []struct{ method, path, body, details string }{
		{"PUT", one + "/eventRules/XX", `[{"ruleCode":105,"isActive":1},{"ruleCode":107,"isActive":2}]`, "[1].isActive: " + flag},
		{"PATCH", one, `{"isDefault":"yes"}`, "isDefault: " + flag},
		{"PATCH", "/monitoring/notificationEvents/1", `{"isProcessed":null}`, "isProcessed: " + flag},
		{"PATCH", one + "/notificationEvents", `{"isProcessed":[],"upTo":1}`, "isProcessed: " + flag},
		{"PATCH", one + "/sharingPermissions", `{"revokeAll":"maybe"}`, "revokeAll: " + flag},
		{"PATCH", one + "/sharingPermissions", `{"userPermissions":[{"csUserId":99999999999999999999,"permissions":"view"}]}`, "userPermissions.csUserId: the number is too large, or is not whole"},
		{"POST", one + "/companies/copy", `{"portfolios":[1e30]}`, "portfolios: the number is too large, or is not whole"},
		{"PATCH", one + "/notificationEvents", `{"isProcessed":1,"upTo":1e99}`, "upTo: the number is too large, or is not whole"},
	} {
		got := w.call(acme, c.method, c.path, c.body, 400)
		if got["details"] != c.details {
			t.Errorf("%s %s %s:\ngot  %q\nwant %q", c.method, c.path, c.body, got["details"], c.details)
		}
	}
	for _, body := range []string{`{"isProcessed":"True"}`, `{"isProcessed":0}`, `{"isProcessed":false}`, `{"isProcessed":"1"}`} {
		w.call(acme, "PATCH", "/monitoring/notificationEvents/1", body, 200)
	}
}

// safe gives a company a safe number of its own.
func (w *world) safe(id company.ID, safe string) {
	w.t.Helper()
	must(w.t, w.db.Write(w.t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Companies: []company.Saved{{
			Held: company.Held{ID: id, Said: []company.Said{{Source: "src", Facts: company.Facts{Name: string(id), SafeNo: safe}}}},
			Name: string(id), Country: id.Country(), Idents: []company.Ident{{Kind: company.BySafeNo, Value: safe}},
		}}}, nil
	}))
}

// A client joins events to its portfolio by the safe number.
func TestEventsHaveThePortfoliosSafeNumbers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		w.companies(2)
		w.safe("GB-0-1", "GB90000006")
		acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
		id := w.watched(acme, "Mine", 2)
		w.rename("GB-0-1", "Old", "New")
		w.rename("GB-0-2", "Old", "New")
		want := map[string]string{}
		for c, err := range acme.PortfolioCompanies(t.Context(), id, client.CompanyFilter{}) {
			must(t, err)
			want[c.ID] = c.SafeNumber
		}
		if want["GB-0-1"] != "GB90000006" || want["GB-0-2"] != "GB2" {
			t.Fatalf("the portfolio has %v", want)
		}
		got := map[string]string{}
		for e, err := range acme.Events(t.Context(), client.EventFilter{}) {
			must(t, err)
			got[e.Company.ID] = e.Company.SafeNumber
		}
		for company, safe := range want {
			if got[company] != safe {
				t.Errorf("%s is %q in the portfolio and %q in events", company, safe, got[company])
			}
		}
		one := fmt.Sprintf("/monitoring/portfolios/%d", id)
		for path, has := range map[string]string{
			"/monitoring/companies/GB-0-1/events":                   `"companyId":"GB90000006"`,
			"/monitoring/companies/gb90000006/events":               `"companyId":"GB90000006"`, // in any case
			one + "/companies/gb90000006":                           `"id":"GB-0-1"`,
			one + "/companies/gb90000006/notificationEvents":        `"safeNumber":"GB90000006"`,
			one + "/companies?searchQuery=b900000":                  `"totalCount":1`,
			"/monitoring/notificationEvents?searchQuery=gb90000006": `"totalCount":1`,
		} {
			if r := w.send("GET", path, "", "Authorization", acme.token); r.status != 200 || !strings.Contains(r.body, has) {
				t.Errorf("%s: got %d %s, want %s", path, r.status, r.body, has)
			}
		}
	})
}
