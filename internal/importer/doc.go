// Package importer brings publishers' files into the house.
//
// A Source is data and one function from bytes to records; there is one folder
// per publisher, which alone knows its column names. The Runner does what all
// have in common: opening files as they come, progress, refusing a file that
// was cut short, keeping bad records aside, and handing the good ones on in
// batches.
package importer
