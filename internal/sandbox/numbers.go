package sandbox

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Numbers in the forms of the registers, with check digits that hold, in ranges
// that the registers have not given to anyone.

// number is the register's number of the n-th company of a country.
func number(country string, n int) string {
	switch country {
	case "GB":
		return fmt.Sprintf("99%06d", n)
	case "IE":
		return fmt.Sprintf("99%04d", n)
	case "US":
		return fmt.Sprintf("CIK99%08d", n)
	case "SE":
		return withLuhn(fmt.Sprintf("55999%04d", n))
	case "NO":
		return norwegian(n)
	case "DE":
		return fmt.Sprintf("X9999_HRB%06d", 900000+n)
	case "NL":
		return fmt.Sprintf("999%05d", n)
	case "FR":
		return withLuhn(fmt.Sprintf("99%06d", n))
	case "BE":
		base := int64(99900000 + n)
		return fmt.Sprintf("%08d%02d", base, 97-base%97)
	case "ES":
		return fmt.Sprintf("B99%06d", n)
	}
	return withLuhn(fmt.Sprintf("999%07d", n))
}

// vat is the VAT number that goes with a register number; "" where there is no
// simple rule.
func vat(country, number string) string {
	switch country {
	case "SE":
		return "SE" + number + "01"
	case "NO":
		return "NO" + number + "MVA"
	case "FR":
		siren, _ := strconv.ParseInt(number, 10, 64)
		return fmt.Sprintf("FR%02d%s", (12+3*(siren%97))%97, number)
	case "BE":
		return "BE" + number
	case "ES", "IT":
		return country + number
	}
	return ""
}

// withLuhn adds the check digit of Luhn's formula.
func withLuhn(digits string) string {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return digits + strconv.Itoa((10-sum%10)%10)
}

// norwegian is the n-th number whose modulo 11 check digit is a digit.
func norwegian(n int) string {
	weights := []int{3, 2, 7, 6, 5, 4, 3, 2}
	// One candidate in eleven has no check digit; counting past them would
	// make numbers depend on all before, so each n has a block of two.
	for try := range 2 {
		base := fmt.Sprintf("%08d", 89990000+2*n+try)
		sum := 0
		for i, w := range weights {
			sum += int(base[i]-'0') * w
		}
		if check := (11 - sum%11) % 11; check < 10 {
			return base + strconv.Itoa(check)
		}
	}
	panic("two neighbours without a check digit") // their sums differ by 2
}

// lei is an LEI with its check digits, from an issuer that does not exist.
func lei(country string, n int) string {
	base := fmt.Sprintf("0000%s%012d", country, n)
	var b strings.Builder
	for _, r := range base + "00" {
		if r >= 'A' {
			fmt.Fprint(&b, int(r-'A')+10)
		} else {
			b.WriteRune(r)
		}
	}
	v, _ := new(big.Int).SetString(b.String(), 10)
	check := 98 - new(big.Int).Mod(v, big.NewInt(97)).Int64()
	return fmt.Sprintf("%s%02d", base, check)
}
