// Package roman writes words of any script in Latin letters, so that a name can
// be compared with itself as another country spells it.
//
// It does not aim at one correct romanisation; there is none. Each script gets
// the spelling that is nearest to most of those in use, and a Form that says how
// far its letters can be trusted: the vowels of an abjad are guesses, a syllabary
// cannot write two consonants in a row. Whoever compares words forgives as much
// as the Form calls for. Where readings truly differ (the same Han characters in
// Beijing, Hong Kong, Seoul and Tokyo) there are several.
package roman
