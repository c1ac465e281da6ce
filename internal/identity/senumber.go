package identity

import (
	"fmt"
	"strings"
	"time"

	"bureau/internal/company"
)

// A SwedishNumber is a number of the Swedish population register or of the
// register of organisations, as its ten digits with the century before it where
// it is a person's.
type SwedishNumber struct {
	Digits       string // twelve of a person, ten of an organisation
	Coordination bool   // of a person who is not in the population register
}

// IsPerson reports whether the number is a natural person's.
func (n SwedishNumber) IsPerson() bool { return len(n.Digits) == 12 }

// Birth is the date in a person's number.
func (n SwedishNumber) Birth() company.Date {
	if !n.IsPerson() {
		return ""
	}
	d := n.Digits
	day := d[6:8]
	if n.Coordination {
		day = fmt.Sprintf("%02d", int(d[6]-'0')*10+int(d[7]-'0')-coordination)
	}
	return company.Date(d[:4] + "-" + d[4:6] + "-" + day)
}

// Short is the number in ten digits, as organisations and forms write it.
func (n SwedishNumber) Short() string { return n.Digits[len(n.Digits)-10:] }

// coordination is what is added to the day of birth in a coordination number.
const coordination = 60

// ParseSwedishNumber reads a personal, coordination or organisation number in
// ten or twelve digits, with or without the sign before its last four. Of a
// person's ten digits the century is the last in which the person can have been
// born on the day that it is now; a plus says that it is the one before that.
func ParseSwedishNumber(text string, now time.Time) (SwedishNumber, error) {
	text = strings.TrimSpace(text)
	plus := strings.Contains(text, "+")
	digits := strings.NewReplacer("-", "", "+", "", " ", "").Replace(text)
	switch {
	case digits == "":
		return SwedishNumber{}, fmt.Errorf("it is missing")
	case strings.Trim(digits, "0123456789") != "":
		return SwedishNumber{}, fmt.Errorf("a number has digits only")
	case len(digits) != 10 && len(digits) != 12:
		return SwedishNumber{}, fmt.Errorf("a number has 10 or 12 digits and this has %d", len(digits))
	case !luhn(digits[len(digits)-10:]):
		return SwedishNumber{}, fmt.Errorf("its check digit is wrong")
	}
	if isOrganisation(digits) {
		return SwedishNumber{Digits: digits[len(digits)-10:]}, nil
	}
	if len(digits) == 12 {
		return newPersonal(digits, now)
	}
	var err error
	skip := plus
	for year := now.Year() / 100; year >= 18; year-- {
		var n SwedishNumber
		if n, err = newPersonal(fmt.Sprintf("%02d%s", year, digits), now); err == nil {
			if !skip {
				return n, nil
			}
			skip = false
		}
	}
	return SwedishNumber{}, err
}

// isOrganisation tells an organisation's number from a person's: its third and
// fourth digit are no month. With twelve digits it begins with 16.
func isOrganisation(digits string) bool {
	if len(digits) == 12 && !strings.HasPrefix(digits, "16") {
		return false
	}
	return digits[len(digits)-8] >= '2'
}

func newPersonal(digits string, now time.Time) (SwedishNumber, error) {
	n := SwedishNumber{Digits: digits, Coordination: digits[6] >= '6'}
	born, err := time.Parse(time.DateOnly, string(n.Birth()))
	switch {
	case err != nil || born.Year() < 1800:
		return SwedishNumber{}, fmt.Errorf("%s-%s-%s in it is no day", digits[:4], digits[4:6], digits[6:8])
	case born.After(now):
		return SwedishNumber{}, fmt.Errorf("the day in it is still to come")
	}
	return n, nil
}

// luhn checks the last digit of a number.
func luhn(digits string) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
