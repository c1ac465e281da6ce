package monitor

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
)

// A Sending is one delivery as it goes out.
type Sending struct {
	Hook     *Webhook // not to be changed
	Event    Event
	Delivery Delivery

	host  string
	probe bool
	fence int64     // of the lease by which it was ours
	until time.Time // it does not go out later: our leases may be over
}

// An Answer is what an endpoint said.
type Answer struct {
	Try
	RetryAfter time.Duration
}

// OK reports whether the endpoint took the delivery.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// The statuses that mean more than "not now".
const (
	statusGone        = 410 // the endpoint wants nothing more
	statusTooMany     = 429 // with Retry-After: the whole endpoint rests
	statusUnavailable = 503
)

// A Courier brings events to webhooks. Of one company an endpoint gets one
// event at a time, in order: the next goes out when the one before was taken or
// given up. A company that fails holds up itself alone, an endpoint that fails
// its own webhook, and a customer with much to send takes turns with others.
//
// Step does all the thinking, on one goroutine; beside it goes on the sending,
// and while what came back is being kept, new events of others are sent. What
// came back is kept before the next of its company goes out, so a crash repeats
// at most what was under way.
type Courier struct {
	Store  CourierStore
	Jobs   job.Store
	Post   func(ctx context.Context, s *Sending) Answer
	Owner  string
	Wake   *job.Signal // there are new events
	Now    func() time.Time
	Random *rand.Rand

	// Go starts a sending. Tests run it at once, or when they like.
	Go func(func())

	// Landed, if there is one, hears what became of a delivery each time it
	// was tried.
	Landed func(DeliveryState)

	Slots       int // sendings at once
	PerCustomer int
	PerHost     int
	PerWebhook  int

	// Gather is how long what came back may wait until it is kept together with
	// more, while nobody waits for it.
	Gather time.Duration

	held    []job.Lease
	asked   time.Time
	moved   time.Time // when it became what it is
	version int64     // of the last webhook that was read
	tail    EventID   // deliveries up to here were noticed
	lines   map[WebhookID]*line
	active  map[WebhookID]*line // those with something to do
	order   []WebhookID         // of those, made anew each time
	turn    int64               // grows with every sending

	flying     int
	again      int // of those, replays
	ofCustomer map[auth.CustomerID]int
	ofHost     map[string]int

	finished  results
	down      []*Sending // came back, and count as under way until that is kept
	unsettled []Delivery
	disable   map[WebhookID]string
	settled   time.Time // when something was last kept
}

// results are sendings that came back.
type results struct {
	mu   sync.Mutex
	list []result
	wake job.Signal
}

type result struct {
	*Sending
	answer Answer
	unsent bool
}

func (r *results) put(x result) {
	r.mu.Lock()
	r.list = append(r.list, x)
	r.mu.Unlock()
	r.wake.Raise()
}

func (r *results) take() []result {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.list
	r.list = nil
	return out
}

// errFenced says that another node may hold a part of our share by now: ask
// what is ours before anything else.
var errFenced = errors.New("another node may have taken over")

// Step takes in what came back, keeps it, reads what is new, and sends what may
// be sent. It returns when to step again if nothing wakes it.
func (c *Courier) Step(ctx context.Context) (next time.Time, err error) {
	now := c.Now()
	for _, do := range []func(context.Context, time.Time) error{
		c.hold, c.takeIn, c.refresh, c.dispatch,
		// What was parked on the way is kept at once: it is read from the
		// database when its turn comes.
		c.settleUnlessWaiting,
	} {
		err := do(ctx, now)
		if errors.Is(err, errFenced) {
			return now, nil
		}
		if err != nil {
			return time.Time{}, err
		}
	}
	return c.nextDue(now), nil
}

// takeIn takes in what came back and keeps it, or lets it wait.
func (c *Courier) takeIn(ctx context.Context, now time.Time) error {
	if c.land(now); c.mayWait(now) {
		return nil
	}
	return c.settleBeside(ctx, now)
}

// land takes in what came back.
func (c *Courier) land(now time.Time) {
	for _, r := range c.finished.take() {
		c.landed(r, now)
	}
}

// drainTime is how long a stop waits for what is under way. It ends before the
// leases do, or another node would send the same beside us.
const drainTime = 5 * time.Second

// Run steps until ctx is done and what is under way came back.
func (c *Courier) Run(ctx context.Context, failed func(error)) {
	// A sending outlives the order to stop, for a while.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(drainTime, cancel) })()
	for ctx.Err() == nil {
		woken, landed := c.Wake.Wait(), c.finished.wake.Wait()
		next, err := c.Step(work)
		if err != nil {
			failed(err)
			next = c.Now().Add(time.Second)
		}
		c.idle(ctx, woken, landed, next)
	}
	c.finish(work)
}

// idle waits until there is something to do: new events, or the time has come. What
// comes back meanwhile is taken in; it ends the wait if it is to be kept at once.
func (c *Courier) idle(ctx context.Context, woken, landed <-chan struct{}, next time.Time) {
	for {
		wait := min(next.Sub(c.Now()), time.Second)
		select {
		case <-woken: // before what came back: one select would draw lots
			return
		default:
		}
		if wait <= 0 {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-woken:
			timer.Stop()
			return
		case <-timer.C:
			return
		case <-ctx.Done():
			timer.Stop()
			return
		case <-landed:
			timer.Stop()
			landed = c.finished.wake.Wait()
			now := c.Now()
			if c.land(now); !c.mayWait(now) {
				return
			}
			if due := c.settled.Add(c.Gather); due.Before(next) {
				next = due
			}
		}
	}
}

// finish waits for what is under way, keeps it and gives the leases back. What
// takes too long is broken off and not counted: it is sent again.
func (c *Courier) finish(ctx context.Context) {
	late := ctx.Done()
	for c.flying > len(c.down) {
		landed := c.finished.wake.Wait()
		for _, r := range c.finished.take() {
			if ctx.Err() != nil {
				c.flying--
				continue
			}
			c.landed(r, c.Now())
		}
		if c.flying == len(c.down) {
			break
		}
		select {
		case <-landed:
		case <-late:
			late = nil
		}
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), drainTime)
	defer stop()
	if c.settle(end) != nil {
		return // the leases end by themselves
	}
	for _, l := range c.held {
		_ = c.Jobs.EndLease(end, l)
	}
}

// nextDue is when to look again if nothing wakes the courier.
func (c *Courier) nextDue(now time.Time) time.Time {
	next := now.Add(time.Second)
	if c.flying >= c.Slots {
		return next // what comes back wakes us
	}
	if due := c.settled.Add(c.Gather); len(c.unsettled) > 0 && due.Before(next) {
		next = due
	}
	for _, l := range c.active {
		if at := l.dueAt(now); at.Before(next) {
			next = at
		}
	}
	return next
}
