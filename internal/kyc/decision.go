package kyc

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
)

// A Decision is what a customer thinks of a hit.
type Decision string

const (
	Undecided     Decision = "undecided"
	TrueMatch     Decision = "trueMatch"
	FalsePositive Decision = "falsePositive"
	Discarded     Decision = "discarded"
)

// Decisions are all of them.
var Decisions = []Decision{Undecided, TrueMatch, FalsePositive, Discarded}

// ParseDecision reads a decision in any case.
func ParseDecision(text string) (Decision, error) {
	d, ok := choose(Decisions, text)
	if !ok {
		return "", fmt.Errorf("%q is none of %s", text, join(Decisions))
	}
	return d, nil
}

// quiet says whether a subject that was judged so is not asked about again.
func (d Decision) quiet() bool { return d == FalsePositive || d == Discarded }

// A Ruling is one decision about a hit, as it is kept for good.
type Ruling struct {
	Hit      HitID
	Number   int64 // among those of the hit, from 1
	Entry    EntryID
	Decision Decision
	Note     string
	At       time.Time
	By       auth.AccountID
	Basis    Basis
}

// A Basis is what a decision was made on: all that could tell the subject and
// the entry apart.
type Basis struct{ Subject, Entry Facts }

// Facts are what matters of a subject or an entry. Reasons, addresses, remarks
// and sources do not: another word in them makes nobody another person.
type Facts struct {
	Names       []string `json:"names,omitempty"`
	Born        []string `json:"born,omitempty"`
	Gender      string   `json:"gender,omitempty"`
	Countries   []string `json:"countries,omitempty"`
	Identifiers []string `json:"identifiers,omitempty"`
	Datasets    []string `json:"datasets,omitempty"`
}

func newBasis(who Subject, e *Entry) Basis {
	b := Basis{
		Subject: Facts{Names: []string{who.FullName()}, Gender: string(who.Gender), Countries: sorted(who.Countries)},
		Entry:   Facts{Gender: string(e.Gender), Countries: sorted(e.TiedTo())},
	}
	if who.Born != "" {
		b.Subject.Born = []string{string(who.Born)}
	}
	b.Subject.Identifiers = identifiersOf(who.Identifiers)
	for _, n := range e.Names {
		b.Entry.Names = append(b.Entry.Names, n.Text)
	}
	for _, d := range e.Born {
		b.Entry.Born = append(b.Entry.Born, d.String())
	}
	b.Entry.Identifiers = identifiersOf(e.Identifiers)
	for _, d := range e.Datasets {
		b.Entry.Datasets = append(b.Entry.Datasets, string(d))
	}
	for _, f := range []*[]string{&b.Entry.Names, &b.Entry.Born, &b.Entry.Datasets} {
		*f = sorted(*f)
	}
	return b
}

func identifiersOf(list []Identifier) (out []string) {
	for _, i := range list {
		out = append(out, i.Type+" "+i.Value)
	}
	return sorted(out)
}

func sorted(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

// Changes says in words what is new since a decision was made, if that matters.
// What is gone matters only where it may have been the reason to tell the two
// apart: a date of birth, a gender, a country, a number.
func (was Basis) Changes(now Basis) (out []string) {
	say := func(of, what string, was, now []string, gone bool) {
		added, removed := without(now, was), without(was, now)
		switch {
		case len(added) == 0 && (!gone || len(removed) == 0):
		case !gone || len(was) == 0 && len(removed) == 0:
			out = append(out, fmt.Sprintf("%s: new %s: %s", of, what, strings.Join(added, ", ")))
		default:
			out = append(out, fmt.Sprintf("%s: %s: from %s to %s", of, what, words(was), words(now)))
		}
	}
	one := func(s string) []string {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	for _, side := range []struct {
		of       string
		was, now Facts
	}{{"the subject", was.Subject, now.Subject}, {"the entry", was.Entry, now.Entry}} {
		say(side.of, "name", side.was.Names, side.now.Names, false)
		say(side.of, "date of birth", side.was.Born, side.now.Born, true)
		say(side.of, "gender", one(side.was.Gender), one(side.now.Gender), true)
		say(side.of, "country", side.was.Countries, side.now.Countries, true)
		say(side.of, "identifier", side.was.Identifiers, side.now.Identifiers, true)
		say(side.of, "dataset", side.was.Datasets, side.now.Datasets, false)
	}
	return out
}

// without are those of a list that another does not have, in any case.
func without(list, other []string) (out []string) {
	for _, s := range list {
		if !slices.ContainsFunc(other, func(o string) bool { return strings.EqualFold(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}

func words(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// remember looks what was decided about an entry before. The last decision on
// the same grounds counts; without one it is the last of all, and changes says
// what is otherwise now.
func remember(earlier []Ruling, now Basis) (r Ruling, changes []string, known bool) {
	for i := range earlier {
		e := &earlier[i]
		since := e.Basis.Changes(now)
		if !known || len(since) == 0 || len(changes) > 0 {
			r, changes, known = *e, since, true
		}
	}
	return r, changes, known
}
