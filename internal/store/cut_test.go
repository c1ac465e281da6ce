package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// B23: a connection that is cut in the middle of a claim, or of keeping what
// became of a delivery, leaves nothing half done: what is tried again succeeds,
// and what another did meanwhile stands.
func TestCutConnectionsLeaveNothingHalfDone(t *testing.T) {
	url := storetest.Postgres(t)
	db, other, ctx := open(t, url), open(t, url), t.Context()
	by := auth.Caller{Customer: 1, Account: 2}
	p, err := db.CreatePortfolio(ctx, by, monitor.Portfolio{Name: "one"})
	must(t, err)
	h, err := db.CreateWebhook(ctx, by, monitor.Webhook{URL: "https://example.com/"}, 1)
	must(t, err)
	_, err = db.Tell(ctx, []monitor.Event{{Customer: 1, Portfolio: p.ID, Company: "GB-0-1", Country: monitor.Everywhere, Rule: 101, Change: 1, At: time.Now()}}, nil)
	must(t, err)
	held, err := db.Share(ctx, "work", 4, "a", time.Minute)
	must(t, err)
	waiting, err := db.WaitingFor(ctx, h.Customer, h.ID, false, 0, 10)
	must(t, err)
	waiting[0].State = monitor.Delivered
	search := kyc.Saving{By: by, Search: kyc.Search{ID: "00000000-0000-4000-8000-000000000001", Sought: "x", Secret: []byte{1}}}
	for _, it := range []struct {
		says string
		lock string // what somebody else holds, so that it stops half-way
		do   func(ctx context.Context) error
		then func() bool // it is as if nothing had been done
	}{
		{
			"a claim", `SELECT fence FROM lease WHERE name LIKE 'work/%' FOR UPDATE`,
			func(ctx context.Context) error {
				_, err := db.Share(ctx, "work", 4, "a", time.Minute)
				return err
			},
			func() bool {
				again, err := other.Share(ctx, "work", 4, "a", time.Minute)
				must(t, err)
				return len(again) == len(held) && same(again, held)
			},
		},
		{
			"what became of a delivery", `SELECT event FROM delivery FOR UPDATE`,
			func(ctx context.Context) error { return db.Settle(ctx, waiting, nil, held) },
			func() bool {
				d, err := other.Delivery(ctx, by, h.ID, 1)
				must(t, err)
				return d.State == monitor.Waiting
			},
		},
		{
			"what a turn carries", `SELECT id FROM record FOR UPDATE`,
			func(ctx context.Context) error {
				nothing := func(auth.News) (auth.Record, error) { return auth.Record{}, nil }
				err := db.Carry(ctx, auth.Seen{Access: 1 << 62, Attempts: 1 << 62}, []auth.Load{{Parcel: &search}}, nothing)
				if errors.As(err, new(auth.Unkept)) {
					t.Errorf("the search is blamed: %v", err)
				}
				return err
			},
			func() bool {
				_, err := other.KYCSearch(ctx, by, search.Search.ID)
				return errors.Is(err, fault.Missing)
			},
		},
	} {
		t.Run(it.says, func(t *testing.T) {
			locked, release, ended := make(chan struct{}), make(chan struct{}), make(chan error, 2)
			go func() {
				ended <- other.write(ctx, func(x tx) error {
					if err := each(ctx, x, func(row) error { return nil }, it.lock); err != nil {
						return err
					}
					close(locked)
					<-release
					return nil
				})
			}()
			<-locked
			done := make(chan error, 1)
			go func() { done <- it.do(ctx) }()
			cutWaiting(t, other)
			if err := <-done; err == nil {
				t.Error("the connection was cut, and nobody was told")
			}
			close(release)
			must(t, <-ended)
			if !it.then() {
				t.Error("it was half done")
			}
			if err := it.do(ctx); err != nil {
				t.Errorf("tried again: %v", err)
			}
		})
	}
	d, err := db.Delivery(ctx, by, h.ID, 1)
	if err != nil || d.State != monitor.Delivered {
		t.Errorf("in the end it is %v (%v)", d.State, err)
	}
}

func same(a, b []job.Lease) bool {
	fences := map[string]int64{}
	for _, l := range a {
		fences[l.Name] = l.Fence
	}
	for _, l := range b {
		if fences[l.Name] != l.Fence {
			return false
		}
	}
	return true
}

// cutWaiting cuts the connection that waits for a lock, as soon as there is one.
func cutWaiting(t *testing.T, db *DB) {
	t.Helper()
	for began := time.Now(); ; {
		cut := 0
		err := each(t.Context(), db, func(row) error { cut++; return nil }, `
			SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`)
		must(t, err)
		if cut > 0 {
			return
		}
		if time.Since(began) > 30*time.Second {
			t.Fatal("nobody waits for the lock")
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
