package bench

import (
	"context"

	"bureau/internal/kyc"
	"bureau/internal/match"
	"bureau/internal/match/fit"
	"bureau/internal/store"
)

// kycQualityRow is about whom screening finds. Its figures are by kind of damage.
func kycQualityRow() row {
	b := row{
		name: "kyc-quality", what: "listed names, damaged in ten ways in equal parts, whose entry is among the first ten",
		against: "the same names as they are listed", unit: asShare, goal: atLeast(0.995), offline: true, certain: true,
		baseline: qualityOf(true), ours: qualityOf(false),
	}
	for _, class := range fit.Damages {
		b.also = append(b.also, also{"kyc-quality: " + class, asShare, atLeast(0.995)})
	}
	b.also = append(b.also, also{"kyc-quality: alarms on invented names", asShareOf, atMost(0.001)})
	for _, set := range innocentSets {
		b.also = append(b.also, also{"kyc-quality: alarms on " + set.what, asShareOf, goal{}})
	}
	return b
}

// innocentSets are names of people and companies that are on no list. The first two
// are invented and ordinary. The others are harder: people named with the very words of
// lists, and real companies, of which a few are listed indeed or bear a listed name.
var innocentSets = []struct {
	what  string
	kind  match.Kind
	names func(n int) []string
}{
	{"invented people", match.Person, func(n int) []string { return newPairs(ordinaryPeople(), n) }},
	{"invented companies", match.Company, func(n int) []string { return newPairs(sharedData.innocentNames(match.Company, 1<<20), n) }},
	{"people made of listed words", match.Person, func(n int) []string { return sharedData.innocentNames(match.Person, n) }},
	{"British companies", match.Company, func(n int) []string { return sharedData.innocentNames(match.Company, n) }},
}

// newPairs are names that begin as one of some do and end as another.
func newPairs(names []string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = repair(names, i)
	}
	return out
}

// asShareOf writes small shares.
func asShareOf(v float64) string { return three(100*v) + " %" }

// A quality is how many names were found, by the ways they were damaged, and how
// many innocent ones alarmed: of both kinds of invented ones together, and of each set.
type quality struct {
	Found  []float64
	Alarms []float64
}

func qualityOf(whole bool) measurement {
	return func(ctx context.Context, t *site, _ sample) (sample, error) {
		at, err := t.screenedPlace(ctx)
		if err != nil {
			return sample{}, err
		}
		n := 1000
		if t.s.Small {
			n = 100
		}
		got, err := ask[quality](ctx, "quality", screening{Address: at.address(), Entries: n, Bare: whole})
		if err != nil {
			return sample{}, err
		}
		sum := 0.0
		for _, f := range got.Found {
			sum += f / float64(len(got.Found))
		}
		return sample{value: sum, also: append(got.Found, got.Alarms...)}, nil
	}
}

// judge asks the engine for damaged names, and for those of innocent people.
func judge(ctx context.Context, s *kyc.Searches, _ *store.DB, o screening) (any, error) {
	list, err := namesOnLists(ctx, o.Address)
	if err != nil {
		return nil, err
	}
	var q quality
	for i, class := range fit.Damages {
		d := fit.NewDamager(uint64(900 + i))
		damage := func(name string) (string, bool) { return d.Damage(class, name) }
		if o.Bare {
			damage = func(name string) (string, bool) { return name, true }
		}
		found, err := foundOf(ctx, s, list, o.Entries, damage)
		if err != nil {
			return nil, err
		}
		q.Found = append(q.Found, found)
		if o.Bare {
			break
		}
	}
	if o.Bare {
		return q, nil
	}
	for _, set := range innocentSets {
		alarms, err := alarmsOf(ctx, s, set.kind, set.names(50*o.Entries))
		if err != nil {
			return nil, err
		}
		q.Alarms = append(q.Alarms, alarms)
	}
	q.Alarms = append([]float64{(q.Alarms[0] + q.Alarms[1]) / 2}, q.Alarms...)
	return q, nil
}

// foundOf is the share of names whose entry, or one of the same name, is among the
// first ten, whatever its score: how near is near enough is the alarms' question.
func foundOf(ctx context.Context, s *kyc.Searches, list []listed, n int, damage func(string) (string, bool)) (float64, error) {
	asked, found := 0, 0
	for i := 0; asked < n && i < 50*n; i++ {
		l := list[(i*7919+13)%len(list)]
		name, ok := damage(l.Name)
		kind := match.Company
		if l.Person {
			kind = match.Person
		}
		if !ok || len([]rune(name)) > 200 || match.Read(kind, name).Empty() {
			continue
		}
		asked++
		hits, _, err := s.Screener.Screen(ctx, kyc.Subject{Person: l.Person, Name: name}, kyc.Options{Threshold: 1, Limit: 10})
		if err != nil {
			return 0, err
		}
		for _, h := range hits {
			if h.ID == l.ID || h.Entry.Main() == l.Name {
				found++
				break
			}
		}
	}
	return float64(found) / float64(asked), nil
}

// alarmsOf is the share of names that have a hit at the threshold of those who ask
// for none.
func alarmsOf(ctx context.Context, s *kyc.Searches, k match.Kind, names []string) (float64, error) {
	alarms := 0
	for _, name := range names {
		if len([]rune(name)) > 200 || match.Read(k, name).Empty() {
			continue
		}
		hits, _, err := s.Screener.Screen(ctx, kyc.Subject{Person: k == match.Person, Name: name}, kyc.Options{})
		if err != nil {
			return 0, err
		}
		if len(hits) > 0 {
			alarms++
		}
	}
	return float64(alarms) / float64(len(names)), nil
}
