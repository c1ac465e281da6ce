package bank

import (
	"strings"

	"bureau/internal/fault"
)

// A BIC names a bank: four letters or digits of the bank, two letters of the
// country, two of the place and, often left out, three of the branch.
type BIC string

// ParseBIC reads a BIC in any case.
func ParseBIC(text string) (BIC, error) {
	s := strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	if len(s) != 8 && len(s) != 11 {
		return "", fault.Invalid.Errorf("a BIC has 8 or 11 characters and this has %d", len(s))
	}
	for i := range len(s) {
		letter, digit := 'A' <= s[i] && s[i] <= 'Z', '0' <= s[i] && s[i] <= '9'
		if !letter && !digit || (i == 4 || i == 5) && !letter {
			return "", fault.Invalid.Errorf("it is not a BIC: it looks like ABCDGB2L or ABCDGB2LXXX")
		}
	}
	return BIC(s), nil
}

// Country is the country of the bank.
func (b BIC) Country() string { return string(b[4:6]) }

// same reports whether two BICs name the same bank in the same place. The
// branch does not matter: a directory often has another one.
func (b BIC) same(other string) bool { return len(other) >= 8 && string(b[:8]) == other[:8] }
