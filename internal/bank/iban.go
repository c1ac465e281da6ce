package bank

import (
	"fmt"
	"strings"

	"bureau/internal/fault"
)

// An IBAN is an international account number in its electronic form: no spaces,
// capital letters. One that ParseIBAN returned has the form of its country and
// check digits that hold.
type IBAN string

// Country is the country whose account it is.
func (i IBAN) Country() string { return string(i[:2]) }

// BBAN is the national part.
func (i IBAN) BBAN() string { return string(i[4:]) }

// Bank is the part of the national number that names the bank; "" where a
// country's numbers do not tell.
func (i IBAN) Bank() string { return i.part(func(f form) place { return f.bank }) }

// Branch is the part that names the branch; "" where there is none.
func (i IBAN) Branch() string { return i.part(func(f form) place { return f.branch }) }

// Account is the part that the bank gave.
func (i IBAN) Account() string { return i.part(func(f form) place { return f.account }) }

func (i IBAN) form() form {
	f, _ := formOf(i.Country(), len(i)-4)
	return f
}

func (i IBAN) part(of func(form) place) string {
	p := of(i.form())
	return i.BBAN()[p.from:p.to]
}

// SEPA reports whether euro payments reach the account's country as they do at
// home.
func (i IBAN) SEPA() bool { return i.form().sepa }

// GB is the British account in an IBAN, if it is one.
func (i IBAN) GB() (GB, bool) {
	switch i.Country() {
	case "GB", "IM", "JE", "GG":
		return GB{SortCode(number(i.Branch())), AccountNumber(number(i.Account()))}, true
	}
	return GB{}, false
}

// Print is the form for people, in groups of four.
func (i IBAN) Print() string {
	var b strings.Builder
	for n := range len(i) {
		if n > 0 && n%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(i[n])
	}
	return b.String()
}

// ParseIBAN reads an IBAN as people write it, and checks its form and its check
// digits. What is wrong is said in words that go behind the name of the field.
// National check digits are another matter: see National.
func ParseIBAN(text string) (IBAN, error) {
	s, err := plainIBAN(text)
	if err != nil {
		return "", err
	}
	f, ok := formOf(s[:2], len(s)-4)
	switch {
	case f.length() == 0:
		return "", fault.Invalid.Errorf("there is no IBAN of a country %q", s[:2])
	case !ok:
		return "", fault.Invalid.Errorf("an IBAN of %s has %d characters and this has %d", s[:2], 4+f.length(), len(s))
	}
	if s[2] < '0' || s[2] > '9' || s[3] < '0' || s[3] > '9' {
		return "", fault.Invalid.Errorf("its third and fourth characters are not digits")
	}
	if at, want := f.misfit(s[4:]); at >= 0 {
		return "", fault.Invalid.Errorf("character %d is %q, and in %s there is %s", at+5, s[at+4], s[:2], want)
	}
	if s[2:4] < "02" || s[2:4] > "98" || mod97(s[4:]+s[:4]) != 1 {
		return "", fault.Invalid.Errorf("its check digits are wrong%s", suggest(s, f))
	}
	return IBAN(s), nil
}

// plainIBAN takes out what people put between characters.
func plainIBAN(text string) (string, error) {
	s := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-' || r == '\u00a0' || r == '\t' || r == '.':
			return -1
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, text)
	if len(s) > 4 && strings.HasPrefix(s, "IBAN") {
		s = s[4:]
	}
	switch {
	case s == "":
		return "", fault.Invalid.Errorf("it is missing")
	case len(s) < 5:
		return "", fault.Invalid.Errorf("it is too short for an IBAN")
	}
	for n := range len(s) {
		if (s[n] < '0' || s[n] > '9') && (s[n] < 'A' || s[n] > 'Z') {
			return "", fault.Invalid.Errorf("it holds characters that are in no IBAN")
		}
	}
	if s[0] < 'A' || s[1] < 'A' {
		return "", fault.Invalid.Errorf("an IBAN begins with the two letters of its country")
	}
	return s, nil
}

// NewIBAN gives a national number its check digits.
func NewIBAN(country, bban string) (IBAN, error) {
	check := 98 - mod97(bban+country+"00")
	return ParseIBAN(fmt.Sprintf("%s%02d%s", country, check, bban))
}

// mod97 is the remainder of the number that a text becomes when its letters are
// written as 10 to 35.
func mod97(s string) int {
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'A':
			n = (n*100 + int(c-'A') + 10) % 97
		default:
			n = (n*10 + int(c-'0')) % 97
		}
	}
	return n
}

// mistaken are characters that people and scanners take for each other.
var mistaken = map[byte]string{
	'0': "O68", 'O': "0", '1': "I7", 'I': "1", '2': "Z7", 'Z': "2", '3': "8", '4': "9", '5': "S6", 'S': "5",
	'6': "0G5", 'G': "6", '7': "12", '8': "B30", 'B': "8", '9': "4",
}

// suggest looks for the one IBAN that was probably meant: two neighbours
// swapped, or a character taken for another. More than one is no help.
func suggest(s string, f form) string {
	found := map[string]bool{}
	try := func(b []byte) {
		t := string(b)
		if at, _ := f.misfit(t[4:]); at < 0 && t[2:4] >= "02" && t[2:4] <= "98" && mod97(t[4:]+t[:4]) == 1 {
			found[t] = true
		}
	}
	b := []byte(s)
	for i := 2; i < len(b); i++ {
		if i+1 < len(b) && b[i] != b[i+1] && i != 3 {
			b[i], b[i+1] = b[i+1], b[i]
			try(b)
			b[i], b[i+1] = b[i+1], b[i]
		}
		for j := range len(mistaken[b[i]]) {
			was := b[i]
			b[i] = mistaken[was][j]
			try(b)
			b[i] = was
		}
	}
	if len(found) != 1 {
		return ""
	}
	for t := range found {
		return ": did you mean " + IBAN(t).Print() + "?"
	}
	return ""
}
