package national

import (
	"fmt"
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

func TestCombinationsHaveAnEnd(t *testing.T) {
	got := board(57, "Firman tecknas av fem i förening av ledamöterna").Signatories()
	if len(got.Combinations) != MaxCombinations || got.Coverage != Partial {
		t.Errorf("%d combinations, %s", len(got.Combinations), got.Coverage)
	}
}
