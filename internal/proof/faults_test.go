package proof

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

var (
	errDead = errors.New("this node is dead")
	errOut  = errors.New("the database cannot be reached")
	errLost = errors.New("the answer was lost")
	errCut  = errors.New("the connection was cut")
)

// A line is one of a node's connections to the database. What can happen to a
// call is drawn in the order of calls, so a line is for one goroutine.
type line struct {
	n  *node
	db *store.DB
	r  *rand.Rand
}

// ask calls the database to read.
func (l *line) ask(ctx context.Context, do func(context.Context) error) error {
	return l.call(ctx, false, do)
}

// write calls it to change something.
func (l *line) write(ctx context.Context, do func(context.Context) error) error {
	return l.call(ctx, true, do)
}

func (l *line) call(ctx context.Context, writes bool, do func(context.Context) error) error {
	if err := l.way(); err != nil {
		return err
	}
	o := l.n.w.now()
	// Each call draws as often as every other, so that what one part of the
	// plan says does not move the rest of the history.
	fail, cut, lost, crash, looks := l.r.Float64(), l.r.Float64(), l.r.Float64(), l.r.Float64(), l.r.IntN(3)
	switch {
	case fail < o.fail || l.n.w.isOut():
		return errOut
	case crash < o.crash/2:
		l.n.crash("before a call")
		return errDead
	}
	// What takes no time is not broken off; whoever is dead is not heard.
	work := context.WithoutCancel(ctx)
	if writes && cut < o.cut {
		work = &cutContext{Context: work, looks: looks}
	}
	err := do(work)
	if o = l.n.w.now(); crash >= o.crash/2 && crash < o.crash {
		l.n.crash("after a call")
		return errDead
	}
	if back := l.way(); back != nil {
		return back
	}
	if err == nil && writes && lost < o.lost {
		l.n.w.count("lost answers", 1)
		return errLost
	}
	return err
}

// way is the time that a call, or its answer, is on its way.
func (l *line) way() error {
	d := time.Duration(1 + l.r.Int64N(int64(3*time.Millisecond)))
	if l.r.Float64() < l.n.w.now().stall {
		d += time.Duration(l.r.Int64N(int64(20 * time.Second)))
		l.n.w.count("stalls", 1)
	}
	time.Sleep(d)
	return l.n.awake(l.r)
}

// A cutContext ends after it was looked at some times: between two transactions,
// where a call has more than the one that it should have.
type cutContext struct {
	context.Context
	looks int
}

func (c *cutContext) Err() error {
	if c.looks--; c.looks < 0 {
		return errCut
	}
	return nil
}

// get is a call that returns something.
func get[T any](ctx context.Context, l *line, do func(context.Context) (T, error)) (out T, err error) {
	err = l.ask(ctx, func(ctx context.Context) (err error) {
		out, err = do(ctx)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return out, nil
}

// jobLine is job.Store behind a line.
type jobLine struct{ *line }

func (l jobLine) Lease(ctx context.Context, name, owner string, life time.Duration) (le job.Lease, ok bool, err error) {
	err = l.write(ctx, func(ctx context.Context) (err error) {
		le, ok, err = l.db.Lease(ctx, name, owner, life)
		return err
	})
	return le, ok && err == nil, err
}

func (l jobLine) Share(ctx context.Context, name string, count int, owner string, life time.Duration) (held []job.Lease, err error) {
	err = l.write(ctx, func(ctx context.Context) (err error) {
		held, err = l.db.Share(ctx, name, count, owner, life)
		return err
	})
	if err != nil {
		return nil, err
	}
	return held, nil
}

func (l jobLine) EndLease(ctx context.Context, le job.Lease) error {
	return l.write(ctx, func(ctx context.Context) error { return l.db.EndLease(ctx, le) })
}

func (l jobLine) Place(ctx context.Context, name string) (int64, error) {
	return get(ctx, l.line, func(ctx context.Context) (int64, error) { return l.db.Place(ctx, name) })
}

func (l jobLine) Places(ctx context.Context, name string) (map[string]int64, error) {
	return get(ctx, l.line, func(ctx context.Context) (map[string]int64, error) { return l.db.Places(ctx, name) })
}

func (l jobLine) SavePlace(ctx context.Context, p job.Place) error {
	return l.write(ctx, func(ctx context.Context) error {
		err := l.db.SavePlace(ctx, p)
		l.n.w.reached([]job.Place{p}, err)
		return err
	})
}

// engineLine is monitor.EngineStore behind a line.
type engineLine struct{ *line }

func (l engineLine) Changes(ctx context.Context, after int64, limit int) ([]company.Change, error) {
	return get(ctx, l.line, func(ctx context.Context) ([]company.Change, error) {
		return l.db.Changes(ctx, after, min(limit, l.n.w.plan.most*4)) // so that there are many batches
	})
}

func (l engineLine) RulesAfter(ctx context.Context, settings, quiets int64) (rules []monitor.Setting, silences []monitor.Quiet, err error) {
	err = l.ask(ctx, func(ctx context.Context) (err error) {
		rules, silences, err = l.db.RulesAfter(ctx, settings, quiets)
		return err
	})
	return rules, silences, err
}

func (l engineLine) Watchers(ctx context.Context, of []company.ID, each func(monitor.Watcher)) (map[company.ID]string, error) {
	return get(ctx, l.line, func(ctx context.Context) (map[company.ID]string, error) { return l.db.Watchers(ctx, of, each) })
}

func (l engineLine) Names(ctx context.Context, of []company.ID) (map[company.ID]string, error) {
	return get(ctx, l.line, func(ctx context.Context) (map[company.ID]string, error) { return l.db.Names(ctx, of) })
}

func (l engineLine) Tell(ctx context.Context, events []monitor.Event, to []job.Place) (n int, err error) {
	err = l.write(ctx, func(ctx context.Context) (err error) {
		n, err = l.db.Tell(ctx, events, to)
		l.n.w.reached(to, err)
		if n > 0 {
			l.n.w.wake(l.n, l.r, false)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

func (l engineLine) Unwatch(ctx context.Context, before int64) error {
	return l.write(ctx, func(ctx context.Context) error { return l.db.Unwatch(ctx, before) })
}

// courierLine is monitor.CourierStore behind two lines: what became of
// deliveries is kept while new ones are read.
type courierLine struct {
	*line
	settles *line
}

func (l courierLine) LastEvent(ctx context.Context) (monitor.EventID, error) {
	return get(ctx, l.line, l.db.LastEvent)
}

func (l courierLine) Round(ctx context.Context, version int64, after monitor.EventID, limit int) (monitor.Round, error) {
	return get(ctx, l.line, func(ctx context.Context) (monitor.Round, error) { return l.db.Round(ctx, version, after, limit) })
}

func (l courierLine) WaitingFor(ctx context.Context, of auth.CustomerID, id monitor.WebhookID, replay bool, after monitor.EventID, limit int) ([]monitor.Delivery, error) {
	return get(ctx, l.line, func(ctx context.Context) ([]monitor.Delivery, error) {
		return l.db.WaitingFor(ctx, of, id, replay, after, limit)
	})
}

func (l courierLine) ParkedLanes(ctx context.Context, of auth.CustomerID, id monitor.WebhookID) ([]monitor.Delivery, error) {
	return get(ctx, l.line, func(ctx context.Context) ([]monitor.Delivery, error) { return l.db.ParkedLanes(ctx, of, id) })
}

func (l courierLine) ParkedFor(ctx context.Context, of auth.CustomerID, id monitor.WebhookID, about company.ID, replay bool, limit int) ([]monitor.Delivery, error) {
	return get(ctx, l.line, func(ctx context.Context) ([]monitor.Delivery, error) {
		return l.db.ParkedFor(ctx, of, id, about, replay, limit)
	})
}

func (l courierLine) EventsByID(ctx context.Context, ids map[monitor.EventID]auth.CustomerID) (map[monitor.EventID]monitor.Event, error) {
	return get(ctx, l.line, func(ctx context.Context) (map[monitor.EventID]monitor.Event, error) { return l.db.EventsByID(ctx, ids) })
}

func (l courierLine) Settle(ctx context.Context, list []monitor.Delivery, disable map[monitor.WebhookID]string, fences []job.Lease) error {
	return l.settles.write(ctx, func(ctx context.Context) error {
		err := l.db.Settle(ctx, list, disable, fences)
		l.n.w.settled(list, err)
		return err
	})
}
