package storetest

import (
	"errors"
	"fmt"
	"testing"

	"bureau/internal/company"
)

// dues are the promises of company.View about deadlines and notes.
var dues = []promise{
	{"deadlines come in the order of days and IDs, from one to a day, so many at a time", deadlinesPaged},
	{"a deadline is the last one that was kept", deadlineReplaced},
	{"a note is kept with the rest of a write, or not at all", noteKept},
}

// see looks at the register as a write does, and keeps nothing.
func see(t *testing.T, s company.Store, look func(v company.View)) {
	t.Helper()
	noError(t, s.Write(t.Context(), func(v company.View) (company.Update, error) {
		look(v)
		return company.Update{}, nil
	}))
}

func deadlines(t *testing.T, s company.Store, after company.Deadline, before company.Date, limit int) (out []company.Deadline) {
	t.Helper()
	see(t, s, func(v company.View) {
		list, err := v.Deadlines(t.Context(), after, before, limit)
		noError(t, err)
		out = list
	})
	return out
}

func deadlinesPaged(t *testing.T, s nodes) {
	var u company.Update
	var want []company.Deadline
	for day := range 3 {
		for i := range 4 {
			c := aSaved(company.NewID("GB", fmt.Sprint(i, day)), "x")
			c.Due = company.Date(fmt.Sprintf("2026-01-%02d", 10+day))
			u.Companies = append(u.Companies, c)
			want = append(want, company.Deadline{Day: c.Due, Company: c.ID})
		}
	}
	u.Companies = append(u.Companies, aSaved("GB-0-NEVER", "x"))
	write(t, s, u)
	same(t, "all", deadlines(t, s.other, company.Deadline{}, "2027-01-01", 100), want)
	same(t, "before the last day", deadlines(t, s, company.Deadline{}, "2026-01-12", 100), want[:8])
	same(t, "of the last day", deadlines(t, s, company.Deadline{Day: "2026-01-12"}, "2027-01-01", 100), want[8:])
	for i, d := range want {
		same(t, "behind one", deadlines(t, s, d, "2027-01-01", 3), want[i+1:min(i+4, len(want))])
	}
	see(t, s, func(v company.View) {
		none, err := v.Undated(t.Context(), 10)
		if err != nil || len(none) != 0 {
			t.Errorf("undated are %v (%v)", none, err)
		}
	})
}

func deadlineReplaced(t *testing.T, s nodes) {
	c := aSaved("GB-0-1", "x")
	c.Due = "2026-01-10"
	write(t, s, company.Update{Companies: []company.Saved{c}})
	c.New, c.Due = false, "2027-01-10"
	write(t, s.other, company.Update{Companies: []company.Saved{c}})
	same(t, "then", deadlines(t, s, company.Deadline{}, "2030-01-01", 10), []company.Deadline{{Day: "2027-01-10", Company: "GB-0-1"}})
	c.Due = ""
	write(t, s, company.Update{Companies: []company.Saved{c}})
	same(t, "at last", deadlines(t, s, company.Deadline{}, "2030-01-01", 10), []company.Deadline(nil))
}

func noteKept(t *testing.T, s nodes) {
	wantNote := func(want string) {
		t.Helper()
		see(t, s.other, func(v company.View) {
			if got, err := v.Note(t.Context(), "work"); err != nil || got != want {
				t.Errorf("noted is %q (%v), want %q", got, err, want)
			}
		})
	}
	wantNote("")
	write(t, s, company.Update{Notes: map[string]string{"work": "one", "other work": "x"}})
	wantNote("one")
	changed := errors.New("changed my mind")
	err := s.Write(t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Notes: map[string]string{"work": "two"}}, changed
	})
	if !errors.Is(err, changed) {
		t.Errorf("got %v", err)
	}
	u := everyPart()
	u.Companies = append(u.Companies, u.Companies[0]) // refused: it is there twice
	u.Notes = map[string]string{"work": "three"}
	if err := s.Write(t.Context(), func(company.View) (company.Update, error) { return u, nil }); err == nil {
		t.Error("a company was added twice")
	}
	wantNote("one")
	write(t, s, company.Update{Notes: map[string]string{"work": "four"}, Changes: []company.Change{aChange("GB-0-1", "x")}})
	wantNote("four")
}
