package proof

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"bureau/internal/store"
)

func prove() bool { return os.Getenv("BUREAU_PROVE") == "1" }

// Whatever goes wrong, in whatever order: every change that was acknowledged is
// in the log, every event that was asked for is stored once, and every endpoint
// takes each event of its customer, in order for each company, and none of
// another's. Nothing that is known to be delivered is sent again.
func TestNothingIsLost(t *testing.T) {
	seeds := 6
	if prove() {
		seeds = 400
	}
	if n, err := strconv.Atoi(os.Getenv("BUREAU_SEEDS")); err == nil {
		seeds = n
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			w := simulate(t, uint64(seed), small, bug{})
			if says := w.verdict(); says != "" {
				t.Error(says)
			}
			t.Log(w.counts)
		})
	}
}

// A seed makes the same history each time, to the last nanosecond: whoever is
// shown a failure can see it again.
func TestSeedMakesTheSameHistory(t *testing.T) {
	t.Parallel()
	p := small
	p.rounds = 2
	first, again, other := simulate(t, 3, p, bug{}), simulate(t, 3, p, bug{}), simulate(t, 4, p, bug{})
	if first.trace.Sum64() != again.trace.Sum64() {
		t.Errorf("one seed made two histories: %v and %v", first.counts, again.counts)
	}
	if first.trace.Sum64() == other.trace.Sum64() {
		t.Error("two seeds made one history")
	}
}

// One long history: with BUREAU_PROVE=1 a million events and a thousand nodes
// that die, else as much as there is time for.
func TestLongHistory(t *testing.T) {
	t.Parallel()
	p, events, crashes := long, 4_000, 3
	if prove() {
		p, events, crashes = million, 1_000_000, 1000
	}
	began := time.Now()
	w := simulate(t, 1, p, bug{})
	if says := w.verdict(); says != "" {
		t.Error(says)
	}
	t.Logf("%v in %v", w.counts, time.Since(began).Round(time.Second))
	if w.counts["events"] < events || w.counts["crashes"] < crashes {
		t.Error("that is too little")
	}
}

// simulate lives through a world.
func simulate(t *testing.T, seed uint64, p plan, b bug) (w *world) {
	emptyDB(t) // outside the bubble: it is for all
	synctest.Test(t, func(t *testing.T) {
		w = newWorld(t, seed, p, b)
		w.play()
	})
	return w
}

// nodesMost is how many nodes there are, when all of them live.
const nodesMost = 3

// play lets the world go through some rounds. In each there is trouble while
// changes are published, and then calm, in which all must come to rest by itself:
// what only the next restart would bring back counts as lost.
func (w *world) play() {
	for range nodesMost {
		w.start()
	}
	db := w.connect()
	defer db.Close()
	for range w.plan.rounds {
		w.trouble()
		w.calm(db)
		if w.isBroken() {
			break
		}
	}
	w.end()
	if !w.isBroken() {
		w.check(db)
	}
}

// trouble lets things go wrong while a round's changes are published.
func (w *world) trouble() {
	w.mu.Lock()
	w.odds = rough
	w.odds.crash = w.plan.crash
	w.mu.Unlock()
	published := make(chan struct{})
	go func() {
		w.publisher.run()
		close(published)
	}()
	r := w.source(fmt.Sprint("director ", w.publisher.batch))
	for {
		select {
		case <-published:
			return
		case <-time.After(time.Duration(1 + r.Int64N(int64(2*w.plan.pause)))):
			w.direct(r)
		}
	}
}

// direct lets one thing go wrong.
func (w *world) direct(r *rand.Rand) {
	n := w.any(r)
	length := time.Duration(r.Int64N(int64(25 * time.Second)))
	switch draw := r.IntN(100); {
	case n == nil || draw < 40:
		w.mood()
	case draw < 48:
		n.crash("from outside")
	case draw < 63:
		w.tell("%s stands still for %v", n.name, length)
		n.mu.Lock()
		n.paused, n.pause = time.Now().Add(length), length
		n.mu.Unlock()
	case draw < 73:
		w.tell("the database is out of reach for %v", length)
		w.mu.Lock()
		w.out = time.Now().Add(length)
		w.mu.Unlock()
	case draw < 81:
		w.jump(length - 10*time.Second)
	case draw < 85:
		w.tell("%s is stopped", n.name)
		n.leave()
		n.stop()
	}
}

// calm lets nothing go wrong, until all is told. Wake-ups may still be lost, and
// what stands still or is out of reach does so to its end.
func (w *world) calm(db *store.DB) {
	w.tell("nothing more goes wrong")
	w.mu.Lock()
	w.odds = odds{deaf: rough.deaf}
	for _, e := range w.hooks {
		e.all = 0
		clear(e.bad)
	}
	w.mu.Unlock()
	for began := time.Now(); !w.isBroken() && !w.atRest(db); time.Sleep(5 * time.Second) {
		if time.Since(began) > patience {
			w.broken("after %v in which nothing went wrong not all is told: %s", patience, w.unrest(db))
			return
		}
	}
}

// jump moves the clock that all nodes share.
func (w *world) jump(by time.Duration) {
	w.tell("the database's clock jumps by %v", by)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.skew += by; by > 0 {
		w.jumped = time.Now()
	}
}

// end stops all nodes, and those that were about to start.
func (w *world) end() {
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	for {
		w.mu.Lock()
		nodes := w.nodes
		w.nodes = nil
		w.mu.Unlock()
		if len(nodes) == 0 {
			break
		}
		for _, n := range nodes {
			n.stop()
		}
		w.lives.Wait()
	}
}
