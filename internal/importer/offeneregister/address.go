package offeneregister

import (
	"strings"

	"bureau/internal/company"
)

// address takes "Musterstraße 1, 20095 Hamburg." apart. Where the pattern is not
// clear, the text stays as it is beside the place of the registered office.
func address(text, office, state string) (company.Address, bool) {
	a := company.Address{Kind: company.Registered, City: office, Region: state, Country: "DE"}
	whole := strings.Trim(clean(text), ",; ")
	text = strings.TrimRight(whole, ".,; ")
	if text == "" {
		return a, office != ""
	}
	comma := strings.LastIndex(text, ", ")
	if comma < 0 {
		a.Lines = []string{whole}
		return a, true
	}
	post, city, ok := strings.Cut(text[comma+2:], " ")
	if !ok || len(post) != 5 || strings.Trim(post, "0123456789") != "" || strings.Trim(city, ".,; ") == "" {
		a.Lines = []string{whole}
		return a, true
	}
	a.Post, a.City = post, strings.Trim(city, ".,; ")
	rest := strings.Trim(text[:comma], ".,; ")
	if street, at, ok := strings.Cut(rest, "c/o "); ok {
		a.CareOf = strings.Trim(at, ".,; ")
		rest = strings.Trim(street, ".,; ")
	}
	if street, more, ok := strings.Cut(rest, ", "); ok {
		a.Street, a.Lines = street, []string{more}
	} else {
		a.Street = rest
	}
	return a, true
}
