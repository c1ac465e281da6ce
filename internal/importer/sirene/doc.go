// Package sirene reads the register of French companies and their
// establishments: the files StockUniteLegale and StockEtablissement, as CSV. The
// header tells which of the two it is, and columns are found by name, since the
// publisher inserts new ones.
//
// A company is known by its SIREN. An establishment says where: it is a part of
// its company, by its SIRET. The head office gives the registered address, open
// establishments are branches, closed ones former addresses.
//
// Who asked the publisher not to be shown is not stored: of such a record only
// number, status, dates, form and activity are read, and it is marked withheld.
package sirene
