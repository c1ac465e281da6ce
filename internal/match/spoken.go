package match

import (
	"math/bits"
	"strconv"
	"strings"

	"bureau/internal/match/roman"
)

// A costs table says what it costs, in hundredths, that one letter of a sound
// became another, or came or went (index 0). Digits and the like share index 27.
type costs [32][32]uint8

const noCode = 27

func code(c byte) uint8 {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 1
	}
	return noCode
}

// costsFor are the tables by how far letters can be trusted: two alphabets, a
// syllabary on either side, an abjad on either side.
var costsFor = [...]*costs{
	roman.Plain:    newCosts(35, 55, 35, "bv50 bp60 dt60 gk60 fv60 cs60 gh60 ci60 is60 ck70 hk60"),
	roman.Alphabet: newCosts(30, 50, 25, "bv40 bp60 dt60 gk60 fv40 cs40 gh30 ci50 is50 ck50 hk40 ch35 ig60 ft50 ov40 uv30"),
	roman.Syllabic: newCosts(20, 20, 20, "bv10 bp25 dt25 gk25 fv25 fp20 bf30 pv30 cs25 gh35 ch30 cf45 ci30 ig40 is35 ck40 lr10 fh30 "+
		"ts35 ds40 hk35 mn35 ov20 uv20 dc35 tc30 kc40 dl50 nl50 hr50 -r60"),
	roman.Abjad: newCosts(15, 12, 30, "bv15 bp20 bf25 pv20 dt35 gk25 fv15 fp12 cs25 ch35 gh35 ci35 is45 ck30 "+
		"ts40 ds45 hk30 ov12 uv12 av30 ig30 dz30 ah20 eh20"),
}

// newCosts fills a table: a vowel for a vowel, a vowel come or gone, an h come or
// gone, and pairs of consonants that are confused, or one that comes and goes (-r, which
// nobody hears at the end of Peter). All else costs a whole letter.
func newCosts(vowel, noVowel, noH uint8, pairs string) *costs {
	var t costs
	for i := range t {
		for j := range t[i] {
			if i != j {
				t[i][j] = costLetter
			}
		}
	}
	set := func(a, b, cost uint8) { t[a][b], t[b][a] = cost, cost }
	for _, a := range "aeiou" {
		set(0, code(byte(a)), noVowel)
		for _, b := range "aeiou" {
			if a != b {
				set(code(byte(a)), code(byte(b)), vowel)
			}
		}
	}
	set(0, code('h'), noH)
	for pair := range strings.FieldsSeq(pairs) {
		cost, err := strconv.ParseUint(pair[2:], 10, 8)
		if err != nil {
			panic("match: a pair of sounds: " + pair)
		}
		if pair[0] == '-' {
			set(0, code(pair[1]), uint8(cost))
			continue
		}
		set(code(pair[0]), code(pair[1]), uint8(cost))
	}
	return &t
}

// A hearing says, of each letter that only one of two sounds has, what it costs at
// least: of letters that stand among bones, so without vowels and h.
type hearing struct {
	partners [32]uint32 // bones that cost less than a whole letter
	alone    [32]uint8  // where the other sound has none of them
	beside   [32]uint8  // where it has one
	gone     int32      // what any letter costs at least that is left out
	open     int32      // what a vowel or an h costs at least that only one sound has
	lostHard int32      // what a bone costs at least that is left out
	lostSoft int32      // what any other letter does
	softened int32      // what a bone costs at least that became another letter
}

var hearings = func() (out [len(costsFor)]hearing) {
	for form := range out {
		t, h := costsFor[form], &out[form]
		h.gone, h.open = costLetter, costLetter
		h.lostHard, h.lostSoft, h.softened = costLetter, costLetter, costLetter
		for x := range 32 {
			i := min(x+1, noCode) // letters from a on, then all that are none
			h.gone = min(h.gone, int32(t[i][0]))
			h.alone[x], h.beside[x] = t[i][0], t[i][0]
			soft := i < noCode && vowels&(1<<x) != 0
			if soft {
				h.lostSoft = min(h.lostSoft, int32(t[i][0]))
			} else {
				h.lostHard = min(h.lostHard, int32(t[i][0]))
			}
			for y := range 26 {
				c := t[i][y+1]
				switch {
				case i == y+1:
				case vowels&(1<<y) != 0:
					h.alone[x] = min(h.alone[x], c)
					if !soft {
						h.softened = min(h.softened, int32(c))
					}
				case c < costLetter:
					h.partners[x] |= 1 << y
					h.beside[x] = min(h.beside[x], c)
				}
			}
			h.beside[x] = min(h.beside[x], h.alone[x])
			if vowels&(1<<x) != 0 && i < noCode {
				for y := range 27 {
					if y != i {
						h.open = min(h.open, int32(t[i][y]))
					}
				}
			}
		}
	}
	return out
}()

// atLeast is what spoken is at least between two sounds that have these lengths and
// bones: whatever stands on one side alone was left out or became something else,
// and the longer one lost as many letters as it is longer by. Those may be the same
// as stand on its side alone, but none of the other's.
func (h *hearing) atLeast(size, other int, a, b uint32) int32 {
	more := min(size, maxWord) - min(other, maxWord)
	if more < 0 {
		more, a, b = -more, b, a
	}
	lost := max(0, more-bits.OnesCount32(a&^b))
	return max(h.oneSided(a&^b, b)+int32(lost)*h.gone, h.oneSided(b&^a, a)+int32(more)*h.gone)
}

// byNumber is what spoken is at least between two sounds of which one has so many bones
// more, and so many other letters, or fewer: each was left out, or a bone became another.
func (h *hearing) byNumber(hard, soft int32) int32 {
	if hard < 0 {
		hard, soft = -hard, -soft
	}
	if soft >= 0 {
		return hard*min(h.lostHard, h.softened+h.lostSoft) + soft*h.lostSoft
	}
	turned := min(hard, -soft)
	return turned*min(h.softened, h.lostHard+h.lostSoft) + (hard-turned)*min(h.lostHard, h.softened+h.lostSoft) + (-soft-turned)*min(h.lostSoft, h.softened+h.lostHard)
}

func (h *hearing) oneSided(only, other uint32) (sum int32) {
	for ; only != 0; only &= only - 1 {
		x := bits.TrailingZeros32(only)
		if h.partners[x]&other != 0 {
			sum += int32(h.beside[x])
		} else {
			sum += int32(h.alone[x])
		}
	}
	return sum
}

// near says cheaply whether it is worth hearing two sounds of these lengths and
// bones, and what spoken may be at most: they have about the same length and nearly
// the same consonants.
func (h *hearing) near(size, other int, a, b uint32) (limit int32, is bool) {
	n := max(size, other)
	if n < 3 || n-min(size, other) > 4 || bits.OnesCount32(a&^b) > 2 || bits.OnesCount32(b&^a) > 2 {
		return 0, false
	}
	limit = int32(30 * n)
	return limit, h.atLeast(size, other, a, b) <= limit
}

// spoken is the cost of turning the sound a into b. It gives up above limit and
// returns more than it.
func spoken(a, b string, t *costs, limit int32) int32 {
	a, b = trim(a, b)
	var rows [2][maxWord + 1]int32
	var codes [maxWord]uint8
	prev, cur := &rows[0], &rows[1]
	for j := range len(b) {
		codes[j] = code(b[j])
		prev[j+1] = prev[j] + int32(t[0][codes[j]])
	}
	for i := range len(a) {
		x := code(a[i])
		row := &t[x&31]
		gone := int32(row[0])
		left, corner := prev[0]+gone, prev[0]
		cur[0] = left
		lowest := left
		for j := range len(b) {
			y := codes[j] & 31
			above := prev[j+1]
			c := corner + int32(row[y])
			if x == noCode && y == noCode && a[i] != b[j] {
				c = corner + costLetter // two letters we have no code for are still two
			}
			c = min(c, above+gone, left+int32(t[0][y]))
			cur[j+1] = c
			lowest = min(lowest, c)
			left, corner = c, above
		}
		if lowest > limit {
			return limit + 1
		}
		prev, cur = cur, prev
	}
	return prev[len(b)]
}
