package kyc_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

func TestASecondImportChangesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		list := people("a", 30)
		if got := counts(mustTake(t, db, kyc.Intake{Whole: true}, list...)); got != "30 new, 0 changed, 0 unchanged, 0 removed" {
			t.Error(got)
		}
		again := people("a", 30)
		slices.Reverse(again) // the order of a file means nothing
		if got := counts(mustTake(t, db, kyc.Intake{Whole: true}, again...)); got != "0 new, 0 changed, 30 unchanged, 0 removed" {
			t.Error(got)
		}
		if last, err := db.LastEntryChange(t.Context()); last != 30 || err != nil {
			t.Errorf("the log ends at %d (%v), want 30", last, err)
		}
	})
}

func TestOnlyAWholeListTakesAway(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		mustTake(t, db, kyc.Intake{Whole: true}, people("a", 30)...)
		less := people("a", 28)
		less[0].Names[0].Text = "Somebody Else"
		if got := counts(mustTake(t, db, kyc.Intake{}, less...)); got != "0 new, 1 changed, 27 unchanged, 0 removed" {
			t.Error(got)
		}
		less = people("a", 28)
		less[0].Names[0].Text = "Somebody Else"
		if got := counts(mustTake(t, db, kyc.Intake{Whole: true}, less...)); got != "0 new, 0 changed, 28 unchanged, 2 removed" {
			t.Error(got)
		}
		if now := held(t, db, "a"); len(now) != 28 || now["N0"] != "Somebody Else" {
			t.Errorf("%d entries, N0 is %q", len(now), now["N0"])
		}
	})
}

func TestAListThatShrinksTooMuchIsHeld(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		mustTake(t, db, kyc.Intake{Whole: true}, people("a", 50)...)
		mustTake(t, db, kyc.Intake{Whole: true}, people("b", 10)...)
		for _, c := range []struct {
			left int
			held bool
		}{{40, false}, {31, true}, {1, true}} { // 40 of 50 is exactly a fifth less
			_, err := take(t, db, kyc.Intake{Whole: true}, people("a", c.left)...)
			if errors.Is(err, fault.Conflict) != c.held || (err == nil) == c.held {
				t.Errorf("%d left: %v, held: want %v", c.left, err, c.held)
			}
			if c.held && !strings.Contains(err.Error(), "--accept-shrink") {
				t.Errorf("%v does not say what to do", err)
			}
		}
		if n := len(held(t, db, "a")); n != 40 {
			t.Errorf("%d entries are left, want 40", n)
		}
		// A file with two lists changes none of them if one is held.
		both := append(people("a", 1), person("b", "new", "A Newcomer"))
		if _, err := take(t, db, kyc.Intake{}, append(both, kyc.Record{Entry: kyc.Entry{List: "b", Number: "N1"}, Gone: true})...); err != nil {
			t.Errorf("a feed that takes one of ten away: %v", err)
		}
		if _, err := take(t, db, kyc.Intake{Whole: true}, append(people("a", 1), people("b", 12)...)...); !errors.Is(err, fault.Conflict) {
			t.Errorf("got %v", err)
		}
		if n := len(held(t, db, "b")); n != 10 {
			t.Errorf("b has %d entries, want 10", n)
		}
		got := mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, people("a", 1)...)
		if counts(got) != "0 new, 0 changed, 1 unchanged, 39 removed" {
			t.Error(counts(got))
		}
	})
}

// An older file does not take the place of a newer one without a word.
func TestAnOlderListIsHeld(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		of := func(day company.Date, name string) kyc.Record {
			r := person("a", "N1", name)
			r.AsOf = day
			return r
		}
		mustTake(t, db, kyc.Intake{Whole: true}, of("2026-02-01", "Of February"))
		for _, c := range []struct {
			in   kyc.Intake
			day  company.Date
			held bool
		}{
			{kyc.Intake{Whole: true}, "2026-01-31", true},
			{kyc.Intake{Whole: true}, "2026-02-01", false},
			{kyc.Intake{}, "2026-01-31", false}, // a feed may correct what it said
			{kyc.Intake{Whole: true, AcceptOlder: true}, "2026-01-31", false},
		} {
			name := fmt.Sprint("Of ", c.day, c.in.Whole, c.in.AcceptOlder)
			_, err := take(t, db, c.in, of(c.day, name))
			if errors.Is(err, fault.Conflict) != c.held || c.held && !strings.Contains(err.Error(), "--accept-older") {
				t.Errorf("%s: %v, held: want %v", name, err, c.held)
			}
			if now := held(t, db, "a")["N1"]; (now == name) == c.held {
				t.Errorf("%s: the list says %s", name, now)
			}
		}
	})
}

// A list that is all of a file is emptied by a file without entries, with the operator's word.
func TestAnEmptyFileEmptiesItsList(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		mustTake(t, db, kyc.Intake{Whole: true}, people("a", 3)...)
		if _, err := take(t, db, kyc.Intake{Whole: true, Only: "a"}); !errors.Is(err, fault.Conflict) {
			t.Errorf("without a word: %v", err)
		}
		mustTake(t, db, kyc.Intake{Only: "a", AcceptShrink: true}) // part of the list
		if n := len(held(t, db, "a")); n != 3 {
			t.Errorf("%d entries are left, want 3", n)
		}
		mustTake(t, db, kyc.Intake{Whole: true, Only: "a", AcceptShrink: true})
		if n := len(held(t, db, "a")); n != 0 {
			t.Errorf("%d entries are left, want none", n)
		}
	})
}

func TestAFeedHasTheLastWord(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		mustTake(t, db, kyc.Intake{Whole: true}, people("a", 20)...)
		gone := func(number string) kyc.Record {
			return kyc.Record{Entry: kyc.Entry{List: "a", Number: number}, Gone: true}
		}
		before, err := db.LastEntryChange(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := mustTake(t, db, kyc.Intake{},
			gone("N1"),
			person("a", "N2", "First Thought"), person("a", "N2", "Second Thought"),
			person("a", "N3", "A Mistake"), people("a", 4)[3], // back to what it was
			person("a", "X1", "Came And Went"), gone("X1"),
			gone("N4"), person("a", "N4", "Came Back Changed"),
			gone("nobody"),
		)
		if counts(got) != "0 new, 2 changed, 1 unchanged, 1 removed" {
			t.Error(counts(got))
		}
		now := held(t, db, "a")
		if now["N2"] != "Second Thought" || now["N3"] != people("a", 4)[3].Names[0].Text || now["N4"] != "Came Back Changed" || now["N1"] != "" || now["X1"] != "" {
			t.Errorf("%v", now)
		}
		changes, err := db.EntryChanges(t.Context(), before, 100)
		if err != nil || len(changes) != 3 {
			t.Errorf("%d changes (%v), want 3: %+v", len(changes), err, changes)
		}
	})
}

// An import that dies leaves nothing behind: given again, it ends as one that
// nobody disturbed.
func TestAnImportThatDiedBeginsAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		mustTake(t, db, kyc.Intake{Whole: true}, people("a", 20)...)
		edition := func() []kyc.Record {
			list := people("a", 24)[1:]
			for i := range 5 {
				list[i].Names[0].Text = fmt.Sprint("Changed Name ", i)
			}
			for i := range list {
				if err := list[i].Check(); err != nil {
					t.Fatal(err)
				}
			}
			return list
		}
		for _, at := range []int{1, 7, 23} { // it dies after so many records
			in := kyc.Intake{Store: db, Whole: true}
			ghost := person("a", fmt.Sprint("ghost", at), "Somebody Of Another File")
			if err := in.Add(t.Context(), append(edition()[:at], ghost)); err != nil {
				t.Fatal(err)
			}
			if n := len(held(t, db, "a")); n != 20 {
				t.Fatalf("%d entries are seen while an import is under way", n)
			}
		}
		got := mustTake(t, db, kyc.Intake{Whole: true}, edition()...)
		if counts(got) != "4 new, 5 changed, 14 unchanged, 1 removed" {
			t.Error(counts(got))
		}
		changes, err := db.EntryChanges(t.Context(), 20, 100)
		if err != nil || len(changes) != 10 {
			t.Fatalf("%d changes (%v)", len(changes), err)
		}
		kinds := map[kyc.ChangeKind]int{}
		for i, c := range changes {
			kinds[c.Kind]++
			if c.Number != int64(21+i) || c.Entry > 24 {
				t.Errorf("%+v: an undisturbed import has neither this number nor this ID", c)
			}
		}
		if kinds[kyc.Added] != 4 || kinds[kyc.Changed] != 5 || kinds[kyc.Removed] != 1 {
			t.Errorf("changes: %v", kinds)
		}
		if now := held(t, db, "a"); len(now) != 23 || now["ghost7"] != "" {
			t.Errorf("%d entries, want 23: %v", len(now), now)
		}
	})
}

func TestARecordThatMakesNoSenseIsRefused(t *testing.T) {
	good := person("a", "1", "Somebody")
	for what, spoil := range map[string]func(*kyc.Record){
		"number":    func(r *kyc.Record) { r.Number = " " },
		"no name":   func(r *kyc.Record) { r.Names = []kyc.Name{{Text: "\t"}} },
		"name of":   func(r *kyc.Record) { r.Names[0].Text = strings.Repeat("long ", 300) },
		"kind":      func(r *kyc.Record) { r.Kind = "planet" },
		"listed fo": func(r *kyc.Record) { r.Datasets = nil },
		"no list":   func(r *kyc.Record) { r.List = "" },
	} {
		r := good
		r.Names = slices.Clone(good.Names)
		spoil(&r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
}
