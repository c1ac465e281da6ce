package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/bank"
	"bureau/internal/company"
)

func newBankDesk(w *world, v *auth.Vault) *bank.Desk {
	return &bank.Desk{
		Store: w.db, Tables: &bank.Tables{Store: w.db, Now: w.clock.Now}, Register: &company.Register{Store: w.db, Now: w.clock.Now},
		Names: bank.CompareNames, Now: w.clock.Now, Fingerprint: v.BankAccount,
	}
}

const noID = "00000000-0000-4000-8000-00000000ffff"

// verifiedPath is a path to a verification of the owner's.
func verifiedPath(before, behind string) func(*world, login) string {
	return func(w *world, owner login) string {
		w.t.Helper()
		v, err := w.client(owner).VerifyBankAccount(w.t.Context(), client.BankVerificationRequest{
			CustomerName: "Ada Brook", BankAccount: "12345678", SortCode: "123456", AccountType: "Personal",
		}, "")
		must(w.t, err)
		return before + v.RequestID + behind
	}
}

// bankRow is a table of one row, for the sort codes that the tests use.
var bankRow = bank.Row{From: 777700, To: 777799, Method: bank.Mod11, Weights: [14]int16{0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1}}

// 8+14+18+20+20+18+14+9 is 121, eleven times eleven.
const rightNumber, wrongNumber = "12345679", "12345678"

// stock loads banks and accounts that no sandbox has.
func (w *world) stock() {
	w.t.Helper()
	ctx, desk := w.t.Context(), w.server.Bank
	table := &bank.TableIntake{Store: w.db, ValidFrom: "2026-01-01", Now: w.clock.Now}
	must(w.t, table.Add(ctx, []bank.TableLine{{Row: &bankRow}}))
	must(w.t, table.Finish(ctx))
	must(w.t, desk.Tables.Refresh(ctx))
	in := bank.Intake{Store: w.db, Turn: 1}
	must(w.t, (&bank.Branches{Intake: in}).Add(ctx, []bank.Branch{{
		SortCode: 777701, Bank: "Testford Bank", Name: "Testford", Address: "1 Mint Lane", Post: "TE1 1ST", Country: "GB", Phone: "+44 1632 960009",
		BIC: "TESTGB2L", ChapsBIC: "TESTGB2LXXX", Chaps: true, FasterPayments: true,
	}}))
	banks := &bank.Banks{Intake: in}
	must(w.t, banks.Add(ctx, []bank.Bank{{Country: "FR", Code: "77777", Name: "Banque d'Essai", BICs: []string{"ESSAFRPP"}}}))
	must(w.t, banks.Finish(ctx))
	must(w.t, (&bank.Accounts{Intake: in, Fingerprint: desk.Fingerprint}).Add(ctx, []bank.Account{
		w.holds("777701", rightNumber, bank.Business, "Acorn Mills Limited", "Acorns"),
		w.holds("777701", "00000000", bank.Personal, "Ada Mary Brook"),
		w.frenchAccount(),
	}))
}

func (w *world) holds(code, number string, kind bank.AccountType, names ...string) bank.Account {
	w.t.Helper()
	a, err := bank.NewGBAccount(code, number)
	must(w.t, err)
	a.Names, a.Type = names, kind
	return a
}

func (w *world) frenchAccount() bank.Account {
	w.t.Helper()
	for key := range 98 {
		i, err := bank.NewIBAN("FR", fmt.Sprintf("777770000100000000001%02d", key))
		if err == nil && i.National() == bank.Passes {
			a, err := bank.NewIBANAccount(string(i))
			must(w.t, err)
			a.Names, a.Type, a.Company = []string{"Chêne SAS"}, bank.Business, "FR-0-999999998"
			return a
		}
	}
	w.t.Fatal("no key holds")
	return bank.Account{}
}

func ask(name, number, code, kind string) client.BankVerificationRequest {
	return client.BankVerificationRequest{CustomerName: name, BankAccount: number, SortCode: code, AccountType: kind, CustomerReference: "ref 1"}
}

func TestVerificationAnswersFromWhatWasImported(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	c := w.client(w.join("acme", everywhere(auth.BankVerification)...))
	for _, test := range []struct {
		what   string
		ask    client.BankVerificationRequest
		result bool
		match  string
		code   string
		name   string
	}{
		{"the holder's name", ask("ACORN MILLS LTD", rightNumber, "777701", "Business"), true, "Full", "", ""},
		{"a trading name", ask("acorns", rightNumber, "77-77-01", "business"), true, "Full", "", ""},
		{"a close name", ask("Acorn Mills Trading Ltd", rightNumber, "777701", "Business"), false, "Close", "MBAM", "Acorn Mills Limited"},
		{"another name", ask("Oak Holdings", rightNumber, "777701", "Business"), false, "No Match", "ANNM", ""},
		{"the right name, another type", ask("Acorn Mills Limited", rightNumber, "777701", "Personal"), false, "Full", "BANM", ""},
		{"a person without a middle name", ask("Mrs Ada Brook", "00000000", "777701", "Personal"), false, "Close", "MBAM", "Ada Mary Brook"},
		{"a person taken for a business", ask("Ada Mary Brook", "00000000", "777701", "Business"), false, "Full", "PANM", ""},
		{"an account that is not held", ask("Ada Brook", "00000000", "777702", "Personal"), false, "", "SCNS", ""},
		{"an account that is not held at a branch that is", ask("Ada Brook", "10000003", "777701", "Personal"), false, "", "AC01", ""},
	} {
		got, err := c.VerifyBankAccount(t.Context(), test.ask, "")
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		r := got.Response
		if r.Result != test.result || r.NameMatchResult != test.match || r.ReasonCode != test.code || r.ReturnedCustomerName != test.name {
			t.Errorf("%s: %+v", test.what, r)
		}
		if r.ResultText == "" || got.RequestID == "" || got.Request.BankAccount != test.ask.BankAccount || got.Request.CustomerName != test.ask.CustomerName {
			t.Errorf("%s: %+v", test.what, got)
		}
	}
	got, err := c.VerifyBankAccount(t.Context(), ask("A", rightNumber, "777701", "Business"), "")
	must(t, err)
	if d := got.SortCodeDetails; d.SortCode != "777701" || d.BankName != "Testford Bank" || d.BIC != "TESTGB2L" || !d.PaymentTypes.FasterPayments || d.Address.PostCode != "TE1 1ST" {
		t.Errorf("the branch is %+v", d)
	}
	branch, err := c.SortCode(t.Context(), "77-77-01")
	must(t, err)
	if branch != got.SortCodeDetails {
		t.Errorf("the sort code alone is %+v", branch)
	}
}

func TestRefusedVerificationsNameTheFieldAndLeaveNoTrace(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	l := w.join("acme", everywhere(auth.BankVerification)...)
	c := w.client(l)
	for _, test := range []struct {
		ask  client.BankVerificationRequest
		says []string
	}{
		{ask("A", wrongNumber, "777701", "Business"), []string{"bankAccount: the check digits"}},
		{ask("A", "777701", rightNumber, "Business"), []string{"sortCode: a sort code has six digits and this has 8: is it the account number?", "bankAccount: it has six digits: is it the sort code?"}},
		{ask("A", "1234", "777701", "Business"), []string{"bankAccount: an account number has eight digits and this has 4"}},
		{ask("A", "1234567x", "777701", "Business"), []string{"bankAccount: an account number has eight digits, and nothing else"}},
		{ask("A", "123456789", "777701", "Business"), []string{"bankAccount: an account number has eight digits and this has 9"}},
		{ask("A", rightNumber, "7777", "Business"), []string{"sortCode: a sort code has six digits and this has 4"}},
		{ask("", rightNumber, "777701", ""), []string{"customerName: it is missing", "accountType: it is Business or Personal"}},
		{ask(strings.Repeat("x", 141), "", "", "Business"), []string{"customerName: it is longer", "sortCode: it is missing", "bankAccount: it is missing"}},
	} {
		_, err := c.VerifyBankAccount(t.Context(), test.ask, "")
		var e *client.Error
		if !errors.As(err, &e) || e.Status != 400 {
			t.Errorf("%+v: %v, want 400", test.ask, err)
			continue
		}
		for _, s := range test.says {
			if !strings.Contains(e.Details, s) {
				t.Errorf("%+v: %s\nwants %q", test.ask, e.Details, s)
			}
		}
	}
	a := w.send("POST", "/v1/localSolutions/GB/bankVerification/search", `{"customerName":7}`, "Authorization", w.token(l), "Content-Type", jsonType)
	if a.status != 400 || !strings.Contains(a.body, "sortCode") || !strings.Contains(a.body, "customerName") {
		t.Errorf("%d %s", a.status, a.body)
	}
	list, err := c.BankVerifications(t.Context(), client.BankVerificationFilter{Whole: true})
	if len(list) != 0 || err != nil {
		t.Errorf("what was refused is in the history: %v (%v)", list, err)
	}
}

func TestVerificationHistory(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	l := w.join("acme", everywhere(auth.BankVerification)...)
	colleague := w.client(w.account(auth.NewAccount{Customer: l.Customer, UserKey: "acme-2"}))
	c := w.client(l)
	var ids []string
	for _, name := range []string{"Acorn Mills", "Oak", "Acorn Mills Trading Ltd"} {
		v, err := c.VerifyBankAccount(t.Context(), ask(name, rightNumber, "777701", "Business"), "")
		must(t, err)
		ids = append(ids, v.RequestID)
		w.clock.Step(time.Hour)
	}
	_, err := colleague.VerifyBankAccount(t.Context(), ask("Acorns", rightNumber, "777701", "Business"), "")
	must(t, err)
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		what string
		f    client.BankVerificationFilter
		want []string
	}{
		{"one's own", client.BankVerificationFilter{}, []string{"Acorn Mills Trading Ltd", "Oak", "Acorn Mills"}},
		{"the whole company's", client.BankVerificationFilter{Whole: true}, []string{"Acorns", "Acorn Mills Trading Ltd", "Oak", "Acorn Mills"}},
		{"a name", client.BankVerificationFilter{CustomerName: "acorn mil"}, []string{"Acorn Mills Trading Ltd", "Acorn Mills"}},
		{"a match", client.BankVerificationFilter{MatchResult: "no match"}, []string{"Oak"}},
		{"a close match", client.BankVerificationFilter{MatchResult: "Close"}, []string{"Acorn Mills Trading Ltd"}},
		{"after another", client.BankVerificationFilter{After: ids[1]}, []string{"Acorn Mills"}},
		{"one only", client.BankVerificationFilter{Limit: 1}, []string{"Acorn Mills Trading Ltd"}},
		{"until a moment", client.BankVerificationFilter{To: day.Add(10 * time.Hour)}, []string{"Acorn Mills"}},
		{"from a moment", client.BankVerificationFilter{From: day.Add(11*time.Hour + 30*time.Minute)}, []string{"Acorn Mills Trading Ltd"}},
		{"another type", client.BankVerificationFilter{AccountType: "Personal"}, nil},
		{"a reference", client.BankVerificationFilter{CustomerReference: "ref 1", Limit: 2}, []string{"Acorn Mills Trading Ltd", "Oak"}},
	} {
		list, err := c.BankVerifications(t.Context(), test.f)
		var got []string
		for _, r := range list {
			got = append(got, r.CustomerName)
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) || err != nil {
			t.Errorf("%s: %v (%v), want %v", test.what, got, err, test.want)
		}
	}

	must(t, colleague.SetBankVerificationReference(t.Context(), ids[0], "new reference"))
	v, err := c.BankVerification(t.Context(), ids[0])
	must(t, err)
	if v.CustomerReference != "new reference" || v.Response.NameMatchResult != "Full" || v.SortCodeDetails.BankName != "Testford Bank" || v.RequestDatetime != "2026-03-02T09:30:00" {
		t.Errorf("the first verification is %+v", v)
	}
	if err := c.SetBankVerificationReference(t.Context(), ids[0], strings.Repeat("x", 256)); !errors.Is(err, client.ErrBadRequest) {
		t.Errorf("a long reference: %v", err)
	}
	for number, want := range map[string]bool{rightNumber: true, "00000000": false} {
		if got, err := c.IsVerifiedAccount(t.Context(), ids[0], "77 77 01", number); got != want || err != nil {
			t.Errorf("is it %s? %v (%v)", number, got, err)
		}
	}
}

// Account numbers are in no list, no log and no table.
func TestAccountNumbersAreNotKept(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	l := w.join("acme", everywhere(auth.BankVerification, auth.BankMatch)...)
	c := w.client(l)
	v, err := c.VerifyBankAccount(t.Context(), ask("Acorn Mills", rightNumber, "777701", "Business"), "")
	must(t, err)
	_, err = c.VerifyBankAccount(t.Context(), ask("Acorn Mills", wrongNumber, "777701", "Business"), "")
	if err == nil || strings.Contains(err.Error(), wrongNumber) {
		t.Errorf("the refusal is %v", err)
	}
	m, err := c.MatchIBAN(t.Context(), client.IBANMatchRequest{RegistrationID: "999999998", CountryCode: "FR", IBAN: "DE89370400440532013000"})
	must(t, err)
	for _, path := range []string{
		"/localSolutions/GB/bankVerification/history?searchByCustomer=true", "/localSolutions/GB/bankVerification/history/" + v.RequestID,
		"/localSolutions/FR/bankMatch/audition?audition_id=" + m.ID,
	} {
		a := w.send("GET", path, "", "Authorization", w.token(l))
		if a.status != 200 || strings.Contains(a.body, rightNumber) || strings.Contains(a.body, "0532013000") {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	must(t, w.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if strings.Contains(fmt.Sprint(e), rightNumber) || strings.Contains(fmt.Sprint(e), "Acorn") {
			t.Errorf("the audit log holds %+v", e)
		}
		return nil
	}))
	if strings.Contains(w.log.String(), rightNumber) {
		t.Error("the log holds the account number")
	}
	back, err := w.server.Bank.Verification(t.Context(), auth.Caller{Customer: l.Customer}, v.RequestID)
	must(t, err)
	if all, _ := json.Marshal(back); strings.Contains(string(all), rightNumber) || back.Masked != "****5679" {
		t.Errorf("what is kept: %s", all)
	}
}

func TestVerificationsAreCountedAndAudited(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	l := w.join("acme", auth.Grant{Product: auth.BankVerification, Country: "GB", From: "2026-01-01", Paid: 10})
	c := w.client(l)
	v, err := c.VerifyBankAccount(t.Context(), ask("Acorn Mills", rightNumber, "777701", "Business"), "")
	must(t, err)
	_, _ = c.VerifyBankAccount(t.Context(), ask("Acorn Mills", wrongNumber, "777701", "Business"), "")
	if a := w.send("GET", "/access", "", "Authorization", w.token(l)); !strings.Contains(a.body, `"paid":10,"used":1`) {
		t.Errorf("one verification is not counted as one: %s", a.body)
	}
	reads := 0
	must(t, w.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		if e.Action == auth.PersonRead && e.Account == l.Account && e.Detail == "bankVerification="+v.RequestID {
			reads++
		}
		return nil
	}))
	if reads != 1 {
		t.Errorf("%d reads in the audit log, want 1", reads)
	}
	_, err = c.CheckBankAccount(t.Context(), client.BankQuestion{IBAN: "DE89370400440532013000"})
	if !errors.Is(err, client.ErrForbidden) {
		t.Errorf("a German account without Germany: %v", err)
	}
}

// The same Idempotency-Key makes one verification.
func TestVerificationIsMadeOnce(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	c := w.client(w.join("acme", everywhere(auth.BankVerification)...))
	one, err := c.VerifyBankAccount(t.Context(), ask("Acorns", rightNumber, "777701", "Business"), "once")
	must(t, err)
	two, err := c.VerifyBankAccount(t.Context(), ask("Acorns", rightNumber, "777701", "Business"), "once")
	must(t, err)
	list, err := c.BankVerifications(t.Context(), client.BankVerificationFilter{Whole: true})
	if one.RequestID != two.RequestID || len(list) != 1 || err != nil {
		t.Errorf("%s and %s, %d in the history (%v)", one.RequestID, two.RequestID, len(list), err)
	}
}

func TestCheckPutsEverythingTogether(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	c := w.client(w.join("acme", everywhere(auth.BankVerification)...))
	french := w.frenchAccount()
	iban, err := bank.NewIBAN("FR", french.Number)
	must(t, err)
	for _, test := range []struct {
		what string
		q    client.BankQuestion
		want string
		says string
	}{
		{"a British account", client.BankQuestion{SortCode: "777701", AccountNumber: rightNumber}, "passes", "Testford Bank"},
		{"its holder", client.BankQuestion{SortCode: "777701", AccountNumber: rightNumber, Name: "Acorn Mills"}, "passes", "that of the account's holder"},
		{"a close name", client.BankQuestion{SortCode: "777701", AccountNumber: rightNumber, Name: "Acorn Mills Trading Ltd"}, "cannot be checked", "close to that of the account's holder: Acorn Mills Limited"},
		{"another holder", client.BankQuestion{SortCode: "777701", AccountNumber: rightNumber, Name: "Oak"}, "fails", "another name"},
		{"a wrong digit", client.BankQuestion{SortCode: "777701", AccountNumber: wrongNumber, Name: "Acorn Mills"}, "fails", "do not hold"},
		{"a sort code without a rule", client.BankQuestion{SortCode: "123456", AccountNumber: "12345678"}, "cannot be checked", "no rule for this sort code"},
		{"a French account", client.BankQuestion{IBAN: iban.Print(), BIC: "essafrpp"}, "passes", "national check digits hold"},
		{"its holder", client.BankQuestion{IBAN: string(iban), Name: "Chene SAS", AccountType: "Business"}, "passes", "holder"},
		{"another bank's BIC", client.BankQuestion{IBAN: string(iban), BIC: "OTHRFRPP"}, "fails", "another bank's"},
		{"a BIC of another country", client.BankQuestion{IBAN: "DE89370400440532013000", BIC: "OTHRFRPP"}, "fails", "a bank of FR and the account one of DE"},
		{"a French bank that is in no directory", client.BankQuestion{IBAN: "FR1420041010050500013M02606"}, "cannot be checked", "has no bank 20041"},
		{"a country without a directory", client.BankQuestion{IBAN: "DE89370400440532013000"}, "passes", "check digits are right"},
		{"wrong check digits", client.BankQuestion{IBAN: "DE99370400440532013000"}, "fails", "its check digits are wrong"},
		{"a British IBAN with a wrong number inside", client.BankQuestion{IBAN: mustIBAN(t, "GB", "TEST777701"+wrongNumber)}, "fails", "do not hold"},
		{"an IBAN beside another number", client.BankQuestion{IBAN: mustIBAN(t, "GB", "TEST777701"+rightNumber), SortCode: "777701", AccountNumber: "00000000"}, "fails", "another account than the IBAN's"},
		{"an American account", client.BankQuestion{Country: "US", BBAN: "12345678", RoutingCode: "021000021"}, "passes", "national check digits hold"},
		{"a wrong routing number", client.BankQuestion{Country: "US", BBAN: "12345678", RoutingCode: "021000022"}, "fails", "do not hold"},
	} {
		f, err := c.CheckBankAccount(t.Context(), test.q)
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		if f.Result != test.want || !strings.Contains(strings.Join(f.Reasons, "\n"), test.says) {
			t.Errorf("%s: %s because of %q, want %s because of %q", test.what, f.Result, f.Reasons, test.want, test.says)
		}
	}
	for field, q := range map[string]client.BankQuestion{
		"iban: give an IBAN":                      {Name: "A"},
		"sortCode: a sort code has six digits":    {SortCode: "12345", AccountNumber: "12345678"},
		"is it the sort code?":                    {SortCode: rightNumber, AccountNumber: "777701"},
		"bic: a BIC has 8 or 11 characters":       {IBAN: "DE89370400440532013000", BIC: "X"},
		"accountType: it is Business or Personal": {IBAN: "DE89370400440532013000", AccountType: "Joint"},
		"routingCode: give it or a bic":           {Country: "US", BBAN: "12345678"},
		"bankCountry: we do not know":             {Country: "QQ", BBAN: "12345678"},
		"country: it is missing beside the bban":  {BBAN: "12345678"},
	} {
		_, err := c.CheckBankAccount(t.Context(), q)
		var e *client.Error
		if !errors.As(err, &e) || e.Status != 400 || !strings.Contains(e.Details, field) {
			t.Errorf("%+v: %v, want 400 and %q", q, err, field)
		}
	}
}

func mustIBAN(t *testing.T, country, bban string) string {
	t.Helper()
	i, err := bank.NewIBAN(country, bban)
	must(t, err)
	return string(i)
}

func TestIBANMatchComparesTheHolderWithTheRegister(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	oak := simple("FR", "999999998", "CHENE")
	oak.Facts.VAT = []string{"FR00999999998"}
	w.know(oak, simple("FR", "999999980", "Hêtre SARL"), simple("GB", "00000001", "Acorn Mills Limited"))
	l := w.join("acme", everywhere(auth.BankMatch)...)
	c := w.client(l)
	french := w.frenchAccount()
	iban := mustIBAN(t, "FR", french.Number)
	british := mustIBAN(t, "GB", "TEST777701"+rightNumber)
	for _, test := range []struct {
		what  string
		ask   client.IBANMatchRequest
		want  string
		score int
		why   string
	}{
		{"the holder, by its number", client.IBANMatchRequest{RegistrationID: "999999998", CountryCode: "FR", IBAN: iban}, "passes", 100, "HOLDER_IS_COMPANY"},
		{"its establishment", client.IBANMatchRequest{RegistrationID: "999 999 998 00017", CountryCode: "fr", IBAN: iban, BankCountry: "FR"}, "passes", 100, "HOLDER_IS_COMPANY"},
		{"another company", client.IBANMatchRequest{RegistrationID: "999999980", CountryCode: "FR", IBAN: iban}, "fails", 0, "HOLDER_IS_ANOTHER_COMPANY"},
		{"the holder, by its name", client.IBANMatchRequest{RegistrationID: "00000001", CountryCode: "GB", IBAN: british}, "passes", 100, "NAME_MATCHES"},
		{"another name", client.IBANMatchRequest{RegistrationID: "999999998", CountryCode: "FR", IBAN: british}, "fails", -1, "NAME_DIFFERS"},
		{"an unknown account", client.IBANMatchRequest{RegistrationID: "999999998", CountryCode: "FR", IBAN: "DE89370400440532013000"}, "cannot be checked", 0, "ACCOUNT_UNKNOWN"},
		{"an unknown company", client.IBANMatchRequest{RegistrationID: "999999972", CountryCode: "FR", IBAN: iban}, "cannot be checked", 0, "COMPANY_UNKNOWN"},
		{"a country without IBANs", client.IBANMatchRequest{RegistrationID: "999999998", CountryCode: "FR", BBAN: "12345678", RoutingCode: "021000021", BankCountry: "US"}, "cannot be checked", 0, "ACCOUNT_UNKNOWN"},
	} {
		m, err := c.MatchIBAN(t.Context(), test.ask)
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		if m.Classification != test.want || test.score >= 0 && m.Score != test.score || m.ReasonLabels[test.why] == "" || m.Status != "COMPLETED" {
			t.Errorf("%s: %s %d %v", test.what, m.Classification, m.Score, m.ReasonLabels)
		}
		again, err := c.IBANMatchByID(t.Context(), m.ID)
		if err != nil || again.Classification != m.Classification || again.Score != m.Score || fmt.Sprint(again.ReasonLabels) != fmt.Sprint(m.ReasonLabels) {
			t.Errorf("%s, read again: %+v (%v)", test.what, again, err)
		}
		if n := again.Entity.PaymentIdentity.IBAN + again.Entity.PaymentIdentity.BBAN; !strings.HasPrefix(n, "****") {
			t.Errorf("%s, read again, shows %q", test.what, n)
		}
	}
	for field, ask := range map[string]client.IBANMatchRequest{
		"iban: its check digits are wrong":            {RegistrationID: "999999998", CountryCode: "FR", IBAN: "DE99370400440532013000"},
		"iban: the national check digits do not hold": {RegistrationID: "999999998", CountryCode: "FR", IBAN: mustIBAN(t, "FR", "20041010050500013M02607")},
		"iban: the check digits of sort code":         {RegistrationID: "999999998", CountryCode: "FR", IBAN: mustIBAN(t, "GB", "TEST777701"+wrongNumber)},
		"iban: it is missing":                         {RegistrationID: "999999998", CountryCode: "FR"},
		"registrationId: its check digit is wrong":    {RegistrationID: "999999999", CountryCode: "FR", IBAN: iban},
		"registrationId: a SIREN has nine digits":     {RegistrationID: "9999", CountryCode: "FR", IBAN: iban},
		"countryCode: use two letters":                {RegistrationID: "999999998", CountryCode: "FRA", IBAN: iban},
		"bankCountry: the account is one of FR":       {RegistrationID: "999999998", CountryCode: "FR", IBAN: iban, BankCountry: "DE"},
		"iban: US has no IBANs":                       {RegistrationID: "999999998", CountryCode: "FR", IBAN: iban, BankCountry: "US"},
		"bban: it does not look like":                 {RegistrationID: "999999998", CountryCode: "FR", BBAN: "x", RoutingCode: "021000021", BankCountry: "US"},
	} {
		_, err := c.MatchIBAN(t.Context(), ask)
		var e *client.Error
		if !errors.As(err, &e) || e.Status != 400 || !strings.Contains(e.Details, field) {
			t.Errorf("%+v: %v, want 400 and %q", ask, err, field)
		}
	}
	stranger := w.client(w.join("stranger", everywhere(auth.BankMatch)...))
	m, err := c.MatchIBAN(t.Context(), client.IBANMatchRequest{RegistrationID: "999999998", CountryCode: "FR", IBAN: iban})
	must(t, err)
	if _, err := stranger.IBANMatchByID(t.Context(), m.ID); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("a stranger reads the match: %v", err)
	}
}

func TestBankMatchGB(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	w.know(acorn(), simple("GB", "00000002", "Oak Holdings Limited"))
	c := w.client(w.join("acme", everywhere(auth.BankMatch)...))
	match := func(r client.BankMatchRequest) client.BankMatch {
		t.Helper()
		list, err := c.MatchBankAccount(t.Context(), r)
		must(t, err)
		if len(list) != 1 {
			t.Fatalf("%d results", len(list))
		}
		return list[0]
	}
	m := match(client.BankMatchRequest{
		CheckType: "Both", CompanyID: "GB-0-00000001", SortCode: "77-77-01", AccountNumber: rightNumber,
		IBAN: mustIBAN(t, "GB", "TEST777701"+rightNumber), VATNumber: "123456789",
	})
	if m.ScanResult != "passes" || m.IBANResult != "passes" || m.StatusResult != "passes" || m.VATResult != "passes" || m.SortCode != "777701" || m.CompanyNumber != "00000001" || m.SafeNumber != "UK00000001" {
		t.Errorf("all right: %+v", m)
	}
	m = match(client.BankMatchRequest{CheckType: "Validate", CompanyID: "UK00000001", SortCode: "777701", AccountNumber: wrongNumber, VATNumber: "GB999999999"})
	if m.ScanResult != "fails" || m.VATResult != "fails" || m.StatusResult != "" || m.IBANResult != "" {
		t.Errorf("wrong numbers: %+v", m)
	}
	m = match(client.BankMatchRequest{CheckType: "Verify", CompanyID: "GB-0-00000002", SortCode: "777701", AccountNumber: rightNumber})
	if m.StatusResult != "fails" || m.ScanResult != "" {
		t.Errorf("another company: %+v", m)
	}
	m = match(client.BankMatchRequest{CheckType: "Both", CompanyID: "GB-0-00000002", IBAN: "GB94BARC20201530093459"})
	if m.IBANResult != "fails" || m.StatusResult != "fails" || m.VATResult != "" {
		t.Errorf("an IBAN that is none: %+v", m)
	}
	for _, r := range []client.BankMatchRequest{
		{CheckType: "Some", CompanyID: "GB-0-00000001", SortCode: "777701", AccountNumber: rightNumber},
		{CheckType: "Both", CompanyID: "GB-0-00000001"},
		{CheckType: "Both", CompanyID: "GB-0-00000001", SortCode: rightNumber, AccountNumber: "777701"},
		{CheckType: "Both", SortCode: "777701", AccountNumber: rightNumber},
	} {
		if _, err := c.MatchBankAccount(t.Context(), r); !errors.Is(err, client.ErrBadRequest) {
			t.Errorf("%+v: %v, want 400", r, err)
		}
	}
}

// A table that another process imports is in force as soon as it is looked for;
// one of tomorrow is in force tomorrow.
func TestNewTablesComeIntoForceWithoutARestart(t *testing.T) {
	w := newWorld(t, plan{})
	w.stock()
	ctx := t.Context()
	state := func() string {
		t.Helper()
		must(t, w.server.Bank.Tables.Refresh(ctx))
		f, err := w.server.Bank.Check(ctx, bank.Question{SortCode: "777701", Number: wrongNumber})
		must(t, err)
		return f.State.String()
	}
	if got := state(); got != "fails" {
		t.Fatalf("before: %s", got)
	}
	table := &bank.TableIntake{Store: w.db, ValidFrom: "2026-03-03", Now: w.clock.Now}
	must(t, table.Add(ctx, []bank.TableLine{{Row: &bank.Row{From: 1, To: 2, Method: bank.Mod10}}}))
	must(t, table.Finish(ctx))
	if got := state(); got != "fails" {
		t.Errorf("a day too early: %s", got)
	}
	w.clock.Step(24 * time.Hour)
	if got := state(); got != "cannot be checked" {
		t.Errorf("on its day: %s", got)
	}
}
