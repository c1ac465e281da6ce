// Package bank answers whether a bank account can be right: the check digits of
// a British sort code and account number, of an IBAN and of the national number
// in it, the bank that a code belongs to, and whether the name that a payer
// knows is the name of who holds the account.
//
// Everything that is not a rule is imported: the modulus table of the British
// banks in its versions, the directory of branches and of bank codes, and the
// accounts that the operator knows the holders of. An answer has three states:
// what is not known is never taken for right or wrong.
//
// A Desk is the door: it verifies accounts, matches them with companies, and
// keeps what customers asked. Account numbers are kept as keyed fingerprints
// and shown with their last digits only.
//
// What does not belong here: formats of publishers (importer/bankdir).
package bank
