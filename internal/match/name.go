package match

import (
	"strings"

	"bureau/internal/match/roman"
)

// A Name is a text that was read and can be compared. The zero Name is empty
// and like nothing.
type Name struct {
	kind     Kind
	readings []reading
	han      []token // one for each Han character, if it is written in nothing else
}

// A reading is one way to write a name in Latin letters.
type reading struct {
	tokens []token
	form   uint16 // its legal form, if it has one
}

// form is the legal form of a name, if it has one.
func (n *Name) form() uint16 {
	if len(n.readings) == 0 {
		return 0
	}
	return n.readings[0].form
}

// Empty says that there is nothing in a name that could be compared.
func (n Name) Empty() bool { return len(n.readings) == 0 }

// Read reads a name. It never fails: what cannot be part of a name is passed
// over, and of a text that is longer than any name only the beginning is read.
func Read(kind Kind, text string) Name {
	n := Name{kind: kind}
	rs := runs(kind, text)
	var forms []run
	if kind == Person {
		rs = oneHanName(withGod(commaLast(rs)))
	} else {
		rs, forms = cutHanForms(rs)
	}
	for _, words := range romanise(kind, append(rs, forms...)) {
		if r := readWords(kind, words, make([]token, 0, min(len(words), maxTokens))); len(r.tokens) > 0 {
			n.readings = append(n.readings, r)
		}
	}
	n.han = hanTokens(rs)
	return n
}

// Words are the words of a name as they are compared, for counting.
func (n Name) Words() []string {
	if n.Empty() {
		return nil
	}
	var out []string
	for _, t := range n.readings[0].tokens {
		out = append(out, t.text)
	}
	return out
}

// commaLast turns "Smith, John" round. Behind a second comma there are titles and
// suffixes, whose place does not matter.
func commaLast(rs []run) []run {
	for i, r := range rs {
		if r.comma && i+1 < len(rs) {
			return append(append([]run(nil), rs[i+1:]...), rs[:i+1]...)
		}
	}
	return rs
}

// A rawWord is a word in Latin letters before it is known for what it is.
type rawWord struct {
	text   string
	script roman.Form
	dotted bool
	most   uint8      // what it is worth at most, in quarters of a bit; 0 is no limit
	sense  *wordSense // what a Reader remembers of it; nil if nothing
}

// romanise writes all runs in Latin letters, in each way they may be read. Words
// that have fewer readings than others use their last in the rest.
func romanise(kind Kind, rs []run) [][]rawWord {
	if words, ok := allLatin(rs); ok {
		return [][]rawWord{words}
	}
	ask := roman.Ask{Person: kind == Person, Alone: len(rs) == 1}
	for _, r := range rs {
		if r.script == roman.Kana || r.script == roman.Hangul {
			ask.Beside = r.script
		}
	}
	spelt := make([][][]rawWord, len(rs))
	most := 1
	for i := range rs {
		spelt[i] = readingsOf(kind, &rs[i], ask)
		most = max(most, len(spelt[i]))
	}
	out := make([][]rawWord, most)
	for k := range out {
		for _, words := range spelt {
			out[k] = append(out[k], words[min(k, len(words)-1)]...)
		}
	}
	return out
}

// readingsOf is a run in Latin letters, in each way it may be read. What is written
// ジョン is John, whatever else it may be.
func readingsOf(kind Kind, r *run, ask roman.Ask) (out [][]rawWord) {
	if r.script == roman.Latin {
		return [][]rawWord{{{text: string(r.runes), script: roman.Plain, dotted: r.dotted}}}
	}
	if name, is := known.written[writtenAs(r.runes)]; is && kind == Person {
		out = append(out, []rawWord{{text: name, script: roman.Plain}})
		if r.script.Form() == roman.Abjad {
			return out // with its vowels guessed it could be others too
		}
	}
	for _, words := range roman.Read(r.script, r.runes, ask) {
		var read []rawWord
		for _, w := range words {
			if w != "" {
				read = append(read, rawWord{text: w, script: r.script.Form(), most: worthOf(r, len(words))})
			}
		}
		out = append(out, read)
	}
	return out
}

// hanBits is what a Han character is worth, in quarters of a bit.
const hanBits = 28

// worthOf is what a word is worth at most of so many that a run is read as. However rare
// a reading looks (李 may be sumomo), it is no rarer than the characters it stands for.
func worthOf(r *run, words int) uint8 {
	if r.script != roman.Han {
		return 0
	}
	characters := (len(r.runes) + words - 1) / max(1, words)
	return uint8(min(255, hanBits*max(1, characters)))
}

// allLatin are the words of a name that is in Latin letters already.
func allLatin(rs []run) ([]rawWord, bool) {
	for i := range rs {
		if rs[i].script != roman.Latin {
			return nil, false
		}
	}
	out := make([]rawWord, len(rs))
	for i := range rs {
		out[i] = rawWord{text: string(rs[i].runes), script: roman.Plain, dotted: rs[i].dotted}
	}
	return out, true
}

// hanTokens are the Han characters of a name that has nothing else, each a word of
// its own, in their simplified forms: between two such names the characters decide.
func hanTokens(rs []run) []token {
	var out []token
	for _, r := range rs {
		if r.script != roman.Han {
			return nil
		}
		for _, c := range r.runes {
			if len(out) == maxTokens {
				return out
			}
			s := string(roman.Simplify(c))
			out = append(out, token{text: s, sound: s, mask: letters(s), bones: letters(s), bits: hanBits, script: roman.Own})
		}
	}
	return out
}

// readWords makes tokens of words, and puts them into a list that is empty.
func readWords(kind Kind, words []rawWord, into []token) reading {
	if kind == Company {
		return readCompany(words, into)
	}
	return readPerson(words, into)
}

// parted is a word of an abjad with a vowel between two consonants that are the same: it
// does not write one that is only long, so there is something between the two of פררו.
func parted(text string) string {
	for i := 1; i < len(text); i++ {
		if text[i] == text[i-1] {
			return text[:i] + "e" + parted(text[i:])
		}
	}
	return text
}

// newToken is a plain word.
func newToken(kind Kind, w rawWord) token {
	t := token{text: w.text, sound: w.text, script: w.script, dotted: w.dotted && len(w.text) > 1, company: kind == Company}
	if w.script != roman.Own {
		if len(t.text) > maxWord {
			t.text = t.text[:maxWord]
		}
		t.sound = sound(t.text)
		if w.script == roman.Abjad {
			t.sound = sound(parted(t.text))
		}
	}
	t.mask, t.bones = letters(t.text), letters(t.sound)&^vowels
	t.bits, t.common = known.rarity(kind, t.text)
	if w.script > roman.Alphabet && w.script != roman.Own {
		// The fewer consonants are known for sure, the more words it may be. What is
		// said of vowels counts once a word has more than one name's share.
		// A j is one of them, though it sounds like a vowel. Of people's names there are so
		// many alike that the few vowels of an abjad do not tell them apart.
		n := consonants(t.sound) + strings.Count(t.text, "j")
		most := 8 + 11*n
		if n > 2 && (w.script == roman.Syllabic || kind == Company) {
			most += 4 * max(0, len(t.sound)-n)
		}
		t.bits = uint8(min(int(t.bits), most))
		if w.most > 0 {
			t.bits = min(t.bits, w.most)
		}
	}
	return t
}

// isNumber says whether a word has digits only.
func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
