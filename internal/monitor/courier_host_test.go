package monitor_test

import (
	"context"
	"testing"
	"testing/synctest"

	"bureau/internal/job"
	"bureau/internal/monitor"
)

// A host has so many messages at once and no more. One that it has answered is no longer
// there: the next goes out while the answer is still being kept.
func TestHostHasSoManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		w.later = true
		w.hook(1, "same.example.com")
		w.hook(2, "same.example.com")
		c := w.courier()
		c.PerHost = 3
		w.step(c)
		w.happen(1, firmsUpTo(4)...)
		w.happen(2, firmsUpTo(4)...)
		w.step(c)
		if len(w.air) != c.PerHost {
			t.Fatalf("%d are at the host at once, want %d", len(w.air), c.PerHost)
		}
		for w.land() {
		}
		slow := &slowToKeep{CourierStore: c.Store, on: make(chan struct{})}
		c.Store = slow
		stepped := make(chan struct{})
		go func() {
			defer close(stepped)
			w.step(c)
		}()
		synctest.Wait()
		if len(w.air) != c.PerHost {
			t.Errorf("%d are at the host while its first answers are kept, want %d", len(w.air), c.PerHost)
		}
		close(slow.on)
		<-stepped
		if len(w.air) != c.PerHost {
			t.Errorf("%d are at the host when they are, want %d", len(w.air), c.PerHost)
		}
		w.later = false
		for range 10 {
			for w.land() {
			}
			w.step(c)
		}
		w.checkAll(never)
	})
}

// slowToKeep keeps nothing before it is told to go on.
type slowToKeep struct {
	monitor.CourierStore
	on chan struct{}
}

func (s *slowToKeep) Settle(ctx context.Context, list []monitor.Delivery, disable map[monitor.WebhookID]string, fences []job.Lease) error {
	<-s.on
	return s.CourierStore.Settle(ctx, list, disable, fences)
}
