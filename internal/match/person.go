package match

import (
	"slices"
	"strings"

	"bureau/internal/match/roman"
)

func readPerson(words []rawWord, into []token) reading {
	words = splitServants(words)
	r := reading{tokens: into}
	plain := 0
	for _, w := range words {
		if len(r.tokens) == maxTokens {
			break
		}
		t, isPlain := personToken(w, len(r.tokens))
		if isPlain {
			plain++
		}
		r.tokens = append(r.tokens, t)
	}
	if plain > 0 {
		lastRank(r.tokens)
	}
	if plain == 0 {
		// Titles and particles are names where there is nothing else.
		for i := range r.tokens {
			if c := r.tokens[i].class; c == title || c == particle || c == suffix {
				r.tokens[i].class, r.tokens[i].symbol = word, 0
			}
		}
	}
	return r
}

// lastRank makes a name of a rank that ends one: nobody is titled behind his name, and
// Stephen King is no Stephen. A suffix may follow.
func lastRank(tokens []token) {
	for i := len(tokens) - 1; i > 0; i-- {
		t := &tokens[i]
		if nth := loneNumerals[t.text]; nth != "" && !t.dotted && i == len(tokens)-1 && t.script == roman.Plain {
			t.class, t.symbol = suffix, known.around[nth].symbol // John Paul I
		}
		if t.class == suffix || t.class == number {
			continue
		}
		if t.class == title && known.around[t.text].rank {
			t.class, t.symbol = word, 0
		}
		return
	}
}

// loneNumerals are single letters that count the bearers of a name at its end.
var loneNumerals = map[string]string{"i": "1st", "v": "5th"}

// withGod writes names in one that end with God's, as everybody does in Latin letters:
// عبد الله is Abdullah, نصر الله Nasrallah.
func withGod(rs []run) []run {
	for i := 1; i < len(rs); i++ {
		if rs[i].script == roman.Arabic && string(rs[i].runes) == "الله" && rs[i-1].script == roman.Arabic && !rs[i-1].comma {
			joined := rs[i]
			joined.runes = slices.Concat(rs[i-1].runes, rs[i].runes)
			rs = slices.Concat(rs[:i-1], []run{joined}, rs[i+1:])
			i--
		}
	}
	return rs
}

// personToken is a word of a person's name that has so many before it, and whether
// it is a name and nothing else.
func personToken(w rawWord, before int) (t token, plain bool) {
	if w.sense != nil && w.sense.fixed {
		return w.sense.token, w.sense.plain
	}
	t = newToken(Person, w)
	a, isAround := known.around[w.text]
	if !isAround && w.script > roman.Plain {
		a, isAround = known.aroundHeard[heardWord{w.text, w.script == roman.Abjad}]
	}
	switch {
	case isAround && len(w.text) == 1:
		t.class, t.symbol = a.class, a.symbol
	case isNumber(w.text):
		t.class = number
	case len(w.text) == 1 && (w.script <= roman.Alphabet || w.script == roman.Abjad):
		t.class = initial
	case isAround && a.class == suffix && (before == 0 || a.heir && before == 1):
		// Nobody begins with Junior.
	case isAround:
		t.class, t.symbol = a.class, a.symbol
	default:
		if IsPatronymic(w.text) {
			t.bits = min(t.bits, patronymicBits)
		}
		n := known.names[w.text]
		t.symbol = n.symbol
		copy(t.short[:], n.short)
		plain = true
	}
	return t, plain
}

// patronymicBits is the most that a patronymic tells: it is a father's given name,
// and half of all Russians share a dozen.
const patronymicBits = 24

// splitServants sets "abdul" apart in the Arabic names that mean servant of:
// Abdulrahman, Abdel Rahman, Abd ar-Rahman and Abdurrahman come out as abdul and
// rahman, another article a particle or gone. It is written with its own, as most do,
// so that it is long enough to be known with a slip in it.
func splitServants(words []rawWord) []rawWord {
	if !slices.ContainsFunc(words, func(w rawWord) bool { return strings.HasPrefix(w.text, "abd") }) {
		return words
	}
	var out []rawWord
	for _, w := range words {
		rest, ok := servantOf(w.text)
		if !ok {
			out = append(out, w)
			continue
		}
		out = append(out, rawWord{text: "abdul", script: w.script})
		if rest != "" {
			out = append(out, rawWord{text: rest, script: w.script})
		}
	}
	return out
}

func servantOf(w string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(w, "abd")
	if !ok {
		return "", false
	}
	switch rest {
	case "", "ul", "el", "al", "il", "ol", "u", "o", "oul", "oel", "wl", "vl":
		return "", true
	case "ulla", "ullah", "allah", "alla", "ellah", "oullah", "ollah", "ulah", "llh", "allh", "i", "y":
		return "", false // Abdullah is a name of its own, Abdi another
	}
	vowel := strings.TrimLeft(rest, "aeiou")
	if vowel == rest || len(vowel) < 4 || len(rest)-len(vowel) > 2 {
		return "", false
	}
	switch {
	case vowel[0] == 'l':
		return vowel[1:], true
	case vowel[0] == vowel[1]:
		return vowel[1:], true // the article's l became the next sound: ar-Rahman
	case strings.HasPrefix(vowel, "shsh"):
		return vowel[2:], true
	}
	return "", false
}
