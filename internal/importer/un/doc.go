// Package un reads the consolidated list of the United Nations Security Council,
// which comes as XML.
package un
