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
	return d/4 + time.Duration(r.Int64N(int64(d*3/4)+1))
}

// A breaker stops asking an endpoint that fails for every company: it waits,
// then lets one delivery through to see.
type breaker struct {
	failures int       // in a row
	until    time.Time // nothing is sent before
	probing  bool
}

const (
	breakAfter = 10
	breakFirst = 5 * time.Second
	breakMost  = 5 * time.Minute
)

// open reports whether something may be sent now.
func (b *breaker) open(now time.Time) bool {
	if b.failures < breakAfter {
		return true
	}
	return !b.probing && !now.Before(b.until)
}

// sent notes that something was sent.
func (b *breaker) sent() { b.probing = b.failures >= breakAfter }

// result notes how it went.
func (b *breaker) result(ok bool, now time.Time) {
	b.probing = false
	if ok {
		*b = breaker{}
		return
	}
	if b.failures++; b.failures >= breakAfter {
		over := min(b.failures-breakAfter, 10)
		b.until = now.Add(min(breakMost, breakFirst<<over))
	}
}
