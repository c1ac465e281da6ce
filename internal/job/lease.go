package job

import (
	"context"
	"time"
)

// A Lease is the right to do some work for a while. Each new holder gets a
// higher fence: whatever the last holder still tries to save with its own is
// refused.
type Lease struct {
	Name  string
	Owner string
	Fence int64
	Until time.Time
}

// A Place is how far a reader has come, under which lease.
type Place struct {
	Name   string
	Number int64
	Fence  int64
}

// Store is what work in the background asks of a database.
type Store interface {
	// Lease takes or renews a lease for an owner until now+life, by the clock
	// that all nodes share. While another owner's lease holds, it is not
	// taken: ok is false. A lease whose owner's process has ended does not
	// hold; one whose owner's process is paused does. A lease taken from
	// another, or taken again after it ended, has a higher fence than any
	// before; one renewed in time keeps its own.
	Lease(ctx context.Context, name, owner string, life time.Duration) (l Lease, ok bool, err error)

	// Share takes or renews an owner's fair share of the leases name/0,
	// name/1 … for now+life, and gives back what is more than that: each owner
	// that asked within its life counts, unless it ended its lease NodeName. It
	// returns those that the owner now holds, in the order of their numbers.
	// Otherwise it promises what Lease does.
	Share(ctx context.Context, name string, count int, owner string, life time.Duration) ([]Lease, error)

	// EndLease gives a lease back, so that another node need not wait for its
	// end. A lease that is no longer held is left alone.
	EndLease(ctx context.Context, l Lease) error

	// Place returns how far a reader has come: 0 for one that never saved.
	Place(ctx context.Context, name string) (int64, error)

	// Places returns the places of all shards of a reader by their names. One
	// that never saved is left out.
	Places(ctx context.Context, name string) (map[string]int64, error)

	// SavePlace saves how far a reader has come. A fence lower than the
	// lease's own is a fault.Conflict. Areas that save results do the same in
	// their transaction.
	SavePlace(ctx context.Context, p Place) error
}
