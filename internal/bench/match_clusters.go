package bench

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"bureau/internal/match"
	"bureau/internal/match/fit"
)

// A clustered is a name and whose it is.
type clustered struct {
	name, owner string
	kind        match.Kind
}

// patentees are companies as they write themselves on patents.
func (c corpus) patentees() ([]clustered, error) {
	rows, err := c.rows("matching/patstat_reference.csv")
	if err != nil {
		return nil, err
	}
	var out []clustered
	for _, r := range rows {
		out = append(out, clustered{r["person_name"], r["leuven_id"], match.Company})
	}
	return out, nil
}

// febrlPeople are invented Australians and damaged copies of them.
func (c corpus) febrlPeople() ([]clustered, error) {
	var out []clustered
	for _, file := range []string{"dataset1", "dataset2", "dataset3"} {
		rows, err := c.rows("matching/febrl/" + file + ".csv.gz")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if part := strings.Split(r["rec_id"], "-"); len(part) > 1 && r["given_name"] != "" && r["surname"] != "" {
				out = append(out, clustered{r["given_name"] + " " + r["surname"], file + "-" + part[1], match.Person})
			}
		}
	}
	return out, nil
}

// truthSet are the people and companies of a small set made to try matchers on.
func (c corpus) truthSet() ([]clustered, error) {
	key, err := c.rows("matching/senzing_truthset/actual_truthset_key.csv")
	if err != nil {
		return nil, err
	}
	owner := map[string]string{}
	for _, r := range key {
		owner[r["DATA_SOURCE"]+" "+r["RECORD_ID"]] = r["CLUSTER_ID"]
	}
	var out []clustered
	for _, file := range []string{"customers", "reference", "watchlist"} {
		rows, err := c.rows("matching/senzing_truthset/" + file + ".csv")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			who := owner[r["DATA_SOURCE"]+" "+r["RECORD_ID"]]
			person := strings.Join(strings.Fields(r["PRIMARY_NAME_FIRST"]+" "+r["PRIMARY_NAME_MIDDLE"]+" "+r["PRIMARY_NAME_LAST"]), " ")
			for _, n := range []clustered{
				{cmp.Or(person, r["PRIMARY_NAME_FULL"]), who, match.Person},
				{r["NATIVE_NAME_FULL"], who, match.Person},
				{r["PRIMARY_NAME_ORG"], who, match.Company},
				{r["SECONDARY_NAME_ORG"], who, match.Company},
			} {
				if n.name != "" && who != "" {
					out = append(out, n)
				}
			}
		}
	}
	return out, nil
}

// mostOfOne is how many names of one owner are held against each other, so that
// none has all the say.
const mostOfOne = 20

// clusterPairs are names of one owner, and as many of two that share the rarest
// word of one: those a matcher is tempted by.
func clusterPairs(names []clustered) []labelled {
	rng := rand.New(rand.NewPCG(11, uint64(len(names))))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	owned, seen := map[string][]clustered{}, map[string]bool{}
	holders := map[string][]clustered{}
	for _, n := range names {
		read := n.owner + "\x00" + strings.ToLower(n.name)
		if seen[read] || len(owned[n.owner]) == mostOfOne {
			continue
		}
		seen[read] = true
		owned[n.owner] = append(owned[n.owner], n)
		for _, w := range strings.Fields(strings.ToLower(n.name)) {
			holders[w] = append(holders[w], n)
		}
	}
	var same, other []labelled
	for _, owner := range slices.Sorted(maps.Keys(owned)) {
		list := owned[owner]
		for i, n := range list {
			for _, m := range list[i+1:] {
				if m.kind == n.kind {
					same = append(same, labelled{fit.Pair{Kind: n.kind, A: n.name, B: m.name, Same: true}, owner})
				}
			}
			words := strings.Fields(strings.ToLower(n.name))
			slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(holders[a]), len(holders[b])) })
			for _, w := range words {
				tempting := slices.DeleteFunc(slices.Clone(holders[w]), func(m clustered) bool { return m.owner == owner || m.kind != n.kind })
				for range min(len(tempting), mostOfOne) {
					m := tempting[rng.IntN(len(tempting))]
					other = append(other, labelled{fit.Pair{Kind: n.kind, A: n.name, B: m.name}, owner})
				}
				if len(tempting) > 0 {
					break
				}
			}
		}
	}
	for _, list := range [][]labelled{same, other} {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	n := min(len(same), len(other))
	return append(same[:n], other[:n]...)
}
