package api_test

import (
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
		"country: we do not know":                 {Country: "QQ", BBAN: "12345678"},
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
		"countryCode: it is not a country":            {RegistrationID: "999999998", CountryCode: "FRA", IBAN: iban},
		"countryCode: it is not a country: use two":   {RegistrationID: "999999998", CountryCode: "ZZ", IBAN: iban},
		"bankCountry: the account is one of FR":       {RegistrationID: "999999998", CountryCode: "FR", IBAN: iban, BankCountry: "DE"},
		"iban: US has no IBANs":                       {RegistrationID: "999999998", CountryCode: "FR", IBAN: iban, BankCountry: "US"},
		"bankCountry: we do not know":                 {RegistrationID: "999999998", CountryCode: "FR", BBAN: "12345678", BankCountry: "QQ"},
		"bankCountry: it is missing beside":           {RegistrationID: "999999998", CountryCode: "FR", BBAN: "12345678"},
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
	imports := func(from company.Date, row bank.Row) {
		t.Helper()
		table := &bank.TableIntake{Store: w.db, ValidFrom: from, Now: w.clock.Now}
		must(t, table.Add(ctx, []bank.TableLine{{Row: &row}}))
		must(t, table.Finish(ctx))
	}
	imports("2026-02-01", bank.Row{From: 1, To: 2, Method: bank.Mod10})
	if got := state(); got != "cannot be checked" {
		t.Errorf("at once: %s", got)
	}
	imports("2026-03-03", bankRow)
	if got := state(); got != "cannot be checked" {
		t.Errorf("a day too early: %s", got)
	}
	w.clock.Step(24 * time.Hour)
	if got := state(); got != "fails" {
		t.Errorf("on its day: %s", got)
	}
}
