// Package documents reads a folder of documents that were filed: a manifest that
// says what each file is, and the files. docs/documents.md describes it.
package documents
