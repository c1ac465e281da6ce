package store

import (
	"context"
	"errors"
	"sync/atomic"
)

// To sync a commit to disk takes longer than most of what is written. So those who
// write a little and come at the same time share one: each runs in the transaction
// that the one before it left open, the last of them commits, and none is answered
// before that. Each is undone by itself if it fails.

// A sharing is a transaction that several write in.
type sharing struct {
	members int
	err     error         // of the commit
	done    chan struct{} // closed when it is over
}

// maxSharing is how many may share: the first of them waits for all.
const maxSharing = 64

// sharers are what is known of those who share, besides the engine's lock.
type sharers struct {
	open   *sharing     // guarded by the lock
	coming atomic.Int64 // how many wait for the lock
}

// writeShared is write for what is short.
func (e *sqliteEngine) writeShared(ctx context.Context, f func(tx) error) error {
	e.coming.Add(1)
	e.mu.Lock()
	e.coming.Add(-1)
	in, err := e.shareLocked(ctx, f)
	if err != nil {
		return err
	}
	<-in.done
	return in.err
}

// shareLocked runs f in the open transaction, or opens one, and gives the lock
// back. Whoever waits for it goes on with the transaction; without anybody it ends
// here, whatever became of f.
func (e *sqliteEngine) shareLocked(ctx context.Context, f func(tx) error) (in *sharing, err error) {
	defer e.mu.Unlock()
	defer func() {
		if e.open != nil && (e.coming.Load() == 0 || e.open.members >= maxSharing) {
			e.endSharing()
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if e.open == nil {
		if err := e.begin(f); err != nil {
			return nil, err
		}
		e.open = &sharing{done: make(chan struct{})}
	} else if err := e.part(f); err != nil {
		return nil, err
	}
	e.open.members++
	return e.open, nil
}

// part runs f within the open transaction, and undoes what it did if it fails.
func (e *sqliteEngine) part(f func(tx) error) (err error) {
	if err := e.run("SAVEPOINT part"); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			e.undoPart(errors.New("what shared the transaction broke off"))
			panic(r)
		}
	}()
	if err = f(e.writer()); err == nil {
		err = e.run("RELEASE part")
	}
	if err != nil {
		e.undoPart(err)
	}
	return err
}

// undoPart undoes a part that failed. Where SQLite has given the whole transaction
// up already (a full disk does that), all who share it have failed.
func (e *sqliteEngine) undoPart(why error) {
	if e.run("ROLLBACK TO part") == nil && e.run("RELEASE part") == nil {
		return
	}
	e.rollback()
	e.tellSharers(why)
}

// endSharing commits what is shared, and tells those who wait for it.
func (e *sqliteEngine) endSharing() {
	if e.open != nil {
		e.tellSharers(e.commit())
	}
}

func (e *sqliteEngine) tellSharers(err error) {
	e.open.err = err
	close(e.open.done)
	e.open = nil
}
