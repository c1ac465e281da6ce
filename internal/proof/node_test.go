package proof

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// A node is a process of the service: a handle on the database, an engine and a
// courier. When it dies, all that it had in memory is gone.
type node struct {
	w      *world
	name   string
	db     *store.DB
	ctx    context.Context
	stop   context.CancelFunc
	work   sync.WaitGroup
	ahead  time.Duration // of its clock
	writes *line         // for the publisher

	mu     sync.Mutex
	fate   *rand.Rand
	dead   bool
	air    map[lane]monitor.EventID // under way
	gone   time.Duration            // after which others can see that it is dead
	paused time.Time                // until then it stands still
	pause  time.Duration            // and for so long
}

// parts are what a node's engine and courier are given. A planted bug puts
// something else in their place.
type parts struct {
	tell    monitor.EngineStore
	changes func(ctx context.Context, after int64, limit int) ([]company.Change, error)
	jobs    job.Store // the engine's
	store   monitor.CourierStore
	shares  job.Store // the courier's
	post    func(ctx context.Context, s *monitor.Sending) monitor.Answer
	wake    *job.Signal // there are new changes
	news    *job.Signal // there are new events
	now     func() time.Time
}

// start lets a new node live until it crashes or is told to stop.
func (w *world) start() {
	w.mu.Lock()
	w.made++
	n := &node{w: w, name: fmt.Sprintf("node %d", w.made), air: map[lane]monitor.EventID{}}
	w.mu.Unlock()
	n.db = w.connect()
	n.ctx, n.stop = context.WithCancel(context.Background())
	r := w.source(n.name)
	n.fate = r
	n.ahead = time.Duration(r.Int64N(int64(4*time.Second))) - 2*time.Second
	line := func(part string) *line { return &line{n: n, db: n.db, r: w.source(n.name + " " + part)} }
	n.writes = line("publisher")
	engine := line("engine")
	courier := line("courier")
	p := parts{
		tell: engineLine{engine}, changes: engineLine{engine}.Changes, jobs: jobLine{engine},
		store: courierLine{courier, line("settle")}, shares: jobLine{courier},
		post: n.post, wake: &n.db.Signals.Changes, news: &n.db.Signals.Events,
		now: func() time.Time { return time.Now().Add(n.ahead) },
	}
	if w.bug.plant != nil {
		w.bug.plant(n, &p)
	}
	e := &monitor.Engine{
		Store: p.tell, Jobs: p.jobs, Log: p.changes, Past: n.db.ChangesOf, Owner: n.name, Wake: p.wake, Now: p.now,
	}
	c := &monitor.Courier{
		Store: p.store, Jobs: p.shares, Post: p.post, Owner: n.name, Wake: p.news, Now: p.now,
		Random: w.source(n.name + " waits"), Go: n.work.Go,
		Slots: w.plan.slots, PerCustomer: max(1, w.plan.slots*2/3), PerHost: max(1, w.plan.slots/2), PerWebhook: max(1, w.plan.slots/2),
	}
	w.tell("%s starts", n.name)
	n.run(func() { e.Run(n.ctx, n.failed("engine")) })
	n.run(func() { c.Run(n.ctx, n.failed("courier")) })
	w.mu.Lock()
	w.nodes = append(w.nodes, n)
	w.mu.Unlock()
	w.lives.Go(n.live)
}

// run lets a part of the node work. A panic is the end of the node, and broken
// promise enough.
func (n *node) run(work func()) {
	n.work.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				n.w.broken("%s: panic: %v\n%s", n.name, p, debug.Stack())
				n.crash("by a panic")
			}
		}()
		work()
	})
}

func (n *node) failed(part string) func(error) {
	return func(err error) {
		if !errors.Is(err, errDead) {
			n.w.tell("%s: %s: %v", n.name, part, err)
		}
		n.w.count("failures", 1)
	}
}

// live waits for the end of a node, clears up behind it and, unless all is over,
// starts another in its place.
func (n *node) live() {
	<-n.ctx.Done()
	w := n.w
	n.mu.Lock()
	dead, gone := n.dead, n.gone
	n.mu.Unlock()
	if dead && gone == 0 {
		n.db.Close() // its locks go with it, at once
	}
	n.work.Wait()
	time.Sleep(gone)
	if !dead || gone > 0 {
		n.db.Close()
	}
	w.mu.Lock()
	over := w.over
	w.mu.Unlock()
	if !over {
		w.start()
	}
}

// crash ends a node here and now.
func (n *node) crash(when string) {
	n.mu.Lock()
	if n.dead {
		n.mu.Unlock()
		return
	}
	n.dead = true
	if n.fate.IntN(2) == 0 { // its machine is gone, and nobody can tell whether it comes back
		n.gone = 15 * time.Second
	}
	n.mu.Unlock()
	n.w.tell("%s is killed %s", n.name, when)
	n.w.count("crashes", 1)
	n.leave()
	n.stop()
}

// leave takes a node off the list of those who live.
func (n *node) leave() {
	n.w.mu.Lock()
	defer n.w.mu.Unlock()
	for i, other := range n.w.nodes {
		if other == n {
			n.w.nodes = append(n.w.nodes[:i:i], n.w.nodes[i+1:]...)
			return
		}
	}
}

// awake waits while the node stands still, and fails if it is dead. Those who
// wait together go on one after the other, as r decides.
func (n *node) awake(r *rand.Rand) error {
	for {
		n.mu.Lock()
		dead, paused := n.dead, n.paused
		n.mu.Unlock()
		if dead {
			return errDead
		}
		wait := time.Until(paused)
		if wait <= 0 {
			return nil
		}
		time.Sleep(wait + time.Duration(1+r.Int64N(int64(time.Millisecond))))
	}
}

// now is how likely things are at this time.
func (w *world) now() odds {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.odds
}

func (w *world) isOut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return time.Now().Before(w.out)
}

// wake tells the other nodes that there is something new, or forgets to. The
// one that wrote it knows already.
func (w *world) wake(by *node, r *rand.Rand, changes bool) {
	w.mu.Lock()
	nodes, deaf := w.nodes, w.odds.deaf
	w.mu.Unlock()
	for _, n := range nodes {
		switch {
		case n == by || r.Float64() < deaf:
		case changes:
			n.db.Signals.Changes.Raise()
		default:
			n.db.Signals.Events.Raise()
		}
	}
}
