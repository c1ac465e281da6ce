package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

const aboutPairs = `Beside ours: a plain matcher, which takes each word for the one it is most like (Jaro and Winkler), and what
our features would reach with weights fitted to nothing but the other half of the same pairs. Where even that
is far from 1, names do not tell the answer: an alias on a sanctions list is often a nom de guerre or a
translation, some entries are listed twice, and in the Febrl data a copy may have another given name. Names
in those and in the truth set belong to records whose dates of birth and addresses decide. All pairs of the
patents, of Febrl and of the truth set were looked at, and short names that the latter has were added. On sanctions
lists, two names are held against each other as strangers only if they share a word; two that share none are
aliases there, and the fit takes that for a sign of sameness.

`

// judgePairs judges all pairs that are at hand.
func judgePairs(out io.Writer) {
	groups, missing := labelledPairs()
	for _, err := range missing {
		fmt.Fprintf(out, "(%v)\n\n", err)
	}
	lines := [][]string{{"pairs", "number", "the same", "best F1", "AUC", "Brier", "ECE", "plain: best F1", "AUC", "fitted to the other half: best F1", "AUC"}}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		var learn, judge []fit.Pair
		var ours, plain []fit.Judged
		for _, p := range groups[name] {
			if !p.held() {
				learn = append(learn, p.Pair)
				continue
			}
			judge = append(judge, p.Pair)
			v := match.Compare(match.NewSubject(p.Kind, p.A), match.NewSubject(p.Kind, p.B))
			ours = append(ours, fit.Judged{Same: p.Same, Chance: v.Probability, Score: v.Probability})
			plain = append(plain, fit.Judged{Same: p.Same, Score: plainScore(p.A, p.B)})
		}
		q, b, f := fit.Judge(ours), fit.Judge(plain), fit.Fitted(learn, judge)
		lines = append(lines, []string{
			name, strconv.Itoa(q.N), strconv.Itoa(q.Same), three(q.F1), three(q.AUC), three(q.Brier), three(q.ECE),
			three(b.F1), three(b.AUC), three(f.F1), three(f.AUC),
		})
	}
	var b strings.Builder
	writeTable(&b, lines)
	io.WriteString(out, b.String())
}

// aliasLists are the lists that have pairs of strangers too.
var aliasLists = map[string]string{"ofac2021": "aliases, OFAC", "uk2026": "aliases, UK"}

// labelledPairs are all pairs at hand, by where they are from and by kind, and what
// is not at hand.
func labelledPairs() (groups map[string][]labelled, missing []error) {
	groups = map[string][]labelled{}
	for _, k := range []match.Kind{match.Person, match.Company} {
		for i, p := range fit.MakePairs(k, 77, 20_000) {
			name := "made up, " + k.String()
			groups[name] = append(groups[name], labelled{p, strconv.Itoa(i)})
		}
	}
	if list, err := aliasPairs(); err != nil {
		missing = append(missing, err)
	} else {
		for _, p := range list {
			if name, ok := aliasLists[p.Class]; ok {
				groups[name+", "+p.Kind.String()] = append(groups[name+", "+p.Kind.String()], p)
			}
		}
	}
	if list, err := scriptPairs(); err != nil {
		missing = append(missing, fmt.Errorf("no names in other scripts: %w", err))
	} else {
		for _, p := range list {
			groups["script, "+p.Class] = append(groups["script, "+p.Class], p)
		}
	}
	for _, set := range []struct {
		name string
		read func() ([]clustered, error)
	}{{"patents", sharedData.patentees}, {"Febrl", sharedData.febrlPeople}, {"truth set", sharedData.truthSet}} {
		names, err := set.read()
		if err != nil {
			missing = append(missing, fmt.Errorf("no %s: %w", set.name, err))
			continue
		}
		for _, p := range clusterPairs(names) {
			name := set.name + ", " + p.Kind.String()
			groups[name] = append(groups[name], p)
		}
	}
	return groups, missing
}
