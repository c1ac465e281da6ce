package bank_test

import (
	"bufio"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bureau/internal/bank"
	"bureau/internal/importer/sourcetest"
)

func TestIBAN(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // the IBAN, or what is wrong
	}{
		{"GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926819"},
		{"gb29nwbk60161331926819", "GB29NWBK60161331926819"},
		{"IBAN GB29-NWBK-6016-1331-9268-19", "GB29NWBK60161331926819"},
		{"DE89370400440532013000", "DE89370400440532013000"},
		{"", "it is missing"},
		{"DE", "it is too short for an IBAN"},
		{"1234567890", "an IBAN begins with the two letters of its country"},
		{"XX89370400440532013000", `there is no IBAN of a country "XX"`},
		{"DE893704004405320130", "an IBAN of DE has 22 characters and this has 20"},
		{"DE8937040044053201300000", "an IBAN of DE has 22 characters and this has 24"},
		{"DEAA370400440532013000", "its third and fourth characters are not digits"},
		{"DE89AA0400440532013000", `character 5 is 'A', and in DE there is a digit`},
		{"GB29NWBK6016133192681ß", "it holds characters that are in no IBAN"},
		{"DE99370400440532013000", "its check digits are wrong"},
		{"DE98370400440532013000", "its check digits are wrong"},
		{"GB29NWBK60161331928619", "its check digits are wrong: did you mean GB29 NWBK 6016 1331 9268 19?"},
		{"DE89370400440532O13000", `character 17 is 'O', and in DE there is a digit`},
	} {
		i, err := bank.ParseIBAN(c.text)
		got := string(i)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestPartsOfAnIBAN(t *testing.T) {
	for _, c := range []struct {
		iban                  string
		bank, branch, account string
		sepa                  bool
		national              bank.State
	}{
		{"GB29NWBK60161331926819", "NWBK", "601613", "31926819", true, bank.Unknown},
		{"FR1420041010050500013M02606", "20041", "01005", "0500013M026", true, bank.Passes},
		{"DE89370400440532013000", "37040044", "", "0532013000", true, bank.Unknown},
		{"IT60X0542811101000000123456", "05428", "11101", "000000123456", true, bank.Passes},
		{"NO9386011117947", "8601", "", "111794", true, bank.Passes},
		{"BR9700360305000010009795493P1", "00360305", "00001", "0009795493", false, bank.Unknown},
	} {
		i, err := bank.ParseIBAN(c.iban)
		if err != nil {
			t.Errorf("%s: %v", c.iban, err)
			continue
		}
		if i.Bank() != c.bank || i.Branch() != c.branch || i.Account() != c.account || i.SEPA() != c.sepa || i.National() != c.national {
			t.Errorf("%s: bank %q, branch %q, account %q, SEPA %v, national %s", c.iban, i.Bank(), i.Branch(), i.Account(), i.SEPA(), i.National())
		}
	}
	acc, ok := mustParse(t, "GB29NWBK60161331926819").GB()
	if !ok || acc != (bank.GB{SortCode: 601613, Number: 31926819}) {
		t.Errorf("the British account is %+v", acc)
	}
}

func mustParse(t testing.TB, text string) bank.IBAN {
	t.Helper()
	i, err := bank.ParseIBAN(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return i
}

// good is an IBAN of each country with national check digits, as the registry
// of IBANs shows it.
var good = []string{
	"AL47212110090000000235698741", "BA391290079401028494", "BE68539007547034", "CZ6508000000192000145399", "EE382200221020145685",
	"ES9121000418450200051332", "FI2112345600000785", "FR1420041010050500013M02606", "HR1210010051863000160", "HU42117730161111101800000000",
	"IS140159260076545510730339", "IT60X0542811101000000123456", "MC5811222000010123456789030", "ME25505000012345678951", "MK07250120000058984",
	"MR1300020001010000123456753", "NL91ABNA0417164300", "NO9386011117947", "PL61109010140000071219812874", "PT50000201231234567890154",
	"RS35260005601001611379", "SI56191000000123438", "SK3112000000198742637541", "SM86U0322509800000000270100", "TL380080012345678910157",
	"TN5910006035183598478831", "XK051212012345678906",
}

// One digit of the national number off, with the check digits of the IBAN made
// good again, is found by the national check digits.
func TestNationalCheckDigitsFindAWrongDigit(t *testing.T) {
	for _, text := range good {
		i := mustParse(t, text)
		if i.National() != bank.Passes {
			t.Errorf("%s: %s", text, i.National())
			continue
		}
		found, tried := 0, 0
		bban := []byte(i.BBAN())
		for at := range bban {
			was := bban[at]
			if was < '0' || was > '9' {
				continue
			}
			bban[at] = '0' + (was-'0'+1)%10
			if wrong, err := bank.NewIBAN(i.Country(), string(bban)); err == nil {
				tried++
				if wrong.National() == bank.Fails {
					found++
				}
			}
			bban[at] = was
		}
		// Some digits are outside the check: the bank's in Norway's short form,
		// the account's in Poland.
		least := tried * 2 / 3
		switch i.Country() {
		case "PL", "AL", "IS":
			least = 6
		case "NL":
			least = 9
		}
		if found < least {
			t.Errorf("%s: of %d numbers with a wrong digit %d were found", text, tried, found)
		}
	}
}

// A Belgian number without a remainder has 97, and not 00.
func TestBelgianNumberWithoutARemainder(t *testing.T) {
	for bban, want := range map[string]bank.State{"000000009797": bank.Passes, "000000009700": bank.Fails, "000000009796": bank.Fails} {
		if i, err := bank.NewIBAN("BE", bban); err != nil || i.National() != want {
			t.Errorf("%s: %s (%v), want %s", bban, i.National(), err, want)
		}
	}
}

func TestOldDutchNumbersHaveNoCheckDigit(t *testing.T) {
	i, err := bank.NewIBAN("NL", "INGB0001234567")
	if err != nil || i.National() != bank.Unknown || !i.HasNational() {
		t.Errorf("%s: %s (%v)", i, i.National(), err)
	}
}

// Every labelled IBAN is judged as its label says.
func TestLabelledIBANs(t *testing.T) {
	f, err := os.Open(sourcetest.Shared(t, "bank", "iban", "iban_cases.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range rows[1:] {
		i, err := bank.ParseIBAN(r[1])
		valid := err == nil && i.National() != bank.Fails
		if valid != (r[0] != "invalid") {
			t.Errorf("%s (%s, %s): %v", r[1], r[0], r[2], err)
		}
		counts[r[0]]++
	}
	if counts["valid"] != 80 || counts["invalid"] != 12 || counts["experimental"] != 24 {
		t.Errorf("read %v", counts)
	}
	list, err := os.Open(sourcetest.Shared(t, "bank", "iban", "valid_ibans.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	n, national := 0, 0
	for s := bufio.NewScanner(list); s.Scan(); n++ {
		i, err := bank.ParseIBAN(s.Text())
		if err != nil || i.National() == bank.Fails {
			t.Errorf("%s: %v", s.Text(), err)
			continue
		}
		if i.National() == bank.Passes {
			national++
		}
	}
	t.Logf("%d IBANs in use, %d with national check digits that hold", n, national)
	if n < 1000 || national < 700 {
		t.Errorf("read %d, with %d national", n, national)
	}
}

// Our table has the form of every country that the publisher's has. Three of its
// own examples have check digits that do not hold.
func TestRegistryAgreesWithThePublisher(t *testing.T) {
	b, err := os.ReadFile(sourcetest.Shared(t, "bank", "iban", "iban_registry_202402r96.txt"))
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string][]string{}
	for line := range strings.Lines(string(b)) {
		w := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		columns[w[0]] = w[1:]
	}
	countries, broken := 0, ""
	for _, text := range columns["IBAN electronic format example"] {
		text = strings.ReplaceAll(strings.Trim(text, ` "`), " ", "")
		if text == "" {
			continue
		}
		countries++
		switch i, err := bank.ParseIBAN(text); {
		case err != nil && strings.HasPrefix(err.Error(), "its check digits are wrong"):
			broken += text[:2] + " "
		case err != nil:
			t.Errorf("%s: %v", text, err)
		case i.National() == bank.Fails:
			t.Errorf("%s: its national check digits do not hold", text)
		}
	}
	if countries < 80 || broken != "NI RU ST " {
		t.Errorf("%d countries, and the check digits do not hold of %s", countries, broken)
	}
}

// A digit in the place of another, or a letter of another, is always found, and
// a printed number is the same number.
func TestIBANProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, err := bank.ParseIBAN(rapid.SampledFrom(good).Draw(t, "iban"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := bank.ParseIBAN(i.Print())
		if err != nil || again != i {
			t.Fatalf("%s read from its printed form is %s (%v)", i, again, err)
		}
		b := []byte(i)
		at := rapid.IntRange(2, len(b)-1).Draw(t, "at")
		alike := "0123456789"
		if b[at] >= 'A' {
			alike = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		}
		b[at] = rapid.SampledFrom([]byte(alike)).Draw(t, "character")
		if string(b) == string(i) {
			return
		}
		if wrong, err := bank.ParseIBAN(string(b)); err == nil {
			t.Fatalf("%s has one character off and is taken", wrong)
		}
	})
}

func FuzzParseIBAN(f *testing.F) {
	for _, s := range append(good, "", "GB", "GB29 NWBK", "\xff\xfe", "IBAN") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if i, err := bank.ParseIBAN(text); err == nil {
			_, _, _, _, _ = i.Bank(), i.Branch(), i.Account(), i.National(), i.Print()
		}
	})
}
