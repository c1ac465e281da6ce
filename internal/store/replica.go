package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"bureau/internal/auth"
	"bureau/internal/job"
)

// A replica is a PostgreSQL that follows ours and answers some of what is read.
// Only the calls of customers go there, and of those only what public reads: the
// register, which is no customer's and which no customer writes. Whatever follows
// a log must see what the log speaks of, and reads where it is written.
//
// When a replica may be asked rests on two things that are looked at in Step:
//
//   - Its proof. We note the time, ask our own server how far its log goes, and
//     then see that the replica has come that far: it shows everything that was
//     committed at that time. A proof is good for as long as the lag that was
//     allowed, by our own clock; no clock of another machine has a part in it.
//   - What was written. Each Write of this node, and each of which another sends
//     word, is counted once it is committed. A proof that was begun before is good
//     no more. So what this node wrote, it reads.
//
// A replica of another server, one that was promoted and one that still follows a
// server that was left behind are never asked: their logs are not ours.
type replica struct {
	name string // without who logs in
	pool *pgxpool.Pool

	proof   atomic.Pointer[sample]
	outTill atomic.Int64 // left out until then, in nanoseconds since the handle was made

	reads, failed atomic.Int64
	why           atomic.Pointer[string] // it has no proof
}

// A sample is how far the log of our own server went.
type sample struct {
	at      time.Time // or later
	written int64     // Writes that are in it, at least
	place   int64
}

type replicas struct {
	lag  time.Duration
	now  func() time.Time
	made time.Time
	list []*replica

	written atomic.Int64
	wake    job.Signal // it was written to
	turn    atomic.Uint64

	mu      sync.Mutex
	of      logPlace // the server that the samples are of
	samples []sample // the oldest first
}

// leaveOut is how long a replica is not asked that failed to answer.
const leaveOut = 5 * time.Second

// A ReplicaState is how a replica does.
type ReplicaState struct {
	Name   string
	Used   bool          // it would be asked now
	Why    string        // it would not
	Age    time.Duration // it is known to show all that was committed so long ago; -1 if nothing is known
	Reads  int64
	Failed int64 // and were asked of our own server again
}

// UseReplicas has what customers read of the register read from replicas too, as
// long as they show all that was committed lag ago. RunReplicas must run.
func (db *DB) UseReplicas(urls []string, lag time.Duration) error {
	if len(urls) == 0 {
		return nil
	}
	e, ok := db.engine.(*pgEngine)
	if !ok {
		return errors.New("an SQLite file has no replicas")
	}
	rs := &replicas{lag: lag, now: time.Now, made: time.Now()}
	for _, url := range urls {
		r, err := newReplica(url)
		if err != nil {
			rs.close()
			return err
		}
		rs.list = append(rs.list, r)
	}
	e.replicas = rs
	return nil
}

// newReplica does not connect: a replica that is away keeps nobody from starting.
func newReplica(url string) (*replica, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the URL of a replica cannot be read: %w", err)
	}
	byIndex(cfg)
	// The pool lives longer than whoever makes it, and close ends it.
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		return nil, fmt.Errorf("open a replica: %w", err)
	}
	r := &replica{name: fmt.Sprintf("%s:%d", cfg.ConnConfig.Host, cfg.ConnConfig.Port), pool: pool}
	r.doubt("it was not looked at yet")
	return r, nil
}

func (r *replica) doubt(why string) {
	r.proof.Store(nil)
	r.why.Store(&why)
}

// wrote counts a Write of the register, after its commit.
func (db *DB) wrote() {
	if e, ok := db.engine.(*pgEngine); ok && e.replicas != nil {
		e.replicas.written.Add(1)
		e.replicas.wake.Raise()
	}
}

// pick returns the replica that a read goes to, or nil.
func (rs *replicas) pick(ctx context.Context) *replica {
	if rs == nil {
		return nil
	}
	if _, bound := auth.Walled(ctx); !bound {
		return nil
	}
	turn, now := int(rs.turn.Add(1)%uint64(len(rs.list))), rs.now()
	for i := range rs.list {
		if r := rs.list[(turn+i)%len(rs.list)]; rs.usable(r, now) {
			return r
		}
	}
	return nil
}

func (rs *replicas) usable(r *replica, now time.Time) bool {
	p, till := r.proof.Load(), time.Duration(r.outTill.Load())
	return p != nil && p.written == rs.written.Load() && now.Sub(p.at) <= rs.lag && (till == 0 || now.Sub(rs.made) >= till)
}

// failedAt leaves a replica out for a while.
func (rs *replicas) failedAt(r *replica) {
	r.failed.Add(1)
	r.outTill.Store(int64(rs.now().Sub(rs.made) + leaveOut))
}

// StepReplicas looks at our own server and at the replicas, and reports whether
// one of them lacks something that we know to be written.
func (db *DB) StepReplicas(ctx context.Context) (behind bool, err error) {
	e, ok := db.engine.(*pgEngine)
	if !ok || e.replicas == nil {
		return false, nil
	}
	rs := e.replicas
	s := sample{at: rs.now(), written: rs.written.Load()} // before we ask, both of them
	ctx, cancel := context.WithTimeout(ctx, max(rs.lag, time.Second))
	defer cancel()
	own, err := placeOf(ctx, e.pool, ownPlace)
	if err != nil {
		return false, fmt.Errorf("ask how far the log goes: %w", err)
	}
	s.place = own.place
	samples := rs.keep(own, s)
	var all sync.WaitGroup // one that does not answer holds up no other
	for _, r := range rs.list {
		all.Go(func() { r.look(ctx, own, samples) })
	}
	all.Wait()
	for _, r := range rs.list {
		if p := r.proof.Load(); p == nil || p.written < s.written {
			behind = true
		}
	}
	return behind, nil
}

// keep adds a sample and returns those that can still prove something: places in
// the log of a server that was left say nothing about that of the next.
func (rs *replicas) keep(own logPlace, s sample) []sample {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if own.system != rs.of.system || own.timeline != rs.of.timeline {
		rs.of, rs.samples = own, nil
	}
	rs.samples = slices.DeleteFunc(append(rs.samples, s), func(old sample) bool { return s.at.Sub(old.at) > rs.lag })
	return slices.Clone(rs.samples)
}

// look sees how far a replica has come.
func (r *replica) look(ctx context.Context, own logPlace, samples []sample) {
	at, err := placeOf(ctx, r.pool, replicaPlace)
	switch {
	case err != nil:
		r.doubt("it does not answer: " + err.Error())
		return
	case !at.follows:
		r.doubt("it follows nobody")
		return
	case at.system != own.system:
		r.doubt("it is a replica of another server")
		return
	case at.timeline != own.timeline:
		r.doubt("it has not come to what was written since the last server was left")
		return
	}
	for _, s := range slices.Backward(samples) {
		if s.place <= at.place {
			r.proof.Store(&s)
			return
		}
	}
	r.doubt("it is too far behind")
}

// A logPlace is how far a server's log goes.
type logPlace struct {
	system, place int64
	timeline      int64
	follows       bool
}

// A server's name in its log is its system and its timeline, which a promotion
// begins. What a replica says of its timeline is that of its last restart point: it
// may be old, and then the replica waits for the next, but it is never too new.
const (
	ownPlace = `
		SELECT system_identifier, pg_wal_lsn_diff(at, '0/0')::bigint,
		       ('x' || left(pg_walfile_name(at), 8))::bit(32)::bigint, false
		FROM pg_control_system(), pg_current_wal_insert_lsn() AS at`
	replicaPlace = `
		SELECT system_identifier, COALESCE(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint,
		       timeline_id::bigint, pg_is_in_recovery()
		FROM pg_control_system(), pg_control_checkpoint()`
)

func placeOf(ctx context.Context, pool *pgxpool.Pool, query string) (p logPlace, err error) {
	err = pool.QueryRow(ctx, query).Scan(&p.system, &p.place, &p.timeline, &p.follows)
	return p, err
}

// RunReplicas looks at the replicas until ctx is done: four times in the time that
// they may lag, and at once when something was written, until they have it.
func (db *DB) RunReplicas(ctx context.Context, failed func(error)) {
	e, ok := db.engine.(*pgEngine)
	if !ok || e.replicas == nil {
		return
	}
	const soon = 5 * time.Millisecond
	every := e.replicas.lag / 4
	wait := every
	for ctx.Err() == nil {
		woken := e.replicas.wake.Wait() // before we look: nothing that comes later is missed
		behind, err := db.StepReplicas(ctx)
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
		// A replica that is away does not make us ask as fast as we can.
		if wait = min(2*wait, every); !behind {
			wait = every
		}
		timer := time.NewTimer(wait)
		select {
		case <-woken:
			wait = min(soon, every) // the replicas have it in a moment
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// Replicas tells how the replicas do.
func (db *DB) Replicas() (out []ReplicaState) {
	e, ok := db.engine.(*pgEngine)
	if !ok || e.replicas == nil {
		return nil
	}
	rs := e.replicas
	now := rs.now()
	for _, r := range rs.list {
		s := ReplicaState{Name: r.name, Used: rs.usable(r, now), Age: -1, Reads: r.reads.Load(), Failed: r.failed.Load()}
		if p := r.proof.Load(); p != nil {
			s.Age = now.Sub(p.at)
		} else if why := r.why.Load(); why != nil {
			s.Why = *why
		}
		if !s.Used && s.Why == "" {
			s.Why = "it lacks what was written just now, or failed to answer a moment ago"
		}
		out = append(out, s)
	}
	return out
}

func (rs *replicas) close() {
	if rs == nil {
		return
	}
	for _, r := range rs.list {
		r.pool.Close()
	}
}
