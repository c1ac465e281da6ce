package match

import "bureau/internal/match/roman"

// Bound lets a net remember less, for tests.
func (n *Net) Bound(most int) { n.most, n.room = most, most }

// Known is how many words a net remembers.
func (n *Net) Known() int { return len(n.known) }

// Bound lets a reader remember less, for tests.
func (r *Reader) Bound(most int) { r.most = most }

// Heard is what it costs to turn one sound into another, and what hearing says
// that it costs at least.
func Heard(a, b string, form roman.Form) (cost, least int32) {
	x, y := letters(a)&^vowels, letters(b)&^vowels
	return spoken(a, b, costsFor[form], 1<<20), hearings[form].atLeast(len(a), len(b), x, y)
}

// InOne says whether the words of a name are another word in one, or its acronym,
// and whether that is thought possible before their letters are compared.
func InOne(k Kind, name, whole string) (is, may bool) {
	words, one := Read(k, name).readings[0].tokens, Read(k, whole).readings[0].tokens[0]
	j := newNetJoint(words)
	f := one.joinFacts()
	return inOne(words, &one), j.mayBe(&f)
}
