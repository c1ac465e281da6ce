package fit

import (
	"strings"

	"bureau/internal/match"
)

// Classes of damage: what happens to a name between one list and another.
var Damages = []string{"typo", "swap", "join", "split", "drop", "reorder", "first letter", "abbreviation", "respell", "re-script"}

// A Damager damages names, the same way for the same seed.
type Damager struct {
	w      *world
	listed map[match.Kind]*list
}

// NewDamager starts from a seed.
func NewDamager(seed uint64) *Damager { return &Damager{newWorld(seed), map[match.Kind]*list{}} }

// Damage does one kind of damage to a name. It reports false where the name has
// nothing that could be damaged so.
func (d *Damager) Damage(class, name string) (string, bool) {
	words := strings.Fields(name)
	if len(words) == 0 {
		return name, false
	}
	out := d.damage(class, words)
	result := strings.Join(out, " ")
	return result, out != nil && result != name
}

func (d *Damager) damage(class string, words []string) []string {
	words = append([]string(nil), words...)
	switch class {
	case "typo":
		return d.edit(words, 4, d.typo)
	case "swap":
		return d.edit(words, 4, d.swap)
	case "first letter":
		return d.edit(words, 5, func(s []rune) []rune {
			s[0] = d.letter(s[0])
			return s
		})
	case "join":
		if len(words) < 2 {
			return nil
		}
		i := d.w.IntN(len(words) - 1)
		words[i] += words[i+1]
		return append(words[:i+1], words[i+2:]...)
	case "split":
		i := d.long(words, 6)
		if i < 0 {
			return nil
		}
		s := []rune(words[i])
		at := 3 + d.w.IntN(len(s)-5)
		return append(words[:i], append([]string{string(s[:at]), string(s[at:])}, words[i+1:]...)...)
	case "drop":
		return d.drop(words)
	case "reorder":
		if len(words) < 2 {
			return nil
		}
		i := 1 + d.w.IntN(len(words)-1)
		return append(words[i:], words[:i]...)
	case "abbreviation":
		return d.abbreviate(words)
	case "respell":
		return d.respell(words)
	case "re-script":
		return d.rescript(words)
	}
	return nil
}

// drop leaves out a word, but not so much that what remains could be anybody.
func (d *Damager) drop(words []string) []string {
	i := d.w.IntN(len(words))
	words = append(words[:i], words[i+1:]...)
	left := 0
	for _, w := range match.Read(match.Company, strings.Join(words, " ")).Words() {
		if len(w) >= 4 && !match.IsTradeWord(w) && !match.IsForm(w) && !match.IsFormPart(w) {
			left++
		}
	}
	if left < 2 {
		return nil
	}
	return words
}

// long picks a word with at least n letters, or -1.
func (d *Damager) long(words []string, n int) int {
	var fit []int
	for i, w := range words {
		if len([]rune(w)) >= n && !strings.ContainsAny(w, "0123456789.&") {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return -1
	}
	return pick(d.w, fit)
}

func (d *Damager) edit(words []string, n int, do func([]rune) []rune) []string {
	i := d.long(words, n)
	if i < 0 {
		return nil
	}
	words[i] = string(do([]rune(words[i])))
	return words
}

func (d *Damager) letter(not rune) rune {
	for {
		if r := rune('a' + d.w.IntN(26)); r != not {
			return r
		}
	}
}

// typo drops, adds, doubles or mistakes a letter anywhere but at the beginning.
func (d *Damager) typo(s []rune) []rune {
	i := 1 + d.w.IntN(len(s)-1)
	switch d.w.IntN(4) {
	case 0:
		return append(s[:i], s[i+1:]...)
	case 1:
		return append(s[:i], append([]rune{d.letter(0)}, s[i:]...)...)
	case 2:
		return append(s[:i], append([]rune{s[i]}, s[i:]...)...)
	}
	s[i] = d.letter(s[i])
	return s
}

func (d *Damager) swap(s []rune) []rune {
	i := d.w.IntN(len(s) - 1)
	s[i], s[i+1] = s[i+1], s[i]
	return s
}

// short forms of common words, both ways of no use to tell companies apart.
var shortWords = map[string]string{
	"international": "intl", "manufacturing": "mfg", "company": "co", "corporation": "corp", "limited": "ltd",
	"services": "svcs", "management": "mgmt", "industries": "ind", "association": "assoc", "department": "dept",
	"engineering": "eng", "technologies": "tech", "verwaltung": "verw", "gesellschaft": "ges", "brothers": "bros",
	"incorporated": "inc", "insurance": "ins", "development": "dev", "investments": "inv", "holdings": "hldgs",
	"general": "gen", "national": "natl", "institute": "inst", "university": "univ", "university of": "univ",
}

// abbreviate cuts a word short: a known short form, or its first letters with a
// full stop.
func (d *Damager) abbreviate(words []string) []string {
	for i, w := range words {
		if s, ok := shortWords[strings.ToLower(w)]; ok {
			words[i] = s
			return words
		}
	}
	i := d.long(words, 7)
	if i < 0 || len(words) < 2 {
		return nil
	}
	s := []rune(words[i])
	words[i] = string(s[:4+d.w.IntN(len(s)-6)]) + "."
	return words
}
