package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// whys are the promises of monitor.WhyStore and monitor.TrialStore.
var whys = []promise{
	{"an event is read by who may see its portfolio, and is missing for everyone else", whyEvent},
	{"the settings that a portfolio ever had are remembered with their parameters and numbers", whySettings},
	{"for which changes a company is watched is known, also behind its removal", whyWatched},
	{"a change is found by its number", whyChange},
	{"of a portfolio's companies the changes of some fields between two times are read, in order", trialReads},
	{"many companies are read to the last, and a reader that has enough ends it", trialPages},
}

func whyEvent(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one")).ID
	list := someEvents([]monitor.PortfolioID{p}, 1, 2)
	list[1].Old, list[1].New, list[1].Why, list[1].Setting, list[1].Source = "was", "is", "since it is", 7, "src"
	_, err := s.Tell(t.Context(), list, nil)
	noError(t, err)
	got, err := s.other.Event(t.Context(), ann, 2)
	noError(t, err)
	want := list[1]
	want.ID, want.CreatedAt, want.In = 2, got.CreatedAt, got.In
	same(t, "the event", got, want)
	missing := func(by auth.Caller, id monitor.EventID) {
		t.Helper()
		e, err := s.Event(t.Context(), by, id)
		if wantKind(t, err, fault.Missing); e != (monitor.Event{}) {
			t.Errorf("account %d is told of %+v", by.Account, e)
		}
	}
	missing(ann, 3)
	missing(bob, 2)
	missing(eve, 2)
	share(t, s, p, monitor.View)
	if _, err := s.Event(t.Context(), bob, 2); err != nil {
		t.Errorf("whom it is shared with: %v", err)
	}
	missing(eve, 2)
}

func whySettings(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one")).ID
	first := someChange(t, s, "GB-0-1")
	switchRules(t, s, p, "XX", monitor.Switch{Code: 101, On: true, Values: monitor.Values{"2", "C", "true"}}, monitor.Switch{Code: 105, On: true})
	second := someChange(t, s, "GB-0-1")
	switchRules(t, s.other, p, "XX", monitor.Switch{Code: 101, On: true, Values: monitor.Values{"1"}}, monitor.Switch{Code: 105})
	list, err := s.SettingsEver(t.Context(), ann, p)
	noError(t, err)
	var got []string
	for _, n := range list {
		until := fmt.Sprint(n.Until)
		if n.Until == monitor.Forever {
			until = "now"
		}
		got = append(got, fmt.Sprintf("%d %v from %d to %s", n.Code, n.Values, n.Since, until))
	}
	slices.Sort(got)
	same(t, "settings", got, []string{
		fmt.Sprintf("101 [1  ] from %d to now", second),
		fmt.Sprintf("101 [2 C true] from %d to %d", first, second),
		fmt.Sprintf("105 [  ] from %d to %d", first, second),
	})
	wantKind(t, errOf(s.SettingsEver(t.Context(), eve, p)), fault.Missing)
	wantKind(t, errOf(s.SettingsEver(t.Context(), bob, p)), fault.Missing)
}

func whyWatched(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	p, other := create(t, s, ann, aPortfolio("one")).ID, create(t, s, ann, aPortfolio("two")).ID
	add(t, s, ann, other, "GB-0-1")
	before := someChange(t, s, "GB-0-1")
	add(t, s, ann, p, "GB-0-1")
	during := someChange(t, s, "GB-0-1")
	_, err := s.RemoveMembers(t.Context(), ann, p, ids("GB-0-1"))
	noError(t, err)
	someChange(t, s, "GB-0-1")
	list, err := s.other.WatchedSince(t.Context(), ann, p, "GB-0-1")
	noError(t, err)
	same(t, "watched", list, []monitor.Watcher{{Company: "GB-0-1", Portfolio: p, Customer: ann.Customer, Since: before, Until: during}})
	never, err := s.WatchedSince(t.Context(), ann, p, "GB-0-2")
	if err != nil || len(never) != 0 {
		t.Errorf("a company that never was in it: %+v (%v)", never, err)
	}
	wantKind(t, errOf(s.WatchedSince(t.Context(), eve, p, "GB-0-1")), fault.Missing)
}

func whyChange(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	someChange(t, s, "GB-0-1")
	given := company.Change{Company: "GB-0-1", Field: company.FieldAddress, Item: "registered", Old: "a", New: "b", Source: "src", At: noon}
	write(t, s, company.Update{Changes: []company.Change{given}})
	last, err := s.LastChange(t.Context())
	noError(t, err)
	got, err := s.other.Change(t.Context(), last)
	noError(t, err)
	given.Number = last
	same(t, "the change", got, given)
	wantKind(t, errOf(s.Change(t.Context(), last+1)), fault.Missing)
	wantKind(t, errOf(s.Change(t.Context(), 0)), fault.Missing)
}

// lookBack reads what a back-test reads, as numbers.
func lookBack(t tb, s monitor.TrialStore, id monitor.PortfolioID, from, to time.Time, fields ...company.Field) (out []int64) {
	t.Helper()
	noError(t, s.ChangesAmong(t.Context(), ann, id, fields, from, to, func(c company.Change) error {
		out = append(out, c.Number)
		return nil
	}))
	return out
}

func trialReads(t *testing.T, s nodes) {
	someCompanies(t, s, 3)
	p := create(t, s, ann, aPortfolio("one")).ID
	add(t, s, ann, p, "GB-0-1", "GB-0-2")
	var u company.Update
	for i, at := range []time.Duration{-1, 0, 1, 2, 3} { // around an hour: before, on both ends, between, behind
		for _, id := range ids("GB-0-2", "GB-0-1", "GB-0-3") {
			field := []company.Field{company.FieldName, company.FieldAddress, company.FieldStatus}[i%3]
			u.Changes = append(u.Changes, company.Change{Company: id, Field: field, New: fmt.Sprint(i), Source: "src", At: noon.Add(at * time.Minute)})
		}
	}
	write(t, s, u)
	// Of each company: 1 name before, 2 address, 3 status, 4 name, 5 address behind.
	to := noon.Add(2 * time.Minute)
	same(t, "all fields", lookBack(t, s, p, noon, to, company.FieldName, company.FieldAddress, company.FieldStatus), []int64{5, 8, 11, 4, 7, 10})
	same(t, "one field", lookBack(t, s.other, p, noon, to, company.FieldAddress), []int64{5, 4})
	same(t, "no field", lookBack(t, s, p, noon, to), []int64(nil))
	same(t, "one moment", lookBack(t, s, p, noon, noon, company.FieldAddress), []int64{5, 4})
	for _, by := range []auth.Caller{bob, eve} {
		err := s.ChangesAmong(t.Context(), by, p, []company.Field{company.FieldName}, noon, to, func(company.Change) error {
			t.Errorf("account %d reads it", by.Account)
			return nil
		})
		wantKind(t, err, fault.Missing)
	}
}

func trialPages(t *testing.T, s nodes) {
	const n = 1203 // more than two pages
	someCompanies(t, s, n)
	p := create(t, s, ann, aPortfolio("one")).ID
	var u company.Update
	var all []company.ID
	for i := range n {
		id := company.NewID("GB", fmt.Sprint(i+1))
		all = append(all, id)
		u.Changes = append(u.Changes, aChange(id, "x"))
	}
	write(t, s, u)
	add(t, s, ann, p, all...)
	got := lookBack(t, s, p, noon, noon, company.FieldName)
	slices.Sort(got)
	if got = slices.Compact(got); len(got) != n {
		t.Errorf("%d of %d changes were read", len(got), n)
	}
	enough := errors.New("enough")
	seen := 0
	err := s.ChangesAmong(t.Context(), ann, p, []company.Field{company.FieldName}, noon, noon, func(company.Change) error {
		if seen++; seen == 7 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || seen != 7 {
		t.Errorf("a reader that had enough after 7 was given %d (%v)", seen, err)
	}
}
