package match

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Letters that add up to nothing in the list are passed over, and no slip is.
func TestWordListPassesOverNoSlip(t *testing.T) {
	l, r := known.formWords, rand.New(rand.NewPCG(2, 8))
	keys := slices.Sorted(maps.Keys(l.words))
	corrected := 0
	for range 50_000 {
		w := keys[r.IntN(len(keys))]
		at := r.IntN(len(w))
		w = w[:at] + "xe"[:r.IntN(3)] + w[at+r.IntN(2):]
		want := w
		if len(w) >= 4 && len(w) <= maxWord && l.words[w] != w {
			tries := []string{w}
			for i := range len(w) {
				tries = append(tries, w[:i]+w[i+1:])
			}
			for _, key := range slices.Backward(tries) {
				if o := l.words[key]; o != "" && written(w, o, costLetter) <= costLetter {
					want = o
				}
			}
		}
		if got := l.correct(w); got != want {
			t.Fatalf("%q is taken for %q, want %q", w, got, want)
		}
		if want != w {
			corrected++
		}
	}
	if corrected < 5_000 {
		t.Errorf("%d corrected: the test sees nothing", corrected)
	}
}
