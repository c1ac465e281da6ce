package match

import (
	"math"

	"bureau/internal/match/roman"
)

// finish derives what a search needs from the words and rows of a segment.
func (s *segment) finish() {
	s.post()
	s.weighRows()
	s.near = newTable32(len(s.words)*20, s.eachKey)
	s.squash = newTable32(len(s.rowEntry), s.eachSquash)
	s.linkSymbols()
}

// post lists the rows of each word that is searched for.
func (s *segment) post() {
	s.postStart = make([]uint32, len(s.words)+1)
	each := func(do func(row, w uint32)) {
		for row := range uint32(len(s.rowEntry)) {
			list := s.rowWord[s.wordStart[row]:s.wordStart[row+1]]
			for i, w := range list {
				if searchable(class(s.words[w].Class&0x7f)) && !contains(list[:i], w) {
					do(row, w)
				}
			}
		}
	}
	each(func(_, w uint32) { s.postStart[w+1]++ })
	for i := 1; i < len(s.postStart); i++ {
		s.postStart[i] += s.postStart[i-1]
	}
	s.postRow = make([]uint32, s.postStart[len(s.words)])
	at := append([]uint32(nil), s.postStart...)
	each(func(row, w uint32) {
		s.postRow[at[w]] = row
		at[w]++
	})
}

func contains(list []uint32, w uint32) bool {
	for _, v := range list {
		if v == w {
			return true
		}
	}
	return false
}

// weighRows gives each word the quarters of a bit that meeting it in this
// segment is worth, and each row the sum.
func (s *segment) weighRows() {
	n := float64(len(s.rowEntry))
	for w := range s.words {
		posts := float64(s.postStart[w+1] - s.postStart[w])
		if posts > 0 {
			s.words[w].Weight = uint8(min(4*math.Log2(1+n/posts)+4, 120))
			if s.words[w].Bits <= formPartBits {
				// However rare it is here: it is rare only because forms are taken out.
				s.words[w].Weight = min(s.words[w].Weight, formPartBits)
			}
		}
	}
	s.rowWeight = make([]uint16, len(s.rowEntry))
	for row := range s.rowWeight {
		for _, w := range s.rowWord[s.wordStart[row]:s.wordStart[row+1]] {
			s.rowWeight[row] += uint16(s.words[w].Weight)
		}
	}
}

// eachKey calls put for all keys of all words.
func (s *segment) eachKey(put func(hash, item uint32)) {
	var t token
	for w := range uint32(len(s.words)) {
		s.token(w, &t)
		switch {
		case !searchable(t.class):
		case t.script == roman.Own || t.class == number:
			put(hash32(seedWord, s.text(w)), w)
		default:
			wordKeys(s.text(w), func(h uint32) { put(h, w) })
			t.eachSound(func(sound string) {
				skeletonKeys(sound, t.script > roman.Plain, func(h uint32) { put(h, w) })
			})
		}
	}
}

// eachSquash calls put for every row written in one word, and for the initials of
// rows whose acronym may be asked for.
func (s *segment) eachSquash(put func(hash, item uint32)) {
	var buf, all, initials []byte
	for row := range uint32(len(s.rowEntry)) {
		buf, all, initials = buf[:0], all[:0], initials[:0]
		for _, w := range s.rowWord[s.wordStart[row]:s.wordStart[row+1]] {
			all = append(all, s.text(w)...)
			if squashed(class(s.words[w].Class & 0x7f)) {
				buf = append(buf, s.text(w)...)
				initials = s.appendInitial(initials, w)
			}
		}
		if len(buf) > 0 {
			put(hash32(seedSquash, buf), row)
			if len(all) > len(buf) { // a title may be written in one with the name behind it
				put(hash32(seedSquash, all), row)
			}
		}
		if len(initials) >= leastInitials {
			put(hash32(seedInitials, initials), row)
		}
	}
}

// appendInitial appends the first letter of a word to those of a company.
func (s *segment) appendInitial(dst []byte, w uint32) []byte {
	f := &s.words[w]
	if c := class(f.Class & 0x7f); Kind(f.Class>>7) != Company || c != word && c != generic || f.Script > uint8(roman.Alphabet) || f.TextLen == 0 {
		return dst
	}
	return append(dst, s.letters[s.letterAt[w]])
}

// squashed says whether a word is part of a name that is written in one.
func squashed(c class) bool { return c != form && c != title && c != stop && c != suffix }

// linkSymbols finds the words that mean the same, and whether any are guesses.
func (s *segment) linkSymbols() {
	s.bySymbol = map[uint32][]uint32{}
	for w := range s.words {
		f := &s.words[w]
		s.guesses = s.guesses || f.Script > uint8(roman.Plain)
		c := class(f.Class & 0x7f)
		if c != word && c != generic {
			continue
		}
		if f.Symbol != 0 {
			key := symbolKey(Kind(f.Class>>7), f.Symbol)
			s.bySymbol[key] = append(s.bySymbol[key], uint32(w))
		}
		for _, short := range f.Short {
			if short != 0 {
				key := symbolKey(Kind(f.Class>>7), short)
				s.bySymbol[key] = append(s.bySymbol[key], uint32(w))
			}
		}
	}
}

func symbolKey(k Kind, symbol uint16) uint32 { return uint32(k)<<16 | uint32(symbol) }
