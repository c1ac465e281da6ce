package monitor_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/job"
	"bureau/internal/monitor"
)

// What endpoints answered is kept together while nobody waits for it, and at once
// where somebody does.
func TestAnswersAreKeptTogether(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.gather = 10 * time.Millisecond
	hook := w.hook(1, "a.example.com")
	c := w.courier()
	kept := func(want int, when string) {
		t.Helper()
		if got := w.states(hook)[monitor.Delivered]; got != want {
			t.Errorf("%s: %d are kept, want %d", when, got, want)
		}
	}
	for i := range 3 {
		w.happen(1, firm(i))
		w.step(c) // it goes out,
		if next := w.step(c); i > 0 && !next.Equal(w.now.Add(w.gather)) {
			t.Errorf("it looks again in %v", next.Sub(w.now))
		}
		kept(1, "before the time has come")
	}
	w.now = w.now.Add(w.gather)
	w.step(c)
	kept(3, "when it has")

	w.happen(1, firm(4), firm(4), firm(4))
	for range 4 {
		w.step(c)
	}
	if len(w.calls) != 6 {
		t.Errorf("a company waits for its own: %d messages went out of 6", len(w.calls))
	}

	w.answer = func(*monitor.Sending) monitor.Answer { return status(500) }
	w.happen(1, firm(5))
	w.step(c)
	w.step(c)
	if got := w.states(hook)[monitor.Parked]; got != 1 {
		t.Errorf("what failed waits to be kept: %v", w.states(hook))
	}
}

// Another node comes while answers wait to be kept: the share becomes another one, and
// what was delivered is not sent again.
func TestAnswersThatWaitOutliveANewShare(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.gather = 10 * time.Second
	for i := range 16 {
		w.hook(1, fmt.Sprintf("a%d.example.com", i))
	}
	c, other := w.courier(), w.courier()
	for i := range 2 {
		w.happen(1, firm(i)) // the answers to the first are kept at once, to the second not
		w.step(c)
		w.step(c)
	}
	w.step(other) // it is there, and has nothing yet
	w.now = w.now.Add(4 * time.Second)
	w.step(c)
	w.step(other)
	for range 4 {
		w.step(c)
		w.step(other)
	}
	if len(w.calls) != 32 {
		t.Errorf("%d messages went out, want 32", len(w.calls))
	}
}

// settles counts how often something is kept.
type settles struct {
	monitor.CourierStore
	n atomic.Int64
}

func (s *settles) Settle(ctx context.Context, list []monitor.Delivery, disable map[monitor.WebhookID]string, fences []job.Lease) error {
	s.n.Add(1)
	return s.CourierStore.Settle(ctx, list, disable, fences)
}

// One customer's many answers, each at its own time, are few commits.
func TestManyAnswersAreFewCommits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t)
		w.now, w.gather = time.Now(), 10*time.Millisecond
		w.db.Now = time.Now
		hook := w.hook(1, "a.example.com")
		c := w.courier()
		c.Now = time.Now
		c.Slots, c.PerCustomer, c.PerHost, c.PerWebhook = 256, 64, 64, 32
		counted := &settles{CourierStore: c.Store}
		c.Store = counted
		var flying, running sync.WaitGroup
		c.Go = flying.Go
		c.Post = func(context.Context, *monitor.Sending) monitor.Answer { return status(200) }
		ctx, stop := context.WithCancel(t.Context())
		running.Go(func() { c.Run(ctx, func(err error) { t.Error(err) }) })
		const many = 60
		for i := range many {
			w.happen(1, firm(i))
			c.Wake.Raise()
			time.Sleep(time.Millisecond)
		}
		time.Sleep(w.gather)
		synctest.Wait()
		if got := w.states(hook)[monitor.Delivered]; got != many {
			t.Errorf("%d of %d are kept", got, many)
		}
		if n := counted.n.Load(); n > many/10+2 {
			t.Errorf("%d answers took %d commits", many, n)
		}
		stop()
		running.Wait()
		flying.Wait()
	})
}
