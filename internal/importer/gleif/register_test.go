package gleif

import (
	"testing"

	"bureau/internal/company"
)

func TestNationalNumber(t *testing.T) {
	for _, c := range []struct {
		name, country, authority, category, number, want string
	}{
		{"a British number without its zero", "GB", "RA000585", "GENERAL", "3375464", "03375464"},
		{"a British number", "GB", "RA000585", "", "03375464", "03375464"},
		{"a British partnership", "GB", "RA000585", "GENERAL", "oc 301234", "OC301234"},
		{"a Scottish number without its zeros", "GB", "RA000587", "GENERAL", "SC1234", "SC001234"},
		{"a Scottish number without its letters", "GB", "RA000587", "GENERAL", "651281", ""},
		{"an Ulster number", "GB", "RA000586", "GENERAL", "NI006176", "NI006176"},
		{"an old Ulster number", "GB", "RA000586", "GENERAL", "R0000123", "R0000123"},
		{"a British society", "GB", "RA000585", "GENERAL", "IP12345R", "IP12345R"},
		{"too long for Britain", "GB", "RA000585", "GENERAL", "123456789", ""},
		{"the British regulator's number", "GB", "RA000592", "GENERAL", "3375464", ""},
		{"a foreign company in the British register", "KY", "RA000585", "GENERAL", "FC012345", ""},
		{"a branch", "GB", "RA000585", "BRANCH", "03375464", ""},
		{"a fund", "GB", "RA000585", "FUND", "03375464", ""},
		{"a SIREN in threes", "FR", "RA000192", "GENERAL", "542 051 180", "542051180"},
		{"a SIRET", "FR", "RA000189", "GENERAL", "54205118000066", ""},
		{"a French fund's number", "FR", "RA000190", "GENERAL", "542051180", ""},
		{"a Norwegian number", "NO", "RA000473", "GENERAL", "964 169 969", "964169969"},
		{"a Swedish number with its hyphen", "SE", "RA000544", "GENERAL", "556543-1193", "5565431193"},
		{"a Swedish number with its century", "SE", "RA000544", "GENERAL", "16556543-1193", "5565431193"},
		{"a Danish number", "DK", "RA000170", "GENERAL", "32934676", "32934676"},
		{"a Dutch number without its zero", "NL", "RA000463", "GENERAL", "1048911", "01048911"},
		{"a Belgian number with dots", "BE", "RA000025", "GENERAL", "0999.000.001", "0999000001"},
		{"a Belgian number as for VAT", "BE", "RA000025", "GENERAL", "BE 999.000.001", "0999000001"},
		{"an Irish number", "IE", "RA000402", "GENERAL", "0415123", "415123"},
		{"an Italian tax code", "IT", "RA000407", "GENERAL", "01495930057", "01495930057"},
		{"an Italian chamber's number", "IT", "RA000407", "GENERAL", "MI-1234567", ""},
		{"a Spanish tax number", "ES", "RA000535", "GENERAL", "B47649504", "B47649504"},
		{"a Spanish sheet", "ES", "RA000533", "GENERAL", "MA-152437-8", ""},
		{"a German number", "DE", "RA000259", "GENERAL", "HRB 41602", ""},
		{"a number of Delaware", "US", "RA000602", "GENERAL", "6283046", ""},
		{"a Swiss number with dots", "CH", "RA000549", "GENERAL", "CHE-105.163.532", "CHE105163532"},
		{"an Austrian number", "AT", "RA000017", "GENERAL", "FN 258571b", "258571B"},
		{"a Finnish number without its hyphen", "FI", "RA000188", "GENERAL", "29063371", "2906337-1"},
		{"a Luxembourg number", "LU", "RA000432", "GENERAL", "B 228896", "B228896"},
		{"nothing", "GB", "RA000585", "GENERAL", "", ""},
	} {
		if got := nationalNumber(c.country, c.authority, c.category, c.number); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A number that is not the company's own must not lead to it.
func TestWhereTheNumberGoes(t *testing.T) {
	for _, c := range []struct {
		name                                      string
		jurisdiction, authority, category, number string
		regNo, register, other                    string
	}{
		{"a national number, as the register writes it", "GB", "RA000585", "GENERAL", "42", "00000042", "RA000585", ""},
		{"one of a German court", "DE", "RA000259", "GENERAL", "HRB 41602", "HRB 41602", "RA000259", ""},
		{"one of a state", "US-DE", "RA000602", "GENERAL", "6283046", "", "", "RA000602 6283046"},
		{"one of a federal office", "US", "RA000744", "GENERAL", "6959", "", "", "RA000744 6959"},
		{"one of a regulator", "GB", "RA000592", "GENERAL", "190345", "", "", "RA000592 190345"},
		{"an umbrella's", "IE", "RA000402", "FUND", "415123", "", "", "RA000402 415123"},
		{"one of a register that we do not know", "AU", "RA000014", "GENERAL", "102 843 809", "102 843 809", "RA000014", ""},
		{"none at all", "GB", "RA999999", "GENERAL", "", "", "", ""},
	} {
		r := &record{
			lei: "984500B0REAU00000135", name: text{text: "X"}, jurisdiction: c.jurisdiction,
			authority: c.authority, category: c.category, number: c.number,
		}
		s, err := sayLEI(r, &header{})
		if err != nil {
			t.Fatal(err)
		}
		f := s.Facts
		var other string
		for _, o := range f.OtherIDs {
			other += o.Scheme + " " + o.ID
		}
		if f.RegNo != c.regNo || f.Register != c.register || other != c.other {
			t.Errorf("%s: %q of %q, other %q", c.name, f.RegNo, f.Register, other)
		}
	}
}

func TestJoinsCompaniesHouse(t *testing.T) {
	for _, number := range []string{"3375464", "03375464"} {
		r := &record{
			lei: "984500B0REAU00000135", name: text{text: "X"}, jurisdiction: "GB",
			authority: "RA000585", number: number,
		}
		s, err := sayLEI(r, &header{})
		if err != nil {
			t.Fatal(err)
		}
		if got := company.NewID(s.Country, s.Number); got != "GB-0-03375464" {
			t.Errorf("%s makes %s", number, got)
		}
	}
}

func TestCheckLEI(t *testing.T) {
	for lei, ok := range map[string]bool{
		"984500B0REAU00000135":  true,
		"984500B0REAU00000153":  false, // two digits swapped
		"984500B0REAU0000013":   false,
		"984500B0REAU000001350": false,
		"984500b0reau00000135":  false,
		"984500B0REAU000001A5":  false, // the check is digits
		"":                      false,
		"984500B0REAÜ0000013":   false,
	} {
		if err := checkLEI(lei); (err == nil) != ok {
			t.Errorf("%q: %v", lei, err)
		}
	}
}
