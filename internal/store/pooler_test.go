package store

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"bureau/internal/store/storetest"
)

// Behind a PgBouncer that pools sessions two nodes do all that they do without
// one: they make the schema, write at once, wake each other, and know when the
// other has gone.
func TestBehindAPooler(t *testing.T) {
	server := storetest.PostgresServer(t)
	url := server.Pooled("postgres")
	one, two := open(t, url), open(t, url)
	ctx := t.Context()

	listening, stop := context.WithCancel(ctx)
	heard := make(chan error, 1)
	begun := one.Signals.Events.Wait()
	go func() { heard <- one.Listen(listening) }()
	defer func() {
		stop()
		if err := <-heard; err != nil {
			t.Error(err)
		}
	}()
	woken(t, "the beginning", begun)
	w := newWorld(t, two)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if _, err := w.office.AddCustomer(ctx, fmt.Sprint("customer ", i), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 20 {
		if !w.has(t, fmt.Sprint("customer ", i)) {
			t.Errorf("customer %d is gone", i)
		}
	}

	if err := two.announce(ctx, "two"); err != nil {
		t.Fatal(err)
	}
	gone := func() (yes bool) {
		t.Helper()
		err := one.write(ctx, func(t tx) (err error) {
			yes, err = one.gone(ctx, t, "two")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if gone() {
		t.Error("a node that is there is taken to be gone")
	}
	two.engine.(*pgEngine).hangUp()                                       // as when its process ends
	for began := time.Now(); !gone(); time.Sleep(10 * time.Millisecond) { // between two looks
		if time.Since(began) > 10*time.Second {
			t.Fatal("a node that has gone is taken to be there")
		}
	}
	told := one.Signals.Events.Wait()
	if err := two.write(ctx, func(t tx) error { return t.Together(ctx, two.tell(eventsMade)) }); err != nil {
		t.Fatal(err)
	}
	woken(t, "the other node", told)
}
