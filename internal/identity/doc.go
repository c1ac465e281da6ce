// Package identity answers who a person is: whether somebody of a name, a date
// of birth and an address is known, and what is known against them.
//
// A Consumer is a person that the operator loaded. A Desk is the door: it
// searches identities and keeps what customers asked, verifies individuals and
// directors, and finds people by the numbers of a population register. Rights
// are what the person may ask of us: a copy of all that is held and of who
// looked at it, a correction, an objection. Whatever a service shows, it shows
// as the person's rights leave it.
//
// Numbers of bank accounts and of documents are kept as keyed fingerprints.
//
// What does not belong here: what one country's service makes of this
// (package national), formats of files (importer/consumers).
package identity
