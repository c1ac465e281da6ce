package job_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
)

// These run in a bubble where time passes only when nobody has anything to do:
// what would wait for ever fails at once, and what waits a second shows it.

// running has a reader run until the test ends.
func (h *house) running(r *job.Reader[company.Change], failed func(error)) (stop func()) {
	ctx, cancel := context.WithCancel(h.t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { r.Run(ctx, failed) })
	return func() {
		cancel()
		wg.Wait()
	}
}

// bubble opens a house inside a bubble, on the bubble's clock.
func bubble(t *testing.T, test func(t *testing.T, h *house)) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.db.Now = time.Now
		test(t, h)
	})
}

func (h *house) node(owner string) *job.Reader[company.Change] {
	r := h.reader(owner)
	r.Now = time.Now
	return r
}

func noFailure(t *testing.T) func(error) {
	return func(err error) { t.Errorf("a step failed: %v", err) }
}

func TestWakeUpIsHeardAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		r := h.node("a")
		stop := h.running(r, noFailure(t))
		defer stop()
		synctest.Wait()
		began := time.Now()
		for i := range 5 {
			h.write(4) // more than one batch
			r.Wake.Raise()
			synctest.Wait()
			h.handled(4 * (i + 1))
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v, want none", took)
		}
	})
}

// A reader that rests handles the first at once, and what comes in drops after it
// together.
func TestWhatComesInDropsIsHandledTogether(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		r := h.node("a")
		r.Batch, r.Rest = 100, 200*time.Millisecond
		batches := 0
		r.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
			batches++
			return h.handle(ctx, batch, to)
		}
		stop := h.running(r, noFailure(t))
		defer stop()
		synctest.Wait()
		for i := range 10 {
			h.write(1)
			r.Wake.Raise()
			synctest.Wait()
			if i == 0 {
				h.handled(1)
			}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(r.Rest)
		synctest.Wait()
		h.handled(10)
		if batches != 2 {
			t.Errorf("it took %d batches, want the first and the rest", batches)
		}
	})
}

func TestLostWakeUpCostsOneInterval(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		r := h.node("a")
		stop := h.running(r, noFailure(t))
		defer stop()
		synctest.Wait()
		h.write(2)
		synctest.Wait()
		h.handled(0)
		time.Sleep(r.Every) // the bubble's time
		synctest.Wait()
		h.handled(2)
	})
}

// What is written while a step is under way is not forgotten.
func TestWakeUpDuringAStepIsHeard(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		r := h.node("a")
		began := time.Now()
		first := true
		r.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
			if first {
				first = false
				h.write(1)
				r.Wake.Raise()
			}
			return h.handle(ctx, batch, to)
		}
		h.write(1)
		stop := h.running(r, noFailure(t))
		defer stop()
		synctest.Wait()
		h.handled(2)
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v, want none", took)
		}
	})
}

func TestFailedStepIsToldAndTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		r := h.node("a")
		wrong := errors.New("the disk is full")
		tries := 0
		r.Handle = func(ctx context.Context, batch []company.Change, to job.Place) error {
			if tries++; tries <= 2 {
				return wrong
			}
			return h.handle(ctx, batch, to)
		}
		h.write(1)
		told := 0
		stop := h.running(r, func(err error) {
			if told++; !errors.Is(err, wrong) {
				t.Errorf("told %v", err)
			}
		})
		defer stop()
		time.Sleep(2 * r.Every)
		synctest.Wait()
		h.handled(1)
		if told != 2 {
			t.Errorf("%d failures were told, want 2", told)
		}
	})
}

// A node that stops gives its lease back, even when its last step failed.
func TestStoppedReaderGivesItsLeaseBack(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		a, b := h.node("a"), h.node("b")
		a.Handle = func(context.Context, []company.Change, job.Place) error { return errDied }
		h.write(1)
		stop := h.running(a, func(error) {})
		synctest.Wait()
		h.step(b, 0)
		stop()
		h.step(b, 1)
		h.handled(1)
	})
}

// One node reads; when it is gone without a word, the other goes on within the
// life of the lease.
func TestSecondNodeTakesOverWhenTheFirstIsGone(t *testing.T) {
	bubble(t, func(t *testing.T, h *house) {
		a, b := h.node("a"), h.node("b")
		h.write(1)
		h.step(a, 1) // and is never heard of again
		stop := h.running(b, noFailure(t))
		defer stop()
		h.write(1)
		began := time.Now()
		for h.count() < 2 && time.Since(began) < time.Minute {
			time.Sleep(time.Second / 10) // the bubble's time
			synctest.Wait()
		}
		h.handled(2)
		if took := time.Since(began); took > life+b.Every {
			t.Errorf("it took over after %v, want at most %v", took, life+b.Every)
		}
	})
}

// Whoever asks for the signal before it looks misses nothing. A wake-up that
// was lost would leave the bubble without anything to do, which fails the test.
func TestSignalLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s job.Signal
		var mu sync.Mutex
		count := 0
		look := func() int {
			mu.Lock()
			defer mu.Unlock()
			return count
		}
		const raisers, each = 4, 500
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for {
					wake := s.Wait()
					if look() == raisers*each {
						return
					}
					<-wake
				}
			})
		}
		for range raisers {
			wg.Go(func() {
				for range each {
					mu.Lock()
					count++
					mu.Unlock()
					s.Raise()
				}
			})
		}
		wg.Wait()
	})
}

func TestSignalWakesAllWhoWaitAndNobodyLater(t *testing.T) {
	var s job.Signal
	s.Raise() // nobody waits
	one, two := s.Wait(), s.Wait()
	select {
	case <-one:
		t.Fatal("woken before the signal")
	default:
	}
	s.Raise()
	<-one
	<-two
	select {
	case <-s.Wait():
		t.Fatal("woken by a signal from before")
	default:
	}
}
