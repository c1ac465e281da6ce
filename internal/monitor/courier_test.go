package monitor_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

func TestEventsArriveInOrder(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	a, b := w.hook(1, "a.example.com"), w.hook(1, "b.example.com")
	w.hook(2, "c.example.com")
	for i := range 30 {
		w.happen(1, firm(1), firm(2), firm(i%5))
		w.happen(2, firm(1))
	}
	w.run(w.courier(), 10*time.Second)
	if n := w.checkOrder(never); n != 0 {
		t.Errorf("%d duplicates", n)
	}
	w.checkAll(never)
	for _, id := range []monitor.WebhookID{a, b} {
		if got := w.states(id)[monitor.Delivered]; got != 90 {
			t.Errorf("%d deliveries of webhook %d are done, want 90", got, id)
		}
	}
	// What comes later is noticed.
	c := w.courier()
	w.leaseEnds()
	w.run(c, time.Second)
	w.happen(1, firm(9))
	w.run(c, time.Second)
	w.checkAll(never)
}

// A company with more events than are kept in memory, and a courier that is lost
// with the first of them in the air.
func TestLongLaneStaysInOrder(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 32, 33, 34, 35, 80, 300} {
		w := newTown(t)
		w.hook(1, "a.example.com")
		for range n {
			w.happen(1, firm(1))
		}
		w.later = true
		w.step(w.courier()) // and it is never seen again, nor is what it sent
		w.air = nil
		w.leaseEnds()
		w.later = false
		w.run(w.courier(), time.Minute)
		w.checkAll(never)
		if d := w.checkOrder(never); d != 0 {
			t.Errorf("%d duplicates", d)
		}
	}
}

// B13: one company that is never taken holds up nobody but itself.
func TestPoisonHoldsUpNobody(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	poison := firm(7)
	w.answer = func(s *monitor.Sending) monitor.Answer {
		if s.Event.Company == poison {
			return status(500)
		}
		return status(200)
	}
	for i := range 60 {
		w.happen(1, poison, firm(20+i%4))
	}
	c := w.courier()
	w.run(c, 2*time.Second)
	if got := w.states(h); got[monitor.Delivered] != 60 || got[monitor.Parked] != 60 {
		t.Errorf("got %v, want 60 delivered and 60 behind the one that fails", got)
	}
	tries := w.of(func(c call) bool { return c.of == poison })
	if len(tries) > 2 || slices.ContainsFunc(tries, func(c call) bool { return c.event != tries[0].event }) {
		t.Errorf("the company that fails was tried: %v", tries)
	}
	// It gets well, and all goes out in order.
	w.answer = func(*monitor.Sending) monitor.Answer { return status(204) }
	w.run(c, time.Minute)
	w.checkAll(never)
	w.checkOrder(never)
}

// Given up after three days; the next of the company is tried then. One call
// sends them again.
func TestDeadLetter(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	poison := func(s *monitor.Sending) bool { return s.Event.Company == firm(1) && s.Event.ID == 1 }
	w.answer = func(s *monitor.Sending) monitor.Answer {
		if poison(s) {
			return status(500)
		}
		return status(200)
	}
	w.happen(1, firm(1), firm(1), firm(2))
	c := w.courier()
	w.run(c, 71*time.Hour)
	if got := w.states(h); got[monitor.Dead] != 0 || got[monitor.Parked] != 2 {
		t.Fatalf("after 71 hours: %v", got)
	}
	w.run(c, 5*time.Hour)
	if got := w.states(h); got[monitor.Dead] != 1 || got[monitor.Delivered] != 2 {
		t.Fatalf("after 76 hours: %v", got)
	}
	d, err := w.db.Delivery(t.Context(), by(1), h, 1)
	w.must(err)
	if n := len(w.of(func(c call) bool { return c.event == 1 })); n < 15 || n > 60 || len(d.Tries) != n {
		t.Errorf("tried %d times, %d remembered", n, len(d.Tries))
	}
	w.checkOrder(func(_ monitor.WebhookID, e monitor.EventID) bool { return e == 1 })
	w.answer = func(*monitor.Sending) monitor.Answer { return status(200) }
	n, _, err := w.db.Replay(t.Context(), by(1), h, monitor.ReplayQuery{Since: 1, Dead: true}, 100)
	if w.must(err); n != 1 {
		t.Errorf("%d are sent again, want 1", n)
	}
	w.run(c, 2*time.Second)
	w.checkAll(never)
	if last := w.calls[len(w.calls)-1]; last.event != 1 || !last.replay {
		t.Errorf("the last call is %+v", last)
	}
}

// B14: an endpoint that is down is asked now and then, and those of others
// notice nothing.
func TestBreaker(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	down, well := w.hook(1, "down.example.com"), w.hook(1, "well.example.com")
	broken := true
	w.answer = func(s *monitor.Sending) monitor.Answer {
		if s.Hook.ID == down && broken {
			return status(0)
		}
		return status(200)
	}
	w.happen(1, firmsUpTo(200)...)
	c := w.courier()
	w.run(c, 10*time.Second)
	if got := w.states(well)[monitor.Delivered]; got != 200 {
		t.Errorf("the other endpoint took %d of 200", got)
	}
	w.run(c, time.Hour)
	if n := len(w.of(func(c call) bool { return c.hook == down })); n < 20 || n > 80 {
		t.Errorf("the endpoint was asked %d times in an hour", n)
	}
	broken = false
	w.run(c, 10*time.Minute)
	// Some have failed before and wait for their own time.
	if got := w.states(down)[monitor.Delivered]; got < 150 {
		t.Errorf("%d of 200 were taken ten minutes after it got well", got)
	}
	w.run(c, 4*time.Hour)
	w.checkAll(never)
	w.checkOrder(never)
}

func TestRetryAfterIsObeyed(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	full := true
	w.answer = func(*monitor.Sending) monitor.Answer {
		if full {
			a := status(429)
			a.RetryAfter = 10 * time.Minute
			return a
		}
		return status(200)
	}
	w.happen(1, firmsUpTo(40)...)
	began := w.now
	c := w.courier()
	w.run(c, 9*time.Minute)
	full = false
	if n := len(w.calls); n > 4 { // what was under way when it said so
		t.Errorf("it was asked %d times", n)
	}
	w.run(c, 2*time.Minute)
	if got := w.states(h)[monitor.Delivered]; got != 40 {
		t.Errorf("%d of 40 were taken", got)
	}
	for _, c := range w.of(func(c call) bool { return c.taken }) {
		if c.at.Before(began.Add(10 * time.Minute)) {
			t.Fatalf("it was asked again after %v", c.at.Sub(began))
		}
	}
}

func TestGoneDisables(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	w.answer = func(*monitor.Sending) monitor.Answer { return status(410) }
	w.happen(1, firm(1), firm(1), firm(1))
	c := w.courier()
	w.run(c, time.Hour)
	got, err := w.db.Webhook(t.Context(), by(1), h)
	w.must(err)
	if !got.Disabled || got.Reason == "" || len(w.calls) != 1 {
		t.Errorf("got %+v after %d calls", got, len(w.calls))
	}
	w.happen(1, firm(2)) // not for a webhook that is disabled
	w.answer = func(*monitor.Sending) monitor.Answer { return status(200) }
	_, err = w.db.EditWebhook(t.Context(), by(1), h, func(h *monitor.Webhook) error {
		h.Disabled, h.Reason = false, ""
		return nil
	})
	w.must(err)
	w.run(c, time.Minute)
	if got := w.states(h); got[monitor.Delivered] != 3 || len(got) != 1 {
		t.Errorf("got %v, want what waited delivered", got)
	}
	w.checkOrder(never)
}

// Nobody waits for one who has much to send.
func TestFairness(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	w.hook(1, "noisy.example.com")
	for c := auth.CustomerID(2); c <= 5; c++ {
		w.hook(c, "quiet.example.com")
	}
	w.happen(1, firmsUpTo(2000)...)
	for c := auth.CustomerID(2); c <= 5; c++ {
		w.happen(c, firm(1), firm(2), firm(3))
	}
	w.later = true
	c := w.courier()
	last := map[auth.CustomerID]int{}
	for range 200 {
		w.step(c)
		w.land()
		w.land()
	}
	for i, k := range w.calls {
		last[w.hooks[k.hook].Customer] = i
	}
	for c := auth.CustomerID(2); c <= 5; c++ {
		n := len(w.of(func(k call) bool { return w.hooks[k.hook].Customer == c }))
		if n != 3 || last[c] > 60 {
			t.Errorf("customer %d had its %d events at turn %d", c, n, last[c])
		}
	}
}

// The limits hold, whoever the webhooks belong to.
func TestLimits(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	for c := auth.CustomerID(1); c <= 4; c++ {
		for range 3 {
			w.hooks[w.hook(c, "one.example.com/"+string(rune('a'+len(w.hooks))))] = monitor.Webhook{Customer: c}
		}
		w.hook(c, "own.example.com")
		w.happen(c, firmsUpTo(20)...)
	}
	w.later = true
	c := w.courier()
	w.step(c)
	if len(w.air) > 16 || len(w.air) < 10 {
		t.Errorf("%d are under way, of 16 at most", len(w.air))
	}
	for w.land() {
	}
	perHook, one := map[monitor.WebhookID]int{}, 0
	for _, k := range w.calls {
		perHook[k.hook]++
		if w.hooks[k.hook].URL == "" {
			one++
		}
	}
	for id, n := range perHook {
		if n > 4 {
			t.Errorf("webhook %d had %d at once, want at most 4", id, n)
		}
	}
	if one > 6 {
		t.Errorf("one host had %d at once, want at most 6", one)
	}
}

// B22: what is sent again waits for what is sent first.
func TestReplaysComeLast(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	for range 30 {
		w.happen(1, firmsUpTo(10)...)
	}
	c := w.courier()
	w.run(c, 5*time.Second)
	w.checkAll(never)
	total := 0
	for since := monitor.EventID(1); since != 0; {
		n, last, err := w.db.Replay(t.Context(), by(1), h, monitor.ReplayQuery{Since: since}, 100)
		w.must(err)
		if total += n; last == 0 {
			break
		}
		since = last + 1
	}
	if total != 300 {
		t.Errorf("%d are sent again, want 300", total)
	}
	w.calls = nil
	w.later = true
	w.step(c)
	if len(w.air) > 2 {
		t.Errorf("%d replays are under way at once", len(w.air))
	}
	w.happen(1, firm(1), firm(50), firm(1))
	w.land()
	w.run(c, 5*time.Second)
	fresh := 0
	for i, k := range w.calls {
		if !k.replay {
			fresh = i
		}
	}
	if fresh > 8 {
		t.Errorf("the last new event came after %d replays", fresh)
	}
	if got := len(w.of(func(k call) bool { return k.replay })); got != 300 {
		t.Errorf("%d replays, want 300", got)
	}
	w.checkOrder(func(_ monitor.WebhookID, e monitor.EventID) bool { return e <= 300 })
	// One event, and one from before the webhook was made.
	later := w.hook(1, "b.example.com")
	for _, id := range []monitor.WebhookID{h, later} {
		if n, _, err := w.db.Replay(t.Context(), by(1), id, monitor.ReplayQuery{Event: 5}, 100); err != nil || n != 1 {
			t.Errorf("webhook %d: %d, %v", id, n, err)
		}
	}
	w.calls = nil
	w.run(c, time.Second)
	if len(w.calls) != 2 || w.calls[0].event != 5 || w.calls[1].event != 5 {
		t.Errorf("got %v", w.calls)
	}
}

// A stop waits for what is under way and keeps what came of it.
func TestStopFinishesWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	for i := range 4 {
		w.happen(1, firm(i))
	}
	c := w.courier()
	started, release := make(chan struct{}, 10), make(chan struct{})
	c.Post = func(ctx context.Context, s *monitor.Sending) monitor.Answer {
		started <- struct{}{}
		<-release
		if ctx.Err() != nil {
			t.Error("it was broken off")
		}
		return status(200)
	}
	c.Go = func(f func()) { go f() } // Run waits for them
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx, func(err error) { t.Error(err) })
	}()
	for range 4 {
		<-started
	}
	stop()
	close(release)
	<-done
	if got := w.states(h)[monitor.Delivered]; got != 4 {
		t.Errorf("%d of 4 are kept", got)
	}
	// Its leases are free at once.
	w.happen(1, firm(9))
	w.settle(w.courier())
	if got := w.states(h)[monitor.Delivered]; got != 5 {
		t.Errorf("the next courier has to wait")
	}
}

// An event that retention took is not tried for ever.
func TestForgottenEvents(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h := w.hook(1, "a.example.com")
	w.happen(1, firm(1), firm(2))
	w.must(errOf(w.db.ForgetEvents(t.Context(), w.now.AddDate(0, 0, 2), 100)))
	w.run(w.courier(), time.Second)
	if got := w.states(h); got[monitor.Dead] != 2 || len(w.calls) != 0 {
		t.Errorf("got %v after %d calls", got, len(w.calls))
	}
}

func errOf[T any](_ T, err error) error { return err }
