package storetest

import (
	"fmt"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// scores are the promises of company.Store about scores and their reader.
var scores = []promise{
	{"scores that are due come the longest due first, so many at a time", scoresDue},
	{"the statuses of many are told, and unknown companies left out", statusesOfMany},
	{"a reader's place is kept with its results, or neither", reachedKept},
}

func scoresDue(t *testing.T, s nodes) {
	var u company.Update
	var want []company.ID
	for day := range 3 {
		for i := range 2 {
			c := aSaved(company.NewID("GB", fmt.Sprint(9-day, i)), "x")
			c.Rerate = company.Date(fmt.Sprintf("2026-01-%02d", 10+day))
			u.Companies = append(u.Companies, c)
			want = append(want, c.ID)
		}
	}
	u.Companies = append(u.Companies, aSaved("GB-0-NEVER", "x"))
	write(t, s, u)
	due := func(by company.Date, limit int) []company.ID {
		ids, err := s.other.ScoresDue(t.Context(), by, limit)
		noError(t, err)
		return ids
	}
	same(t, "before the first day", due("2026-01-09", 10), []company.ID(nil))
	same(t, "on the second", due("2026-01-11", 10), want[:4])
	same(t, "three of all", due("2030-01-01", 3), want[:3])
	c := u.Companies[0]
	c.New, c.Rerate = false, "2027-01-01"
	write(t, s, company.Update{Companies: []company.Saved{c}})
	same(t, "once one was put off", due("2026-12-31", 10), want[1:])
	c.Rerate = ""
	write(t, s, company.Update{Companies: []company.Saved{c}})
	same(t, "once it never comes", due("2030-01-01", 10), want[1:])
}

func statusesOfMany(t *testing.T, s nodes) {
	one, two := aSaved("GB-0-1", "x"), aSaved("GB-0-2", "x")
	one.Status, two.Status = company.Pending, ""
	write(t, s, company.Update{Companies: []company.Saved{one, two}})
	got, err := s.other.Statuses(t.Context(), []company.ID{"GB-0-2", "GB-0-1", "GB-0-3"})
	noError(t, err)
	same(t, "statuses", got, map[company.ID]company.Status{"GB-0-1": company.Pending, "GB-0-2": ""})
}

func reachedKept(t *testing.T, s nodes) {
	lease, ok, err := s.Lease(t.Context(), "reader", "one", time.Minute)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	try := func(fence, number int64, change string) error {
		return s.Write(t.Context(), func(company.View) (company.Update, error) {
			return company.Update{
				Changes: []company.Change{aChange("GB-0-1", change)},
				Reached: &company.Reached{Reader: "reader", Number: number, Fence: fence},
			}, nil
		})
	}
	holds := func(place, last int64) {
		t.Helper()
		got, err := s.other.Place(t.Context(), "reader")
		noError(t, err)
		end, err := s.other.LastChange(t.Context())
		noError(t, err)
		if got != place || end != last {
			t.Errorf("the place is %d and the log ends at %d, want %d and %d", got, end, place, last)
		}
	}
	noError(t, try(lease.Fence, 7, "a"))
	holds(7, 1)
	wantKind(t, try(lease.Fence-1, 8, "b"), fault.Conflict)
	holds(7, 1)
}
