// Package csvfile reads CSV files in formats of our own: a first line that names
// the columns, in any order and case, and one record a line.
package csvfile
