package match

import (
	"strings"

	"bureau/internal/match/roman"
)

func readCompany(words []rawWord) reading {
	words = cutHanForms(joinInitials(words))
	var r reading
	var forms []token
	for i := 0; i < len(words) && len(r.tokens) < maxTokens; {
		if p, n := formAt(words, i); n > 0 {
			f := token{text: joinWords(words[i : i+n]), class: form, symbol: p.form}
			f.mask = letters(f.text)
			forms = append(forms, f)
			i += n
			continue
		}
		r.tokens = append(r.tokens, companyToken(words[i], i))
		i++
	}
	if !hasSubstance(r.tokens) {
		// A name of nothing but a form and common words is all it has: "AG".
		r.tokens = r.tokens[:0]
		for i, w := range words {
			if len(r.tokens) == maxTokens {
				break
			}
			r.tokens = append(r.tokens, companyToken(w, i))
		}
		if !hasSubstance(r.tokens) {
			for i := range r.tokens {
				r.tokens[i].class = word
			}
		}
		return r
	}
	for _, f := range forms {
		// Of several forms the narrowest counts: "Handels AG & Co. KG" is a KG, and
		// "Trading Co Ltd" a Ltd.
		if r.form == 0 || known.forms[r.form].class == "any" || known.forms[f.symbol].class != "any" {
			r.form = f.symbol
		}
	}
	return r
}

func companyToken(w rawWord, at int) token {
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
	case isNumeral && at > 0:
		t.class, t.symbol = number, value
	default:
		if s, ok := known.generic[w.text]; ok {
			t.class, t.symbol = generic, s
			if s <= stopSymbols {
				t.class = stop
			}
		}
	}
	return t
}

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
	var out []rawWord
	open := false
	for _, w := range words {
		single := len(w.text) == 1 && w.text[0] >= 'a' && w.text[0] <= 'z'
		if single && open {
			out[len(out)-1].text += w.text
			continue
		}
		out = append(out, w)
		open = single
	}
	return out
}

// formAt finds the longest legal form that begins at word i.
func formAt(words []rawWord, i int) (p phrase, n int) {
	key := ""
	for k := i; k < len(words) && k-i < known.longest; k++ {
		if k > i {
			key += " "
		}
		key += words[k].text
		f, ok := known.phrases[key]
		atEnd := i == 0 || k == len(words)-1 || endsWithForms(words[k+1:])
		if ok && (!f.guarded || atEnd) && k-i+1 < len(words) {
			p, n = f, k-i+1
		}
	}
	return p, n
}

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

// cutHanForms is where forms in Han would be cut off; romanised words have lost
// them, so they are known by their sound.
func cutHanForms(words []rawWord) []rawWord {
	var out []rawWord
	for _, w := range words {
		if w.script != roman.Syllabic {
			out = append(out, w)
			continue
		}
		out = append(out, splitHanForm(w)...)
	}
	return out
}

// hanFormSounds are how the forms of East Asia end or begin a name once it is
// romanised, and the phrase each stands for.
var hanFormSounds = []struct{ sound, phrase string }{
	{"gufenyouxiangongsi", "gufen youxian gongsi"},
	{"youxianzerengongsi", "youxian gongsi"},
	{"youxiangongsi", "youxian gongsi"},
	{"gongsi", "co"},
	{"jusikhoesa", "kk"},
	{"kabushikikaisha", "kk"},
	{"shushikikaisha", "kk"},
	{"yuuhankaisha", "godo kaisha"},
}

func splitHanForm(w rawWord) []rawWord {
	for _, f := range hanFormSounds {
		rest, found := strings.CutSuffix(w.text, f.sound)
		if !found {
			rest, found = strings.CutPrefix(w.text, f.sound)
		}
		if !found {
			continue
		}
		var out []rawWord
		if rest != "" {
			out = append(out, rawWord{text: rest, script: w.script})
		}
		for p := range strings.FieldsSeq(f.phrase) {
			out = append(out, rawWord{text: p, script: roman.Plain})
		}
		return out
	}
	return []rawWord{w}
}
