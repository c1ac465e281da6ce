package bank

import (
	"fmt"
	"regexp"
	"strings"

	"bureau/internal/fault"
)

// A domestic is how account numbers and bank codes look in a country that has no
// IBANs.
type domestic struct {
	account *regexp.Regexp
	code    *regexp.Regexp // of the bank or branch; nil where the account names it
	words   string         // what the code is called and looks like
	check   func(account, code string) (ok, can bool)
}

// domestics are the countries without IBANs that payments are made to most.
var domestics = map[string]domestic{
	"AU": {digitsOf(5, 10), digitsOf(6, 6), "a BSB of six digits", nil},
	"CA": {digitsOf(5, 12), digitsOf(8, 9), "a transit number of eight or nine digits", nil},
	"CN": {digitsOf(8, 25), digitsOf(12, 12), "a CNAPS code of twelve digits", nil},
	"HK": {digitsOf(6, 12), digitsOf(3, 6), "a bank code of three digits, with or without three of the branch", nil},
	"IN": {digitsOf(6, 18), regexp.MustCompile(`^[A-Z]{4}0[A-Z0-9]{6}$`), "an IFSC such as ABCD0123456", nil},
	"JP": {digitsOf(6, 8), digitsOf(7, 7), "four digits of the bank and three of the branch", nil},
	"KR": {digitsOf(10, 16), digitsOf(3, 7), "a bank code of three digits, or seven with the branch", nil},
	"MX": {digitsOf(18, 18), nil, "", clabe},
	"MY": {digitsOf(6, 17), nil, "", nil},
	"SG": {digitsOf(6, 14), digitsOf(4, 7), "a bank code of four digits, with or without three of the branch", nil},
	"US": {digitsOf(4, 17), digitsOf(9, 9), "a routing number of nine digits", routingNumber},
	"ZA": {digitsOf(6, 11), digitsOf(6, 6), "a branch code of six digits", nil},
}

func digitsOf(least, most int) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`^[0-9]{%d,%d}$`, least, most))
}

// clabe is Mexico's check digit, the last of eighteen.
func clabe(account, _ string) (ok, can bool) {
	sum := 0
	for i := range 17 {
		sum += int(account[i]-'0') * []int{3, 7, 1}[i%3] % 10
	}
	return (10-sum%10)%10 == int(account[17]-'0'), true
}

// routingNumber is the check digit of an American routing number.
func routingNumber(_, code string) (ok, can bool) {
	if code == "" {
		return false, false
	}
	return weighted(code, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0, true
}

// parseDomestic checks an account number and a bank code of a country without
// IBANs. What is wrong comes with the name of its field; that of the country is
// given.
func parseDomestic(field, country, account, code string) (a, c string, err error) {
	d, ok := domestics[country]
	if !ok {
		return "", "", fault.Invalid.Details("Bad request", field+": we do not know how accounts of "+country+" look; give an IBAN")
	}
	a, c = plain(account), plain(code)
	var wrong []string
	if !d.account.MatchString(a) {
		wrong = append(wrong, "bban: it does not look like an account number of "+country)
	}
	if c != "" && (d.code == nil || !d.code.MatchString(c)) {
		if d.code == nil {
			wrong = append(wrong, "routingCode: "+country+" has none: the account number names the bank")
		} else {
			wrong = append(wrong, "routingCode: "+country+" has "+d.words)
		}
	}
	if len(wrong) > 0 {
		return "", "", fault.Invalid.Details("Bad request", wrong...)
	}
	return a, c, nil
}

// plain takes out what people put between characters.
func plain(text string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "", "\u00a0", "").Replace(text))
}
