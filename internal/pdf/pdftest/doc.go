// Package pdftest reads back what package pdf drew, for tests.
package pdftest
