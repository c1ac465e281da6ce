package match

import (
	"unicode"

	"bureau/internal/match/roman"
)

// A Reader reads names as Read does, and remembers words: where very many names are
// read they share most of theirs, and to tell what a word is costs more than all the
// rest. A Reader is for one goroutine.
type Reader struct {
	known [kinds]map[string]*wordSense
	most  int // how many words are remembered before all are forgotten
	words []rawWord
	text  []byte
	one   [1]reading // the name that was read last
}

// NewReader makes a reader.
func NewReader() *Reader {
	r := &Reader{most: readerRoom}
	for k := range r.known {
		r.known[k] = map[string]*wordSense{}
	}
	return r
}

// readerRoom bounds what a reader remembers, whatever it is given to read.
const readerRoom = 1 << 18

// A wordSense is what a word is by itself, whatever stands beside it.
type wordSense struct {
	text  string
	token token
	fixed bool // the token is the same wherever the word stands
	plain bool // it is a person's name and nothing else
	apart bool // no legal form begins with it, and none was written onto its end

	net *netWord // what it led to in the net that was asked last
	met uint64   // see Net.era
}

// Read is Read, but the name is gone when the next one is read: of very many, the
// memory of all would be more work than their reading.
func (r *Reader) Read(kind Kind, text string) Name {
	if !r.split(kind, text) {
		return Read(kind, text)
	}
	n := Name{kind: kind}
	r.one[0] = readWords(kind, r.words, r.one[0].tokens[:0])
	if len(r.one[0].tokens) > 0 {
		n.readings = r.one[:]
	}
	return n
}

// split splits a name into words as runs does, and says whether it could: it has no
// letters but those of ASCII and Western Europe, and no sign that turns it round.
func (r *Reader) split(kind Kind, text string) bool {
	if len(text) > maxText {
		return false
	}
	r.words, r.text = r.words[:0], r.text[:0]
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			r.text = append(r.text, c)
		case c >= 'A' && c <= 'Z':
			r.text = append(r.text, c+'a'-'A')
		case c == ' ':
			r.end(kind, false)
		case c == 0xc3 && i+1 < len(text) && text[i+1]&0xc0 == 0x80:
			if i++; !r.western(rune(text[i]&0x3f) | 0xc0) {
				return false
			}
		case c >= 0x80 || c == ',' && kind == Person:
			return false
		case c == '.' || c == '\'' || c == '`' || c == '"':
			is, known := r.joins(kind, c, text[i+1:])
			if !known {
				return false
			}
			if !is {
				r.end(kind, c == '.')
			}
		case c == '&' || c == '+':
			r.end(kind, false)
			r.text = append(r.text, "and"...)
			r.end(kind, false)
		default:
			r.end(kind, false)
		}
	}
	r.end(kind, false)
	return true
}

// western adds a letter of Western Europe, and says whether it is one.
func (r *Reader) western(c rune) bool {
	if c == '×' || c == '÷' {
		return false
	}
	for _, p := range roman.FromLatin(unicode.ToLower(c)) {
		if p >= 0x80 {
			return false
		}
		r.text = append(r.text, byte(p))
	}
	return true
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// joins says whether a full stop, or a quote, joins the word at hand and what
// follows. It is not known where other letters than those of ASCII do.
func (r *Reader) joins(kind Kind, sign byte, rest string) (is, known bool) {
	n := 0
	for n < len(rest) && isASCIILetter(rest[n]) {
		n++
	}
	if n < len(rest) && rest[n] >= 0x80 {
		return false, false
	}
	if sign == '.' {
		return n > 0 && n <= 2 && len(r.text) <= 6 && kind != Person, true
	}
	return n > 0 && len(r.text) > 0, true
}

// end ends a word.
func (r *Reader) end(kind Kind, dotted bool) {
	if len(r.text) == 0 {
		return
	}
	if dotted || len(r.text) > maxWord {
		r.words = append(r.words, rawWord{text: string(r.text), script: roman.Plain, dotted: dotted})
	} else {
		s := r.sense(kind)
		r.words = append(r.words, rawWord{text: s.text, script: roman.Plain, sense: s})
	}
	r.text = r.text[:0]
}

// sense is that of the word at hand.
func (r *Reader) sense(kind Kind) *wordSense {
	known := r.known[kind]
	if s := known[string(r.text)]; s != nil {
		return s
	}
	if len(known) >= r.most {
		clear(known)
	}
	s := newSense(kind, string(r.text))
	known[s.text] = s
	return s
}

func newSense(kind Kind, text string) *wordSense {
	s := &wordSense{text: text}
	w := rawWord{text: text, script: roman.Plain}
	if kind == Person {
		_, around := known.around[text]
		s.token, s.plain = personToken(w, 1)
		s.fixed = !around
		s.token.sense = s
		return s
	}
	_, numeral := known.numerals[text]
	s.token = companyToken([]rawWord{w}, 0)
	s.fixed = !numeral && len(text) > 1
	s.token.sense = s
	left, _ := splitForm(text)
	s.apart = left == "" && !known.beginsForm([]byte(text)) && !known.beginsForm([]byte(w.likelyForm()))
	return s
}
