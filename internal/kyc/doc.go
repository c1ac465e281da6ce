// Package kyc screens people and companies against lists.
//
// A list is what a publisher says of whom to be careful with: sanctions,
// politically exposed people, the operator's own watchlist. An Entry is one
// person, company, ship or aircraft on it, told apart by the publisher's own
// number, so that it is the same entry in every import. Every import that
// changes a list makes a version of it; versions are kept, and every entry that
// came, changed or went is a Change with a number that only grows.
//
// An Intake takes a file into the store: whole, or not at all. An Index holds
// the names of all entries in memory and follows the log of changes. A Screener
// asks it, and says with every answer which lists it looked at, and what it
// could not look at: an answer without hits is never silent about that.
//
// What does not belong here: formats of publishers (importer), how names are
// compared (match).
package kyc
