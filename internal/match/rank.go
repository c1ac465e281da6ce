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

// rank adds the best of the touched rows to those ranked, and forgets the sums.
// A row's worth is what it shares with the query, of all that both have.
func (sr *searcher) rank(s *segment, whole float32, f *filter) {
	var count [bins + 1]int32
	worth := func(row uint32) float32 {
		shared := float32(sr.sums[row].all) / 8
		rest := float32(s.rowWeight[row])
		shared = min(shared, rest, whole)
		return 2 * shared / (whole + rest + 1)
	}
	for _, row := range sr.touched {
		count[bin(worth(row))]++
	}
	least, n := bins, int32(0)
	for ; least > 0; least-- {
		if n += count[least]; n >= pool {
			break
		}
	}
	// Entries that the filter refuses may have filled the pool: then take more.
	for {
		from := len(sr.ranked)
		for _, row := range sr.touched {
			if w := worth(row); bin(w) >= least && len(sr.ranked)-from < 8*pool && f.passes(s, s.rowEntry[row]) {
				sr.ranked = append(sr.ranked, rankedRow{row, w})
			}
		}
		if len(sr.ranked)-from >= pool/2 || least == 0 {
			break
		}
		sr.ranked = sr.ranked[:from]
		least = max(0, least-bins/8)
	}
	if len(sr.touched) > len(sr.sums)/8 {
		clear(sr.sums)
	} else {
		for _, row := range sr.touched {
			sr.sums[row] = rowSum{}
		}
	}
}

func bin(worth float32) int { return min(int(worth*bins), bins) }
