package brreg

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"bureau/internal/company"
)

// checkNumber says what is wrong with an organisation number: its last digit
// checks the others (mod 11).
func checkNumber(s string) error {
	if len(s) != 9 || strings.Trim(s, "0123456789") != "" {
		return fmt.Errorf("%q is no organisation number: it has nine digits", s)
	}
	total := 0
	for i, weight := range []int{3, 2, 7, 6, 5, 4, 3, 2, 1} {
		total += weight * int(s[i]-'0')
	}
	if total%11 != 0 {
		return fmt.Errorf("organisation number %s has a wrong check digit", s)
	}
	return nil
}

// date reads the day of a date or time. What is no day was not said.
func date(s string) company.Date {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return ""
	}
	for i := range 10 {
		if i != 4 && i != 7 && (s[i] < '0' || s[i] > '9') {
			return ""
		}
	}
	if m, d := s[5:7], s[8:10]; m < "01" || m > "12" || d < "01" || d > "31" {
		return ""
	}
	return company.Date(s[:10])
}

// minor turns an amount, "30000.5", into hundredths.
func minor(s string) (int64, bool) {
	whole, part, _ := strings.Cut(s, ".")
	part = (part + "00")[:2]
	n, err := strconv.ParseInt(whole+part, 10, 64)
	return n, err == nil
}

// unescapeR undoes what R writes for letters that its console cannot show:
// "Bokm<U+00E5>l".
func unescapeR(raw []byte) []byte {
	mark := []byte("<U+")
	if !bytes.Contains(raw, mark) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for {
		i := bytes.Index(raw, mark)
		if i < 0 {
			return append(out, raw...)
		}
		out = append(out, raw[:i]...)
		raw = raw[i:]
		end := bytes.IndexByte(raw[:min(len(raw), 12)], '>')
		n, err := strconv.ParseUint(string(raw[len(mark):max(end, len(mark))]), 16, 32)
		if end < 0 || err != nil || !utf8.ValidRune(rune(n)) || n < 0x20 || n == '"' || n == '\\' {
			out = append(out, mark...)
			raw = raw[len(mark):]
			continue
		}
		out = utf8.AppendRune(out, rune(n))
		raw = raw[end+1:]
	}
}
