// Package ofac reads the lists of the Office of Foreign Assets Control of the
// United States: the Specially Designated Nationals and the consolidated list of
// all others. Each comes as a set of CSV files, as XML and as "advanced" XML.
//
// The CSV files say most of what they know in one column of remarks, clause by
// clause, and cut what does not fit into a file of its own. The three forms
// give the same entries as far as the same is in them.
package ofac
