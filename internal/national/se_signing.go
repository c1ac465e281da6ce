package national

import (
	"math/bits"
	"slices"
	"strings"
)

// A signing rule says who may sign for a company, in the register's words:
// "Firman tecknas av två i förening av ledamöterna." It is read here as clauses,
// any of which is enough; a clause takes some people of each of its groups, and
// nobody fills two places.

// A Signer is somebody on the board, with all seats that they have.
type Signer struct {
	Name   string
	Number string // the personal number; empty where it is not known or may not be shown
	Roles  []Role
}

// A Role is a seat.
type Role int

const (
	OtherRole Role = iota
	Chair
	Member
	CEO
	DeputyMember
	DeputyCEO
	SpecialSignatory
)

// roleWords are the words for roles in registers, in both languages, in the
// form that fold leaves. The longer ones stand first.
var roleWords = []struct {
	word string
	role Role
}{
	{"vice verkställande direktör", DeputyCEO},
	{"deputy managing director", DeputyCEO},
	{"vice vd", DeputyCEO},
	{"styrelsesuppleant", DeputyMember},
	{"deputy board member", DeputyMember},
	{"deputy director", DeputyMember},
	{"suppleant", DeputyMember},
	{"deputies", DeputyMember},
	{"deputy", DeputyMember},
	{"särskild firmatecknare", SpecialSignatory},
	{"firmatecknare", SpecialSignatory},
	{"signator", SpecialSignatory},
	{"verkställande direktör", CEO},
	{"managing director", CEO},
	{"chief executive", CEO},
	{"ceo", CEO},
	{"vd", CEO},
	{"styrelseordförande", Chair},
	{"ordförande", Chair},
	{"chair", Chair},
	{"styrelseledam", Member},
	{"ordinarie ledam", Member},
	{"ledam", Member},
	{"board member", Member},
	{"member", Member},
	{"director", Member},
}

// roleOf finds the role that a text begins with, or has in it.
func roleOf(text string) Role {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, w := range roleWords {
		if text == w.word || strings.HasPrefix(text, w.word) || len(w.word) > 3 && strings.Contains(text, w.word) {
			return w.role
		}
	}
	return OtherRole
}

// A people is a set of signers: bit i is the i-th.
type people uint64

// maxBoard is how many signers a people can hold.
const maxBoard = 64

// A pick takes some of a group.
type pick struct {
	n    int
	from people
}

// A clause is what must sign together.
type clause []pick

// A Board is who may sign for a company, and by which rule.
type Board struct {
	Signers []Signer
	Rule    string
}

// Coverage says how much of a rule was understood.
type Coverage string

const (
	Complete Coverage = "complete"
	Partial  Coverage = "partial"
	None     Coverage = "none"
)

// MaxCombinations is how many are told.
const MaxCombinations = 5000

// Signatories are who may sign together. Each combination is a list of places in
// the board, in order; none has another within it.
type Signatories struct {
	Coverage     Coverage
	Combinations [][]int
	DayToDay     [][]int // for what the daily running needs
}

// Signatories works a rule out.
func (b Board) Signatories() Signatories {
	if len(b.Signers) > maxBoard {
		return Signatories{Coverage: None}
	}
	clauses, understood, sentences := b.read()
	out := Signatories{Coverage: Complete}
	switch {
	case understood == 0:
		out.Coverage = None
	case understood < sentences:
		out.Coverage = Partial
	}
	sets, whole := combine(clauses)
	if !whole {
		out.Coverage = Partial
	}
	for _, s := range sets {
		out.Combinations = append(out.Combinations, s.list())
	}
	// The managing director may sign for the daily running by law, whatever the
	// rule says.
	for i := range b.Signers {
		if slices.Contains(b.Signers[i].Roles, CEO) {
			out.DayToDay = append(out.DayToDay, []int{i})
		}
	}
	return out
}

func (p people) list() (out []int) {
	for ; p != 0; p &= p - 1 {
		out = append(out, bits.TrailingZeros64(uint64(p)))
	}
	return out
}

// tooMany is where building combinations ends: a rule such as "any eight of
// thirty" has millions.
const tooMany = 20 * MaxCombinations

// combine makes every smallest set of people that satisfies a clause. whole is
// false if there are more than can be told.
func combine(clauses []clause) (out []people, whole bool) {
	whole = true
	seen := map[people]bool{}
	for _, c := range clauses {
		whole = c.fill(0, 0, seen) && whole
	}
	for s := range seen {
		out = append(out, s)
	}
	// A small set comes before all that have it within them.
	slices.SortFunc(out, func(a, b people) int {
		if d := bits.OnesCount64(uint64(a)) - bits.OnesCount64(uint64(b)); d != 0 {
			return d
		}
		return slices.Compare(a.list(), b.list())
	})
	var least []people
	for _, s := range out {
		if !slices.ContainsFunc(least, func(t people) bool { return s&t == t }) {
			least = append(least, s)
		}
		if len(least) == MaxCombinations {
			return least, whole && len(out) == MaxCombinations
		}
	}
	return least, whole
}

// fill takes people for the picks of a clause from the i-th on, beside those who
// are taken.
func (c clause) fill(i int, taken people, seen map[people]bool) bool {
	if i == len(c) {
		seen[taken] = true
		return len(seen) < tooMany
	}
	return choose(c[i].from&^taken, c[i].n, 0, func(some people) bool { return c.fill(i+1, taken|some, seen) })
}

// choose calls f with every n of a set, until f wants no more.
func choose(from people, n int, have people, f func(people) bool) bool {
	if n == 0 {
		return f(have)
	}
	for rest := from; rest != 0; rest &= rest - 1 {
		one := rest & -rest
		if bits.OnesCount64(uint64(rest)) < n {
			return true
		}
		if !choose(rest&^one, n-1, have|one, f) {
			return false
		}
	}
	return true
}
