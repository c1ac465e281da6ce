package job

import (
	"context"
	"fmt"
	"time"

	"bureau/internal/fault"
)

// A Reader follows a log.
type Reader[T any] struct {
	Name  string
	Owner string // this node
	Store Store

	// Log returns what has numbers above after, in order, at most limit.
	// Numbers become visible in order.
	Log    func(ctx context.Context, after int64, limit int) ([]T, error)
	Number func(T) int64

	// Handle does the work for a batch and saves its results together with to
	// in one transaction. If that may take longer than Life it calls Renew on
	// the way.
	Handle func(ctx context.Context, batch []T, to Place) error

	Batch int           // at most so many at once
	Life  time.Duration // of the lease; another node takes over after that
	Every time.Duration // how often to look when nothing wakes us
	Rest  time.Duration // after a batch that was not full: what comes in drops is handled together
	Wake  *Signal
	Now   func() time.Time

	lease Lease
}

// Step reads and handles one batch, and returns how many were in it. It does
// nothing while another node holds the lease.
func (r *Reader[T]) Step(ctx context.Context) (int, error) {
	lease, ok, err := r.hold(ctx)
	if err != nil || !ok {
		return 0, err
	}
	after, err := r.Store.Place(ctx, r.Name)
	if err != nil {
		return 0, fmt.Errorf("%s: find its place: %w", r.Name, err)
	}
	batch, err := r.Log(ctx, after, r.Batch)
	if err != nil {
		return 0, fmt.Errorf("%s: read the log: %w", r.Name, err)
	}
	if len(batch) == 0 {
		return 0, nil
	}
	to := Place{Name: r.Name, Number: r.Number(batch[len(batch)-1]), Fence: lease.Fence}
	if err := r.Handle(ctx, batch, to); err != nil {
		return 0, fmt.Errorf("%s: %w", r.Name, err)
	}
	return len(batch), nil
}

// hold has the lease, and renews it when a third of its life is over.
func (r *Reader[T]) hold(ctx context.Context) (Lease, bool, error) {
	if r.lease.Fence > 0 && r.lease.Until.Sub(r.Now()) > 2*r.Life/3 {
		return r.lease, true, nil
	}
	asked := r.Now()
	l, ok, err := r.Store.Lease(ctx, r.Name, r.Owner, r.Life)
	if err != nil {
		return Lease{}, false, fmt.Errorf("%s: take its lease: %w", r.Name, err)
	}
	if !ok {
		r.lease = Lease{}
		return Lease{}, false, nil
	}
	// The end is counted on our own clock, from before we asked.
	l.Until = asked.Add(r.Life)
	r.lease = l
	return l, true, nil
}

// Renew holds the lease for another while, for a Handle that takes long. Once
// another node has taken over it is a fault.Conflict: nothing more that is done
// for to can be saved.
func (r *Reader[T]) Renew(ctx context.Context, to Place) error {
	lease, ok, err := r.hold(ctx)
	if err == nil && (!ok || lease.Fence != to.Fence) {
		return fault.Conflict.Errorf("%s: another node has taken over", r.Name)
	}
	return err
}

// Run steps until ctx is done, and then gives the lease back. A step that fails
// is told to failed and tried again.
func (r *Reader[T]) Run(ctx context.Context, failed func(error)) {
	Follow(ctx, r.Wake, r.Every, failed, func(ctx context.Context) (more bool, err error) {
		n, err := r.Step(ctx)
		if err != nil {
			r.lease.Until = time.Time{} // ask for it again: it may be another's
		}
		if n > 0 && n < r.Batch {
			Rest(ctx, r.Rest)
		}
		return n == r.Batch, err
	})
	r.Release(ctx)
}

// Rest lets some time pass, if there is time.
func Rest(ctx context.Context, d time.Duration) {
	if d == 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// Release gives the lease back, if the reader holds it, so that another node
// need not wait for its end.
func (r *Reader[T]) Release(ctx context.Context) {
	if r.lease.Fence == 0 {
		return
	}
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = r.Store.EndLease(end, r.lease) // else it ends by itself
	r.lease = Lease{}
}

// Follow steps until ctx is done: at once while there is more, else when it is
// woken, and every so often.
func Follow(ctx context.Context, wake *Signal, every time.Duration, failed func(error), step func(context.Context) (more bool, err error)) {
	for ctx.Err() == nil {
		woken := wake.Wait() // before we look: nothing that comes later is missed
		more, err := step(ctx)
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		if err == nil && more {
			continue
		}
		timer := time.NewTimer(every)
		select {
		case <-woken:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}
