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

// WriteNames judges how well names are told apart, and writes it as Markdown. It
// takes minutes and has no baseline of its own; the row "search" has.
func WriteNames(out io.Writer) error {
	fmt.Fprint(out, "# How well names are told apart\n\nWritten by `go run ./bench names`. ",
		"Made-up pairs are from another seed than those the weights were fitted to; of real ones only the half is\n",
		"judged whose mistakes were not looked at, but where it says so.\n\n## Pairs\n\n", aboutPairs)
	judgePairs(out)
	fmt.Fprint(out, "\n## Damaged names\n\nNames damaged in one way; those found among the first ten, and those found as alerts. Where a word is left\n",
		"out, two that tell something are left: less could be anybody. The thresholds were set with these names in view.\n\n")
	if err := judgeDamage(out); err != nil {
		return err
	}
	fmt.Fprint(out, "\n## Innocent names\n\nNames of people and companies that are on no list, searched for on sanctions lists; how many alert.\n",
		"Made-up people are drawn from the words of the lists themselves, which is harder than life; those of the Febrl test data\n",
		"are named as Australians are. A few companies are on the lists indeed, or bear the very name of one. The thresholds were\n",
		"set with these names in view.\n\n")
	judgeInnocents(out)
	fmt.Fprint(out, "\n## Size and speed\n\nOne query at a time, two words mistyped unless it says otherwise. Times depend on what else the machine does.\n\n")
	return judgeSizes(out)
}

func three(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// perClass is how many names are damaged in each way.
const perClass = 1000

func judgeDamage(out io.Writer) error {
	companies, source := sharedData.companyNames(100_000)
	people := sharedData.innocentNames(match.Person, 20_000)
	lines := [][]string{{"damage", "companies found", "alerts", "people found", "alerts"}}
	inCompanies, inPeople := indexOf(match.Company, companies), indexOf(match.Person, people)
	for _, class := range fit.Damages {
		line := []string{class}
		for _, side := range []struct {
			kind  match.Kind
			x     *match.Index
			names []string
		}{{match.Company, inCompanies, companies}, {match.Person, inPeople, people}} {
			d := fit.NewDamager(9)
			found, alerts := recall(side.kind, side.x, side.names, func(name string) (string, bool) { return d.Damage(class, name) })
			line = append(line, three(found), three(alerts))
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	writeTable(&b, lines)
	_, err := fmt.Fprintf(out, "%s\n%d companies, %s; %d made-up people; %d of each.\n", b.String(), len(companies), source, len(people), perClass)
	return err
}

func indexOf(k match.Kind, names []string) *match.Index {
	return match.BuildIndex(len(names), func(i int) (uint64, match.Subject) {
		return uint64(i), match.NewSubject(k, names[i])
	})
}

// recall is how many damaged names find the one they were, or one that reads the
// same, among the first ten, and how many as an alert.
func recall(k match.Kind, x *match.Index, names []string, damage func(string) (string, bool)) (found, alerts float64) {
	words := func(name string) string { return strings.Join(match.Read(k, name).Words(), " ") }
	n := 0
	for i := 0; n < perClass && i < 50*perClass; i++ {
		name := names[(i*7919+13)%len(names)]
		q, ok := damage(name)
		want := words(name)
		if !ok || want == "" {
			continue
		}
		n++
		for _, c := range x.Search(match.NewSubject(k, q), 10, match.Filter{}) {
			if words(names[c.ID]) == want {
				found++
				if c.Alert() {
					alerts++
				}
				break
			}
		}
	}
	return found / float64(n), alerts / float64(n)
}

// judgeInnocents searches for people and companies that are on no list.
func judgeInnocents(out io.Writer) {
	pairs, err := aliasPairs()
	if err != nil {
		fmt.Fprintf(out, "(%v)\n", err)
		return
	}
	lines := [][]string{{"innocents", "names on the lists", "innocent names", "alerts", "with a date of birth"}}
	add := func(what string, k match.Kind, innocents []string) {
		list := listedNames(pairs, k)
		born := func(i int) []match.Date { return []match.Date{{Year: int16(1950 + i%50)}} }
		x := match.BuildIndex(len(list), func(i int) (uint64, match.Subject) {
			s := match.NewSubject(k, list[i])
			s.Born = born(i)
			return uint64(i), s
		})
		bare, dated := 0, 0
		for i, name := range innocents {
			q := match.NewSubject(k, name)
			if alerts(x, q) {
				bare++
			}
			if q.Born = born(i); alerts(x, q) {
				dated++
			}
		}
		share := func(n int) string {
			return strconv.FormatFloat(100*float64(n)/float64(len(innocents)), 'f', 3, 64) + " %"
		}
		lines = append(lines, []string{what, strconv.Itoa(len(list)), strconv.Itoa(len(innocents)), share(bare), share(dated)})
	}
	add("made-up people", match.Person, sharedData.innocentNames(match.Person, 80_000))
	if people, err := febrlNames(); err == nil {
		add("people of the Febrl data", match.Person, people)
	}
	add("British companies", match.Company, sharedData.innocentNames(match.Company, 20_000))
	var b strings.Builder
	writeTable(&b, lines)
	io.WriteString(out, b.String())
}

// listedNames are the names of a kind on the lists, sorted.
func listedNames(pairs []labelled, k match.Kind) []string {
	listed := map[string]bool{}
	for _, p := range pairs {
		if p.Kind == k {
			listed[p.A] = true
			if p.Same {
				listed[p.B] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(listed))
}

func alerts(x *match.Index, q match.Subject) bool {
	found := x.Search(q, 1, match.Filter{})
	return len(found) > 0 && found[0].Alert()
}

// innocentNames are made-up people, and real British companies if they are at
// hand. A few of those may be listed indeed.
func (c corpus) innocentNames(k match.Kind, n int) []string {
	var out []string
	if k == match.Company {
		if real, err := c.column("corpora/uk_company_names_2017_lower.txt.gz", 0); err == nil {
			for i := 0; len(out) < n && i < len(real); i += max(1, len(real)/n) {
				out = append(out, real[i])
			}
			return out
		}
	}
	d := fit.NewDamager(123)
	for len(out) < n {
		if k == match.Person {
			out = append(out, d.Person())
		} else {
			out = append(out, d.Company())
		}
	}
	return out
}
