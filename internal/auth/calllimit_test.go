package auth

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A callBook is the naive limiter: it keeps every call that was admitted.
type callBook struct {
	rules    CallRules
	admitted []time.Time
}

func (b *callBook) limited(now time.Time) bool {
	burst, sustained := 0, 0
	for _, at := range b.admitted {
		if at.After(now.Add(-burstWindow)) {
			burst++
		}
		if slotOf(at) > slotOf(now)-slots {
			sustained++
		}
	}
	return b.rules.Burst > 0 && burst >= b.rules.Burst || b.rules.Sustained > 0 && sustained >= b.rules.Sustained
}

func TestCallLimitsAgreeWithTheBook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := CallRules{Burst: rapid.IntRange(0, 6).Draw(t, "burst"), Sustained: rapid.IntRange(0, 30).Draw(t, "sustained")}
		now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
		calls := &Calls{Rules: rules, Now: func() time.Time { return now }}
		book := &callBook{rules: rules}
		for i := range rapid.IntRange(1, 150).Draw(t, "calls") {
			now = now.Add(time.Duration(rapid.SampledFrom([]int64{
				0, 1, 10, 333, 999, 1000, 1001, 9_999, 10_000, 60_000, 289_999, 290_000, 300_000,
			}).Draw(t, "step")) * time.Millisecond)
			quotas, wait := calls.Spend(7)
			want := book.limited(now)
			if (wait > 0) != want {
				t.Fatalf("call %d: wait %s, want limited: %t", i, wait, want)
			}
			for _, q := range quotas {
				if q.Left < 0 || q.Left > q.Limit || q.Reset < 0 || q.Reset > q.Window {
					t.Fatalf("call %d: quota %+v", i, q)
				}
			}
			if !want {
				book.admitted = append(book.admitted, now)
				continue
			}
			if book.limited(now.Add(wait)) || !book.limited(now.Add(wait-time.Millisecond)) {
				t.Fatalf("call %d: wait %s is not exact", i, wait)
			}
		}
	})
}

func TestRefusedCallsCostNothing(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	calls := &Calls{Rules: CallRules{Burst: 3}, Now: func() time.Time { return now }}
	for range 100 {
		calls.Spend(7)
		now = now.Add(5 * time.Millisecond)
	}
	now = now.Add(500 * time.Millisecond) // a second after the first of them
	if _, wait := calls.Spend(7); wait != 0 {
		t.Errorf("after a second: wait %s, want none", wait)
	}
	if _, wait := calls.Spend(8); wait != 0 {
		t.Errorf("another account: wait %s, want none", wait)
	}
}

// A clock that is set back keeps nobody out for longer than a window.
func TestCallLimitsAfterTheClockIsSetBack(t *testing.T) {
	for _, back := range []time.Duration{time.Second, 25 * time.Second, 5 * time.Minute, time.Hour, 50 * 365 * 24 * time.Hour} {
		now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
		calls := &Calls{Rules: CallRules{Burst: 10, Sustained: 10}, Now: func() time.Time { return now }}
		for range 10 {
			calls.Spend(7)
		}
		now = now.Add(-back)
		_, wait := calls.Spend(7)
		if wait <= 0 || wait > sustainedWindow {
			t.Errorf("%s back: wait %s, want some, and at most %s", back, wait, sustainedWindow)
		}
		now = now.Add(wait)
		if _, wait := calls.Spend(7); wait != 0 {
			t.Errorf("%s back, after the wait: another %s", back, wait)
		}
	}
}
