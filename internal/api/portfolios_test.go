package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/monitor"
)

func (w *world) portfolios() *monitor.Portfolios {
	return &monitor.Portfolios{Store: w.db, Companies: w.server.Companies, Directory: w.dir, Gate: w.server.Gate}
}

// A desk is an account with a client, and its token for requests by hand.
type desk struct {
	*client.Client
	login
	token string
}

func (w *world) desk(l login) *desk { return &desk{w.client(l), l, w.token(l)} }

// colleague is another account of the same customer.
func (w *world) colleague(of *desk, userKey string) *desk {
	w.t.Helper()
	return w.desk(w.account(auth.NewAccount{Customer: of.Customer, UserKey: userKey}))
}

// call sends a request by hand and reads the answer as JSON.
func (w *world) call(d *desk, method, path, body string, wantStatus int) map[string]any {
	w.t.Helper()
	got := w.send(method, path, body, "Authorization", d.token, "Content-Type", jsonType)
	if got.status != wantStatus {
		w.t.Errorf("%s %s %s: got %d %s, want %d", method, path, body, got.status, got.body, wantStatus)
	}
	var out map[string]any
	if strings.HasPrefix(got.body, "{") {
		must(w.t, json.Unmarshal([]byte(got.body), &out))
	}
	return out
}

func ptr[T any](v T) *T { return &v }

// all reads a list to its end.
func all[T any](t testing.TB, list iter.Seq2[T, error]) (out []T) {
	t.Helper()
	for v, err := range list {
		must(t, err)
		out = append(out, v)
	}
	return out
}

func (w *world) make(d *desk, name string) int64 {
	w.t.Helper()
	p, err := d.CreatePortfolio(w.t.Context(), client.PortfolioEdit{Name: &name})
	must(w.t, err)
	return p.ID
}

func TestPortfolioLife(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	ctx := t.Context()
	to := []client.Recipient{{FirstName: "Ada", LastName: "Brook", Address: "ada@example.com"}}
	first, err := acme.CreatePortfolio(ctx, client.PortfolioEdit{
		Name: ptr(" Customers "), IsDefault: ptr(true), To: &to, Subject: ptr("News"), Language: ptr("de"), Days: ptr(7),
	})
	must(t, err)
	second, err := acme.CreatePortfolio(ctx, client.PortfolioEdit{Name: ptr("Suppliers"), IsDefault: ptr(true)})
	must(t, err)
	got, err := acme.Portfolio(ctx, first.ID)
	must(t, err)
	want := client.Portfolio{
		ID: first.ID, Name: "Customers", Permissions: "view,add,edit,remove",
		Mail: client.Mail{Subject: "News", Language: "de", Days: 7, To: to},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("the first (-want +got):\n%s", d)
	}
	if list := all(t, acme.Portfolios(ctx, "")); len(list) != 2 || list[0].IsDefault || !list[1].IsDefault || list[1].ID != second.ID {
		t.Errorf("the list is %+v", list)
	}
	if list := all(t, acme.Portfolios(ctx, "CUST")); len(list) != 1 || list[0].Name != "Customers" {
		t.Errorf("the search found %+v", list)
	}
	must(t, acme.EditPortfolio(ctx, first.ID, client.PortfolioEdit{Subject: ptr("Other")})) // and nothing else
	want.Mail.Subject = "Other"
	if got, err = acme.Portfolio(ctx, first.ID); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("after the edit: %v\n%s", err, cmp.Diff(want, got))
	}
	must(t, acme.EditPortfolio(ctx, first.ID, client.PortfolioEdit{Name: ptr("Clients"), IsDefault: ptr(true), To: &[]client.Recipient{}, Days: ptr(0)}))
	got, err = acme.Portfolio(ctx, first.ID)
	if must(t, err); got.Name != "Clients" || !got.IsDefault || len(got.Mail.To) != 0 || got.Mail.Days != 0 {
		t.Errorf("after the second edit: %+v", got)
	}
	_, err = acme.CreatePortfolio(ctx, client.PortfolioEdit{Name: ptr("Clients")})
	wantErr(t, err, client.ErrConflict)
	wantErr(t, acme.EditPortfolio(ctx, second.ID, client.PortfolioEdit{Name: ptr("Clients")}), client.ErrConflict)
	must(t, acme.DeletePortfolio(ctx, first.ID))
	wantErr(t, acme.DeletePortfolio(ctx, first.ID), client.ErrNotFound)
	_, err = acme.Portfolio(ctx, first.ID)
	wantErr(t, err, client.ErrNotFound)
}

func wantErr(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("got %v, want %v", err, kind)
	}
}

// What clients in the field send is taken, and what is wrong is named and
// changes nothing.
func TestPortfolioBodies(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	for i, body := range []string{
		`{"name":"%d","isDefault":"true"}`, `{"name":"%d","isDefault":true}`, `{"name":"%d","isDefault":1,"unknown":{"a":[1]}}`,
		`{"name":"%d","isDefault":"True","frequency":"1","emailLanguage":"en","emailSubject":""}`, `{"name":"%d","isDefault":true,"frequency":1}`,
		`{"name":"%d","isDefault":true,"emails":[{"firstName":"A","lastName":"B","emailAddress":"a@example.com"}]}`,
		`{"name":"%d","isDefault":true,"emails":[{"email":"a@example.com"}],"frequency":""}`,
	} {
		got := w.call(acme, "POST", "/v1/monitoring/portfolios", fmt.Sprintf(body, i), 200)
		want := map[string]any{"correlationId": got["correlationId"], "portfolioId": float64(100_001 + i), "name": fmt.Sprint(i), "isDefault": true}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", body, d)
		}
	}
	before := all(t, acme.Portfolios(t.Context(), ""))
	for _, c := range []struct{ body, details string }{
		{`{}`, "name: a portfolio needs a name"},
		{`{"name":" "}`, "name: a portfolio needs a name"},
		{`{"name":"` + strings.Repeat("x", 201) + `"}`, "name: at most 200 characters on one line"},
		{`{"name":"a\nb"}`, "name: at most 200 characters on one line"},
		{`{"name":7}`, "name: expected string"},
		{`{"name":"x","isDefault":"maybe"}`, "isDefault: expected true or false (or 0, 1)"},
		{`{"name":"x","frequency":"weekly"}`, `frequency: "weekly" is not a number of days`},
		{`{"name":"x","frequency":"32"}`, "frequency: the number of days between two mails, from 1 to 31; 0 for none"},
		{`{"name":"x","emails":[{"emailAddress":"a@example.com\r\nBcc: b@example.com"}]}`, `emails: "a@example.com\r\nBcc: b@example.com" is not an e-mail address`},
		{`{"name":"x","emails":[{"firstName":"A"}]}`, `emails: "" is not an e-mail address`},
		{`[]`, "body: expected object"},
		{`{`, "body: "},
	} {
		for _, at := range []struct{ method, path string }{{"POST", "/monitoring/portfolios"}, {"PATCH", "/monitoring/portfolios/100001"}} {
			if at.method == "PATCH" && c.body == "{}" {
				continue // says nothing, and changes nothing
			}
			got := w.send(at.method, at.path, c.body, "Authorization", acme.token, "Content-Type", jsonType)
			if got.status != 400 || !strings.Contains(got.body, strings.Trim(fmt.Sprintf("%q", c.details), `"`)) {
				t.Errorf("%s %s: got %d %s, want 400 and %q", at.method, c.body, got.status, got.body, c.details)
			}
		}
	}
	if d := cmp.Diff(before, all(t, acme.Portfolios(t.Context(), ""))); d != "" {
		t.Errorf("what was refused changed something:\n%s", d)
	}
	w.call(acme, "PATCH", "/monitoring/portfolios/100001", `{}`, 204)
}

// The shapes that existing clients read.
func TestPortfolioShapes(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	w.call(acme, "POST", "/monitoring/portfolios", `{"name":"A","emails":[{"firstName":"F","lastName":"L","emailAddress":"a@example.com"}]}`, 200)
	email := map[string]any{"firstName": "F", "lastName": "L", "emailAddress": "a@example.com", "email": "a@example.com"}
	shape := func(path string, want map[string]any) {
		t.Helper()
		got := w.call(acme, "GET", path, "", 200)
		want["correlationId"] = got["correlationId"]
		if d := cmp.Diff(want, got); d != "" || got["correlationId"] == "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
	const everything = "view,add,edit,remove"
	shape("/v1/monitoring/portfolios", map[string]any{
		"totalCount": 1.0, "cursor": nil, "paging": map[string]any{"size": 50.0, "prev": nil, "next": nil, "last": 0.0},
		"data": map[string]any{
			"sharedPortfolios": []any{},
			"portfolios": []any{map[string]any{
				"portfolioId": 100_001.0, "name": "A", "isDefault": false, "emails": []any{email}, "isSharedPortfolio": 0.0, "permissions": everything,
			}},
		},
	})
	shape("/v1/monitoring/portfolios?searchQuery=nothing", map[string]any{
		"totalCount": 0.0, "cursor": nil, "paging": map[string]any{"size": 50.0, "prev": nil, "next": nil, "last": -1.0},
		"data": map[string]any{"sharedPortfolios": []any{}, "portfolios": []any{}},
	})
	shape("/v1/monitoring/portfolios/100001", map[string]any{
		"portfolioId": 100_001.0, "name": "A", "isDefault": false, "emailSubject": "", "emailLanguage": "en", "frequency": "0",
		"emails": []any{email}, "permissions": everything,
	})
	shape("/v1/monitoring/portfolios/100001/sharingPermissions", map[string]any{
		"data": map[string]any{"portfolioId": "100001", "customerId": float64(acme.Customer), "userPermission": []any{}},
	})
	shape("/v1/monitoring/portfolios/100001/riskSummary", map[string]any{
		"totalCompanies": 0.0, "bandACount": 0.0, "bandApc": 0.0, "bandBCount": 0.0, "bandBpc": 0.0, "bandCCount": 0.0, "bandCpc": 0.0,
		"bandDCount": 0.0, "bandDpc": 0.0, "bandECount": 0.0, "bandEpc": 0.0,
	})
	for _, path := range []string{"/countries", "/eventRules", "/eventRules/PLC", "/eventRules/ZW"} {
		if got := w.send("GET", "/monitoring/portfolios/100001"+path, "", "Authorization", acme.token); got.status != 200 || got.body != "[]\n" && got.body != "[]" {
			t.Errorf("%s: got %d %q, want a bare empty list", path, got.status, got.body)
		}
	}
	for _, c := range []struct{ method, path, body string }{
		{"PATCH", "/monitoring/portfolios/100001", `{"name":"B"}`},
		{"PUT", "/monitoring/portfolios/100001/eventRules/XX", `[]`},
		{"PUT", "/monitoring/portfolios/100001/eventRules/setDefault", ``},
	} {
		if got := w.send(c.method, c.path, c.body, "Authorization", acme.token, "Content-Type", jsonType); got.status != 204 || got.body != "" {
			t.Errorf("%s %s: got %d %q, want an empty 204", c.method, c.path, got.status, got.body)
		}
	}
	if got := w.call(acme, "DELETE", "/monitoring/portfolios/100001", "", 200); got["message"] == "" {
		t.Errorf("a deletion is answered with %v", got)
	}
}

// What is not there, and what is malformed, in the words of each operation.
func TestPortfolioRefusals(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	w.companies(1)
	const one = "/monitoring/portfolios/"
	for _, c := range []struct{ method, path, body, message string }{
		{"GET", "", "", "Portfolio resource not found"},
		{"PATCH", "", `{"name":"x"}`, "Portfolio resource not found"},
		{"DELETE", "", "", "Portfolio resource not found"},
		{"GET", "/countries", "", "Portfolio not found"},
		{"GET", "/companies", "", "Portfolio not found"},
		{"GET", "/riskSummary", "", "Portfolio not found"},
		{"GET", "/sharingPermissions", "", "Portfolio not found"},
		{"PATCH", "/sharingPermissions", `{"revokeAll":"true"}`, "Portfolio not found"},
		{"POST", "/companies", `{"id":"GB-0-1"}`, "Portfolio not found"},
		{"POST", "/companies", `{"id":"GB-0-404"}`, "Company resource not found"},
		{"POST", "/companies/copy?copyAll=true", `{"portfolios":[1]}`, "Portfolio not found"},
		{"POST", "/companies/remove?removeAll=true", `{"portfolios":[1]}`, "Portfolio not found"},
		{"PATCH", "/companies/clear?clearAll=true", `{}`, "Portfolios not found"},
		{"GET", "/companies/GB-0-1", "", "Portfolio not found"},
		{"GET", "/companies/nonsense", "", "Portfolio not found"},
		{"PATCH", "/companies/GB-0-1", `{}`, "Portfolio not found"},
		{"DELETE", "/companies/GB-0-1", "", "Portfolio not found"},
		{"DELETE", "/companies/nonsense", "", "Portfolio not found"},
		{"GET", "/eventRules", "", "EventRule resource not found"},
		{"GET", "/eventRules/XX", "", "EventRule resource not found"},
		{"PUT", "/eventRules/XX", `[]`, "EventRule resource not found"},
		{"PUT", "/eventRules/setDefault", "", "EventRule resource not found"},
	} {
		got := w.call(acme, c.method, one+"999999"+c.path, c.body, 404)
		if got["message"] != c.message {
			t.Errorf("%s %s: got %q, want %q", c.method, c.path, got["message"], c.message)
		}
		for _, id := range []string{"x", "1.5", "1e3", "0", "-1", "99999999999999999999", "%20"} {
			got := w.call(acme, c.method, one+id+c.path, c.body, 400)
			if !strings.HasPrefix(fmt.Sprint(got["details"]), "portfolioId: ") {
				t.Errorf("%s %s%s: got %q, want it to name portfolioId", c.method, id, c.path, got["details"])
			}
		}
	}
}

func TestPortfolioPages(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	for i := range 5 {
		w.make(acme, fmt.Sprint("p", i))
	}
	names := func(got map[string]any) (out []string) {
		for _, p := range got["data"].(map[string]any)["portfolios"].([]any) {
			out = append(out, p.(map[string]any)["name"].(string))
		}
		return out
	}
	for _, c := range []struct {
		query  string
		names  []string
		paging map[string]any
	}{
		{"pageSize=2", []string{"p0", "p1"}, map[string]any{"size": 2.0, "prev": nil, "next": 1.0, "last": 2.0}},
		{"pageSize=2&page=1", []string{"p2", "p3"}, map[string]any{"size": 2.0, "prev": 0.0, "next": 2.0, "last": 2.0}},
		{"pageSize=2&page=2", []string{"p4"}, map[string]any{"size": 2.0, "prev": 1.0, "next": nil, "last": 2.0}},
		{"pageSize=2&page=9", nil, map[string]any{"size": 2.0, "prev": 2.0, "next": nil, "last": 2.0}},
		{"pageSize=5", []string{"p0", "p1", "p2", "p3", "p4"}, map[string]any{"size": 5.0, "prev": nil, "next": nil, "last": 0.0}},
	} {
		got := w.call(acme, "GET", "/monitoring/portfolios?"+c.query, "", 200)
		if d := cmp.Diff(c.paging, got["paging"]); d != "" || !slices.Equal(names(got), c.names) || got["totalCount"] != 5.0 {
			t.Errorf("%s: got %v %v %s", c.query, names(got), got["totalCount"], d)
		}
		if more := got["cursor"] != nil; more != (c.paging["next"] != nil) {
			t.Errorf("%s: the cursor is %v", c.query, got["cursor"])
		}
	}
	for query, field := range map[string]string{
		"pageSize=0": "pageSize", "pageSize=1001": "pageSize", "pageSize=-1": "pageSize", "page=-1": "page", "page=x": "page", "after=x": "after",
	} {
		if got := w.call(acme, "GET", "/monitoring/portfolios?"+query, "", 400); !strings.HasPrefix(fmt.Sprint(got["details"]), field+": ") {
			t.Errorf("%s: got %q, want it to name %s", query, got["details"], field)
		}
	}
	// By cursor nothing is skipped and nothing repeated, though a portfolio goes
	// and another comes meanwhile.
	var read []string
	for after := ""; ; {
		got := w.call(acme, "GET", "/monitoring/portfolios?pageSize=2&after="+after, "", 200)
		read = append(read, names(got)...)
		if got["cursor"] == nil {
			break
		}
		if after == "" {
			must(t, acme.DeletePortfolio(t.Context(), 100_001))
			w.make(acme, "late")
		}
		after = got["cursor"].(string)
	}
	if want := []string{"p0", "p1", "p2", "p3", "p4", "late"}; !slices.Equal(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
}

func TestPortfolioIsMadeOnce(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	send := func(key, body string) answer {
		return w.send("POST", "/monitoring/portfolios", body, "Authorization", acme.token, "Content-Type", jsonType, "Idempotency-Key", key)
	}
	first, again := send("k", `{"name":"A"}`), send("k", `{"name":"A"}`)
	if first.status != 200 || again.body != first.body || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("sent twice: %d %s, then %d %s", first.status, first.body, again.status, again.body)
	}
	if other := send("k", `{"name":"B"}`); other.status != 409 {
		t.Errorf("the key of another request: got %d", other.status)
	}
	if list := all(t, acme.Portfolios(t.Context(), "")); len(list) != 1 {
		t.Errorf("there are %d portfolios", len(list))
	}
}

func TestMonitoringUser(t *testing.T) {
	w := newWorld(t, plan{})
	grants := []auth.Grant{
		{Product: auth.Monitoring, Country: "GB", From: "2026-01-01", Until: "2027-06-30"},
		{Product: auth.Monitoring, Country: "SE", From: "2026-01-01", Until: "2026-12-31"},
		{Product: auth.Companies, Country: auth.Everywhere, From: "2026-01-01"},
	}
	acme := w.desk(w.join("acme", grants...))
	got := w.send("GET", "/monitoring/user/details", "", "Authorization", acme.token)
	want := fmt.Sprintf(`[{"countryCode":"GB","createdDate":"2026-03-02T09:30:00","csCustomerId":%d,"csUserId":%d,"isAutoTracker":false,`+
		`"languageCode":"en","lastAccessDate":null,"modifiedDate":null,"contractEndDate":"2027-06-30T00:00:00","userId":%d}]`,
		acme.Customer, acme.Account, acme.Account)
	if got.status != 200 || strings.TrimSpace(got.body) != want {
		t.Errorf("got %d %s\nwant %s", got.status, got.body, want)
	}
	u, err := w.desk(w.join("open", everywhere(auth.Monitoring)...)).MonitoringUser(t.Context())
	if must(t, err); u.ContractEndDate != "" || u.LanguageCode != "en" {
		t.Errorf("without an end: %+v", u)
	}
}

// portfolioFixtures try every route of a portfolio as a stranger.
var portfolioFixtures = map[string]fixture{
	"rulesByCountry": {nobodys: "a country"},

	"portfolio":               {theirs: theirs(""), random: nobodys + ""},
	"editPortfolio":           {theirs: theirs(""), random: nobodys + "", body: `{"emailSubject":"x"}`},
	"deletePortfolio":         {theirs: theirs(""), random: nobodys + ""},
	"portfolioShares":         {theirs: theirs("/sharingPermissions"), random: nobodys + "/sharingPermissions"},
	"sharePortfolio":          {theirs: theirs("/sharingPermissions"), random: nobodys + "/sharingPermissions", body: `{"revokeAll":"true"}`},
	"portfolioCountries":      {theirs: theirs("/countries"), random: nobodys + "/countries"},
	"portfolioRisk":           {theirs: theirs("/riskSummary"), random: nobodys + "/riskSummary"},
	"portfolioCompanies":      {theirs: theirs("/companies"), random: nobodys + "/companies"},
	"addCompany":              {theirs: theirs("/companies"), random: nobodys + "/companies", body: `{"id":"GB-0-71002"}`},
	"copyCompanies":           {theirs: theirs("/companies/copy"), random: nobodys + "/companies/copy", body: moveBody},
	"moveCompanies":           {theirs: theirs("/companies/remove"), random: nobodys + "/companies/remove", body: moveBody},
	"clearCompanies":          {theirs: theirs("/companies/clear"), random: nobodys + "/companies/clear", body: `{"companies":["GB-0-71001"]}`},
	"portfolioCompany":        {theirs: theirs("/companies/GB-0-71001"), random: nobodys + "/companies/GB-0-71001"},
	"editCompany":             {theirs: theirs("/companies/GB-0-71001"), random: nobodys + "/companies/GB-0-71001", body: `{"freeText":"x"}`},
	"removeCompany":           {theirs: theirs("/companies/GB-0-71001"), random: nobodys + "/companies/GB-0-71001"},
	"portfolioRules":          {theirs: theirs("/eventRules"), random: nobodys + "/eventRules"},
	"portfolioRulesByCountry": {theirs: theirs("/eventRules/GB"), random: nobodys + "/eventRules/GB"},
	"switchRules":             {theirs: theirs("/eventRules/XX"), random: nobodys + "/eventRules/XX", body: `[{"ruleCode":105,"isActive":true}]`},
	"switchRulesOff":          {theirs: theirs("/eventRules/setDefault"), random: nobodys + "/eventRules/setDefault"},
}

func init() { maps.Copy(fixtures, portfolioFixtures) }

const (
	nobodys = "/monitoring/portfolios/999999"
	// The first portfolio of the world is the owner's.
	moveBody = `{"portfolios":[100001],"companies":[{"id":"GB-0-71001"}]}`
)

// theirs makes a portfolio of the owner's with a company in it.
func theirs(path string) func(*world, login) string {
	return func(w *world, owner login) string {
		w.t.Helper()
		by := auth.Caller{Customer: owner.Customer, Account: owner.Account}
		w.know(simple("GB", "71001", "Watched"), simple("GB", "71002", "Other"))
		for {
			p, err := w.db.CreatePortfolio(context.WithoutCancel(w.t.Context()), by, monitor.Portfolio{Name: fmt.Sprint("theirs ", w.seen.Load(), path)})
			must(w.t, err)
			if p.ID == 100_001 {
				w.seen.Add(1)
				continue // moveBody needs another
			}
			_, err = w.db.AddMembers(w.t.Context(), by, p.ID, []monitor.Member{{Company: "GB-0-71001"}})
			must(w.t, err)
			return fmt.Sprintf("/monitoring/portfolios/%d%s", p.ID, path)
		}
	}
}
