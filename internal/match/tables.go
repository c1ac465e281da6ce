package match

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

var (
	//go:embed forms.txt
	formsText string
	//go:embed forms_iso.txt
	formsISO string
	//go:embed words_company.txt
	companyText string
	//go:embed words_person.txt
	personText string
	//go:embed nicknames.txt
	nicknamesText string
	//go:embed places.txt
	placesText string
	//go:embed written.txt
	writtenText string
	//go:embed common_person.txt
	commonPerson string
	//go:embed common_company.txt
	commonCompany string
)

// A legalForm is a form of company on three levels: as it is shown, which of its
// spellings are the same (its place in the list), and the class it belongs to.
type legalForm struct {
	shown string
	class string
}

// A phrase is a spelling of a legal form, in one or more words.
type phrase struct {
	form    uint16
	guarded bool // only at either end of a name
	closing bool // only at its end
}

// tables are the words we know. Symbols below are numbers that words with the
// same meaning share; they are never 0.
type tables struct {
	forms       []legalForm
	phrases     map[string]phrase // by their letters, without spaces
	sorted      []string          // the letters of all phrases
	formWords   *wordList         // the words of phrases, to recognise them mistyped
	formParts   map[string]bool   // the words of phrases of several
	formCuts    map[string]string // the words of phrases, by what may be left of them before a full stop
	longest     int               // words in the longest phrase
	generic     map[string]uint16
	heard       map[string]uint16        // more of those, where vowels are guesses
	around      map[string]aroundWord    // titles, particles and suffixes of people
	aroundHeard map[heardWord]aroundWord // more of those, as other scripts write them out
	sides       map[uint16]bool          // of the generic ones, those that tell where
	stems       []string                 // short ones of those, which other words begin with
	names       map[string]nickname
	written     map[string]string // names in Latin letters, by how other scripts write them
	numerals    map[string]uint16
	common      [kinds]map[string]uint8 // quarters of a bit
	places      map[string]bool         // words of companies that are known, be they common or not
}

type aroundWord struct {
	class  class
	symbol uint16
	rank   bool // a title that is a name at the end of one
	heir   bool // a suffix that is a name behind a single one
}

// A heardWord is a word as it comes out of another script, with its vowels or
// without: fan is van in Arabic, and a family name in Chinese.
type heardWord struct {
	text  string
	abjad bool
}

// A nickname says which name a given name is a form of: the same name in another
// language, or a short form of it.
type nickname struct {
	symbol uint16
	short  []uint16
}

var known = newTables()

func newTables() *tables {
	t := &tables{
		phrases: map[string]phrase{}, formWords: newWordList(), formParts: map[string]bool{}, formCuts: map[string]string{}, generic: map[string]uint16{}, heard: map[string]uint16{}, around: map[string]aroundWord{}, aroundHeard: map[heardWord]aroundWord{},
		sides: map[uint16]bool{}, places: map[string]bool{},
		names: map[string]nickname{}, written: map[string]string{}, numerals: numerals(),
	}
	t.readForms()
	t.sorted = slices.Sorted(maps.Keys(t.phrases))
	symbol := uint16(0)
	for line := range lines(companyText) {
		symbol++
		words, isSide := strings.CutPrefix(line, "side\t")
		if isSide {
			t.sides[symbol] = true
		}
		for w := range strings.FieldsSeq(words) {
			if heard, is := strings.CutPrefix(w, "~"); is {
				t.heard[heard] = symbol
				continue
			}
			t.generic[w] = symbol
			if isSide && len(w) <= 5 {
				t.stems = append(t.stems, w)
			}
		}
	}
	t.keepCuts()
	symbol = 0
	for line := range lines(personText) {
		symbol++
		what, words, _ := strings.Cut(line, "\t")
		c := map[string]class{"particle": particle, "title": title, "rank": title, "suffix": suffix, "heir": suffix}[what]
		for w := range strings.FieldsSeq(words) {
			if text := strings.TrimLeft(w, "~^"); text != w {
				t.aroundHeard[heardWord{text, w[0] == '~'}] = aroundWord{c, symbol, what == "rank", what == "heir"}
				continue
			}
			t.around[w] = aroundWord{c, symbol, what == "rank", what == "heir"}
		}
	}
	t.readNicknames()
	for line := range lines(writtenText) {
		name, spellings, _ := strings.Cut(line, "\t")
		for s := range strings.FieldsSeq(spellings) {
			t.written[writtenAs([]rune(s))] = name
		}
	}
	for line := range lines(placesText) {
		for w := range strings.FieldsSeq(line) {
			t.places[w] = true
		}
	}
	t.common = [kinds]map[string]uint8{readCommon(commonPerson), readCommon(commonCompany)}
	return t
}

// lines are the lines of a table without comments.
func lines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || line[0] == '#' {
				continue
			}
			if !yield(line) {
				return
			}
		}
	}
}

// writtenAs is a word of another script as it is looked up: Arabic has several letters
// that people type for each other.
func writtenAs(word []rune) string {
	var b strings.Builder
	for _, r := range word {
		switch r {
		case 'أ', 'إ', 'آ', 'ٱ':
			r = 'ا'
		case 'ى', 'ی', 'ئ':
			r = 'ي'
		case 'ک':
			r = 'ك'
		case 'ة':
			r = 'ه'
		case 'ؤ':
			r = 'و'
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (t *tables) readForms() {
	t.forms = make([]legalForm, 1) // symbol 0 is no form
	byShown := map[string]uint16{}
	for line := range lines(formsText) {
		part := strings.Split(line, "\t")
		if len(part) != 3 {
			panic("match: forms.txt: " + line)
		}
		id := uint16(len(t.forms))
		t.forms = append(t.forms, legalForm{part[1], part[0]})
		byShown[part[1]] = id
		spellings := strings.Split(part[2], ";")
		for _, s := range append(spellings, strings.ToLower(part[1])) {
			s = strings.TrimSpace(s)
			if bare := strings.TrimLeft(s, "~$"); bare != "" {
				t.addPhrase(bare, phrase{id, bare != s, s[0] == '$'})
			}
		}
	}
	for line := range lines(formsISO) {
		shown, words, _ := strings.Cut(line, "\t")
		id, ok := byShown[shown]
		if !ok {
			panic(fmt.Sprintf("match: forms_iso.txt: no form is called %q", shown))
		}
		t.addPhrase(words, phrase{form: id})
	}
}

// addPhrase enters a form by its letters alone: where its words begin and end is
// what people get wrong.
func (t *tables) addPhrase(words string, p phrase) {
	key := strings.ReplaceAll(words, " ", "")
	if _, taken := t.phrases[key]; taken {
		return
	}
	t.phrases[key] = p
	t.longest = max(t.longest, strings.Count(words, " ")+2)
	for w := range strings.FieldsSeq(words) {
		if len(w) >= 4 {
			t.formWords.add(w)
		}
		for n := 4; n <= len(w)-2; n++ {
			if t.formCuts[w[:n]] == "" {
				t.formCuts[w[:n]] = w
			}
		}
		if len(w) >= 4 && w != key || len(w) == 3 && strings.Count(words, " ") > 1 {
			t.formParts[w] = true
		}
	}
	if len(key) >= 7 {
		t.formWords.add(key)
	}
}

// keepCuts forgets what may be left of a common word as well: Partn. may be Partners,
// which is less than a partnership.
func (t *tables) keepCuts() {
	for w := range t.generic {
		for n := 4; n <= len(w); n++ {
			if t.generic[t.formCuts[w[:n]]] == 0 {
				delete(t.formCuts, w[:n])
			}
		}
	}
}

// beginsForm says whether a legal form begins with these letters.
func (t *tables) beginsForm(letters []byte) bool {
	text := view(letters)
	i, _ := slices.BinarySearch(t.sorted, text)
	return i < len(t.sorted) && strings.HasPrefix(t.sorted[i], text)
}

func (t *tables) readNicknames() {
	symbol := uint16(0)
	for line := range lines(nicknamesText) {
		symbol++
		same, short, _ := strings.Cut(line, "|")
		for w := range strings.FieldsSeq(same) {
			n := t.names[w]
			if n.symbol == 0 {
				n.symbol = symbol
			}
			t.names[w] = n
		}
		for w := range strings.FieldsSeq(short) {
			n := t.names[w]
			n.short = append(n.short, symbol)
			t.names[w] = n
		}
	}
}

// readCommon reads how rare the commonest words are: a word and the quarters of
// a bit that meeting it tells us.
func readCommon(text string) map[string]uint8 {
	m := map[string]uint8{}
	for line := range lines(text) {
		w, n, _ := strings.Cut(line, " ")
		bits, err := strconv.ParseUint(n, 10, 8)
		if err != nil {
			panic("match: a table of common words: " + line)
		}
		m[w] = uint8(bits)
	}
	return m
}

// rarity is what meeting a word is worth, in quarters of a bit, and whether it is well
// known. A word that is in no table is rare, and the longer the rarer: there are more
// long ones.
func (t *tables) rarity(k Kind, w string) (quarters uint8, common bool) {
	if b, ok := t.common[k][w]; ok {
		return b, true
	}
	return uint8(min(28+4*len(w), 76)), k == Company && t.places[w]
}

// numerals are the ways to write small numbers, by value plus one.
func numerals() map[string]uint16 {
	m := map[string]uint16{}
	words := []string{
		"i first 1st one erste", "ii second 2nd two zweite zwei", "iii third 3rd three dritte drei",
		"iv fourth 4th four vierte vier", "v fifth 5th five", "vi sixth 6th six", "vii seventh 7th seven",
		"viii eighth 8th eight", "ix ninth 9th nine", "x tenth 10th ten", "xi eleventh 11th eleven",
		"xii twelfth 12th twelve", "xiii 13th thirteen", "xiv 14th fourteen", "xv 15th fifteen", "xvi 16th sixteen",
		"xvii 17th seventeen", "xviii 18th eighteen", "xix 19th nineteen", "xx 20th twenty",
	}
	for i, list := range words {
		for w := range strings.FieldsSeq(list) {
			m[w] = uint16(i + 1)
		}
	}
	return m
}
