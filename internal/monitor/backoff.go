package monitor

import (
	"math/rand/v2"
	"time"
)

// How long a delivery is tried, and how often.
const (
	giveUpAfter = 72 * time.Hour
	firstRetry  = 2 * time.Second
	lastRetry   = 3 * time.Hour
	longestWait = 24 * time.Hour // that an endpoint may ask for
)

// backoff is how long to wait after some failures: twice as long each time,
// and then a random part of that, so that endpoints that went down together do
// not come back to a storm.
func backoff(tries int, r *rand.Rand) time.Duration {
	d := lastRetry
	if tries < 14 {
		d = min(lastRetry, firstRetry<<max(0, tries-1))
	}
	return jitter(d, r)
}

// jitter is a random time between a quarter of d and d.
func jitter(d time.Duration, r *rand.Rand) time.Duration {
	return d/4 + time.Duration(r.Int64N(int64(d*3/4)+1))
}

// A breaker stops asking an endpoint that fails for every company: it waits,
// then lets one delivery through to see.
type breaker struct {
	failures int       // in a row
	breaks   int       // in a row; 0: all is well
	until    time.Time // no probe before
	probing  bool      // one is under way
}

const (
	breakAfter = 10
	breakFirst = 5 * time.Second
	breakMost  = 5 * time.Minute
)

// lets reports whether something may be sent now.
func (b *breaker) lets(now time.Time) bool {
	return b.breaks == 0 || !b.probing && !now.Before(b.until)
}

// sent notes that something was sent, and returns whether it is a probe.
func (b *breaker) sent() (probe bool) {
	b.probing = b.breaks > 0
	return b.probing
}

// result notes how it went. What was under way when the endpoint broke down
// fails with the rest and says nothing new: only a probe prolongs the wait.
func (b *breaker) result(ok, probe bool, now time.Time, r *rand.Rand) {
	if ok {
		*b = breaker{}
		return
	}
	if b.failures++; b.breaks > 0 && !probe || b.failures < breakAfter {
		return
	}
	b.probing = false
	wait := breakMost
	if b.breaks < 8 {
		wait = min(breakMost, breakFirst<<b.breaks)
	}
	b.breaks++
	b.until = now.Add(jitter(wait, r))
}
