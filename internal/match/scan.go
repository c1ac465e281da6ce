package match

import "slices"

// A finding is an entry that was scored: how good its best row is.
type finding struct {
	segment *segment
	entry   uint32
	row     uint32
	name    int     // of the query
	z       float32 // with facts
	share   float32
}

func (f *finding) id() uint64 { return f.segment.ids[f.entry] }

// scan scores the candidates of one segment and adds the best row of each entry
// to found.
func (sr *searcher) scan(s *segment, q *Subject, f *filter, found []finding) []finding {
	if len(s.ids) == 0 {
		return found
	}
	from := len(found)
	clear(sr.best)
	m := &models[q.Kind]
	hasFacts := len(q.Born)+len(q.Countries)+len(q.Identifiers) > 0 || q.Gender != "" || q.Address != ""
	for n := range q.Names {
		name := &q.Names[n].Name
		ranked := sr.gather(s, name, f)
		slices.SortFunc(ranked, func(a, b rankedRow) int {
			switch {
			case a.worth > b.worth:
				return -1
			case a.worth < b.worth:
				return 1
			}
			return int(a.row) - int(b.row)
		})
		for _, r := range ranked[:min(len(ranked), 2*pool)] {
			st, share, any := sr.score(s, r.row, name, q.Names[n].Weak, m)
			if !any {
				continue // what led here does not hold
			}
			entry := s.rowEntry[r.row]
			at, seen := sr.best[entry]
			if !seen {
				at = len(found)
				sr.best[entry] = at
				found = append(found, finding{s, entry, r.row, n, st.z, share})
			} else if b := &found[at]; st.z > b.z || st.z == b.z && share > b.share {
				*b = finding{s, entry, r.row, n, st.z, share}
			}
		}
	}
	if hasFacts {
		for i := from; i < len(found); i++ {
			b := &found[i]
			var o Subject
			readFacts(s.extra[s.extraFrom[b.entry]:s.extraFrom[b.entry+1]], &o)
			b.z = m.withFacts(b.z, compareFacts(q, &o))
		}
	}
	return found
}

// score compares a name with a row, and says whether they share any word.
func (sr *searcher) score(s *segment, row uint32, name *Name, weak bool, m *model) (st standing, share float32, any bool) {
	flags := s.rowFlags[row]
	other := Name{kind: name.kind}
	tokens := s.tokens(row, &sr.buf)
	sr.one[0] = reading{tokens, s.rowForm[row]}
	if flags&rowHan != 0 {
		other.han = tokens
	} else {
		other.readings = sr.one[:]
		if flags&rowFromHan != 0 && len(name.han) > 0 {
			// Its own characters are a row too, and decide.
			return standing{}, 0, false
		}
	}
	o := weigh(name, &other, &sr.al, m)
	return rateOutcome(m, &o, weak || flags&rowWeak != 0), o.share, o.any
}

// verdict explains a finding.
func (f *finding) verdict(q *Subject, sr *searcher) Verdict {
	s := f.segment
	other := Name{kind: q.Kind}
	tokens := append([]token(nil), s.tokens(f.row, &sr.buf)...)
	if s.rowFlags[f.row]&rowHan != 0 {
		other.han = tokens
	} else {
		other.readings = []reading{{tokens, s.rowForm[f.row]}}
	}
	var facts Subject
	readFacts(s.extra[s.extraFrom[f.entry]:s.extraFrom[f.entry+1]], &facts)
	weak := q.Names[f.name].Weak || s.rowFlags[f.row]&rowWeak != 0
	return judge(&q.Names[f.name].Name, &other, weak, compareFacts(q, &facts), &sr.al)
}
