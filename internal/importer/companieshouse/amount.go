package companieshouse

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// amount reads a figure as it is printed and returns it in units of 10^-digits:
// with two digits, pounds become pence. ok is false where there is no figure.
// format is the publisher's name for the way it is printed, without prefix;
// scale the power of ten that it was divided by.
func amount(printed, format string, scale, digits int) (n int64, ok bool, err error) {
	decimal := byte('.')
	switch strings.ToLower(strings.ReplaceAll(format, "-", "")) {
	case "numdash", "zerodash", "fixedzero", "numzerodash":
		return 0, true, nil
	case "nocontent", "fixedempty":
		return 0, false, nil
	case "numcommadecimal", "numdotcomma", "numspacecomma":
		decimal = ','
	}
	s := strings.TrimSpace(printed)
	switch strings.ToLower(s) {
	case "":
		return 0, false, nil
	case "-", "–", "—", "−", "nil": // how nothing is printed
		return 0, true, nil
	}
	var figures []byte
	after, negative := 0, false
	point := false
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			figures = append(figures, byte(r))
			if point {
				after++
			}
		case r == rune(decimal) && !point:
			point = true
		case r == '(' || r == '-' || r == '−':
			negative = true
		case strings.ContainsRune(",.' )+£$€\u00a0\u2009\u202f", r) || r == '\n' || r == '\t' || r == '\r':
		default:
			return 0, false, fmt.Errorf("%q is no figure", s)
		}
	}
	if len(figures) == 0 {
		return 0, false, fmt.Errorf("%q is no figure", s)
	}
	n, err = shift(figures, scale+digits-after)
	if negative {
		n = -n
	}
	return n, err == nil, err
}

// shift is a number times ten to the power of by, rounded to a whole.
func shift(figures []byte, by int) (int64, error) {
	figures = []byte(strings.TrimLeft(string(figures), "0"))
	if len(figures) == 0 {
		return 0, nil
	}
	if len(figures)+by > 18 || by < -1000 {
		return 0, fmt.Errorf("%s is too large", figures)
	}
	up := int64(0)
	if by < 0 {
		cut := len(figures) + by
		if cut < 0 {
			return 0, nil
		}
		if figures[cut] >= '5' {
			up = 1
		}
		figures = figures[:cut]
	} else {
		figures = append(figures, strings.Repeat("0", by)...)
	}
	if len(figures) == 0 {
		return up, nil
	}
	n, err := strconv.ParseInt(string(figures), 10, 64)
	if err != nil || n == math.MaxInt64 {
		return 0, fmt.Errorf("%s is too large", figures)
	}
	return n + up, nil
}

// minorDigits is how many digits the minor unit of a currency has.
func minorDigits(currency string) int {
	switch currency {
	case "JPY", "KRW", "ISK", "CLP", "VND", "XAF", "XOF", "XPF", "PYG", "UGX", "RWF", "DJF", "GNF", "KMF", "BIF", "VUV":
		return 0
	case "KWD", "BHD", "OMR", "JOD", "TND", "IQD", "LYD":
		return 3
	}
	return 2
}
