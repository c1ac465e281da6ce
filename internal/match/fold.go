package match

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"bureau/internal/match/roman"
)

// Bounds on what is read of a name. No real name comes near them; a hostile one
// must not cost more than a long real one.
const (
	maxText   = 1024 // bytes
	maxTokens = 20
)

// A run is letters of one script with nothing between them.
type run struct {
	runes  []rune
	script roman.Script
	dotted bool // a full stop follows directly: an abbreviation
	comma  bool // a comma follows
	glued  bool // nothing is between it and the one before: its letters are of another script
}

// cut shortens a text to what is read of it. Nobody hides a name behind a page of spaces,
// between two halves of one, or under a heap of accents.
func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	var b strings.Builder
	marks, gap := 0, 2
	for n, r := range text {
		switch {
		case n > 64*maxText || b.Len() >= maxText:
			return b.String()
		case unicode.Is(unicode.M, r):
			if marks++; marks > 2 {
				continue
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			marks, gap = 0, 0
		default:
			if gap++; gap > 2 {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// runs splits a text into letters of one script. Marks that only accent, quotes
// and invisible characters are dropped; everything else separates.
func runs(kind Kind, text string) []run {
	text = cut(text)
	if !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	out := make([]run, 0, 6)
	open := false
	end := func() { open = false }
	add := func(r rune, s roman.Script) {
		last := len(out) - 1
		if !open || out[last].script != s {
			out = append(out, run{script: s, glued: open, runes: make([]rune, 0, 12)})
			last++
		}
		out[last].runes = append(out[last].runes, r)
		open = true
	}
	rest := []rune(text)
	for i, r := range rest {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9': // nearly all
			add(r, roman.Latin)
		case r >= 'A' && r <= 'Z':
			add(r+'a'-'A', roman.Latin)
		case r == ' ':
			end()
		case r >= 0x80 && (r == utf8.RuneError || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs)):
			// Nothing to see: joiners, direction marks, broken bytes.
		case r == '.' || r == '·' && len(out) > 0 && out[len(out)-1].script == roman.Latin:
			if open {
				open = dotJoins(kind, out, rest[i+1:])
				out[len(out)-1].dotted = !open
			}
		case strings.ContainsRune("׳'’‘ʼ´`", r) && open && out[len(out)-1].script == roman.Hebrew:
			add('׳', roman.Hebrew) // a geresh, however it is typed, makes another letter of the one before
		case strings.ContainsRune("'’‘ʼ´`\"“”", r):
			// O'Brien is one word, and so is what is quoted.
			if !open || i+1 >= len(rest) || !unicode.IsLetter(rest[i+1]) {
				end()
			}
		case r == ',':
			if len(out) > 0 {
				out[len(out)-1].comma = true
			}
			end()
		case r == '&' || r == '+':
			end()
			out = append(out, run{runes: []rune("and"), script: roman.Latin})
		case r < 0x80:
			end()
		case unicode.IsDigit(r):
			add(digit(r), roman.Latin)
		case unicode.IsLetter(r) || unicode.Is(unicode.M, r):
			addLetter(unicode.ToLower(r), add, open, out)
		case r == '־' || r == '׳' || r == '״':
			if r == '־' {
				end()
			}
		default:
			end()
		}
	}
	return unmask(out)
}

// dotJoins says whether a full stop within a word is no more than style: U.S.A.
// and S.p.A. are words, J.P. Smith has two initials, St.John is two words.
func dotJoins(kind Kind, out []run, rest []rune) bool {
	if len(rest) == 0 || !unicode.IsLetter(rest[0]) || kind == Person {
		return false
	}
	n := 0
	for n < len(rest) && unicode.IsLetter(rest[n]) {
		n++
	}
	return n <= 2 && len(out[len(out)-1].runes) <= 6
}

// addLetter adds a letter or mark that is not ASCII. Alphabets lose their
// accents, except where an accented letter is a letter of its own.
func addLetter(r rune, add func(rune, roman.Script), open bool, out []run) {
	s := roman.Of(r)
	switch s {
	case roman.Indic, roman.Thai:
		add(r, s)
		return
	}
	if unicode.Is(unicode.M, r) {
		return
	}
	if unicode.Is(unicode.Lm, r) && s != roman.Kana && r != '々' {
		return
	}
	switch s {
	case roman.Latin:
		for _, p := range roman.FromLatin(r) {
			add(p, roman.Latin)
		}
		return
	case roman.Greek:
		r = []rune(norm.NFD.String(string(r)))[0]
	case roman.Cyrillic:
		if r != 'й' && r != 'ё' && r != 'ї' && r != 'ў' && r != 'ѓ' && r != 'ќ' {
			r = []rune(norm.NFD.String(string(r)))[0]
		}
	case roman.Kana:
		// A long mark belongs to the kana before it, and nothing else.
		if r == 'ー' && (!open || out[len(out)-1].script != roman.Kana) {
			return
		}
	}
	add(r, s)
}

// digit is the value of a digit of any script, as ASCII.
func digit(r rune) rune {
	for zero := r; zero > r-10; zero-- {
		if !unicode.IsDigit(zero - 1) {
			return '0' + (r-zero)%10
		}
	}
	return '0' + r%10
}
