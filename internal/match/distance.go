package match

import "math/bits"

// maxWord is the longest word that is compared letter by letter; what is behind
// is cut off.
const maxWord = 40

// edits is how many mistakes we forgive in a word of n letters. A short word with
// a mistake is another word.
func edits(n int) int {
	switch {
	case n <= 2:
		return 0
	case n <= 5:
		return 1
	case n <= 9:
		return 2
	}
	return 3
}

// farApart says cheaply that two words need more than n edits: an edit removes
// at most one letter and brings at most one.
func farApart(a, b *token, n int) bool {
	d := len(a.text) - len(b.text)
	if d > n || -d > n {
		return true
	}
	return bits.OnesCount32(a.mask&^b.mask) > n || bits.OnesCount32(b.mask&^a.mask) > n
}

// alike are letters that eyes, keyboards and scanners confuse. A slip between
// them costs less than another.
var alike = func() (m [256][256]bool) {
	for _, pair := range []string{
		"0o", "1i", "1l", "5s", "g9", "q9", "b6", "ei", "ou", "ij", "iy", "ck", "nh", "il",
		"mn", "uv", "vw", "sz", "bv", "dt", "gk", "bp", "ae", "ao", "eo", "ia", "fv", "cs", "gh", "qg", "kq",
	} {
		m[pair[0]][pair[1]], m[pair[1]][pair[0]] = true, true
	}
	return m
}()

// Costs of mistakes are counted in hundredths of a letter: whole numbers are
// compared much faster than others, and this is what a search does most.
const (
	costLetter = 100
	costAlike  = 70
	costSwap   = 60
	costDigit  = 200
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// slip is what it costs to have written y for x.
func slip(x, y byte) int32 {
	switch {
	case x == y:
		return 0
	case alike[x][y]:
		return costAlike
	case isDigit(x) || isDigit(y):
		return costDigit
	}
	return costLetter
}

// trim cuts off what two words begin and end with alike: it costs nothing, and
// between words worth comparing little is left.
func trim(a, b string) (string, string) {
	a, b = a[:min(len(a), maxWord)], b[:min(len(b), maxWord)]
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// written is the cost of turning a into b as typists do: a letter missed, added,
// mistaken, or two swapped. It gives up above limit and returns more than it.
func written(a, b string, limit int32) int32 {
	a, b = trim(a, b)
	if len(a) == 0 || len(b) == 0 {
		return costLetter * int32(len(a)+len(b))
	}
	// Cells farther off the diagonal than this need more letters than limit.
	band := int(limit / costLetter)
	if d := len(a) - len(b); d > band || -d > band {
		return limit + 1
	}
	const far = 1 << 20
	var rows [3][maxWord + 2]int32
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range min(len(b), band) + 1 {
		prev[j] = int32(j) * costLetter
	}
	prev[min(len(b), band)+1] = far
	for i := 1; i <= len(a); i++ {
		x := a[i-1]
		from, to := max(1, i-band), min(len(b), i+band)
		lowest := int32(far)
		cur[from-1] = far
		if from == 1 {
			cur[0] = int32(i) * costLetter
			lowest = cur[0]
		}
		for j := from; j <= to; j++ {
			y := b[j-1]
			c := min(prev[j-1]+slip(x, y), prev[j]+costLetter, cur[j-1]+costLetter)
			if i > 1 && j > 1 && x != y && x == b[j-2] && a[i-2] == y {
				c = min(c, before[j-2]+costSwap)
			}
			cur[j] = c
			lowest = min(lowest, c)
		}
		cur[to+1] = far
		if lowest > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
