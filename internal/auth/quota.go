package auth

import (
	"math"
	"slices"
	"time"
)

// A Quota is where a caller stands with one limit, as the RateLimit headers
// tell it.
type Quota struct {
	Name   string // "identical", "total", "burst", "sustained"
	Limit  int
	Window time.Duration
	Left   int
	Reset  time.Duration // until the limit leaves room again
}

// A window counts what happened in the last span of time, exactly: it keeps
// the instants themselves, in milliseconds and in order. It keeps at most
// limit+1 of them, which is all it takes to know that the limit is passed.
type window struct {
	at   []int64
	head int // at[:head] is forgotten
}

// add notes an instant and reports how many lie in (now-span, now].
func (w *window) add(now, span int64, limit int) int {
	w.drop(now, span)
	w.at = append(w.at, now)
	if w.len() > limit+1 {
		w.head++
	}
	return w.len()
}

// count reports how many instants lie in (now-span, now].
func (w *window) count(now, span int64) int {
	w.drop(now, span)
	return w.len()
}

// peek counts likewise but forgets nothing: it is for whoever asks by a clock
// that may be wrong.
func (w *window) peek(now, span int64) int {
	n := 0
	for _, at := range w.at[w.head:] {
		if at > now-span {
			n++
		}
	}
	return n
}

// since reports how many instants lie after a time, and the first of them. Like
// peek it forgets nothing, but it looks at few: there may be very many.
func (w *window) since(t int64) (n int, first int64) {
	at := w.at[w.head:]
	i, _ := slices.BinarySearch(at, t+1)
	if i == len(at) {
		return 0, math.MaxInt64
	}
	return len(at) - i, at[i]
}

func (w *window) len() int { return len(w.at) - w.head }

// oldest is the first instant that still counts; there must be one.
func (w *window) oldest() int64 { return w.at[w.head] }

// drop forgets what is past. The room is used again once most of it is free,
// so that each instant is moved once on average.
func (w *window) drop(now, span int64) {
	// Where a clock was set back, what lies ahead counts as happening now:
	// nothing may weigh for longer than its window.
	for i := len(w.at) - 1; i >= w.head && w.at[i] > now; i-- {
		w.at[i] = now
	}
	for w.head < len(w.at) && w.at[w.head] <= now-span {
		w.head++
	}
	if w.head > 32 && w.head*2 > len(w.at) {
		w.at = append(w.at[:0], w.at[w.head:]...)
		w.head = 0
	}
}

func millis(t time.Time) int64 { return t.UnixMilli() }
