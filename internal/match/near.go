package match

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"bureau/internal/match/roman"
)

// nextRound forgets which words were looked at.
func (sr *searcher) nextRound() {
	if sr.round++; sr.round == 0 {
		clear(sr.seen)
		sr.round = 1
	}
}

// findAlike finds the words of a segment that are like t.
func (sr *searcher) findAlike(s *segment, k Kind, t *token) {
	sr.nextRound()
	from := len(sr.leads)
	text := []byte(t.text)
	if t.script == roman.Own || t.class == number {
		sr.tryAll(s, k, t, s.near.bucket(hash32(seedWord, text)))
	} else {
		sr.findSpelt(s, k, t, text)
	}
	if t.symbol != 0 {
		sr.tryAll(s, k, t, s.bySymbol[symbolKey(k, t.symbol)])
	}
	for _, short := range t.short {
		if short != 0 {
			sr.tryAll(s, k, t, s.bySymbol[symbolKey(k, short)])
		}
	}
	sr.findCut(s, k, t, text)
	if found := sr.leads[from:]; len(found) > maxAlike {
		// Of words that are equally like it the common one was probably meant.
		slices.SortFunc(found, func(a, b lead) int {
			return cmp.Or(cmp.Compare(b.like, a.like), s.posts(b.word)-s.posts(a.word), int(a.word)-int(b.word))
		})
		sr.leads = sr.leads[:from+maxAlike]
	}
}

// findSpelt finds words that sound like t, then those that a slip or two make of
// it. Consonants are left out to find a word in another script, where they are
// guesses; between two in Latin letters the sound or the slips are enough.
func (sr *searcher) findSpelt(s *segment, k Kind, t *token, text []byte) {
	whole := true // the first key is the skeleton itself
	t.eachSound(func(sound string) {
		skeletonKeys(sound, t.script > roman.Plain || s.guesses, func(hash uint32) {
			list := s.near.bucket(hash)
			for _, w := range list[:min(len(list), maxNear)] {
				if whole || t.script > roman.Plain || s.words[w].Script > uint8(roman.Plain) {
					sr.tryWord(s, k, t, w)
				}
			}
			whole = false
		})
	})
	if t.script > roman.Alphabet {
		wordKeys(text, func(hash uint32) { sr.tryAll(s, k, t, s.near.bucket(hash)) })
		return
	}
	wordKeys(text, func(hash uint32) {
		list := s.near.bucket(hash)
		for _, w := range list[:min(len(list), maxNear)] {
			sr.trySlip(s, k, t, w)
		}
	})
}

func (sr *searcher) tryAll(s *segment, k Kind, t *token, list []uint32) {
	for _, w := range list[:min(len(list), maxNear)] {
		sr.tryWord(s, k, t, w)
	}
}

// tryWord keeps a word of the segment if it is like t in any way.
func (sr *searcher) tryWord(s *segment, k Kind, t *token, w uint32) {
	if sr.seen[w] == sr.round {
		return
	}
	sr.seen[w] = sr.round
	f := &s.words[w]
	if Kind(f.Class>>7) != k || !mayBeAlike(t, f) {
		return
	}
	var o token
	s.token(w, &o)
	if like, _ := likeness(t, &o); like > 0 {
		sr.leads = append(sr.leads, lead{w, like})
	}
}

// mayBeAlike turns away most words before their letters are looked at.
func mayBeAlike(t *token, f *wordFacts) bool {
	if t.symbol != 0 || f.Symbol != 0 || f.Short[0] != 0 || max(t.script, roman.Form(f.Script)) > roman.Alphabet {
		return true
	}
	if bits.OnesCount32(t.bones&^f.Bones) <= 2 && bits.OnesCount32(f.Bones&^t.bones) <= 2 {
		return true
	}
	if !lettersFar(t, f, edits(max(len(t.text), int(f.TextLen)))) {
		return true
	}
	// One may be the other cut short.
	return t.mask&^f.Mask == 0 || f.Mask&^t.mask == 0
}

func lettersFar(t *token, f *wordFacts, n int) bool {
	return bits.OnesCount32(t.mask&^f.Mask) > n || bits.OnesCount32(f.Mask&^t.mask) > n
}

// trySlip keeps a word of the segment if it is t but for a slip or two. Most of
// what deletion keys bring up is not, so it looks at no more than it must.
func (sr *searcher) trySlip(s *segment, k Kind, t *token, w uint32) {
	if sr.seen[w] == sr.round {
		return
	}
	f := &s.words[w]
	if f.Script > uint8(roman.Alphabet) {
		sr.tryWord(s, k, t, w)
		return
	}
	longer := max(len(t.text), int(f.TextLen))
	n := edits(longer)
	if longer-min(len(t.text), int(f.TextLen)) > n || lettersFar(t, f, n) ||
		Kind(f.Class>>7) != k || class(f.Class&0x7f) == number {
		return
	}
	sr.seen[w] = sr.round
	if like := slipLike(t.text, view(s.text(w)), longer, n); like > leastLike {
		sr.leads = append(sr.leads, lead{w, like})
	}
}

// findCut finds the words that begin with t, and those that t begins with: names
// are cut short on either side.
func (sr *searcher) findCut(s *segment, k Kind, t *token, text []byte) {
	if len(text) < 4 || t.script > roman.Alphabet || t.class == number {
		return
	}
	from := s.lookup(text)
	for w := from; w < len(s.words) && w < from+maxPrefix && bytes.HasPrefix(s.text(uint32(w)), text); w++ {
		sr.tryWord(s, k, t, uint32(w))
	}
	for n := 3; n <= len(text)-2; n++ {
		for w := s.lookup(text[:n]); w < len(s.words) && bytes.Equal(s.text(uint32(w)), text[:n]); w++ {
			sr.tryWord(s, k, t, uint32(w))
		}
	}
}

// lookup is the first word that is not before text.
func (s *segment) lookup(text []byte) int {
	return sort.Search(len(s.words), func(w int) bool { return bytes.Compare(s.text(uint32(w)), text) >= 0 })
}

// likeParts is how sure it is that a word is two others written in one.
const likeParts = 0.875

// findParts takes a word apart where both halves are words: the name may be
// written in one here and in two there. Only rows that have both are meant, and
// they gain at once.
func (sr *searcher) findParts(s *segment, k Kind, t *token, group uint16) {
	if len(t.text) < 5 {
		return
	}
	text := []byte(t.text)
	for at := 2; at <= len(text)-2; at++ {
		left := s.exact(k, text[:at])
		if left < 0 {
			continue
		}
		right := s.exact(k, text[at:])
		if right < 0 {
			continue
		}
		few, other := uint32(left), uint32(right)
		if s.posts(few) > s.posts(other) {
			few, other = other, few
		}
		if s.posts(few) > maxNear {
			continue
		}
		gain := uint16(8 * likeParts * (float32(s.words[few].Weight) + float32(s.words[other].Weight)))
		for _, row := range s.postRow[s.postStart[few]:s.postStart[few+1]] {
			if contains(s.rowWord[s.wordStart[row]:s.wordStart[row+1]], other) {
				sr.gain(row, group, gain)
			}
		}
	}
}

// posts is how many rows have a word.
func (s *segment) posts(w uint32) int { return int(s.postStart[w+1] - s.postStart[w]) }

// exact finds a word by its letters, or -1.
func (s *segment) exact(k Kind, text []byte) int {
	for w := s.lookup(text); w < len(s.words) && bytes.Equal(s.text(uint32(w)), text); w++ {
		f := &s.words[w]
		if c := class(f.Class & 0x7f); Kind(f.Class>>7) == k && (c == word || c == generic) {
			return w
		}
	}
	return -1
}

// findJoint looks for two words that are one here, and returns the most a row can
// gain. Only names written in one are looked for, not all that are like them: a
// slip beside a lost space is left to the rest of the name.
func (sr *searcher) findJoint(s *segment, k Kind, a, b *token) (most float32) {
	if !joins(a, b) {
		return 0
	}
	joint := jointToken(a, b)
	sr.nextRound()
	from := len(sr.leads)
	if w := s.exact(k, []byte(joint.text)); w >= 0 {
		sr.tryWord(s, k, &joint, uint32(w))
	}
	sr.findJointSound(s, k, &joint, false)
	for _, l := range sr.leads[from:] {
		most = max(most, l.worth(s))
	}
	return most
}

// joins says whether two words are looked for in one.
func joins(a, b *token) bool {
	return a.script != roman.Own && b.script != roman.Own && b.class != form && len(a.text)+len(b.text) >= 4
}

func jointToken(a, b *token) token {
	t := token{text: a.text + b.text, class: word, script: max(a.script, b.script), bits: 60}
	t.sound, t.mask = sound(t.text), letters(t.text)
	t.bones = letters(t.sound) &^ vowels
	return t
}

// findJointSound finds words that sound like two written in one, perhaps only those
// from another script than Latin.
func (sr *searcher) findJointSound(s *segment, k Kind, joint *token, far bool) {
	skeletonKeys(joint.sound, false, func(hash uint32) {
		list := s.near.bucket(hash)
		for _, w := range list[:min(len(list), maxNear/8)] {
			if !far || s.words[w].Script > uint8(roman.Plain) {
				sr.tryWord(s, k, joint, w)
			}
		}
	})
}
