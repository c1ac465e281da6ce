package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
)

func those(ids ...string) client.Those { return client.Those{IDs: ids} }

// idsIn lists a portfolio's companies.
func idsIn(t testing.TB, d *desk, id int64) (out []string) {
	t.Helper()
	for _, c := range all(t, d.PortfolioCompanies(t.Context(), id, client.CompanyFilter{})) {
		out = append(out, c.ID)
	}
	return out
}

func TestPortfolioCompanies(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn(), simple("GB", "00000002", "Birch Ltd"), simple("DE", "HRB1", "Müller GmbH"))
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	ctx, id := t.Context(), w.make(acme, "A")
	must(t, acme.AddCompany(ctx, id, "GB-0-00000001", client.Notes{Reference: ptr("R-1"), Notes: ptr("a note"), Limit: ptr("40")}))
	must(t, acme.AddCompany(ctx, id, "GB00000002", client.Notes{})) // a safe number
	must(t, acme.AddCompany(ctx, id, "de001-0-hrb1", client.Notes{}))
	wantErr(t, acme.AddCompany(ctx, id, "UK00000001", client.Notes{}), client.ErrConflict) // the first, by another name
	wantErr(t, acme.AddCompany(ctx, id, "GB-0-404", client.Notes{}), client.ErrNotFound)

	got := w.call(acme, "GET", fmt.Sprintf("/monitoring/portfolios/%d/companies/UK00000001", id), "", 200)
	want := map[string]any{
		"correlationId": got["correlationId"], "id": "GB-0-00000001", "connectId": "GB-0-00000001", "safeNumber": "UK00000001",
		"name": "Acorn Mills Limited", "address": "4 Mill Lane, Leeds, LS1 4XX, GB", "countryCode": "GB", "portfolioId": float64(id),
		"creditLimit": 25000.0, "dateLastEvent": nil, "freeText": "a note", "personalLimit": "40", "personalReference": "R-1",
		"ratingCommon": "A", "ratingLocal": "77", "companyStatus": "Active",
		"dateAdded": "2026-03-02T09:30:00", "dateModified": "2026-03-02T09:30:00",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("one (-want +got):\n%s", d)
	}
	list := w.call(acme, "GET", fmt.Sprintf("/monitoring/portfolios/%d/companies?countryCode=gb&pageSize=1", id), "", 200)
	delete(want, "correlationId")
	if d := cmp.Diff([]any{want}, list["data"]); d != "" || list["totalCount"] != 2.0 || list["cursor"] == nil {
		t.Errorf("the list has %v with cursor %v (-want +got):\n%s", list["totalCount"], list["cursor"], d)
	}
	for filter, found := range map[client.CompanyFilter][]string{
		{}:                                {"DE-0-HRB1", "GB-0-00000001", "GB-0-00000002"},
		{Search: "MÜLLER"}:                {"DE-0-HRB1"},
		{Search: "r-1"}:                   {"GB-0-00000001"},
		{Search: "ltd", Country: "GB"}:    {"GB-0-00000002"},
		{Country: "SE"}:                   nil,
		{WithEvents: true}:                nil,
		{Search: "a note", Country: "GB"}: {"GB-0-00000001"},
	} {
		var ids []string
		for _, c := range all(t, acme.PortfolioCompanies(ctx, id, filter)) {
			ids = append(ids, c.ID)
		}
		if !slices.Equal(ids, found) {
			t.Errorf("%+v: found %v, want %v", filter, ids, found)
		}
	}
	for _, query := range []string{"countryCode=XX", "countryCode=GBR", "countryCode=ZZ", "countryCode=G%25"} {
		if got := w.call(acme, "GET", fmt.Sprintf("/monitoring/portfolios/%d/companies?%s", id, query), "", 400); !strings.HasPrefix(fmt.Sprint(got["details"]), "countryCode: ") {
			t.Errorf("%s: got %v", query, got["details"])
		}
	}
	if got, err := acme.PortfolioCountries(ctx, id); err != nil || !slices.Equal(got, []string{"DE", "GB"}) {
		t.Errorf("the countries are %v (%v)", got, err)
	}
	risk, err := acme.PortfolioRisk(ctx, id)
	if must(t, err); risk != (client.Risk{Total: 3, CountA: 1, ShareA: 100}) {
		t.Errorf("the risk is %+v", risk)
	}

	must(t, acme.EditCompany(ctx, id, "UK00000001", client.Notes{Notes: ptr("")}))
	one, err := acme.PortfolioCompany(ctx, id, "GB-0-00000001")
	if must(t, err); one.Notes != "" || one.Reference != "R-1" || one.Limit != "40" {
		t.Errorf("after the edit: %+v", one)
	}
	wantErr(t, acme.EditCompany(ctx, id, "GB-0-404", client.Notes{}), client.ErrNotFound)
	must(t, acme.RemoveCompany(ctx, id, "UK00000001"))
	wantErr(t, acme.RemoveCompany(ctx, id, "UK00000001"), client.ErrNotFound)
	must(t, acme.ClearCompanies(ctx, id, those("DE-0-HRB1", "GB-0-404", "nonsense")))
	if got := idsIn(t, acme, id); !slices.Equal(got, []string{"GB-0-00000002"}) {
		t.Errorf("left are %v", got)
	}
	wantErr(t, acme.ClearCompanies(ctx, id, those()), client.ErrBadRequest) // nothing named is not all
	must(t, acme.ClearCompanies(ctx, id, client.Those{All: true}))
	if got := idsIn(t, acme, id); len(got) != 0 {
		t.Errorf("left are %v", got)
	}
}

// A company that leaves the register is still in the portfolio, under the name
// that it had, and can be taken out.
func TestCompanyThatLeftTheRegister(t *testing.T) {
	onBothEngines(t, func(t *testing.T, w *world) {
		w.companies(2)
		acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
		ctx, id := t.Context(), w.make(acme, "A")
		must(t, acme.AddCompany(ctx, id, "GB-0-1", client.Notes{Reference: ptr("R")}))
		must(t, acme.AddCompany(ctx, id, "GB-0-2", client.Notes{}))
		must(t, w.db.Write(ctx, func(company.View) (company.Update, error) {
			return company.Update{Removed: []company.ID{"GB-0-1"}, Changes: []company.Change{
				{Company: "GB-0-1", Field: company.Removed, Old: "Late Ltd", At: w.clock.Now()},
			}}, nil
		}))
		for _, search := range []string{"r", "late"} {
			list := all(t, acme.PortfolioCompanies(ctx, id, client.CompanyFilter{Search: search}))
			if len(list) != 1 || list[0].ID != "GB-0-1" || list[0].Name != "Late Ltd" || list[0].Reference != "R" {
				t.Errorf("the list by %q is %+v", search, list)
			}
		}
		one, err := acme.PortfolioCompany(ctx, id, "GB-0-1")
		if must(t, err); one.Name != "Late Ltd" {
			t.Errorf("by itself it is %+v", one)
		}
		must(t, acme.RemoveCompany(ctx, id, "GB-0-1"))
		wantErr(t, acme.AddCompany(ctx, id, "GB-0-1", client.Notes{}), client.ErrNotFound)
	})
}

func TestCompaniesAreCopiedAndMoved(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(4)
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	ctx, a, b, c := t.Context(), w.make(acme, "A"), w.make(acme, "B"), w.make(acme, "C")
	for _, id := range []string{"GB-0-1", "GB-0-2", "GB-0-3"} {
		must(t, acme.AddCompany(ctx, a, id, client.Notes{Reference: ptr("ref " + id)}))
	}
	must(t, acme.AddCompany(ctx, b, "GB-0-2", client.Notes{}))
	moved, err := acme.CopyCompanies(ctx, a, []int64{b, c}, those("GB-0-1", "GB-0-2", "nobody"))
	if must(t, err); moved != (client.Moved{Total: 6, Done: 3, Failed: 3}) {
		t.Errorf("copied %+v", moved)
	}
	if one, err := acme.PortfolioCompany(ctx, c, "GB-0-1"); err != nil || one.Reference != "ref GB-0-1" {
		t.Errorf("the copy is %+v (%v)", one, err)
	}
	moved, err = acme.MoveCompanies(ctx, a, []int64{b}, client.Those{All: true})
	if must(t, err); moved != (client.Moved{Total: 3, Done: 1, Failed: 2}) {
		t.Errorf("moved %+v", moved)
	}
	for id, want := range map[int64][]string{a: {"GB-0-1", "GB-0-2"}, b: {"GB-0-1", "GB-0-2", "GB-0-3"}, c: {"GB-0-1", "GB-0-2"}} {
		if got := idsIn(t, acme, id); !slices.Equal(got, want) {
			t.Errorf("portfolio %d holds %v, want %v", id, got, want)
		}
	}
	got := w.call(acme, "POST", fmt.Sprintf("/monitoring/portfolios/%d/companies/copy?copyAll=true", a), fmt.Sprintf(`{"portfolios":[%d]}`, b), 200)
	data := got["data"].(map[string]any)
	if data["totalPortfoliosCompanies"] != 2.0 || data["successfulPortfoliosCompanies"] != 0.0 || data["failedPortfoliosCompanies"] != 2.0 || data["reason"] == "" {
		t.Errorf("the answer is %v", got)
	}
	for _, bad := range []struct{ path, body, details string }{
		{"copy?copyAll=true", `{"portfolios":[%d],"companies":[{"id":"GB-0-1"}]}`, "companies: must be empty with copyAll=true"},
		{"copy", `{"portfolios":[%d]}`, "companies: name at least one, or set copyAll=true"},
		{"remove", `{"portfolios":[%d],"companies":[]}`, "companies: name at least one, or set removeAll=true"},
		{"copy?copyAll=true", `{"portfolios":[]}`, "portfolios: name from 1 to 1000 portfolios"},
		{"copy?copyAll=true", `{}`, "body: expected required property portfolios to be present"},
		{"remove?removeAll=true", fmt.Sprintf(`{"portfolios":[%d]}`, a), fmt.Sprintf("portfolios: %d is the portfolio itself", a)},
		{"copy?copyAll=perhaps", `{"portfolios":[%d]}`, "copyAll: "},
	} {
		body := bad.body
		if strings.Contains(body, "%d") {
			body = fmt.Sprintf(body, b)
		}
		got := w.call(acme, "POST", fmt.Sprintf("/monitoring/portfolios/%d/companies/%s", a, bad.path), body, 400)
		if !strings.HasPrefix(fmt.Sprint(got["details"]), bad.details) {
			t.Errorf("%s %s: got %q, want %q", bad.path, body, got["details"], bad.details)
		}
	}
	stranger := w.desk(w.join("stranger", everywhere(auth.Monitoring)...))
	_, err = stranger.CopyCompanies(ctx, w.make(stranger, "S"), []int64{b}, client.Those{All: true})
	wantErr(t, err, client.ErrNotFound)
}

// What clients in the field send is taken, and what is wrong is named and
// changes nothing.
func TestCompanyBodies(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(5)
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	id := w.make(acme, "A")
	path := fmt.Sprintf("/v1/monitoring/portfolios/%d/companies", id)
	for _, body := range []string{
		`{"id":"GB-0-1","personalReference":"","freeText":"","personalLimit":""}`,
		`{"id":"GB-0-2","personalReference":null,"freeText":null,"personalLimit":null}`,
		`{"id":"GB-0-3","personalReference":"Some Text","freeText":"Some Useful Text","personalLimit":"40","more":1}`,
		`{"id":"GB-0-4","personalLimit":10000,"personalReference":77}`,
	} {
		if got := w.call(acme, "POST", path, body, 200); got["message"] != "Company Added" || got["correlationId"] == "" {
			t.Errorf("%s: got %v", body, got)
		}
	}
	if one, err := acme.PortfolioCompany(t.Context(), id, "GB-0-4"); err != nil || one.Limit != "10000" || one.Reference != "77" {
		t.Errorf("numbers are kept as %+v (%v)", one, err)
	}
	if got := w.call(acme, "POST", path, `{"id":"GB-0-1","freeText":"new"}`, 409); got["message"] == "" {
		t.Errorf("a company that is there: %v", got)
	}
	for _, c := range []struct{ body, details string }{
		{`{}`, "body: expected required property id to be present"},
		{`{"id":""}`, "id: give a connectId or a safe number"},
		{`{"id":"!"}`, `id: "!" is neither a connectId`},
		{`{"id":["GB-0-5"]}`, "id: "},
		{`{"id":"GB-0-5","personalReference":"` + strings.Repeat("x", 201) + `"}`, "personalReference: at most 200 characters"},
		{`{"id":"GB-0-5","freeText":"` + strings.Repeat("x", 4001) + `"}`, "freeText: at most 4000 characters"},
		{`{"id":"GB-0-5","personalLimit":"` + strings.Repeat("9", 51) + `"}`, "personalLimit: at most 50 characters"},
		{`{"id":"GB-0-5","freeText":{}}`, "freeText: "},
		{`{"id":"GB-0-5","freeText":"a\u0000b"}`, "freeText: it holds a NUL character"},
	} {
		if got := w.call(acme, "POST", path, c.body, 400); !strings.HasPrefix(fmt.Sprint(got["details"]), c.details) {
			t.Errorf("%.80s: got %q, want %q", c.body, got["details"], c.details)
		}
	}
	if got := w.call(acme, "PATCH", path+"/GB-0-1", `{"freeText":"`+strings.Repeat("x", 4001)+`"}`, 400); !strings.HasPrefix(fmt.Sprint(got["details"]), "freeText: ") {
		t.Errorf("a long note: %v", got)
	}
	if got := idsIn(t, acme, id); !slices.Equal(got, []string{"GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4"}) {
		t.Errorf("it holds %v", got)
	}
}

// Monitoring is bought by country.
func TestCompaniesOfOtherCountries(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	w.know(company.Statement{Country: "FR", Number: "2", Facts: company.Facts{Name: "Deux", SafeNo: "SAFE2"}})
	acme := w.desk(w.join("acme", auth.Grant{Product: auth.Monitoring, Country: "GB", From: "2026-01-01", Paid: 9}))
	ctx, id := t.Context(), w.make(acme, "A")
	must(t, acme.AddCompany(ctx, id, "GB-0-1", client.Notes{}))
	wantErr(t, acme.AddCompany(ctx, id, "FR-0-1", client.Notes{}), client.ErrForbidden)
	wantErr(t, acme.AddCompany(ctx, id, "SAFE2", client.Notes{}), client.ErrForbidden)
	if got := idsIn(t, acme, id); !slices.Equal(got, []string{"GB-0-1"}) {
		t.Errorf("it holds %v", got)
	}
	if d := cmp.Diff(map[string]int64{"monitoring GB": 1}, lines(t, acme.Client)); d != "" {
		t.Errorf("/access (-want +got):\n%s", d)
	}
	bare := w.desk(w.join("bare", everywhere(auth.Companies)...))
	w.call(bare, "GET", "/monitoring/portfolios", "", 403)
}

func TestCompanyPages(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(2300)
	acme := w.desk(w.join("acme", everywhere(auth.Monitoring)...))
	id := w.make(acme, "A")
	ids := make([]string, 2300)
	var list []company.ID
	for i := range ids {
		list = append(list, company.NewID("GB", fmt.Sprint(i+1)))
		ids[i] = string(list[i])
	}
	slices.Sort(ids)
	w.fill(acme, id, list)
	if got := idsIn(t, acme, id); !slices.Equal(got, ids) { // three pages of the client's
		t.Errorf("read %d companies, not the %d in their order", len(got), len(ids))
	}
	got := w.call(acme, "GET", fmt.Sprintf("/monitoring/portfolios/%d/companies?page=2&pageSize=1000", id), "", 200)
	want := map[string]any{"size": 1000.0, "prev": 1.0, "next": nil, "last": 2.0}
	if d := cmp.Diff(want, got["paging"]); d != "" || len(got["data"].([]any)) != 300 || got["cursor"] != nil || got["totalCount"] != 2300.0 {
		t.Errorf("the last page has %d of %v: %s", len(got["data"].([]any)), got["totalCount"], d)
	}
	if got := w.call(acme, "GET", fmt.Sprintf("/monitoring/portfolios/%d/companies", id), "", 200); len(got["data"].([]any)) != 50 {
		t.Errorf("a page has %d by itself, want 50", len(got["data"].([]any)))
	}
}
