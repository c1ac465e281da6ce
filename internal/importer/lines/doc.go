// Package lines reads and writes companies in our own format: one JSON object
// on a line, with full words for all that company.Facts can hold.
// docs/companies-format.md describes it.
//
// It is how an operator brings in what it knows itself, how companies leave the
// house, and how the invented world comes in. It is strict: a field that it
// does not know, a date that is none or a word outside its list makes a bad
// record that says which, since a misspelt field would be lost in silence.
package lines
