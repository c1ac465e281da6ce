// Package listfile holds what the publishers of screening lists have in common:
// dates in words, countries by their names, texts with numbered parts, files in
// XML and CSV. What only one of them does is in that publisher's own folder.
package listfile
