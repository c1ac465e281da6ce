// Package uk reads the sanctions lists of the United Kingdom: the UK Sanctions
// List as CSV and XML, and the consolidated list of the Office of Financial
// Sanctions Implementation, which ended in January 2026, in both of its forms.
//
// A row of the CSV files is one name of an entry beside one of its addresses and
// one of its dates of birth: an entry has as many rows as there are ways to
// choose them, anywhere in the file. They are put together by the publisher's
// number of it.
package uk
