// Package pdf draws documents that people send on: a page, its header and
// footer, headings, facts, tables, charts and the picture of a score, on the
// tokens of the house's look.
//
// What is written never comes out as empty boxes. The fonts that come with the
// program have Latin, Greek and Cyrillic; others are taken from a folder; what
// none of them has is written in Latin letters, and a note says so. Characters
// that turn the direction of writing, or that nobody sees, are left out: a name
// cannot make a document say something else.
//
// It knows nothing of companies: whoever has something to say puts it together.
package pdf
