package gleif

import (
	"strings"
)

// A register is a national register of companies and how it writes numbers.
type register struct {
	country string
	number  func(string) string // as the country's own files have it; "" if it is none
}

// registers are those whose numbers are unique in their country, by the codes
// of the publisher's list of registration authorities. What is not here joins
// by LEI alone. That is on purpose for
//   - Germany, whose numbers begin again at each court;
//   - the United States, whose numbers begin again in each state;
//   - registers of funds, charities, banks and taxpayers (RA000190 is one of
//     French funds), whose numbers look like those of companies and are not.
var registers = map[string]register{
	"RA000017": {"AT", austria},
	"RA000025": {"BE", belgium},
	"RA000548": {"CH", swiss},
	"RA000549": {"CH", swiss},
	"RA000163": {"CZ", digits(8)},
	"RA000170": {"DK", digits(8)},
	"RA000181": {"EE", digits(8)},
	"RA000535": {"ES", spain},
	"RA000188": {"FI", finland},
	"RA000189": {"FR", digits(9)}, // SIRENE
	"RA000192": {"FR", digits(9)}, // RCS, with the same number
	"RA000585": {"GB", britain},
	"RA000586": {"GB", ulsterOrScotland},
	"RA000587": {"GB", ulsterOrScotland},
	"RA000402": {"IE", ireland},
	"RA000407": {"IT", digits(11)}, // the tax code; a REA number is not unique
	"RA000430": {"LT", digits(9)},
	"RA000432": {"LU", luxembourg},
	"RA000423": {"LV", digits(11)},
	"RA000463": {"NL", netherlands},
	"RA000472": {"NO", digits(9)},
	"RA000473": {"NO", digits(9)},
	"RA000484": {"PL", digits(10)},
	"RA000487": {"PT", digits(9)},
	"RA000544": {"SE", sweden},
	"RA000526": {"SK", digits(8)},
}

// nationalNumber is the number by which a company joins its national register,
// or nothing where that cannot be told safely.
func nationalNumber(country, authority, category, number string) string {
	reg, ok := registers[authority]
	if !ok || reg.country != country {
		return ""
	}
	// A branch has its head office's number, and the funds under one umbrella
	// have the umbrella's: they are not that company.
	if category == "BRANCH" || category == "FUND" {
		return ""
	}
	return reg.number(bare(number))
}

// ownNumber reports whether a number that does not join a national register may
// still be shown as the company's. A number that means another company in the
// same country may not: it would lead there.
func (r *record) ownNumber(country string) bool {
	if r.category == "BRANCH" || r.category == "FUND" || strings.Contains(r.jurisdiction, "-") {
		return false
	}
	switch country {
	case "DE": // unique only with its court, but its letters keep it apart
		return strings.HasPrefix(r.number, "HR") || strings.HasPrefix(r.number, "GnR") ||
			strings.HasPrefix(r.number, "PR") || strings.HasPrefix(r.number, "VR")
	case "", "US":
		return false
	}
	for _, reg := range registers {
		if reg.country == country {
			return false
		}
	}
	return true
}

// bare is a number without what people put between its digits.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r == ' ' || r == '.' || r == '-' || r == '/' || r == 0xa0:
			return -1
		}
		return r
	}, s)
}

// only reports whether s is made of lo to hi digits.
func only(s string, lo, hi int) bool {
	return len(s) >= lo && len(s) <= hi && strings.Trim(s, "0123456789") == ""
}

func pad(s string, n int) string { return strings.Repeat("0", max(0, n-len(s))) + s }

// digits is a number of so many digits, and no other.
func digits(n int) func(string) string {
	return func(s string) string {
		if only(s, n, n) {
			return s
		}
		return ""
	}
}

// britain writes eight characters: digits, or letters and then digits. The
// zeros in front are often lost on the way.
func britain(s string) string {
	if only(s, 1, 8) {
		return pad(s, 8)
	}
	return ulsterOrScotland(s)
}

// ulsterOrScotland needs its letters: without them the number would be that of
// a company in England.
func ulsterOrScotland(s string) string {
	if len(s) < 3 || len(s) > 8 || only(s, 3, 8) || strings.Trim(s, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	if letters := s[:2]; strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && only(s[2:], 1, 6) {
		return letters + pad(s[2:], 6)
	}
	if len(s) == 8 { // R0000123, IP12345R
		return s
	}
	return ""
}

func belgium(s string) string {
	s = strings.TrimPrefix(s, "BE")
	if only(s, 9, 10) {
		return pad(s, 10)
	}
	return ""
}

// netherlands pads, but not what is likely something else cut short.
func netherlands(s string) string {
	if only(s, 7, 8) {
		return pad(s, 8)
	}
	return ""
}

func ireland(s string) string {
	if s = strings.TrimLeft(s, "0"); only(s, 1, 7) {
		return s
	}
	return ""
}

// sweden writes ten digits; twelve are the same with the century in front.
func sweden(s string) string {
	if only(s, 12, 12) && strings.HasPrefix(s, "16") {
		s = s[2:]
	}
	if only(s, 10, 10) {
		return s
	}
	return ""
}

func finland(s string) string {
	if only(s, 8, 8) {
		return s[:7] + "-" + s[7:]
	}
	return ""
}

func swiss(s string) string {
	if strings.HasPrefix(s, "CHE") && only(s[3:], 9, 9) {
		return s
	}
	return ""
}

// austria writes digits and a letter that checks them.
func austria(s string) string {
	s = strings.TrimPrefix(s, "FN")
	if n := len(s) - 1; n > 0 && only(s[:n], 1, 6) && s[n] >= 'A' && s[n] <= 'Z' {
		return s
	}
	return ""
}

// luxembourg writes a letter for the section and digits.
func luxembourg(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && only(s[1:], 1, 7) {
		return s
	}
	return ""
}

// spain writes a letter, seven digits and a check.
func spain(s string) string {
	if len(s) == 9 && s[0] >= 'A' && s[0] <= 'Z' && only(s[1:8], 7, 7) {
		return s
	}
	return ""
}
