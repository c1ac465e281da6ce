// Package jsonfile splits files of JSON into their values: the elements of one
// array, JSON lines, or values printed over many lines one after the other.
//
// It looks at brackets and quotes only; whoever decodes a value finds out
// whether it is good JSON. So a broken value is one bad record, and the next
// one is read again. Memory holds one value, whatever the size of the file.
package jsonfile
