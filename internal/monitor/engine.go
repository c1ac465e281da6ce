package monitor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
)

// EngineName names the engine's leases and places.
const EngineName = "monitor"

// shards is how many nodes can evaluate changes side by side. It is part of
// what is stored.
const shards = 8

// An Engine turns changes into events.
type Engine struct {
	Store EngineStore
	Jobs  job.Store
	Log   func(ctx context.Context, after int64, limit int) ([]company.Change, error)
	Past  func(ctx context.Context, of company.ID, before int64, limit int) ([]company.Change, error)
	Owner string // this node
	Wake  *job.Signal
	Now   func() time.Time

	once     sync.Once
	readers  *job.Shards[company.Change]
	settings settings
	quiets   quiets
	steps    atomic.Int64 // when it last looked, in Unix seconds
	stands   standstill
}

// start makes the engine ready, the first time it is used.
func (e *Engine) start() {
	e.once.Do(func() {
		e.steps.Store(e.Now().Unix())
		e.readers = &job.Shards[company.Change]{
			Name: EngineName, Count: shards, Owner: e.Owner, Store: e.Jobs,
			Log:    e.Log,
			Number: func(c *company.Change) int64 { return c.Number },
			Shard:  func(c *company.Change) int { return int(xxhash.Sum64String(string(c.Company)) % shards) },
			Handle: e.handle,
			Batch:  8192, Life: 9 * time.Second, Every: time.Second, Wake: e.Wake, Now: e.Now,
		}
	})
}

// Step evaluates one batch of changes, and returns how many numbers it came
// further.
func (e *Engine) Step(ctx context.Context) (int, error) {
	e.start()
	n, err := e.readers.Step(ctx)
	if err == nil {
		e.steps.Store(e.Now().Unix())
	}
	return n, err
}

// Run evaluates changes until ctx is done.
func (e *Engine) Run(ctx context.Context, failed func(error)) {
	e.start()
	e.readers.Run(ctx, failed)
}

// handle makes the events of a batch and keeps them with the places reached.
//
// The changes were read before anything else is: a rule or a company that was
// there before a change is seen, whoever put it there.
func (e *Engine) handle(ctx context.Context, batch []company.Change, to []job.Place) error {
	rules, quiets, err := e.Store.RulesAfter(ctx, e.settings.last, e.quiets.last)
	if err != nil {
		return fmt.Errorf("read the rules and silences of portfolios: %w", err)
	}
	e.settings.take(rules)
	e.quiets.take(quiets)
	events, err := e.evaluate(ctx, batch)
	if err != nil {
		return err
	}
	if err := e.tell(ctx, events, to); err != nil {
		return err
	}
	e.steps.Store(e.Now().Unix())
	if e.settings.stale() {
		passed, err := e.Passed(ctx)
		if err != nil {
			return err
		}
		e.settings.forget(passed)
		e.quiets.forget(passed)
	}
	return nil
}

// manyEvents is how many events of one customer cost about as much to keep as
// another commit.
const manyEvents = 8

// tell keeps events. Customers with few are told before those with many, in a
// commit of their own, or they would wait until all of the others' are on disk. The
// places move with the last: what is made again after a crash is there already, and
// left out.
func (e *Engine) tell(ctx context.Context, events []Event, to []job.Place) error {
	few, many := apart(events)
	if len(few) > 0 && len(many) > 0 {
		held := slices.Clone(to)
		for i := range held {
			held[i].Number = 0
		}
		if _, err := e.Store.Tell(ctx, few, held); err != nil {
			return fmt.Errorf("keep the first %d events: %w", len(few), err)
		}
		events = many
	}
	if _, err := e.Store.Tell(ctx, events, to); err != nil {
		return fmt.Errorf("keep %d events: %w", len(events), err)
	}
	return nil
}

// apart takes the events of customers with few apart from those of customers with
// many. All of one customer's stay together and in order.
func apart(events []Event) (few, many []Event) {
	if len(events) <= manyEvents {
		return events, nil
	}
	of := map[auth.CustomerID]int{}
	for i := range events {
		of[events[i].Customer]++
	}
	for i := range events {
		if of[events[i].Customer] < manyEvents {
			few = append(few, events[i])
		} else {
			many = append(many, events[i])
		}
	}
	return few, many
}

// evaluate makes events: first it looks whether any rule that is on anywhere
// would fire, which most changes end at; then who watches the company.
func (e *Engine) evaluate(ctx context.Context, batch []company.Change) ([]Event, error) {
	var hot []*company.Change
	var ids []company.ID
	for i := range batch {
		if c := &batch[i]; e.settings.mayFire(c) {
			hot = append(hot, c)
			ids = append(ids, c.Company)
		}
	}
	if len(hot) == 0 {
		return nil, nil
	}
	watchers, names, err := e.watchersOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	var events []Event
	for _, c := range hot {
		first := len(events)
		memo := map[verdictKey]verdict{}
		for _, w := range watchers[c.Company] {
			if w.Since < c.Number && c.Number <= w.Until {
				events = e.settings.fire(events, c, w, memo)
			}
		}
		quiet, err := e.hush(ctx, events[first:], c)
		if err != nil {
			return nil, err
		}
		events = events[:first+len(quiet)]
		if len(events) > first {
			slices.SortFunc(events[first:], func(a, b Event) int {
				return cmp.Or(cmp.Compare(a.Portfolio, b.Portfolio), cmp.Compare(a.Rule, b.Rule))
			})
		}
	}
	return events, e.name(ctx, events, names)
}

// pastMost is how far back a value that goes to and fro is looked for.
const pastMost = 500

// hush leaves out the events that their portfolios do not want to hear.
func (e *Engine) hush(ctx context.Context, events []Event, c *company.Change) ([]Event, error) {
	if len(e.quiets.of) == 0 {
		return events, nil
	}
	var past []company.Change
	out := events[:0]
	for i := range events {
		v := &events[i]
		silence, window := quietFor(e.quiets.of[v.Portfolio], c, v.Rule)
		if silence != nil {
			continue
		}
		if window > 0 {
			if past == nil {
				var err error
				if past, err = e.Past(ctx, c.Company, c.Number, pastMost); err != nil {
					return nil, fmt.Errorf("read what %s was before: %w", c.Company, err)
				}
			}
			if flaps(c, past, window) {
				continue
			}
		}
		out = append(out, *v)
	}
	return out, nil
}

// name gives events the names of their companies, of which some are known.
func (e *Engine) name(ctx context.Context, events []Event, names map[company.ID]string) error {
	var ids []company.ID
	for i := range events {
		if _, known := names[events[i].Company]; !known {
			ids = append(ids, events[i].Company)
		}
	}
	if len(ids) > 0 {
		slices.Sort(ids)
		more, err := e.Store.Names(ctx, slices.Compact(ids))
		if err != nil {
			return fmt.Errorf("read what companies are called: %w", err)
		}
		maps.Copy(names, more)
	}
	for i := range events {
		events[i].Name = names[events[i].Company]
	}
	return nil
}

// Tidy forgets watchers that no change can reach any more.
func (e *Engine) Tidy(ctx context.Context) error {
	passed, err := e.Passed(ctx)
	if err != nil || passed == 0 {
		return err
	}
	return e.Store.Unwatch(ctx, passed)
}

// Passed is the number of the last change that every shard, on whichever node,
// has left behind.
func (e *Engine) Passed(ctx context.Context) (int64, error) {
	places, err := e.Jobs.Places(ctx, EngineName)
	if err != nil {
		return 0, fmt.Errorf("find how far evaluation has come: %w", err)
	}
	passed := int64(Forever)
	for i := range shards {
		passed = min(passed, places[job.ShardName(EngineName, i)])
	}
	return passed, nil
}
