package store

import (
	"context"

	"github.com/cespare/xxhash/v2"
)

// A node that is killed leaves its leases behind, and nobody should wait for
// their end who can see that it is dead. So whoever takes leases is present for
// as long as its process lives: it holds a lock that the operating system, or
// PostgreSQL, takes away when the process is no more. A node that is only
// paused keeps it, and is waited for; its fence keeps it from saving what came
// too late, here as ever. When a lock is lost by mistake, with a connection
// that broke, the work goes to another node and nothing else happens.
//
// Locks are shared, since two handles may speak for one owner. Whoever asks
// whether an owner is gone tries to lock all others out.
type presence interface {
	// announce makes an owner present until the handle is closed or the
	// process ends, however it ends.
	announce(ctx context.Context, owner string) error

	// gone reports whether nobody is left who speaks for an owner. t is the
	// transaction in which that is made use of.
	gone(ctx context.Context, t tx, owner string) (bool, error)
}

// presenceKey is the number of an owner's lock.
func presenceKey(owner string) uint64 { return xxhash.Sum64String("bureau node " + owner) }
