package kyc_test

import (
	"errors"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// A search is answered again from the lists as they were, whatever became of
// them, to the last bit; what was tampered with shows, and another engine's
// answer is not imitated.
func TestASearchIsReplayed(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx, by := t.Context(), auth.Caller{Customer: 7, Account: 8}
		s := newSearches(t, db)
		mustTake(t, db, kyc.Intake{Whole: true}, people("test", 300)...)
		mustTake(t, db, kyc.Intake{Whole: true}, person("other", "1", "Casimir Thistlewood"), person("other", "2", "Kasimir Thistelwood"), person("other", "3", "Casimir Underhay"))
		must(t, s.Screener.Index.Refresh(ctx))
		search := create(t, db, s, by, kyc.Request{Person: true, Name: "Casimir Thistlewood", Threshold: 50})
		mustTake(t, db, kyc.Intake{Whole: true, AcceptShrink: true}, person("other", "2", "Somebody Else"), person("other", "9", "Casimir Thistlewood"))
		must(t, s.Screener.Index.Refresh(ctx))
		fresh := newSearches(t, db).Screener
		got, err := fresh.Replay(ctx, db, search.ID)
		if err != nil || len(got.Differs) > 0 || got.Kept < 2 || got.Kept != got.Found || got.Customer != by.Customer {
			t.Errorf("got %+v %v", got, err)
		}
		_, _, hits, err := db.KYCAnswer(ctx, search.ID)
		must(t, err)
		for i := range hits {
			hits[i].ID, hits[i].Search = kyc.HitID("bad-"+string(hits[i].ID)), "00000000-0000-4000-8000-000000000001"
		}
		hits[0].Verdict.Score += 1e-15
		bad := search
		bad.ID = hits[0].Search
		keep(t, db, &kyc.Saving{By: by, Search: bad, Hits: hits[:1]})
		if got, err := fresh.Replay(ctx, db, bad.ID); err != nil || len(got.Differs) != got.Found {
			t.Errorf("a hit that was changed, and others that were taken away: %+v %v", got, err)
		}
		bad.ID, bad.Looked.Engine = "00000000-0000-4000-8000-000000000002", "0.1"
		keep(t, db, &kyc.Saving{By: by, Search: bad})
		if _, err := fresh.Replay(ctx, db, bad.ID); !errors.Is(err, fault.Conflict) {
			t.Errorf("another engine: %v", err)
		}
	})
}

// Nothing is left of a subject that was purged, others are as they were, and the
// audit log is whole and cannot be tied to it any more.
func TestASubjectIsPurged(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		ctx, by, other := t.Context(), auth.Caller{Customer: 7, Account: 8}, auth.Caller{Customer: 9, Account: 10}
		batches, journal := newBatches(t, db)
		go journal.Run(ctx) // it ends with the test
		s := batches.Searches
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"))
		must(t, s.Screener.Index.Refresh(ctx))
		create := func(by auth.Caller, name string) kyc.Search {
			search := create(t, db, s, by, kyc.Request{Person: true, Name: name})
			must(t, journal.Write(ctx, auth.Entry{Action: auth.Screened, Customer: by.Customer, Person: s.Mark(search), Detail: "{}"}))
			return search
		}
		first, second := create(by, "Casimir Thistlewood"), create(by, "CASIMIR Thistlewood")
		stays, theirs := create(by, "Casimir Thistlewood Junior"), create(other, "Casimir Thistlewood")
		_, err := s.Schedule(ctx, by, first.ID, kyc.ScheduleWish{})
		must(t, err)
		word := "trueMatch"
		page, err := db.KYCHits(ctx, by, kyc.HitQuery{Search: first.ID, Limit: 5})
		must(t, err)
		_, _, err = s.Decide(ctx, by, true, first.ID, page.List[0].ID, &word, nil)
		must(t, err)
		b := kyc.Batch{ID: "batch", Kind: kyc.Upload}
		must(t, db.AddBatch(ctx, by, b, []kyc.BatchRow{
			{Number: 1, ID: "1", State: kyc.RowFailed, Asked: kyc.BatchLine{Type: "individual", First: "Casimir", Last: "Thistlewood", Born: "x"}},
			{Number: 2, ID: "2", State: kyc.RowFailed, Asked: kyc.BatchLine{Type: "individual", Name: "Somebody Else"}},
		}, job.Task{Kind: "x", Customer: int64(by.Customer), Input: []byte("{}")}))
		before, err := auth.VerifyAudit(ctx, db, testVault(t), nil)
		must(t, err)
		p, err := s.Purge(ctx, db, second.ID)
		must(t, err)
		if len(p.Searches) != 2 || len(p.Left) != 0 || p.Named != 2 || p.Removed["kyc_hit"] != 2 || p.Removed["kyc_decision"] != 1 ||
			p.Removed["kyc_schedule"] != 1 || p.Removed["kyc_batch_row"] != 1 || p.Removed["kyc_subject"] != 1 {
			t.Errorf("got %+v", p)
		}
		for _, id := range []kyc.SearchID{first.ID, second.ID} {
			if _, err := db.KYCSearch(ctx, by, id); !errors.Is(err, fault.Missing) {
				t.Errorf("a search is still there: %v", err)
			}
		}
		for who, kept := range map[auth.Caller]kyc.Search{by: stays, other: theirs} {
			if got, err := db.KYCSearch(ctx, who, kept.ID); err != nil || got.Tally.Total != 1 {
				t.Errorf("another's search: %+v %v", got, err)
			}
		}
		if rows, _, err := db.BatchRows(ctx, by, kyc.RowQuery{Batch: "batch", Limit: 5}); err != nil || len(rows) != 1 || rows[0].Number != 2 {
			t.Errorf("rows: %+v %v", rows, err)
		}
		after, err := auth.VerifyAudit(ctx, db, testVault(t), nil)
		if err != nil || after.Problem != before.Problem || after.Entries != before.Entries {
			t.Errorf("the audit log was %+v and is %+v (%v)", before, after, err)
		}
		// Whoever is searched for again is named anew.
		if again := create(by, "Casimir Thistlewood"); s.Mark(again) == s.Mark(first) {
			t.Error("the audit log names the subject as before")
		}
		n, err := s.PurgeOld(ctx, db, noon.Add(-time.Hour))
		if err != nil || n != 0 {
			t.Errorf("%d young ones were purged (%v)", n, err)
		}
		n, err = s.PurgeOld(ctx, db, noon.Add(time.Hour))
		if err != nil || n != 3 {
			t.Errorf("%d old ones were purged (%v), want 3", n, err)
		}
	})
}
