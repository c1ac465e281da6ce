package auth

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"
	"time"
)

// flood sends n attempts at once, each with a name, a password and an address
// of its own, from 256 networks in turn.
func flood(limits *loginLimits, n int, now time.Time) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		try := Attempt{Source: r.Uint64(), Wide: uint64(i % 256), Pair: r.Uint64(), Request: r.Uint64()}
		limits.decide(&try, now, false)
	}
}

// A7: however many names come in, the tables and the memory are bounded, and
// what no longer fits is counted under a coarser key.
func TestLimiterTablesAreBounded(t *testing.T) {
	room := maxKeys / 16
	names := room * 3 / 2
	if os.Getenv("BUREAU_PROVE") == "1" {
		room, names = maxKeys, 10_000_000
	}
	limits := newLoginLimits(DefaultLoginRules, room)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	flood(limits, names, now)
	runtime.GC()
	runtime.ReadMemStats(&after)

	most := room + coarseKeys
	for name, n := range map[string]int{
		"identical": len(limits.identical.of), "sources": len(limits.sources.of), "pairs": len(limits.pairs.of),
	} {
		if n > most || n < room {
			t.Errorf("the table of %s holds %d keys after %d names, want %d to %d", name, n, names, room, most)
		}
	}
	const each = 512 // bytes for a key in each of the three tables
	if used := int64(after.HeapAlloc) - int64(before.HeapAlloc); used > int64(each*most) {
		t.Errorf("the tables take %d bytes, want at most %d a key", used, each)
	}
	runtime.KeepAlive(limits)
}

// A7: a full table is not an open door, and not a shut one for who knows the
// password.
func TestFullTableIsNotOpen(t *testing.T) {
	v := testVault(t)
	rules := DefaultLoginRules
	rules.TotalSource, rules.TotalPair = 20, 20
	limits := newLoginLimits(rules, 100)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	flood(limits, 100, now)

	answered := 0
	for i := range 1000 {
		try := attempt(v, asked{source: fmt.Sprintf("10.20.%d.%d", i/200, i%200), user: "ann", request: "wrong"})
		if r := limits.decide(&try, now, false); !r.limited {
			answered++
		}
	}
	if answered > 5 {
		t.Errorf("one network's newcomers were answered %d times, want at most 5", answered)
	}
	closed := attempt(v, asked{source: "10.20.99.99", user: "ann", request: "other"})
	if !limits.foresee(closed, now) {
		t.Error("a newcomer of a network that used up its limit is not refused before the verifier")
	}
	elsewhere := attempt(v, asked{source: "192.0.2.1", user: "ann", request: "right"})
	if limits.foresee(elsewhere, now) || limits.decide(&elsewhere, now, true).limited {
		t.Error("the owner is refused because another network floods us")
	}
}

// The owner may sit in the very network that tries wrong passwords: while its
// door is open the right one is checked, whatever the others sent.
func TestCoarseWindowNeverHidesTheRightPassword(t *testing.T) {
	v := testVault(t)
	limits := newLoginLimits(DefaultLoginRules, 100)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	flood(limits, 100, now)
	for i := range 50 {
		try := attempt(v, asked{source: "10.20.0.1", user: "ann", request: fmt.Sprint("wrong", i)})
		limits.decide(&try, now, false)
	}
	right := attempt(v, asked{source: "10.20.0.2", user: "ann", request: "right"})
	if limits.foresee(right, now) || limits.decide(&right, now, true).limited {
		t.Error("the right password is refused")
	}
}

// What is past is forgotten, on a node that decides and on one that only hears,
// and after a flood a login is no dearer than before it.
func TestLimiterForgetsWhatIsPast(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	const many = 20_000
	for name, one := range map[string]func(l *loginLimits, a Attempt, now time.Time){
		"decides": func(l *loginLimits, a Attempt, now time.Time) { l.decide(&a, now, false) },
		"hears":   func(l *loginLimits, a Attempt, now time.Time) { l.apply(a, now) },
	} {
		t.Run(name, func(t *testing.T) {
			limits := newLoginLimits(DefaultLoginRules, maxKeys)
			flood(limits, many, now)
			later := now.Add(10 * time.Minute)
			for range 5 * many {
				one(limits, Attempt{At: later, Source: 1, Pair: 2, Request: 3, Invalid: true}, later)
			}
			for name, table := range map[string]struct{ keys, peak int }{
				"identical": {len(limits.identical.of), limits.identical.peak},
				"sources":   {len(limits.sources.of), limits.sources.peak},
				"pairs":     {len(limits.pairs.of), limits.pairs.peak},
			} {
				if table.keys > 1 || table.peak > 1024 {
					t.Errorf("%s: %d keys in a map that once held %d, want 1 in a small one", name, table.keys, table.peak)
				}
			}
		})
	}
}
