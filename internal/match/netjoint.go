package match

import (
	"iter"
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
	firsts  uint32    // which of them words begin with
	next    uint64    // what the words begin with that an acronym may go on with, as pairs
}

func newNetJoint(tokens []token) (j netJoint) {
	size, mask, more := 0, uint32(0), true
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
		j.firsts |= letters(t.text[:min(1, len(t.text))])
		if i > 0 && more {
			j.next |= pairs(t.text[:min(2, len(t.text))])
			more = t.class == stop || t.class == particle // which may give none
		}
	}
	return j
}

// pairs is the set of those letters that stand side by side in a word, or rather of
// those that stand for them: one bit may be several pairs'.
func pairs(text string) (set uint64) {
	for i := 1; i < len(text); i++ {
		set |= 1 << ((text[i-1]*37 + text[i]) & 63)
	}
	return set
}

// A netWhole is what is known of a word before it is compared with others in one.
type netWhole struct {
	word  uint32 // of the index
	mask  uint32
	pairs uint64
	size  uint16
	guess bool // its letters are no more than a guess
}

func newNetWhole(t *token) netWhole {
	return netWhole{mask: t.mask, pairs: pairs(t.text), size: uint16(min(len(t.text), math.MaxUint8)), guess: t.script > roman.Plain}
}

// mayBe says whether the words may be another as inOne sees it. It goes through the
// ways in which that finds them to be.
func (j *netJoint) mayBe(w *netWhole) bool {
	if j.mayAbridge(w) {
		return true
	}
	whole := int(w.size)
	for i := range j.several {
		if !joinable(int(j.size[i]), whole) {
			continue
		}
		// Between letters that are sure few may differ.
		few := joinSlips(int(j.size[i]))
		if j.guess || w.guess || j.size[i] > maxWord || bits.OnesCount32(j.mask[i]&^w.mask) <= few && bits.OnesCount32(w.mask&^j.mask[i]) <= few {
			return true
		}
	}
	return false
}

// sizes are the lengths of the words that they may be in one.
func (j *netJoint) sizes() iter.Seq[int] {
	return func(yield func(int) bool) {
		from := 0
		for i := range j.several {
			for size := max(from, min(int(j.size[i])-2, sizes-1)); size <= min(int(j.size[i])+3, sizes-1); size++ {
				if !yield(size) {
					return
				}
				from = size + 1
			}
		}
	}
}

// jointLooks are words in a row, and what they look like in one: the first two, and
// three. That is worked out when it is asked for.
type jointLooks struct {
	words []token
	two   string // how the first two sound in one, if that is known
	known [2]bool
	looks [2]netLook
}

// mayBe says whether the words may sound like another in one. What joins words by their
// letters, or is their acronym, is not asked.
func (l *jointLooks) mayBe(j *netJoint, w *netWhole, look *netLook) bool {
	for i := range j.several {
		if joinable(int(j.size[i]), int(w.size)) && l.look(i, look.script).mayBeJoined(look) {
			return true
		}
	}
	return false
}

// look is that of so many words, as joinLike compares them with a word of a script.
func (l *jointLooks) look(i uint8, script roman.Form) *netLook {
	look := &l.looks[i]
	if !l.known[i] {
		var text [3 * maxWord]byte
		joint := text[:0]
		for _, t := range l.words[:i+2] {
			joint = append(joint, t.text...)
		}
		t := token{text: view(joint), sound: l.two, mask: letters(view(joint))}
		var heard [soundRoom]byte
		if i > 0 || t.sound == "" {
			t.sound = view(soundInto(heard[:0], t.text))
		}
		t.bones = letters(t.sound) &^ vowels
		*look, l.known[i] = newLook(&t), true
	}
	look.script, look.otherwise = script, script == roman.Syllabic && look.mask&jay != 0
	return look
}

// mayAbridge says whether a word may be the acronym of the words: its letters are the
// first of each, or it goes on with the next.
func (j *netJoint) mayAbridge(w *netWhole) bool {
	return w.size >= leastInitials && w.size <= maxAcronym && w.mask&^j.all == 0 && (w.mask&^j.firsts == 0 || w.pairs&j.next != 0)
}

// inOne says whether words, from the first on, are written in one as whole, or are
// its acronym, as an alignment would see it.
func inOne(words []token, whole *token) bool {
	if len(words) < 2 || words[0].text == whole.text || whole.class > generic && whole.class != particle {
		return false
	}
	guess := max(words[0].script, whole.script) > roman.Plain
	var buf [2 * maxWord]byte
	joint := buf[:0]
	for n := 0; n < min(3, len(words)); n++ {
		t := &words[n]
		if t.class == form || len(joint)+len(t.text) > min(len(whole.text)+2, len(buf)) {
			break
		}
		joint = append(joint, t.text...)
		if n > 0 && joinLike(joint, whole, guess) > 0 {
			return true
		}
	}
	return whole.class == word && len(whole.text) >= leastInitials && len(whole.text) <= maxAcronym &&
		whole.script <= roman.Alphabet && acronymOf(whole.text, words) > 1
}
