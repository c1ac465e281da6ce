package match_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

// Words that are another in one, or that it is the acronym of, are never turned
// away before they are compared.
func TestWordsInOneAreCompared(t *testing.T) {
	r, d := rand.New(rand.NewPCG(7, 9)), fit.NewDamager(9)
	const alphabet = "abcdefghijklmnopqrstuvwxyz0"
	found, away := 0, 0
	for range 100_000 {
		k, name := match.Person, d.Person()
		if r.IntN(2) == 0 {
			k, name = match.Company, d.Company()
		}
		if r.IntN(4) == 0 { // with a little word, which an acronym may leave out
			part := strings.Fields(name)
			part = slices.Insert(part, r.IntN(len(part)), []string{"de", "van", "al", "and", "of", "the", "bin"}[r.IntN(7)])
			name = strings.Join(part, " ")
		}
		words := match.Read(k, name).Words()
		if len(words) < 2 {
			continue
		}
		whole := ""
		for _, w := range words[:2+r.IntN(min(2, len(words)-1))] {
			whole += w
		}
		switch r.IntN(6) {
		case 0: // an acronym
			whole = ""
			for _, w := range words {
				whole += w[:1]
			}
		case 1, 2: // a slip
			at := r.IntN(len(whole))
			whole = whole[:at] + alphabet[r.IntN(len(alphabet)):][:r.IntN(2)] + whole[at+r.IntN(2):]
		case 3: // an acronym of some letters of each, but of little words
			whole = ""
			for _, w := range words {
				if len(w) > 3 || r.IntN(2) == 0 {
					whole += w[:min(len(w), 2+r.IntN(3))]
				}
			}
		case 4: // words of other names
			whole = strings.Join(match.Read(k, d.Person()).Words(), "")
		}
		if whole == "" || len(match.Read(k, whole).Words()) == 0 {
			continue
		}
		is, may := match.InOne(k, strings.Join(words, " "), whole)
		if is && !may {
			t.Fatalf("%q is %q in one, and is not compared", words, whole)
		}
		if is {
			found++
		}
		if !may {
			away++
		}
	}
	if found < 10_000 || away < 10_000 {
		t.Errorf("%d in one, %d turned away: the test sees nothing", found, away)
	}
}
