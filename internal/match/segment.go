package match

import (
	"slices"
	"sync/atomic"

	"bureau/internal/match/roman"
)

// A segment is a part of an index that does not change, except that entries in
// it can die. Everything is in a few long slices, so that millions of names cost
// the garbage collector nothing and a file can be read straight into them.
//
// An entry has rows: one for each way to read each of its names. A row is a list
// of numbers of words; a word is kept once, however many names have it.
type segment struct {
	// Entries, in the order of their ids.
	ids       []uint64
	kind      []uint8
	rowStart  []uint32 // by entry, and one more
	land      []uint16 // by entry: its first country, or none
	extra     []byte   // countries and facts of entries, one after the other
	extraFrom []uint32 // by entry, and one more
	dead      []uint64 // a bit for each entry, set atomically

	// Rows.
	rowEntry  []uint32
	wordStart []uint32 // by row, and one more
	rowWord   []uint32
	rowForm   []uint16
	rowFlags  []uint8
	rowWeight []uint16 // what its words weigh in a search

	// Words, in the order of their texts.
	letters   []byte   // text and, if it differs, sound
	letterAt  []uint32 // by word, and one more
	words     []wordFacts
	postStart []uint32 // by word, and one more
	postRow   []uint32

	near     table32 // keys of mistyped words → words
	squash   table32 // names written in one → rows
	bySymbol map[uint32][]uint32
	guesses  bool // some words are from another script than Latin
}

// wordFacts is a token without its letters.
type wordFacts struct {
	Mask    uint32
	Bones   uint32
	Symbol  uint16
	Short   [shorts]uint16
	Bits    uint8
	Class   uint8 // and, in the highest bit, the kind
	Script  uint8
	TextLen uint8 // the rest of its letters are its sound; none where it is the text
	Weight  uint8 // in a search, from how many rows have it
	Dotted  bool
	Common  bool
}

// Flags of a row.
const (
	rowWeak    = 1 << iota // the list itself calls it weak
	rowHan                 // its words are Han characters
	rowFromHan             // it is the sound of a name in Han
)

func (s *segment) isDead(entry uint32) bool {
	return atomic.LoadUint64(&s.dead[entry/64])&(1<<(entry%64)) != 0
}

// kill marks an entry as gone. Searches that are under way may or may not see it.
func (s *segment) kill(entry uint32) (was bool) {
	return atomic.OrUint64(&s.dead[entry/64], 1<<(entry%64))&(1<<(entry%64)) == 0
}

func (s *segment) find(id uint64) (entry uint32, ok bool) {
	i, ok := slices.BinarySearch(s.ids, id)
	return uint32(i), ok
}

func (s *segment) text(w uint32) []byte {
	at := s.letterAt[w]
	return s.letters[at : at+uint32(s.words[w].TextLen)]
}

// token restores word w. Its strings are the segment's own bytes.
func (s *segment) token(w uint32, t *token) {
	f := &s.words[w]
	all := s.letters[s.letterAt[w]:s.letterAt[w+1]]
	t.text = view(all[:f.TextLen])
	t.sound = t.text
	if len(all) > int(f.TextLen) {
		t.sound = view(all[f.TextLen:])
	}
	t.mask, t.bones, t.symbol, t.short, t.bits = f.Mask, f.Bones, f.Symbol, f.Short, f.Bits
	t.class, t.script, t.dotted, t.common = class(f.Class&0x7f), roman.Form(f.Script), f.Dotted, f.Common
	t.company = Kind(f.Class>>7) == Company
}

// tokens restores the words of a row into buf.
func (s *segment) tokens(row uint32, buf *[maxTokens]token) []token {
	return s.rowTokens(s.rowWord[s.wordStart[row]:s.wordStart[row+1]], buf)
}

func (s *segment) rowTokens(list []uint32, buf *[maxTokens]token) []token {
	for i, w := range list {
		s.token(w, &buf[i])
	}
	return buf[:len(list)]
}

// live counts the entries that are not dead.
func (s *segment) live() int {
	n := len(s.ids)
	for i := range s.dead {
		for w := atomic.LoadUint64(&s.dead[i]); w != 0; w &= w - 1 {
			n--
		}
	}
	return n
}
