package bank

import (
	"fmt"
	"strconv"
	"strings"
)

// A form is how a country's BBAN looks.
type form struct {
	classes string // a class for each character: n, a or c
	bank    place
	branch  place
	account place
	sepa    bool
	check   func(bban string) (ok, can bool) // the national check digits; nil where there are none
}

// A place is a part of a BBAN.
type place struct{ from, to int }

func (f form) length() int { return len(f.classes) }

var classWords = map[byte]string{'n': "a digit", 'a': "a letter", 'c': "a letter or a digit"}

// misfit is the first character that is not of the class its place asks for,
// and what should be there; -1 if all fit.
func (f form) misfit(bban string) (at int, want string) {
	for i := range len(bban) {
		digit := bban[i] <= '9'
		if class := f.classes[i]; digit && class == 'a' || !digit && class == 'n' {
			return i, classWords[class]
		}
	}
	return -1, ""
}

// forms are the forms of each country of the registry, the usual one first.
var forms = readRegistry(registry)

// formOf is the form of a country's BBAN of some length. ok is false if there is
// none, and the form is then the country's usual one.
func formOf(country string, length int) (f form, ok bool) {
	all := forms[country]
	for _, f := range all {
		if f.length() == length {
			return f, true
		}
	}
	if len(all) > 0 {
		f = all[0]
	}
	return f, false
}

// readRegistry panics on a bad line: it is our own table.
func readRegistry(text string) map[string][]form {
	out := map[string][]form{}
	for line := range strings.Lines(text) {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		f := form{classes: readClasses(w[1]), sepa: w[5] == "sepa"}
		f.bank, f.branch, f.account = readPlace(w[2]), readPlace(w[3]), readPlace(w[4])
		if w[6] != "-" {
			if f.check = nationals[w[6]]; f.check == nil {
				panic(fmt.Sprintf("the registry has no rule %q", w[6]))
			}
		}
		out[w[0]] = append(out[w[0]], f)
	}
	return out
}

// readClasses writes "2n3a" out as "nnaaa".
func readClasses(shape string) string {
	var b strings.Builder
	for shape != "" {
		i := strings.IndexAny(shape, "nac")
		n, err := strconv.Atoi(shape[:i])
		if err != nil {
			panic(err)
		}
		b.WriteString(strings.Repeat(shape[i:i+1], n))
		shape = shape[i+1:]
	}
	return b.String()
}

// readPlace reads "1-4", counted from one.
func readPlace(text string) place {
	first, last, ok := strings.Cut(text, "-")
	if !ok || first == "" {
		return place{}
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil {
		panic("the registry has no place " + text)
	}
	return place{from - 1, to}
}
