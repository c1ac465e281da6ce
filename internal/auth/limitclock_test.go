package auth

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A8: clocks jump. The shared clock may be set back, and a node's own may be
// anything.

// However often the clock is set back, a window forgets no instant before its
// span has really passed, and remembers none for longer than a span after the
// last jump.
func TestWindowsOutliveClockJumps(t *testing.T) {
	const span, limit = 120_000, 1 << 20
	rapid.Check(t, func(t *rapid.T) {
		var w window
		clock, real := int64(1e12), int64(0)
		var noted []int64 // by real time
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			passed := rapid.Int64Range(0, 50_000).Draw(t, "passed")
			real, clock = real+passed, clock+passed
			if rapid.IntRange(0, 5).Draw(t, "jump") == 0 {
				clock -= rapid.Int64Range(0, 3_600_000).Draw(t, "back")
			}
			got := w.add(clock, span, limit)
			noted = append(noted, real)
			most := 0
			for _, at := range noted {
				if at > real-span {
					most++
				}
			}
			if got < most {
				t.Fatalf("%d counted, want at least %d", got, most)
			}
		}
		clock += span
		if got := w.count(clock, span); got != 0 {
			t.Fatalf("a whole window later %d still count, want none", got)
		}
	})
}

func TestLimitsAfterTheSharedClockIsSetBack(t *testing.T) {
	v := testVault(t)
	rules := DefaultLoginRules
	rules.TotalPair = 8
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	wrong := asked{source: "192.0.2.1", user: "ann", request: "wrong"}

	decided := newLoginLimits(rules, maxKeys)
	var record []Attempt
	for range 9 { // the sixth repeats too often, the ninth closes the door
		try := attempt(v, wrong)
		decided.decide(&try, now, false)
		record = append(record, try)
	}
	back := now.Add(-time.Hour)
	heard := newLoginLimits(rules, maxKeys)
	for _, a := range record {
		heard.apply(a, back)
	}
	for name, limits := range map[string]*loginLimits{"the node that decided": decided, "a node that starts then": heard} {
		try := attempt(v, wrong)
		if r := limits.decide(&try, back, false); !r.limited || r.wait != 5*time.Minute {
			t.Errorf("%s: limited %t, wait %s; want the door closed for its five minutes and no more", name, r.limited, r.wait)
		}
		try = attempt(v, wrong)
		if r := limits.decide(&try, back.Add(5*time.Minute), false); r.limited {
			t.Errorf("%s: still refused after the five minutes: wait %s", name, r.wait)
		}
	}
}

// foresee is asked by the node's own clock, so it must leave no trace: a clock
// that runs ahead must not make the limiter forget.
func TestForeseeLeavesNoTrace(t *testing.T) {
	v := testVault(t)
	limits := newLoginLimits(DefaultLoginRules, maxKeys)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	wrong := asked{source: "192.0.2.1", user: "ann", request: "wrong"}
	for range 5 {
		try := attempt(v, wrong)
		limits.decide(&try, now, false)
	}
	for _, ahead := range []time.Duration{time.Hour, -time.Hour, 0} {
		limits.foresee(attempt(v, wrong), now.Add(ahead))
		try := attempt(v, wrong)
		if r := limits.decide(&try, now, false); !r.limited {
			t.Errorf("after a look with a clock that is wrong by %s the sixth is answered", ahead)
		}
	}
}
