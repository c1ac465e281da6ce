package match

import (
	"slices"
	"strings"
)

// What the tables know, for programs that make up names.

// CommonWords are the commonest words of a kind of name, the commonest first.
func CommonWords(k Kind) []string {
	text := commonPerson
	if k == Company {
		text = commonCompany
	}
	var out []string
	for line := range lines(text) {
		w, _, _ := strings.Cut(line, " ")
		out = append(out, w)
	}
	return out
}

// IsGivenName says whether a word is a given name that has other forms.
func IsGivenName(w string) bool { return known.names[w].symbol != 0 }

// patronymics are how they end, in the spellings of several countries.
var patronymics = strings.Fields("ovich evich ovych evych ovic evic owicz ewicz ovna evna ivna owna ewna ovitch evitch avich awich")

// IsPatronymic says whether a word looks like a name after the father's. Some
// family names do too.
func IsPatronymic(w string) bool {
	for _, end := range patronymics {
		if len(w) > len(end)+2 && strings.HasSuffix(w, end) {
			return true
		}
	}
	return false
}

// IsAroundName says whether a word stands around names: a title, a particle, a
// suffix.
func IsAroundName(w string) bool { return known.around[w].class != word }

// IsTradeWord says whether a word says what a company does rather than which.
func IsTradeWord(w string) bool { return known.generic[w] > stopSymbols }

// ShortNames are what bearers of a given name are called for short.
func ShortNames(given string) []string {
	symbol := known.names[given].symbol
	if symbol == 0 {
		return nil
	}
	var out []string
	for w, n := range known.names {
		if slices.Contains(n.short, symbol) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// SameTrade are the words that mean the same as a trade word, in any language.
func SameTrade(w string) []string {
	symbol, ok := known.generic[w]
	if !ok {
		return nil
	}
	var out []string
	for other, s := range known.generic {
		if s == symbol {
			out = append(out, other)
		}
	}
	slices.Sort(out)
	return out
}

// SameForm says whether two companies' legal forms do not tell them apart.
func SameForm(a, b string) bool {
	x, y := Read(Company, a), Read(Company, b)
	if x.Empty() || y.Empty() {
		return true
	}
	var v vector
	compareForms(&v, x.readings[0].form, y.readings[0].form)
	return v[fForm] == 0
}

// IsForm says whether a phrase is a legal form.
func IsForm(words string) bool {
	_, ok := FormOf(words)
	return ok
}

// IsFormPart says whether a word is part of the name of a legal form.
func IsFormPart(w string) bool { return known.formParts[w] }

// FormOf says which legal form a phrase is, as it is shown.
func FormOf(words string) (shown string, ok bool) {
	key := strings.Join(Read(Person, words).Words(), "")
	p, ok := known.phrases[key]
	if !ok {
		return "", false
	}
	return known.forms[p.form].shown, true
}
