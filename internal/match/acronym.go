package match

import "bureau/internal/match/roman"

// An acronym is made of the beginnings of words: NPH or Norpahav for Nordische
// Papierwerke Havelland. It is weak evidence, since few letters begin very many
// names; what it is worth is left to the weights.

const (
	likeAcronym = 0.8
	// The letters an acronym has at least, of first letters alone and in all.
	leastInitials, leastAcronym = 3, 4
	maxAcronym                  = 12
)

// contract looks for words of b that are acronyms of words in a row of a.
func (al *alignment) contract(a, b []token, exactA, exactB uint32, swapped bool) {
	if len(a) < 2 {
		return
	}
	for j := range b {
		y := &b[j]
		if exactB&(1<<j) != 0 || y.class != word || y.script > roman.Alphabet ||
			len(y.text) < leastInitials || len(y.text) > maxAcronym {
			continue
		}
		for i := range a {
			if a[i].text[0] != y.text[0] || a[i].class == stop {
				continue
			}
			n := acronymOf(y.text, a[i:])
			if n < 2 || exactA&span(uint8(i), uint8(n)) != 0 {
				continue
			}
			// It is worth no more than the acronym: the words themselves come first.
			l := link{uint8(i), uint8(n), uint8(j), 1, acronym, likeAcronym, likeAcronym * y.weight()}
			if swapped {
				l.i, l.n, l.j, l.m = l.j, l.m, l.i, l.n
			}
			al.add(l)
		}
	}
}

// acronymOf says of how many words, from the first on, text is an acronym: each
// gives one letter or a few from its beginning, little words may give none. 0 is
// of none.
func acronymOf(text string, words []token) int {
	if n := initialsOf(text, words); n > 0 {
		return n
	}
	if len(text) < leastAcronym {
		return 0
	}
	n, given := blend(text, words, 0)
	if given < 2 || len(text) < 2*given {
		return 0
	}
	return n
}

// initialsOf takes one letter of each word.
func initialsOf(text string, words []token) int {
	at := 0
	for n := range words {
		w := &words[n]
		switch {
		case at < len(text) && w.text[0] == text[at] && w.script <= roman.Alphabet && w.class != number:
			at++
		case w.class != stop && w.class != particle:
			return 0
		}
		if at == len(text) {
			return n + 1
		}
	}
	return 0
}

// blend takes two letters or more of each word, as many as fit first. It returns
// how many words were used, and how many of them gave letters.
func blend(text string, words []token, given int) (used, gave int) {
	if text == "" {
		return 0, given
	}
	if len(words) == 0 || given > 4 {
		return 0, 0
	}
	w := &words[0]
	common := 0
	for common < len(text) && common < len(w.text) && text[common] == w.text[common] {
		common++
	}
	if common == len(w.text) && common == len(text) {
		common = 0 // that is the word itself
	}
	for take := common; take >= 2; take-- {
		if n, g := blend(text[take:], words[1:], given+1); g > 0 {
			return n + 1, g
		}
	}
	if w.class == stop || w.class == particle {
		if n, g := blend(text, words[1:], given); g > 0 {
			return n + 1, g
		}
	}
	return 0, 0
}
