package store

import (
	"context"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// woken fails the test unless a channel is closed before long.
func woken(t *testing.T, what string, wake <-chan struct{}) {
	t.Helper()
	select {
	case <-wake:
	case <-time.After(30 * time.Second):
		t.Errorf("%s woke nobody", what)
	}
}

func aChangeOf(t *testing.T, db *DB) {
	t.Helper()
	err := db.Write(t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{{Company: "GB-0-1", Field: company.FieldName, New: "x", At: time.Now()}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Whoever writes wakes those who follow in the same process.
func TestWritingWakesThisNode(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		wake := db.Signals.Changes.Wait()
		aChangeOf(t, db)
		woken(t, "a change", wake)
		p, err := db.CreatePortfolio(t.Context(), ledgerOwner, monitor.Portfolio{Name: "one"})
		if err != nil {
			t.Fatal(err)
		}
		wake = db.Signals.Events.Wait()
		if _, err := db.Tell(t.Context(), []monitor.Event{{Customer: 1, Portfolio: p.ID, Company: "GB-0-1", Change: 1, At: time.Now()}}, nil); err != nil {
			t.Fatal(err)
		}
		woken(t, "an event", wake)
	})
}

// On PostgreSQL the other nodes are woken too, and one that begins to listen
// looks at once: what was told while it did not is not waited for.
func TestWritingWakesOtherNodes(t *testing.T) {
	url := storetest.Postgres(t)
	writes, listens := open(t, url), open(t, url)
	ctx, stop := context.WithCancel(t.Context())
	heard := make(chan error, 1)
	begun := listens.Signals.Events.Wait()
	go func() { heard <- listens.Listen(ctx) }()
	woken(t, "beginning to listen", begun)
	for range 3 {
		wake := listens.Signals.Changes.Wait()
		aChangeOf(t, writes)
		woken(t, "a change on another node", wake)
	}
	stop()
	if err := <-heard; err != nil {
		t.Errorf("told to stop, it ended with %v", err)
	}
}

// A connection that breaks is told of, so that it is opened again.
func TestListeningEndsWithItsConnection(t *testing.T) {
	url := storetest.Postgres(t)
	db, other := open(t, url), open(t, url)
	heard := make(chan error, 1)
	begun := db.Signals.Changes.Wait()
	go func() { heard <- db.Listen(t.Context()) }()
	woken(t, "beginning to listen", begun)
	err := other.write(t.Context(), func(t1 tx) error {
		_, err := t1.Exec(t.Context(), `
			SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE query LIKE 'LISTEN%' AND datname = current_database()`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-heard:
		if err == nil {
			t.Error("the connection broke, and nobody was told")
		}
	case <-time.After(30 * time.Second):
		t.Error("it still listens on a connection that broke")
	}
}
