package kyc_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"bureau/internal/auth"
	"bureau/internal/kyc"
	"bureau/internal/store"
)

// Searches that come together share a turn. One that cannot be kept is refused, and
// none of the others; each that was kept is in the audit log once, under the mark of
// its subject, and counted once.
func TestSearchesAreKeptTogether(t *testing.T) {
	onBoth(t, func(t *testing.T, db *store.DB) {
		mustTake(t, db, kyc.Intake{Whole: true}, person("test", "1", "Casimir Thistlewood"))
		batches, journal := newBatches(t, db)
		s, gate := batches.Searches, batches.Gate
		ids := []auth.CustomerID{7, 9}
		const each = 20
		var made [each * 2]*kyc.Saving
		for i := range made {
			by := auth.Caller{Customer: ids[i%2], Account: auth.AccountID(i%2 + 1)}
			var err error
			made[i], err = s.Screen(t.Context(), by, kyc.Request{Person: true, Name: fmt.Sprint("Casimir Thistlewood ", i%5)})
			must(t, err)
		}
		// They wait in the queue before anybody writes, and so share turns.
		errs := make([]error, len(made)+1)
		var all sync.WaitGroup
		put := func(i int, wall auth.CustomerID, one *kyc.Saving) {
			all.Go(func() { errs[i] = gate.CountParcel(auth.Within(t.Context(), wall), one.By, auth.KYC, one) })
		}
		for i, one := range made {
			put(i, one.By.Customer, one)
		}
		astray, err := s.Screen(t.Context(), auth.Caller{Customer: 9, Account: 2}, kyc.Request{Person: true, Name: "Casimir Thistlewood"})
		must(t, err)
		put(len(made), 7, astray)
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		go func() { journal.Run(ctx); close(ended) }()
		all.Wait()
		stop()
		<-ended
		for i, err := range errs {
			if wrong := i == len(made); (err != nil) != wrong {
				t.Errorf("%d: got %v, wrong is %t", i, err, wrong)
			}
		}
		noted := map[string]int{}
		must(t, db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
			if e.Action == auth.Screened {
				noted[fmt.Sprint(e.Customer, e.Account, e.Person, e.Detail)]++
			}
			return nil
		}))
		for _, one := range made {
			got, err := db.KYCSearch(t.Context(), one.By, one.Search.ID)
			must(t, err)
			one.Search.Secret = got.Secret // as the database has it
			e := one.Entry()
			if n := noted[fmt.Sprint(e.Customer, e.Account, e.Person, e.Detail)]; n != 1 || got.Tally != one.Search.Tally {
				t.Errorf("%s is in the log %d times, with the tally %+v", one.Search.ID, n, got.Tally)
			}
		}
		if len(noted) != len(made) {
			t.Errorf("%d searches are noted, want %d", len(noted), len(made))
		}
		if _, err := db.KYCSearch(t.Context(), astray.By, astray.Search.ID); err == nil {
			t.Error("what was handed in behind another customer's wall was kept")
		}
		for _, id := range ids {
			used, err := db.Usage(t.Context(), id, "2000-01-01", "2099-12-31")
			must(t, err)
			if len(used) != 1 || used[0].Calls != each {
				t.Errorf("customer %d is counted %+v", id, used)
			}
		}
		wantSound(t, db, gate.Directory)
	})
}

// wantSound wants the audit log to be whole.
func wantSound(t *testing.T, db *store.DB, dir *auth.Directory) {
	t.Helper()
	found, err := auth.VerifyAudit(t.Context(), db, testVault(t), dir.Keys())
	if err != nil || found.Problem != "" || found.Entries == 0 {
		t.Errorf("the audit log: %+v %v", found, err)
	}
}

// create screens a subject, and keeps question and answer.
func create(t *testing.T, db *store.DB, s *kyc.Searches, by auth.Caller, r kyc.Request) kyc.Search {
	t.Helper()
	made, err := s.Screen(t.Context(), by, r)
	must(t, err)
	keep(t, db, made)
	return made.Search
}

func keep(t *testing.T, db *store.DB, one *kyc.Saving) {
	t.Helper()
	must(t, db.Carry(t.Context(), auth.Seen{Access: 1 << 62, Attempts: 1 << 62}, []auth.Load{{Parcel: one}},
		func(auth.News) (auth.Record, error) { return auth.Record{}, nil }))
}
