package e2e

import (
	"testing"
)

// pages are all that somebody can open from the rail and the menu.
var pages = []struct{ name, path, title string }{
	{"today", "/", "Today"},
	{"companies", "/companies?q=timber", "Companies"},
	{"company", "/companies/{company}", ""},
	{"portfolios", "/portfolios", "Portfolios"},
	{"portfolio", "/portfolios/100001", ""},
	{"rules", "/portfolios/100001/rules", ""},
	{"files", "/portfolios/100001/import", ""},
	{"portfolio-edit", "/portfolios/100001/edit", ""},
	{"events", "/events", "Events"},
	{"kyc", "/kyc", "KYC"},
	{"checks", "/checks", "Checks"},
	{"webhooks", "/webhooks", "Webhooks"},
	{"settings", "/settings", "Settings"},
	{"people", "/people", "People"},
	{"customers", "/operator/customers", "Customers"},
	{"customer", "/operator/customers/1001", ""},
	{"accounts", "/operator/accounts", "Accounts"},
	{"usage", "/operator/usage", "Usage"},
	{"imports", "/operator/imports", "Imports"},
	{"jobs", "/operator/jobs", "Jobs"},
	{"keys", "/operator/keys", "Keys"},
	{"audit", "/operator/audit", "Audit"},
	{"health", "/operator/health", "Health"},
}

func TestPages(t *testing.T) {
	for _, w := range []width{desk, phone} {
		t.Run(w.name, func(t *testing.T) {
			b := signedIn(t, w)
			for _, p := range pages {
				b.visit(path(p.path))
				b.until(p.name, `document.querySelector("main h1")`)
				b.shot(p.name)
			}
		})
	}
}
