package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
)

func searchExamples() []example {
	return []example{
		{"companySearchCriteria", "GET", "/companies/searchcriteria?countries=GB,FR", "", 200, "acme"},
		{"companySearchCriteria", "GET", "/companies/searchcriteria?countries=WW", "", 200, "acme"},
		{"companySearchCriteria", "GET", "/companies/searchcriteria", "", 400, "acme"},
		{"companySearchCriteria", "GET", "/companies/searchcriteria?countries=GB", "", 403, "bare"},
		{"companySearch", "GET", "/companies?countries=GB&regNo=1", "", 200, "acme"},
		{"companySearch", "GET", "/companies?countries=GB&name=brimwick", "", 503, "acme"},
		{"companySearch", "GET", "/companies?countries=QQ&name=brimwick", "", 400, "acme"},
		{"companySearch", "GET", "/companies?countries=GB&regNo=1", "", 403, "bare"},
		{"companyMatch", "GET", "/companies/match?country=GB&name=brimwick&matchThreshold=905", "", 503, "acme"},
		{"companyMatch", "GET", "/companies/match?country=GB", "", 400, "acme"},
		{"companyMatch", "GET", "/companies/match?country=GB&name=brimwick", "", 403, "bare"},
		{"companyGlobalSearch", "GET", "/companies/global?city=Leeds", "", 200, "acme"},
		{"companyGlobalSearch", "GET", "/companies/global?name=brimwick", "", 503, "acme"},
		{"companyGlobalSearch", "GET", "/companies/global", "", 400, "acme"},
		{"peopleSearchCriteria", "GET", "/people/searchcriteria?countries=GB", "", 200, "acme"},
		{"peopleSearchCriteria", "GET", "/people/searchcriteria", "", 200, "acme"},
		{"peopleSearch", "GET", "/people?countries=GB&peopleId=GB-1", "", 200, "acme"},
		{"peopleSearch", "GET", "/people?countries=GB&lastName=hollbrook", "", 503, "acme"},
		{"peopleSearch", "GET", "/people?countries=GB", "", 400, "acme"},
		{"peopleSearch", "GET", "/people?countries=GB&lastName=hollbrook", "", 403, "bare"},
		{"person", "GET", "/people/GB-1", "", 404, "acme"},
		{"person", "GET", "/people/nobody", "", 400, "acme"},
		{"person", "GET", "/people/GB-1", "", 403, "bare"},
	}
}

// searchable fills the register and has it searched in.
func (w *world) searchable(list ...company.Statement) {
	w.t.Helper()
	ctx := w.t.Context()
	run, err := w.server.Companies.NewRun(ctx, "src", false, w.clock.Now())
	must(w.t, err)
	must(w.t, run.Add(ctx, list))
	must(w.t, run.Finish(ctx))
	changes, err := w.db.Changes(ctx, 0, 10_000)
	must(w.t, err)
	keys, err := w.server.Companies.KeysOf(ctx, changes)
	must(w.t, err)
	must(w.t, w.db.SaveKeys(ctx, keys, job.Place{Name: company.KeyReader, Number: changes[len(changes)-1].Number}))
	_, err = w.server.Finder.Step(ctx)
	must(w.t, err)
}

func brimwick() company.Statement {
	return company.Statement{Country: "GB", Number: "03375464", Facts: company.Facts{
		Name: "Brimwick Foods Ltd", RegNo: "03375464", VAT: []string{"GB123456789"}, Status: company.Active, Kind: company.Ltd,
		Names:     []company.Name{{Text: "Old Mill Ltd", Kind: company.Former}, {Text: "Bread Basket", Kind: company.Trading}},
		Addresses: []company.Address{{Kind: company.Registered, House: "1", Street: "High Street", City: "Leeds", Post: "LS1 4AP", Country: "GB"}},
		Phones:    []string{"0113 496 0999"}, Activities: []company.Activity{{Scheme: "SIC", Code: "10710", Text: "Bread"}},
		Officers: []company.Officer{
			{Person: company.Person{ID: "77", Name: "Ada Hollbrook", First: "Ada", Surname: "Hollbrook", Birth: "1970-05-31", Nationality: "British"}, Role: "director", From: "2020-01-02"},
			{Person: company.Person{ID: "78", Name: "Secret Person", Protected: true}, Role: "director"},
		},
	}}
}

// A client of this wire finds a company, with the keys that it reads.
func TestCompanySearch(t *testing.T) {
	w := newWorld(t, plan{})
	w.searchable(brimwick(), company.Statement{Country: "FR", Number: "1", Facts: company.Facts{Name: "Brimwick SARL"}})
	l := w.join("acme", everywhere(auth.Companies)...)
	got := w.send("GET", "/v1/companies?countries=GB&name=brimwik%20food&unknown=1&pageSize=5", "", "Authorization", w.token(l))
	var body struct {
		TotalSize int
		Companies []map[string]any
		Messages  []map[string]string
	}
	must(t, json.Unmarshal([]byte(got.body), &body))
	if got.status != 200 || body.TotalSize != 1 || len(body.Companies) != 1 || body.Messages == nil || len(body.Messages) > 0 {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	c := body.Companies[0]
	for key, want := range map[string]string{
		"id": "GB-0-03375464", "country": "GB", "regNo": "03375464", "safeNo": "GB03375464", "idType": "RegistrationNumber",
		"name": "Brimwick Foods Ltd", "type": "Ltd", "officeType": "registered", "status": "Active", "activityCode": "10710",
		"vatNo": "[GB123456789]", "tradingNames": "[Bread Basket]", "previousNames": "[Old Mill Ltd]", "phoneNumbers": "[0113 496 0999]",
		"dateOfLatestChange": "2026-03-02T09:30:00",
	} {
		if text := fmt.Sprint(c[key]); text != want {
			t.Errorf("%s is %s, want %s", key, text, want)
		}
	}
	address := c["address"].(map[string]any)
	for key, want := range map[string]string{
		"postCode": "LS1 4AP", "postalCode": "LS1 4AP", "city": "Leeds", "street": "High Street", "houseNo": "1", "telephone": "0113 496 0999",
	} {
		if address[key] != want {
			t.Errorf("address.%s is %v, want %s", key, address[key], want)
		}
	}
	if score, ok := c["matchScore"].(float64); !ok || score < 893 {
		t.Errorf("matchScore is %v", c["matchScore"])
	}
	api := w.client(l)
	none, err := api.SearchCompanies(t.Context(), client.CompanySearch{Countries: []string{"GB"}, RegNo: "99"}, client.Page{})
	if err != nil || none.Total != 0 || none.Companies == nil || len(none.Messages) != 1 || none.Messages[0].Code != "NoResults" {
		t.Errorf("nothing: %+v (%v)", none, err)
	}
	byID, err := api.SearchCompanies(t.Context(), client.CompanySearch{ID: "GB001-0-03375464"}, client.Page{})
	if err != nil || byID.Total != 1 {
		t.Errorf("by id, without a country: %+v (%v)", byID, err)
	}
	all, err := api.SearchEverywhere(t.Context(), client.CompanySearch{Name: "Brimwick"}, client.Page{})
	if err != nil || all.Total != 2 {
		t.Errorf("everywhere: %+v (%v)", all, err)
	}
}

// Cursors lead through all pages, and are those of one list.
func TestCompanySearchPages(t *testing.T) {
	w := newWorld(t, plan{})
	var list []company.Statement
	for i := range 5 {
		s := brimwick()
		s.Number = fmt.Sprint(i + 1)
		list = append(list, s)
	}
	w.searchable(list...)
	api := w.client(w.join("acme", everywhere(auth.Companies)...))
	for _, ask := range []client.CompanySearch{{Countries: []string{"GB"}, Name: "Brimwick Foods"}, {Countries: []string{"GB"}, City: "leeds"}} {
		var ids []string
		page := client.Page{Size: 2}
		for range 9 {
			got, err := api.SearchCompanies(t.Context(), ask, page)
			must(t, err)
			if got.Total != 5 {
				t.Errorf("%+v: %d in all, want 5 on every page", ask, got.Total)
			}
			for _, c := range got.Companies {
				ids = append(ids, c.ID)
			}
			if page.After = got.Cursor; got.Cursor == "" {
				break
			}
		}
		if want := []string{"GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5"}; !slices.Equal(ids, want) {
			t.Errorf("%+v: got %v", ask, ids)
		}
		third, err := api.SearchCompanies(t.Context(), ask, client.Page{Number: 3, Size: 2})
		if err != nil || len(third.Companies) != 1 || third.Companies[0].ID != "GB-0-5" {
			t.Errorf("%+v: the third page is %+v (%v)", ask, third.Companies, err)
		}
		first, err := api.SearchCompanies(t.Context(), ask, client.Page{Size: 2})
		must(t, err)
		ask.Status = "Active"
		if _, err := api.SearchCompanies(t.Context(), ask, client.Page{After: first.Cursor}); err == nil || !strings.Contains(err.Error(), "after") {
			t.Errorf("the cursor of another list: %v", err)
		}
	}
}

// Each wrong value is named, with why.
func TestSearchSaysWhatIsWrong(t *testing.T) {
	w := newWorld(t, plan{})
	w.searchable(brimwick())
	token := w.token(w.join("acme", everywhere(auth.Products()...)...))
	for _, c := range []struct{ path, want string }{
		{"/companies?name=brimwick", "countries: name at least one country"},
		{"/companies?countries=GB,QQ&name=brimwick", `countries: "QQ" is not a supported country`},
		{"/companies?countries=GB,PLC&name=brimwick", "countries: PLC stands alone"},
		{"/companies?countries=GB", "criteria: there is nothing to look for"},
		{"/companies?countries=GB&status=Active", "criteria: there is nothing to look for"},
		{"/companies?countries=GB&name=b", "name: \"b\" is too short"},
		{"/companies?countries=GB&name=brimwick&status=Sleeping", "status"},
		{"/companies?countries=GB&name=brimwick&page=0", "page"},
		{"/companies?countries=GB&name=brimwick&pageSize=x", "pageSize"},
		{"/companies?countries=GB&postCode=*", "postCode"},
		{"/companies?countries=GB&regNo=---", "regNo"},
		{"/companies?countries=GB&name=brimwick&language=english", "language"},
		{"/companies?countries=GB&name=brimwick&after=forged", "after"},
		{"/companies/match?country=GB", "name: name the company that you mean"},
		{"/companies/match?name=brimwick", "country"},
		{"/companies/match?country=GB&name=x&matchThreshold=892", `matchThreshold: "892" is not a number from 893 to 999`},
		{"/companies/match?country=GB&name=x&matchThreshold=1000", "matchThreshold"},
		{"/companies/match?country=GB&name=x&matchThreshold=high", "matchThreshold"},
		{"/people?countries=GB&lastName=hollbrook&dateOfBirth=31.5.1970", "dateOfBirth"},
		{"/people?countries=GB&peopleId=nobody", "peopleId"},
		{"/people?lastName=hollbrook", "countries"},
		{"/people?countries=GB&firstName=ada", "criteria: there is nobody to look for"},
		{"/companies?countries=QQ&regNo=-&page=0", "page"},
	} {
		got := w.send("GET", "/v1"+c.path, "", "Authorization", token)
		var body struct{ Details, Message string }
		must(t, json.Unmarshal([]byte(got.body), &body))
		if got.status != 400 || body.Message != "Bad request" || !strings.Contains(body.Details, c.want) {
			t.Errorf("%s: %d %s, want %q in the details", c.path, got.status, got.body, c.want)
		}
	}
	two := w.send("GET", "/v1/companies?countries=QQ&name=b", "", "Authorization", token)
	if !strings.Contains(two.body, "countries:") || !strings.Contains(two.body, "name:") {
		t.Errorf("two things are wrong, and it says %s", two.body)
	}
	for _, threshold := range []string{"", "&matchThreshold=893", "&matchThreshold=999"} {
		if got := w.send("GET", "/v1/companies/match?country=GB&name=brimwick"+threshold, "", "Authorization", token); got.status != 200 {
			t.Errorf("%s: %d %s", threshold, got.status, got.body)
		}
	}
}

// A country that the account may not use is refused; where none is named, what
// it may not use is not shown.
func TestSearchKeepsToTheContract(t *testing.T) {
	w := newWorld(t, plan{})
	french := brimwick()
	french.Country, french.Number = "FR", "1"
	w.searchable(brimwick(), french)
	l := w.join("acme", auth.Grant{Product: auth.Companies, Country: "FR", From: "2026-01-01"}, auth.Grant{Product: auth.People, Country: "FR", From: "2026-01-01"})
	token, api := w.token(l), w.client(l)
	for _, path := range []string{
		"/companies?countries=FR,GB&name=brimwick", "/companies?id=GB-0-03375464", "/companies?safeNo=GB03375464",
		"/companies/match?country=GB&name=brimwick", "/people?countries=GB&lastName=hollbrook", "/people/GB-77", "/companies/searchcriteria?countries=GB",
	} {
		if got := w.send("GET", "/v1"+path, "", "Authorization", token); got.status != 403 || !strings.Contains(got.body, "in GB") {
			t.Errorf("%s: %d %s, want 403", path, got.status, got.body)
		}
	}
	for says, search := range map[string]func() (client.FoundCompanies, error){
		"WW": func() (client.FoundCompanies, error) {
			return api.SearchCompanies(t.Context(), client.CompanySearch{Countries: []string{"WW"}, Name: "Brimwick"}, client.Page{})
		},
		"everywhere": func() (client.FoundCompanies, error) {
			return api.SearchEverywhere(t.Context(), client.CompanySearch{Name: "Brimwick"}, client.Page{})
		},
		"its own": func() (client.FoundCompanies, error) {
			return api.SearchCompanies(t.Context(), client.CompanySearch{Countries: []string{"fr"}, City: "Leeds"}, client.Page{})
		},
	} {
		got, err := search()
		if err != nil || got.Total != 1 || got.Companies[0].ID != "FR-0-1" {
			t.Errorf("%s: %+v (%v)", says, got, err)
		}
	}
}

// A match has its score, a grade for each part and reasons.
func TestCompanyMatch(t *testing.T) {
	w := newWorld(t, plan{})
	w.searchable(brimwick())
	l := w.join("acme", everywhere(auth.Companies)...)
	api := w.client(l)
	got, err := api.MatchCompany(t.Context(), client.CompanyMatch{Country: "gb", Name: "Foods, Brimwik Limited", PostCode: "LS14AP", City: "Hull"})
	if err != nil || len(got) != 1 || got[0].ID != "GB-0-03375464" || got[0].Confidence < 893 || len(got[0].Reasons) == 0 {
		t.Fatalf("got %+v (%v)", got, err)
	}
	for key, want := range map[string]string{"matchScorePostCode": "A", "matchScoreCity": "F", "matchScoreCountry": "A", "matchScoreVatNo": "Z"} {
		if got[0].Plan[key] != want {
			t.Errorf("%s is %v, want %s", key, got[0].Plan[key], want)
		}
	}
	none, err := api.MatchCompany(t.Context(), client.CompanyMatch{Country: "GB", Name: "Zyxquor Vembling"})
	if err != nil || none == nil || len(none) != 0 {
		t.Errorf("an invented name: %+v (%v)", none, err)
	}
	used, err := w.usage.Contract(t.Context(), l.Customer)
	if err != nil || used[0].Used != 2 {
		t.Errorf("two matches are %+v calls (%v)", used, err)
	}
}

// A director is found and shown with their companies, and never with the day of
// their birth; who looked is in the audit log.
func TestPeopleRoutes(t *testing.T) {
	w := newWorld(t, plan{})
	w.searchable(brimwick())
	l := w.join("acme", everywhere(auth.People, auth.Companies)...)
	api, token := w.client(l), w.token(l)
	found, err := api.SearchPeople(t.Context(), client.PeopleSearch{Countries: []string{"GB"}, LastName: "holbrook", FirstName: "ada"}, client.Page{})
	if err != nil || found.Total != 1 || found.People[0].ID != "GB-77" || found.People[0].CompanyName != "Brimwick Foods Ltd" || found.People[0].Status != "Active" {
		t.Fatalf("got %+v (%v)", found, err)
	}
	ada, err := api.Person(t.Context(), "gb-77")
	if err != nil || ada.Report.Summary.Current != 1 || len(ada.Report.Directorships.Current) != 1 || ada.Report.Directorships.Current[0].CompanyID != "GB-0-03375464" {
		t.Errorf("got %+v (%v)", ada, err)
	}
	report := w.send("GET", "/v1/companies/GB-0-03375464", "", "Authorization", token)
	if !strings.Contains(report.body, `"id":"GB-77"`) {
		t.Errorf("the report does not name her by the id that leads to her: %s", report.body)
	}
	for _, path := range []string{"/people/GB-77", "/people?countries=GB&lastName=hollbrook", "/people?companyId=GB-0-03375464&countries=GB", "/companies/GB-0-03375464"} {
		got := w.send("GET", "/v1"+path, "", "Authorization", token)
		if got.status != 200 || !strings.Contains(got.body, "1970-05") || strings.Contains(got.body, "1970-05-31") || strings.Contains(got.body, "Secret") {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	var log []string
	must(t, w.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.PersonRead {
			log = append(log, e.Detail)
		}
		return nil
	}))
	if !slices.Contains(log, "person=GB-77") || !slices.Contains(log, "people=GB-77") {
		t.Errorf("the audit log says %q", log)
	}
}

// Before the index is ready a search by name says when to come again.
func TestSearchWhileTheIndexIsMade(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme", everywhere(auth.Products()...)...))
	got := w.send("GET", "/v1/companies?countries=GB&name="+url.QueryEscape("Brimwick Foods"), "", "Authorization", token)
	if got.status != 503 || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "index of names is being made") {
		t.Errorf("got %d %v %s", got.status, got.header, got.body)
	}
}
