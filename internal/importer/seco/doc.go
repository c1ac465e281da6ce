// Package seco reads the sanctions list of the Swiss State Secretariat for
// Economic Affairs, which comes as XML.
//
// Whoever was taken off the list stays in the file, with a modification that
// says so: such entries are read as listed formerly. Modifications also hold
// copies of what was added and removed, which are history and passed over.
package seco
