package bench

import "slices"

// How much data there is on a user's own machine: what takes a minute or two in
// all. Ratios hardly depend on it.
const (
	ownAccounts   = 4
	ownCompanies  = 5_000
	ownImport     = 20_000
	ownEntries    = 5_000
	ownDeliveries = 3_000
)

// ownRows are the rows that users measure on their own machines.
func ownRows() (out []row) {
	all := rows()
	for _, own := range []struct{ name, what string }{
		{"tokens", "tokens for issued passwords"},
		{"me", "GET /access/users/me: a protected call"},
		{"find-number", "GET /companies by country and number, of 5,000 invented companies"},
		{"find-name", "GET /companies by mistyped names of 30,000 invented companies, 8 clients"},
		{"kyc-search", "POST of a search on an invented list of 5,000, kept, counted and audited, 8 clients"},
		{"import", "20,000 invented companies in the British register's format, read twice and taken into an empty database"},
		{"told", "p99 from the commit of a change to the first byte at a webhook, of 10 customers with 10 changes/s each, while another has 1,000/s"},
		{"deliver", "3,000 events delivered to 8 webhooks: each kept before and after, signed twice, both signatures verified by the endpoint"},
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
