package monitor_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/monitor"
)

// B23: a wake-up that is lost costs a second and no event. In the bubble time
// passes only when nobody has anything to do.
func TestLostWakeUpCostsASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		w.now = time.Now()
		w.db.Now = time.Now
		w.hook(1, "a.example.com")
		c := w.courier()
		c.Now = time.Now
		var flying, running sync.WaitGroup
		c.Go = flying.Go
		taken := make(chan time.Time, 1)
		c.Post = func(context.Context, *monitor.Sending) monitor.Answer {
			taken <- time.Now()
			return status(200)
		}
		ctx, stop := context.WithCancel(t.Context())
		running.Go(func() { c.Run(ctx, func(err error) { t.Error(err) }) })
		synctest.Wait()
		for range 3 {
			made := time.Now()
			w.happen(1, firm(1)) // and nobody tells the courier
			if took := (<-taken).Sub(made); took > time.Second {
				t.Errorf("it was sent after %v", took)
			}
			synctest.Wait()
		}
		stop()
		running.Wait()
		flying.Wait()
	})
}

// B9: what was about to be sent when the process stood still is not sent when it
// comes back after its leases: another may have sent it long ago.
func TestNothingGoesOutAfterTheLeases(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.hook(1, "a.example.com")
	w.happen(1, firmsUpTo(4)...)
	w.later = true
	paused, other := w.courier(), w.courier()
	w.step(paused)
	if len(w.air) == 0 {
		t.Fatal("nothing is about to be sent")
	}
	begun := w.air // its process stands still before they have begun
	w.air = nil
	w.later = false
	w.leaseEnds()
	w.run(other, time.Second)
	for _, f := range begun {
		f()
	}
	w.run(paused, time.Second)
	w.leaseEnds()
	w.run(other, time.Second)
	w.checkAll(never)
	if n := w.checkOrder(never); n != 0 {
		t.Errorf("%d messages came twice", n)
	}
	// Where nobody took over, they go out after all.
	alone := newTown(t)
	alone.hook(1, "a.example.com")
	alone.happen(1, firmsUpTo(4)...)
	alone.later = true
	c := alone.courier()
	alone.step(c)
	alone.leaseEnds()
	alone.run(c, time.Second)
	alone.checkAll(never)
	if n := alone.checkOrder(never); n != 0 {
		t.Errorf("%d messages came twice", n)
	}
}
