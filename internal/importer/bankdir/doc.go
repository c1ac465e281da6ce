// Package bankdir reads the directories of banks: the modulus table of the
// British banks, the branches behind sort codes, the bank codes of countries,
// and the accounts that an operator knows the holders of.
//
// The first and the German bank codes come as their publishers write them. For
// sort codes there is no open publisher, and accounts are the operator's own:
// both have a CSV of our own with a header line.
package bankdir
