package company

import "github.com/biter777/countries"

// IsCountry reports whether two capital letters are the code of a country that
// there is.
func IsCountry(code string) bool {
	if len(code) != 2 {
		return false
	}
	c := countries.ByName(code)
	return c != countries.Unknown && c.Alpha2() == code
}
