package auth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A Journal writes to the shared record. Logins, audit entries and counted
// calls that arrive while a turn is being written share the next one: a turn
// costs one commit to disk, however many it carries. Nobody is answered before
// what they did is on disk, except who is turned away unheard: that must cost
// next to nothing, also when the disk is slow.
type Journal struct {
	Directory *Directory

	queue    chan *note
	stopped  chan struct{}
	began    time.Time // the last turn,
	carried  int       // and how much it carried
	signedAt int64     // the last signed entry
	signTime time.Time

	held []*note // came too late for the turn that was under way

	limited map[string]int // refused requests by source, since toldAt
	toldAt  time.Time
	telling bool // the turn under way tells of them
}

// NewJournal makes a journal; Run must run for it to do anything.
func NewJournal(d *Directory) *Journal {
	return &Journal{Directory: d, queue: make(chan *note, 4096), stopped: make(chan struct{}), limited: map[string]int{}}
}

// A note is one thing to write down.
type note struct {
	login  *loginNote
	entry  *Entry
	usage  *Usage
	load   *Load
	change func(state *directory, n News) (Record, []Entry, error)

	err  error
	done chan struct{}
}

// A loginNote waits for the limits to rule on it.
type loginNote struct {
	attempt  Attempt
	userKey  string   // or the e-mail address
	console  bool     // it is one
	account  *Account // as it was when the password was checked; nil if none
	readable bool
	valid    bool
	shed     bool // there was no room to check it
	foreseen bool // it was not checked, since the limits would refuse it anyway
	source   string
	tokenID  string

	stale  bool // the account, or what the limits say, has changed since: check again
	ruling ruling
}

const (
	maxBatch  = 2048
	turnEvery = 2 * time.Millisecond
	signEvery = 4096

	tellLimited = time.Minute
	maxLimited  = 1000
	signAfter   = time.Minute
)

// errStopped answers what comes after the journal was stopped.
var errStopped = errors.New("the journal is closed")

// Run writes until ctx is done, and then what is still in the queue.
func (j *Journal) Run(ctx context.Context) {
	defer close(j.stopped)
	for {
		if len(j.held) > 0 {
			j.pause()
			j.write(j.gather())
			continue
		}
		select {
		case n := <-j.queue:
			j.pause()
			j.write(j.gather(n))
		case <-ctx.Done():
			for {
				select {
				case n := <-j.queue:
					j.write(j.gather(n))
				default:
					if len(j.held) > 0 {
						j.write(j.gather())
						continue
					}
					j.lastWord()
					return
				}
			}
		}
	}
}

// lastWord tells of the refused requests that were only counted so far.
func (j *Journal) lastWord() {
	if len(j.limited) == 0 {
		return
	}
	j.toldAt = time.Time{}
	j.write([]*note{{done: make(chan struct{}), change: func(*directory, News) (Record, []Entry, error) {
		return Record{}, nil, nil
	}}})
}

// pause lets others come where several come at once. A turn costs much the same
// whatever it carries: in a flood of logins a thousand small turns a second would
// take the disk and the CPU from everybody else. Who comes alone does not wait.
func (j *Journal) pause() {
	if j.carried > 1 {
		time.Sleep(time.Until(j.began.Add(turnEvery)))
	}
}

// gather takes what waits: who was held over from the turn before, and the queue.
func (j *Journal) gather(batch ...*note) []*note {
	batch, j.held = append(batch, j.held...), nil
	for len(batch) < maxBatch {
		select {
		case n := <-j.queue:
			batch = append(batch, n)
		default:
			return batch
		}
	}
	return batch
}

// put hands a note in and waits until it is on disk, or refused.
func (j *Journal) put(ctx context.Context, n *note) error {
	n.done = make(chan struct{})
	select {
	case j.queue <- n:
	case <-j.stopped:
		return errStopped
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-n.done:
		return n.err
	case <-j.stopped:
		// It may have been written with the last of them.
		select {
		case <-n.done:
			return n.err
		default:
			return errStopped
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// later hands a note in without waiting. It reports whether there was room.
func (j *Journal) later(n *note) bool {
	n.done = make(chan struct{})
	select {
	case j.queue <- n:
		return true
	default:
		return false
	}
}

// Write adds an entry to the audit log.
func (j *Journal) Write(ctx context.Context, e Entry) error { return j.put(ctx, &note{entry: &e}) }

// Count counts a call.
func (j *Journal) Count(ctx context.Context, u Usage) error { return j.put(ctx, &note{usage: &u}) }

// write takes one turn for a batch. A change that is refused refuses only
// itself; when the turn fails, everyone in it is told.
func (j *Journal) write(batch []*note) {
	j.began, j.carried = time.Now(), len(batch)
	// A turn belongs to many requests: none of them may cancel it.
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	var changes, rest []*note
	for _, n := range batch {
		if n.change != nil {
			changes = append(changes, n)
		} else {
			rest = append(rest, n)
		}
	}
	if len(rest) > 0 {
		changes = append(changes, j.together(ctx, rest)...)
	}
	for _, n := range changes {
		n.err = j.turn(ctx, nil, func() []*note { return []*note{n} })
		close(n.done)
	}
}

// turn takes one turn, with what is to be kept in it. When it has come, batch says
// for whom.
func (j *Journal) turn(ctx context.Context, loads []Load, batch func() []*note) error {
	d := j.Directory
	d.mu.Lock()
	defer d.mu.Unlock()
	var rec Record
	var after News
	take := d.Store.Turn
	if len(loads) > 0 {
		take = func(ctx context.Context, seen Seen, act func(News) (Record, error)) error {
			return d.Store.Carry(ctx, seen, loads, act)
		}
	}
	err := take(ctx, d.now.Load().seen, func(n News) (Record, error) {
		if err := d.take(n); err != nil {
			return Record{}, err
		}
		after = n
		var err error
		rec, err = j.record(batch(), n)
		return rec, err
	})
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	if j.telling {
		clear(j.limited)
		j.toldAt, j.telling = after.Now, false
	}
	if rec.Signed != nil {
		j.signedAt, j.signTime = rec.Signed.Number, rec.Signed.At
	}
	// What we added ourselves is not news to us.
	seen := after.Seen
	if len(rec.Attempts) > 0 {
		seen.Attempts++
	}
	return d.take(News{Seen: seen, Now: after.Now}.withAccess(rec))
}

// withAccess makes news of what a turn added itself.
func (n News) withAccess(rec Record) News {
	if len(rec.Customers)+len(rec.Accounts)+len(rec.Keys)+len(rec.Revoked) == 0 {
		return n
	}
	n.Seen.Access++
	n.Customers, n.Accounts, n.Keys, n.Revoked = rec.Customers, rec.Accounts, rec.Keys, rec.Revoked
	return n
}

// record makes what a batch adds.
func (j *Journal) record(batch []*note, n News) (Record, error) {
	state := j.Directory.now.Load()
	var rec Record
	var entries []Entry
	limited := map[string]int{}
	usage := map[Usage]int64{}
	for _, it := range batch {
		switch {
		case it.login != nil:
			if e, ok := j.rule(it.login, state, n.Now, limited); ok {
				entries = append(entries, e)
			}
			if !it.login.stale {
				rec.Attempts = append(rec.Attempts, it.login.attempt)
			}
		case it.entry != nil, it.usage != nil, it.load != nil:
			if it.load != nil {
				entries = append(entries, it.load.Parcel.Entry())
			}
			if it.entry != nil {
				entries = append(entries, *it.entry)
			}
			if it.usage != nil {
				u := *it.usage
				u.Calls = 0
				usage[u] += it.usage.Calls
			}
		case it.change != nil:
			add, said, err := it.change(state, n)
			if err != nil {
				return Record{}, err
			}
			rec = add
			entries = append(entries, said...)
		}
	}
	entries = append(entries, j.limitedEntries(limited, n.Now)...)
	for u, calls := range usage {
		u.Calls = calls
		rec.Usage = append(rec.Usage, u)
	}
	return j.close(rec, entries, state, n)
}

// limitedEntries counts requests that a limit refused, and tells of them once a
// minute: however fast a flood is, and however it is spread over turns, it adds
// a row a minute for each source.
func (j *Journal) limitedEntries(limited map[string]int, now time.Time) []Entry {
	j.telling = false
	for source, times := range limited {
		if _, ok := j.limited[source]; !ok && len(j.limited) >= maxLimited {
			source = "" // the rest together
		}
		j.limited[source] += times
	}
	if len(j.limited) == 0 || now.Sub(j.toldAt) < tellLimited && !now.Before(j.toldAt) {
		return nil
	}
	j.telling = true
	var out []Entry
	for _, source := range slices.Sorted(maps.Keys(j.limited)) {
		out = append(out, Entry{Action: LoginsLimited, Source: source, Detail: fmt.Sprintf("requests=%d", j.limited[source])})
	}
	return out
}

// rule decides on one login and says what the audit log keeps of it. Requests
// that a limit refused are only counted: a flood must not fill the disk.
func (j *Journal) rule(l *loginNote, state *directory, now time.Time, limited map[string]int) (Entry, bool) {
	// Who was not heard is counted whoever they are.
	changed := l.readable && !l.shed && state.find(l.userKey, l.console) != l.account
	// By the shared clock a limit may just have ended: what was not checked is
	// not yet known to be wrong.
	if changed || l.foreseen && !j.Directory.limits.foresee(l.attempt, now) {
		l.stale = true
		return Entry{}, false
	}
	l.ruling = j.Directory.limits.decide(&l.attempt, now, l.valid || l.shed)
	if l.shed && !l.ruling.limited {
		l.ruling.limited, l.ruling.wait = true, busyWait
	}
	switch {
	case l.ruling.limited:
		limited[l.source]++
		return Entry{}, false
	case !l.readable:
		return Entry{}, false // it named nobody
	}
	e := Entry{Action: LoginRefused, Source: l.source}
	if l.account != nil {
		e.Customer, e.Account = l.account.Customer, l.account.ID
	}
	switch {
	case l.valid && l.console:
		e.Action, e.Detail = LoggedIn, "console"
	case l.valid:
		e.Action, e.Detail = LoggedIn, "token="+l.tokenID
	case l.console:
		e.Detail = "console"
	}
	return e, true
}

// close chains the entries to the log and signs its head when it is time.
func (j *Journal) close(rec Record, entries []Entry, state *directory, n News) (Record, error) {
	if len(entries) == 0 {
		return rec, nil
	}
	v := j.Directory.Vault
	rec.Head = v.chain(n.Head, n.Now, entries)
	rec.Entries = entries
	if rec.Head.Number-j.signedAt < signEvery && n.Now.Sub(j.signTime) < signAfter {
		return rec, nil
	}
	keys := append(slices.Clone(state.keys), rec.Keys...)
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Audit && !k.Revoked })
	if i < 0 {
		return rec, nil // the first entries of a new database
	}
	var err error
	rec.Signed, err = v.signHead(keys[i], rec.Head, n.Now)
	return rec, err
}

// Sign signs the head of the audit log as it stands, as a last word before a
// backup or a stop.
func (j *Journal) Sign(ctx context.Context) error {
	return j.put(ctx, &note{change: func(state *directory, n News) (Record, []Entry, error) {
		i := slices.IndexFunc(state.keys, func(k Key) bool { return k.Audit && !k.Revoked })
		if i < 0 || n.Head.Number == j.signedAt {
			return Record{}, nil, nil
		}
		signed, err := j.Directory.Vault.signHead(state.keys[i], n.Head, n.Now)
		return Record{Signed: signed}, nil, err
	}})
}
