// Package fault names the failures that a caller can do something about.
//
// One question sorts every error: can the caller act on it? If so it is a
// fault, with a Kind that the wire turns into a status and a text written for
// the caller. Everything else is a plain error, written for us, and its text is
// shown to nobody outside.
package fault
