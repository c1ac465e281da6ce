package store

import (
	"context"
	"fmt"

	"bureau/internal/job"
)

// Signals wake those who follow what is written. A signal is raised after the
// commit: on PostgreSQL on every node that listens, on SQLite in this process
// alone. One that is lost costs its follower a second.
type Signals struct {
	Changes job.Signal
	Events  job.Signal
	Tasks   job.Signal
	Lists   job.Signal
}

// The names of signals, as nodes tell each other.
const (
	changesMade = "changes"
	eventsMade  = "events"
	tasksMade   = "tasks"
	listsMade   = "lists"
)

// channel is where nodes tell each other.
const channel = "bureau"

func (s *Signals) raise(name string) {
	switch name {
	case changesMade:
		s.Changes.Raise()
	case eventsMade:
		s.Events.Raise()
	case tasksMade:
		s.Tasks.Raise()
	case listsMade:
		s.Lists.Raise()
	}
}

// tell has PostgreSQL wake the other nodes when the transaction is committed.
func (db *DB) tell(name string) []step {
	if db.d.name != "postgres" {
		return nil
	}
	return []step{{query: `SELECT pg_notify($1, $2)`, args: []any{channel, name}}}
}

// Listen raises the signals of other nodes until ctx is done or the connection
// breaks. On SQLite there are no others: it waits for ctx.
func (db *DB) Listen(ctx context.Context) error {
	e, ok := db.engine.(*pgEngine)
	if !ok {
		<-ctx.Done()
		return nil
	}
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("listen to other nodes: %w", err)
	}
	// It is closed, not given back: a connection that listens is nothing for
	// others.
	raw := conn.Hijack()
	defer raw.Close(context.WithoutCancel(ctx))
	if _, err := raw.Exec(ctx, "LISTEN "+channel); err != nil {
		return fmt.Errorf("listen to other nodes: %w", err)
	}
	// What was told while nobody listened is looked for now.
	for _, name := range []string{changesMade, eventsMade, tasksMade, listsMade} {
		db.Signals.raise(name)
	}
	db.wrote()
	for {
		n, err := raw.WaitForNotification(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("listen to other nodes: %w", err)
		}
		if n.Payload == changesMade {
			db.wrote() // before anybody hears of it
		}
		db.Signals.raise(n.Payload)
	}
}
