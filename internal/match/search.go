package match

import (
	"bytes"
	"slices"

	"bureau/internal/match/roman"
)

// Bounds of a search. They are far beyond what a real name needs and keep a
// hostile one from taking long.
const (
	maxNear   = 4000 // words looked at under one key
	maxAlike  = 200  // words followed for one word of the query
	maxPrefix = 2000 // words looked at that begin with one of the query
	pool      = 96   // rows that are compared in full
)

// A searcher is the memory of one search, used again for the next.
type searcher struct {
	sums    []rowSum // by row
	touched []uint32 // rows with a sum
	seen    []uint32 // by word: the round in which it was last looked at
	round   uint32
	leads   []lead
	groups  []leadGroup
	near    []rankedRow // what may be ranked
	ranked  []rankedRow
	best    map[uint32]int
	al      alignment
	buf     [maxTokens]token
	joint   []byte
	one     [1]reading // the row that is being compared
}

// A rowSum is what a row shares with the query, in eighths of a quarter of a bit.
// Many of its words may be like one word of the query, and that counts once.
type rowSum struct {
	all   uint16
	group uint16 // the word of the query that it gained by last, and how much
	by    uint16
}

// A lead is a word of the segment that leads to rows, and how sure it is.
type lead struct {
	word uint32
	like float32
}

// A leadGroup is the leads that one word of the query gives, and the most that a
// row can gain by them.
type leadGroup struct {
	from, to int
	most     float32
}

type rankedRow struct {
	row   uint32
	worth float32
}

// fit makes the searcher large enough for a segment.
func (sr *searcher) fit(s *segment) {
	if len(sr.sums) < len(s.rowEntry) {
		sr.sums = make([]rowSum, len(s.rowEntry))
	}
	if len(sr.seen) < len(s.words) {
		sr.seen = make([]uint32, len(s.words))
		sr.round = 0
	}
}

// gather collects the rows of a segment that share words with a name, however
// they are spelt, and ranks them by how much they share.
func (sr *searcher) gather(s *segment, name *Name, f *filter) []rankedRow {
	sr.fit(s)
	sr.ranked = sr.ranked[:0]
	if len(name.han) > 0 {
		sr.gatherTokens(s, name.kind, name.han, f)
	}
	for i := range name.readings {
		sr.gatherTokens(s, name.kind, name.readings[i].tokens, f)
	}
	return sr.ranked
}

func (sr *searcher) gatherTokens(s *segment, k Kind, tokens []token, f *filter) {
	sr.leads, sr.groups, sr.touched = sr.leads[:0], sr.groups[:0], sr.touched[:0]
	whole := float32(0) // what the query itself is worth here
	least := uint8(0)   // the bits of a word that is worth looking up
	for i := range tokens {
		if t := &tokens[i]; searchable(t.class) && t.bits > formPartBits {
			least = formPartBits + 1
		}
	}
	for i := range tokens {
		t := &tokens[i]
		if !searchable(t.class) || t.bits < least {
			continue
		}
		g := leadGroup{from: len(sr.leads)}
		sr.findAlike(s, k, t)
		for _, l := range sr.leads[g.from:] {
			g.most = max(g.most, l.worth(s))
		}
		if w := s.exact(k, []byte(t.text)); w >= 0 {
			g.most = float32(s.words[w].Weight)
		}
		whole += g.most
		if t.script != roman.Own && t.class != number {
			sr.findParts(s, k, t, partsGroup+uint16(i))
		}
		if i+1 < len(tokens) {
			g.most = max(g.most, sr.findJoint(s, k, t, &tokens[i+1]))
		}
		g.to = len(sr.leads)
		sr.groups = append(sr.groups, g)
	}
	sr.follow(s)
	sr.rank(s, whole, f)
	sr.followSquash(s, tokens, f)
}

// partsGroup is the first of the groups of words that are taken apart, which are
// followed before all others.
const partsGroup = 1 << 8

// worth is what a row gains by a lead.
func (l lead) worth(s *segment) float32 { return float32(s.words[l.word].Weight) * l.like }

// essential is the part of a query that a row must be able to share. Rows that
// only have words which together make less are not looked for: they are very
// many, and hardly ever meant.
const essential = 0.3

// follow adds to the sums of the rows that leads lead to, rare words first. Words
// so common that they say nothing by themselves only add to rows already found.
func (sr *searcher) follow(s *segment) {
	slices.SortFunc(sr.groups, func(a, b leadGroup) int {
		switch {
		case a.most > b.most:
			return -1
		case a.most < b.most:
			return 1
		}
		return a.from - b.from
	})
	all := float32(0)
	for _, g := range sr.groups {
		all += g.most
	}
	rest := all
	for i, g := range sr.groups {
		find := rest >= essential*all
		for _, l := range sr.leads[g.from:g.to] {
			// Which word was meant is not known, so what a row gains lies between what
			// it would for this one and for the best.
			worth := (l.worth(s) + l.like*g.most) / 2
			sr.addRows(s, l.word, uint16(i+1), uint16(worth*8), find)
		}
		rest -= g.most
	}
}

// addRows adds to the sum of each row that has a word, or only of those that
// have one already.
func (sr *searcher) addRows(s *segment, w uint32, group, worth uint16, find bool) {
	if worth == 0 {
		return
	}
	for _, row := range s.postRow[s.postStart[w]:s.postStart[w+1]] {
		if find || sr.sums[row].all != 0 {
			sr.gain(row, group, worth)
		}
	}
}

// gain adds to the sum of a row what it is worth by a word of the query.
func (sr *searcher) gain(row uint32, group, worth uint16) {
	r := &sr.sums[row]
	if r.all == 0 {
		sr.touched = append(sr.touched, row)
	}
	if r.group == group {
		worth = max(worth, r.by) - r.by
	} else {
		r.group, r.by = group, 0
	}
	r.by += worth
	r.all = max(r.all, r.all+worth) // a sum that runs over stays where it is
}

// followSquash ranks the names that are equal once written in one before all
// others, with or without what stands around the name.
func (sr *searcher) followSquash(s *segment, tokens []token, f *filter) {
	if sr.followInOne(s, tokens, f, squashed) < len(tokens) {
		sr.followInOne(s, tokens, f, anyClass)
	}
	sr.followAcronyms(s, tokens, f)
}

// followInOne ranks the names that are equal to some words written in one, and says
// how many these are.
func (sr *searcher) followInOne(s *segment, tokens []token, f *filter, counts func(class) bool) (words int) {
	sr.joint = sr.joint[:0]
	for i := range tokens {
		if counts(tokens[i].class) {
			sr.joint = append(sr.joint, tokens[i].text...)
			words++
		}
	}
	sr.rankSquashed(s, hash32(seedSquash, sr.joint), f, func(row uint32) bool { return s.isSquash(row, sr.joint) })
	return words
}

// rankSquashed ranks the rows under a key before all others.
func (sr *searcher) rankSquashed(s *segment, key uint32, f *filter, isIt func(row uint32) bool) {
	list := s.squash.bucket(key)
	from := len(sr.ranked)
	for _, row := range list[:min(len(list), maxNear)] {
		if len(sr.ranked)-from == pool {
			return
		}
		if isIt(row) && f.passes(s, s.rowEntry[row]) {
			sr.ranked = append(sr.ranked, rankedRow{row, 2})
		}
	}
}

// followAcronyms ranks names that a word of the query is the acronym of, and those
// that are the acronym of the query.
func (sr *searcher) followAcronyms(s *segment, tokens []token, f *filter) {
	if f.kind != Company {
		return
	}
	initials := sr.joint[:0]
	for i := range tokens {
		t := &tokens[i]
		if t.script > roman.Alphabet || t.class != word && t.class != generic {
			continue
		}
		initials = append(initials, t.text[0])
		if n := len(t.text); len(tokens) <= 2 && n >= leastInitials && n <= maxAcronym && t.class == word {
			text := []byte(t.text)
			sr.rankSquashed(s, hash32(seedInitials, text), f, func(row uint32) bool { return s.hasInitials(row, text) })
		}
	}
	sr.joint = initials
	if len(initials) < leastInitials {
		return
	}
	if w := s.exact(f.kind, initials); w >= 0 {
		for _, row := range s.postRow[s.postStart[w]:s.postStart[w+1]] {
			if s.wordStart[row+1]-s.wordStart[row] <= 2 && f.passes(s, s.rowEntry[row]) {
				sr.ranked = append(sr.ranked, rankedRow{row, 2})
			}
		}
	}
}

func (s *segment) hasInitials(row uint32, text []byte) bool {
	var buf [maxTokens]byte
	initials := buf[:0]
	for _, w := range s.rowWord[s.wordStart[row]:s.wordStart[row+1]] {
		initials = s.appendInitial(initials, w)
	}
	return bytes.Equal(initials, text)
}

// isSquash says whether a row written in one is text, with or without what stands
// around the name.
func (s *segment) isSquash(row uint32, text []byte) bool {
	return s.isInOne(row, text, squashed) || s.isInOne(row, text, anyClass)
}

func anyClass(class) bool { return true }

func (s *segment) isInOne(row uint32, text []byte, counts func(class) bool) bool {
	for _, w := range s.rowWord[s.wordStart[row]:s.wordStart[row+1]] {
		if !counts(class(s.words[w].Class & 0x7f)) {
			continue
		}
		rest, ok := bytes.CutPrefix(text, s.text(w))
		if !ok {
			return false
		}
		text = rest
	}
	return len(text) == 0
}
