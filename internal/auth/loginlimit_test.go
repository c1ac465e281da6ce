package auth

import (
	"bytes"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A4: the limits against a ledger that keeps every attempt and asks the whole
// list each time.

// An asked is one attempt as the ledger keeps it, with what became of it.
type asked struct {
	at                    int64
	source, user, request string
	valid                 bool

	limited, closedSource, closedPair bool
}

type ledger struct {
	rules LoginRules
	past  []asked
}

// rule says what becomes of an attempt, and changes nothing.
func (l *ledger) rule(a asked) asked {
	sameSource := func(p asked) bool { return p.source == a.source }
	samePair := func(p asked) bool { return p.source == a.source && p.user == a.user }
	closed, closes := l.door(a.at, l.rules.TotalSource, sameSource, func(p asked) bool { return p.closedSource })
	a.limited, a.closedSource = closed || closes, closes
	closed, closes = l.door(a.at, l.rules.TotalPair, samePair, func(p asked) bool { return p.closedPair })
	a.limited, a.closedPair = a.limited || closed || closes, closes
	if !a.limited && !a.valid {
		n := 0
		for _, p := range l.past {
			if p.request == a.request && !p.valid && !p.limited && p.at > a.at-l.rules.IdenticalWindow.Milliseconds() {
				n++
			}
		}
		a.limited = n >= l.rules.Identical
	}
	return a
}

// door says whether a door is closed already, or whether one more closes it.
func (l *ledger) door(at int64, limit int, same, closedIt func(asked) bool) (closed, closes bool) {
	n := 1
	for _, p := range l.past {
		if same(p) && closedIt(p) && at < p.at+l.rules.TotalClosed.Milliseconds() {
			closed = true
		}
		if same(p) && p.at > at-l.rules.TotalWindow.Milliseconds() {
			n++
		}
	}
	return closed, !closed && n > limit
}

func (l *ledger) add(a asked) asked {
	a = l.rule(a)
	l.past = append(l.past, a)
	return a
}

// attempt makes the limiter's view of an attempt.
func attempt(v *Vault, a asked) Attempt {
	return fingerprint(v, netip.MustParseAddr(a.source), a.user, 0, []byte(a.user), []byte(a.request))
}

func testVault(t interface{ Fatal(...any) }) *Vault {
	v, err := NewVault(bytes.Repeat([]byte{1}, MasterKeySize))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// drawRules draws limits small enough to be met often.
func drawRules(t *rapid.T) LoginRules {
	return LoginRules{
		Identical: rapid.IntRange(1, 5).Draw(t, "identical"), IdenticalWindow: 2 * time.Minute,
		TotalSource: rapid.IntRange(1, 20).Draw(t, "source"), TotalPair: rapid.IntRange(1, 15).Draw(t, "pair"),
		TotalWindow: 5 * time.Minute, TotalClosed: 5 * time.Minute,
	}
}

// drawAttempt draws one from few names and addresses, often at a window's edge.
func drawAttempt(t *rapid.T, now int64) asked {
	step := rapid.SampledFrom([]int64{
		0, 1, 999, 7_000, 23_999, 24_000, 60_000, 119_999, 120_000, 120_001, 299_999, 300_000, 300_001,
	}).Draw(t, "step")
	user := rapid.SampledFrom([]string{"ann", "bob", "nobody"}).Draw(t, "user")
	return asked{
		at: now + step, user: user,
		source: rapid.SampledFrom([]string{"192.0.2.1", "192.0.2.2", "2001:db8::1"}).Draw(t, "source"),
		// A request is the same only if its user is: passwords are told apart
		// by the user they are tried on.
		request: user + rapid.SampledFrom([]string{"1", "2"}).Draw(t, "password"),
		valid:   rapid.IntRange(0, 4).Draw(t, "valid") == 0,
	}
}

func TestLoginLimitsAgreeWithTheLedger(t *testing.T) {
	v := testVault(t)
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		limits, book := newLoginLimits(rules, maxKeys), &ledger{rules: rules}
		now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC).UnixMilli()
		for i := range rapid.IntRange(1, 80).Draw(t, "attempts") {
			a := drawAttempt(t, now)
			if a.valid {
				a.request = "right" // it can never have been answered as invalid
			}
			now = a.at
			try := attempt(v, a)
			foreseen := limits.foresee(try, time.UnixMilli(now))
			got := limits.decide(&try, time.UnixMilli(now), a.valid)
			want := book.add(a)
			if got.limited != want.limited {
				t.Fatalf("attempt %d: limited = %t, want %t", i, got.limited, want.limited)
			}
			if foreseen && !want.limited {
				t.Fatalf("attempt %d: foreseen as limited, and it is not", i)
			}
			if try.Closed != want.closedSource || try.Barred != want.closedPair {
				t.Fatalf("attempt %d: closed = %t %t, want %t %t", i, try.Closed, try.Barred, want.closedSource, want.closedPair)
			}
			checkWait(t, book, a, got)
		}
		checkWindows(t, book)
	})
}

// checkWait holds a wait to its promise: a moment before it is over the same
// request is still refused, and when it is over it is admitted.
func checkWait(t *rapid.T, book *ledger, a asked, r ruling) {
	if !r.limited {
		if r.wait != 0 {
			t.Fatalf("admitted, and told to wait %s", r.wait)
		}
		return
	}
	a.at += r.wait.Milliseconds()
	if book.rule(a).limited {
		t.Fatalf("told to wait %s, and still refused then", r.wait)
	}
	a.at--
	if !book.rule(a).limited {
		t.Fatalf("told to wait %s, and would be admitted a millisecond sooner", r.wait)
	}
}

// checkWindows looks at every window there is: none may hold more than the
// limit of identical requests that were answered as invalid.
func checkWindows(t *rapid.T, book *ledger) {
	answered := map[string][]int64{}
	for _, p := range book.past {
		if !p.valid && !p.limited {
			answered[p.request] = append(answered[p.request], p.at)
		}
	}
	n := book.rules.Identical
	for request, at := range answered {
		for i := n; i < len(at); i++ {
			if span := at[i] - at[i-n]; span < book.rules.IdenticalWindow.Milliseconds() {
				t.Fatalf("%q was answered %d times in %d ms", request, n+1, span)
			}
		}
	}
}

// Every node that applies what another decided decides alike.
func TestNodesThatShareAttemptsDecideAlike(t *testing.T) {
	v := testVault(t)
	rapid.Check(t, func(t *rapid.T) {
		rules := drawRules(t)
		nodes := []*loginLimits{newLoginLimits(rules, maxKeys), newLoginLimits(rules, maxKeys), newLoginLimits(rules, maxKeys)}
		book := &ledger{rules: rules}
		now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC).UnixMilli()
		for i := range rapid.IntRange(1, 80).Draw(t, "attempts") {
			a := drawAttempt(t, now)
			now = a.at
			try := attempt(v, a)
			who := rapid.IntRange(0, 2).Draw(t, "node")
			got := nodes[who].decide(&try, time.UnixMilli(now), a.valid)
			if want := book.add(a); got.limited != want.limited {
				t.Fatalf("attempt %d on node %d: limited = %t, want %t", i, who, got.limited, want.limited)
			}
			for n, node := range nodes {
				if n != who {
					node.apply(try, time.UnixMilli(now))
				}
			}
		}
	})
}

func TestIdenticalRequests(t *testing.T) {
	v := testVault(t)
	limits := newLoginLimits(DefaultLoginRules, maxKeys)
	start := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	send := func(after time.Duration, source, password string) ruling {
		try := attempt(v, asked{source: source, user: "ann", request: password})
		return limits.decide(&try, start.Add(after), false)
	}
	for i := range 5 {
		r := send(time.Duration(i)*time.Second, "192.0.2.1", "wrong")
		if r.limited || r.quotas[0].Name != "identical" || r.quotas[0].Left != 4-i {
			t.Fatalf("request %d: %+v, want it answered with %d left", i+1, r, 4-i)
		}
	}
	for _, c := range []struct {
		name    string
		after   time.Duration
		source  string
		pass    string
		limited bool
		wait    time.Duration
	}{
		{"the sixth", 5 * time.Second, "192.0.2.1", "wrong", true, 115 * time.Second},
		{"from another address", 5 * time.Second, "198.51.100.7", "wrong", true, 115 * time.Second},
		{"another password", 5 * time.Second, "192.0.2.1", "wrong too", false, 0},
		{"one of many repeats", 60 * time.Second, "192.0.2.1", "wrong", true, time.Minute},
		{"one millisecond too soon", 2*time.Minute - time.Millisecond, "192.0.2.1", "wrong", true, time.Millisecond},
		{"the first instant: repeats did not prolong it", 2 * time.Minute, "192.0.2.1", "wrong", false, 0},
		{"at once again, until the second is past", 2 * time.Minute, "192.0.2.1", "wrong", true, time.Second},
	} {
		if r := send(c.after, c.source, c.pass); r.limited != c.limited || r.wait != c.wait {
			t.Errorf("%s: limited %t, wait %s; want %t, %s", c.name, r.limited, r.wait, c.limited, c.wait)
		}
	}
}

// A4: a password is sprayed from ten thousand addresses. Nobody's door closes,
// since no address asks often, and the password itself is answered five times
// in two minutes and no more; the owner is let in all the while.
func TestDistributedAttack(t *testing.T) {
	v := testVault(t)
	rules := DefaultLoginRules
	rules.TotalSource, rules.TotalPair = 10, 10
	limits := newLoginLimits(rules, maxKeys)
	now := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	answered := 0
	for i := range 10_000 {
		source := fmt.Sprintf("10.%d.%d.1", i>>8, i&255)
		try := attempt(v, asked{source: source, user: "ann", request: "123456789012"})
		if r := limits.decide(&try, now, false); !r.limited {
			answered++
		}
		if i%1000 == 0 {
			owner := attempt(v, asked{source: "192.0.2.1", user: "ann", request: "right"})
			if r := limits.decide(&owner, now, true); r.limited {
				t.Fatalf("after %d attempts the owner is refused", i)
			}
		}
		now = now.Add(time.Millisecond)
	}
	if answered != 5 {
		t.Errorf("%d of 10,000 identical attempts were answered, want 5", answered)
	}
}

func TestSwitchedOffLimitsLimitNothing(t *testing.T) {
	v := testVault(t)
	limits := newLoginLimits(LoginRules{IdenticalWindow: time.Minute, TotalWindow: time.Minute, TotalClosed: time.Minute}, maxKeys)
	for i := range 1000 {
		try := attempt(v, asked{source: "192.0.2.1", user: "ann", request: "wrong"})
		if r := limits.decide(&try, time.UnixMilli(1e12), false); r.limited || len(r.quotas) > 0 {
			t.Fatalf("attempt %d: %+v, want no limit and no quota", i, r)
		}
	}
}
