package store

import (
	"context"
	"database/sql"
	"sync"
)

// checkpointEvery is after how many commits what lies in the write-ahead log is
// moved into the file.
const checkpointEvery = 50

// A checkpointer moves commits from the write-ahead log into the file, on a
// connection of its own. Left alone, SQLite does so within a commit, when the
// log has become long: then one writer in a few hundred waits ten milliseconds
// and more for the disk, and everyone waits behind it. It still does where a few
// commits are so large that this one comes too late.
type checkpointer struct {
	db    *sql.DB
	since int           // commits since it was last woken; under the writer's lock
	wake  chan struct{} // holds one token when there is something to move
	over  chan struct{}
	once  sync.Once // closes it
	ended sync.WaitGroup
}

// newCheckpointer starts one; close ends it and waits.
func newCheckpointer(path string) (*checkpointer, error) {
	db, err := sql.Open("sqlite", sqliteURL(path, "_pragma=cache_size(-200)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	c := &checkpointer{db: db, wake: make(chan struct{}, 1), over: make(chan struct{})}
	c.ended.Go(c.run)
	return c, nil
}

// committed counts a commit.
func (c *checkpointer) committed() {
	if c.since++; c.since < checkpointEvery {
		return
	}
	select {
	case c.wake <- struct{}{}:
		c.since = 0
	default: // it is at work
	}
}

func (c *checkpointer) run() {
	for {
		select {
		case <-c.over:
			return
		case <-c.wake:
			// The log begins anew when all of it was moved. A commit that came
			// meanwhile is moved by the next pass, which is short.
			for range 3 {
				if left, err := c.move(); err != nil || left == 0 {
					break
				}
			}
		}
	}
}

// move moves what can be moved without waiting for anyone, and returns how many
// pages are left. A failure is nobody's concern here: what is not moved stays
// where it is safe, and a disk that is full fails the next commit.
func (c *checkpointer) move() (left int, err error) {
	var busy, in, moved int
	err = c.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &in, &moved)
	return in - moved, err
}

func (c *checkpointer) close() error {
	c.once.Do(func() { close(c.over) })
	c.ended.Wait()
	return c.db.Close()
}
