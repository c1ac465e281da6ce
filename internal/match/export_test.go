package match

import (
	"slices"

	"bureau/internal/match/roman"
)

// Bound lets a net remember less, for tests.
func (n *Net) Bound(most int) { n.most, n.room = most, most }

// Known is how many words a net remembers.
func (n *Net) Known() int { return len(n.known) }

// Bound lets a reader remember less, for tests.
func (r *Reader) Bound(most int) { r.most = most }

// Heard is what it costs to turn one sound into another, and what hearing says
// that it costs at least, by the bones of both and by how they look.
func Heard(a, b string, form roman.Form) (cost, least, looks int32) {
	h := &hearings[form]
	x, y := token{sound: a, bones: letters(a) &^ vowels}, token{sound: b, bones: letters(b) &^ vowels}
	l, m := newLook(&x), newLook(&y)
	return spoken(a, b, costsFor[form], 1<<20), h.atLeast(len(a), len(b), x.bones, y.bones), l.heard(&m, h)
}

// InOne says whether the words of a name are another word in one, or its acronym,
// and whether that is thought possible before their letters are compared.
func InOne(k Kind, name, whole string) (is, may bool) {
	words, one := Read(k, name).readings[0].tokens, Read(k, whole).readings[0].tokens[0]
	j := newNetJoint(words)
	w := newNetWhole(&one)
	return inOne(words, &one), j.mayBe(&w)
}

// LookAlike compares each word of a name with each of another: how many are alike,
// how many are turned away by how they look, and two that are both.
func LookAlike(k Kind, name, other string) (alike, away int, missed string) {
	for _, a := range Read(k, name).readings {
		for _, b := range Read(k, other).readings {
			for i := range a.tokens {
				for j := range b.tokens {
					x, y := &a.tokens[i], &b.tokens[j]
					l, m := newLook(x), newLook(y)
					like, how := likeness(x, y)
					is, may := like > 0 && how != first, l.mayBeLike(&m)
					switch {
					case is && !may:
						missed = x.text + " and " + y.text
					case is:
						alike++
					case !may:
						away++
					}
				}
			}
		}
	}
	return alike, away, missed
}

// Forgotten is a name without what its Reader remembers of its words.
func (n Name) Forgotten() Name {
	n.readings = slices.Clone(n.readings)
	for i := range n.readings {
		n.readings[i].tokens = slices.Clone(n.readings[i].tokens)
		for j := range n.readings[i].tokens {
			n.readings[i].tokens[j].sense = nil
		}
	}
	return n
}
