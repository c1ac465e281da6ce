package match

import (
	"math/bits"

	"bureau/internal/match/roman"
)

// rowFacts are what a row has, as far as it bounds what it can share.
type rowFacts struct {
	size     uint8 // how many words it has
	proper   uint8 // how many of them are names or initials
	initials bool
}

func (s *segment) rowFacts(row uint32) (r rowFacts) {
	for _, w := range s.rowWord[s.wordStart[row]:s.wordStart[row+1]] {
		c := class(s.words[w].Class & 0x7f)
		r.size++
		if c <= initial {
			r.proper++
		}
		r.initials = r.initials || c == initial
	}
	return r
}

// A netBound is what a name must share with a row to tell anything: what tells
// too little is thin, and stays below the score that is asked for.
type netBound struct {
	person bool
	rowFacts
	slack  float32            // what those of its words may tell that lead nowhere by themselves
	rest   float32            // and the others
	heavy  uint32             // words that count as such, as bits
	order  [maxTokens]uint8   // those that lead somewhere, the heaviest first
	weight [maxTokens]float32 // of those
	words  int                // how many those are
}

func newBound(k Kind, tokens []token) (b netBound) {
	b.person = k == Person
	for i := range tokens {
		t := &tokens[i]
		b.size++
		if t.class <= initial {
			b.proper++
		}
		b.initials = b.initials || t.class == initial
		w := t.weight()
		if !searchable(t.class) {
			b.slack += w
			continue
		}
		b.rest += w
		if w >= leastWord {
			b.heavy |= 1 << i
		}
		at := b.words
		for ; at > 0 && b.weight[at-1] < w; at-- {
			b.order[at], b.weight[at] = b.order[at-1], b.weight[at-1]
		}
		b.order[at], b.weight[at] = uint8(i), w
		b.words++
	}
	return b
}

// mayHold says whether a name and a row may share enough. It follows what features
// calls thin, and must not be wrong when it says no, or somebody is not told of:
// words that could be alike count in full, whether or not they led here, and a test
// holds a net to what a search finds, at every threshold.
func (b *netBound) mayHold(n *Net, row uint32, tokens []token) bool {
	r := &n.rows[row]
	told, links := r.told+b.slack, bits.OnesCount32(r.words&b.heavy)
	// One word that is equal is found as a name written in one.
	equal, joins := b.size > 1 && b.size == r.size, r.words&joinGroup != 0
	if joins {
		links += 2 // it stands for two words
	}
	rest := b.rest
	for k := range b.words {
		if r.words&(1<<b.order[k]) != 0 {
			rest -= b.weight[k]
		}
	}
	list := n.s.rowWord[n.s.wordStart[row]:n.s.wordStart[row+1]]
	for k := range b.words {
		switch {
		case links > 1 && told >= thinMore:
			return true
		case !equal && told+rest < thinMore:
			return false
		}
		i := b.order[k]
		if r.words&(1<<i) != 0 {
			continue
		}
		rest -= b.weight[k]
		switch more := n.best(n.met[i], &tokens[i], list); {
		case more < 0:
			equal = equal && joins
		default:
			told += more
			if b.heavy&(1<<i) != 0 {
				links++
			}
		}
	}
	least := float32(thinOne)
	switch {
	case equal:
		return true // they may be, word for word
	case links > 1:
		least = thinMore
	case b.person && !b.initials && !r.initials && (b.proper > 1 || r.proper > 1):
		least = thinAlone
	}
	return told >= least
}

// best is the most that a word of a name can tell with any of a row's that it did
// not lead to, or -1 if it is like none.
func (n *Net) best(a *netWord, t *token, list []uint32) float32 {
	best := float32(-1)
	if a.uses >= commonUse {
		return best // it led to all
	}
	for _, w := range list {
		if !a.look.mayBeLike(&n.looks[w]) {
			continue
		}
		at := &n.told[(a.number*0x9e3779b1^w*0x85ebca77)>>(32-toldBits)]
		if at.number != a.number || at.word != w {
			*at = netTold{a.number, w, n.tells(t, w)}
		}
		best = max(best, at.told)
	}
	return best
}

// A netTold is what a word tells with one of the index. Names share words, and so
// do rows: the last few tens of thousands are remembered, each until another takes
// its place.
type netTold struct {
	number, word uint32
	told         float32
}

const (
	toldBits = 15
	toldRoom = 1 << toldBits
)

// tells is what two words tell that may be alike, or -1 if they are not.
func (n *Net) tells(t *token, w uint32) float32 {
	var o token
	n.s.token(w, &o)
	if like, _ := likeness(t, &o); like > 0 {
		return worth(min(t.weight(), o.weight()), like)
	}
	return -1
}

// netWords are the words of an index that are of one kind.
type netWords struct {
	guesses    bool                  // some are from another script than Latin
	beginning  map[uint16][]uint32   // by their first two letters
	beginnings map[uint16][]netBegin // of rows, words with another behind them, by those that they may begin
}

// A netBegin is a word of a row that has others behind it.
type netBegin struct {
	row, from uint32
	joint     netJoint // of it and those
}

func (s *segment) netWords(k Kind) netWords {
	n := netWords{beginning: map[uint16][]uint32{}, beginnings: map[uint16][]netBegin{}}
	for w := range uint32(len(s.words)) {
		f := &s.words[w]
		if Kind(f.Class>>7) != k || s.posts(w) == 0 {
			continue
		}
		n.guesses = n.guesses || f.Script > uint8(roman.Plain)
		key := first2(view(s.text(w)))
		n.beginning[key] = append(n.beginning[key], w)
	}
	var buf [maxTokens]token
	for row := range uint32(len(s.rowEntry)) {
		if Kind(s.kind[s.rowEntry[row]]) != k || s.rowFlags[row]&rowHan != 0 {
			continue
		}
		tokens := s.tokens(row, &buf)
		for i := range tokens[:max(len(tokens)-1, 0)] {
			begin := netBegin{row, s.wordStart[row] + uint32(i), newNetJoint(tokens[i:])}
			for _, key := range beginsAs(tokens[i:]) {
				n.beginnings[key] = append(n.beginnings[key], begin)
			}
		}
	}
	return n
}

// first2 are the first two letters of a word.
func first2(text string) uint16 {
	switch len(text) {
	case 0:
		return 0
	case 1:
		return uint16(text[0]) << 8
	}
	return uint16(text[0])<<8 | uint16(text[1])
}

// beginsAs are the first two letters of the words that words in a row may be in
// one, or whose acronym they may be: their own, or the first of the first and of
// the next that counts.
func beginsAs(words []token) []uint16 {
	a := words[0].text
	if a == "" {
		return nil
	}
	keys := make([]uint16, 0, 3)
	add := func(key uint16) {
		for _, k := range keys {
			if k == key {
				return
			}
		}
		keys = append(keys, key)
	}
	if len(a) > 1 {
		add(first2(a))
	}
	for i := 1; i < len(words); i++ {
		if b := words[i].text; b != "" {
			add(uint16(a[0])<<8 | uint16(b[0]))
		}
		if c := words[i].class; c != stop && c != particle {
			break
		}
	}
	return keys
}

// eachBeginning calls do for the words that may be several in one.
func (n *netWords) eachBeginning(words []token, do func(w uint32)) {
	for _, key := range beginsAs(words) {
		for _, w := range n.beginning[key] {
			do(w)
		}
	}
}

// inOne says whether words, from the first on, are written in one as whole, or are
// its acronym, as an alignment would see it.
func inOne(words []token, whole *token) bool {
	if len(words) < 2 || words[0].text == whole.text || whole.class > generic && whole.class != particle {
		return false
	}
	guess := max(words[0].script, whole.script) > roman.Plain
	if guess && whole.sound == "" {
		whole.sound, whole.mask = sound(whole.text), letters(whole.text)
		whole.bones = letters(whole.sound) &^ vowels
	}
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
