package match_test

import (
	"math/rand/v2"
	"testing"

	"bureau/internal/match"
	"bureau/internal/match/roman"
)

// Sounds are turned away unheard only if hearing them would cost more.
func TestHearingCostsNoLessThanItSays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const alphabet = "aeiouybcdfghjklmnpqrstvwxz0'"
	sound := func(of string) string {
		b := make([]byte, r.IntN(10))
		for i := range b {
			b[i] = of[r.IntN(len(of))]
		}
		return string(b)
	}
	tight := 0
	for range 200_000 {
		// Of few letters, or nearly all would be far apart.
		from := r.IntN(len(alphabet) - 6)
		of := alphabet[from:from+6] + alphabet[:5]
		a, b := sound(of), sound(of)
		for _, form := range []roman.Form{roman.Plain, roman.Alphabet, roman.Syllabic, roman.Abjad} {
			cost, least, looks := match.Heard(a, b, form)
			if max(least, looks) > cost {
				t.Fatalf("%q for %q (%d) costs %d, and is said to cost %d or %d at least", a, b, form, cost, least, looks)
			}
			if least > 0 && least == cost {
				tight++
			}
		}
	}
	if tight == 0 {
		t.Error("what it costs at least is never what it costs")
	}
}
