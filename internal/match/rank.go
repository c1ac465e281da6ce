package match

// A filter is what entries must be to be looked at.
type filter struct {
	kind      Kind
	countries []uint16
}

// passes says whether an entry may be an answer. One of no known country is
// never left out: its country may be any.
func (f *filter) passes(s *segment, entry uint32) bool {
	if s.isDead(entry) || Kind(s.kind[entry]) != f.kind {
		return false
	}
	if len(f.countries) == 0 || s.land[entry] == 0 {
		return true
	}
	for _, c := range f.countries {
		if c == s.land[entry] {
			return true
		}
	}
	return f.passesOther(s, entry)
}

// passesOther looks at the further countries of an entry.
func (f *filter) passesOther(s *segment, entry uint32) bool {
	b := s.extra[s.extraFrom[entry]:s.extraFrom[entry+1]]
	if len(b) == 0 || b[0] < 2 {
		return false
	}
	var sub Subject
	readFacts(b, &sub)
	for _, code := range sub.Countries {
		for _, c := range f.countries {
			if c == land(code) {
				return true
			}
		}
	}
	return false
}

// bins is how finely rows are told apart when the best are picked.
const bins = 512

// mostTied is how many rows are picked that are as good as the last that is.
const mostTied = 8 * pool

// rank adds the best of the touched rows to those ranked, and forgets the sums.
// A row's worth is what it shares with the query, of all that both have. Millions of
// rows may be touched, so most are passed over by their sum alone: once the pool is
// full, no row is looked up that could not be among the best.
func (sr *searcher) rank(s *segment, whole float32, f *filter) {
	var count [bins + 1]int32
	least, n := 0, int32(0) // n rows are in the bins from least on
	needed := uint16(0)     // the sum that a row needs to come to one of these
	sr.near = sr.near[:0]
	for _, row := range sr.touched {
		all := sr.sums[row].all
		sr.sums[row] = rowSum{}
		if all < needed {
			continue
		}
		rest := float32(s.rowWeight[row])
		worth := 2 * min(float32(all)/8, rest, whole) / (whole + rest + 1)
		b := bin(worth)
		if b < least || count[b] == mostTied || !f.passes(s, s.rowEntry[row]) {
			continue
		}
		sr.near = append(sr.near, rankedRow{row, worth})
		count[b]++
		n++
		for n-count[least] >= pool {
			n -= count[least]
			least++
			needed = sumFor(least, whole)
		}
	}
	for _, r := range sr.near {
		if bin(r.worth) >= least {
			sr.ranked = append(sr.ranked, r)
		}
	}
}

// sumFor is the least sum that may bring a row into a bin: that of one which has
// nothing but what it shares.
func sumFor(b int, whole float32) uint16 {
	worth := float32(b) / bins
	return uint16(8 * worth * (whole + 1) / (2 - worth))
}

func bin(worth float32) int { return min(int(worth*bins), bins) }
