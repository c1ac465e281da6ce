package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/identity"
)

func with(q client.IdentityQuestion, change func(*client.IdentityQuestion)) client.IdentityQuestion {
	change(&q)
	return q
}

func TestIdentitySearchAnswersFromWhoWasLoaded(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	c := w.client(w.join("acme", everywhere(auth.Identity)...))
	for _, test := range []struct {
		what   string
		ask    client.IdentityQuestion
		band   string
		checks string // database=result of those that matter
	}{
		{"name, birth and address are right", ada("AML"), "Pass", "UKEditedVotersDatabase=Match UKCreditHeaderAml=Match"},
		{"PascalCase and numbers for products", ada("2"), "Pass", "CombinedDecision=Match"},
		{"the house is in the street's field", with(ada("AML"), func(q *client.IdentityQuestion) {
			q.Addresses[0] = client.PersonAddress{Street: "7 Mill Ln", PostCode: "TE11ST"}
		}), "Pass", "UKCreditHeaderAml=Match"},
		{"a former name", with(ada("AML"), func(q *client.IdentityQuestion) { q.Name.Surname = "Quillfeather" }), "Pass", "UKCreditHeaderAml=Match"},
		{"a letter of the postcode is wrong", with(ada("AML"), func(q *client.IdentityQuestion) { q.Addresses[0].PostCode = "TE1 1SX" }), "Refer", "UKCreditHeaderAml=Partial"},
		{"an address that was left", with(ada("AML"), func(q *client.IdentityQuestion) {
			q.Addresses[0] = client.PersonAddress{BuildingNo: "90", PostCode: "TE2 2ST"}
		}), "Refer", "UKNCOA=Partial UKEditedVotersDatabase=Mismatch"},
		{"the telephone number", with(ada("AML"), func(q *client.IdentityQuestion) { q.Landline = "441632960123" }), "Pass", "UKLandlineTelephoneDatabase=Match"},
		{"another house", with(ada("AML"), func(q *client.IdentityQuestion) { q.Addresses[0].BuildingNo = "8" }), "Fail", "UKCreditHeaderAml=Mismatch"},
		{"another birth date", with(ada("AML"), func(q *client.IdentityQuestion) { q.DateOfBirth = "1981-01-01" }), "Fail", ""},
		{"another name", with(ada("AML"), func(q *client.IdentityQuestion) { q.Name.Surname = "Smith" }), "Fail", ""},
		{"somebody who died", client.IdentityQuestion{
			Name: client.PersonName{Forename: "Peter", Surname: "Oakenshaw"}, Products: []string{"AML"},
			Addresses: []client.PersonAddress{{BuildingNo: "9", PostCode: "TE1 1ST"}},
		}, "Fail", "UKDeceasedPersonDatabase=Match"},
		{"somebody whom the law hides", client.IdentityQuestion{
			Name: client.PersonName{Forename: "Hidden", Surname: "Person"}, Products: []string{"AML"}, DateOfBirth: "1980-01-02",
			Addresses: []client.PersonAddress{{BuildingNo: "1", PostCode: "TE4 4ST"}},
		}, "Fail", "UKCreditHeaderAml=Mismatch"},
	} {
		got, err := c.SearchIdentity(t.Context(), test.ask, "")
		if err != nil || got.AML == nil {
			t.Errorf("%s: %v %s", test.what, err, got.Raw)
			continue
		}
		if got.AML.Band != test.band {
			t.Errorf("%s: %s (%d), want %s: %+v", test.what, got.AML.Band, got.AML.Score, test.band, got.AML.Results)
		}
		for pair := range strings.FieldsSeq(test.checks) {
			name, want, _ := strings.Cut(pair, "=")
			if is := got.AML.Results[name].Pass; is != want {
				t.Errorf("%s: %s is %q, want %q", test.what, name, is, want)
			}
		}
	}
}

func TestConsumerSearchTellsWhatIsHeld(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	c := w.client(w.join("acme", everywhere(auth.Identity)...))
	_, err := c.SearchIdentity(t.Context(), ada("Consumer"), "") // an enquiry of before
	must(t, err)
	w.clock.Step(time.Hour)
	q := ada("Consumer", "AMLWithBankMatch")
	q.SortCode, q.BankAccountNumber, q.AddressLink = "777701", "12345679", true
	got, err := c.SearchIdentity(t.Context(), q, "")
	must(t, err)
	if got.BankMatch == nil || !got.BankMatch.Success || !got.Consumer.Success || got.Consumer.Reason != "CreditApplication" {
		t.Errorf("got %s", got.Raw)
	}
	var report struct {
		Summary struct {
			MatchLevel string
			Confirmed  string `json:"confirmedAddress"`
			Searches   struct {
				Last3 int `json:"numberInLast3Months"`
			} `json:"creditSearchesAtCurrentAddress"`
			Judgements struct{ TotalActive, TotalSatisfied, TotalActiveAmount int }
			Impaired   struct{ Bankruptcy, Judgement bool } `json:"impairedCreditHistory"`
		}
		Score struct{ Band, Score int }
		Links struct {
			Undeclared []struct{ UndeclaredAddress string } `json:"undeclaredAddresses"`
			Aliases    []struct{ Alias string }
		}
		Judgements   []struct{ CaseNumber, Status string }
		Insolvencies []struct{ CaseRef, Status, OrderTypeCode string }
		History      []struct{ Reason string }
		Address      struct {
			Residents []struct{ ElectoralRollValid bool }
		}
	}
	must(t, json.Unmarshal(got.Consumer.Report, &report))
	is := fmt.Sprint(report)
	want := "{{Full 7 Mill Lane, Testford, TE1 1ST {1} {1 1 1200} {true true}} {3 512} {[{90 Old Road, Testford, TE2 2ST}] [{Ada Quillfeather}]} " +
		"[{J1 Active} {J2 Satisfied}] [{I1 Discharged BO}] [{CreditApplication}] {[{true}]}}"
	if is != want {
		t.Errorf("the report is\n%s, want\n%s", is, want)
	}
	if all := string(got.Raw); strings.Contains(all, "12345679") {
		t.Error("the account number is shown again")
	}
}

func TestPicklists(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	c := w.client(w.join("acme", everywhere(auth.Identity)...))
	q := client.IdentityQuestion{
		Name: client.PersonName{Forename: "Sam", Surname: "Underhay"}, Products: []string{"AML"},
		Addresses: []client.PersonAddress{{BuildingNo: "20", PostCode: "TE3 3ST"}},
	}
	got, err := c.SearchIdentity(t.Context(), q, "")
	must(t, err)
	if got.AML != nil || len(got.Picklist) != 1 || len(got.Picklist[0].Options) != 2 {
		t.Fatalf("got %s", got.Raw)
	}
	if o := got.Picklist[0].Options[1]; o.Option != "Flat 2, 20 High Street, Testford, TE3 3ST" || o.Value != "2" {
		t.Errorf("the second option is %+v", o)
	}
	for _, wrong := range []string{"0", "3", "x", ""} {
		if _, err := c.ResolveIdentity(t.Context(), got.UniqueID, wrong); !errors.Is(err, client.ErrBadRequest) {
			t.Errorf("option %q: %v", wrong, err)
		}
	}
	is, err := c.ResolveIdentity(t.Context(), got.UniqueID, "2")
	if err != nil || is.AML == nil || len(is.Picklist) != 0 || is.UniqueID != got.UniqueID {
		t.Fatalf("resolved: %v %s", err, is.Raw)
	}
	if again, err := c.Identity(t.Context(), got.UniqueID); err != nil || again.AML == nil || again.AML.Band != is.AML.Band {
		t.Errorf("read again: %v %s", err, again.Raw)
	}
	if _, err := c.ResolveIdentity(t.Context(), got.UniqueID, "1"); !errors.Is(err, client.ErrBadRequest) {
		t.Errorf("resolved twice: %v", err)
	}
	q.DateOfBirth = "1990-01-02"
	if got, err := c.SearchIdentity(t.Context(), q, ""); err != nil || len(got.Picklist) != 0 {
		t.Errorf("the birth date tells them apart: %v %s", err, got.Raw)
	}
}

func TestIdentityHistory(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	l := w.join("acme", everywhere(auth.Identity)...)
	c, colleague := w.client(l), w.client(w.account(auth.NewAccount{Customer: l.Customer, UserKey: "acme-2"}))
	var ids []string
	for _, q := range []client.IdentityQuestion{ada("AML"), ada("Consumer"), with(ada("AML"), func(q *client.IdentityQuestion) { q.Name.Surname = "Smith" })} {
		got, err := c.SearchIdentity(t.Context(), q, "")
		must(t, err)
		ids = append(ids, got.UniqueID)
		w.clock.Step(time.Hour)
	}
	_, err := colleague.SearchIdentity(t.Context(), ada("AML"), "")
	must(t, err)
	for _, test := range []struct {
		what string
		f    client.IdentityFilter
		want int
	}{
		{"one's own", client.IdentityFilter{}, 3},
		{"the company's", client.IdentityFilter{Whole: true}, 4},
		{"a product", client.IdentityFilter{Products: []string{"Consumer"}}, 1},
		{"a word", client.IdentityFilter{Keyword: "smith"}, 1},
		{"a result", client.IdentityFilter{Result: "Pass"}, 1},
		{"a time", client.IdentityFilter{From: w.clock.Now().Add(-90 * time.Minute), To: w.clock.Now()}, 1},
	} {
		list, total, err := c.IdentityHistory(t.Context(), test.f)
		if len(list) != test.want || total != int64(test.want) || err != nil {
			t.Errorf("%s: %d of %d (%v), want %d", test.what, len(list), total, err, test.want)
		}
	}
	for _, params := range []string{
		"IncludeCustomer=true&PageSize=2&Page=2", "includecustomer=1&pagesize=2&page=2", "INCLUDECUSTOMER=True&pageSize=2&page=2",
	} {
		a := w.send("GET", "/v1/localSolutions/GB/identitysearch/history?"+params, "", "Authorization", w.token(l))
		if a.status != 200 || strings.Count(a.body, `"searchTime"`) != 2 || !strings.Contains(a.body, `"totalCount":4`) {
			t.Errorf("%s: %d %s", params, a.status, a.body)
		}
	}
	must(t, colleague.SetIdentityReference(t.Context(), ids[0], "new one"))
	got, err := c.IdentityInput(t.Context(), ids[0])
	if err != nil || got.Common.Reference != "new one" || got.AML != nil || got.Common.SearchTime != "2026-03-02T09:30:00" {
		t.Errorf("the input is %s (%v)", got.Raw, err)
	}
	if err := c.SetIdentityReference(t.Context(), ids[0], strings.Repeat("x", 256)); !errors.Is(err, client.ErrBadRequest) {
		t.Errorf("a long reference: %v", err)
	}
	if reasons, err := c.IdentityReasons(t.Context()); err != nil || len(reasons) != 9 || !reasons["TenantVet"] {
		t.Errorf("the reasons are %v (%v)", reasons, err)
	}
}

func TestRevalidation(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	c := w.client(w.join("acme", everywhere(auth.Identity)...))
	q := with(ada("AML"), func(q *client.IdentityQuestion) { q.Addresses[0].PostCode = "TE1 1SX" })
	q.Addresses[0].PostCode = "TE1 1SX"
	got, err := c.SearchIdentity(t.Context(), q, "")
	must(t, err)
	if got.AML.Band != "Refer" {
		t.Fatalf("it begins with %s", got.AML.Band)
	}
	for number, want := range map[string]string{"999 888 777": "Mismatch", "123 456 789": "Match"} {
		is, err := c.RevalidateIdentity(t.Context(), got.UniqueID, client.Papers{Passport: number})
		if err != nil || is.AML.Results["UKNationalIdentityRegister"].Pass != want {
			t.Errorf("passport %s: %v %s", number, err, is.Raw)
		}
		if strings.Contains(string(is.Raw), number) {
			t.Error("the passport's number is shown again")
		}
	}
	if _, err := c.RevalidateIdentity(t.Context(), got.UniqueID, client.Papers{}); !errors.Is(err, client.ErrBadRequest) {
		t.Errorf("no document: %v", err)
	}
	rows, _, err := c.IdentityHistory(t.Context(), client.IdentityFilter{})
	if err != nil || !rows[0].Revalidated {
		t.Errorf("the history does not say so: %+v (%v)", rows, err)
	}
}

func TestRefusedIdentitySearchesNameTheFieldAndLeaveNoTrace(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	l := w.join("acme", everywhere(auth.Identity)...)
	c := w.client(l)
	for _, test := range []struct {
		what   string
		change func(*client.IdentityQuestion)
		says   string
	}{
		{"no reason", func(q *client.IdentityQuestion) { q.Reason, q.AddressLink = "", true }, "consumer.reason: it is missing: say why you look"},
		{"a reason that is none", func(q *client.IdentityQuestion) { q.Reason = "Curiosity" }, "consumer.reason: it is none of"},
		{"an impossible date", func(q *client.IdentityQuestion) { q.DateOfBirth = "1970-02-31" }, "common.person.dateOfBirth: it is not a day"},
		{"a date to come", func(q *client.IdentityQuestion) { q.DateOfBirth = "2070-02-03" }, "common.person.dateOfBirth: it is still to come"},
		{"no surname", func(q *client.IdentityQuestion) { q.Name.Surname = " " }, "common.person.currentName.surname: it is missing"},
		{"no postcode", func(q *client.IdentityQuestion) { q.Addresses = nil }, "common.person.addresses.current.postCode: it is missing"},
		{"a wrong postcode", func(q *client.IdentityQuestion) { q.Addresses[0].PostCode = "12345" }, "common.person.addresses.current.postCode: it is not a postcode"},
		{"half an account", func(q *client.IdentityQuestion) { q.SortCode = "777701" }, "idAml.sortCode: sortCode and bankAccountNumber go together"},
		{"a short account", func(q *client.IdentityQuestion) { q.SortCode, q.BankAccountNumber = "777701", "1234" }, "idAml.bankAccountNumber: an account number has eight digits"},
		{"a product that is none", func(q *client.IdentityQuestion) { q.Products = []string{"Horoscope"} }, "products: "},
		{"a telephone number that is none", func(q *client.IdentityQuestion) { q.Landline = "call me" }, "idAml.landlineNumber: it is not a telephone number"},
	} {
		q := ada("Consumer")
		test.change(&q)
		_, err := c.SearchIdentity(t.Context(), q, "")
		var e *client.Error
		if !errors.As(err, &e) || e.Status != 400 || !strings.Contains(e.Details, test.says) {
			t.Errorf("%s: %v, want %q", test.what, err, test.says)
		}
	}
	if list, total, err := c.IdentityHistory(t.Context(), client.IdentityFilter{Whole: true}); len(list) != 0 || total != 0 || err != nil {
		t.Errorf("what was refused is in the history: %v (%v)", list, err)
	}
	w.audited(l, func(e auth.Entry) {
		t.Errorf("what was refused is in the audit log as a reading: %+v", e)
	})
}

// audited calls see for every reading of people's data by an account.
func (w *world) audited(l login, see func(auth.Entry)) {
	w.t.Helper()
	must(w.t, w.db.AuditLog(w.t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.PersonRead && e.Account == l.Account {
			see(e)
		}
		return nil
	}))
}

// An identity verification that cannot be right is refused and not kept.
func TestRefusedVerificationsOfIdentity(t *testing.T) {
	onBoth(t, func(t *testing.T, w *world) {
		l := w.join("acme", everywhere(auth.Identity)...)
		c := w.client(l)
		for _, test := range []struct {
			what   string
			change func(*client.Verifiable)
			says   string
		}{
			{"a country that there is not", func(v *client.Verifiable) { v.Country = "ZZ" }, "country: it is not a country"},
			{"a country by its name", func(v *client.Verifiable) { v.Country = "Narnia" }, "country: it is not a country"},
			{"an impossible date", func(v *client.Verifiable) { v.DateOfBirth = "1970-02-30" }, "dateOfBirth: it is not a day"},
			{"a date to come", func(v *client.Verifiable) { v.DateOfBirth = "2070-01-01" }, "dateOfBirth: it is still to come"},
			{"no name", func(v *client.Verifiable) { v.Name = " " }, "name: it is missing"},
			{"no id", func(v *client.Verifiable) { v.ID = "" }, "id: it is missing"},
		} {
			v := client.Verifiable{Name: "Ada Hollbrook", DateOfBirth: "1970-05-31", Address: "7 Mill Lane", PostalCode: "TE1 1ST", Country: "GB", ID: "mine"}
			test.change(&v)
			_, err := c.VerifyIdentity(t.Context(), v)
			var e *client.Error
			if !errors.As(err, &e) || e.Status != 400 || !strings.Contains(e.Details, test.says) {
				t.Errorf("%s: %v, want %q", test.what, err, test.says)
			}
		}
		list, err := w.db.SearchesOf(t.Context(), "", time.Time{})
		if len(list) != 0 || err != nil {
			t.Errorf("what was refused is kept: %v (%v)", list, err)
		}
		w.audited(l, func(e auth.Entry) { t.Errorf("what was refused is a reading: %+v", e) })
	})
}

func TestReadingsAreKeptWithTheirReason(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	l := w.join("acme", auth.Grant{Product: auth.Identity, Country: "GB", From: "2026-01-01", Paid: 10})
	c := w.client(l)
	got, err := c.SearchIdentity(t.Context(), ada("Consumer"), "")
	must(t, err)
	_, err = c.Identity(t.Context(), got.UniqueID)
	must(t, err)
	var seen []string
	mark := w.server.Vault.Person("GB-T1")
	w.audited(l, func(e auth.Entry) {
		if e.Person == mark {
			seen = append(seen, e.Detail)
		}
		if strings.Contains(fmt.Sprint(e), "Hollbrook") {
			t.Errorf("a name is in the audit log: %+v", e)
		}
	})
	want := "identitySearch=" + got.UniqueID + " reason=CreditApplication"
	if !slices.Equal(seen, []string{want, want}) {
		t.Errorf("the audit log has %q", seen)
	}
	if a := w.send("GET", "/access", "", "Authorization", w.token(l)); !strings.Contains(a.body, `"paid":10,"used":1`) {
		t.Errorf("one search is not counted as one: %s", a.body)
	}
	if strings.Contains(w.log.String(), "Hollbrook") {
		t.Error("the log names a person")
	}
}

func TestObjectionsAndCorrectionsAreHonoured(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	w.searchable(brimwick())
	c := w.client(w.join("acme", everywhere(auth.Identity, auth.Verify)...))
	before, err := c.SearchIdentity(t.Context(), ada("AML"), "")
	must(t, err)
	rights := w.rights()
	correction, err := identity.ParseCorrection(`{"addresses":[{"buildingNo":"5","street":"New Road","postCode":"TE9 9ST"}],"withoutJudgments":["J1"]}`)
	must(t, err)
	must(t, rights.Give(t.Context(), "GB-T1", identity.Right{Kind: identity.Corrected, Note: "I moved", Correction: correction}))
	w.populate(people) // an import changes nothing about it
	moved := with(ada("Consumer"), func(q *client.IdentityQuestion) {
		q.Addresses = []client.PersonAddress{{BuildingNo: "5", PostCode: "TE9 9ST"}}
	})
	got, err := c.SearchIdentity(t.Context(), moved, "")
	if err != nil || !got.Consumer.Success || strings.Contains(string(got.Raw), `"J1"`) || !strings.Contains(string(got.Raw), "I moved") {
		t.Errorf("corrected: %v %s", err, got.Raw)
	}
	if v, err := c.VerifyFull(t.Context(), "GB-77", "CA"); err != nil || !v.Match || len(v.Judgments) != 1 {
		t.Errorf("Verify after the correction: %+v (%v)", v, err)
	}
	must(t, rights.Give(t.Context(), "GB-T1", identity.Right{Kind: identity.Objected}))
	w.populate(people)
	if got, err := c.SearchIdentity(t.Context(), moved, ""); err != nil || got.Consumer.Success {
		t.Errorf("searched after the objection: %v %s", err, got.Raw)
	}
	if v, err := c.VerifyFull(t.Context(), "GB-77", "CA"); err != nil || v.Match || len(v.Judgments) != 0 {
		t.Errorf("Verify after the objection: %+v (%v)", v, err)
	}
	if got, err := c.Identity(t.Context(), before.UniqueID); err != nil || got.AML != nil || got.Message == "" {
		t.Errorf("the history after the objection: %v %s", err, got.Raw)
	}
	report, err := rights.Report(t.Context(), "GB-T1")
	must(t, err)
	if report.Loaded == nil || report.Shown != nil || len(report.Rights) != 2 || len(report.Boards) != 1 || len(report.Enquiries) < 2 || len(report.Looks) < 4 {
		t.Errorf("the person's report: %+v", report)
	}
	for _, look := range report.Looks {
		if look.Customer != "Customer of acme" || !strings.Contains(look.What, "reason=") {
			t.Errorf("who looked: %+v", look)
		}
	}
	must(t, rights.Give(t.Context(), "GB-T1", identity.Right{Kind: identity.Allowed}))
	if got, err := c.SearchIdentity(t.Context(), moved, ""); err != nil || !got.Consumer.Success {
		t.Errorf("the objection was taken back: %v %s", err, got.Raw)
	}
}

func TestVerify(t *testing.T) {
	w := newWorld(t, plan{})
	w.populate(people)
	w.searchable(brimwick())
	l := w.join("acme", everywhere(auth.Verify)...)
	c := w.client(l)
	full, err := c.VerifyFull(t.Context(), "GB-77", "ca")
	must(t, err)
	if !full.Match || full.Flags != (client.VerifyFlags{Judgment: true, ElectoralRoll: true, Insolvency: true}) || len(full.Judgments) != 2 ||
		full.Judgments[1].PaidDate != "2020-01-01" || full.Judgments[0].Amount != 1200 || len(full.ElectoralRolls) != 1 || full.Insolvencies[0].Case != "I1" {
		t.Errorf("full: %+v", full)
	}
	summary, err := c.VerifySummary(t.Context(), "GB-77", "DS")
	if err != nil || summary.Flags != full.Flags || len(summary.Judgments) != 0 {
		t.Errorf("summary: %+v (%v)", summary, err)
	}
	if is, err := c.VerifyCompany(t.Context(), "GB-0-03375464", "BS"); !is || err != nil {
		t.Errorf("company: %v (%v)", is, err)
	}
	dead, err := c.VerifyByName(t.Context(), "Peter", "Oakenshaw", "1950-01-02", "9 Mill Lane", "TE1 1ST", "AV")
	if err != nil || !dead.Match || !dead.Flags.Deceased || dead.DateOfDeath != "2025-12-24" {
		t.Errorf("by name: %+v (%v)", dead, err)
	}
	who := client.Individual{FirstName: "Ada", LastName: "Hollbrook", Reason: "AM"}
	who.Addresses.Current = &client.VerifyAddress{PostCode: "TE7 7ST", BuildingNo: "1"}
	who.Addresses.Previous = []client.VerifyAddress{{PostCode: "TE2 2ST", AddressLine: "90 Old Road"}}
	if by, err := c.VerifyIndividual(t.Context(), who); err != nil || !by.Match {
		t.Errorf("by a former address: %+v (%v)", by, err)
	}
	for _, reason := range []string{"", "XX"} {
		for what, call := range map[string]func() error{
			"summary": func() error { _, err := c.VerifySummary(t.Context(), "GB-77", reason); return err },
			"full":    func() error { _, err := c.VerifyFull(t.Context(), "GB-77", reason); return err },
			"company": func() error { _, err := c.VerifyCompany(t.Context(), "GB-0-03375464", reason); return err },
			"by name": func() error { _, err := c.VerifyByName(t.Context(), "A", "B", "", "", "TE1 1ST", reason); return err },
		} {
			var e *client.Error
			if err := call(); !errors.As(err, &e) || e.Status != 400 || !strings.Contains(e.Details, "reasonForSearch: it is") {
				t.Errorf("%s for the reason %q: %v", what, reason, err)
			}
		}
	}
	reasons := map[string]int{}
	w.audited(l, func(e auth.Entry) { reasons[e.Detail[strings.Index(e.Detail, "reason="):]]++ })
	if fmt.Sprint(reasons) != "map[reason=AM:1 reason=AV:1 reason=BS:1 reason=CA:1 reason=DS:1]" {
		t.Errorf("the audit log has %v", reasons)
	}
}
