package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/routers/legacy"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/store/storetest"
)

// Swedes that no sandbox has: one with a personal number, one with a
// coordination number, one whom the law hides, one who died, one who left.
const swedes = `{"country":"SE","number":"19700531-7719","name":{"forename":"Åsa","surname":"Lindqvist"},"addresses":[{"careOf":"Ek","street":"Storgatan","buildingNo":"1","city":"Provköping","postCode":"999 11","from":"2010-01-01"}],"municipality":"Provköping","county":"Provlän","relations":[{"kind":"spouse","number":"198501012390"}],"judgments":[{"date":"2025-01-02","amount":{"minorUnits":100000,"currency":"SEK"},"caseNumber":"U1"}],"incomes":[{"year":2024,"amount":{"minorUnits":35000000,"currency":"SEK"}}]}
{"country":"SE","number":"197005917708","name":{"forename":"Bo","surname":"Samordning"}}
{"country":"SE","number":"198501012390","name":{"forename":"Hemlig","surname":"Lindqvist"},"protected":true}
{"country":"SE","number":"195501011117","name":{"forename":"Död","surname":"Lindqvist"},"deathDate":"2020-01-01"}
{"country":"SE","number":"194701012223","name":{"forename":"Borta","surname":"Lindqvist"},"emigratedTo":"NO"}
`

func provbolaget() company.Statement {
	person := func(id, name string) company.Person { return company.Person{ID: id, Name: name} }
	return company.Statement{Country: "SE", Number: "5597770006", Facts: company.Facts{
		Name: "Provbolaget AB", RegNo: "5597770006", Status: company.Active, Kind: company.Ltd, Form: company.Form{Text: "Aktiebolag"},
		Signing: "Firman tecknas av två i förening av ledamöterna. Dessutom har verkställande direktören rätt att teckna firman beträffande löpande förvaltningsåtgärder.",
		Addresses: []company.Address{
			{Kind: company.Registered, Street: "Storgatan", House: "2", City: "Provköping", Post: "99911", Country: "SE"},
			{Kind: company.Branch, Street: "Sidogatan", House: "3", City: "Provstad", Post: "99922", Country: "SE"},
		},
		Activities: []company.Activity{{Code: "62010", Text: "Programmering"}}, Employees: []company.Employees{{Count: 12}},
		Officers: []company.Officer{
			{Person: person("197005317719", "Åsa Lindqvist"), Role: "director"},
			{Person: person("197005317719", "Åsa Lindqvist"), Role: "ceo"},
			{Person: person("198501012390", "Hemlig Lindqvist"), Role: "chair"},
			{Person: person("197005917708", "Bo Samordning"), Role: "director"},
			{Person: person("195501011117", "Gammal Ledamot"), Role: "director", Until: "2015-01-01"},
		},
	}}
}

func specht() company.Statement {
	return company.Statement{Country: "DE", Number: "X7777_HRA1", Facts: company.Facts{
		Name: "Bäckerei Waldspecht OHG", RegNo: "HRA 1", Register: "Amtsgericht Prüfstadt", Status: company.Active, Kind: company.NonLtd, Form: company.Form{Text: "OHG"},
		Addresses: []company.Address{{Kind: company.Registered, Street: "Ringstraße", House: "5", City: "Prüfstadt", Post: "99999", Country: "DE"}},
		Officers: []company.Officer{
			{Person: company.Person{Name: "Uwe Waldspecht"}, Role: "partner"}, {Person: company.Person{Name: "Geheim", Protected: true}, Role: "partner"},
		},
	}}
}

// settled is a world with people and companies that no sandbox has.
func settled(t *testing.T, p plan) *world {
	w := newWorld(t, p)
	w.populate(people)
	w.populate(swedes)
	w.searchable(brimwick(), provbolaget(), specht())
	return w
}

// onBoth runs a test on both databases.
func onBoth(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for name, url := range map[string]func(*testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "bureau.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) { test(t, settled(t, plan{url: url(t)})) })
	}
}

// A line for each sentence of section 4.3 of the specification that is about bank
// accounts and people, and for each service that section 1 names: what was asked,
// and what was answered. Everything in the answers was loaded by this test.
func TestServicesOfTheSpecification(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		l := w.join("acme", everywhere(auth.Products()...)...)
		token := w.token(l)
		id, err := w.client(l).VerifyIdentity(t.Context(), client.Verifiable{
			Name: "Ada Hollbrook", DateOfBirth: "1970-05-31", Address: "7 Mill Lane", PostalCode: "TE1 1ST", Country: "GB", ID: "mine",
		})
		must(t, err)
		found, err := w.client(l).SearchNonLimited(t.Context(), "Waldspecht", "Prüfstadt")
		if err != nil || len(found) != 1 {
			t.Fatalf("the German company: %v (%v)", found, err)
		}
		router, err := legacy.NewRouter(document(t, w))
		must(t, err)
		w.stock()
		oak := simple("FR", "999999998", "CHENE")
		w.know(oak)
		account, err := w.client(l).VerifyBankAccount(t.Context(), ask("Acorn Mills Limited", rightNumber, "777701", "Business"), "")
		must(t, err)
		french := mustIBAN(t, "FR", w.frenchAccount().Number)
		german := fmt.Sprintf("/localSolutions/DE/nonLtdCompanies/%d", found[0].ID)
		for _, c := range []struct {
			sentence, method, path, body string
			status                       int
			says                         string
		}{
			{"data unit retrieval", "GET", "/getdataunit?searchnumber=5597770006", "", 200, `"officeType":"branch"`},
			{"data unit retrieval, by name", "GET", "/getdataunit?name=Provbolaget&postnr=99922", "", 200, `"town":"Provstad"`},
			{"consumer date check", "GET", "/datecheck/consumer?searchnumber=197005317719&referencedate=2026-01-01", "", 200, `"category":"registration","lastChanged":"2026-03-02"`},
			{"company date check", "GET", "/datecheck/company?searchnumber=559777-0006&referencedate=260101", "", 200, `"category":"registration","lastChanged":"2026-03-02"`},
			{"signatory retrieval", "GET", "/getsignatory?searchnumber=5597770006", "", 200, `"coverage":"complete"`},
			{"data retrieval of a company", "GET", "/getdata?searchnumber=5597770006&blockname=BASIC", "", 200, `"companyName":"Provbolaget AB"`},
			{"data retrieval of a person", "GET", "/getdata?searchnumber=700531-7719&blockname=FULL", "", 200, `"lodCreated":true`},
			{"search engine, companies", "GET", "/search/company?namesearchnumber=provbolaget&companytype=ab", "", 200, `"searchNumber":"5597770006"`},
			{"search engine, people", "GET", "/search/consumer?namesearchnumber=lindqvist", "", 200, `"name":"Åsa Lindqvist"`},
			{"consumer register search", "GET", "/spar?searchnumber=197005317719", "", 200, `"municipality":"Provköping"`},
			{"consumer register search, family", "GET", "/spar?searchnumber=197005317719&relation=true", "", 200, `"type":"spouse"`},
			{"Swedish calls are served under /v1 too", "GET", "/v1/getsignatory?searchnumber=5597770006&language=sv", "", 200, `"Ledamot"`},

			{"bankVerification/search has sortCodeDetails", "POST", "/localSolutions/GB/bankVerification/search", `{"customerName":"Acorn Mills","bankAccount":"` + rightNumber + `","sortCode":"777701","accountType":"Business"}`, 200, `"sortCodeDetails":{"sortCode":"777701","bankName":"Testford Bank"`},
			{"bankVerification/history/{id} has sortCodeDetails", "GET", "/localSolutions/GB/bankVerification/history/" + account.RequestID, "", 200, `"sortCodeDetails":{"sortCode":"777701","bankName":"Testford Bank"`},
			{"bankVerification/sortCode/{id}: enhanced information", "GET", "/localSolutions/GB/bankVerification/sortCode/777701", "", 200, `"paymentTypes":{"chaps":true`},
			{"FR/bankMatch: bankCountry exists", "GET", "/localSolutions/FR/bankMatch?registrationId=999999998&countryCode=FR&bankCountry=FR&iban=" + french, "", 200, `"HOLDER_IS_COMPANY"`},
			{"FR/bankMatch: bankCountry is read", "GET", "/localSolutions/FR/bankMatch?registrationId=999999998&countryCode=FR&bankCountry=DE&iban=" + french, "", 400, `bankCountry: `},

			{"identitysearch: camelCase with idAml", "POST", "/localSolutions/GB/identitysearch", strings.Replace(askAda, `"products"`, `"idAml":{"landlineNumber":1632960123},"products"`, 1), 200, `"bandText":"Pass"`},
			{"identitysearch: sortCode and bankAccountNumber exist", "POST", "/localSolutions/GB/identitysearch", strings.Replace(askAda, `"products"`, `"idAml":{"sortCode":"777701","bankAccountNumber":"12345679"},"products"`, 1), 200, `"bankMatch":{"success":true`},
			{"identitysearch: PascalCase is taken", "POST", "/localSolutions/GB/identitysearch", `{"Common":{"Person":{"CurrentName":{"Forename":"Ada","Surname":"Hollbrook"},"Addresses":{"Current":{"BuildingNo":"7","PostCode":"TE1 1ST"}}}},"IdAml":{"ExDirectory":false},"Products":["AML"]}`, 200, `"bandText":"Pass"`},
			{"identitysearch/history: parameter casing corrected", "GET", "/localSolutions/GB/identitysearch/history?includeCustomer=true", "", 200, `"totalCount":3`},
			{"nonLtdCompanies/searchcriteria", "GET", "/localSolutions/DE/nonLtdCompanies/searchcriteria", "", 200, `"required":true`},
			{"nonLtdCompanies", "GET", "/localSolutions/DE/nonLtdCompanies?name=Waldspecht&city=Pr%C3%BCfstadt", "", 200, `"country":"DE","name":"Bäckerei Waldspecht OHG"`},
			{"nonLtdCompanies/{id}", "GET", german + "?reason=CreditDecision", "", 200, `"name":"Uwe Waldspecht"`},
			{"nonLtdCompanies/{id} without a reason", "GET", german, "", 400, `reason: `},
			{"Verify: director, summary", "GET", "/localSolutions/GB/verify/individual/GB-77/summary?reasonForSearch=CA", "", 200, `"ccjMatch":true`},
			{"Verify: director, full", "GET", "/localSolutions/GB/verify/individual/GB-77/full?reasonForSearch=CA", "", 200, `"caseNumber":"J1"`},
			{"Verify: company", "GET", "/localSolutions/GB/verify/company/GB-0-03375464?reasonForSearch=CA", "", 200, `"verifyMatch":true`},
			{"Verify: individual", "GET", "/localSolutions/GB/verify/individual/directReport?firstName=Ada&lastName=Hollbrook&postCode=TE1+1ST&address=7+Mill+Lane&reasonForSearch=CA", "", 200, `"verifyMatch":true`},
			{"POST /protect/idv/gdc/search", "POST", "/protect/idv/gdc/search", `{"name":"Ada Hollbrook","dateOfBirth":"1970-05-31T00:00:00","address":"7 Mill Lane","postalCode":"TE1 1ST","country":"gb","id":"x"}`, 200, `"matchRate":"fullMatch"`},
			{"GET /protect/idv/file", "GET", "/protect/idv/file?idvSearchId=" + id.IDVSearchID, "", 200, `"JVBERi`}, // %PDF- in base64
			{"/protect/* otherwise", "GET", "/protect/idv/other", "", 301, `"message"`},
		} {
			got := w.send(c.method, c.path, c.body, "Authorization", token, "Content-Type", jsonType)
			if got.status != c.status || !strings.Contains(got.body, c.says) {
				t.Errorf("%s: %d %s\nwants %d with %s", c.sentence, got.status, got.body, c.status, c.says)
			}
			at := strings.TrimPrefix(c.path, "/v1")
			if err := holds(t.Context(), router, example{method: c.method, path: at, body: c.body}, got); err != nil && c.status != 301 {
				t.Errorf("%s: %s\nis not as documented: %v", c.sentence, got.body, err)
			}
			if strings.Contains(got.body, "Hemlig") || strings.Contains(got.body, "Geheim") {
				t.Errorf("%s shows who may not be shown: %s", c.sentence, got.body)
			}
			if strings.HasPrefix(c.path, "/get") || strings.HasPrefix(c.path, "/datecheck") {
				// They need a token like every protected call.
				if bare := w.send(c.method, c.path, ""); bare.status != 401 || bare.body != `{"error":"Invalid token."}` {
					t.Errorf("%s without a token: %d %s", c.sentence, bare.status, bare.body)
				}
			}
			if c.status == 200 && !strings.HasPrefix(c.path, "/localSolutions") && !strings.HasPrefix(c.path, "/protect") && !strings.Contains(got.body, `"metaData":{"apiLogId":`) {
				t.Errorf("%s has no envelope: %s", c.sentence, got.body)
			}
		}
	})
}

// The specification names the schema of sortCodeDetails.
func TestSortCodeDetailsHaveTheSchemaOfTheSpecification(t *testing.T) {
	doc := document(t, newWorld(t, plan{}))
	want := "#/components/schemas/SortCodeCheckResponse"
	for _, path := range []string{"/localSolutions/GB/bankVerification/search", "/localSolutions/GB/bankVerification/history/{id}"} {
		item := doc.Paths.Find(path)
		op := item.Get
		if op == nil {
			op = item.Post
		}
		details := op.Responses.Status(200).Value.Content.Get("application/json").Schema.Value.Properties["sortCodeDetails"]
		if details == nil || details.Ref != want {
			t.Errorf("%s: sortCodeDetails is %+v, want %s", path, details, want)
		}
	}
	if ref := doc.Paths.Find("/localSolutions/GB/bankVerification/sortCode/{id}").Get.Responses.Status(200).Value.Content.Get("application/json").Schema.Ref; ref != want {
		t.Errorf("sortCode/{id} answers with %s", ref)
	}
}

// Every refusal is in the envelope, whoever makes it: the gate, the check of the
// parameters or the service.
func TestSwedishEnvelopeOfEveryRefusal(t *testing.T) {
	w := settled(t, plan{})
	full, bare := w.token(w.join("acme", everywhere(auth.Sweden)...)), w.token(w.join("bare"))
	norway := w.token(w.join("norway", auth.Grant{Product: auth.Sweden, Country: "NO"}))
	long := strings.Repeat("x", 256)
	for _, c := range []struct {
		what, token, path string
		status            int
		code, resource    string
	}{
		{"no product", bare, "/getsignatory?searchnumber=5597770006", 403, "R2", "GetSignatory"},
		{"no product, under /v1", bare, "/v1/getdata?searchnumber=5597770006&blockname=BASIC", 403, "R2", "GetData"},
		{"no product, health", bare, "/spar/health", 403, "R2", "SPAR"},
		{"the product elsewhere", norway, "/datecheck/consumer?searchnumber=197005317719&referencedate=260101", 403, "R2", "DateCheck Consumer"},
		{"no right to the family", full, "/spar?searchnumber=197005317719&relation=true", 403, "R2", "SPAR"},
		{"a flag that is none", full, "/spar?searchnumber=197005317719&relation=maybe", 400, "R3", "SPAR"},
		{"a name that is too long", full, "/search/company?namesearchnumber=" + long, 400, "R3", "Search Company"},
		{"an address that is too long", full, "/search/consumer?namesearchnumber=a&address=" + long, 400, "R3", "Search Consumer"},
		{"a postcode that is too long", full, "/getdataunit?postnr=12345678901", 400, "R3", "GetDataUnit"},
		{"bytes that are no text", full, "/datecheck/company?searchnumber=%ff&referencedate=260101", 400, "R3", "DateCheck Company"},
		{"a number that is none", full, "/getdata?searchnumber=1&blockname=BASIC", 400, "R3", "GetData"},
	} {
		got := w.send("GET", c.path, "", "Authorization", c.token)
		var body struct {
			MetaData struct {
				ApiLogId                        int64
				TimeStamp, Resource, RequestUrl string
			}
			Report any
			Error  struct{ Code, Text, Detail string }
		}
		must(t, json.Unmarshal([]byte(got.body), &body))
		m := body.MetaData
		if got.status != c.status || body.Error.Code != c.code || body.Error.Text == "" || body.Report != nil ||
			m.Resource != c.resource || m.RequestUrl != c.path || m.ApiLogId == 0 || m.TimeStamp == "" {
			t.Errorf("%s: %d %s", c.what, got.status, got.body)
		}
	}
}

// Test data is told to nobody who does not ask for it.
func TestTestDataOfThePopulationRegister(t *testing.T) {
	w := settled(t, plan{})
	w.populate(`{"country":"SE","number":"197005317701","name":{"forename":"Prov","surname":"Person"},"test":true}` + "\n")
	token := w.token(w.join("acme", everywhere(auth.Sweden)...))
	for path, want := range map[string]int{
		"/spar?searchnumber=197005317701&usespartest=true":                     200,
		"/spar?searchnumber=197005317701":                                      404,
		"/getdata?searchnumber=197005317701&blockname=BASIC":                   404,
		"/datecheck/consumer?searchnumber=197005317701&referencedate=20260101": 404,
		"/search/consumer?namesearchnumber=197005317701":                       404,
		"/search/consumer?namesearchnumber=Prov":                               404,
	} {
		if got := w.send("GET", path, "", "Authorization", token); got.status != want {
			t.Errorf("%s: %d %s, want %d", path, got.status, got.body, want)
		}
	}
}

func TestSwedishRefusals(t *testing.T) {
	w := settled(t, plan{})
	l := w.join("acme", everywhere(auth.Sweden)...)
	token := w.token(l)
	for _, c := range []struct {
		what, path string
		status     int
		code, says string
	}{
		{"another language", "/getsignatory?searchnumber=5597770006&language=fi", 400, "R1", "language"},
		{"no number", "/getsignatory", 400, "15", "searchnumber: it is missing"},
		{"a wrong check digit", "/getsignatory?searchnumber=5597770007", 400, "R3", "searchnumber: its check digit is wrong"},
		{"a number of no length", "/getdata?searchnumber=559777&blockname=BASIC", 400, "R3", "searchnumber: a number has 10 or 12 digits"},
		{"an impossible day", "/spar?searchnumber=197013317718", 400, "R3", "searchnumber: "},
		{"an unknown company", "/getsignatory?searchnumber=5560001231", 404, "15", "there is no organisation"},
		{"an unknown block", "/getdata?searchnumber=5597770006&blockname=GOSSIP", 400, "R3", "blockname: it is one of"},
		{"no date", "/datecheck/company?searchnumber=5597770006", 400, "21", "referencedate: it is missing"},
		{"a date that is none", "/datecheck/company?searchnumber=5597770006&referencedate=20260231", 400, "22", "referencedate: it is written"},
		{"a date to come", "/datecheck/company?searchnumber=5597770006&referencedate=2027-01-01", 400, "22", "still to come"},
		{"an old date", "/datecheck/company?searchnumber=5597770006&referencedate=2020-01-01", 400, "23", "the oldest allowed is 2021-03-02"},
		{"an old date of a person", "/datecheck/consumer?searchnumber=197005317719&referencedate=230301", 400, "23", "the oldest allowed is 2023-03-02"},
		{"a long transaction", "/getsignatory?searchnumber=5597770006&transactionid=123456789012345", 400, "R3", "transactionid"},
		{"an organisation in the population register", "/spar?searchnumber=5597770006", 400, "R3", "it is an organisation's"},
		{"somebody who died", "/getdata?searchnumber=195501011117&blockname=BASIC", 200, "S200", "died"},
		{"somebody who left", "/spar?searchnumber=194701012223", 200, "S201", "NO"},
		{"somebody whom the law hides", "/getdata?searchnumber=198501012390&blockname=FULL", 200, "S202", ""},
		{"and in the population register", "/spar?searchnumber=198501012390&language=sv", 200, "S202", "Personen är spärrad"},
		{"and in the date check", "/datecheck/consumer?searchnumber=198501012390&referencedate=260101", 200, "S202", ""},
		{"and in the search", "/search/consumer?namesearchnumber=hemlig", 404, "15", "nobody is found"},
		{"the test register knows no living person", "/spar?searchnumber=197005317719&usespartest=true", 404, "15", "nobody"},
	} {
		got := w.send("GET", c.path, "", "Authorization", token)
		var body struct {
			MetaData struct {
				ApiLogId             int64
				Resource, RequestUrl string
			}
			Report any
			Error  struct{ Code, Text, Detail string }
		}
		must(t, json.Unmarshal([]byte(got.body), &body))
		if got.status != c.status || body.Error.Code != c.code || !strings.Contains(body.Error.Text+" "+body.Error.Detail, c.says) || body.Report != nil {
			t.Errorf("%s: %d %s, want %d %s %q", c.what, got.status, got.body, c.status, c.code, c.says)
		}
		if body.MetaData.ApiLogId == 0 || body.MetaData.Resource == "" || body.MetaData.RequestUrl != c.path {
			t.Errorf("%s: the envelope is %+v", c.what, body.MetaData)
		}
		if strings.Contains(got.body, "Hemlig") {
			t.Errorf("%s names somebody whom the law hides: %s", c.what, got.body)
		}
	}
	if a := w.send("GET", "/getsignatory?searchnumber=5597770006", ""); a.status != 401 || a.body != `{"error":"Invalid token."}` {
		t.Errorf("without a token: %d %s", a.status, a.body)
	}
	letters, err := w.db.LettersOf(t.Context(), "SE-198501012390")
	if len(letters) != 0 || err != nil {
		t.Errorf("a refusal made a letter: %v (%v)", letters, err)
	}
	if a := w.send("GET", "/spar?searchnumber=197005317719&relation=true", "", "Authorization", token); a.status != 403 {
		t.Errorf("the family without the right to it: %d %s", a.status, a.body)
	}
}

func TestSwedishHealth(t *testing.T) {
	w := newWorld(t, plan{})
	c := w.client(w.join("acme", everywhere(auth.Sweden)...))
	for _, service := range []string{"getdataunit", "getsignatory", "getdata", "spar"} {
		if err := c.SwedishHealth(t.Context(), service); err != nil {
			t.Errorf("%s: %v", service, err)
		}
	}
	if err := c.SwedishHealth(t.Context(), "nothing"); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("a service that there is not: %v", err)
	}
}

func TestSignatoriesOverTheWire(t *testing.T) {
	w := settled(t, plan{})
	l := w.join("acme", everywhere(auth.Sweden)...)
	got, err := w.client(l).Signatories(t.Context(), "5597770006")
	must(t, err)
	s := got.Report[0]
	var all []string
	for _, c := range s.Combinations {
		var names []string
		for _, p := range c {
			names = append(names, p.Name+" "+p.PersonalNumber)
		}
		all = append(all, strings.Join(names, " + "))
	}
	want := []string{
		"Åsa Lindqvist 197005317719 + Skyddad identitet ",
		"Åsa Lindqvist 197005317719 + Bo Samordning 197005917708",
		"Skyddad identitet  + Bo Samordning 197005917708",
	}
	if fmt.Sprint(all) != fmt.Sprint(want) || s.CompanyID != "5597770006" {
		t.Errorf("combinations %q, want %q", all, want)
	}
	if len(s.AdminSign) != 1 || s.AdminSign[0][0].Name != "Åsa Lindqvist" || len(s.AdminSign[0][0].Positions) != 2 {
		t.Errorf("for the daily running: %+v", s.AdminSign)
	}
}

func TestAPersonGetsACopy(t *testing.T) {
	w := settled(t, plan{})
	l := w.join("acme", everywhere(auth.Sweden)...)
	c := w.client(l)
	got, err := c.SwedishData(t.Context(), "197005317719", "BASIC,REMARKS,INCOME")
	must(t, err)
	if !got.Meta.LodCreated || !bytes.Contains(got.Report, []byte(`"amount":350000`)) {
		t.Errorf("got %+v %s", got.Meta, got.Report)
	}
	letters, err := w.db.LettersOf(t.Context(), "SE-197005317719")
	must(t, err)
	if len(letters) != 1 || letters[0].Customer != l.Customer || letters[0].Told != string(got.Report) {
		t.Errorf("the letters are %+v", letters)
	}
	company, err := c.SwedishData(t.Context(), "5597770006", "FULL")
	if err != nil || company.Meta.LodCreated {
		t.Errorf("a company got a letter: %+v (%v)", company.Meta, err)
	}
	reads := 0
	mark := w.server.Vault.Person("SE-197005317719")
	w.audited(l, func(e auth.Entry) {
		if e.Person == mark {
			reads++
		}
	})
	if reads != 1 {
		t.Errorf("%d readings in the audit log, want 1", reads)
	}
}

// What changed since a day is told from the log of changes.
func TestDateChecks(t *testing.T) {
	w := settled(t, plan{})
	c := w.client(w.join("acme", everywhere(auth.Sweden)...))
	w.clock.Step(10 * 24 * time.Hour)
	w.populate(strings.Replace(swedes, "Storgatan", "Nygatan", 1))
	changed := provbolaget()
	changed.Facts.Signing = "Firman tecknas av styrelsen"
	w.searchable(changed)
	for what, ask := range map[string]func(string) (client.Swedish[client.DateCheck], error){
		"address": func(d string) (client.Swedish[client.DateCheck], error) {
			return c.ConsumerDateCheck(t.Context(), "197005317719", d)
		},
		"signatory": func(d string) (client.Swedish[client.DateCheck], error) {
			return c.CompanyDateCheck(t.Context(), "5597770006", d)
		},
	} {
		got, err := ask("20260310")
		if err != nil || !got.Report.Changed || len(got.Report.Categories) != 1 || got.Report.Categories[0].Category != what || got.Report.Categories[0].LastChanged != "2026-03-12" {
			t.Errorf("%s: %+v (%v)", what, got.Report, err)
		}
		if got, err = ask("2026-03-01"); err != nil || len(got.Report.Categories) != 2 {
			t.Errorf("%s from the beginning: %+v (%v)", what, got.Report, err)
		}
	}
}

func TestNonLimitedCompanies(t *testing.T) {
	w := settled(t, plan{})
	l := w.join("acme", everywhere(auth.NonLimited)...)
	c := w.client(l)
	found, err := c.SearchNonLimited(t.Context(), "Waldspecht", "Prüfstadt")
	must(t, err)
	again, err := c.SearchNonLimited(t.Context(), "bäckerei waldspecht", "prüfstadt")
	must(t, err)
	if len(found) != 1 || len(again) != 1 || found[0].ID != again[0].ID || found[0].ID <= 0 {
		t.Fatalf("found %+v and %+v", found, again)
	}
	report, err := c.NonLimitedReport(t.Context(), found[0].ID, "collectioncheck")
	if err == nil {
		t.Errorf("a reason in other letters is documented otherwise: %+v", report.Status)
	}
	report, err = c.NonLimitedReport(t.Context(), found[0].ID, "CollectionCheck")
	must(t, err)
	if !bytes.HasPrefix(report.PDF, []byte("%PDF-")) || !bytes.Contains(report.CompanyData, []byte(`"requestReason":"CollectionCheck"`)) {
		t.Errorf("the report is %s", report.CompanyData)
	}
	criteria, err := c.NonLimitedCriteria(t.Context())
	if err != nil || len(criteria.Reasons) != 8 {
		t.Errorf("criteria %+v (%v)", criteria, err)
	}
	for _, reason := range []string{"", "Curiosity"} {
		var e *client.Error
		if _, err := c.NonLimitedReport(t.Context(), found[0].ID, reason); !errors.As(err, &e) || e.Status != 400 || !strings.Contains(e.Details, "reason: ") {
			t.Errorf("the reason %q: %v", reason, err)
		}
	}
	var reads []string
	w.audited(l, func(e auth.Entry) { reads = append(reads, e.Detail) })
	if len(reads) != 1 || !strings.HasSuffix(reads[0], "reason=CollectionCheck") {
		t.Errorf("the audit log has %q", reads)
	}
}
