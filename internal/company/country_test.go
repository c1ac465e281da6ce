package company

import "testing"

func TestCountries(t *testing.T) {
	for code, want := range map[string]bool{
		"GB": true, "SE": true, "XK": true, "gb": false, "ZZ": false, "UK": false, "XX": false, "GBR": false, "G": false, "": false, "1A": false,
	} {
		if IsCountry(code) != want {
			t.Errorf("%q is a country: want %v", code, want)
		}
	}
}
