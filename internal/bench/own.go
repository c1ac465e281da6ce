package bench

import (
	"fmt"
	"slices"
)

// How much data there is on a user's own machine: what takes a minute or two in
// all. Ratios hardly depend on it.
const (
	ownAccounts   = 4
	ownCompanies  = 5_000
	ownImport     = 10_000
	ownNames      = findMany / findOwn
	ownEntries    = 5_000
	ownDeliveries = 2_000
)

// ownRows are the rows that users measure on their own machines.
func ownRows() (out []row) {
	all := rows()
	n := func(format string, count int) string { return fmt.Sprintf(format, grouped(int64(count))) }
	for _, own := range []struct{ name, what string }{
		{"tokens", "tokens for issued passwords"},
		{"me", "GET /access/users/me: a protected call"},
		{"find-number", n("GET /companies by country and number, of %s invented companies", ownCompanies)},
		{"find-name", n("GET /companies by mistyped names of %s invented companies, 8 clients", ownNames)},
		{"kyc-search", n("POST of a search on an invented list of %s, kept, counted and audited, 8 clients", ownEntries)},
		{"import", n("%s invented companies in the British register's format, read twice and taken into an empty database", ownImport)},
		{"told", "p99 from the commit of a change to the first byte at a webhook, of 10 customers with 10 changes/s each, while another has 1,000/s"},
		{"deliver", n("%s events delivered to 8 webhooks: each kept before and after, signed twice, both signatures verified by the endpoint", ownDeliveries)},
	} {
		b := all[slices.IndexFunc(all, func(b row) bool { return b.name == own.name })]
		// The goals are for all of the data.
		b.what, b.goal, b.also = own.what, goal{}, slices.Clone(b.also)
		b.accounts = min(b.accounts, ownAccounts)
		if b.companies > 0 {
			b.companies = ownCompanies
		}
		if b.name == "told" {
			b.also = b.also[:2] // the third takes as long again
		}
		for i := range b.also {
			b.also[i].goal = goal{}
		}
		out = append(out, b)
	}
	return out
}

// RowNames are the names of the rows that users measure.
func RowNames() string { return names(ownRows()) }
