package match

import "bureau/internal/match/roman"

// A costs table says what it costs that one letter of a sound became another, or
// came or went (index 0). Digits and the like share the last index.
type costs [28][28]float32

func code(c byte) int {
	if c >= 'a' && c <= 'z' {
		return int(c-'a') + 1
	}
	return 27
}

// costsFor are the tables by how far letters can be trusted: two alphabets, a
// syllabary on either side, an abjad on either side.
var costsFor = [...]costs{
	roman.Plain:    newCosts(0.35, 0.55, 0.35, "bv0.5 bp0.6 dt0.6 gk0.6 fv0.6 cs0.6 gh0.6 ci0.6 is0.6 ck0.7 hk0.6"),
	roman.Alphabet: newCosts(0.3, 0.5, 0.25, "bv0.4 bp0.6 dt0.6 gk0.6 fv0.4 cs0.4 gh0.3 ci0.5 is0.5 ck0.5 hk0.4 ft0.5 ov0.4 uv0.3"),
	roman.Syllabic: newCosts(0.2, 0.2, 0.2, "bv0.1 bp0.25 dt0.25 gk0.25 fv0.25 fp0.2 cs0.25 gh0.35 ci0.3 is0.35 ck0.4 lr0.1 fh0.3 "+
		"ts0.35 ds0.4 hk0.35 mn0.35 ov0.2 uv0.2 dc0.35 tc0.3 kc0.4 dl0.5 nl0.5 hr0.5"),
	roman.Abjad: newCosts(0.15, 0.12, 0.3, "bv0.2 bp0.2 dt0.35 gk0.25 fv0.15 fp0.2 cs0.3 gh0.35 ci0.35 is0.45 ck0.3 "+
		"ts0.4 ds0.45 hk0.3 ov0.12 uv0.12 av0.3 ig0.3 dz0.3 ah0.2 eh0.2"),
}

// newCosts fills a table: a vowel for a vowel, a vowel come or gone, an h come or
// gone, and pairs of consonants that are confused. All else costs 1.
func newCosts(vowel, noVowel, noH float32, pairs string) costs {
	var t costs
	for i := range t {
		for j := range t[i] {
			if i != j {
				t[i][j] = 1
			}
		}
	}
	set := func(a, b int, v float32) { t[a][b], t[b][a] = v, v }
	for _, a := range "aeiou" {
		set(0, code(byte(a)), noVowel)
		for _, b := range "aeiou" {
			if a != b {
				set(code(byte(a)), code(byte(b)), vowel)
			}
		}
	}
	set(0, code('h'), noH)
	for len(pairs) >= 5 {
		n := 0
		for n < len(pairs) && pairs[n] != ' ' {
			n++
		}
		v := float32(0)
		scale := float32(0.1)
		for _, c := range pairs[4:n] {
			v += float32(c-'0') * scale
			scale /= 10
		}
		set(code(pairs[0]), code(pairs[1]), v)
		pairs = pairs[min(n+1, len(pairs)):]
	}
	return t
}

// spoken is the cost of turning the sound a into b. It gives up above limit.
func spoken(a, b string, t *costs, limit float32) float32 {
	if len(a) > maxWord {
		a = a[:maxWord]
	}
	if len(b) > maxWord {
		b = b[:maxWord]
	}
	var rows [2][maxWord + 1]float32
	var codes [maxWord]uint8
	prev, cur := &rows[0], &rows[1]
	for j := range len(b) {
		codes[j] = uint8(code(b[j]))
		prev[j+1] = prev[j] + t[0][codes[j]]
	}
	for i := 1; i <= len(a); i++ {
		x := code(a[i-1])
		row := &t[x]
		gone := row[0]
		cur[0] = prev[0] + gone
		lowest := cur[0]
		for j := 1; j <= len(b); j++ {
			y := codes[j-1]
			c := min(prev[j-1]+row[y], prev[j]+gone, cur[j-1]+t[0][y])
			// A letter we have no code for is only equal to itself.
			if x == 27 && y == 27 && a[i-1] != b[j-1] {
				c = min(prev[j], cur[j-1]) + 1
			}
			cur[j] = c
			lowest = min(lowest, c)
		}
		if lowest > limit {
			return limit + 1
		}
		prev, cur = cur, prev
	}
	return prev[len(b)]
}
