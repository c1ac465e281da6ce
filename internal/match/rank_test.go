package match

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Rows are passed over by their sum alone, and yet all are picked that looking at every
// row would pick: those in the bins of the best, and no worse ones.
func TestRankPicksTheBest(t *testing.T) {
	names := []string{"Nordwind", "Nordwind Bau", "Nordwind Bau Havelland", "Nordwind Bau Havelland Reederei Lindqvist"}
	var all []Subject
	for i := range 6000 {
		s := NewSubject(Company, names[i%len(names)])
		s.Countries = []string{[]string{"DE", "FR", "GB"}[i%3]}
		all = append(all, s)
	}
	x := BuildIndex(len(all), func(i int) (uint64, Subject) { return uint64(i), all[i] })
	s := (*x.segments.Load())[0]
	r := rand.New(rand.NewPCG(7, 7))
	var sr searcher
	sr.fit(s)
	for round := range 300 {
		f := &filter{kind: Company}
		if round%3 == 0 {
			f.countries = []uint16{land("FR")}
		}
		whole := float32(1 + r.IntN(300))
		sr.touched, sr.ranked = sr.touched[:0], sr.ranked[:0]
		var want []int // bins of the rows that may be picked
		for row := range s.rowEntry {
			if r.IntN(1+round%5) > 0 {
				continue
			}
			sum := uint16(1 + r.IntN(1+r.IntN(3000)))
			if round%10 == 0 {
				sum = 40 // many as good as each other
			}
			sr.sums[row].all = sum
			sr.touched = append(sr.touched, uint32(row))
			if f.passes(s, s.rowEntry[row]) {
				rest := float32(s.rowWeight[row])
				want = append(want, bin(2*min(float32(sum)/8, rest, whole)/(whole+rest+1)))
			}
		}
		sr.rank(s, whole, f)
		got := make([]int, len(sr.ranked))
		for i, r := range sr.ranked {
			got[i] = bin(r.worth)
		}
		best := func(a, b int) int { return cmp.Compare(b, a) }
		slices.SortFunc(want, best)
		slices.SortFunc(got, best)
		n := min(pool, len(want)) // the last of the pool, and those as good
		for n > 0 && n < len(want) && want[n] == want[n-1] {
			n++
		}
		if ties := n - slices.Index(want, want[n-1]); ties > mostTied {
			n -= ties - mostTied
		}
		if !slices.Equal(got, want[:n]) {
			t.Fatalf("round %d: %d rows are picked, want %d of %d", round, len(got), n, len(want))
		}
		for row, sum := range sr.sums {
			if sum != (rowSum{}) {
				t.Fatalf("round %d: the sum of row %d is not forgotten", round, row)
			}
		}
	}
}
