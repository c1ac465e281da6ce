package match

import "bureau/internal/match/roman"

// A link says that words from i (n of them) on one side are words from j (m of
// them) on the other. Either n or m is 1.
type link struct {
	i, n, j, m uint8
	how        how
	like       float32
	value      float32
}

// maxLinks bounds what is weighed; more never happens between real names.
const maxLinks = 96

// An alignment is how the words of two names belong together.
type alignment struct {
	links        [maxLinks]link
	found        int
	chosen       int    // links[:chosen] hold
	usedA, usedB uint32 // words that are part of a chosen link
	a, b         []token
	person       bool    // they are names of people
	evidence     float32 // what they share, in quarters of a bit
	share        float32 // of all they have
}

// align pairs the words of a and b so that the pairs are worth most.
func (al *alignment) align(a, b []token) {
	al.a, al.b = a, b
	al.found, al.chosen, al.usedA, al.usedB = 0, 0, 0, 0
	exactA, exactB := al.pairEqual(a, b)
	for i := range a {
		x := &a[i]
		for j := range b {
			y := &b[j]
			if exactA&(1<<i) != 0 && exactB&(1<<j) != 0 && x.text == y.text && x.class == y.class {
				continue // they are paired, or others that are equal
			}
			like, h := likeness(x, y)
			if like == 0 {
				continue
			}
			if like == 1 && exactA&(1<<i) == 0 && exactB&(1<<j) == 0 {
				// Each has one partner: of two that are equal the other may be joined.
				exactA |= 1 << i
				exactB |= 1 << j
			}
			al.add(link{uint8(i), 1, uint8(j), 1, h, like, like * (x.weight() + y.weight() + 1)})
		}
	}
	al.join(a, b, exactA, exactB, false)
	al.join(b, a, exactB, exactA, true)
	al.contract(a, b, exactA, exactB, false)
	al.contract(b, a, exactB, exactA, true)
	al.choose()
}

// pairEqual links words that are equal, each with one other, before all that are merely
// alike: in a list of names that differ by a figure there are more of those than there
// is room for.
func (al *alignment) pairEqual(a, b []token) (inA, inB uint32) {
	for i := range a {
		x := &a[i]
		for j := range b {
			y := &b[j]
			if inB&(1<<j) == 0 && x.mask == y.mask && x.class == y.class && x.text == y.text {
				inA |= 1 << i
				inB |= 1 << j
				al.add(link{uint8(i), 1, uint8(j), 1, equal, 1, x.weight() + y.weight() + 1})
				break
			}
		}
	}
	return inA, inB
}

func (al *alignment) add(l link) {
	if al.found < maxLinks {
		al.links[al.found] = l
		al.found++
	}
}

// join looks for words of a that are one word in b: van der Bilt, Vanderbilt.
func (al *alignment) join(a, b []token, exactA, exactB uint32, swapped bool) {
	if len(a) < 2 {
		return
	}
	var buf [2 * maxWord]byte
	for j := range b {
		y := &b[j]
		if exactB&(1<<j) != 0 || len(y.text) < 4 || y.class > generic && y.class != particle {
			continue
		}
		for i := 0; i+1 < len(a); i++ {
			joint := buf[:0]
			weight := y.weight()
			numbered := a[i].class == number
			for n := 0; n < 3 && i+n < len(a); n++ {
				t := &a[i+n]
				if exactA&(1<<(i+n)) != 0 && t.class <= generic || t.class == form || len(joint)+len(t.text) > len(y.text)+2 {
					break
				}
				joint = append(joint, t.text...)
				weight += t.weight()
				if n == 0 {
					if !mayBegin(t.text, y.text) && !mayBeSaid(t, y) {
						break
					}
					continue
				}
				numbered = numbered || t.class == number
				if like := joinLike(joint, y, max(a[i].script, y.script) > roman.Plain); like == likeJoined || like > 0 && !numbered {
					l := link{uint8(i), uint8(n + 1), uint8(j), 1, joined, like, like * (weight + 2)}
					if swapped {
						l.i, l.n, l.j, l.m = l.j, l.m, l.i, l.n
					}
					al.add(l)
				}
			}
		}
	}
}

// choose takes the most valuable links that do not share a word.
func (al *alignment) choose() {
	for {
		best := -1
		for k := al.chosen; k < al.found; k++ {
			if al.free(k) && (best < 0 || al.links[k].value > al.links[best].value) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		l := al.links[best]
		al.links[best], al.links[al.chosen] = al.links[al.chosen], l
		al.chosen++
		al.usedA |= span(l.i, l.n)
		al.usedB |= span(l.j, l.m)
	}
	for al.exchange() {
	}
}

// exchange gives a link up for two that are worth more together, if there are such:
// Jamiel Hamieh is Jamil Hamiel, though Jamiel and Hamiel are alike too. Words that are
// equal stay together.
func (al *alignment) exchange() bool {
	if al.chosen+2 > al.found {
		return false
	}
	for k := range al.chosen {
		c := al.links[k]
		if c.like == 1 {
			continue
		}
		al.usedA &^= span(c.i, c.n)
		al.usedB &^= span(c.j, c.m)
		for p := al.chosen; p < al.found; p++ {
			if !al.free(p) {
				continue
			}
			first := al.links[p]
			for q := p + 1; q < al.found; q++ {
				second := al.links[q]
				if first.value+second.value <= c.value || !al.free(q) ||
					span(first.i, first.n)&span(second.i, second.n) != 0 || span(first.j, first.m)&span(second.j, second.m) != 0 {
					continue
				}
				al.links[k], al.links[p] = first, c
				al.links[q], al.links[al.chosen] = al.links[al.chosen], second
				al.chosen++
				al.usedA |= span(first.i, first.n) | span(second.i, second.n)
				al.usedB |= span(first.j, first.m) | span(second.j, second.m)
				return true
			}
		}
		al.usedA |= span(c.i, c.n)
		al.usedB |= span(c.j, c.m)
	}
	return false
}

// free says whether no word of a link is part of another that is chosen.
func (al *alignment) free(k int) bool {
	l := &al.links[k]
	return al.usedA&span(l.i, l.n) == 0 && al.usedB&span(l.j, l.m) == 0
}

func span(from, n uint8) uint32 { return (1<<n - 1) << from }

// mayBegin says whether a word can be the first part of another at all, with at
// most a slip.
func mayBegin(part, whole string) bool {
	n := 0
	for n < len(part) && n < len(whole) && part[n] == whole[n] {
		n++
	}
	return n >= min(2, len(part)) || n+1 >= len(part)
}

// mayBeSaid says whether two words of two scripts may begin with one sound: 기문 is gimun,
// and Ki-moon.
func mayBeSaid(a, b *token) bool {
	worse := max(a.script, b.script)
	return worse > roman.Plain && worse != roman.Own && costsFor[worse][code(a.text[0])][code(b.text[0])] < costLetter/2
}

// likeJoined is how alike words are to themselves written in one.
const likeJoined = 0.98

// leastJoined is how alike they must be where letters are guesses.
const leastJoined = 0.85

// joinLike compares words written in one with a word.
func joinLike(joint []byte, y *token, guess bool) float32 {
	if !joinable(len(joint), len(y.text)) {
		return 0
	}
	s := view(joint)
	switch {
	case s == y.text:
		return likeJoined
	case guess:
		var buf [soundRoom]byte
		x := token{text: s, sound: view(soundInto(buf[:0], s)), mask: letters(s), script: y.script}
		x.bones = letters(x.sound) &^ vowels
		like, _ := spelling(&x, y)
		if like < leastJoined || len(s) < 5 {
			return 0
		}
		return like
	}
	if limit := costLetter * int32(joinSlips(len(s))); limit > 0 {
		if c := written(s, y.text, limit); c <= limit {
			return likeJoined - share(c, float32(len(s)))
		}
	}
	return 0
}

// joinSlips is how many letters may be wrong where words of so many are written in one:
// that they are is forgiven too.
func joinSlips(joint int) int { return max(edits(joint)-1, 0) }

// joinable says whether words of so many letters may be written in one of so many.
func joinable(joint, whole int) bool { return joint-whole >= -3 && joint-whole <= 2 }
