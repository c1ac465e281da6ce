package match

import "bureau/internal/match/roman"

// A class is what a word does in a name.
type class uint8

const (
	word     class = iota
	generic        // says what a company does or is: bank, holding, international
	initial        // a single letter of a person's name
	number         // 2, II, second
	suffix         // Jr, III: tells the son from the father
	particle       // van, de, al, bin
	title          // Dr, Sheikh
	form           // GmbH, Ltd
	stop           // and, the
)

// shorts is how many names one may be short for: Bert is Albert, Gilbert, Herbert and Hubert.
const shorts = 4

// A token is one word of a name, ready to be compared.
type token struct {
	text    string         // in a–z and 0–9, or in its own letters if we cannot romanise it
	sound   string         // the same for spellings that sound alike
	mask    uint32         // which letters text has
	bones   uint32         // which consonants its sound has
	bits    uint8          // how rare it is, in quarters of a bit
	class   class          //
	script  roman.Form     // how far its letters can be trusted
	symbol  uint16         // words that mean the same have the same; 0 is none
	short   [shorts]uint16 // symbols that it is a short form of
	dotted  bool           // a full stop says that it is cut short
	common  bool           // it is well known among names of its kind
	company bool           // of a company's name
	sense   *wordSense     // what a Reader remembers of it; nil if nothing
}

// weight is what a token counts for in quarters of a bit: its rarity, or little
// where its class says that names come with it and without.
func (t *token) weight() float32 {
	switch t.class {
	case word:
		return float32(t.bits)
	case generic:
		return min(float32(t.bits), 24)
	case initial:
		return 10
	case number:
		return 24
	case particle:
		return 4
	}
	return 0
}

// letters is the set of letters in s. Bits 26 to 31 stand for the rest.
func letters(s string) uint32 {
	var m uint32
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z':
			m |= 1 << (c - 'a')
		default:
			m |= 1 << (26 + c%6)
		}
	}
	return m
}
