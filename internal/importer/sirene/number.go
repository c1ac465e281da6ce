package sirene

import (
	"fmt"
	"strconv"
	"strings"
)

// laPoste numbered its post offices past what the check digit allows.
const laPoste = "356000000"

// checkSiren says what is wrong with the number of a company.
func checkSiren(siren string) error {
	if len(siren) != 9 || strings.Trim(siren, "0123456789") != "" {
		return fmt.Errorf("%q is no SIREN: it has nine digits", siren)
	}
	if siren != laPoste && luhn(siren)%10 != 0 {
		return fmt.Errorf("SIREN %s has a wrong check digit", siren)
	}
	return nil
}

// checkSiret says what is wrong with the number of an establishment.
func checkSiret(siret, siren string) error {
	switch {
	case len(siret) != 14 || strings.Trim(siret, "0123456789") != "":
		return fmt.Errorf("%q is no SIRET: it has fourteen digits", siret)
	case siret[:9] != siren:
		return fmt.Errorf("SIRET %s is not of SIREN %s", siret, siren)
	case siren == laPoste && (luhn(siret)%10 == 0 || sum(siret)%5 == 0), luhn(siret)%10 == 0:
		return nil
	}
	return fmt.Errorf("SIRET %s has a wrong check digit", siret)
}

func luhn(digits string) int {
	total := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
			if d > 9 {
				d -= 9
			}
		}
		total += d
	}
	return total
}

func sum(digits string) int {
	total := 0
	for i := range len(digits) {
		total += int(digits[i] - '0')
	}
	return total
}

// vat is the number that a company has for VAT, if it is registered for it:
// the key is made of the SIREN.
func vat(siren string) string {
	n, err := strconv.Atoi(siren)
	if err != nil {
		return ""
	}
	key := (12 + 3*(n%97)) % 97
	return "FR" + string([]byte{byte('0' + key/10), byte('0' + key%10)}) + siren
}
