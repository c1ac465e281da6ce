// Package bods reads statements in the Beneficial Ownership Data Standard,
// version 0.4: an array or JSON lines, of entities, persons and relationships.
//
// Who owns whom stands in three statements that refer to each other by record,
// in any order, and a record may be stated again: the newest statement holds. So
// a file is read to its end before anything is yielded. What it says is kept in
// a scratch file meanwhile, without what we do not keep (tax numbers, home
// addresses, days of birth), and memory holds 16 bytes for each record, which
// comes to 40 or so with the map around them: 200 MB for five million.
//
// An entity becomes a statement about the company that its identifiers name, a
// relationship one about its subject, with one owner. Relationships refer only
// to records of the same file.
package bods
