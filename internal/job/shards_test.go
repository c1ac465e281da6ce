package job_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
)

const manyShards = 5

// shardOf tells by the company's number.
func shardOf(c *company.Change) int { return int(c.Company[len(c.Company)-1]-'0') % manyShards }

// about adds changes of several companies to the log.
func (h *house) about(companies ...int) {
	h.t.Helper()
	err := h.db.Write(h.t.Context(), func(company.View) (u company.Update, err error) {
		for _, n := range companies {
			u.Changes = append(u.Changes, company.Change{Company: company.NewID("GB", fmt.Sprint(n)), Field: company.FieldName, At: h.now})
		}
		return u, nil
	})
	if err != nil {
		h.t.Fatalf("write: %v", err)
	}
}

// shards is a node that evaluates its share of the log.
func (h *house) shards(owner string) *job.Shards[company.Change] {
	return &job.Shards[company.Change]{
		Name: "work", Count: manyShards, Owner: owner, Store: h.db,
		Log: h.db.Changes, Number: func(c *company.Change) int64 { return c.Number }, Shard: shardOf,
		Handle: h.keep, Batch: 4, Life: life, Every: time.Second,
		Wake: &job.Signal{}, Now: func() time.Time { return h.now },
	}
}

// keep saves the places in one transaction, and with them that the batch is
// done.
func (h *house) keep(ctx context.Context, batch []company.Change, to []job.Place) error {
	if _, err := h.db.Tell(ctx, nil, to); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range batch {
		h.done = append(h.done, c.Number)
	}
	return nil
}

// onceEach fails unless each of the first n changes was handled once.
func (h *house) onceEach(n int) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	got := slices.Sorted(slices.Values(h.done))
	for i, number := range got {
		if number != int64(i+1) {
			h.t.Fatalf("handled %v, want each once", got)
		}
	}
	if len(got) != n {
		h.t.Fatalf("handled %d, want %d", len(got), n)
	}
}

func (h *house) goOn(s *job.Shards[company.Change]) {
	h.t.Helper()
	if _, err := s.Step(h.t.Context()); err != nil {
		h.t.Fatalf("%s: %v", s.Owner, err)
	}
}

func TestShardsAreShared(t *testing.T) {
	h := newHouse(t)
	a, b := h.shards("a"), h.shards("b")
	h.about(0, 1, 2, 3, 4)
	for range 2 {
		h.goOn(a) // alone it does all, in two batches
	}
	h.onceEach(5)
	h.goOn(b) // b is there now, and gets nothing yet
	h.pass(life / 2)
	for range 2 {
		h.goOn(a) // gives some back
		h.goOn(b)
	}
	h.about(0, 1, 2, 3, 4)
	for range 3 {
		h.goOn(a)
	}
	if n := h.count() - 5; n == 0 || n == 5 {
		t.Errorf("a handled %d of five, want its share", n)
	}
	for range 3 {
		h.goOn(b)
	}
	h.onceEach(10)
	// a is no more: b has all of them once their life is over.
	h.about(0, 1, 2, 3, 4)
	h.goOn(b)
	h.pass(life)
	for range 3 {
		h.goOn(b)
	}
	h.onceEach(15)
}

func TestPausedShardsSaveNothing(t *testing.T) {
	h := newHouse(t)
	h.about(0, 1, 2)
	a, b := h.shards("a"), h.shards("b")
	a.Handle = func(ctx context.Context, batch []company.Change, to []job.Place) error {
		h.pass(life + time.Second)
		h.goOn(b)
		return h.keep(ctx, batch, to)
	}
	if _, err := a.Step(t.Context()); !errors.Is(err, fault.Conflict) {
		t.Fatalf("the paused holder saved: %v", err)
	}
	h.onceEach(3)
}

// Nodes that come, go, are paused and fail before and after they saved: each
// change is handled once.
func TestShardsHandleEachOnceWhateverHappens(t *testing.T) {
	h := newHouse(t)
	written := 0
	rapid.Check(t, func(r *rapid.T) {
		h.t = r
		nodes := []*job.Shards[company.Change]{h.shards("a"), h.shards("b"), h.shards("c")}
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			n := nodes[rapid.IntRange(0, 2).Draw(r, "node")]
			n.Handle = h.keep
			switch rapid.SampledFrom([]string{"write", "step", "step", "fails", "dies", "pauses", "passes"}).Draw(r, "act") {
			case "write":
				list := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 6).Draw(r, "companies")
				h.about(list...)
				written += len(list)
			case "step":
				h.goOn(n)
			case "fails":
				n.Handle = func(context.Context, []company.Change, []job.Place) error { return errDied }
				_, _ = n.Step(r.Context())
			case "dies":
				n.Handle = func(ctx context.Context, batch []company.Change, to []job.Place) error {
					return errors.Join(h.keep(ctx, batch, to), errDied)
				}
				_, _ = n.Step(r.Context())
			case "pauses":
				n.Handle = func(ctx context.Context, batch []company.Change, to []job.Place) error {
					h.pass(life + time.Second)
					for _, other := range nodes {
						if other != n {
							other.Handle = h.keep
							h.goOn(other)
						}
					}
					return h.keep(ctx, batch, to)
				}
				_, _ = n.Step(r.Context())
			case "passes":
				h.pass(time.Duration(rapid.IntRange(0, 12).Draw(r, "seconds")) * time.Second)
			}
		}
		h.pass(2 * life)
		for range 200 {
			if h.count() == written {
				break
			}
			nodes[0].Handle = h.keep
			h.goOn(nodes[0])
		}
		h.onceEach(written)
	})
}

// A wake-up that is lost costs a second, and a node that stops leaves its work
// to the others at once.
func TestShardsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		h.db.Now = time.Now
		a, b := h.shards("a"), h.shards("b")
		a.Now, b.Now = time.Now, time.Now
		ctx, stop := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { a.Run(ctx, noFailure(t)) })
		synctest.Wait()
		h.about(0, 1, 2, 3, 4, 0)
		synctest.Wait()
		h.onceEach(0) // nobody woke it
		time.Sleep(time.Second)
		synctest.Wait()
		h.onceEach(6)
		h.about(0, 1, 2)
		a.Wake.Raise()
		synctest.Wait()
		h.onceEach(9)
		stop()
		wg.Wait()
		h.about(3)
		if _, err := b.Step(t.Context()); err != nil {
			t.Error(err)
		}
		h.onceEach(10)
	})
}

// In a few rounds every node has its fair share, and each shard one holder.
func TestShareOutIsFair(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		count, nodes := rapid.IntRange(1, 20).Draw(r, "shards"), rapid.IntRange(1, 6).Draw(r, "nodes")
		holder := make([]int, count) // -1: nobody
		for i := range holder {
			holder[i] = rapid.IntRange(-1, nodes-1).Draw(r, "holder")
		}
		for range 3 {
			for n := range nodes {
				var mine, free []int
				for i, who := range holder {
					switch who {
					case n:
						mine = append(mine, i)
					case -1:
						free = append(free, i)
					}
				}
				take, give := job.ShareOut(count, nodes, slices.Clone(mine), free)
				for _, i := range take {
					if holder[i] != n && holder[i] != -1 {
						r.Fatalf("node %d takes %d from %d", n, i, holder[i])
					}
					holder[i] = n
				}
				for _, i := range give {
					holder[i] = -1
				}
			}
		}
		has := map[int]int{}
		for _, who := range holder {
			has[who]++
		}
		if has[-1] > 0 {
			r.Errorf("%d shards have no holder: %v", has[-1], holder)
		}
		for n := range nodes {
			if has[n] > (count+nodes-1)/nodes {
				r.Errorf("node %d has %d of %d", n, has[n], count)
			}
		}
	})
}

// asking counts how often a share was asked for.
type asking struct {
	job.Store
	n int
}

func (s *asking) Share(ctx context.Context, name string, count int, owner string, life time.Duration) ([]job.Lease, error) {
	s.n++
	return s.Store.Share(ctx, name, count, owner, life)
}

// A node that has but a part asks every second whether the rest is free, since the
// others may have been killed. When it has all, or has had the same part for long, it
// asks only to keep it.
func TestNewShareIsAskedForAgainSoon(t *testing.T) {
	h := newHouse(t)
	a, b := h.shards("a"), h.shards("b")
	store := &asking{Store: h.db}
	a.Store = store
	asks := func(nodes ...*job.Shards[company.Change]) int {
		store.n = 0
		for end := h.now.Add(life); h.now.Before(end); {
			h.pass(time.Second)
			for _, s := range nodes {
				h.goOn(s)
			}
		}
		return store.n
	}
	h.goOn(a)
	if n := asks(a); n > 4 {
		t.Errorf("who holds all asked %d times in a life, want 4 at most", n)
	}
	for range 4 { // until b has its part
		h.pass(time.Second)
		h.goOn(b)
		h.goOn(a)
	}
	if n := asks(a, b); n < 5 {
		t.Errorf("who has a part since lately asked %d times in a life, want each second", n)
	}
	if n := asks(a, b); n > 4 {
		t.Errorf("who has a part for long asked %d times in a life, want 4 at most", n)
	}
}
