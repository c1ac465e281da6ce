package match

import "strings"

// An Identifier is a number that somebody gave a subject: a register's number, a
// LEI, a tax number.
type Identifier struct {
	Kind  string // "lei", "bic", "inn"…; those without a rule of ours are compared as they are
	Value string
}

// Valid says whether an identifier can be what it says it is. One that fails its
// own checksum was mistyped or made up, and says nothing.
func (id Identifier) Valid() bool {
	v := id.plain()
	if len(v) < 4 || strings.Trim(v, "0") == "" {
		return false
	}
	switch strings.ToLower(id.Kind) {
	case "lei":
		return len(v) == 20 && mod97(v) == 1
	case "iban":
		return len(v) > 8 && mod97(v[4:]+v[:4]) == 1
	case "isin":
		return len(v) == 12 && luhn(v)
	case "imo":
		return imo(v)
	case "inn":
		return inn(v)
	}
	return true
}

func (id Identifier) plain() string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, id.Value)
}

// mod97 is the remainder of a number whose letters stand for 10 to 35.
func mod97(s string) int {
	n := 0
	for _, c := range s {
		if c >= 'A' {
			n = (n*100 + int(c-'A') + 10) % 97
		} else {
			n = (n*10 + int(c-'0')) % 97
		}
	}
	return n
}

// luhn checks the last digit, letters standing for two digits each.
func luhn(s string) bool {
	var digits []int
	for _, c := range s {
		if c >= 'A' {
			v := int(c-'A') + 10
			digits = append(digits, v/10, v%10)
		} else {
			digits = append(digits, int(c-'0'))
		}
	}
	sum := 0
	for i := range digits {
		d := digits[len(digits)-1-i]
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// imo checks a ship's number: the first six digits times 7 to 2 end in the last.
func imo(v string) bool {
	v = strings.TrimPrefix(v, "IMO")
	if len(v) != 7 || !isNumber(v) {
		return false
	}
	sum := 0
	for i := range 6 {
		sum += int(v[i]-'0') * (7 - i)
	}
	return sum%10 == int(v[6]-'0')
}

// inn checks a Russian tax number of a company (10 digits) or a person (12).
func inn(v string) bool {
	check := func(weights ...int) bool {
		sum := 0
		for i, w := range weights {
			sum += w * int(v[i]-'0')
		}
		return sum%11%10 == int(v[len(weights)]-'0')
	}
	switch {
	case !isNumber(v):
		return false
	case len(v) == 10:
		return check(2, 4, 10, 3, 5, 9, 4, 6, 8)
	case len(v) == 12:
		return check(7, 2, 4, 10, 3, 5, 9, 4, 6, 8) && check(3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)
	}
	return false
}

// compareIdentifiers says whether two subjects share an identifier, or have
// different ones of the same kind.
func compareIdentifiers(a, b []Identifier) agreement {
	result := unknown
	for _, x := range a {
		for _, y := range b {
			if !strings.EqualFold(x.Kind, y.Kind) || !x.Valid() || !y.Valid() {
				continue
			}
			if x.plain() == y.plain() {
				return agree
			}
			result = differ
		}
	}
	return result
}
