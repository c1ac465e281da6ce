// Package consumers reads people: our own JSON lines, which can say all that is
// kept of a person, and our own CSV for what most operators have. Both are told
// in docs/consumers-format.md.
package consumers
