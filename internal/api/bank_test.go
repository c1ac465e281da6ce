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
		Now: w.clock.Now, Fingerprint: v.BankAccount,
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
	_, err = c.BankVerification(t.Context(), v.RequestID) // to look again is noted, and costs nothing
	must(t, err)
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
	if reads != 2 {
		t.Errorf("%d reads in the audit log, want 2", reads)
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
