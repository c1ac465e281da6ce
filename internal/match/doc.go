// Package match answers one question for the whole house: is this the same name?
//
// A Name is a text that was read: split into words, romanised where it is not
// Latin, each word known for what it is (a legal form, an initial, a number, a
// title, a common word of the trade) and for how rare it is. Compare aligns two
// names and says how likely they mean the same person or company: a Verdict with
// a score, a calibrated probability, a grade per feature and reasons in words. A
// Subject adds what else is known, such as a date of birth. Such facts can weaken
// a name or confirm it, but never lift a weak one to an alert.
//
// An Index holds millions of subjects and finds those whose names are near to
// one that is asked for, whatever was mistyped in it.
//
// Weights are data: weights.json, made by the program in fit/. How it works is
// told in docs/matching.md.
//
// What does not belong here: lists, registers, decisions about a hit.
package match
