package monitor_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bureau/internal/lacktest"
	"bureau/internal/store/storetest"
)

// TestModel plays customers, publishers and engines against each other at
// random, and holds what the database says against a model that keeps
// everything in plain maps. Whatever happens, and however engines end, each
// portfolio is told of each change that it asked for, once, and nobody sees
// anything of strangers.
//
// What one step does is decided by one number, so that a failed run can be cut
// down to the steps that it takes.
func TestModel(t *testing.T) {
	worlds, steps := 2, 1000
	switch {
	case os.Getenv("BUREAU_PROVE") == "1":
		worlds = 100
	case lacktest.Race:
		worlds = 1
	}
	for name, fresh := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "model.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all tally
			began := time.Now()
			t.Cleanup(func() {
				t.Logf("%d steps in %v: %v", worlds*steps, time.Since(began).Round(time.Second), &all)
				if !t.Failed() {
					all.check(t, min(20, 10*worlds))
				}
			})
			for seed := range worlds {
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					t.Parallel() // they wait for the disk more than they work
					genes := make([]uint64, steps)
					source := rand.New(rand.NewPCG(uint64(seed), 0))
					for i := range genes {
						genes[i] = source.Uint64()
					}
					count, err := play(t, fresh(t), genes)
					all.add(count)
					if err != nil {
						t.Fatalf("%v\n\n%s", err, shrink(t, fresh, genes, err))
					}
				})
			}
		})
	}
}

// A broken promise is why a world ends.
type broken struct{ says string }

func (b broken) Error() string { return b.says }

// play lives through a world, a step for each gene.
func play(t *testing.T, url string, genes []uint64) (count map[string]int, err error) {
	w := newModelWorld(t, url)
	defer w.close()
	defer func() {
		count = w.count
		if r := recover(); r != nil {
			b, ok := r.(broken)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%w\nafter:\n%s", b, strings.Join(w.story[max(0, len(w.story)-60):], "\n"))
		}
	}()
	for i, g := range genes {
		w.step(rand.New(rand.NewPCG(g, 1)))
		if i%50 == 49 {
			w.compareAll()
		}
	}
	w.drain()
	w.compareAll()
	return w.count, nil
}

// shrink leaves out steps as long as the same promise breaks, and tells the
// story of what is left.
func shrink(t *testing.T, fresh func(*testing.T) string, genes []uint64, err error) string {
	deadline := time.Now().Add(time.Minute)
	for size := len(genes) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(genes) && time.Now().Before(deadline); {
			fewer := append(append([]uint64{}, genes[:at]...), genes[at+size:]...)
			_, again := play(t, fresh(t), fewer)
			if b := (broken{}); errors.As(again, &b) {
				genes, err = fewer, again
				continue
			}
			at += size
		}
	}
	return fmt.Sprintf("with %d steps: %v", len(genes), err)
}

// A tally counts what happened, to show that it was not too little.
type tally struct {
	mu sync.Mutex
	of map[string]int
}

func (a *tally) add(b map[string]int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.of == nil {
		a.of = map[string]int{}
	}
	for what, n := range b {
		a.of[what] += n
	}
}

func (a *tally) String() string { return fmt.Sprint(a.of)[len("map"):] }

func (a *tally) check(t *testing.T, least int) {
	for _, what := range []string{"changes", "events", "marks", "refused", "deaths", "fenced off", "broken off"} {
		if a.of[what] < least {
			t.Errorf("too little happened: %d %s", a.of[what], what)
		}
	}
}
