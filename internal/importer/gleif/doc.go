// Package gleif reads the files of the Global LEI Foundation: who is who (LEI
// records), who owns whom (relationships), and why a parent is not named
// (reporting exceptions).
//
// Each comes as XML, JSON or CSV, as a full file or as a delta; the first bytes
// tell which. A delta holds whole records, so it is read like a full file. The
// three formats are three spellings of one tree, which shape.go draws once:
// what is read fills a record, and lei.go and relationship.go say what a record
// means. register.go knows the numbers of national registers.
//
// Both sources are feeds, since most files are deltas. A golden copy holds every
// LEI that was ever issued and may be imported with --whole. Relationships and
// exceptions are two files of one source: a whole import of the one would take
// away the other. Their deltas say what is gone.
package gleif
