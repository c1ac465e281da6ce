package monitor

import (
	"context"
	"sync"
	"time"
)

// A Health says how far evaluation has come. A monitor that stands still looks
// like a world in which nothing happens, so somebody must ask.
type Health struct {
	Behind   int64         // changes that no node has evaluated yet
	Since    time.Duration // since this node last looked for changes; 0 if it never did
	Stood    time.Duration // for how long evaluation has not moved, though there are changes
	Standing bool          // that is longer than StandsAfter
}

// StandsAfter is how long evaluation may stand still before that is told.
const StandsAfter = 30 * time.Second

// A standstill remembers since when evaluation has been at one place with
// something to do.
type standstill struct {
	mu    sync.Mutex
	place int64
	since time.Time
}

// Health reports how far behind the slowest shard is, whichever node holds it,
// and for how long it has not moved, as far as this node saw. last is the number
// of the last change. It is asked every few seconds.
func (e *Engine) Health(ctx context.Context, last int64) (Health, error) {
	passed, err := e.Passed(ctx)
	if err != nil {
		return Health{}, err
	}
	now := e.Now()
	h := Health{Behind: max(0, last-passed)}
	if at := e.steps.Load(); at > 0 {
		h.Since = now.Sub(time.Unix(at, 0))
	}
	h.Stood = e.stands.at(passed, h.Behind > 0, now)
	h.Standing = h.Stood > StandsAfter
	return h, nil
}

// at is for how long evaluation has been at a place with something to do.
func (s *standstill) at(place int64, behind bool, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !behind {
		s.since = time.Time{}
		return 0
	}
	if place != s.place || s.since.IsZero() {
		s.place, s.since = place, now
	}
	return now.Sub(s.since)
}
