package bank

import (
	"fmt"
	"strings"

	"bureau/internal/fault"
)

// A SortCode is the six digits of a British branch, as a number.
type SortCode uint32

func (c SortCode) String() string { return fmt.Sprintf("%06d", uint32(c)) }

// An AccountNumber is the eight digits of a British account, as a number.
type AccountNumber uint32

func (n AccountNumber) String() string { return fmt.Sprintf("%08d", uint32(n)) }

// A GB is a British account in its standard form.
type GB struct {
	SortCode SortCode
	Number   AccountNumber
}

// ParseSortCode reads a sort code, with or without the customary dashes. What
// is wrong is said in words that go behind the name of the field.
func ParseSortCode(text string) (SortCode, error) {
	digits, ok := onlyDigits(text)
	switch {
	case digits == "" && ok:
		return 0, fault.Invalid.Errorf("it is missing")
	case !ok:
		return 0, fault.Invalid.Errorf("a sort code has six digits, and nothing else but dashes")
	case len(digits) >= 8:
		return 0, fault.Invalid.Errorf("a sort code has six digits and this has %d: is it the account number?", len(digits))
	case len(digits) != 6:
		return 0, fault.Invalid.Errorf("a sort code has six digits and this has %d", len(digits))
	}
	return SortCode(number(digits)), nil
}

// A nonStandard says how a bank's account numbers that do not have eight digits
// become ones that do, for the sort codes from one to another.
type nonStandard struct {
	from, to SortCode
	digits   int
	become   func(c SortCode, digits string) (SortCode, string)
}

// The banks that still give out account numbers of nine or ten digits. A number
// of this length at any other bank is a mistake.
var nonStandards = []nonStandard{
	{10000, 19999, 10, lastEight}, // National Westminster
	{500000, 669999, 10, lastEight},
	{80000, 89999, 10, firstEight},   // Co-operative, Leeds
	{90000, 91900, 9, firstToBranch}, // Santander, once Alliance & Leicester
	{165710, 165710, 9, firstToBranch},
	{720000, 729999, 9, firstToBranch},
	{890000, 892999, 9, firstToBranch},
	{406301, 406301, 9, lastEight}, // Coventry
}

func lastEight(c SortCode, digits string) (SortCode, string)  { return c, digits[len(digits)-8:] }
func firstEight(c SortCode, digits string) (SortCode, string) { return c, digits[:8] }

// firstToBranch puts the first digit in the place of the sort code's last.
func firstToBranch(c SortCode, digits string) (SortCode, string) {
	return c - c%10 + SortCode(digits[0]-'0'), digits[1:]
}

// ParseAccount brings the account number of a branch into its standard form. A
// number of six or seven digits has lost its leading zeros.
func ParseAccount(c SortCode, text string) (GB, error) {
	digits, ok := onlyDigits(text)
	switch n := len(digits); {
	case digits == "" && ok:
		return GB{}, fault.Invalid.Errorf("it is missing")
	case !ok:
		return GB{}, fault.Invalid.Errorf("an account number has eight digits, and nothing else")
	case n < 6:
		return GB{}, fault.Invalid.Errorf("an account number has eight digits and this has %d", n)
	case n <= 8:
		return GB{c, AccountNumber(number(digits))}, nil
	case n > 10:
		return GB{}, fault.Invalid.Errorf("an account number has eight digits and this has %d", n)
	default:
		for _, s := range nonStandards {
			if s.from <= c && c <= s.to && s.digits == n {
				c, digits = s.become(c, digits)
				return GB{c, AccountNumber(number(digits))}, nil
			}
		}
		return GB{}, fault.Invalid.Errorf("an account number has eight digits and this has %d, which the bank of sort code %s does not use", n, c)
	}
}

// ParseGB reads a sort code and an account number, and names the field that is
// wrong by the name that the caller gave it.
func ParseGB(codeField, code, numberField, number string) (GB, error) {
	var wrong []string
	c, err := ParseSortCode(code)
	if err != nil {
		wrong = append(wrong, codeField+": "+err.Error())
	}
	a, err2 := ParseAccount(c, number)
	switch digits, _ := onlyDigits(number); {
	case err != nil && len(digits) == 6:
		wrong = append(wrong, numberField+": it has six digits: is it the sort code?")
	case err2 != nil:
		wrong = append(wrong, numberField+": "+err2.Error())
	}
	if len(wrong) > 0 {
		return GB{}, fault.Invalid.Details("Bad request", wrong...)
	}
	return a, nil
}

// onlyDigits takes out what people put between digits. ok is false if anything
// else is left.
func onlyDigits(text string) (digits string, ok bool) {
	plain := true
	for i := range len(text) {
		plain = plain && '0' <= text[i] && text[i] <= '9'
	}
	if plain {
		return text, true
	}
	ok = true
	digits = strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9':
			return r
		case r == '-' || r == ' ' || r == '\u00a0' || r == '–':
			return -1
		}
		ok = false
		return -1
	}, text)
	return digits, ok
}

// number is the value of at most nine digits.
func number(digits string) (n uint32) {
	for i := range len(digits) {
		n = n*10 + uint32(digits[i]-'0')
	}
	return n
}

// Mask shows the last four characters of a number that belongs to a person, and
// as many stars as it has others. Short numbers show two.
func Mask(text string) string {
	show := 4
	if len(text) <= 8 && show > len(text)/2 {
		show = len(text) / 2
	}
	return strings.Repeat("*", len(text)-show) + text[len(text)-show:]
}
