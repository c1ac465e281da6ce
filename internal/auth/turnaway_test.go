package auth

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What is foretold of an attempt is what becomes of it when it is counted.
func TestForetellKnowsWhatWillBeDecided(t *testing.T) {
	v := testVault(t)
	rapid.Check(t, func(t *rapid.T) {
		rules := DefaultLoginRules
		rules.TotalSource = rapid.IntRange(0, 6).Draw(t, "per source")
		rules.TotalPair = rapid.IntRange(0, 4).Draw(t, "per pair")
		l := newLoginLimits(rules, maxKeys)
		now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(0, 120_000).Draw(t, "passed")) * time.Millisecond)
			a := attempt(v, asked{
				source: rapid.SampledFrom([]string{"192.0.2.1", "192.0.2.2"}).Draw(t, "source"),
				user:   rapid.SampledFrom([]string{"ann", "bob"}).Draw(t, "user"),
			})
			quotas, open := l.foretell(a, now)
			ruling := l.decide(&a, now, true)
			if open == ruling.limited {
				t.Fatalf("foretold that the door is open: %v; limited: %v", open, ruling.limited)
			}
			if diff := cmp.Diff(ruling.quotas, quotas); open && diff != "" {
				t.Fatalf("decided (-) and foretold (+):\n%s", diff)
			}
		}
	})
}
