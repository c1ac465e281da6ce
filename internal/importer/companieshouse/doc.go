// Package companieshouse reads what the registrar of companies of the United
// Kingdom publishes: the companies themselves (product 217 as CSV, product 183
// in fixed columns), their officers (products 195 and 216), the persons with
// significant control (JSON lines) and the accounts (inline XBRL, and the plain
// XBRL of before).
//
// Each is a Source of its own, because each is published at its own time and is
// whole, or a feed, by itself. All of them speak of a company by its number,
// which is eight characters wherever it comes from: files that a spreadsheet
// has passed through lose the leading zeros, and get them back here.
//
// Daily transactions (product 101) are refused with a reason: a transaction
// says what changed, not what is, and the next snapshot says it again.
package companieshouse
