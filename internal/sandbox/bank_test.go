package sandbox

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"bureau/internal/bank"
)

// Every account of the world is one that the checks take for right, in every
// country that has accounts.
func TestBankAccountsAreRight(t *testing.T) {
	w := World{Seed: 1, PerCountry: 60}
	m := modulus()
	countries := map[string]int{}
	numbers := map[string]bool{}
	for _, a := range w.BankAccounts() {
		key := a.Country + " " + a.Number
		if numbers[key] {
			t.Errorf("%s is there twice", key)
		}
		numbers[key] = true
		countries[a.Country]++
		if err := a.Check(); err != nil || a.Place == "" || a.Type == "" || a.Names[0] == "" {
			t.Errorf("%s: %+v (%v)", key, a, err)
		}
		if a.Country == "GB" {
			acc, err := bank.ParseGB("sortCode", a.Number[:6], "accountNumber", a.Number[6:])
			if s, why := m.Check(acc); s == bank.Fails || err != nil {
				t.Errorf("%s: %s (%v)", key, why, err)
			}
			continue
		}
		i, err := bank.NewIBAN(a.Country, a.Number)
		if err != nil || i.National() == bank.Fails {
			t.Errorf("%s: %v, national check digits: %s", key, err, i.National())
		}
	}
	if len(countries) != len(numberings)+1 {
		t.Errorf("accounts in %v only", countries)
	}
	code, account, iban := w.BankExample(1)
	if !numbers["GB "+code+account] {
		t.Errorf("nobody holds the account to try, %s %s", code, account)
	}
	if i, err := bank.ParseIBAN(iban); err != nil || i.Branch() != code || i.Account() != account {
		t.Errorf("the IBAN to try is %s (%v)", iban, err)
	}
}

func TestBankDirectoriesAreRight(t *testing.T) {
	for _, b := range DefaultWorld.Branches() {
		if err := b.Check(); err != nil {
			t.Error(err)
		}
		if _, err := bank.ParseBIC(b.BIC); err != nil {
			t.Errorf("%s: %v", b.SortCode, err)
		}
	}
	for _, b := range DefaultWorld.BankCodes() {
		if err := b.Check(); err != nil {
			t.Error(err)
		}
		if _, err := bank.ParseBIC(b.BICs[0]); err != nil {
			t.Errorf("%s: %v", b.Code, err)
		}
	}
}

// What the documents and the commands tell people to try passes in the sandbox.
func TestTheAccountToTryIsTheOneInTheDocuments(t *testing.T) {
	w := DefaultWorld
	code, account, iban := w.BankExample(1)
	name := w.company(0, lands[0], 1).Facts.Name
	if lands[0].code != "GB" {
		t.Fatalf("the first country is %s", lands[0].code)
	}
	try := fmt.Sprintf("bureau check bank --sort-code %s-%s-%s --account %s --name %q", code[:2], code[2:4], code[4:], account, name)
	for file, want := range map[string]string{
		"../../docs/bank.md": try, "../../cmd/bureau/check.go": try,
		"../api/bank_verification.go": fmt.Sprintf("example:%q", account), "../api/bank_check.go": fmt.Sprintf("example:%q", iban),
	} {
		b, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s does not say %s (%v)", file, want, err)
		}
	}
}
