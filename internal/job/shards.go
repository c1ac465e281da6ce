package job

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// Shards follow one log on several nodes at once. What is in the log is split
// into a fixed number of shards; a node holds its fair share of them, each by a
// lease, and each with its own place. A node reads the log once for all that it
// holds.
type Shards[T any] struct {
	Name  string
	Count int // how many there are; never changed once there are places
	Owner string
	Store Store

	// Log returns what has numbers above after, in order, at most limit.
	// Numbers become visible in order.
	Log    func(ctx context.Context, after int64, limit int) ([]T, error)
	Number func(*T) int64
	Shard  func(*T) int // from 0 to Count-1

	// Handle does the work for a batch and saves its results together with
	// the places in one transaction.
	Handle func(ctx context.Context, batch []T, to []Place) error

	Batch int
	Life  time.Duration
	Every time.Duration
	Wake  *Signal
	Now   func() time.Time

	held   []Lease
	asked  time.Time
	moved  time.Time        // when the share was last another than before
	places map[string]int64 // of what is held; nil where they are to be read
}

// Step reads and handles one batch for the shards that this node holds, and
// returns how many numbers it came further.
func (s *Shards[T]) Step(ctx context.Context) (int, error) {
	if err := s.hold(ctx); err != nil || len(s.held) == 0 {
		return 0, err
	}
	if err := s.find(ctx); err != nil {
		return 0, err
	}
	after := make([]int64, s.Count)
	mine := make([]bool, s.Count)
	from := int64(-1)
	for i, l := range s.shards() {
		mine[i], after[i] = true, s.places[l.Name]
		if from < 0 || after[i] < from {
			from = after[i]
		}
	}
	log, err := s.Log(ctx, from, s.Batch)
	if err != nil {
		return 0, fmt.Errorf("%s: read the log: %w", s.Name, err)
	}
	if len(log) == 0 {
		return 0, nil
	}
	end := s.Number(&log[len(log)-1])
	var to []Place
	for i, l := range s.shards() {
		if after[i] < end {
			to = append(to, Place{Name: l.Name, Number: end, Fence: l.Fence})
		}
	}
	batch := log[:0]
	for i := range log {
		if n := s.Shard(&log[i]); mine[n] && s.Number(&log[i]) > after[n] {
			batch = append(batch, log[i])
		}
	}
	n := len(log)
	if err := s.Handle(ctx, batch, to); err != nil {
		s.asked, s.places = time.Time{}, nil // ask again what is ours, and how far it came
		return 0, fmt.Errorf("%s: %w", s.Name, err)
	}
	for _, p := range to {
		s.places[p.Name] = p.Number
	}
	return n, nil
}

// find reads the places of a share that is new. While it is held nobody else moves them:
// whoever takes a lease over passes its fence, and then nothing of ours is saved.
func (s *Shards[T]) find(ctx context.Context) (err error) {
	if s.places != nil {
		return nil
	}
	if s.places, err = s.Store.Places(ctx, s.Name); err != nil {
		return fmt.Errorf("%s: find its places: %w", s.Name, err)
	}
	return nil
}

// shards pairs each lease that is held with its shard's number.
func (s *Shards[T]) shards() map[int]Lease {
	out := make(map[int]Lease, len(s.held))
	for i := range s.Count {
		for _, l := range s.held {
			if l.Name == ShardName(s.Name, i) {
				out[i] = l
			}
		}
	}
	return out
}

// ShardName is the name of a shard's lease and place.
func ShardName(name string, shard int) string { return fmt.Sprintf("%s/%d", name, shard) }

// NodeName is the name of the lease by which an owner counts as one of those who
// share. It is held with them, and its fence is 0.
func NodeName(name, owner string) string { return name + "/node/" + owner }

// RenewAfter is how soon a node asks again for its share of count leases, which became
// what it is so long ago. To keep it a third of a life is enough. But a node that was
// killed counts until the database has noticed, and what would be ours without it must not
// wait so long: a share that is new, and not the whole, is asked for every second.
func RenewAfter(life time.Duration, held, count int, ago time.Duration) time.Duration {
	if held == 0 || held < count && ago < life {
		return time.Second
	}
	return life / 3
}

// SameShare says whether two shares are the same leases, held on without a break.
func SameShare(a, b []Lease) bool {
	return slices.EqualFunc(a, b, func(a, b Lease) bool { return a.Name == b.Name && a.Fence == b.Fence })
}

// hold has a share of the leases, and renews it in time.
func (s *Shards[T]) hold(ctx context.Context) error {
	now := s.Now()
	if len(s.held) > 0 && now.Sub(s.asked) < RenewAfter(s.Life, len(s.held), s.Count, now.Sub(s.moved)) {
		return nil
	}
	held, err := s.Store.Share(ctx, s.Name, s.Count, s.Owner, s.Life)
	if err != nil {
		s.held, s.places = nil, nil
		return fmt.Errorf("%s: take its leases: %w", s.Name, err)
	}
	if !SameShare(held, s.held) {
		s.moved, s.places = now, nil
	}
	// The end is counted on our own clock, from before we asked.
	s.held, s.asked = held, now
	return nil
}

// Run steps until ctx is done, and then gives the leases back and counts no
// more. A step that fails is told to failed and tried again.
func (s *Shards[T]) Run(ctx context.Context, failed func(error)) {
	Follow(ctx, s.Wake, s.Every, failed, func(ctx context.Context) (more bool, err error) {
		n, err := s.Step(ctx)
		return n == s.Batch, err
	})
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	for _, l := range append(s.held, Lease{Name: NodeName(s.Name, s.Owner), Owner: s.Owner}) {
		_ = s.Store.EndLease(end, l) // else it ends by itself
	}
}

// ShareOut decides which of the shards a node may hold from now on: its fair
// share, the ones that it has before others, and only free ones besides. It
// returns those to take or renew and those to give back.
func ShareOut(count, nodes int, mine, free []int) (take, give []int) {
	quota := (count + nodes - 1) / nodes
	if len(mine) > quota {
		return mine[:quota], mine[quota:]
	}
	return append(mine, free[:min(len(free), quota-len(mine))]...), nil
}
