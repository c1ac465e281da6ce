package auth

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// CallRules limit the protected calls of one account.
type CallRules struct {
	Burst     int // calls in a second
	Sustained int // calls in five minutes
}

// DefaultCallRules leave room for a busy client and none for a runaway one. A
// limit of 0 is off.
var DefaultCallRules = CallRules{Burst: 2_000, Sustained: 300_000}

const (
	burstWindow     = time.Second
	sustainedWindow = 5 * time.Minute
	slotLength      = 10 * time.Second
	slots           = int64(sustainedWindow / slotLength)
)

// Calls counts protected calls. A burst is counted by this node alone; the
// sustained count is reconciled with the other nodes by Step, every second, so
// it is off by at most one burst a node.
type Calls struct {
	Rules CallRules
	Store Store
	Node  string // this node's name among all
	Now   func() time.Time

	mu       sync.Mutex
	accounts map[AccountID]*calls
}

// calls is what one account did.
type calls struct {
	mu     sync.Mutex
	burst  window
	slot   int64 // the newest slot below
	own    [slots]int64
	others [slots]int64
	sent   [slots]int64 // how much of own the other nodes were told
}

// Spend counts one call, or refuses it: a refused call costs nothing. The wait
// is zero when the call is admitted.
func (c *Calls) Spend(id AccountID) (quotas []Quota, wait time.Duration) {
	now := c.Now()
	a := c.account(id)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turn(now)
	t := millis(now)

	sustained := Quota{Name: "sustained", Limit: c.Rules.Sustained, Window: sustainedWindow}
	burst := Quota{Name: "burst", Limit: c.Rules.Burst, Window: burstWindow}
	var total int64
	for i := range slots {
		total += a.own[i] + a.others[i]
	}
	span := burstWindow.Milliseconds()
	n := a.burst.count(t, span)
	if c.Rules.Sustained > 0 && total >= int64(c.Rules.Sustained) {
		wait = a.roomIn(now, total-int64(c.Rules.Sustained)+1)
	}
	if c.Rules.Burst > 0 && n >= c.Rules.Burst {
		wait = max(wait, time.Duration(a.burst.oldest()+span-t)*time.Millisecond)
	}
	if wait == 0 {
		a.own[a.slot%slots]++
		total++
		if c.Rules.Burst > 0 {
			n = a.burst.add(t, span, c.Rules.Burst)
		}
	}
	quotas = make([]Quota, 0, 2)
	if c.Rules.Burst > 0 {
		burst.Left = max(0, c.Rules.Burst-n)
		if n > 0 {
			burst.Reset = time.Duration(a.burst.oldest()+span-t) * time.Millisecond
		}
		quotas = append(quotas, burst)
	}
	if c.Rules.Sustained > 0 {
		sustained.Left = int(max(0, int64(c.Rules.Sustained)-total))
		sustained.Reset = a.roomIn(now, 1)
		quotas = append(quotas, sustained)
	}
	return quotas, wait
}

func (c *Calls) account(id AccountID) *calls {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.accounts == nil {
		c.accounts = map[AccountID]*calls{}
	}
	a := c.accounts[id]
	if a == nil {
		a = new(calls)
		c.accounts[id] = a
	}
	return a
}

func slotOf(t time.Time) int64 { return millis(t) / slotLength.Milliseconds() }

// turn empties the slots that have left the window.
func (a *calls) turn(now time.Time) {
	s := max(0, slotOf(now))
	// Where a clock was set back, what lies ahead counts as happening now:
	// nothing may weigh for longer than its window.
	if s < a.slot {
		for _, of := range []*[slots]int64{&a.own, &a.others, &a.sent} {
			var ahead int64
			for i := max(s, a.slot-slots) + 1; i <= a.slot; i++ {
				ahead += of[i%slots]
				of[i%slots] = 0
			}
			of[s%slots] += ahead
		}
		a.slot = s
	}
	for i := max(a.slot+1, s-slots+1); i <= s; i++ {
		a.own[i%slots], a.others[i%slots], a.sent[i%slots] = 0, 0, 0
	}
	a.slot = s
}

// roomIn is how long it takes until n calls have left the window.
func (a *calls) roomIn(now time.Time, n int64) time.Duration {
	for s := a.slot - slots + 1; s <= a.slot; s++ {
		i := ((s % slots) + slots) % slots
		if n -= a.own[i] + a.others[i]; n <= 0 {
			return time.UnixMilli((s + slots) * slotLength.Milliseconds()).Sub(now)
		}
	}
	return sustainedWindow
}

// Step tells the other nodes what this one counted, and hears from them.
func (c *Calls) Step(ctx context.Context) error {
	now := c.Now()
	since := slotOf(now) - slots + 1
	told, err := c.Store.SpendCalls(ctx, c.Node, c.unsent(now), since)
	if err != nil {
		return fmt.Errorf("reconcile call counts: %w", err)
	}
	heard := map[AccountID][]CallCount{}
	for _, t := range told {
		heard[t.Account] = append(heard[t.Account], t)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for id := range heard {
		if c.accounts[id] == nil {
			c.accounts[id] = new(calls)
		}
	}
	for id, a := range c.accounts {
		if a.hear(now, heard[id]) {
			delete(c.accounts, id)
		}
	}
	return nil
}

// unsent collects what the others do not know yet, and marks it as told. Should
// telling them fail, they undercount by that much for five minutes.
func (c *Calls) unsent(now time.Time) []CallCount {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.accounts == nil {
		c.accounts = map[AccountID]*calls{}
	}
	var out []CallCount
	for id, a := range c.accounts {
		a.mu.Lock()
		a.turn(now)
		for s := max(0, a.slot-slots+1); s <= a.slot; s++ {
			if i := s % slots; a.own[i] > a.sent[i] {
				out = append(out, CallCount{Account: id, Slot: s, Calls: a.own[i] - a.sent[i]})
				a.sent[i] = a.own[i]
			}
		}
		a.mu.Unlock()
	}
	return out
}

// hear takes in the others' counts and reports whether the account is idle.
func (a *calls) hear(now time.Time, told []CallCount) (idle bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turn(now)
	a.others = [slots]int64{}
	for _, t := range told {
		if t.Slot > a.slot-slots && t.Slot <= a.slot {
			a.others[t.Slot%slots] += t.Calls
		}
	}
	for i := range slots {
		if a.own[i]+a.others[i] > 0 {
			return false
		}
	}
	return true
}
