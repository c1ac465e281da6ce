// Package national is what one country's services ask of the others: the Swedish
// services (units, date checks, signatories, data in blocks, search, population
// register) and the German companies that are not limited.
//
// It knows the rules of a country, such as how a signing rule is read, and
// nothing of how its services are spoken on the wire.
package national
