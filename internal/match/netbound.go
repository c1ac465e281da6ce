package match

import "math/bits"

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
