package storetest

import (
	"testing"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

func eventsWithSafeNumbers(t *testing.T, s nodes) {
	safe := company.Ident{Kind: company.BySafeNo, Value: "GB90000001"}
	write(t, s, company.Update{Companies: []company.Saved{
		aSaved("GB-0-1", "One", company.Ident{Kind: company.ByLEI, Value: "A"}, safe), aSaved("GB-0-2", "Two"),
	}})
	p := create(t, s, ann, aPortfolio("one")).ID
	add(t, s, ann, p, "GB-0-1", "GB-0-2")
	told(t, s, ann.Customer, p, "GB-0-1", noon)
	told(t, s, ann.Customer, p, "GB-0-2", noon)
	read := func(what string, list []monitor.Event, err error) {
		t.Helper()
		noError(t, err)
		got := map[company.ID]string{}
		for _, e := range list {
			got[e.Company] = e.SafeNumber()
		}
		same(t, what, got, map[company.ID]string{"GB-0-1": "GB90000001", "GB-0-2": "GB2"})
	}
	found, err := s.Events(t.Context(), ann, monitor.EventQuery{Limit: 10})
	read("a list", found.List, err)
	all, err := s.other.EventsAfter(t.Context(), 0, 10)
	read("the hub", all, err)
	feed, err := s.Feed(t.Context(), ann, false, 0, 10, 10)
	read("a feed", feed, err)
	byID, err := s.EventsByID(t.Context(), map[monitor.EventID]auth.CustomerID{1: ann.Customer, 2: ann.Customer})
	read("the courier", []monitor.Event{byID[1], byID[2]}, err)
	for search, want := range map[string]int64{"gb90000001": 1, " GB90000001 ": 1, "90000001": 0, "GB2": 0} {
		got := eventsFound(t, s, ann, monitor.EventQuery{Search: search})
		if got.Total != want || int64(len(got.List)) != want {
			t.Errorf("%q finds %d of %d events, want %d", search, len(got.List), got.Total, want)
		}
	}
}
