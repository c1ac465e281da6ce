// Package eu reads the consolidated list of financial sanctions of the European
// Union, in version 1.1 of its CSV and of its XML.
//
// The CSV says one fact in each row and repeats whom it is about; the rows of an
// entry are put together by its logical id, which both forms have.
package eu
