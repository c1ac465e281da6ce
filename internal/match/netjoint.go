package match

import (
	"math"
	"math/bits"

	"bureau/internal/match/roman"
)

// A netJoint is what is known of words in a row before they are written in one: it
// turns away nearly all words that they cannot be, and none that they are.
type netJoint struct {
	several uint8     // how many ways there are to join the first with those behind it
	size    [2]uint16 // of two, and of three
	mask    [2]uint32 // which letters those have
	guess   bool      // the letters are no more than a guess
	all     uint32    // which letters all have
}

func newNetJoint(tokens []token) (j netJoint) {
	size, mask := 0, uint32(0)
	j.guess = tokens[0].script > roman.Plain
	for i := range tokens {
		t := &tokens[i]
		if i < 3 {
			size += len(t.text)
			mask |= t.mask
			j.guess = j.guess || t.class == number // which has lost its zeros
		}
		if i == 1 || i == 2 {
			j.size[i-1], j.mask[i-1], j.several = uint16(size), mask, uint8(i)
		}
		j.all |= t.mask
	}
	return j
}

// joinFacts are what mayBe asks of a word.
func (t *token) joinFacts() wordFacts {
	return wordFacts{Mask: t.mask, Script: uint8(t.script), TextLen: uint8(min(len(t.text), math.MaxUint8))}
}

// mayBe says whether the words may be another as inOne sees it. It goes through the
// ways in which that finds them to be.
func (j *netJoint) mayBe(f *wordFacts) bool {
	whole := int(f.TextLen)
	if whole >= leastInitials && whole <= maxAcronym && f.Mask&^j.all == 0 {
		return true
	}
	for i := range j.several {
		// Between letters that are sure no more than one may differ.
		if joinable(int(j.size[i]), whole) && (j.guess || f.Script > uint8(roman.Plain) || j.size[i] > maxWord ||
			bits.OnesCount32(j.mask[i]&^f.Mask) <= 1 && bits.OnesCount32(f.Mask&^j.mask[i]) <= 1) {
			return true
		}
	}
	return false
}
