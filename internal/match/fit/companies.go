package fit

import (
	"slices"
	"strconv"
	"strings"

	"bureau/internal/match"
)

// How one company's name comes to differ from itself.
var sameCompany = []share{
	{"nothing", 6},
	{"typo", 15},
	{"swap", 5},
	{"first letter", 4},
	{"drop", 14},
	{"reorder", 6},
	{"form", 18},
	{"no form", 14},
	{"abbreviation", 6},
	{"respell", 8},
	{"re-script", 5},
	{"join", 5},
	{"split", 5},
	{"translated", 5},
	{"and", 3},
	{"roman", 3},
	{"less", 9},
	{"acronym", 3},
	{"rewritten", 4},
	{"other form", 3},
}

// How two companies come to have names that are nearly the same.
var otherCompany = []share{
	{"other trade", 32},
	{"other lead", 24},
	{"other number", 9},
	{"number", 4},
	{"other form", 6},
	{"near lead", 8},
	{otherPart, 12},
	{"strangers", 60},
	{"other place", 8},
	{"sister", 12},
	{"other side", 8},
	{"same trade only", 4},
	{lookAlike, 90},
}

// otherPart is the class of names that begin or end alike and go on otherwise.
const otherPart = "other part"

// forms are spellings of legal forms, the same on each line.
var forms = [][]string{
	{"GmbH", "G.m.b.H.", "Gesellschaft mit beschränkter Haftung", "Ges.m.b.H.", "gmbh"},
	{"Ltd", "Limited", "Ltd.", "Co. Ltd.", "Company Limited", "Pte Ltd", "Private Limited"},
	{"LLC", "L.L.C.", "Limited Liability Company"},
	{"AG", "Aktiengesellschaft", "A.G."},
	{"S.A.", "SA", "Société Anonyme", "Sociedad Anónima"},
	{"Inc", "Inc.", "Incorporated"},
	{"GmbH & Co. KG", "GmbH und Co KG", "GmbH & Co KG", "GmbH & Co. Kommanditgesellschaft"},
	{"OOO", "LLC", "Obshchestvo s ogranichennoy otvetstvennostyu", "Limited Liability Company", "ООО"},
	{"JSC", "Joint Stock Company", "AO", "OJSC", "PJSC"},
	{"S.r.l.", "SRL", "Società a responsabilità limitata"},
	{"B.V.", "BV", "Besloten Vennootschap"},
	{"e.V.", "eingetragener Verein", "e. V."},
	{"Sp. z o.o.", "sp z oo", "Spolka z o.o."},
	{"Corp", "Corporation", "Corp."},
	{"PLC", "Public Limited Company", "plc"},
	{"AB", "Aktiebolag"},
	{"A/S", "AS", "Aktieselskab"},
	{"eG", "eingetragene Genossenschaft"},
	{"e.K.", "eingetragener Kaufmann", "e. K."},
	{"KG", "Kommanditgesellschaft"},
}

type companyName struct {
	lead, trade, place, number string
	form                       int // -1 is none
}

func (c companyName) body() string {
	return strings.Join(strings.Fields(c.lead+" "+c.trade+" "+c.place+" "+c.number), " ")
}

func (c companyName) String() string {
	if c.form < 0 {
		return c.body()
	}
	return c.body() + " " + forms[c.form][0]
}

func (w *world) lead() string {
	switch {
	case w.chance(0.4):
		return w.coined()
	case w.chance(0.15):
		return w.compound()
	case w.chance(0.3):
		return w.familyName()
	}
	return w.proper[w.IntN(len(w.proper))]
}

func (w *world) company() companyName {
	c := companyName{lead: w.lead(), form: -1}
	if w.chance(0.3) {
		c.lead += " " + w.lead()
	}
	if w.chance(0.85) {
		c.trade = w.skewed(w.trade)
	}
	if w.chance(0.35) {
		c.trade += " " + w.skewed(w.trade)
	}
	if w.chance(0.15) {
		c.place = w.skewed(w.proper)
	}
	if w.chance(0.08) {
		c.number = strconv.Itoa(1 + w.IntN(40))
	}
	if w.chance(0.8) {
		c.form = w.IntN(len(forms))
	}
	return c
}

// sides are the sides of the world, as companies are called by them.
var sides = [][]string{{"North", "Nord", "Northern"}, {"South", "Süd", "Southern"}, {"East", "Ost", "Eastern"}, {"West", "West", "Western"}}

// onSide is a lead on two sides, in one language.
func (w *world) onSide(lead string, a, b int) (string, string) {
	l := w.IntN(len(sides[a]))
	if w.chance(0.5) {
		return sides[a][l] + " " + lead, sides[b][l] + " " + lead
	}
	return lead + " " + sides[a][l], lead + " " + sides[b][l]
}

// otherTrade is a word of the trade that means something else than some others.
func (w *world) otherTrade(than ...string) string {
	for {
		t := w.skewed(w.trade)
		if !slices.ContainsFunc(than, func(o string) bool { return slices.Contains(match.SameTrade(o), t) }) {
			return t
		}
	}
}

// Company makes up a name that belongs to no company in particular.
func (d *Damager) Company() string { return d.w.company().String() }

func (d *Damager) sameCompany() Pair {
	w := d.w
	c := w.company()
	class := w.choose(sameCompany)
	a, b, ok := d.companyTwice(class, c)
	if !ok {
		class = "typo"
		a = c.String()
		b, ok = d.Damage(class, a)
	}
	if ok && w.chance(0.2) && class != "re-script" {
		if more, ok := d.Damage(pick(w, []string{"typo", "join", "abbreviation"}), b); ok {
			b = more
		}
	}
	return Pair{match.Company, a, b, true, class}
}

func (d *Damager) companyTwice(class string, c companyName) (a, b string, ok bool) {
	w := d.w
	a = c.String()
	switch class {
	case "nothing":
		return a, strings.ToUpper(a), true
	case "form":
		if c.form < 0 {
			return "", "", false
		}
		return a, c.body() + " " + pick(w, forms[c.form]), true
	case "other form":
		// Lists are not careful about them, and companies change theirs.
		q := c
		q.form = w.IntN(len(forms))
		return a, q.String(), c.form >= 0 && q.form != c.form
	case "no form":
		return a, c.body(), c.form >= 0
	case "translated":
		words := strings.Fields(c.trade)
		for i, word := range words {
			if same := match.SameTrade(word); len(same) > 1 {
				words[i] = pick(w, same)
			}
		}
		q := c
		q.trade = strings.Join(words, " ")
		return a, q.String(), q.trade != c.trade
	case "rewritten":
		q := c
		q.trade = w.skewed(w.trade)
		return a, q.String(), c.trade != "" && q.trade != c.trade
	case "and":
		q := c
		c.lead += " & " + w.familyName()
		q.lead = strings.ReplaceAll(c.lead, "&", "and")
		return c.String(), q.String(), true
	case "roman":
		q := c
		n := 1 + w.IntN(8)
		c.number = strconv.Itoa(n)
		q.number = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII"}[n-1]
		return c.String(), q.String(), true
	case "less":
		q := c
		words := strings.Fields(c.trade)
		if len(words) == 0 {
			return "", "", false
		}
		q.trade = strings.Join(words[:len(words)-1], " ")
		return a, q.String(), true
	case "acronym":
		words := strings.Fields(c.body())
		if len(words) < 4 {
			return "", "", false
		}
		short := ""
		for _, word := range words {
			short += strings.ToUpper(word[:1])
		}
		return a, short, true
	case "re-script":
		b, ok = d.Damage(class, c.lead)
		q := c
		q.trade, q.place, q.number, q.form = "", "", "", -1
		return q.String(), b, ok
	}
	if class == "drop" {
		// Without its lead a company is another.
		lead, rest, _ := strings.Cut(a, " ")
		rest, ok = d.Damage(class, rest)
		return a, lead + " " + rest, ok
	}
	b, ok = d.Damage(class, a)
	return a, b, ok
}

func (d *Damager) otherCompanies() Pair {
	w := d.w
	c := w.company()
	q := c
	class := w.choose(otherCompany)
	switch class {
	case "other trade":
		if c.trade == "" {
			c.trade = w.skewed(w.trade)
		}
		q.trade = w.otherTrade(strings.Fields(c.trade)...)
		if w.chance(0.4) {
			q.trade += " " + w.skewed(w.trade)
		}
		if w.chance(0.3) {
			q.trade += " " + w.lead()
		}
	case "other lead":
		q.lead = w.lead()
	case "other number":
		c.number, q.number = strconv.Itoa(1+w.IntN(40)), strconv.Itoa(1+w.IntN(40))
	case "number":
		c.number, q.number = "", strconv.Itoa(2+w.IntN(40))
	case "other form":
		c.form = w.IntN(len(forms))
		q.form = w.IntN(len(forms))
	case "near lead":
		q.lead = w.near(c.lead)
	case otherPart:
		c.lead = w.compound()
		q.lead = w.otherPart(c.lead)
	case "strangers":
		q = w.company()
	case "other place":
		c.place, q.place = w.skewed(w.proper), w.skewed(w.proper)
	case "sister":
		trade := w.skewed(w.trade)
		one := w.otherTrade(trade)
		c.trade, q.trade = trade+" "+one, trade+" "+w.otherTrade(trade, one)
	case "other side":
		at, other := w.IntN(len(sides)), 1+w.IntN(len(sides)-1)
		c.lead, q.lead = w.onSide(c.lead, at, (at+other)%len(sides))
	case "same trade only":
		q = companyName{trade: c.trade, lead: w.lead(), place: c.place, form: c.form}
	}
	if class == lookAlike {
		return d.lookAlike(match.Company)
	}
	if w.chance(0.3) && class != "other form" {
		q.form = w.IntN(len(forms))
	}
	a, b := c.String(), q.String()
	if c.body() == q.body() && class != "other form" || a == b || match.SameForm(a, b) && class == "other form" {
		return d.otherCompanies()
	}
	if w.chance(0.25) && class != "other number" && class != "number" && class != "other form" {
		if more, ok := d.Damage(pick(w, []string{"typo", "abbreviation", "reorder", "join"}), b); ok {
			b = more
		}
	}
	return Pair{match.Company, a, b, false, class}
}
