package match

import (
	"slices"

	"bureau/internal/match/roman"
)

// netWords are the words of an index that are of one kind.
type netWords struct {
	beginning  [][]netWhole   // by the place of their first two letters
	beginnings [][]netBegin   // of rows, words with another behind them, by the place of those that they may begin
	far        [places]uint64 // how long those are that are from another script than Latin, as bits, by the place of their first letter
	anyFar     uint64         // and of all
}

// A netBegin is a word of a row that has others behind it.
type netBegin struct {
	row, from uint32
	joint     netJoint // of it and those
}

func (s *segment) netWords(k Kind) netWords {
	n := netWords{beginning: make([][]netWhole, places*places), beginnings: make([][]netBegin, places*places)}
	var t token
	for w := range uint32(len(s.words)) {
		f := &s.words[w]
		if Kind(f.Class>>7) != k || s.posts(w) == 0 {
			continue
		}
		s.token(w, &t)
		whole := newNetWhole(&t)
		whole.word = w
		at := first2(t.text)
		n.beginning[at] = append(n.beginning[at], whole)
		if t.script > roman.Plain && t.text != "" {
			long := uint64(1) << min(len(t.text), 63)
			n.far[place(t.text[0])] |= long
			n.anyFar |= long
		}
	}
	var buf [maxTokens]token
	var keys []uint16
	for row := range uint32(len(s.rowEntry)) {
		if Kind(s.kind[s.rowEntry[row]]) != k || s.rowFlags[row]&rowHan != 0 {
			continue
		}
		tokens := s.tokens(row, &buf)
		for i := range tokens[:max(len(tokens)-1, 0)] {
			begin := netBegin{row, s.wordStart[row] + uint32(i), newNetJoint(tokens[i:])}
			keys = beginsAs(keys[:0], tokens[i:])
			for _, key := range keys {
				n.beginnings[key] = append(n.beginnings[key], begin)
			}
		}
	}
	return n
}

// mayBeFar says whether two words may be one in another script: that begins with the
// same letter, unless the first has only one, and has about as many.
func (n *netWords) mayBeFar(a, b *token) bool {
	long := n.anyFar
	if len(a.text) > 1 {
		long = n.far[place(a.text[0])]
	}
	joint := len(a.text) + len(b.text)
	for whole := max(joint-2, 0); whole <= joint+3; whole++ {
		if long&(1<<min(whole, 63)) != 0 {
			return true
		}
	}
	return false
}

// places is how many places there are for letters: one for each of a to z and 0 to
// 9, and one for all others and for none.
const places = 37

func place(c byte) uint16 {
	switch {
	case c >= 'a' && c <= 'z':
		return uint16(c-'a') + 1
	case c >= '0' && c <= '9':
		return uint16(c-'0') + 27
	}
	return 0
}

// first2 is the place of the first two letters of a word.
func first2(text string) uint16 {
	switch len(text) {
	case 0:
		return 0
	case 1:
		return place(text[0]) * places
	}
	return place(text[0])*places + place(text[1])
}

// beginsAs adds the places of the first two letters of the words that words in a row
// may be in one, or whose acronym they may be: their own, or the first of the first
// and of the next that counts.
func beginsAs(keys []uint16, words []token) []uint16 {
	a := words[0].text
	if a == "" {
		return keys
	}
	if len(a) > 1 {
		keys = append(keys, first2(a))
	}
	for i := 1; i < len(words); i++ {
		if b := words[i].text; b != "" {
			if key := place(a[0])*places + place(b[0]); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		if c := words[i].class; c != stop && c != particle {
			break
		}
	}
	return keys
}
