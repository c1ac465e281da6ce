package bench

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"bureau/internal/kyc"
	"bureau/internal/store"
)

// A screenedNames says what the engine did by itself.
type screenedNames struct {
	Rate, CPU float64 // searches a second, and µs each
	Millis    float64 // what loading took
	MB        float64 // of memory
	Entries   float64
}

// screenBare sends the searches to a server that only screens; what they take of
// the engine alone is beside it.
func screenBare(ctx context.Context, t *site, _ sample) (sample, error) {
	at, err := t.screenedPlace(ctx)
	if err == nil {
		err = at.serveScreened(ctx)
	}
	if err != nil {
		return sample{}, err
	}
	got, err := ask[screenedNames](ctx, "screen", screening{Address: at.address(), Queries: at.queries, For: t.s.window()})
	if err != nil {
		return sample{}, err
	}
	s, err := at.screen(ctx, at.baseline, nil)
	s.also = []float64{got.CPU / 1e3, s.value, got.Rate}
	return s, err
}

func screenOurs(ctx context.Context, t *site, bare sample) (sample, error) {
	at, err := t.screenedPlace(ctx)
	if err != nil {
		return sample{}, err
	}
	s, err := at.screen(ctx, at.bureau, leftScreening)
	s.also = append(slices.Clone(bare.also), s.also...)
	return s, err
}

// screen sends the searches to a server.
func (at *screened) screen(ctx context.Context, on *server, leaves *trace) (sample, error) {
	m, err := at.load(ctx, on, load{Requests: at.requests(), Conns: atOnce, Expect: []int{201}, leaves: leaves, For: 2 * at.s.window()})
	if err != nil {
		return sample{}, err
	}
	n := float64(m.Answers[201])
	return sample{value: n / m.Seconds, cpu: m.CPU / n * 1e6, also: []float64{m.Millis[201].P99}}, nil
}

// screenNames searches, several at once.
func screenNames(ctx context.Context, s *kyc.Searches, _ *store.DB, o screening) (any, error) {
	var mu sync.Mutex
	var failed error
	n := 0
	ask := func(from int, until time.Time) {
		for i := from; time.Now().Before(until); i += atOnce {
			q := o.Queries[i%len(o.Queries)]
			_, _, err := s.Screener.Screen(ctx, kyc.Subject{Person: q.Person, Name: q.Name}, kyc.Options{Limit: mostHits})
			mu.Lock()
			failed = errors.Join(failed, err)
			n++
			mu.Unlock()
		}
	}
	ask(0, time.Now().Add(o.For/4)) // warms up
	n = 0
	before, _ := cpuOf(os.Getpid())
	began := time.Now()
	var wg sync.WaitGroup
	for c := range atOnce {
		wg.Go(func() { ask(c, began.Add(o.For)) })
	}
	wg.Wait()
	took := time.Since(began).Seconds()
	after, _ := cpuOf(os.Getpid())
	return screenedNames{Rate: float64(n) / took, CPU: (after - before).Seconds() / float64(n) * 1e6}, failed
}

// loadSize is how many entries the row "kyc-memory" has.
const loadSize = 100_000

// loadPlace is a database with so many entries, made once for each engine.
func (t *site) loadPlace(ctx context.Context) (string, error) {
	if at := t.w.lists[t.engine]; at != "" {
		return at, nil
	}
	p, err := t.w.newPlace(ctx, "lists", t.engine)
	if err != nil {
		return "", err
	}
	n := loadSize
	if t.s.Small {
		n /= 100
	}
	if err := p.importLists(ctx, t.s.data(), n); err != nil {
		return "", err
	}
	if t.w.lists == nil {
		t.w.lists = map[string]string{}
	}
	t.w.lists[t.engine] = p.address()
	return p.address(), nil
}

func loadBare(ctx context.Context, t *site, _ sample) (sample, error) {
	at, err := t.loadPlace(ctx)
	if err != nil {
		return sample{}, err
	}
	got, err := ask[screenedNames](ctx, "lists", screening{Address: at, Bare: true})
	return sample{value: got.Millis, cpu: got.CPU}, err
}

func loadOurs(ctx context.Context, t *site, _ sample) (sample, error) {
	at, err := t.loadPlace(ctx)
	if err != nil {
		return sample{}, err
	}
	folder, err := os.MkdirTemp(t.w.dir, "lists")
	if err != nil {
		return sample{}, err
	}
	defer os.RemoveAll(folder)
	first, err := ask[screenedNames](ctx, "lists", screening{Address: at, Folder: folder})
	if err != nil {
		return sample{}, err
	}
	got, err := ask[screenedNames](ctx, "lists", screening{Address: at, Folder: folder})
	return sample{value: got.Millis, cpu: got.CPU, also: []float64{got.Millis, first.Millis, first.CPU * first.Entries / 1e6, got.MB, got.Entries}}, err
}

// runLists loads lists in a process of its own: from a store, or from what the
// process before it kept of them.
var runLists = onLists(func(ctx context.Context, db *store.DB, o screening) (any, error) {
	var r screenedNames
	var err error
	empty := heap()
	index := &kyc.Index{Store: db, Folder: o.Folder}
	began, before := time.Now(), ownCPU()
	if o.Bare {
		_, err = db.Standing(ctx, func(kyc.Held) error { r.Entries++; return nil })
	} else {
		err = index.Refresh(ctx)
	}
	if err != nil {
		return nil, err
	}
	r.Millis = float64(time.Since(began).Microseconds()) / 1e3
	used := ownCPU() - before
	r.MB = (heap() - empty) / 1e6
	if !o.Bare {
		for _, l := range index.Edition().Lists {
			r.Entries += float64(l.Entries)
		}
	}
	runtime.KeepAlive(index)
	r.CPU = used.Seconds() / r.Entries * 1e6
	return r, index.Save(ctx)
})
