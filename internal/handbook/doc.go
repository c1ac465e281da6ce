// Package handbook is the API's documents at /docs: a page for each operation,
// made from the OpenAPI document that the service serves, and the list of
// changes.
//
// A page says what an operation does, what it takes and what it answers, shows a
// line for curl, and sends the operation's sample to this server when asked to.
// Every page can be read without a script; sending needs one. Nothing is loaded
// from elsewhere, and no script or style is inline.
//
// What does not belong here: descriptions of operations. They are in package
// api, beside the rows that they describe.
package handbook
