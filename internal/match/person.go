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
// so that it is long enough to be known with a slip in it. Abd Allah is Abdullah.
func splitServants(words []rawWord) []rawWord {
	if !slices.ContainsFunc(words, func(w rawWord) bool { return strings.HasPrefix(w.text, "abd") }) {
		return words
	}
	var out []rawWord
	for i := 0; i < len(words); i++ {
		w := words[i]
		rest, ok := servantOf(w.text)
		switch {
		case !ok:
			out = append(out, w)
			continue
		case rest == "" && i+1 < len(words) && isGod(words[i+1].text):
			out = append(out, rawWord{text: "abdullah", script: w.script})
			i++
			continue
		}
		out = append(out, rawWord{text: "abdul", script: w.script})
		if rest != "" {
			out = append(out, rawWord{text: rest, script: w.script})
		}
	}
	return out
}

func isGod(w string) bool {
	w = strings.TrimLeft(w, "aeiou")
	return w == "llah" || w == "lla"
}

func servantOf(w string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(w, "abd")
	if !ok {
		return "", false
	}
	switch rest {
	case "", "ul", "el", "al", "il", "ol", "u", "o", "oul", "oel", "wl", "vl":
		return "", true
	}
	name := strings.TrimLeft(rest, "aeiou")
	vowels := len(rest) - len(name)
	if vowels == 0 || vowels > 3 || len(name) < 4 || ofGod(name) {
		return "", false
	}
	switch {
	case name[0] == 'l' && name[1] == 'l' && !strings.ContainsRune("aeiou", rune(name[2])):
		return name[2:], true
	case name[0] == 'l':
		return name[1:], true
	case name[0] == name[1]:
		return name[1:], true // the article's l became the next sound: ar-Rahman
	case strings.HasPrefix(name, "shsh"):
		return name[2:], true
	case len(name) > 4:
		return name, true // without the article: Abdirahman, Abdurahman
	}
	return "", false
}

// ofGod says whether a name goes on as Abdullah does and those that are made of it, which
// stay whole: Abdullahi, Abdullaev, Abdoulaye. Abdul Latif and Abdul Ahad do not.
func ofGod(w string) bool {
	end, ok := strings.CutPrefix(strings.TrimLeft(w, "l"), "a")
	switch {
	case !ok || w[0] != 'l':
		return false
	case end == "" || strings.ContainsRune("eyijv", rune(end[0])):
		return true
	}
	return end[0] == 'h' && (len(end) == 1 || end[1] != 'a' && end[1] != 'e')
}
