package storetest

import (
	"context"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

// searchStore is what searching asks of a database, and how keys get into it.
type searchStore interface {
	company.SearchStore
	SaveKeys(ctx context.Context, list []company.Keyed, to job.Place) error
}

// searches are the promises of company.SearchStore.
var searches = []promise{
	{"all companies are listed in order, and their countries", idsInOrder},
	{"a key finds its companies, in order, behind one, in some countries", keysFind},
	{"the beginning of a key finds all that begin so, each once", keysBegin},
	{"keys that are kept again take the place of the old ones", keysReplaced},
	{"keys and their reader's place are kept together or not at all", keysAndPlace},
	{"the latest change of a company is told", latestChanges},
	{"companies are found by several numbers at once", numberedCompanies},
}

func idsInOrder(t *testing.T, s nodes) {
	lands, err := s.Lands(t.Context())
	if noError(t, err); len(lands) != 0 {
		t.Errorf("an empty register has the countries %v", lands)
	}
	write(t, s, company.Update{Companies: []company.Saved{
		aSaved("GB-0-2", "b"), aSaved("FR-0-1", "a"), aSaved("GB-0-1", "c"), aSaved("GB-0-10", "d"),
	}})
	var got []company.ID
	noError(t, s.other.CompanyIDs(t.Context(), func(id company.ID) { got = append(got, id) }))
	same(t, "the companies", got, []company.ID{"FR-0-1", "GB-0-1", "GB-0-10", "GB-0-2"})
	lands, err = s.other.Lands(t.Context())
	noError(t, err)
	same(t, "the countries", lands, []string{"FR", "GB"})
}

var leeds = company.Key{Kind: company.KeyCity, Value: "leeds"}

// placed saves keys under the reader's name.
func placed(t *testing.T, s searchStore, number int64, list ...company.Keyed) {
	t.Helper()
	noError(t, s.SaveKeys(t.Context(), list, job.Place{Name: company.KeyReader, Number: number}))
}

func holders(t *testing.T, s searchStore, q company.KeyQuery) []company.ID {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	got, err := s.KeyHolders(t.Context(), q)
	noError(t, err)
	return got
}

func keysFind(t *testing.T, s nodes) {
	street := company.Key{Kind: company.KeyStreet, Value: "leeds"} // a street of that name
	placed(t, s, 1,
		company.Keyed{Company: "GB-0-2", Keys: []company.Key{leeds}}, company.Keyed{Company: "GB-0-1", Keys: []company.Key{leeds, street}},
		company.Keyed{Company: "FR-0-9", Keys: []company.Key{leeds}}, company.Keyed{Company: "NO-0-1", Keys: []company.Key{leeds}},
		company.Keyed{Company: "GB-0-3", Keys: []company.Key{{Kind: company.KeyCity, Value: "leedsway"}}})
	same(t, "all", holders(t, s.other, company.KeyQuery{Key: leeds}), []company.ID{"FR-0-9", "GB-0-1", "GB-0-2", "NO-0-1"})
	same(t, "of another kind", holders(t, s.other, company.KeyQuery{Key: street}), []company.ID{"GB-0-1"})
	same(t, "of a country", holders(t, s.other, company.KeyQuery{Key: leeds, Countries: []string{"GB"}}), []company.ID{"GB-0-1", "GB-0-2"})
	same(t, "of two", holders(t, s.other, company.KeyQuery{Key: leeds, Countries: []string{"NO", "FR"}}), []company.ID{"FR-0-9", "NO-0-1"})
	same(t, "behind one", holders(t, s.other, company.KeyQuery{Key: leeds, After: "GB-0-1"}), []company.ID{"GB-0-2", "NO-0-1"})
	same(t, "behind one, of a country", holders(t, s.other, company.KeyQuery{Key: leeds, After: "GB-0-1", Countries: []string{"FR", "GB"}}), []company.ID{"GB-0-2"})
	same(t, "the first", holders(t, s.other, company.KeyQuery{Key: leeds, Limit: 3, Countries: []string{"FR", "GB", "NO"}}), []company.ID{"FR-0-9", "GB-0-1", "GB-0-2"})
	same(t, "nobody", holders(t, s.other, company.KeyQuery{Key: company.Key{Kind: company.KeyCity, Value: "lee"}}), []company.ID(nil))
}

func keysBegin(t *testing.T, s nodes) {
	post := func(v string) company.Key { return company.Key{Kind: company.KeyPost, Value: v} }
	placed(t, s, 1,
		company.Keyed{Company: "GB-0-1", Keys: []company.Key{post("SW1A1AA"), post("SW1A2AA")}},
		company.Keyed{Company: "GB-0-2", Keys: []company.Key{post("SW2")}}, company.Keyed{Company: "GB-0-3", Keys: []company.Key{post("SW1É")}},
		company.Keyed{Company: "GB-0-4", Keys: []company.Key{post("SW")}})
	same(t, "SW1*", holders(t, s.other, company.KeyQuery{Key: post("SW1"), Prefix: true}), []company.ID{"GB-0-1", "GB-0-3"})
	same(t, "SW*", holders(t, s.other, company.KeyQuery{Key: post("SW"), Prefix: true}), []company.ID{"GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4"})
	same(t, "SW* behind one", holders(t, s.other, company.KeyQuery{Key: post("SW"), Prefix: true, After: "GB-0-2", Limit: 1}), []company.ID{"GB-0-3"})
}

func keysReplaced(t *testing.T, s nodes) {
	hull := company.Key{Kind: company.KeyCity, Value: "hull"}
	placed(t, s, 1, company.Keyed{Company: "GB-0-1", Keys: []company.Key{leeds}}, company.Keyed{Company: "GB-0-2", Keys: []company.Key{leeds}})
	placed(t, s, 2, company.Keyed{Company: "GB-0-1", Keys: []company.Key{hull}}, company.Keyed{Company: "GB-0-2"})
	same(t, "the old key", holders(t, s.other, company.KeyQuery{Key: leeds}), []company.ID(nil))
	same(t, "the new key", holders(t, s.other, company.KeyQuery{Key: hull}), []company.ID{"GB-0-1"})
}

func keysAndPlace(t *testing.T, s nodes) {
	write(t, s, company.Update{Changes: []company.Change{aChange("GB-0-1", "a"), aChange("GB-0-1", "b"), aChange("GB-0-1", "c")}})
	behind := func(want int64) {
		t.Helper()
		if n, err := s.other.KeysBehind(t.Context()); err != nil || n != want {
			t.Errorf("the keys are %d changes behind (%v), want %d", n, err, want)
		}
	}
	behind(3)
	placed(t, s, 2, company.Keyed{Company: "GB-0-1", Keys: []company.Key{leeds}})
	behind(1)
	twice := []company.Key{leeds, leeds}
	if err := s.SaveKeys(t.Context(), []company.Keyed{{Company: "GB-0-2", Keys: twice}}, job.Place{Name: company.KeyReader, Number: 3}); err == nil {
		t.Error("a key was kept twice")
	}
	behind(1)
	same(t, "who has the key", holders(t, s.other, company.KeyQuery{Key: leeds}), []company.ID{"GB-0-1"})
	if _, ok, err := s.Lease(t.Context(), company.KeyReader, "one", time.Minute); err != nil || !ok {
		t.Fatalf("take the lease: %v %v", ok, err)
	}
	err := s.SaveKeys(t.Context(), []company.Keyed{{Company: "GB-0-1"}}, job.Place{Name: company.KeyReader, Number: 3})
	wantKind(t, err, fault.Conflict)
	same(t, "after a node that had lost its lease", holders(t, s.other, company.KeyQuery{Key: leeds}), []company.ID{"GB-0-1"})
}

func latestChanges(t *testing.T, s nodes) {
	later := aChange("GB-0-1", "b")
	later.At = noon.Add(time.Hour)
	write(t, s, company.Update{Changes: []company.Change{aChange("GB-0-1", "a"), later, aChange("GB-0-2", "c")}})
	got, err := s.other.LatestChanges(t.Context(), []company.ID{"GB-0-1", "GB-0-2", "GB-0-3"})
	noError(t, err)
	same(t, "the times", got, map[company.ID]time.Time{"GB-0-1": noon.Add(time.Hour), "GB-0-2": noon})
	none, err := s.LatestChanges(t.Context(), nil)
	if noError(t, err); len(none) != 0 {
		t.Errorf("of nobody: %v", none)
	}
}

func numberedCompanies(t *testing.T, s nodes) {
	vat := company.Ident{Kind: company.ByVAT, Value: "GB 123"}
	later := aChange("GB-0-2", "b")
	later.At = noon.Add(time.Hour)
	write(t, s, company.Update{
		Companies: []company.Saved{
			aSaved("GB-0-1", "One", vat), aSaved("GB-0-2", "Two", company.Ident{Kind: company.ByRegNo, Value: vat.Value}), aSaved("GB-0-3", "Three", vat),
		},
		Changes: []company.Change{aChange("GB-0-2", "a"), later, aChange("GB-0-3", "c")},
	})
	for name, c := range map[string]struct {
		q    company.NumberQuery
		want string
	}{
		"nothing":          {company.NumberQuery{Limit: 10}, ""},
		"an ID":            {company.NumberQuery{IDs: []company.ID{"GB-0-2"}, Limit: 10}, "GB-0-2 13:00 "},
		"nobody's ID":      {company.NumberQuery{IDs: []company.ID{"GB-0-9"}, Limit: 10}, ""},
		"IDs":              {company.NumberQuery{IDs: []company.ID{"GB-0-3", "GB-0-2", "GB-0-9", "GB-0-3"}, Limit: 10}, "GB-0-2 13:00 GB-0-3 12:00 "},
		"a number":         {company.NumberQuery{Kind: company.ByVAT, Values: []string{"x", "GB 123"}, Limit: 10}, "GB-0-1 - GB-0-3 12:00 "},
		"both":             {company.NumberQuery{IDs: []company.ID{"GB-0-1", "GB-0-2"}, Kind: company.ByVAT, Values: []string{"GB 123"}, Limit: 10}, "GB-0-1 - GB-0-2 13:00 GB-0-3 12:00 "},
		"one of each":      {company.NumberQuery{IDs: []company.ID{"GB-0-2"}, Kind: company.ByVAT, Values: []string{"GB 123"}, Limit: 10}, "GB-0-1 - GB-0-2 13:00 GB-0-3 12:00 "},
		"the same twice":   {company.NumberQuery{IDs: []company.ID{"GB-0-3"}, Kind: company.ByVAT, Values: []string{"GB 123"}, Limit: 10}, "GB-0-1 - GB-0-3 12:00 "},
		"more than wanted": {company.NumberQuery{Kind: company.ByVAT, Values: []string{"GB 123"}, Limit: 1}, "GB-0-1 - "},
	} {
		list, err := s.other.Numbered(t.Context(), c.q)
		noError(t, err)
		got := ""
		for _, n := range list {
			at := "-"
			if !n.Changed.IsZero() {
				at = n.Changed.Format("15:04")
			}
			got += string(n.ID) + " " + at + " "
		}
		same(t, name, got, c.want)
	}
}
