package national

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// board is a chair, a managing director who is a member too, members and a
// deputy.
func board(members int, rule string) Board {
	b := Board{Rule: rule, Signers: []Signer{
		{Name: "Anna Ek", Roles: []Role{Chair}}, {Name: "Bo Al", Roles: []Role{Member, CEO}}, {Name: "Dan Gran", Roles: []Role{DeputyMember}},
	}}
	for i := range members {
		b.Signers = append(b.Signers, Signer{Name: fmt.Sprintf("Member %c", 'A'+i), Roles: []Role{Member}})
	}
	return b
}

func TestSigningRules(t *testing.T) {
	for _, c := range []struct {
		rule     string
		coverage Coverage
		want     string // combinations of the first letters of names; members are M1 …
	}{
		{"Firman tecknas av styrelsen", Complete, "AB AM BM"},
		{"Firman tecknas av två i förening av ledamöterna.", Complete, "AB AM BM"},
		{"Firman tecknas av två styrelseledamöter i förening", Complete, "AB AM BM"},
		{"Firman tecknas var för sig av ledamöterna", Complete, "A B M"},
		{"Firman tecknas var för sig av ordföranden och verkställande direktören", Complete, "A B"},
		{"Firman tecknas av ordföranden i förening med en av ledamöterna", Complete, "AB AM"},
		{"Firman tecknas av Anna Ek och Dan Gran gemensamt", Complete, "AD"},
		{"Firman tecknas av Anna Ek ensam eller av två i förening av ledamöterna", Complete, "A BM"},
		{"Firman tecknas av Dan Gran", Complete, "D"},
		{"Firman tecknas av en av suppleanterna i förening med ordföranden", Complete, "AD"},
		{"The company is signed by two jointly of the members. The managing director signs for the day-to-day running.", Complete, "AB AM BM"},
		{"Firman tecknas av styrelsen. Firman tecknas enligt särskilt beslut", Partial, "AB AM BM"},
		{"Firman tecknas av någon som vi inte känner", None, ""},
		{"", None, ""},
		{"Firman tecknas av ledamöterna", None, ""},
	} {
		got := board(1, c.rule).Signatories()
		var words []string
		for _, s := range got.Combinations {
			var w strings.Builder
			for _, i := range s {
				w.WriteString(board(1, "").Signers[i].Name[:1])
			}
			words = append(words, w.String())
		}
		slices.Sort(words)
		want := strings.Fields(c.want)
		slices.Sort(want)
		if got.Coverage != c.coverage || !slices.Equal(words, want) {
			t.Errorf("%q: %s %v, want %s %v", c.rule, got.Coverage, words, c.coverage, want)
		}
		if fmt.Sprint(got.DayToDay) != "[[1]]" {
			t.Errorf("%q: the managing director is not alone for the day to day: %v", c.rule, got.DayToDay)
		}
	}
}

// brute reads clauses the slow way: a set of people is enough if they can be
// handed out to the places, and it is told if none of it can be spared.
func brute(n int, clauses []clause) (out []people) {
	enough := func(set people) bool {
		return slices.ContainsFunc(clauses, func(c clause) bool {
			var places []people
			for _, p := range c {
				for range p.n {
					places = append(places, p.from)
				}
			}
			return seat(set, places)
		})
	}
	for set := people(1); set < 1<<n; set++ {
		if !enough(set) {
			continue
		}
		spare := false
		for _, i := range set.list() {
			spare = spare || enough(set&^(1<<i))
		}
		if !spare {
			out = append(out, set)
		}
	}
	return out
}

// seat tries every person in every place.
func seat(set people, places []people) bool {
	if len(places) == 0 {
		return true
	}
	for _, i := range set.list() {
		if one := people(1) << i; places[0]&one != 0 && seat(set&^one, places[1:]) {
			return true
		}
	}
	return false
}

func TestCombinationsAreThoseOfABruteForceReading(t *testing.T) {
	rules := []string{
		"Firman tecknas av styrelsen", "Firman tecknas av två i förening av ledamöterna", "Firman tecknas av tre i förening av ledamöterna",
		"Firman tecknas var för sig av ledamöterna", "Firman tecknas av ordföranden i förening med en av ledamöterna",
		"Firman tecknas av ordföranden i förening med två av ledamöterna", "Firman tecknas av en av ledamöterna i förening med en av suppleanterna",
		"Firman tecknas av en av ledamöterna i förening med en av ledamöterna och suppleanterna",
		"Firman tecknas av verkställande direktören i förening med en av ledamöterna eller av tre i förening av ledamöterna och suppleanterna",
		"Firman tecknas av Anna Ek ensam. Firman tecknas av två i förening av ledamöterna. Firman tecknas av Bo Al och Dan Gran gemensamt",
		"Firman tecknas av fyra i förening av ledamöterna eller av ordföranden i förening med en av suppleanterna",
	}
	for members := range 6 { // boards of three to eight
		for _, rule := range rules {
			b := board(members, rule)
			clauses, _, _ := b.read()
			want := brute(len(b.Signers), clauses)
			got, whole := combine(clauses)
			slices.Sort(want)
			slices.Sort(got)
			if d := cmp.Diff(want, got); d != "" || !whole {
				t.Errorf("%d people, %q (-want +got):\n%s", len(b.Signers), rule, d)
			}
			if len(clauses) == 0 && members > 0 {
				t.Errorf("%q is not understood", rule)
			}
		}
	}
}

// A reading is a rule, and what it means to somebody who reads it: whether some
// people of a board are enough. It knows nothing of how the program reads rules.
type reading struct {
	rule   string
	enough func(board, some []Signer) bool
}

func is(p Signer, roles ...Role) bool {
	return slices.ContainsFunc(p.Roles, func(r Role) bool { return slices.Contains(roles, r) })
}

// has counts those with a seat.
func has(some []Signer, roles ...Role) (n int) {
	for _, p := range some {
		if is(p, roles...) {
			n++
		}
	}
	return n
}

func named(some []Signer, name string) bool {
	return slices.ContainsFunc(some, func(p Signer) bool { return p.Name == name })
}

// with reports whether one with a seat is there, and n others with other seats
// beside them.
func with(some []Signer, one Role, n int, others ...Role) bool {
	for i, p := range some {
		if is(p, one) && has(slices.Delete(slices.Clone(some), i, i+1), others...) >= n {
			return true
		}
	}
	return false
}

func atLeast(n int, roles ...Role) func(_, some []Signer) bool {
	return func(_, some []Signer) bool { return has(some, roles...) >= n }
}

func readings() []reading {
	members := []Role{Member, Chair} // a chair is a member of the board
	all := []Role{Member, Chair, DeputyMember}
	return []reading{
		{"Firman tecknas av styrelsen", func(board, some []Signer) bool {
			return 2*has(some, members...) > has(board, members...) && has(board, members...) > 0
		}},
		{"Firman tecknas var för sig av ledamöterna", atLeast(1, members...)},
		{"Firman tecknas av två i förening av ledamöterna", atLeast(2, members...)},
		{"Firman tecknas av tre styrelseledamöter i förening", atLeast(3, members...)},
		{"The company is signed by four jointly of the members", atLeast(4, members...)},
		{"Firman tecknas av två i förening av ledamöterna och suppleanterna", atLeast(2, all...)},
		{"Firman tecknas var för sig av ordföranden och verkställande direktören", atLeast(1, Chair, CEO)},
		{"Firman tecknas av ordföranden", atLeast(1, Chair)},
		{"Firman tecknas av ordföranden i förening med en av ledamöterna", func(_, some []Signer) bool { return with(some, Chair, 1, members...) }},
		{"Firman tecknas av ordföranden i förening med två av ledamöterna", func(_, some []Signer) bool { return with(some, Chair, 2, members...) }},
		{"Firman tecknas av verkställande direktören i förening med en av ledamöterna", func(_, some []Signer) bool { return with(some, CEO, 1, members...) }},
		{"Firman tecknas av ordföranden i förening med en av suppleanterna", func(_, some []Signer) bool { return with(some, Chair, 1, DeputyMember) }},
		{"Firman tecknas av verkställande direktören i förening med en av ledamöterna eller av tre i förening av ledamöterna och suppleanterna", func(_, some []Signer) bool {
			return with(some, CEO, 1, members...) || has(some, all...) >= 3
		}},
		{"Firman tecknas av Anna Ek ensam. Firman tecknas dessutom av två i förening av ledamöterna", func(_, some []Signer) bool {
			return named(some, "Anna Ek") || has(some, members...) >= 2
		}},
		{"Firman tecknas av Anna Ek och Bo Al gemensamt; firman tecknas av fem i förening av ledamöterna", func(board, some []Signer) bool {
			return named(some, "Anna Ek") && named(some, "Bo Al") || has(some, members...) >= 5
		}},
	}
}

// smallest are the sets of a board that are enough, and of which nobody can be
// spared: all of them are tried.
func smallest(board []Signer, enough func(board, some []Signer) bool) (out []people) {
	pick := func(set people) (some []Signer) {
		for _, i := range set.list() {
			some = append(some, board[i])
		}
		return some
	}
	for set := people(1); set < 1<<len(board); set++ {
		if enough(board, pick(set)) && !slices.ContainsFunc(set.list(), func(i int) bool { return enough(board, pick(set&^(1<<i))) }) {
			out = append(out, set)
		}
	}
	return out
}

// Boards of up to eight, with seats given out at random, and rules that are read
// a second time by hand.
func TestCombinationsAreWhatTheRulesMean(t *testing.T) {
	names := []string{"Anna Ek", "Bo Al", "Cia By", "Dan Gran", "Eva Lo", "Folke Ny", "Gun Os", "Hans Pil"}
	r := rand.New(rand.NewPCG(1, 2))
	for size := 2; size <= len(names); size++ {
		for range 40 {
			var board []Signer
			chair, ceo := r.IntN(2*size), r.IntN(2*size) // half of the boards have none
			for i := range size {
				p := Signer{Name: names[i], Roles: []Role{[]Role{Member, Member, DeputyMember, OtherRole}[r.IntN(4)]}}
				if i == chair {
					p.Roles = []Role{Chair}
				}
				if i == ceo {
					p.Roles = append(p.Roles, CEO)
				}
				board = append(board, p)
			}
			for _, read := range readings() {
				got := Board{Signers: board, Rule: read.rule}.Signatories()
				var sets []people
				for _, c := range got.Combinations {
					var set people
					for _, i := range c {
						set |= 1 << i
					}
					sets = append(sets, set)
				}
				want := smallest(board, read.enough)
				slices.Sort(sets)
				slices.Sort(want)
				if d := cmp.Diff(want, sets); d != "" || got.Coverage != Complete {
					t.Fatalf("%q (%s) for %+v (-want +got):\n%s", read.rule, got.Coverage, board, d)
				}
			}
		}
	}
}

func TestCombinationsHaveAnEnd(t *testing.T) {
	got := board(57, "Firman tecknas av fem i förening av ledamöterna").Signatories()
	if len(got.Combinations) != MaxCombinations || got.Coverage != Partial {
		t.Errorf("%d combinations, %s", len(got.Combinations), got.Coverage)
	}
}
