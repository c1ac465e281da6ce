package bank

import "strings"

// National checks the national check digits in an IBAN. It is Unknown where the
// country has none, or not for this account.
func (i IBAN) National() State {
	f := i.form()
	if f.check == nil {
		return Unknown
	}
	switch ok, can := f.check(i.BBAN()); {
	case !can:
		return Unknown
	case ok:
		return Passes
	}
	return Fails
}

// HasNational reports whether numbers of the country have check digits of their
// own.
func (i IBAN) HasNational() bool { return i.form().check != nil }

// nationals are the rules, by the name that the registry gives them. Each is
// given a BBAN of the country's form.
var nationals = map[string]func(bban string) (ok, can bool){
	"iso97":     always(func(s string) bool { return mod97(s) == 1 }), // ISO 7064, 97-10
	"zero97":    always(func(s string) bool { return mod97(s) == 0 }),
	"rib":       always(rib),
	"belgian":   always(belgian),
	"spanish":   always(spanish),
	"luhn":      always(luhn),
	"italian":   always(italian),
	"norwegian": always(norwegian),
	"estonian":  always(estonian),
	"czech":     always(czech),
	"polish":    always(func(s string) bool { return weighted(s[:8], 3, 9, 7, 1, 3, 9, 7, 1)%10 == 0 }),
	"albanian":  always(func(s string) bool { return weighted(s[:8], 9, 7, 3, 1, 9, 7, 3, 1)%10 == 0 }),
	"hungarian": always(hungarian),
	"croatian":  always(func(s string) bool { return iso1110(s[:7]) && iso1110(s[7:]) }),
	"dutch":     dutch,
	"icelandic": always(icelandic),
}

func always(holds func(string) bool) func(string) (ok, can bool) {
	return func(s string) (ok, can bool) { return holds(s), true }
}

// weighted adds up digits times weights.
func weighted(s string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += int(s[i]-'0') * w
	}
	return sum
}

// mod11 is the check digit that makes a weighted sum a multiple of eleven; ten
// is none.
func mod11(sum int) int { return (11 - sum%11) % 11 }

// ribLetters are the digits that letters count as in a French account: 1 to 9
// twice, then 2 to 9.
const ribLetters = "12345678912345678923456789"

// rib is the key of a French account, and of those of the countries that took
// the French form over.
func rib(s string) bool {
	return mod97(strings.Map(func(r rune) rune {
		if r >= 'A' {
			return rune(ribLetters[r-'A'])
		}
		return r
	}, s)) == 0
}

// belgian: the last two digits are the others modulo 97, and 97 for none.
func belgian(s string) bool {
	rest := mod97(s[:10])
	if rest == 0 {
		rest = 97
	}
	return rest == int(number(s[10:]))
}

// spanish: one digit for bank and branch, one for the account.
func spanish(s string) bool {
	digit := func(sum int) int {
		if d := mod11(sum); d < 10 {
			return d
		}
		return 1
	}
	return digit(weighted(s[:8], 4, 8, 5, 10, 9, 7, 3, 6)) == int(s[8]-'0') &&
		digit(weighted(s[10:], 1, 2, 4, 8, 5, 10, 9, 7, 3, 6)) == int(s[9]-'0')
}

// luhn is Finland's rule.
func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// italianOdd is what characters in odd places count, 0 or A first.
var italianOdd = [26]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}

// italian: a letter before the rest stands for its sum.
func italian(s string) bool {
	sum := 0
	for i := 1; i < len(s); i++ {
		n := int(s[i] - '0')
		if s[i] >= 'A' {
			n = int(s[i] - 'A')
		}
		if i%2 == 1 {
			n = italianOdd[n]
		}
		sum += n
	}
	return s[0] == 'A'+byte(sum%26)
}

// norwegian: modulo 11 over the whole number, or over the account alone where
// the two digits behind the bank's are zeros.
func norwegian(s string) bool {
	check := int(s[10] - '0')
	if mod11(weighted(s[:10], 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) == check {
		return true
	}
	return s[4:6] == "00" && mod11(weighted(s[6:10], 5, 4, 3, 2)) == check
}

// estonian: 7, 3, 1 from the right, without the two digits that say which bank
// keeps the account now.
func estonian(s string) bool {
	return weighted(s[2:], 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0
}

// czech: prefix and number by themselves, modulo 11.
func czech(s string) bool {
	return weighted(s[4:10], 10, 5, 8, 4, 2, 1)%11 == 0 && weighted(s[10:], 6, 3, 7, 9, 10, 5, 8, 4, 2, 1)%11 == 0
}

// hungarian: bank and branch, then the account.
func hungarian(s string) bool {
	return weighted(s[:8], 9, 7, 3, 1, 9, 7, 3, 1)%10 == 0 &&
		weighted(s[8:], 9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3, 1, 9, 7, 3, 1)%10 == 0
}

// iso1110 is ISO 7064, 11-10.
func iso1110(s string) bool {
	p := 10
	for i := range len(s) - 1 {
		if p = (p + int(s[i]-'0')) % 10; p == 0 {
			p = 10
		}
		p = p * 2 % 11
	}
	return (11-p)%10 == int(s[len(s)-1]-'0')
}

// dutch is the eleven-proof. Numbers of at most seven digits were the post
// office's, and have no check digit.
func dutch(s string) (ok, can bool) {
	s = s[4:]
	if strings.HasPrefix(s, "000") {
		return false, false
	}
	return weighted(s, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)%11 == 0, true
}

// icelandic: the holder's own number is part of the account's, and has a check
// digit in its ninth place.
func icelandic(s string) bool {
	return mod11(weighted(s[12:20], 3, 2, 7, 6, 5, 4, 3, 2)) == int(s[20]-'0')
}
