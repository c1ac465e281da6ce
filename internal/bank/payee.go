package bank

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"bureau/internal/fault"
)

// A Namer compares the name that a payer gave with the name that an account is
// held under: from 0 to 1, and why in a few words.
type Namer func(given, held string, kind AccountType) (score float64, why string)

// NameMatch is what the comparison of names comes to, in the words that clients
// know.
type NameMatch string

const (
	FullMatch  NameMatch = "Full"
	CloseMatch NameMatch = "Close"
	NoMatch    NameMatch = "No Match"
	NotAsked   NameMatch = "" // there was no name to compare with
)

// bands are from where a score is a match and a close match. People's names are
// held to more: firms are known by many names, and people by one.
var bands = map[AccountType]struct{ full, close float64 }{
	Personal: {0.95, 0.85},
	Business: {0.85, 0.75},
}

func band(score float64, kind AccountType) NameMatch {
	b := bands[kind]
	switch {
	case score >= b.full:
		return FullMatch
	case score >= b.close:
		return CloseMatch
	}
	return NoMatch
}

// CompareNames is the Namer of this package: words of both names are paired,
// best pairs first, and each pair counts by the letters that are right.
func CompareNames(given, held string, kind AccountType) (score float64, why string) {
	a, b := nameWords(given, kind), nameWords(held, kind)
	switch {
	case len(a) == 0 || len(b) == 0:
		return 0, "there is no name to compare"
	case strings.Join(a, "") == strings.Join(b, ""):
		return 1, "the names are the same"
	}
	s := pairWords(a, b, kind)
	switch {
	case s.score >= 0.999:
		why = "the same words in another order"
	case s.initials:
		why = "an initial stands for a name"
	case s.misspelt && s.missing > 0:
		why = "words are spelt differently or missing"
	case s.misspelt:
		why = "words are spelt differently"
	default:
		why = "words are missing or others"
	}
	return s.score, why
}

// titles say nothing of who somebody is.
var titles = set("mr mrs ms miss mx dr prof professor sir dame lord lady rev reverend the herr frau mme mlle monsieur madame")

// legalForms are written out or short, and often left out.
var legalForms = map[string]string{
	"limited": "ltd", "ltd": "ltd", "plc": "plc", "llp": "llp", "company": "co", "co": "co", "incorporated": "inc", "inc": "inc",
	"corporation": "corp", "corp": "corp", "gmbh": "gmbh", "ag": "ag", "sa": "sa", "sas": "sas", "sarl": "sarl", "sl": "sl",
	"bv": "bv", "nv": "nv", "ab": "ab", "as": "as", "asa": "asa", "spa": "spa", "srl": "srl", "oy": "oy", "aps": "aps",
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// nameWords are the words of a name that tell it from others: without accents,
// case, punctuation and titles.
func nameWords(name string, kind AccountType) []string {
	name = strings.ReplaceAll(name, "&", " and ")
	var b strings.Builder
	for _, r := range norm.NFKD.String(name) {
		switch {
		case unicode.Is(unicode.Mn, r) || strings.ContainsRune("'’.`´", r):
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteString(fold(unicode.ToLower(r)))
		default:
			b.WriteByte(' ')
		}
	}
	words := strings.Fields(b.String())
	out := words[:0]
	for _, w := range words {
		switch form := legalForms[w]; {
		case kind == Personal && titles[w] && len(words) > 1:
		case kind == Business && w == "the" && len(words) > 1:
		case kind == Business && form != "":
			out = append(out, form)
		default:
			out = append(out, w)
		}
	}
	return out
}

// fold writes the letters that do not come apart into a letter and a mark as
// they are written without it.
func fold(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'þ':
		return "th"
	case 'ı':
		return "i"
	}
	return string(r)
}

type paired struct {
	score    float64
	missing  int
	misspelt bool
	initials bool
}

// formWeight is what a legal form counts beside a word: a firm is seldom told
// from another by it, and it is often left out.
const formWeight = 0.25

// middleWeight is what a name counts that one side leaves out of a person's
// full name.
const middleWeight = 0.5

// pairWords pairs each word of the shorter name with its best partner.
func pairWords(a, b []string, kind AccountType) (p paired) {
	if len(a) > len(b) {
		a, b = b, a
	}
	taken := make([]bool, len(b))
	got, all, extra := 0.0, 0.0, 1.0
	if kind == Personal && len(a) > 1 {
		extra = middleWeight
	}
	for _, w := range a {
		best, at, initial := 0.0, -1, false
		for j, o := range b {
			if taken[j] {
				continue
			}
			if s, i := alike(w, o, kind); s > best {
				best, at, initial = s, j, i
			}
		}
		weight := wordWeight(w, kind)
		all += 2 * weight
		if at < 0 || best < 0.6 {
			p.missing++
			continue
		}
		taken[at] = true
		got += 2 * weight * best
		p.initials = p.initials || initial
		p.misspelt = p.misspelt || best < 1 && !initial
	}
	for j, o := range b {
		if !taken[j] {
			p.missing++
			all += wordWeight(o, kind) * extra
		}
	}
	p.score = got / all
	return p
}

func wordWeight(w string, kind AccountType) float64 {
	if kind == Business && legalForms[w] != "" {
		return formWeight
	}
	return 1
}

// initialScore is what an initial is worth for the name that it stands for.
const initialScore = 0.8

// alike compares two words by the edits between them.
func alike(a, b string, kind AccountType) (score float64, initial bool) {
	x, y := []rune(a), []rune(b)
	if kind == Personal && (len(x) == 1 || len(y) == 1) && len(x) != len(y) && x[0] == y[0] {
		return initialScore, true
	}
	longest := max(len(x), len(y))
	return 1 - float64(edits(x, y))/float64(longest), false
}

// edits is how many letters must be changed, added, left out or swapped with
// their neighbour to make one word of the other.
func edits(a, b []rune) int {
	before, last, this := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		this[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			this[j] = min(last[j]+1, this[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				this[j] = min(this[j], before[j-2]+1)
			}
		}
		before, last, this = last, this, before
	}
	return last[len(b)]
}

// Sought is a name as it is searched for: without case, accents and punctuation.
func Sought(name string) string { return strings.Join(nameWords(name, ""), " ") }

// ParseNameMatch reads what a comparison came to, in any case and with or
// without the blank.
func ParseNameMatch(text string) (NameMatch, error) {
	for _, m := range []NameMatch{FullMatch, CloseMatch, NoMatch} {
		if strings.EqualFold(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(string(m), " ", "")) {
			return m, nil
		}
	}
	return "", fault.Invalid.Errorf("it is Full, Close or No Match")
}
