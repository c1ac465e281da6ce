package match

import (
	"math/bits"

	"bureau/internal/match/roman"
)

// A netLook is what a word looks like from afar. Nearly all words that are not alike
// are told apart by it, without their letters.
type netLook struct {
	mask, bones uint32
	symbol      uint16
	short       [shorts]uint16
	count       uint16 // the number that it is, or may be the word for
	text, sound uint8  // how long they are
	hard        uint8  // how many consonants the sound has
	open        uint8  // which vowels it has, as bits
	first       byte
	script      roman.Form
	class       class
	otherwise   bool // it has another sound to some
}

func newLook(t *token) netLook {
	l := netLook{
		mask: t.mask, bones: t.bones, symbol: t.symbol, short: t.short, text: uint8(min(len(t.text), 255)), sound: uint8(min(len(t.sound), 255)),
		hard: uint8(min(consonants(t.sound), 255)), open: openLetters(t.sound), script: t.script, class: t.class,
	}
	if t.text != "" {
		l.first = t.text[0]
	}
	switch {
	case t.class == number:
		l.count = t.symbol
	case t.class <= generic && len(t.text) > 2:
		l.count = known.numerals[t.text]
	}
	var buf [soundRoom]byte
	_, lettered := t.lettered(buf[:])
	_, voiced := t.voiced(buf[:])
	l.otherwise = lettered || voiced
	return l
}

// openLetters are the vowels of a sound, and its h.
func openLetters(sound string) (set uint8) {
	const open = "aeiouh"
	for i := range len(sound) {
		for j := range len(open) {
			if sound[i] == open[j] {
				set |= 1 << j
			}
		}
	}
	return set
}

// mayBeLike turns away nearly all words that are not like another before their
// letters are compared. It goes through the ways in which likeness finds words alike,
// and never turns away one that is.
func (a *netLook) mayBeLike(b *netLook) bool {
	if a.class == initial || b.class == initial {
		// That a word begins with an initial tells nothing, and counts as no word.
		// In another script it may be another letter with its sound.
		return a.text == b.text && a.mask == b.mask || a.class == b.class && max(a.script, b.script) > roman.Plain
	}
	longer, shorter := int(max(a.text, b.text)), int(min(a.text, b.text))
	missing, more := bits.OnesCount32(a.mask&^b.mask), bits.OnesCount32(b.mask&^a.mask)
	// By slips.
	if n := edits(longer); longer-shorter <= n && missing <= n && more <= n {
		return true
	}
	// Cut short, on either side: both begin with the same letter, and the shorter
	// has no letter that the longer has not.
	if a.first == b.first && (missing == 0 || more == 0) {
		return true
	}
	if a.maySoundLike(b) {
		return true
	}
	// By what they mean.
	if a.count != 0 && a.count == b.count {
		return true
	}
	if a.symbol|a.short[0] == 0 || b.symbol|b.short[0] == 0 {
		return false
	}
	x, y := token{symbol: a.symbol, short: a.short}, token{symbol: b.symbol, short: b.short}
	like, _ := sense(&x, &y)
	return like > 0
}

// mayBeJoined says whether words in one may be as like to another as they must be where
// letters are guesses: by slips, or by how they sound.
func (a *netLook) mayBeJoined(b *netLook) bool {
	const sounds, slips = costLetter * (likeSound - leastJoined) / 1.1, costLetter * (1 - leastJoined) // at most, for each letter
	worse := guessed(a.script, b.script)
	if worse == roman.Own {
		return false
	}
	size := int(max(a.sound, b.sound))
	if worse > roman.Alphabet {
		limit := sounds * acrossSize(size, int(max(a.hard, b.hard)), worse)
		return a.otherwise || b.otherwise || float32(a.heard(b, &hearings[worse])) <= limit
	}
	longer, shorter := int(max(a.text, b.text)), int(min(a.text, b.text))
	missing, more := bits.OnesCount32(a.mask&^b.mask), bits.OnesCount32(b.mask&^a.mask)
	limit := float32(slips * float32(min(longer, 16)))
	if longer > maxWord || float32(costLetter*(longer-shorter)) <= limit && float32(costAlike*max(missing, more)) <= limit {
		return true
	}
	return float32(a.heard(b, &hearings[worse])) <= sounds*float32(size)
}

// maySoundLike goes by how many letters sounds have, and by which.
func (a *netLook) maySoundLike(b *netLook) bool {
	worse := guessed(a.script, b.script)
	longer, shorter := int32(max(a.sound, b.sound)), int32(min(a.sound, b.sound))
	limit := 30 * longer
	switch {
	case worse == roman.Own:
		return false
	case worse > roman.Alphabet:
		if a.otherwise || b.otherwise {
			return true
		}
		limit = int32(30 * acrossSize(int(longer), int(max(a.hard, b.hard)), worse))
	case longer < 3:
		return longer == shorter && a.bones == b.bones
	case longer-shorter > 4 || bits.OnesCount32(a.bones&^b.bones) > 2 || bits.OnesCount32(b.bones&^a.bones) > 2:
		return false
	}
	return a.heard(b, &hearings[worse]) <= limit
}

// heard is what it costs at least to turn one sound into the other: it is what
// atLeast says, with the vowels that only one of them has, or what byNumber does.
func (a *netLook) heard(b *netLook, h *hearing) int32 {
	byNumber := int32(0)
	if max(a.sound, b.sound) <= maxWord {
		hard := int32(a.hard) - int32(b.hard)
		byNumber = h.byNumber(hard, int32(a.sound)-int32(b.sound)-hard)
	}
	own := h.oneSided(a.bones&^b.bones, b.bones) + h.open*int32(bits.OnesCount8(a.open&^b.open))
	other := h.oneSided(b.bones&^a.bones, a.bones) + h.open*int32(bits.OnesCount8(b.open&^a.open))
	if more := int32(min(a.sound, maxWord)) - int32(min(b.sound, maxWord)); more > 0 {
		other += more * h.gone
	} else {
		own -= more * h.gone
	}
	return max(own, other, byNumber)
}
