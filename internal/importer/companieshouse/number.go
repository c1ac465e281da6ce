package companieshouse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/biter777/countries"

	"bureau/internal/company"
)

const gb = "GB"

// The registers of the three jurisdictions, as GLEIF numbers them.
const (
	englandWales    = "RA000585"
	northernIreland = "RA000586"
	scotland        = "RA000587"
)

var (
	errNoNumber  = errors.New("there is no company number")
	errBadNumber = errors.New("that is not a company number")
)

// number makes a company number eight characters: digits are padded behind the
// prefix ("SC12345" is SC012345). A number in one of the old forms that end in
// a letter (SP29395R) stays as it is.
func number(s string) (string, error) {
	s = strings.TrimSpace(s)
	if len(s) == 8 && isDigits(s) {
		return s, nil
	}
	if s == "" {
		return "", errNoNumber
	}
	s = strings.ToUpper(strings.ReplaceAll(s, " ", ""))
	digits := strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	prefix := s[:len(s)-len(digits)]
	if len(s) > 8 || len(prefix) > 2 || digits == "" || !isDigits(digits[:1]) {
		return "", errBadNumber
	}
	if isDigits(digits) {
		return prefix + "00000000"[:8-len(s)] + digits, nil
	}
	if len(s) != 8 {
		return "", errBadNumber
	}
	for _, r := range digits {
		if (r < '0' || r > '9') && (r < 'A' || r > 'Z') {
			return "", errBadNumber
		}
	}
	return s, nil
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// register is the one of the three that gave a number: Scotland's prefixes are
// S and a letter, Northern Ireland's N and a letter; R is its oldest.
func register(number string) string {
	switch {
	case isDigits(number[:2]):
		return englandWales
	case number[0] == 'S':
		return scotland
	case number[0] == 'N', number[0] == 'R' && isDigits(number[1:2]):
		return northernIreland
	}
	return englandWales
}

// atHome says that a number belongs to a company or LLP that by law has its
// registered office in the United Kingdom. Overseas companies and entities,
// partnerships and the like do not.
func atHome(number string) bool {
	switch number[:2] {
	case "SC", "NI", "OC", "SO", "NC":
		return true
	}
	return isDigits(number)
}

// day reads dd/mm/yyyy. What is no date is left out: the publisher writes
// empty ones in several ways.
func day(s string) company.Date {
	if len(s) != 10 || s[2] != '/' || s[5] != '/' {
		return ""
	}
	return ymd(s[6:10], s[3:5], s[0:2])
}

// packedDay reads yyyymmdd; 00000000 and spaces are no date.
func packedDay(s string) company.Date {
	if len(s) != 8 {
		return ""
	}
	return ymd(s[:4], s[4:6], s[6:8])
}

func ymd(y, m, d string) company.Date {
	if !isDigits(y) || !isDigits(m) || !isDigits(d) || y < "1000" ||
		m < "01" || m > "12" || d < "01" || d > "31" {
		return ""
	}
	return company.Date(y + "-" + m + "-" + d)
}

// yearEnd is the last day of a financial year as month and day; some companies
// have none, which the publisher writes as 99 99.
func yearEnd(day, month string) string {
	d, m := small(day), small(month)
	if m < 1 || m > 12 || d < 1 || d > [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1] {
		return ""
	}
	return yearEnds[m][d]
}

// yearEnds are all of them, written out once.
var yearEnds = func() (out [13][32]string) {
	for m := range out {
		for d := range out[m] {
			out[m][d] = fmt.Sprintf("%02d-%02d", m, d)
		}
	}
	return out
}()

// small is a number of one or two digits, or -1.
func small(s string) int {
	if len(s) > 2 || !isDigits(s) {
		return -1
	}
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

var plainer = strings.NewReplacer("&", " and ", "(", " ", ")", " ", ".", "")

// countryCode is the ISO 3166 code of a country by the names that filers give
// it, or empty.
func countryCode(name string) string {
	if name == "" {
		return ""
	}
	s := strings.ToLower(strings.Join(strings.Fields(plainer.Replace(name)), " "))
	s = strings.TrimPrefix(s, "the ")
	switch s {
	case "england", "wales", "scotland", "northern ireland", "n ireland", "united kingdom", "uk", "gb",
		"great britain", "britain", "england and wales", "england wales", "england/wales", "cymru":
		return gb
	case "republic of ireland", "eire":
		return "IE"
	}
	if strings.HasPrefix(s, "united kingdom ") || strings.HasPrefix(s, "england, ") || strings.HasSuffix(s, " united kingdom") {
		return gb
	}
	if c := countries.ByName(s); c.IsValid() {
		return c.Alpha2()
	}
	if i := strings.LastIndexByte(s, ','); i >= 0 { // "Minnesota, USA"
		return countryCode(s[i+1:])
	}
	return ""
}
