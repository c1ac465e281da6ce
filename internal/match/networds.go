package match

import (
	"slices"

	"bureau/internal/match/roman"
)

// netWords are the words of an index that are of one kind.
type netWords struct {
	beginning  [][]netWhole               // by the place of their first two letters
	beginnings [][]netBegin               // of rows, words with another behind them, by the place of those that they may begin
	said       [places]*[sizes][]netWhole // those from another script than Latin, by the place of each letter that may be their first, and by their length
	saidBegins [places][]saidBegin        // the same of words with another behind them
	bySize     [sizes][]netWhole          // all, by their length
	lone       []netBegin                 // of rows, words of one letter with another behind them: they may begin anything
	farSounds  [1 << 10]uint64            // the keys of the sounds of those from another script, as bits
	all        []uint32                   // those that tell anything
}

// A netBegin is a word of a row that has others behind it.
type netBegin struct {
	row, from uint32
	joint     netJoint // of it and those
}

// A saidBegin is one whose words are from another script.
type saidBegin struct {
	netBegin
	looks jointLooks
}

func (s *segment) netWords(k Kind) *netWords {
	n := &netWords{beginning: make([][]netWhole, places*places), beginnings: make([][]netBegin, places*places)}
	var t token
	for w := range uint32(len(s.words)) {
		f := &s.words[w]
		if Kind(f.Class>>7) != k || s.posts(w) == 0 {
			continue
		}
		s.token(w, &t)
		if f.weight() > 0 {
			n.all = append(n.all, w)
		}
		whole := newNetWhole(&t)
		whole.word = w
		at := first2(t.text)
		n.beginning[at] = append(n.beginning[at], whole)
		size := min(int(whole.size), sizes-1)
		n.bySize[size] = append(n.bySize[size], whole)
		for _, p := range t.saidAs() {
			if n.said[p] == nil {
				n.said[p] = new([sizes][]netWhole)
			}
			n.said[p][size] = append(n.said[p][size], whole)
		}
		if t.script > roman.Plain {
			t.eachSound(func(sound string) {
				skeletonKeys(sound, true, func(hash uint32) { n.farSounds[hash>>22] |= 1 << (hash >> 16 & 63) })
			})
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
			if len(tokens[i].text) == 1 {
				n.lone = append(n.lone, begin)
				continue
			}
			keys = beginsAs(keys[:0], tokens[i:])
			for _, key := range keys {
				n.beginnings[key] = append(n.beginnings[key], begin)
			}
			if as := tokens[i].saidAs(); len(as) > 0 {
				said := saidBegin{begin, jointLooks{words: slices.Clone(tokens[i:])}}
				for _, p := range as {
					n.saidBegins[p] = append(n.saidBegins[p], said)
				}
			}
		}
	}
	return n
}

// saidAs are the places of the letters that a Latin word may begin with and have the
// sound of this one, if this one is from another script: see mayBeSaid.
func (t *token) saidAs() (out []uint16) {
	if t.script <= roman.Plain || t.script == roman.Own || t.text == "" {
		return nil
	}
	for p := range uint16(places) {
		c := uint8(noCode)
		if p >= 1 && p <= 26 {
			c = uint8(p)
		}
		if costsFor[t.script][c][code(t.text[0])] < costLetter/2 {
			out = append(out, p)
		}
	}
	return out
}

// maySoundFar says whether Latin words in one, that have this sound, may sound like a word
// from another script.
func (n *netWords) maySoundFar(sound string) (is bool) {
	skeletonKeys(sound, false, func(hash uint32) {
		is = n.farSounds[hash>>22]&(1<<(hash>>16&63)) != 0
	})
	return is
}

// sizes is how many lengths of words are told apart: all from the last on are one.
const sizes = 2 * maxWord

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
