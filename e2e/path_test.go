package e2e

import "strings"

// path puts the sandbox's own things into an address.
func path(text string) string {
	return strings.ReplaceAll(text, "{company}", home.card.CompanyID)
}
