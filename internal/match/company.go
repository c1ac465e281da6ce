package match

import (
	"strings"

	"bureau/internal/match/roman"
)

func readCompany(words []rawWord, into []token) reading {
	words = splitForms(joinInitials(words))
	r := reading{tokens: into}
	var forms []token
	for i := 0; i < len(words) && len(r.tokens) < maxTokens; {
		if p, n := formAt(words, i); n > 0 {
			f := token{text: joinWords(words[i : i+n]), class: form, symbol: p.form}
			f.mask = letters(f.text)
			forms = append(forms, f)
			i += n
			continue
		}
		r.tokens = append(r.tokens, companyToken(words, i))
		i++
	}
	if !hasSubstance(r.tokens) {
		// A name of nothing but a form and common words is all it has: "AG".
		r.tokens = r.tokens[:0]
		for i := range words[:min(len(words), maxTokens)] {
			r.tokens = append(r.tokens, companyToken(words, i))
		}
		if !hasSubstance(r.tokens) {
			for i := range r.tokens {
				r.tokens[i].class = word
			}
		}
		return r
	}
	for _, f := range forms {
		if formRank(f.symbol) >= formRank(r.form) {
			r.form = f.symbol
		}
	}
	return r
}

// formRank says which of several forms counts: "Handels AG & Co. KG" is a KG, and
// "Trading Co Ltd" a Ltd.
func formRank(f uint16) int {
	switch known.forms[f].class {
	case "":
		return 0
	case "any":
		return 1
	case "partnership":
		return 3
	}
	return 2
}

func companyToken(words []rawWord, at int) token {
	w := words[at]
	if w.sense != nil && w.sense.fixed {
		return w.sense.token
	}
	t := newToken(Company, w)
	value, isNumeral := known.numerals[w.text]
	switch {
	case isNumber(w.text):
		t.class = number
		t.text = strings.TrimLeft(w.text, "0")
		if t.text == "" {
			t.text = "0"
		}
		if len(t.text) <= 2 {
			n := uint16(0)
			for _, c := range t.text {
				n = n*10 + uint16(c-'0')
			}
			t.symbol = n
		}
	case isNumeral && (at > 0 && (len(w.text) > 1 || IsTradeWord(words[at-1].text)) || isDigit(w.text[0]) || opensAsNumber(w.text)):
		// A single letter is a number only in "Fund V" and the like.
		t.class, t.symbol = number, value
	case len(w.text) == 1 && w.script == roman.Plain && at > 0 && letterWords[words[at-1].text]:
		t.class = number // Series A is not Series B
	case len(w.text) == 1 && (w.script <= roman.Alphabet || w.script == roman.Abjad):
		t.class = initial
	default:
		s, ok := known.generic[w.text]
		if !ok && w.script > roman.Alphabet {
			s, ok = known.heard[w.text]
		}
		if ok {
			t.class, t.symbol = generic, s
			if s <= stopSymbols {
				t.class = stop
			}
		}
		if known.formParts[w.text] {
			// Torn off its form ("mit beschränkter Haftung") it says next to nothing.
			t.bits = min(t.bits, formPartBits)
		}
	}
	return t
}

// opensAsNumber says that a numeral is one at the beginning of a name too: XV is, Three
// may not be, and Vi and Xi are names.
func opensAsNumber(w string) bool {
	return len(w) > 1 && strings.Trim(w, "ivx") == "" && w != "vi" && w != "xi"
}

// letterWords are those behind which a letter counts, as a number does elsewhere.
var letterWords = map[string]bool{"fund": true, "funds": true, "series": true, "serie": true, "class": true, "klasse": true, "tranche": true, "compartment": true}

// formPartBits is the most that a word out of a legal form tells by itself.
const formPartBits = 12

// stopSymbols are the first lines of words_company.txt: and, the, of.
const stopSymbols = 3

func hasSubstance(tokens []token) bool {
	for i := range tokens {
		if c := tokens[i].class; c == word || c == generic || c == number {
			return true
		}
	}
	return false
}

// joinInitials makes one word of single letters in a row: A B Volvo, I B M.
func joinInitials(words []rawWord) []rawWord {
	isSingle := func(w *rawWord) bool { return len(w.text) == 1 && w.text[0] >= 'a' && w.text[0] <= 'z' }
	some := false
	for i := 1; i < len(words); i++ {
		some = some || isSingle(&words[i-1]) && isSingle(&words[i])
	}
	if !some {
		return words
	}
	var out []rawWord
	open := false
	for _, w := range words {
		single := isSingle(&w)
		if single && open {
			last := &out[len(out)-1]
			last.text, last.sense = last.text+w.text, nil
			continue
		}
		out = append(out, w)
		open = single
	}
	return out
}

// formAt finds the longest legal form that begins at word i. It goes by letters,
// so it does not matter where words were joined or split, and forgives a slip in
// a long word, or in a short one that closes the name.
func formAt(words []rawWord, i int) (p phrase, n int) {
	if s := words[i].sense; s != nil && s.apart {
		return p, 0
	}
	var buf [8 * maxWord]byte
	exact, fixed := buf[:0:4*maxWord], buf[4*maxWord:4*maxWord]
	for k := i; k < len(words) && k-i < known.longest; k++ {
		w := words[k].text
		if words[k].script > roman.Alphabet || len(exact)+len(w) > 3*maxWord {
			break
		}
		exact = append(exact, w...)
		fixed = append(fixed, words[k].likelyForm()...)
		if k-i+1 == len(words) || !known.beginsForm(exact) && !known.beginsForm(fixed) {
			break
		}
		f, ok := known.phrases[string(exact)]
		if !ok {
			f, ok = known.phrases[string(fixed)]
		}
		if ok && (!f.guarded || i == 0 && !f.closing || k == len(words)-1 || endsWithForms(words[k+1:])) {
			p, n = f, k-i+1
		}
	}
	return p, n
}

// likelyForm is a word as a legal form would spell it. A short word is taken for
// a mistyped form only if the form cannot be spoken, as GmbH: too many words are
// like the others.
func (w *rawWord) likelyForm() string {
	if w.text == "und" || w.text == "u" {
		return "and"
	}
	if len(w.text) < 4 {
		return w.text
	}
	if w.dotted {
		if whole, ok := known.formCuts[w.text]; ok {
			return whole
		}
	}
	if len(w.text) < 7 && len(w.text)-consonants(w.text)-strings.Count(w.text, "h") > 1 {
		return w.text // with one letter less it could be spoken too
	}
	f := known.formWords.correct(w.text)
	if len(w.text) >= 7 || isMute(f) && (isMute(w.text) || len(w.text) > len(f)) {
		return f
	}
	return w.text
}

// isMute says that a word has no vowel.
func isMute(w string) bool { return len(w) == consonants(w)+strings.Count(w, "h") }

// endsWithForms says that nothing but short legal forms follows, as in "AG & Co".
func endsWithForms(words []rawWord) bool {
	for _, w := range words {
		if _, ok := known.phrases[w.text]; !ok && w.text != "and" && w.text != "und" {
			return false
		}
	}
	return true
}

func joinWords(words []rawWord) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.text)
	}
	return b.String()
}

// gluedForms are the forms that are recognised on the end of a word: those that
// no word ends in.
var gluedForms = []string{"gmbh", "mbh", "ohg", "gbr", "kg", "ltd", "ltda", "llc", "kft", "limited", "corporation"}

// gluedBefore are the forms that are recognised at the beginning of a word.
var gluedBefore = []string{"llc", "ooo"}

// splitForms sets apart a form that was written onto the word beside it, or onto
// a year.
func splitForms(words []rawWord) []rawWord {
	for i, w := range words {
		if w.sense != nil && w.sense.apart {
			continue
		}
		left, right := splitForm(w.text)
		if left == "" || known.phrases[w.text].form != 0 {
			continue
		}
		out := append(append([]rawWord(nil), words[:i]...), rawWord{text: left, script: w.script}, rawWord{text: right, script: w.script})
		return append(out, words[i+1:]...)
	}
	return words
}

func splitForm(w string) (left, right string) {
	for _, f := range gluedForms {
		if rest, ok := strings.CutSuffix(w, f); ok && len(rest) > 2 {
			return rest, f
		}
	}
	for _, f := range gluedBefore {
		if rest, ok := strings.CutPrefix(w, f); ok && len(rest) > 2 {
			return f, rest
		}
	}
	if end := strings.TrimLeft(w, "0123456789"); len(end) < len(w)-1 && end != "" && known.phrases[end].form != 0 {
		return w[:len(w)-len(end)], end
	}
	return "", ""
}
