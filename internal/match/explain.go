package match

import (
	"fmt"
	"strings"

	"bureau/internal/match/roman"
)

// explain fills in the grades and the reasons.
func (v *Verdict) explain(o outcome, s standing, g factGrades, al *alignment, m *model) {
	v.Grades = gradesOf(&o.x, g, v.Score)
	if !o.any {
		v.Why = []string{"no word of one name is like a word of the other"}
		return
	}
	// weigh has left its last alignment behind; it is the best one's that counts.
	if o.a != nil && !o.aligned {
		al.alignInOrder(o.a.tokens, o.b.tokens)
	}
	v.Why = append(v.Why, al.words(o)...)
	if o.x[fSide] > 0 {
		v.Why = append(v.Why, "one is of another side of the world than the other")
	}
	if o.x[fNumber] > 0 {
		v.Why = append(v.Why, "the numbers differ")
	}
	if o.x[fNumberOnly] > 0 {
		v.Why = append(v.Why, "only one has a number")
	}
	if o.x[fSuffix] > 0 {
		v.Why = append(v.Why, "the suffixes differ, as a son's from his father's")
	}
	if o.x[fSuffixOnly] > 0 {
		v.Why = append(v.Why, "only one has a suffix such as Jr")
	}
	if o.a != nil && o.a.form != 0 && o.b.form != 0 {
		a, b := known.forms[o.a.form], known.forms[o.b.form]
		switch {
		case o.x[fForm] > 0:
			v.Why = append(v.Why, fmt.Sprintf("different legal forms: %s, %s", a.shown, b.shown))
		case o.a.form != o.b.form:
			v.Why = append(v.Why, fmt.Sprintf("similar legal forms: %s, %s", a.shown, b.shown))
		}
	}
	if s.thin {
		v.Why = append(v.Why, "what they share is too common to tell anybody by")
	}
	v.Why = append(v.Why, factReasons(g, s.z >= m.alertSum)...)
}

// words tells how each word was taken.
func (al *alignment) words(o outcome) (why []string) {
	if o.x[fExact] > 0 {
		return []string{"the names are equal"}
	}
	for k := range al.chosen {
		l := &al.links[k]
		a, b := joinTexts(al.a[l.i:l.i+l.n]), joinTexts(al.b[l.j:l.j+l.m])
		if text := howText(l.how, a, b); text != "" {
			why = append(why, text)
		}
	}
	why = append(why, missing(al.a, al.usedA)...)
	why = append(why, missing(al.b, al.usedB)...)
	if len(why) == 0 && o.x[fOrder] > 0 {
		why = append(why, "the same words in another order")
	}
	if len(why) == 0 {
		why = append(why, "the words are equal")
	}
	return why
}

func howText(h how, a, b string) string {
	switch h {
	case sounds:
		return fmt.Sprintf("%s is spelt %s", a, b)
	case typo:
		return fmt.Sprintf("%s and %s differ by a slip", a, b)
	case meaning:
		return fmt.Sprintf("%s and %s mean the same", a, b)
	case short:
		return fmt.Sprintf("%s and %s are short for one name", a, b)
	case abridged:
		return fmt.Sprintf("%s and %s: one is cut short", a, b)
	case first:
		return fmt.Sprintf("%s and %s: one is an initial", a, b)
	case across:
		return fmt.Sprintf("%s and %s may be one word in two scripts", a, b)
	case acronym:
		return fmt.Sprintf("%s and %s: one is made of the other's beginnings", a, b)
	case joined:
		return fmt.Sprintf("%s and %s are written apart or together", a, b)
	}
	return ""
}

func joinTexts(tokens []token) string {
	words := make([]string, len(tokens))
	for i := range tokens {
		words[i] = tokens[i].text
	}
	return strings.Join(words, " ")
}

func missing(tokens []token, used uint32) (why []string) {
	for i := range tokens {
		t := &tokens[i]
		if used&(1<<i) == 0 && (t.class <= initial || t.script == roman.Own) {
			why = append(why, fmt.Sprintf("only one has %s", t.text))
		}
	}
	return why
}

var factWords = [facts][differ + 1]string{
	factBorn:       {agree: "the date of birth agrees", near: "the dates of birth are close", differ: "the dates of birth differ"},
	factCountry:    {agree: "the country agrees", differ: "the countries differ"},
	factGender:     {differ: "the genders differ"},
	factIdentifier: {agree: "they share an identifier", differ: "their identifiers differ"},
	factAddress:    {agree: "the address agrees", near: "the addresses are close"},
}

func factReasons(g factGrades, strong bool) (why []string) {
	for f, how := range g {
		text := factWords[f][how]
		if text == "" {
			continue
		}
		if !strong && factWeights[f][how] > 0 {
			text += ", which does not lift a weak name"
		}
		why = append(why, text)
	}
	return why
}

func gradesOf(x *vector, g factGrades, score float64) Grades {
	letter := func(bad, close bool) string {
		switch {
		case bad:
			return "F"
		case close:
			return "B"
		}
		return "A"
	}
	out := Grades{
		Name:   letter(score < AlertScore, x[fExact] == 0),
		Words:  letter(x[fOther]+x[fSide] > 0, x[fExtra] > 0.02 || x[fLoss] > 0.02),
		Order:  letter(false, x[fOrder] > 0),
		Number: letter(x[fNumber] > 0, x[fNumberOnly] > 0),
		Form:   "Z",
	}
	switch {
	case x[fFormSame] > 0:
		out.Form = "A"
	case x[fForm] > 0:
		out.Form = "F"
	case x[fFormNear] > 0:
		out.Form = "B"
	}
	facts := [...]*string{factBorn: &out.Born, factCountry: &out.Country, factGender: &out.Gender, factIdentifier: &out.Identifier, factAddress: &out.Address}
	for f, p := range facts {
		*p = map[agreement]string{unknown: "Z", agree: "A", near: "B", differ: "F"}[g[f]]
	}
	return out
}
