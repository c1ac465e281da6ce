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

const (
	costAlike = 0.7
	costSwap  = 0.9
	costDigit = 2.0
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// written is the cost of turning a into b as typists do: a letter missed, added,
// mistaken, or two swapped. It gives up above limit and returns more than it.
func written(a, b string, limit float32) float32 {
	if len(a) > maxWord {
		a = a[:maxWord]
	}
	if len(b) > maxWord {
		b = b[:maxWord]
	}
	var rows [3][maxWord + 1]float32
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = float32(j)
	}
	for i := 1; i <= len(a); i++ {
		x := a[i-1]
		cur[0] = float32(i)
		lowest := cur[0]
		for j := 1; j <= len(b); j++ {
			y := b[j-1]
			var c float32
			if x == y {
				c = prev[j-1]
			} else {
				step := float32(1)
				switch {
				case isDigit(x) || isDigit(y):
					step = costDigit
					if alike[x][y] {
						step = costAlike
					}
				case alike[x][y]:
					step = costAlike
				}
				gap := float32(1)
				c = min(prev[j-1]+step, prev[j]+gap, cur[j-1]+gap)
				if i > 1 && j > 1 && x == b[j-2] && a[i-2] == y {
					c = min(c, before[j-2]+costSwap)
				}
			}
			cur[j] = c
			lowest = min(lowest, c)
		}
		if lowest > limit {
			return limit + 1
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
