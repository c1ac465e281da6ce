package auth

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"time"
)

// LoginRules are the limits of the authenticate operation.
type LoginRules struct {
	// Identical invalid requests: at most this many in this time. Refused
	// repeats do not prolong it.
	Identical       int
	IdenticalWindow time.Duration

	// All requests from one source address, and from one source address for
	// one user key: past this many the door is closed to them for TotalClosed.
	// Refused requests count too. There is no limit per user key alone: it
	// would let anyone lock out the owner.
	TotalSource int
	TotalPair   int
	TotalWindow time.Duration
	TotalClosed time.Duration
}

// DefaultLoginRules are those of the specification.
var DefaultLoginRules = LoginRules{
	Identical: 5, IdenticalWindow: 2 * time.Minute,
	TotalSource: 10_000, TotalPair: 10_000,
	TotalWindow: 5 * time.Minute, TotalClosed: 5 * time.Minute,
}

// keepFor is how long an attempt can matter: it counts for a window and may
// close the door for as long again.
func (r LoginRules) keepFor() time.Duration {
	return max(r.IdenticalWindow, r.TotalWindow) + r.TotalClosed
}

// An Attempt is what the shared record keeps of one authenticate request:
// fingerprints, never the name, the password or the address.
type Attempt struct {
	At      time.Time
	Source  uint64
	Wide    uint64 // the network around the source
	Pair    uint64 // user key and source
	Request uint64 // the whole request
	Invalid bool   // it was answered with 400 or 401, so it counts as one more identical
	Closed  bool   // it closed the door to its source
	Barred  bool   // it closed the door to its user key from this source
}

// maxKeys is how many keys each table of the limiter takes.
const maxKeys = 1 << 19

// loginLimits counts attempts in memory. Every node keeps a copy by applying
// the same attempts in the same order, so all decide alike.
type loginLimits struct {
	rules LoginRules

	mu        sync.Mutex
	identical table[window]
	sources   table[door]
	pairs     table[door]
}

// A door counts who knocks and may be closed for a while.
type door struct {
	window
	closedUntil int64
}

func newLoginLimits(r LoginRules, room int) *loginLimits {
	return &loginLimits{
		rules:     r,
		identical: newTable[window](room), sources: newTable[door](room), pairs: newTable[door](room),
	}
}

// fingerprint makes the keys of an attempt. The request is given in its parts.
// The epoch is the account's (zero if there is none): a new password starts
// with a clean slate.
func fingerprint(v *Vault, source netip.Addr, userKey string, epoch int64, request ...[]byte) Attempt {
	host, wide := networks(source)
	key := func(parts ...[]byte) uint64 {
		sum := v.mac(forLimit, parts...)
		return binary.BigEndian.Uint64(sum[:8])
	}
	whole := append([][]byte{[]byte("request"), binary.BigEndian.AppendUint64(nil, uint64(epoch))}, request...)
	return Attempt{
		Source:  key([]byte("source"), host),
		Wide:    key([]byte("wide"), wide),
		Pair:    key([]byte("pair"), host, []byte(userKey)),
		Request: key(whole...),
	}
}

// networks are what stands for an address: itself for IPv4 and its /64 for
// IPv6, where one subscriber holds that many; and the wider network around it.
func networks(a netip.Addr) (host, wide []byte) {
	a = a.Unmap()
	near, far := 32, 16
	if a.Is6() {
		near, far = 64, 32
	}
	h, _ := a.Prefix(near)
	w, _ := a.Prefix(far)
	return h.Addr().AsSlice(), w.Addr().AsSlice()
}

// A ruling is what the limits say of an attempt.
type ruling struct {
	limited bool
	wait    time.Duration
	quotas  []Quota
}

// foresee reports whether an attempt would be refused whatever its password is
// worth, so that no verifier need run. It changes nothing.
func (l *loginLimits) foresee(a Attempt, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := millis(now)
	if d := l.sources.look(a.Source, a.Wide); d != nil && t < d.closedUntil {
		return true
	}
	if d := l.pairs.look(a.Pair, a.Wide); d != nil && t < d.closedUntil {
		return true
	}
	// Not the coarser window: others filled that one, and this may be the
	// right password.
	w := l.identical.of[a.Request]
	return w != nil && w.peek(t, l.rules.IdenticalWindow.Milliseconds()) >= l.rules.Identical
}

// foretell says where the total will stand when one more attempt is counted, and
// whether the door stays open to it. It changes nothing.
func (l *loginLimits) foretell(a Attempt, now time.Time) (quotas []Quota, open bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, span := millis(now), l.rules.TotalWindow.Milliseconds()
	for _, of := range []struct {
		door  *door
		limit int
	}{
		{l.sources.look(a.Source, a.Wide), l.rules.TotalSource},
		{l.pairs.look(a.Pair, a.Wide), l.rules.TotalPair},
	} {
		if of.limit <= 0 { // switched off
			continue
		}
		q := Quota{
			Name: "total", Limit: of.limit, Window: l.rules.TotalWindow,
			Left: of.limit - 1, Reset: l.rules.TotalWindow,
		}
		if of.door != nil {
			n, first := of.door.since(t - span)
			q.Left -= n
			q.Reset = time.Duration(min(first, t)+span-t) * time.Millisecond
			if q.Left < 0 || t < of.door.closedUntil {
				return nil, false
			}
		}
		// Of two that are spent, the one that opens later.
		if len(quotas) == 0 || q.Left < quotas[0].Left || q.Left == 0 && q.Reset > quotas[0].Reset {
			quotas = []Quota{q}
		}
	}
	return quotas, true
}

// decide counts an attempt that happens now and rules on it; valid says that
// the credentials are right. It fills in what the record must keep.
func (l *loginLimits) decide(a *Attempt, now time.Time, valid bool) ruling {
	l.mu.Lock()
	defer l.mu.Unlock()
	a.At = now
	t := millis(now)
	l.sweep(t)

	s, p := l.sources.find(a.Source, a.Wide), l.pairs.find(a.Pair, a.Wide)
	source, sourceOpens := l.knock(s, t, l.rules.TotalSource, &a.Closed)
	pair, pairOpens := l.knock(p, t, l.rules.TotalPair, &a.Barred)
	total, opens := source, max(sourceOpens, pairOpens)
	if pair.Left < source.Left || pairOpens > sourceOpens {
		total = pair
	}
	var r ruling
	if total.Limit > 0 {
		r.quotas = []Quota{total}
	}
	span := l.rules.IdenticalWindow.Milliseconds()
	if t < max(s.closedUntil, p.closedUntil) {
		// Others may repeat the request meanwhile, from elsewhere.
		if w := l.identical.of[a.Request]; w != nil && w.count(t, span) >= l.rules.Identical {
			opens = max(opens, w.oldest()+span)
		}
		r.limited, r.wait = true, time.Duration(opens-t)*time.Millisecond
		r.quotas[0].Reset = r.wait
		return r
	}
	if valid || l.rules.Identical <= 0 {
		return r
	}

	w := l.identical.find(a.Request, a.Wide)
	q := Quota{Name: "identical", Limit: l.rules.Identical, Window: l.rules.IdenticalWindow}
	if w.count(t, span) >= l.rules.Identical {
		// By then the refused requests must have left room in the total, too.
		r.limited, r.wait = true, time.Duration(max(w.oldest()+span, opens)-t)*time.Millisecond
	} else {
		a.Invalid = true
		q.Left = l.rules.Identical - w.add(t, span, l.rules.Identical)
	}
	q.Reset = time.Duration(w.oldest()+span-t) * time.Millisecond
	r.quotas = append([]Quota{q}, r.quotas...)
	return r
}

// apply counts an attempt on which another node ruled. An attempt from the
// future (a clock was set back) counts as happening now, so that it cannot
// weigh for longer than its window.
func (l *loginLimits) apply(a Attempt, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sweep(millis(now))
	t := min(millis(a.At), millis(now))
	s, p := l.sources.find(a.Source, a.Wide), l.pairs.find(a.Pair, a.Wide)
	s.add(t, l.rules.TotalWindow.Milliseconds(), l.rules.TotalSource)
	p.add(t, l.rules.TotalWindow.Milliseconds(), l.rules.TotalPair)
	if a.Closed && l.rules.TotalSource > 0 {
		s.closedUntil = t + l.rules.TotalClosed.Milliseconds()
	}
	if a.Barred && l.rules.TotalPair > 0 {
		p.closedUntil = t + l.rules.TotalClosed.Milliseconds()
	}
	if a.Invalid {
		l.identical.find(a.Request, a.Wide).add(t, l.rules.IdenticalWindow.Milliseconds(), l.rules.Identical)
	}
}

// knock counts one more at a door; closed tells whether that closed it. The
// door admits the next one at opens, which is t while it has room.
func (l *loginLimits) knock(d *door, t int64, limit int, closed *bool) (q Quota, opens int64) {
	span := l.rules.TotalWindow.Milliseconds()
	if limit <= 0 { // switched off
		return Quota{Left: 1<<31 - 1}, t
	}
	shutFor := l.rules.TotalClosed.Milliseconds()
	d.closedUntil = min(d.closedUntil, t+shutFor) // or a clock was set back
	n := d.add(t, span, limit)
	if t >= d.closedUntil && n > limit {
		d.closedUntil = t + shutFor
		*closed = true
	}
	q = Quota{
		Name: "total", Limit: limit, Window: l.rules.TotalWindow,
		Left: max(0, limit-n), Reset: time.Duration(d.oldest()+span-t) * time.Millisecond,
	}
	// A closed door opens when its time is over and the refused requests have
	// left room for one more.
	opens = max(t, d.closedUntil)
	if n >= limit {
		opens = max(opens, d.at[len(d.at)-limit]+span)
	}
	if d.closedUntil > t {
		q.Left = 0
	}
	return q, opens
}

// sweep forgets a little of what is past, at each attempt.
func (l *loginLimits) sweep(t int64) {
	l.identical.sweep(func(w *window) bool {
		return w.count(t, l.rules.IdenticalWindow.Milliseconds()) == 0
	})
	quiet := func(d *door) bool {
		return d.count(t, l.rules.TotalWindow.Milliseconds()) == 0 && d.closedUntil <= t
	}
	l.sources.sweep(quiet)
	l.pairs.sweep(quiet)
}
