package match

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// town has subjects enough for a search to have a choice.
func town(n int) []Subject {
	given := []string{"Anna", "Peter", "Ingrid", "Mohammed", "Wei", "Olga", "Joshua", "Carmen", "Igor", "Fatima"}
	family := []string{
		"Rosenbaum", "Lindqvist", "Petrov", "Hernandez", "Okonkwo", "Tanaka", "Fitzgerald", "Papadopoulos",
		"Kowalczyk", "Vanderbilt", "Schwarzenegger",
	}
	out := make([]Subject, n)
	for i := range out {
		out[i] = NewSubject(Person, fmt.Sprintf("%s %s %s", given[i%10], family[i/10%11], family[i/110%11]))
	}
	return out
}

func build(subjects []Subject) *Index {
	return BuildIndex(len(subjects), func(i int) (uint64, Subject) { return uint64(i), subjects[i] })
}

func ids(found []Candidate) []uint64 {
	var out []uint64
	for _, c := range found {
		out = append(out, c.ID)
	}
	return out
}

// Every name finds itself, and nothing comes before it.
func TestEveryNameFindsItself(t *testing.T) {
	all := town(1200)
	x := build(all)
	if x.Len() != len(all) {
		t.Fatalf("%d entries, want %d", x.Len(), len(all))
	}
	for i, s := range all {
		found := x.Search(s, 10, Filter{})
		if len(found) == 0 || found[0].ID != uint64(i) && found[0].Score != 1 {
			t.Fatalf("%v finds %v", s.Names[0].Words(), found)
		}
	}
}

func TestEveryNameFindsItselfWhateverItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := Kind(rapid.IntRange(0, 1).Draw(t, "kind"))
		name := anyName(t, "name")
		s := NewSubject(k, name)
		searched := false
		for _, r := range s.Names[0].readings {
			for _, w := range r.tokens {
				searched = searched || searchable(w.class)
			}
		}
		x := build([]Subject{NewSubject(k, "Nordwind Rosenbaum"), s})
		found := x.Search(s, 10, Filter{})
		if searched && !slices.Contains(ids(found), 1) {
			t.Fatalf("%q does not find itself", name)
		}
	})
}

// What is found, and how it scores, is what Compare says.
func TestSearchAgreesWithCompare(t *testing.T) {
	all := town(1200)
	for i := range all {
		all[i].Born = []Date{{Year: int16(1950 + i%40)}}
		all[i].Countries = []string{[]string{"DE", "FR", "GB"}[i%3]}
	}
	x := build(all)
	q := NewSubject(Person, "Inngrid Lindquist Tanaka")
	q.Born, q.Countries = []Date{{Year: 1962}}, []string{"FR"}
	found := x.Search(q, 5, Filter{})
	if len(found) != 5 {
		t.Fatalf("%d found", len(found))
	}
	for _, c := range found {
		want := Compare(q, all[c.ID])
		if c.Score != want.Score || c.Probability != want.Probability || c.Grades != want.Grades {
			t.Errorf("%v: %v, Compare says %v", all[c.ID].Names[0].Words(), c.Verdict, want)
		}
	}
	if !slices.IsSortedFunc(found, func(a, b Candidate) int { return int((b.Score - a.Score) * 1e6) }) {
		t.Error("the likeliest is not first")
	}
}

func TestMistypedNamesAreFound(t *testing.T) {
	x := build(town(1200))
	want := x.Search(NewSubject(Person, "Joshua Vanderbilt Schwarzenegger"), 1, Filter{})[0].ID
	for _, q := range []string{
		"Jushua Vanderbilt Schwarzenegger", "Joshua Vandebilt Schwarzeneger", "Joshua Wanderbilt Schwartzenegger",
		"Joshua Vander Bilt Schwarzenegger", "JoshuaVanderbilt Schwarzenegger", "Schwarzenegger Joshua Vanderbilt",
		"Josh. Vanderbilt Schwarz.", "Джошуа Вандербильт Шварценеггер",
	} {
		if found := x.Search(NewSubject(Person, q), 10, Filter{}); !slices.Contains(ids(found), want) {
			t.Errorf("%s finds %v, not %d", q, ids(found), want)
		}
	}
}

func TestAcronymsAreFound(t *testing.T) {
	x := build([]Subject{
		NewSubject(Company, "United Instrument Manufacturing Corporation of Nordwind"), NewSubject(Company, "Nordwind Bau GmbH"),
		NewSubject(Company, "Westkap Mining"), NewSubject(Company, "HRVB GmbH"),
	})
	if found := x.Search(NewSubject(Company, "UIMN"), 10, Filter{}); !slices.Contains(ids(found), 0) {
		t.Errorf("the acronym finds %v, not 0", ids(found))
	}
	if found := x.Search(NewSubject(Company, "Havelland Reederei Versicherung Beratung"), 10, Filter{}); !slices.Contains(ids(found), 3) {
		t.Errorf("the name finds %v, not its acronym 3", ids(found))
	}
}

// The halves of a word lead to names that have both, not to any with the second.
func TestHalvesOfAWord(t *testing.T) {
	x := build([]Subject{NewSubject(Company, "Nord Wind Bau"), NewSubject(Company, "Nord Bau"), NewSubject(Company, "Wind Bau")})
	if got := ids(x.Search(NewSubject(Company, "Nordwind"), 10, Filter{})); len(got) == 0 || got[0] != 0 || slices.Contains(got, 2) {
		t.Errorf("Nordwind finds %v, want 0 first and 2 not at all", got)
	}
}

// What is a small word in other names is the beginning of this one.
func TestWordsAroundANameAreItsBeginning(t *testing.T) {
	x := build([]Subject{NewSubject(Company, "Delnavaz"), NewSubject(Company, "Navaz Bau"), NewSubject(Company, "Delta Bau")})
	if got := ids(x.Search(NewSubject(Company, "Del Navaz"), 10, Filter{})); len(got) == 0 || got[0] != 0 {
		t.Errorf("Del Navaz finds %v, want 0 first", got)
	}
}

func TestPutReplacesAndDeleteRemoves(t *testing.T) {
	x := NewIndex()
	find := func(name string) []uint64 {
		return ids(x.Search(NewSubject(Company, name), 10, Filter{}))
	}
	for i := range uint64(300) {
		x.Put(i, NewSubject(Company, fmt.Sprintf("Nordwind %d Shipping Ltd", i)))
	}
	x.Put(7, NewSubject(Company, "Südstern Insurance AG"))
	if got := find("Südstern Insurance"); len(got) == 0 || got[0] != 7 {
		t.Errorf("the new name finds %v", got)
	}
	if got := find("Nordwind 7 Shipping"); slices.Contains(got, 7) {
		t.Errorf("the old name still finds 7: %v", got)
	}
	if !x.Delete(7) || x.Delete(7) {
		t.Error("Delete does not say whether there was one")
	}
	if got := find("Südstern Insurance"); slices.Contains(got, 7) {
		t.Errorf("7 was deleted and is found: %v", got)
	}
	if x.Len() != 299 {
		t.Errorf("%d entries, want 299", x.Len())
	}
	for x.Step() {
	}
	if n := len(*x.segments.Load()); n > 2 {
		t.Errorf("%d segments are left", n)
	}
	if got := find("Nordwind 42 Shipping"); x.Len() != 299 || len(got) == 0 || got[0] != 42 {
		t.Errorf("after putting together: %d entries, %v", x.Len(), got)
	}
}

// Changes in any order leave what a list would hold.
func TestChangesAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, want := NewIndex(), map[uint64]string{}
		names := []string{"Nordwind Shipping", "Südstern Insurance", "Westkap Mining", "Ostsee Reederei"}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			id := uint64(rapid.IntRange(0, 9).Draw(t, "id"))
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				_, had := want[id]
				if x.Delete(id) != had {
					t.Fatalf("Delete(%d) does not know that had is %v", id, had)
				}
				delete(want, id)
			case 1:
				x.Step()
			default:
				want[id] = rapid.SampledFrom(names).Draw(t, "name")
				x.Put(id, NewSubject(Company, want[id]))
			}
		}
		if x.Len() != len(want) {
			t.Fatalf("%d entries, want %d", x.Len(), len(want))
		}
		for _, name := range names {
			for _, c := range x.Search(NewSubject(Company, name), 20, Filter{}) {
				if c.Score == 1 && want[c.ID] != name {
					t.Fatalf("%s finds %d, which is %q", name, c.ID, want[c.ID])
				}
			}
			for id, n := range want {
				if n == name && !slices.Contains(ids(x.Search(NewSubject(Company, name), 20, Filter{})), id) {
					t.Fatalf("%s does not find %d", name, id)
				}
			}
		}
	})
}

func TestFilterAndKind(t *testing.T) {
	german, french, nowhere := NewSubject(Company, "Nordwind AG"), NewSubject(Company, "Nordwind SA"), NewSubject(Company, "Nordwind")
	german.Countries, french.Countries = []string{"AT", "DE"}, []string{"FR"}
	x := build([]Subject{german, french, nowhere, NewSubject(Person, "Nordwind")})
	got := ids(x.Search(NewSubject(Company, "Nordwind"), 10, Filter{Countries: []string{"de"}}))
	slices.Sort(got)
	if !slices.Equal(got, []uint64{0, 2}) {
		t.Errorf("in Germany: %v, want 0 and, since it may be there, 2", got)
	}
	if got := ids(x.Search(NewSubject(Person, "Nordwind"), 10, Filter{})); !slices.Equal(got, []uint64{3}) {
		t.Errorf("people called Nordwind: %v, want 3", got)
	}
}

// However many are better and elsewhere, one that is here is found.
func TestFilterComesBeforeTheBest(t *testing.T) {
	var all []Subject
	for i := range 20 * pool {
		s := NewSubject(Company, fmt.Sprintf("Nordwind Reederei %d", 100+i))
		s.Countries = []string{"DE"}
		all = append(all, s)
	}
	french := NewSubject(Company, "Nordwind Havelland Vertrieb")
	french.Countries = []string{"FR"}
	x := build(append(all, french))
	got := ids(x.Search(NewSubject(Company, "Nordwind Reederei"), 10, Filter{Countries: []string{"FR"}}))
	if !slices.Equal(got, []uint64{uint64(len(all))}) {
		t.Errorf("in France: %v, want %d", got, len(all))
	}
}

func TestSaveAndLoad(t *testing.T) {
	all := town(500)
	all[3].Born, all[3].Countries = []Date{{1970, 5, 31, false}}, []string{"DE", "FR"}
	x := build(all)
	x.Put(1000, NewSubject(Company, "Nordwind AG"))
	x.Delete(17)
	var file bytes.Buffer
	if err := x.Save(&file); err != nil {
		t.Fatal(err)
	}
	y, err := Load(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if x.Len() != y.Len() {
		t.Errorf("%d entries, want %d", y.Len(), x.Len())
	}
	for i := range all {
		a, b := x.Search(all[i], 5, Filter{}), y.Search(all[i], 5, Filter{})
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("entry %d: %v before, %v after", i, a, b)
		}
	}
	for _, n := range []int{0, 10, 40, file.Len() / 2, file.Len() - 1} {
		if _, err := Load(bytes.NewReader(file.Bytes()[:n])); err == nil {
			t.Errorf("a file of %d bytes is taken for whole", n)
		}
	}
	broken := bytes.Clone(file.Bytes())
	broken[len(broken)/2] ^= 1
	if _, err := Load(bytes.NewReader(broken)); err == nil {
		t.Error("a damaged file is taken for whole")
	}
	broken[5] = 'X'
	if _, err := Load(bytes.NewReader(broken)); !errors.Is(err, ErrStale) {
		t.Errorf("a file of another format: %v", err)
	}
}

// Searches run beside changes; the race detector watches.
func TestSearchBesideChanges(t *testing.T) {
	all := town(200)
	x := build(all)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 50 {
				x.Search(all[i], 3, Filter{})
			}
		})
	}
	wg.Go(func() {
		for i := range uint64(100) {
			x.Put(i, all[(i+1)%200])
			x.Delete(i + 100)
			x.Step()
		}
	})
	wg.Wait()
	if x.Len() != 100 {
		t.Errorf("%d entries, want 100", x.Len())
	}
}

// A candidate that is turned down costs no memory, in whatever script it is written.
func TestRejectedCandidatesAllocateNothing(t *testing.T) {
	abroad := []Subject{
		NewSubject(Person, "Cecil Watson"), NewSubject(Person, "Mac Donald Vincent Betz"), NewSubject(Person, "Cyril Maxim Hotz"),
		NewSubject(Person, "ワトソン"), NewSubject(Person, "سيسيل واتسون"), NewSubject(Person, "ססיל ווטסון"), NewSubject(Person, "Сесил Уотсон"),
	}
	for _, c := range []struct {
		name string
		rows []Subject
	}{
		{"Joshua Vanderbilt", town(1200)},
		{"Cecil Watson", abroad},
		{"Mac Donald Maxim Betz", abroad},
		{"セシル・ワトソン", abroad},
		{"マクドナルド ヴィンセント", abroad},
		{"سيسيل ماكدونالد", abroad},
		{"ססיל מקדונלד", abroad},
		{"Сесил Макдональд", abroad},
	} {
		s := (*build(c.rows).segments.Load())[0]
		sr := &searcher{best: map[uint32]int{}}
		name := Read(Person, c.name)
		if n := testing.AllocsPerRun(10, func() {
			for row := range uint32(len(s.rowEntry)) {
				sr.score(s, row, &name, false, &models[Person])
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations for %d candidates", c.name, n, len(s.rowEntry))
		}
	}
}

func BenchmarkCompareRow(b *testing.B) {
	s := (*build(town(1200)).segments.Load())[0]
	sr := &searcher{best: map[uint32]int{}}
	name := Read(Person, "Joshua Vanderbild Tanaka")
	for i := range b.N {
		sr.score(s, uint32(i%1200), &name, false, &models[Person])
	}
}

func BenchmarkComparePair(b *testing.B) {
	x, y := NewSubject(Company, "Nordwind Internationale Handelsgesellschaft mbH"), NewSubject(Company, "Nordwint Intl Trading GmbH")
	var al alignment
	for range b.N {
		weighAliases(&x.Names[0], &y.Names[0], &al)
	}
}

func BenchmarkRead(b *testing.B) {
	for range b.N {
		Read(Company, "Nordwind Internationale Handelsgesellschaft mbH & Co. KG")
	}
}

// A name is found whatever the order of its words, among thousands of others that
// are made of the same few words and of rare ones that look like them.
func TestNamesOfCommonWordsAreFound(t *testing.T) {
	common := strings.Fields("mohammed mohamad ahmed ahmad hamid hamed mahmoud hammad ali abdullah hassan hussein")
	rare := strings.Fields("ahmady ahamad mohamadi muhamud hamidi hamdan mahmudi hammadi aliyev abdulahi hasani huseyni")
	r := rand.New(rand.NewPCG(12, 1))
	var names []string
	for range 6000 {
		var words []string
		for range 3 + r.IntN(4) {
			list := common
			if r.IntN(12) == 0 {
				list = rare
			}
			words = append(words, list[r.IntN(len(list))])
		}
		names = append(names, strings.Join(words, " "))
	}
	x := BuildIndex(len(names), func(i int) (uint64, Subject) {
		return uint64(i), NewSubject(Person, names[i])
	})
	sorted := func(name string) string {
		words := strings.Fields(name)
		slices.Sort(words)
		return strings.Join(words, " ")
	}
	missed := 0
	for _, name := range names[:300] {
		words := strings.Fields(name)
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		found := x.Search(NewSubject(Person, strings.Join(words, " ")), 10, Filter{})
		if !slices.ContainsFunc(found, func(c Candidate) bool { return sorted(names[c.ID]) == sorted(name) }) {
			missed++
			t.Logf("%v does not find %s", words, name)
		}
	}
	if missed > 0 {
		t.Errorf("%d of 300 were missed", missed)
	}
}
