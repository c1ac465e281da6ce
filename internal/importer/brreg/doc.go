// Package brreg reads the Norwegian register of legal entities: the list of
// units (a gzipped array), the list of sub-units, the list of roles, and the
// pages and single documents of the register's open service. Each value of a
// file tells by what is in it what it is.
//
// A unit is a company, by its organisation number. Other documents speak of
// parts of it: "roles" for who runs it, "update" for what the feed of updates
// says, and the own number of each sub-unit, which is a branch.
//
// In the feed of updates, Sletting says that a company was deleted. Fjernet says
// that the law made the register forget it: then all that this source ever said
// of it goes. What changed (Ny, Endring) the feed does not say; the next list
// does.
//
// The register gives the full birth dates of people in roles. Only year and
// month are kept.
package brreg
