package monitor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// A modelWorld is a database that two nodes use, and what the oracle knows of
// it. Its clock moves when a step says so.
type modelWorld struct {
	ctx   context.Context
	url   string
	now   time.Time
	nodes [2]*modelNode
	made  int // nodes so far: none has the name of another

	oracle
	story []string
	count map[string]int              // of what happened
	ids   map[monitor.EventID]eventID // which event has a number
	depth int                         // steps that happen in the middle of others
	looks int                         // how often an engine looks whether to stop in a step that has work
}

// The accounts of a model: three of one customer, two of another, and one that
// has the number of an account of the first, but not its customer.
var (
	ada  = auth.Caller{Customer: 1, Account: 11}
	ben  = auth.Caller{Customer: 1, Account: 12}
	cleo = auth.Caller{Customer: 1, Account: 13}
	dora = auth.Caller{Customer: 2, Account: 21}
	emil = auth.Caller{Customer: 2, Account: 22}
	fake = auth.Caller{Customer: 2, Account: 11}

	callers = []auth.Caller{ada, ben, cleo, dora, emil, fake}
	firms   = []company.ID{"GB-0-1", "GB-0-2", "FR-0-1", "FR-0-2", "NO-0-1", "NO-0-2", "GB-0-3"}
)

func newModelWorld(t *testing.T, url string) *modelWorld {
	t.Helper()
	w := &modelWorld{
		ctx: t.Context(), url: url, now: time.Date(2026, 5, 1, 22, 0, 0, 0, time.UTC),
		oracle: oracle{portfolios: map[monitor.PortfolioID]*folder{}, known: map[company.ID]bool{}},
		ids:    map[monitor.EventID]eventID{}, count: map[string]int{}, looks: 10,
	}
	db, err := store.Open(w.ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	for i := range w.nodes {
		w.nodes[i] = w.newNode()
	}
	for _, id := range firms {
		w.register(id)
	}
	return w
}

func (w *modelWorld) close() {
	for _, n := range w.nodes {
		n.db.Close()
	}
}

// fail ends the world.
func (w *modelWorld) fail(format string, args ...any) {
	panic(broken{fmt.Sprintf(format, args...)})
}

// must is for what never fails.
func (w *modelWorld) must(doing string, err error) {
	if err != nil {
		w.fail("%s: %v", doing, err)
	}
}

// tell notes what happens, for the story of a failure.
func (w *modelWorld) tell(format string, args ...any) {
	w.story = append(w.story, fmt.Sprintf("%*s%s", 2+2*w.depth, "", fmt.Sprintf(format, args...)))
}

// db is one of the nodes' databases.
func (w *modelWorld) db(r *rand.Rand) *store.DB { return w.nodes[r.IntN(2)].db }

// A modelNode is a process: a handle on the database and an engine.
type modelNode struct {
	name   string
	db     *store.DB
	engine *monitor.Engine
	store  *interrupted
}

func (w *modelWorld) newNode() *modelNode {
	db, err := store.Connect(w.ctx, w.url)
	w.must("connect", err)
	db.Now = func() time.Time { return w.now }
	n := &modelNode{db: db}
	w.newEngine(n)
	return n
}

// newEngine gives a node an engine that knows nothing of the one before it.
func (w *modelWorld) newEngine(n *modelNode) {
	w.made++
	n.name = fmt.Sprintf("node %d", w.made)
	n.store = &interrupted{DB: n.db}
	n.engine = &monitor.Engine{
		Store: n.store, Jobs: n.db, Owner: n.name, Wake: &job.Signal{},
		Now: func() time.Time { return w.now },
		Log: func(ctx context.Context, after int64, limit int) ([]company.Change, error) {
			return n.db.Changes(ctx, after, min(limit, 4)) // so that there are many batches
		},
	}
}

// interrupted lets something happen in the middle of an engine's step.
type interrupted struct {
	*store.DB
	before map[string]func() // by the name of the call
	after  error             // of Tell: it was kept, and the engine never heard
	told   bool              // there may be new events
}

func (i *interrupted) at(call string) {
	if f := i.before[call]; f != nil {
		delete(i.before, call)
		f()
	}
}

func (i *interrupted) RulesAfter(ctx context.Context, settings, quiets int64) ([]monitor.Setting, []monitor.Quiet, error) {
	i.at("settings")
	return i.DB.RulesAfter(ctx, settings, quiets)
}

func (i *interrupted) Watchers(ctx context.Context, of []company.ID, each func(monitor.Watcher)) (map[company.ID]string, error) {
	i.at("watchers")
	return i.DB.Watchers(ctx, of, each)
}

func (i *interrupted) Tell(ctx context.Context, events []monitor.Event, to []job.Place) (int, error) {
	i.at("tell")
	n, err := i.DB.Tell(ctx, events, to)
	i.told = i.told || n > 0 || err != nil
	if err == nil && i.after != nil {
		return 0, i.after
	}
	return n, err
}

// passed is how far evaluation has come with the changes of each company.
func (w *modelWorld) passed() func(company.ID) int64 {
	places, err := w.nodes[0].db.Places(w.ctx, monitor.EngineName)
	w.must("places", err)
	return func(id company.ID) int64 {
		return places[job.ShardName(monitor.EngineName, int(xxhash.Sum64String(string(id))%8))]
	}
}

// drain lets all leases end and one engine do what is left.
func (w *modelWorld) drain() {
	w.now = w.now.Add(10 * time.Second)
	for range 2 { // the second has what the first gave back
		for _, n := range w.nodes {
			for {
				done, err := n.engine.Step(w.ctx)
				w.must("step", err)
				if done == 0 {
					break
				}
			}
		}
	}
	passed := w.passed()
	for _, id := range firms {
		if passed(id) < w.last {
			w.fail("the engines stand still at %d with changes up to %d", passed(id), w.last)
		}
	}
}

// expect compares how a request ended with how it should have.
func (w *modelWorld) expect(doing string, err error, want fault.Kind) bool {
	var got fault.Kind
	if err != nil {
		f, ok := fault.Of(err)
		if !ok {
			w.fail("%s: %v", doing, err)
		}
		got = f.Kind
	}
	if got != want {
		w.fail("%s ended with %q (%v), want %q", doing, got, err, want)
	}
	if want != "" {
		w.count["refused"]++
	}
	return want == ""
}

func pickOne[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// some takes a few of a list, in any order, one of them perhaps twice.
func some[T any](r *rand.Rand, of []T) []T {
	out := slices.Clone(of)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return append(out[:1+r.IntN(len(out))], out[0])
}
