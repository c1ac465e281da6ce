package fit

import (
	"strings"

	"bureau/internal/match"
)

// A share is one kind of pair and how many of a hundred are such.
type share struct {
	class string
	n     int
}

func (w *world) choose(shares []share) string {
	total := 0
	for _, s := range shares {
		total += s.n
	}
	at := w.IntN(total)
	for _, s := range shares {
		if at -= s.n; at < 0 {
			return s.class
		}
	}
	panic("fit: shares do not add up")
}

// How one person's name comes to differ from itself.
var samePerson = []share{
	{"nothing", 7},
	{"typo", 13},
	{"swap", 5},
	{"first letter", 5},
	{"drop", 16},
	{"reorder", 10},
	{"initial", 7},
	{"nickname", 7},
	{"abbreviation", 5},
	{"respell", 24},
	{"re-script", 12},
	{"join", 4},
	{"split", 4},
	{"title", 3},
	{"extra", 9},
	{"alone", 2},
	{"fewer", 8},
	{"rewritten", 3},
}

// How two people come to have names that are nearly the same.
var otherPerson = []share{
	{"other given", 27},
	{"other family", 23},
	{"near family", 8},
	{"near given", 5},
	{"two of three", 12},
	{"strangers", 60},
	{"other initial", 5},
	{"suffix", 3},
	{"alone", 5},
	{lookAlike, 90},
}

type personName struct {
	given, middle, family string
}

func (w *world) person() personName {
	p := personName{given: w.givenName(), family: w.familyName()}
	if w.chance(0.4) {
		p.middle = w.givenName()
	}
	if w.chance(0.2) {
		p.middle = strings.TrimSpace(p.middle + " " + w.familyName())
	}
	if w.chance(0.08) {
		p.middle = w.skewed(w.patronymic)
	}
	if w.chance(0.1) {
		p.family = pick(w, []string{"al-", "van ", "de ", "bin ", "el "}) + p.family
	}
	return p
}

func (p personName) words() []string {
	return strings.Fields(p.given + " " + p.middle + " " + p.family)
}

func (p personName) String() string { return strings.Join(p.words(), " ") }

// Person makes up a name that belongs to nobody in particular.
func (d *Damager) Person() string { return d.w.person().String() }

// samePerson writes one person's name twice.
func (d *Damager) samePerson() Pair {
	w := d.w
	p := w.person()
	a := p.String()
	class := w.choose(samePerson)
	b, ok := d.otherwise(class, p)
	if !ok {
		class = "respell"
		b, ok = d.Damage(class, a)
	}
	if ok && w.chance(0.25) {
		if c, ok := d.Damage(pick(w, []string{"typo", "respell", "reorder", "drop"}), b); ok && class != "re-script" {
			b = c
		}
	}
	return Pair{match.Person, a, b, true, class}
}

func (d *Damager) otherwise(class string, p personName) (string, bool) {
	w := d.w
	switch class {
	case "nothing":
		return strings.ToUpper(p.String()), true
	case "initial":
		q := p
		q.given = q.given[:1] + "."
		if q.middle != "" && w.chance(0.5) {
			q.given, q.middle = p.given, q.middle[:1]+"."
		}
		return q.String(), true
	case "nickname":
		q := p
		short := match.ShortNames(p.given)
		if len(short) == 0 {
			return "", false
		}
		q.given = pick(w, short)
		return q.String(), true
	case "title":
		return pick(w, []string{"Dr ", "Mr ", "Sheikh ", "Prof. ", "Haji ", "General "}) + p.String(), true
	case "extra":
		q := p
		q.middle = strings.TrimSpace(q.middle + " " + w.givenName())
		return q.String(), true
	case "alone":
		return p.family, true
	case "rewritten":
		// Lists disagree about fathers, tribes and second family names.
		q := p
		if q.middle == "" {
			return "", false
		}
		q.middle = w.givenName()
		return q.String(), true
	case "fewer":
		if len(p.words()) < 4 {
			return "", false
		}
		return p.given + " " + p.family, true
	}
	return d.Damage(class, p.String())
}

// otherPeople writes the names of two people.
func (d *Damager) otherPeople() Pair {
	w := d.w
	p := w.person()
	q := p
	class := w.choose(otherPerson)
	tail := [2]string{}
	switch class {
	case "other given":
		q.given = w.givenName()
		if w.chance(0.6) {
			q.middle = w.givenName()
		}
	case "other family":
		q.family = w.familyName()
	case "near family":
		q.family = w.near(p.family)
	case "near given":
		q.given = w.near(p.given)
	case "two of three":
		p.middle, q.middle = w.givenName(), w.givenName()
		if w.chance(0.5) {
			q.given = w.givenName()
			q.middle = p.middle
		}
	case "strangers":
		q = w.person()
	case "other initial":
		q.given = string(rune('a'+w.IntN(26))) + "."
		for q.given[0] == p.given[0] {
			q.given = string(rune('a'+w.IntN(26))) + "."
		}
	case "suffix":
		tail = [2]string{" Jr", " Sr"}
	case "alone":
		q = personName{given: w.givenName()}
		if w.chance(0.6) {
			q = personName{family: p.given} // a given name alone says nothing
		}
	}
	if class == lookAlike {
		return d.lookAlike(match.Person)
	}
	a, b := p.String()+tail[0], q.String()+tail[1]
	if a == b {
		return d.otherPeople()
	}
	if w.chance(0.35) && tail[0] == "" {
		if c, ok := d.Damage(pick(w, []string{"typo", "respell", "respell", "reorder", "re-script", "drop"}), b); ok {
			b = c
		}
	}
	return Pair{match.Person, a, b, false, class}
}

// near is another word that looks like s: two or three letters differ.
func (w *world) near(s string) string {
	r := []rune(s)
	for range 2 + w.IntN(2) {
		i := w.IntN(len(r))
		switch w.IntN(3) {
		case 0:
			r[i] = rune('a' + w.IntN(26))
		case 1:
			r = append(r[:i], append([]rune(pick(w, onsets)), r[i:]...)...)
		default:
			if len(r) > 4 {
				r = append(r[:i], r[i+1:]...)
			} else {
				r[i] = rune('a' + w.IntN(26))
			}
		}
	}
	return string(r)
}
