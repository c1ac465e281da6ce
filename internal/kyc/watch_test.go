package kyc_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

func testVault(t *testing.T) *auth.Vault {
	t.Helper()
	vault, err := auth.NewVault(bytes.Repeat([]byte{7}, auth.MasterKeySize))
	must(t, err)
	return vault
}

func newSearches(t *testing.T, db *store.DB) *kyc.Searches {
	t.Helper()
	vault := testVault(t)
	now := func() time.Time { return noon }
	return &kyc.Searches{
		Screener: &kyc.Screener{Index: &kyc.Index{Store: db}, Store: db, Now: now}, Store: db, Now: now,
		Fingerprint: vault.Subject, Named: vault.Person,
	}
}

// told are alerts as "search entry supersedes", in an order of their own.
func told(list []kyc.Alert) (out []string) {
	for _, a := range list {
		if a.Cause == kyc.EntryLeft {
			continue // a full screening finds who is listed, not who was
		}
		out = append(out, fmt.Sprint(a.Search, " ", a.Entry, " ", a.Since, " ", a.Supersedes))
	}
	slices.Sort(out)
	return out
}

// What a change of a list alarms is what screening everybody again would find.
func TestAlertsEqualAFullRescreening(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		s := newSearches(t, db)
		r := rand.New(rand.NewPCG(8, 1))
		first := []string{"Ambrose", "Brunhilde", "Casimir", "Dorothea", "Eustace", "Florimel"}
		last := []string{"Quillfeather", "Oakenshaw", "Underhay", "Thistlewood", "Marchbanks", "Zephyrine", "Hollbrook"}
		name := func() string { return first[r.IntN(len(first))] + " " + last[r.IntN(len(last))] }
		var list []kyc.Record
		for i := range 15 {
			list = append(list, person("test", fmt.Sprint("N", i), name()))
		}
		mustTake(t, db, kyc.Intake{Whole: true}, list...)
		by := auth.Caller{Customer: 7, Account: 8}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(s.Screener.Index.Refresh(ctx))
		for i := range 60 {
			search := create(t, db, s, by, kyc.Request{Person: true, Name: name(), Threshold: []int{60, 75, 95}[i%3]})
			_, err := s.Schedule(ctx, by, search.ID, kyc.ScheduleWish{})
			must(err)
			_, page, err := s.Hits(ctx, by, true, kyc.HitQuery{Search: search.ID, Limit: 100})
			must(err)
			for j, h := range page.List {
				if word := "falsePositive"; j%2 == 0 {
					_, _, err := s.Decide(ctx, by, true, search.ID, h.ID, &word, nil)
					must(err)
				}
			}
		}
		for turn := range 4 {
			after, err := db.LastEntryChange(ctx)
			must(err)
			for range 3 { // changed
				i := r.IntN(len(list))
				list[i].Names = append(list[i].Names, kyc.Name{Text: name(), Type: kyc.Alias})
			}
			list[r.IntN(len(list))].Reasons = []string{fmt.Sprint("other words ", turn)}
			list = append(list[1:], person("test", fmt.Sprint("M", turn), name())) // one went, one came
			mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, fresh(list)...)
			changes, err := db.EntryChanges(ctx, after, 1000)
			must(err)
			few, err := s.Rescreen(ctx, changes, 0, nil)
			must(err)
			all, err := s.RescreenAll(ctx)
			must(err)
			if got, want := told(few), told(all); !slices.Equal(got, want) {
				t.Errorf("turn %d: alerts\n%q\nwant those of a full screening\n%q", turn, got, want)
			}
			if len(few) == 0 && turn == 0 {
				t.Error("nothing was alarmed: the test sees nothing")
			}
			must(db.AddKYCAlerts(ctx, few))
			again, err := s.Rescreen(ctx, changes, 0, nil)
			must(err)
			if len(again) > 0 {
				t.Errorf("turn %d: told twice: %q", turn, told(again))
			}
		}
	})
}

// A list may change between a search and its schedule.
func TestScheduleCatchesUp(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		s := newSearches(t, db)
		by := auth.Caller{Customer: 7, Account: 8}
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"))
		if err := s.Screener.Index.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		search := create(t, db, s, by, kyc.Request{Person: true, Name: "Ambrose Quillfeather"})
		if search.Tally.Total != 0 {
			t.Fatalf("got %+v", search.Tally)
		}
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"), person("test", "2", "Ambrose Quillfeather"))
		if _, err := s.Schedule(ctx, by, search.ID, kyc.ScheduleWish{}); err != nil {
			t.Fatal(err)
		}
		page, err := s.Alerts(ctx, by, kyc.AlertQuery{Limit: 5})
		if err != nil || len(page.List) != 1 || page.List[0].Listed.Main() != "Ambrose Quillfeather" {
			t.Errorf("got %+v %v", page, err)
		}
	})
}

// Who has a hit on an entry that leaves its list is told so once, unless it was
// judged false; and when it comes back, it is news.
func TestAnEntryLeavesItsList(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx, by := t.Context(), auth.Caller{Customer: 7, Account: 8}
		s := newSearches(t, db)
		whole := []kyc.Record{person("test", "1", "Casimir Thistlewood"), person("test", "2", "Dorothea Underhay"), person("test", "3", "Somebody Else")}
		mustTake(t, db, kyc.Intake{Whole: true}, whole...)
		must(t, s.Screener.Index.Refresh(ctx))
		read, err := db.LastEntryChange(ctx)
		must(t, err)
		watch := func(name string) kyc.Search {
			search := create(t, db, s, by, kyc.Request{Person: true, Name: name})
			mail, to := true, []string{"aml@example.com"}
			_, err := s.Schedule(ctx, by, search.ID, kyc.ScheduleWish{Email: &mail, Recipients: &to})
			must(t, err)
			return search
		}
		mine, judged := watch("Casimir Thistlewood"), watch("Dorothea Underhay")
		page, err := db.KYCHits(ctx, by, kyc.HitQuery{Search: judged.ID, Limit: 5})
		must(t, err)
		word := "falsePositive"
		_, _, err = s.Decide(ctx, by, true, judged.ID, page.List[0].ID, &word, nil)
		must(t, err)
		follow := func() (out []kyc.Notice) {
			t.Helper()
			changes, err := db.EntryChanges(ctx, read, 100)
			must(t, err)
			for range 2 { // a second time is none
				alerts, err := s.Rescreen(ctx, changes, 0, nil)
				must(t, err)
				must(t, db.SaveKYCAlerts(ctx, kyc.News{Alerts: alerts}, func(fresh []kyc.Alert) ([]monitor.Mail, error) {
					for i := range fresh {
						if !slices.Equal(fresh[i].Recipients, []string{"aml@example.com"}) {
							t.Errorf("it goes to %q", fresh[i].Recipients)
						}
						out = append(out, fresh[i].Notice())
					}
					return nil, nil
				}, job.Place{Name: "test"}))
			}
			read = changes[len(changes)-1].Number
			return out
		}
		mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, whole[2])
		if got := follow(); len(got) != 1 || got[0].Cause != kyc.EntryLeft || got[0].Search != mine.ID || got[0].List != "test" {
			t.Errorf("when they left: %+v", got)
		}
		page, err = db.KYCHits(ctx, by, kyc.HitQuery{Search: mine.ID, Limit: 5})
		if err != nil || len(page.List) != 1 || !page.List[0].Verdict.Left.Equal(noon) {
			t.Errorf("the hit is %+v %v", page.List, err)
		}
		mustTake(t, db, kyc.Intake{Whole: true}, whole...)
		if got := follow(); len(got) != 1 || got[0].Cause != kyc.NewHit || got[0].Earlier != page.List[0].ID {
			t.Errorf("when they came back: %+v", got)
		}
	})
}
