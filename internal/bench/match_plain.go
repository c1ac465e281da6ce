package bench

import (
	"strings"
	"unicode"
)

// plainScore is what a screening tool without a model says of two names: the mean of
// what the words of the shorter are like their best in the other, or both as one
// string if that is more. It is the baseline of labelled pairs.
func plainScore(a, b string) float64 {
	words := func(s string) []string {
		return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	p, q := words(a), words(b)
	if len(p) > len(q) {
		p, q = q, p
	}
	if len(p) == 0 {
		return 0
	}
	sum := 0.0
	for _, w := range p {
		best := 0.0
		for _, v := range q {
			best = max(best, jaroWinkler([]rune(w), []rune(v)))
		}
		sum += best
	}
	return max(sum/float64(len(p)), jaroWinkler([]rune(strings.Join(p, " ")), []rune(strings.Join(q, " "))))
}

// jaroWinkler is the share of letters two words have in common at about the same
// place, with some more for the same beginning.
func jaroWinkler(a, b []rune) float64 {
	reach := max(0, max(len(a), len(b))/2-1)
	taken := make([]bool, len(b))
	var inA []rune
	for i, r := range a {
		for j := max(0, i-reach); j < min(len(b), i+reach+1); j++ {
			if !taken[j] && b[j] == r {
				taken[j] = true
				inA = append(inA, r)
				break
			}
		}
	}
	if len(inA) == 0 {
		return 0
	}
	common, moved, k := float64(len(inA)), 0.0, 0
	for j, t := range taken {
		if t {
			if b[j] != inA[k] {
				moved += .5
			}
			k++
		}
	}
	jaro := (common/float64(len(a)) + common/float64(len(b)) + (common-moved)/common) / 3
	same := 0
	for same < min(4, len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return jaro + .1*float64(same)*(1-jaro)
}
