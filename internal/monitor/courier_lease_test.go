package monitor_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// outage is a database that keeps nothing while it is down.
type outage struct {
	*store.DB
	down bool
}

func (o *outage) Settle(ctx context.Context, list []monitor.Delivery, disable map[monitor.WebhookID]string, fences []job.Lease) error {
	if o.down {
		return errors.New("the database is out of reach")
	}
	return o.DB.Settle(ctx, list, disable, fences)
}

// The database is out of reach when an answer comes back, and for longer than
// the leases last. What could not be kept is sent again, in order, one at a time.
func TestOutageLosesNoDelivery(t *testing.T) {
	t.Parallel()
	for says, first := range map[string]int{"taken": 200, "refused": 500} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			w := newTown(t)
			id := w.hook(1, "a.example.com")
			w.happen(1, firm(1), firm(1), firm(1))
			w.later = true
			db := &outage{DB: w.db}
			c := w.courier()
			c.Store = db
			w.answer = func(*monitor.Sending) monitor.Answer { return status(first) }
			w.step(c)
			w.land()
			w.answer = func(*monitor.Sending) monitor.Answer { return status(200) }
			db.down = true
			if _, err := c.Step(t.Context()); err == nil {
				t.Fatal("nothing was to be kept")
			}
			db.down = false
			w.leaseEnds()
			w.step(c)
			// Another company's event comes and goes while the first is under way again.
			w.happen(1, firm(2))
			w.step(c)
			w.air[len(w.air)-1]()
			w.air = w.air[:len(w.air)-1]
			w.step(c)
			for i := len(w.air) - 1; i >= 0; i-- { // the last that was sent arrives first
				w.air[i]()
			}
			w.air = nil
			w.run(c, time.Minute)
			w.checkAll(never)
			w.checkOrder(never)
			if got := w.states(id); got[monitor.Delivered] != 4 || len(got) != 1 {
				t.Errorf("the deliveries are %v", got)
			}
		})
	}
}

// A message is under way for so long that another node takes over, delivers it,
// and is gone again. What then comes back of it is not news any more.
func TestLateAnswerOfAnOldLeaseChangesNothing(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	id := w.hook(1, "a.example.com")
	w.happen(1, firm(1), firm(1))
	slow, other := w.courier(), w.courier()
	begun, answer := make(chan struct{}, 1), make(chan monitor.Answer)
	var air sync.WaitGroup
	slow.Go = air.Go
	slow.Post = func(context.Context, *monitor.Sending) monitor.Answer {
		begun <- struct{}{}
		return <-answer
	}
	w.step(slow)
	<-begun
	w.leaseEnds()
	w.run(other, time.Second)
	w.leaseEnds()
	w.step(slow) // it is alone again
	answer <- status(500)
	air.Wait()
	slow.Go, slow.Post = func(f func()) { f() }, w.post
	w.run(slow, time.Minute)
	w.checkAll(never)
	if n := w.checkOrder(never); n != 0 {
		t.Errorf("%d messages were taken twice", n)
	}
	if got := w.states(id); got[monitor.Delivered] != 2 || len(got) != 1 {
		t.Errorf("the deliveries are %v", got)
	}
}
