package match

import (
	"bytes"
	"math/bits"
	"slices"
	"sort"

	"bureau/internal/match/roman"
)

// Bounds of a search. They are far beyond what a real name needs and keep a
// hostile one from taking long.
const (
	maxNear   = 4000 // words looked at for one word of the query
	maxAlike  = 64   // of which so many are followed
	pool      = 96   // rows that are compared in full
	maxPrefix = 2000
)

// A searcher is the memory of one search, used again for the next.
type searcher struct {
	sum     []uint16 // by row: what it shares with the query
	touched []uint32 // rows with a sum
	seen    []uint32 // by word: the round in which it was last looked at
	round   uint32
	alike   []alikeWord
	ranked  []rankedRow
	best    map[uint32]int
	al      alignment
	buf     [maxTokens]token
	joint   []byte
	one     [1]reading // the row that is being compared
}

type alikeWord struct {
	word uint32
	like float32
}

type rankedRow struct {
	row   uint32
	worth float32
}

// fit makes the searcher large enough for a segment.
func (sr *searcher) fit(s *segment) {
	if len(sr.sum) < len(s.rowEntry) {
		sr.sum = make([]uint16, len(s.rowEntry))
	}
	if len(sr.seen) < len(s.words) {
		sr.seen = make([]uint32, len(s.words))
		sr.round = 0
	}
}

// gather collects the rows of a segment that share words with a name, however
// they are spelt, and ranks them by how much they share.
func (sr *searcher) gather(s *segment, name *Name, f *filter) []rankedRow {
	sr.fit(s)
	sr.ranked = sr.ranked[:0]
	if len(name.han) > 0 {
		sr.gatherTokens(s, name.kind, name.han, f)
	}
	for i := range name.readings {
		sr.gatherTokens(s, name.kind, name.readings[i].tokens, f)
	}
	return sr.ranked
}

func (sr *searcher) gatherTokens(s *segment, k Kind, tokens []token, f *filter) {
	sr.touched = sr.touched[:0]
	whole := float32(0) // what the query itself is worth here
	for i := range tokens {
		t := &tokens[i]
		if !searchable(t.class) {
			continue
		}
		sr.findAlike(s, k, t)
		whole += sr.follow(s, 1)
		if t.script != roman.Own && t.class != number {
			sr.followParts(s, k, t)
		}
		if i+1 < len(tokens) {
			sr.followJoint(s, k, t, &tokens[i+1])
		}
	}
	sr.rank(s, whole, f)
	sr.followSquash(s, tokens, f)
}

// follow adds the words that were found to the sums of their rows, and returns
// the most that any of them is worth.
func (sr *searcher) follow(s *segment, part float32) (most float32) {
	for _, a := range sr.alike {
		worth := float32(s.words[a.word].Weight) * a.like * part
		most = max(most, worth)
		sr.addRows(s, a.word, uint16(worth*8))
	}
	return most
}

// addRows adds to the sum of each row that has a word.
func (sr *searcher) addRows(s *segment, w uint32, worth uint16) {
	if worth == 0 {
		return
	}
	for _, row := range s.postRow[s.postStart[w]:s.postStart[w+1]] {
		if sr.sum[row] == 0 {
			sr.touched = append(sr.touched, row)
		}
		sr.sum[row] += worth
	}
}

// nextRound forgets which words were looked at.
func (sr *searcher) nextRound() {
	sr.alike = sr.alike[:0]
	if sr.round++; sr.round == 0 {
		clear(sr.seen)
		sr.round = 1
	}
}

// findAlike finds the words of a segment that are like t.
func (sr *searcher) findAlike(s *segment, k Kind, t *token) {
	sr.nextRound()
	text := []byte(t.text)
	look := func(hash uint32) {
		list := s.near.bucket(hash)
		for _, w := range list[:min(len(list), maxNear)] {
			sr.tryWord(s, k, t, w)
		}
	}
	if t.script == roman.Own || t.class == number {
		look(hash32(seedWord, text))
	} else {
		wordKeys(text, look)
		skeletonKeys(t.sound, true, look)
	}
	for _, w := range s.bySymbol[symbolKey(k, t.symbol)] {
		sr.tryWord(s, k, t, w)
	}
	for _, short := range t.short {
		if short != 0 {
			for _, w := range s.bySymbol[symbolKey(k, short)] {
				sr.tryWord(s, k, t, w)
			}
		}
	}
	sr.prefixes(s, k, t, text)
	if len(sr.alike) > maxAlike {
		slices.SortFunc(sr.alike, func(a, b alikeWord) int {
			switch {
			case a.like > b.like:
				return -1
			case a.like < b.like:
				return 1
			}
			return int(a.word) - int(b.word)
		})
		sr.alike = sr.alike[:maxAlike]
	}
}

// tryWord keeps a word of the segment if it is like t.
func (sr *searcher) tryWord(s *segment, k Kind, t *token, w uint32) {
	if sr.seen[w] == sr.round {
		return
	}
	sr.seen[w] = sr.round
	f := &s.words[w]
	if Kind(f.Class>>7) != k {
		return
	}
	if !mayBeAlike(t, f) {
		return
	}
	var o token
	s.token(w, &o)
	if like, _ := likeness(t, &o); like > 0 {
		sr.alike = append(sr.alike, alikeWord{w, like})
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
	n := edits(max(len(t.text), int(f.TextLen)))
	if bits.OnesCount32(t.mask&^f.Mask) <= n && bits.OnesCount32(f.Mask&^t.mask) <= n {
		return true
	}
	// One may be the other cut short.
	return t.mask&^f.Mask == 0 || f.Mask&^t.mask == 0
}

// prefixes finds the words that begin with t, and those that t begins with:
// names are cut short on either side.
func (sr *searcher) prefixes(s *segment, k Kind, t *token, text []byte) {
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

// followParts takes a word apart where both halves are words: the name may be
// written in one here and in two there.
func (sr *searcher) followParts(s *segment, k Kind, t *token) {
	if len(t.text) < 5 {
		return
	}
	text := []byte(t.text)
	for at := 2; at <= len(text)-2; at++ {
		left, right := s.exact(k, text[:at]), s.exact(k, text[at:])
		if left < 0 || right < 0 {
			continue
		}
		for _, w := range [2]int{left, right} {
			sr.addRows(s, uint32(w), uint16(s.words[w].Weight)*7)
		}
	}
}

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

// followJoint looks for two words that are one here.
func (sr *searcher) followJoint(s *segment, k Kind, a, b *token) {
	if a.script == roman.Own || b.script == roman.Own || b.class == form || len(a.text)+len(b.text) < 4 {
		return
	}
	joint := token{text: a.text + b.text, class: word, script: max(a.script, b.script), bits: 60}
	joint.sound, joint.mask = sound(joint.text), letters(joint.text)
	joint.bones = letters(joint.sound) &^ vowels
	// Only names written in one are looked for, not all that are like them: a slip
	// beside a lost space is left to the rest of the name.
	sr.nextRound()
	if w := s.exact(k, []byte(joint.text)); w >= 0 {
		sr.tryWord(s, k, &joint, uint32(w))
	}
	skeletonKeys(joint.sound, false, func(hash uint32) {
		list := s.near.bucket(hash)
		for _, w := range list[:min(len(list), maxNear/8)] {
			sr.tryWord(s, k, &joint, w)
		}
	})
	sr.follow(s, 1)
}

// followSquash ranks the names that are equal once written in one before all
// others.
func (sr *searcher) followSquash(s *segment, tokens []token, f *filter) {
	sr.joint = sr.joint[:0]
	for i := range tokens {
		if squashed(tokens[i].class) {
			sr.joint = append(sr.joint, tokens[i].text...)
		}
	}
	list := s.squash.bucket(hash32(seedSquash, sr.joint))
	from := len(sr.ranked)
	for _, row := range list[:min(len(list), maxNear)] {
		if len(sr.ranked)-from == pool {
			return
		}
		if s.isSquash(row, sr.joint) && f.passes(s, s.rowEntry[row]) {
			sr.ranked = append(sr.ranked, rankedRow{row, 2})
		}
	}
}

// isSquash says whether a row written in one is text.
func (s *segment) isSquash(row uint32, text []byte) bool {
	for _, w := range s.rowWord[s.wordStart[row]:s.wordStart[row+1]] {
		if !squashed(class(s.words[w].Class & 0x7f)) {
			continue
		}
		rest, ok := bytes.CutPrefix(text, s.text(w))
		if !ok {
			return false
		}
		text = rest
	}
	return len(text) == 0
}
