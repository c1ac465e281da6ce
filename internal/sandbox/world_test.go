package sandbox_test

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/internal/company"
	"bureau/internal/sandbox"
	"bureau/internal/store"
)

func TestSameSeedMakesTheSameWorld(t *testing.T) {
	w := sandbox.World{Seed: 7, PerCountry: 40}
	if !reflect.DeepEqual(w.Companies(), w.Companies()) {
		t.Fatal("two makings of one world differ")
	}
	other := sandbox.World{Seed: 8, PerCountry: 40}
	if reflect.DeepEqual(w.Companies(), other.Companies()) {
		t.Fatal("another seed makes the same world")
	}
}

func TestWorldIsAsPromised(t *testing.T) {
	list := sandbox.DefaultWorld.Companies()
	if len(list) < 5000 {
		t.Fatalf("%d companies, want 5,000 or more", len(list))
	}
	countries := map[string]int{}
	seats := map[string]int{}
	ids := map[company.ID]bool{}
	groups := 0
	for _, s := range list {
		countries[s.Country]++
		id := company.NewID(s.Country, s.Number)
		if ids[id] {
			t.Fatalf("%s is there twice", id)
		}
		ids[id] = true
		if n := len(s.Facts.Accounts); n == 0 || n != 5 && s.Facts.Founded < "2021-01-01" {
			t.Fatalf("%s, founded on %s, has %d years of accounts; want 5, or those since then", id, s.Facts.Founded, n)
		}
		for _, a := range s.Facts.Accounts {
			if a.Items[company.TotalAssets] != a.Items[company.TotalLiabilities]+a.Items[company.Equity] {
				t.Fatalf("%s %s: the balance sheet does not balance", id, a.End)
			}
			if a.Items[company.TotalLiabilities] <= 0 || a.End < s.Facts.Founded {
				t.Fatalf("%s, founded on %s, %s: it owes %d", id, s.Facts.Founded, a.End, a.Items[company.TotalLiabilities])
			}
		}
		for _, o := range s.Facts.Officers {
			seats[o.ID]++
			if o.From[:4] < o.Birth[:4] || o.From < s.Facts.Founded {
				t.Fatalf("%s: %s, born in %s, sits since %s", id, o.Name, o.Birth, o.From)
			}
		}
		if len(s.Facts.Links) > 0 {
			groups++
		}
	}
	for _, l := range list {
		for _, link := range l.Facts.Links {
			if !ids[link.ID] {
				t.Fatalf("%s belongs to %s, which is not there", l.Number, link.ID)
			}
		}
	}
	for _, c := range []string{"GB", "SE", "DE", "FR", "NO", "US", "IE", "NL", "BE", "ES", "IT"} {
		if countries[c] == 0 {
			t.Errorf("no company in %s", c)
		}
	}
	several := 0
	for _, n := range seats {
		if n > 1 {
			several++
		}
	}
	if several < 100 || groups < 1000 {
		t.Errorf("%d directors sit on several boards and %d companies are in groups; want many of both", several, groups)
	}
}

func newClock(t *testing.T) *sandbox.Clock {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	c := &sandbox.Clock{
		World: sandbox.World{Seed: 3, PerCountry: 60}, Owner: "test", Places: db,
		Register: &company.Register{Store: db, Now: time.Now},
	}
	if err := c.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func changesOf(t *testing.T, c *sandbox.Clock) []company.Change {
	t.Helper()
	list, err := c.Register.Store.Changes(t.Context(), 0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheSameThingsHappenInTheSameWorld(t *testing.T) {
	one, two := newClock(t), newClock(t)
	for _, c := range []*sandbox.Clock{one, two} {
		if done, err := c.Advance(t.Context(), 3*sandbox.TicksPerDay); err != nil || done != 3*sandbox.TicksPerDay {
			t.Fatalf("advance: %d ticks, %v", done, err)
		}
	}
	a, b := changesOf(t, one), changesOf(t, two)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Fatalf("two days in one world differ:\n%s", diff)
	}
	if n := len(one.World.Companies()); len(a) <= n {
		t.Fatalf("nothing happened in three days: %d changes for %d companies", len(a), n)
	}
	now, err := one.Now(t.Context())
	if err != nil || !now.Equal(sandbox.Birthday.AddDate(0, 0, 3)) {
		t.Fatalf("it is %v in the world (%v), want three days after its birthday", now, err)
	}
}

func TestFillTwiceChangesNothing(t *testing.T) {
	c := newClock(t)
	before := len(changesOf(t, c))
	if err := c.Fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := len(changesOf(t, c)); after != before {
		t.Fatalf("%d changes, want none", after-before)
	}
}

func TestChangeSetsAField(t *testing.T) {
	c := newClock(t)
	id := c.World.ID("GB", 5)
	before := len(changesOf(t, c))
	if err := c.Change(t.Context(), id, "band", "E"); err != nil {
		t.Fatal(err)
	}
	if err := c.Change(t.Context(), id, "colour", "red"); err == nil {
		t.Fatal("a field that does not exist was set")
	}
	got := changesOf(t, c)[before:]
	if !slices.ContainsFunc(got, func(ch company.Change) bool { return ch.Field == company.ScoreBand && ch.New == "E" }) {
		t.Fatalf("changes: %+v, want a new band", got)
	}
}
