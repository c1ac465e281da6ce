package storetest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

// identities are the promises of identity.Store.
var identities = []promise{
	{"a consumer comes back as it was kept", consumerComesBack},
	{"an edit of consumers that fails keeps nothing", consumerEditFails},
	{"two edits of a consumer at once are both seen", consumerEdits},
	{"consumers that no later import has kept are old", consumersGrowOld},
	{"consumers are found by all of their keys", consumersFound},
	{"who goes by each key, held or not", consumersByKey},
	{"a consumer's rights outlive the consumer", rightsOutlive},
	{"changes of a consumer come back from a time on, the newest first", consumerChanges},
	{"an identity search comes back as it was added", identitySearchComesBack},
	{"someone else's identity search is missing", identitySearchIsOwned},
	{"an edit that fails changes no identity search", identitySearchEditFails},
	{"identity searches are listed by what they were and the newest first", identitySearchesListed},
	{"who asked about a consumer is told without who it was", enquiriesTold},
	{"letters come back to the person they are for", lettersComeBack},
	{"a company keeps the number that it was given", companyNumbersStay},
}

func someConsumer(number string) identity.Consumer {
	return identity.Consumer{
		Country: "GB", Number: number, Name: identity.Name{First: "Åda", Surname: "Brook"}, Birth: "1970-05-31",
		Addresses: []identity.Residence{{Address: identity.Address{BuildingNo: "7", Street: "Mill Lane", PostCode: "TE1 1ST"}, From: "2001-01-01"}},
		Judgments: []identity.Judgment{{Date: "2020-02-03", Amount: identity.Amount{Minor: 12_00, Currency: "GBP"}, Case: "C1"}},
		Accounts:  []identity.Account{{Mark: "ab"}},
	}
}

// keepConsumer keeps one with some keys.
func keepConsumer(t *testing.T, s identity.Store, turn int64, c identity.Consumer, keys ...string) {
	t.Helper()
	err := s.EditConsumers(t.Context(), turn, []identity.ID{c.ID()}, func(held map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Keep: []identity.Kept{{Held: identity.Held{Consumer: c, Rights: held[c.ID()].Rights}, Keys: keys}}}, nil
	})
	noError(t, err)
}

func consumerComesBack(t *testing.T, s nodes) {
	c := someConsumer("1")
	keepConsumer(t, s, 1, c)
	got, err := s.other.Consumers(t.Context(), []identity.ID{"GB-1", "GB-2"})
	noError(t, err)
	same(t, "consumers", got, map[identity.ID]identity.Held{"GB-1": {Consumer: c}})
	c.Name.Surname = "Vale"
	keepConsumer(t, s.other, 2, c)
	got, err = s.Consumers(t.Context(), []identity.ID{"GB-1"})
	noError(t, err)
	same(t, "changed", got["GB-1"].Consumer, c)
	if got, err := s.Consumers(t.Context(), nil); len(got) != 0 || err != nil {
		t.Errorf("nobody is %v (%v)", got, err)
	}
}

func consumerEditFails(t *testing.T, s nodes) {
	enough := errors.New("enough")
	err := s.EditConsumers(t.Context(), 1, []identity.ID{"GB-1"}, func(map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Keep: []identity.Kept{{Held: identity.Held{Consumer: someConsumer("1")}}}}, enough
	})
	if !errors.Is(err, enough) {
		t.Errorf("got %v, want the edit's own error", err)
	}
	got, err := s.other.Consumers(t.Context(), []identity.ID{"GB-1"})
	if len(got) != 0 || err != nil {
		t.Errorf("kept %v (%v)", got, err)
	}
}

func consumerEdits(t *testing.T, s nodes) {
	keepConsumer(t, s, 1, someConsumer("1"))
	var done sync.WaitGroup
	for i := range 8 {
		node := s.Store
		if i%2 == 1 {
			node = s.other
		}
		done.Go(func() {
			err := node.EditConsumers(t.Context(), 1, []identity.ID{"GB-1"}, func(held map[identity.ID]identity.Held) (identity.Update, error) {
				h := held["GB-1"]
				h.Phones = append(h.Phones, fmt.Sprint(i))
				return identity.Update{Keep: []identity.Kept{{Held: h}}}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	got, err := s.Consumers(t.Context(), []identity.ID{"GB-1"})
	noError(t, err)
	if n := len(got["GB-1"].Phones); n != 8 {
		t.Errorf("%d of 8 edits are there", n)
	}
}

func consumersGrowOld(t *testing.T, s nodes) {
	for i := range 3 {
		keepConsumer(t, s, int64(i+1), someConsumer(fmt.Sprint(i)), "GB word brook")
	}
	keepConsumer(t, s.other, 9, someConsumer("1"))
	keepConsumer(t, s, 3, someConsumer("1")) // stays of turn 9
	old, err := s.OldConsumers(t.Context(), 4, 10)
	noError(t, err)
	same(t, "old", old, []identity.ID{"GB-0", "GB-2"})
	old, err = s.OldConsumers(t.Context(), 4, 1)
	noError(t, err)
	same(t, "one", old, []identity.ID{"GB-0"})
	noError(t, s.EditConsumers(t.Context(), 4, old, func(map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Remove: old}, nil
	}))
	ids, err := s.other.FindConsumers(t.Context(), []string{"GB word brook"}, 10)
	noError(t, err)
	same(t, "found", ids, []identity.ID{"GB-2"})
}

func consumersFound(t *testing.T, s nodes) {
	keepConsumer(t, s, 1, someConsumer("1"), "GB word brook", "GB word ada", "GB post TE11ST")
	keepConsumer(t, s, 1, someConsumer("2"), "GB word brook", "GB post TE11ST")
	keepConsumer(t, s, 1, someConsumer("3"), "SE word brook")
	keepConsumer(t, s, 1, someConsumer("2"), "GB word vale", "GB post TE11ST") // moved to another name
	for _, c := range []struct {
		keys  []string
		limit int
		want  []identity.ID
	}{
		{[]string{"GB word brook"}, 9, []identity.ID{"GB-1"}},
		{[]string{"GB post TE11ST"}, 9, []identity.ID{"GB-1", "GB-2"}},
		{[]string{"GB post TE11ST"}, 1, []identity.ID{"GB-1"}},
		{[]string{"GB post TE11ST", "GB word vale"}, 9, []identity.ID{"GB-2"}},
		{[]string{"GB word ada", "GB word vale"}, 9, nil},
		{nil, 9, nil},
	} {
		got, err := s.other.FindConsumers(t.Context(), c.keys, c.limit)
		if !slices.Equal(got, c.want) || err != nil {
			t.Errorf("%v: %v (%v), want %v", c.keys, got, err, c.want)
		}
	}
}

func consumersByKey(t *testing.T, s nodes) {
	keepConsumer(t, s, 1, someConsumer("1"), "GB word ada", "veil GB-7")
	keepConsumer(t, s, 1, someConsumer("2"), "GB word ada")
	noError(t, s.EditConsumers(t.Context(), 1, nil, func(map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Remove: []identity.ID{"GB-2"}, Keys: []identity.Keyed{
			{Of: "GB-2", Keys: []string{"veil GB-2"}}, {Of: "GB-3", Keys: []string{"veil GB-3", "veil GB-7"}}, // one who is removed, one who never was
		}}, nil
	}))
	got, err := s.other.ConsumersByKey(t.Context(), []string{"GB word ada", "veil GB-7", "veil GB-2", "veil GB-9"})
	noError(t, err)
	same(t, "who goes by keys", got, map[string][]identity.ID{"GB word ada": {"GB-1"}, "veil GB-7": {"GB-1", "GB-3"}, "veil GB-2": {"GB-2"}})
	noError(t, s.EditConsumers(t.Context(), 1, nil, func(map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Keys: []identity.Keyed{{Of: "GB-3"}}}, nil
	}))
	got, err = s.other.ConsumersByKey(t.Context(), []string{"veil GB-3", "veil GB-7"})
	noError(t, err)
	same(t, "who goes by keys", got, map[string][]identity.ID{"veil GB-7": {"GB-1"}})
	if got, err = s.other.ConsumersByKey(t.Context(), nil); len(got) != 0 || err != nil {
		t.Errorf("no keys: %v (%v)", got, err)
	}
}

func rightsOutlive(t *testing.T, s nodes) {
	ids := []identity.ID{"GB-1"}
	name := identity.Name{First: "Ada", Surname: "Vale"}
	give := func(kind identity.RightKind, c identity.Correction) {
		noError(t, s.EditConsumers(t.Context(), 1, ids, func(map[identity.ID]identity.Held) (identity.Update, error) {
			return identity.Update{Rights: []identity.NewRight{{Of: "GB-1", Right: identity.Right{Kind: kind, At: noon, Note: "n", Correction: c}}}}, nil
		}))
	}
	give(identity.Objected, identity.Correction{}) // before the person is known
	if got, err := s.Consumers(t.Context(), ids); len(got) != 0 || err != nil {
		t.Errorf("one with rights alone is known: %v (%v)", got, err)
	}
	keepConsumer(t, s, 1, someConsumer("1"))
	give(identity.Corrected, identity.Correction{Name: &name})
	noError(t, s.EditConsumers(t.Context(), 1, ids, func(map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Remove: ids}, nil
	}))
	var held identity.Held
	noError(t, s.other.EditConsumers(t.Context(), 1, ids, func(h map[identity.ID]identity.Held) (identity.Update, error) {
		held = h["GB-1"]
		return identity.Update{}, nil
	}))
	same(t, "rights", held.Rights, []identity.Right{
		{ID: 1, Kind: identity.Objected, At: noon, Note: "n"},
		{ID: 2, Kind: identity.Corrected, At: noon, Note: "n", Correction: identity.Correction{Name: &name}},
	})
	if held.Known() {
		t.Error("a removed consumer is known")
	}
}

func consumerChanges(t *testing.T, s nodes) {
	at := func(h int) time.Time { return noon.Add(time.Duration(h) * time.Hour) }
	change := func(f identity.Field, h int) identity.Change {
		return identity.Change{Consumer: "GB-1", Field: f, At: at(h)}
	}
	noError(t, s.EditConsumers(t.Context(), 1, nil, func(map[identity.ID]identity.Held) (identity.Update, error) {
		return identity.Update{Changes: []identity.Change{
			change(identity.Added, 0), change(identity.FieldName, 2), change(identity.FieldAddress, 1), change(identity.FieldName, 2),
			{Consumer: "GB-2", Field: identity.FieldName, At: at(3)},
		}}, nil
	}))
	got, err := s.other.ConsumerChanges(t.Context(), "GB-1", at(1))
	noError(t, err)
	same(t, "changes", got, []identity.Change{change(identity.FieldName, 2), change(identity.FieldAddress, 1)})
}

func someSearch(id string, hour int) identity.Search {
	yes := true
	return identity.Search{
		ID: id, Account: ann.Account, At: noon.Add(time.Duration(hour) * time.Hour), Service: identity.IdentitySearchService, Consumer: "GB-1",
		Question: identity.Question{
			Name: identity.Name{First: "Åda", Surname: "Brook 100%"}, Birth: "1970-05-31", Products: []identity.Product{identity.AMLSearch},
			Reason: "CreditApplication", Reference: "ref " + id,
		},
		Options: []identity.Option{{Label: "7 Mill Lane", Consumer: "GB-1"}},
		Answer: identity.Answer{
			Result: identity.Pass, Bank: &yes, Report: &identity.Report{Name: identity.Name{Surname: "Brook"}, Birth: company.Date("1970-05-31")},
			AML: &identity.AML{Band: identity.Pass, Score: 2, Checks: []identity.Check{{Database: identity.Voters, Result: identity.Same}}},
		},
	}
}

func identitySearchComesBack(t *testing.T, s nodes) {
	want := someSearch("a", 0)
	noError(t, s.AddIdentitySearch(t.Context(), ann, want))
	got, err := s.other.IdentitySearch(t.Context(), ann, "a")
	noError(t, err)
	same(t, "search", got, want)
	got, err = s.other.UpdateIdentitySearch(t.Context(), ann, "a", func(x *identity.Search) error {
		x.Question.Reference, x.Options, x.Revalidated, x.Answer.Result = "other", nil, noon, identity.Fail
		return nil
	})
	noError(t, err)
	again, err := s.IdentitySearch(t.Context(), ann, "a")
	noError(t, err)
	same(t, "changed", again, got)
	if again.Question.Reference != "other" || !again.Revalidated.Equal(noon) || len(again.Options) != 0 {
		t.Errorf("it is %+v", again)
	}
}

func identitySearchIsOwned(t *testing.T, s nodes) {
	noError(t, s.AddIdentitySearch(t.Context(), ann, someSearch("a", 0)))
	_, err := s.IdentitySearch(t.Context(), carol, "a")
	wantKind(t, err, fault.Missing)
	_, none := s.IdentitySearch(t.Context(), carol, "b")
	if err.Error() != none.Error() {
		t.Errorf("%v and %v can be told apart", err, none)
	}
	_, err = s.UpdateIdentitySearch(t.Context(), carol, "a", func(*identity.Search) error { return nil })
	wantKind(t, err, fault.Missing)
	list, total, err := s.IdentitySearches(t.Context(), carol, identity.SearchQuery{Whole: true, Limit: 9})
	if len(list) != 0 || total != 0 || err != nil {
		t.Errorf("carol sees %v", list)
	}
}

func identitySearchEditFails(t *testing.T, s nodes) {
	noError(t, s.AddIdentitySearch(t.Context(), ann, someSearch("a", 0)))
	enough := errors.New("enough")
	_, err := s.UpdateIdentitySearch(t.Context(), ann, "a", func(x *identity.Search) error {
		x.Question.Reference = "lost"
		return enough
	})
	if !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	got, err := s.other.IdentitySearch(t.Context(), ann, "a")
	noError(t, err)
	same(t, "reference", got.Question.Reference, "ref a")
}

func identitySearchesListed(t *testing.T, s nodes) {
	for i, id := range []string{"a", "b", "c"} {
		x := someSearch(id, i)
		switch id {
		case "b":
			x.Question.Products = []identity.Product{identity.ConsumerSearch, identity.IDSearch}
			x.Answer.Result = identity.Fail
		case "c":
			x.Question.Name.Surname = "Vale"
		}
		noError(t, s.AddIdentitySearch(t.Context(), ann, x))
	}
	of := someSearch("d", 3)
	noError(t, s.AddIdentitySearch(t.Context(), auth.Caller{Customer: ann.Customer, Account: ann.Account + 77}, of))
	other := someSearch("e", 4)
	other.Service = identity.IDVService
	noError(t, s.AddIdentitySearch(t.Context(), ann, other))
	for _, c := range []struct {
		what  string
		q     identity.SearchQuery
		want  string
		total int64
	}{
		{"one's own", identity.SearchQuery{Limit: 9}, "cba", 3},
		{"the whole customer's", identity.SearchQuery{Whole: true, Limit: 9}, "dcba", 4},
		{"a page", identity.SearchQuery{Limit: 1, Skip: 1}, "b", 3},
		{"a product", identity.SearchQuery{Limit: 9, Products: []identity.Product{identity.IDSearch}}, "b", 1},
		{"two products", identity.SearchQuery{Limit: 9, Products: []identity.Product{identity.IDSearch, identity.AMLSearch}}, "cba", 3},
		{"a result", identity.SearchQuery{Limit: 9, Result: identity.Fail}, "b", 1},
		{"a time", identity.SearchQuery{Limit: 9, From: noon.Add(time.Hour), Until: noon.Add(2 * time.Hour)}, "b", 1},
		{"a word of the name", identity.SearchQuery{Limit: 9, Keyword: "VALE"}, "c", 1},
		{"a word of the reference", identity.SearchQuery{Limit: 9, Keyword: "ref a"}, "a", 1},
		{"nothing like it", identity.SearchQuery{Limit: 9, Keyword: "b_o"}, "", 0},
	} {
		list, total, err := s.other.IdentitySearches(t.Context(), ann, c.q)
		noError(t, err)
		got := ""
		for _, x := range list {
			got += x.ID
		}
		if got != c.want || total != c.total {
			t.Errorf("%s: %q of %d, want %q of %d", c.what, got, total, c.want, c.total)
		}
	}
}

func enquiriesTold(t *testing.T, s nodes) {
	noError(t, s.AddIdentitySearch(t.Context(), ann, someSearch("a", 0)))
	noError(t, s.AddIdentitySearch(t.Context(), carol, someSearch("b", 1)))
	got, err := s.other.SearchesOf(t.Context(), "GB-1", noon.Add(time.Minute))
	noError(t, err)
	same(t, "enquiries", got, []identity.Enquiry{{At: noon.Add(time.Hour), Reason: "CreditApplication"}})
}

func lettersComeBack(t *testing.T, s nodes) {
	one := identity.Letter{Consumer: "SE-1", At: noon, Customer: 7, Service: "getdata", Told: `{"å":1}`}
	two := one
	two.At = noon.Add(time.Hour)
	noError(t, s.AddLetter(t.Context(), one))
	noError(t, s.AddLetter(t.Context(), two))
	got, err := s.other.LettersOf(t.Context(), "SE-1")
	noError(t, err)
	same(t, "letters", got, []identity.Letter{two, one})
	if got, err := s.LettersOf(t.Context(), "SE-2"); len(got) != 0 || err != nil {
		t.Errorf("somebody else has %v (%v)", got, err)
	}
}

func companyNumbersStay(t *testing.T, s nodes) {
	one, err := s.CompanyNumbers(t.Context(), []company.ID{"DE-0-A", "DE-0-B"})
	noError(t, err)
	two, err := s.other.CompanyNumbers(t.Context(), []company.ID{"DE-0-B", "DE-0-C"})
	noError(t, err)
	if one["DE-0-A"] == 0 || one["DE-0-B"] != two["DE-0-B"] || two["DE-0-C"] == one["DE-0-A"] || len(two) != 2 {
		t.Errorf("got %v and %v", one, two)
	}
	id, err := s.other.NumberedCompany(t.Context(), one["DE-0-A"])
	noError(t, err)
	same(t, "company", id, company.ID("DE-0-A"))
	_, err = s.NumberedCompany(t.Context(), 7)
	wantKind(t, err, fault.Missing)
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			if _, err := s.CompanyNumbers(t.Context(), []company.ID{"DE-0-D", "DE-0-E"}); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
}
