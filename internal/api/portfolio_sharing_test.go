package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// fill puts companies into a portfolio.
func (w *world) fill(d *desk, id int64, list []company.ID) {
	w.t.Helper()
	members := make([]monitor.Member, len(list))
	for i, c := range list {
		members[i].Company = c
	}
	_, err := w.db.AddMembers(w.t.Context(), auth.Caller{Customer: d.Customer, Account: d.Account}, monitor.PortfolioID(id), members)
	must(w.t, err)
}

func TestSharing(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	ann := w.desk(w.join("ann", everywhere(auth.Monitoring)...))
	bob, eve := w.colleague(ann, "bob"), w.desk(w.join("eve", everywhere(auth.Monitoring)...))
	ctx := t.Context()
	p, err := ann.CreatePortfolio(ctx, client.PortfolioEdit{Name: ptr("Shared"), IsDefault: ptr(true)})
	must(t, err)
	must(t, ann.AddCompany(ctx, p.ID, "GB-0-1", client.Notes{}))
	_, err = bob.Portfolio(ctx, p.ID)
	wantErr(t, err, client.ErrNotFound)

	share := func(rights string) {
		t.Helper()
		must(t, ann.SharePortfolio(ctx, p.ID, false, client.Share{AccountID: int64(bob.Account), Permissions: rights}))
	}
	share("View")
	got, err := bob.Portfolio(ctx, p.ID)
	if must(t, err); got.Permissions != "view" || got.IsDefault {
		t.Errorf("bob sees %+v; it is ann's default, not bob's", got)
	}
	list := w.call(bob, "GET", "/monitoring/portfolios", "", 200)["data"].(map[string]any)
	entry := list["portfolios"].([]any)[0].(map[string]any)
	if entry["isSharedPortfolio"] != 1.0 || entry["isDefault"] != false || entry["permissions"] != "view" {
		t.Errorf("bob's list has %v", entry)
	}
	if d := cmp.Diff([]any{map[string]any{"portfolioId": float64(p.ID), "name": "Shared"}}, list["sharedPortfolios"]); d != "" {
		t.Errorf("what is shared (-want +got):\n%s", d)
	}
	forbidden := func(err error) {
		t.Helper()
		wantErr(t, err, client.ErrForbidden)
	}
	forbidden(bob.AddCompany(ctx, p.ID, "GB-0-2", client.Notes{}))
	forbidden(bob.RemoveCompany(ctx, p.ID, "GB-0-1"))
	forbidden(bob.EditCompany(ctx, p.ID, "GB-0-1", client.Notes{}))
	forbidden(bob.SwitchRules(ctx, p.ID, "XX", client.RuleSwitch{Code: 105, IsActive: true}))
	share("add,edit")
	must(t, bob.AddCompany(ctx, p.ID, "GB-0-2", client.Notes{}))
	must(t, bob.EditCompany(ctx, p.ID, "GB-0-2", client.Notes{Notes: ptr("bob's")}))
	must(t, bob.EditPortfolio(ctx, p.ID, client.PortfolioEdit{Name: ptr("Shared, by bob")}))
	forbidden(bob.EditPortfolio(ctx, p.ID, client.PortfolioEdit{IsDefault: ptr(false)}))
	forbidden(bob.RemoveCompany(ctx, p.ID, "GB-0-2"))
	share("all")
	must(t, bob.RemoveCompany(ctx, p.ID, "GB-0-2"))
	forbidden(bob.DeletePortfolio(ctx, p.ID))
	forbidden(bob.SharePortfolio(ctx, p.ID, true))
	shares, err := bob.PortfolioShares(ctx, p.ID)
	must(t, err)
	want := []client.Share{{AccountID: int64(bob.Account), Username: "bob", Permissions: "view,add,edit,remove"}}
	if d := cmp.Diff(want, shares); d != "" {
		t.Errorf("the shares (-want +got):\n%s", d)
	}
	_, err = eve.PortfolioShares(ctx, p.ID)
	wantErr(t, err, client.ErrNotFound)
	share("none")
	_, err = bob.Portfolio(ctx, p.ID)
	wantErr(t, err, client.ErrNotFound)
}

func TestSharingBodies(t *testing.T) {
	w := newWorld(t, plan{})
	ann := w.desk(w.join("ann", everywhere(auth.Monitoring)...))
	bob, eve := w.colleague(ann, "bob"), w.desk(w.join("eve", everywhere(auth.Monitoring)...))
	id := w.make(ann, "A")
	path := fmt.Sprintf("/v1/monitoring/portfolios/%d/sharingPermissions", id)
	got := w.call(ann, "PATCH", path, fmt.Sprintf(`{"userPermissions":[{"csUserId":%d,"permissions":"view, remove"}],"x":1}`, bob.Account), 200)
	want := map[string]any{
		"correlationId": got["correlationId"],
		"data":          map[string]any{"portfolioId": fmt.Sprint(id), "customerId": float64(ann.Customer), "status": "Success"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// Another customer's account, and one that does not exist, are refused in
	// the same words.
	words := func(account any) string {
		t.Helper()
		got := w.call(ann, "PATCH", path, fmt.Sprintf(`{"userPermissions":[{"csUserId":%v,"permissions":"view"}]}`, account), 400)
		return strings.ReplaceAll(fmt.Sprint(got["details"]), fmt.Sprint(account), "N")
	}
	if a, b := words(int64(eve.Account)), words(99999); a != b || !strings.HasPrefix(a, "userPermissions: ") {
		t.Errorf("an account of another customer gets %q, one that does not exist %q", a, b)
	}
	for _, c := range []struct{ body, details string }{
		{`{}`, "userPermissions: name at least one account, or set revokeAll"},
		{fmt.Sprintf(`{"userPermissions":[{"csUserId":%d,"permissions":"view"}]}`, ann.Account), "userPermissions: "},
		{fmt.Sprintf(`{"userPermissions":[{"csUserId":%d,"permissions":"own"}]}`, bob.Account), `userPermissions[0].permissions: "own" is none of`},
		{`{"userPermissions":[{"csUserId":"x","permissions":"view"}]}`, "userPermissions[0].csUserId: expected integer"},
		{`{"userPermissions":[{"permissions":"view"}]}`, "userPermissions[0]: expected required property csUserId"},
	} {
		if got := w.call(ann, "PATCH", path, c.body, 400); !strings.HasPrefix(fmt.Sprint(got["details"]), c.details) {
			t.Errorf("%s: got %q, want %q", c.body, got["details"], c.details)
		}
	}
	// Who may not share it is told that, whatever else is wrong.
	for _, body := range []string{`{}`, `{"userPermissions":[{"csUserId":1,"permissions":"own"}]}`, `{"userPermissions":[{"csUserId":404,"permissions":"view"}]}`} {
		w.call(eve, "PATCH", path, body, 404)
		w.call(bob, "PATCH", path, body, 403)
	}
	shares, err := ann.PortfolioShares(t.Context(), id)
	if must(t, err); len(shares) != 1 || shares[0].Permissions != "view,remove" {
		t.Errorf("after what was refused: %+v", shares)
	}
	for _, revoke := range []string{`"true"`, "true", "1"} {
		w.call(ann, "PATCH", path, `{"revokeAll":`+revoke+`}`, 200)
		shares, err := ann.PortfolioShares(t.Context(), id)
		if must(t, err); len(shares) != 0 {
			t.Errorf("after revokeAll %s: %+v", revoke, shares)
		}
	}
}

// B19: a cursor is taken from the one it was given to, for the list it belongs
// to, letter by letter.
func TestCursorsAreBound(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(5)
	ann := w.desk(w.join("ann", everywhere(auth.Monitoring)...))
	bob, eve := w.colleague(ann, "bob"), w.desk(w.join("eve", everywhere(auth.Monitoring)...))
	id, other := w.make(ann, "A"), w.make(ann, "B")
	gb := []company.ID{"GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5"}
	w.fill(ann, id, gb)
	w.fill(ann, other, gb)
	must(t, ann.SharePortfolio(t.Context(), id, false, client.Share{AccountID: int64(bob.Account), Permissions: "view"}))
	w.make(eve, "E")
	companies := fmt.Sprintf("/monitoring/portfolios/%d/companies?pageSize=2", id)
	cursor := w.call(ann, "GET", companies, "", 200)["cursor"].(string)
	if got := w.call(ann, "GET", companies+"&after="+cursor, "", 200); len(got["data"].([]any)) != 2 {
		t.Errorf("the next page is %v", got["data"])
	}
	refused := func(who *desk, name, path string) {
		t.Helper()
		got := w.call(who, "GET", path, "", 400)
		if !strings.HasPrefix(fmt.Sprint(got["details"]), "after: ") {
			t.Errorf("%s: got %q", name, got["details"])
		}
	}
	refused(bob, "a colleague who may see the portfolio", companies+"&after="+cursor)
	refused(eve, "another customer", "/monitoring/portfolios?after="+cursor)
	refused(ann, "another portfolio", fmt.Sprintf("/monitoring/portfolios/%d/companies?pageSize=2&after=%s", other, cursor))
	refused(ann, "another operation", "/monitoring/portfolios?after="+cursor)
	refused(ann, "another filter", companies+"&countryCode=GB&after="+cursor)
	refused(ann, "another search", companies+"&searchQuery=g&after="+cursor)
	for i := range cursor {
		for _, l := range "AZaz09-_" {
			if changed := cursor[:i] + string(l) + cursor[i+1:]; changed != cursor {
				refused(ann, "a letter changed", companies+"&after="+changed)
			}
		}
	}
	refused(ann, "cut short", companies+"&after="+cursor[:len(cursor)-1])
	refused(ann, "made up", companies+"&after=R0ItMC0z")
	// A cursor outlives what it points at.
	_, err := w.db.RemoveMembers(t.Context(), auth.Caller{Customer: ann.Customer, Account: ann.Account}, monitor.PortfolioID(id), gb[:2])
	must(t, err)
	got := w.call(ann, "GET", companies+"&after="+cursor, "", 200)["data"].([]any)
	if len(got) != 2 || got[0].(map[string]any)["id"] != "GB-0-3" {
		t.Errorf("after its company went, the next page is %v", got)
	}
}
