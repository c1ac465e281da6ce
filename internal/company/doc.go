// Package company is the register: what a company is, what each source says of
// it, how that becomes one company, and the log of what changed.
//
// A source (a publisher's file) makes statements: what one record says about
// one company. Statements about the same company are kept side by side, each
// under its source; a Company is what they come to together, field by field,
// the best source first. When a statement changes or goes, the company is put
// together anew, compared with what it was, and every difference is a Change
// with a number that only grows. Everything downstream reads that log.
//
// What does not belong here: formats of publishers (importer), rules about
// events (monitor), how names are compared (match).
package company
