package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
)

// acorn is a company with a fact in every place.
func acorn() company.Statement {
	home := company.Address{Kind: company.Registered, Street: "Mill Lane", House: "4", City: "Leeds", Post: "LS1 4XX", Country: "GB"}
	return company.Statement{Country: "GB", Number: "00000001", LEI: "984500B0REAU00000135", Facts: company.Facts{
		Name: "Acorn Mills Limited", RegNo: "00000001", Register: "RA000585", LEI: "984500B0REAU00000135", LEIStatus: "ISSUED",
		VAT: []string{"GB123456789"}, SafeNo: "UK00000001", Status: company.Active, Founded: "1999-05-03",
		Names: []company.Name{{Text: "Acorn Trading Limited", Kind: company.Former, Until: "2004-01-31"}, {Text: "Acorns", Kind: company.Trading}},
		Form:  company.Form{Code: "ltd", Text: "Private limited company"}, Kind: company.Ltd,
		Activities: []company.Activity{{Scheme: "UK SIC 2007", Code: "10611", Text: "Grain milling"}, {Scheme: "UK SIC 2007", Code: "46900", Text: "Wholesale"}},
		Addresses:  []company.Address{home, {Kind: company.Branch, Street: "Quay Street", City: "Hull", Country: "GB"}},
		Phones:     []string{"+44 1632 960001"}, Emails: []string{"office@acorn.example"}, Websites: []string{"https://acorn.example"},
		Employees: []company.Employees{{Year: 2025, Count: 41}}, Capital: company.Money{Minor: 10000000, Currency: "GBP"},
		Officers: []company.Officer{
			{Person: company.Person{ID: "p1", Name: "Ada Brook", First: "Ada", Surname: "Brook", Birth: "1970-04-17", Address: &home}, Role: "director", From: "2010-01-01"},
			{Person: company.Person{ID: "p2", Name: "Otto Vale"}, Role: "secretary", From: "2001-01-01", Until: "2009-12-31"},
		},
		Owners: []company.Owner{
			{Person: company.Person{ID: "p1", Name: "Ada Brook"}, Natures: []string{"owns shares"}, ShareMin: 25, ShareMax: 50},
			{Person: company.Person{ID: "p9", Name: "Hidden Person", Protected: true}},
		},
		Links: []company.Link{{Kind: company.Parent, ID: "GB-0-00000002"}, {Kind: company.UltimateParent, LEI: "984500B0REAU00000232", Name: "Far Holdings"}},
		Accounts: []company.Accounts{{End: "2025-12-31", Months: 12, Currency: "GBP", Items: map[string]int64{
			company.Turnover: 50000000, company.ProfitBeforeTax: 4000000, company.TotalAssets: 30000000, company.Equity: 12000000,
			company.CurrentAssets: 15000000, company.CurrentLiabilities: 10000000, company.Stocks: 5000000,
		}}},
		Due:     company.Due{AccountsLast: "2025-12-31", AccountsNext: "2026-09-30"},
		Filings: []company.Filing{{Date: "2026-02-01", Type: "AA", Text: "Annual accounts"}},
		Notices: []company.Notice{{Date: "2024-06-01", Kind: "court", Text: "A judgment was registered"}},
		Charges: &company.Charges{Total: 3, Outstanding: 1, Satisfied: 2},
		Score:   &company.Score{Value: 77, Band: "A", Limit: company.Money{Minor: 2500000, Currency: "GBP"}, At: "2026-02-02", Reasons: []string{"+25 strong equity"}},
	}}
}

// know puts companies into the register.
func (w *world) know(list ...company.Statement) {
	w.t.Helper()
	run, err := w.server.Companies.NewRun(w.t.Context(), "companies", false, w.clock.Now())
	must(w.t, err)
	must(w.t, run.Add(w.t.Context(), list))
	must(w.t, run.Finish(w.t.Context()))
}

func simple(country, number, name string) company.Statement {
	return company.Statement{Country: country, Number: number, Facts: company.Facts{Name: name, RegNo: number, Status: company.Active}}
}

func TestReportHoldsEveryFact(t *testing.T) {
	w := newWorld(t, plan{})
	parent := simple("GB", "00000002", "Oak Holdings Limited")
	child := simple("GB", "00000003", "Sapling Limited")
	child.Facts.Links = []company.Link{{Kind: company.Parent, ID: "GB-0-00000001"}}
	w.know(acorn(), parent, child)
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	a := w.send("GET", "/v1/companies/GB-0-00000001", "", "Authorization", "Bearer "+token)
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s: %s", a.status, a.header.Get("Content-Type"), a.body)
	}
	var pretty bytes.Buffer
	must(t, json.Indent(&pretty, []byte(a.body), "", "  "))
	golden(t, "testdata/report.json", pretty.Bytes())
	for _, secret := range []string{"1970-04-17", "Hidden Person"} {
		if strings.Contains(a.body, secret) {
			t.Errorf("the report shows %q", secret)
		}
	}
}

func TestReportIsFoundByEveryName(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn())
	c := w.client(w.join("acme", everywhere(auth.Companies)...))
	for _, name := range []string{"GB-0-00000001", "gb-0-00000001", "GB001-0-00000001", "GB-X-00000001", "UK00000001"} {
		if r, err := c.CompanyReport(t.Context(), name, client.ReportRequest{}); err != nil || r.CompanyID != "GB-0-00000001" {
			t.Errorf("%s: %q, %v", name, r.CompanyID, err)
		}
	}
}

func TestReportSpeaksLanguagesAndSections(t *testing.T) {
	w := newWorld(t, plan{})
	ending := simple("GB", "00000002", "Birch Mills Limited")
	ending.Facts.Status, ending.Facts.StatusText = company.Pending, "In liquidation"
	w.know(acorn(), ending)
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	get := func(query string) answer {
		return w.send("GET", "/companies/GB-0-00000001?"+query, "", "Authorization", token)
	}
	for lang, word := range map[string]string{"de": "Geschäftsführer", "FR": "Administrateur", "sv": "Styrelseledamot", "no": "Direktør", "en": "Director", "xx": "Director"} {
		if a := get("language=" + lang); a.status != 200 || !strings.Contains(a.body, word) {
			t.Errorf("language %s: %d, without %q", lang, a.status, word)
		}
	}
	for _, test := range [][2]string{{"en", `"description":"In liquidation"`}, {"de", `"description":"In einem Verfahren (In liquidation)"`}} {
		a := w.send("GET", "/companies/GB-0-00000002?language="+test[0], "", "Authorization", token)
		if !strings.Contains(a.body, test[1]) {
			t.Errorf("language %s: the status is not %s: %s", test[0], test[1], a.body)
		}
	}
	if a := get("language=de"); !strings.Contains(a.body, `"description":"Aktiv"`) {
		t.Errorf("the status is not German: %s", a.body)
	}
	a := get("reportSections=CompanySummary,directors")
	if !strings.Contains(a.body, "companySummary") || !strings.Contains(a.body, "currentDirectors") || strings.Contains(a.body, "shareCapitalStructure") {
		t.Errorf("two sections: %s", a.body)
	}
}

func TestWrongValuesAreNamed(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn(), simple("DE", "HRB1", "Eiche GmbH"))
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	for _, test := range []struct {
		path   string
		status int
		says   []string
	}{
		{"/companies/GB-0-00000001?language=english&template=tiny&reportSections=Nonsense", 400, []string{"language", "template", "reportSections", "CompanySummary"}},
		{"/companies/GB-0-00000001?language=xx&languageFallback=false", 400, []string{"we speak en, de, fr, sv, nb"}},
		{"/companies/DE-0-HRB1", 400, []string{"de_reason_code::N", "1, 2, 3"}},
		{"/companies/DE-0-HRB1?customData=de_reason_code::9", 400, []string{`cannot be \"9\"`}},
		{"/companies/DE-0-HRB1?customData=de_reason_code", 400, []string{"write key::value"}},
		{"/companies/DE-0-HRB1?customData=de_reason_code::1", 200, []string{"Eiche GmbH"}},
		{"/companies/banana", 400, []string{"is not a connectId"}},
		{"/companies/GB-0-99", 404, []string{"Company resource not found"}},
		{"/companies/schema/GBR", 400, []string{"use two letters"}},
		{"/companies/schema/ZZ", 400, []string{`countryCode: \"ZZ\" is not a country`}},
		{"/reportcustomdata/ZZ", 400, []string{`country: \"ZZ\" is not a country`}},
		{"/reportcustomdata/de", 200, []string{"de_reason_code", `"optional":false`}},
		{"/reportcustomdata/GB", 200, []string{`"customData":[]`}},
	} {
		a := w.send("GET", test.path, "", "Authorization", token)
		if a.status != test.status {
			t.Errorf("%s: %d, want %d: %s", test.path, a.status, test.status, a.body)
		}
		for _, s := range test.says {
			if !strings.Contains(a.body, s) {
				t.Errorf("%s: %s\nwants %q", test.path, a.body, s)
			}
		}
	}
}

// An error says back enough to know a value again, not all that somebody sent.
func TestErrorsQuoteInPart(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn())
	token := w.token(w.join("acme", everywhere(auth.Companies, auth.People, auth.Images)...))
	long := strings.Repeat("x", 5000)
	for _, path := range []string{
		"/companies/" + long, "/people/" + long, "/images/" + long, "/companies/schema/" + long,
		"/reportcustomdata/" + long, "/companies/GB-0-00000001?template=" + long, "/companies/GB-0-00000001?language=" + long,
		"/companies/GB-0-00000001?reportSections=" + long, "/companies/GB-0-00000001?customData=" + long,
		"/companies/match?name=acorn&country=" + long, "/companies?name=acorn&countries=" + long,
	} {
		a := w.send("GET", path, "", "Authorization", token)
		if a.status != 400 || !strings.Contains(a.body, "xxxx") || strings.Contains(a.body, long[:100]) {
			t.Errorf("%.40s: %d %.300s", path, a.status, a.body)
		}
	}
}

func TestReportNeedsItsCountryAndIsCounted(t *testing.T) {
	w := newWorld(t, plan{})
	w.know(acorn(), simple("IE", "77", "Clover Limited"))
	l := w.join("acme", auth.Grant{Product: auth.Companies, Country: "GB", From: "2026-01-01", Paid: 10})
	token := w.token(l)
	if a := w.send("GET", "/companies/IE-0-77", "", "Authorization", token); a.status != 403 || !strings.Contains(a.body, "no access to companies in IE") {
		t.Fatalf("a country that was not bought: %d %s", a.status, a.body)
	}
	for range 3 {
		w.send("GET", "/companies/GB-0-00000001", "", "Authorization", token)
	}
	w.send("GET", "/companies/GB-0-99", "", "Authorization", token)
	a := w.send("GET", "/access", "", "Authorization", token)
	if !strings.Contains(a.body, `"paid":10,"used":3`) {
		t.Errorf("three reports are not counted as three: %s", a.body)
	}
	reads := 0
	must(t, w.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.PersonRead && e.Account == l.Account && e.Detail == "company=GB-0-00000001" {
			reads++
		}
		return nil
	}))
	if reads != 3 {
		t.Errorf("%d reads in the audit log, want 3", reads)
	}
}

func TestLargeReportIsFetchedFromASignedAddress(t *testing.T) {
	w := newWorld(t, plan{})
	s := acorn()
	for i := range 60_000 {
		s.Facts.Filings = append(s.Facts.Filings, company.Filing{
			Date: "2020-01-01", Type: "misc", Ref: fmt.Sprint(i), Text: strings.Repeat("a long description ", 8) + fmt.Sprint(i),
		})
	}
	w.know(s)
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	a := w.send("GET", "/v1/companies/GB-0-00000001", "", "Authorization", token)
	if a.status != http.StatusFound || len(a.body) > 1000 {
		t.Fatalf("%d with %d bytes, want 302", a.status, len(a.body))
	}
	u, err := url.Parse(a.header.Get("Location"))
	must(t, err)
	if u.Host != "bureau.test" {
		t.Errorf("the address is %s, want one of the public URL", u)
	}
	path := u.EscapedPath() + "?" + u.RawQuery
	if got := w.send("GET", path, ""); got.status != 200 || len(got.body) < 10<<20 {
		t.Fatalf("the signed address: %d with %d bytes", got.status, len(got.body))
	}
	for name, bad := range map[string]string{
		"another company":   strings.Replace(path, "00000001", "00000002", 1),
		"a longer life":     strings.Replace(path, "expires=1", "expires=2", 1),
		"no signature":      strings.Split(path, "&signature")[0],
		"another signature": path + "x",
	} {
		if got := w.send("GET", bad, ""); got.status != 403 {
			t.Errorf("%s: %d, want 403", name, got.status)
		}
	}
	w.clock.Step(5 * time.Minute)
	if got := w.send("GET", path, ""); got.status != 403 {
		t.Errorf("after five minutes: %d, want 403", got.status)
	}
}

func TestReportFitsItsSchema(t *testing.T) {
	w := newWorld(t, plan{})
	token := w.token(w.join("acme", everywhere(auth.Companies)...))
	a := w.send("GET", "/companies/schema/GB?section=CompanyReportResponse", "", "Authorization", token)
	var schema struct {
		Ref  string                     `json:"$ref"`
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	must(t, json.Unmarshal([]byte(a.body), &schema))
	if _, ok := schema.Defs[strings.TrimPrefix(schema.Ref, "#/$defs/")]; !ok || a.status != 200 {
		t.Errorf("%d: the schema leads nowhere: %s", a.status, schema.Ref)
	}
}
