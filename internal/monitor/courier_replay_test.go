package monitor_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/lacktest"
	"bureau/internal/monitor"
)

// B22: while very many events are sent again, at the same webhook, to the same
// customer and to the same host, a new event waits no more turns of the courier
// than it does without them.
func TestReplaysDoNotHoldUpNews(t *testing.T) {
	t.Parallel()
	many, turns := 20_000, 300
	switch {
	case os.Getenv("BUREAU_PROVE") == "1":
		many = 1_000_000
	case lacktest.Race:
		many, turns = 1000, 60
	}
	without, _ := newsAmongReplays(t, 0, turns)
	with, again := newsAmongReplays(t, many, turns)
	p99 := func(list []int) int { return list[len(list)*99/100] }
	t.Logf("%d new events among %d replays, of which %d went out: p99 %d turns, at most %d; without replays %d, at most %d",
		len(with), many, again, p99(with), with[len(with)-1], p99(without), without[len(without)-1])
	if p99(with) > p99(without) {
		t.Errorf("the p99 of new events is %d turns among replays, and %d without", p99(with), p99(without))
	}
	if again < turns*2/3 {
		t.Errorf("only %d events were sent again meanwhile", again)
	}
}

// newsAmongReplays returns how many turns each new event waited, in order, and
// how many events were sent again meanwhile.
func newsAmongReplays(t *testing.T, replays, turns int) (waits []int, again int) {
	w := newTown(t)
	for c := auth.CustomerID(1); c <= 3; c++ {
		w.hook(c, fmt.Sprintf("one.example.com/%d", c))
	}
	for len(w.events) < replays {
		w.happen(1, firmsUpTo(min(2000, replays-len(w.events)))...)
	}
	old := monitor.EventID(len(w.events))
	// They come to a second webhook, which was made after them, and wait there.
	h := w.hook(1, "one.example.com/later")
	doors := &monitor.Webhooks{Store: w.db, Now: func() time.Time { return w.now }}
	total := 0
	for since := monitor.EventID(1); replays > 0 && since != 0; {
		n, next, err := doors.Replay(t.Context(), by(1), h, monitor.ReplayQuery{Since: since})
		w.must(err)
		total, since = total+n, next
	}
	if total != replays {
		t.Fatalf("%d events are sent again, want %d", total, replays)
	}
	// What was new once is no news now.
	for id, h := range w.hooks {
		for {
			list, err := w.db.WaitingFor(t.Context(), h.Customer, id, false, 0, 5000)
			w.must(err)
			if len(list) == 0 {
				break
			}
			for i := range list {
				list[i].State = monitor.Delivered
			}
			w.must(w.db.Settle(t.Context(), list, nil, nil))
		}
	}
	c := w.courier()
	w.step(c)
	type message struct {
		hook  monitor.WebhookID
		event monitor.EventID
	}
	born := map[message]int{}
	seen := len(w.calls)
	for turn := range turns {
		for range w.random.IntN(5) {
			of := auth.CustomerID(1 + w.random.IntN(3))
			w.happen(of, firm(w.random.IntN(50)))
			for id, h := range w.hooks {
				if h.Customer == of {
					born[message{id, monitor.EventID(len(w.events))}] = turn
				}
			}
		}
		w.step(c)
		for _, k := range w.calls[seen:] {
			switch {
			case k.replay && k.event <= old:
				again++
			case !k.replay:
				m := message{k.hook, k.event}
				waits = append(waits, turn-born[m])
				delete(born, m)
			}
		}
		seen = len(w.calls)
		w.now = w.now.Add(10 * time.Millisecond)
	}
	for _, turn := range born { // those that wait still
		waits = append(waits, turns-turn)
	}
	slices.Sort(waits)
	return waits, again
}

// A webhook is asked to send so many events again in a day, and no more. The
// answer says when to ask again.
func TestReplaysHaveADailyQuota(t *testing.T) {
	t.Parallel()
	w := newTown(t)
	h, other := w.hook(1, "a.example.com"), w.hook(1, "b.example.com")
	for range 10 {
		w.happen(1, firmsUpTo(10)...)
	}
	w.run(w.courier(), 5*time.Second)
	doors := &monitor.Webhooks{Store: w.db, Now: func() time.Time { return w.now }, Replays: 70}
	ask := func(id monitor.WebhookID, q monitor.ReplayQuery, want int, next monitor.EventID) {
		t.Helper()
		n, at, err := doors.Replay(t.Context(), by(1), id, q)
		if err != nil || n != want || at != next {
			t.Errorf("%d are sent again, and on from %d (%v); want %d, %d", n, at, err, want, next)
		}
	}
	ask(h, monitor.ReplayQuery{Since: 51}, 50, 0)
	ask(h, monitor.ReplayQuery{Since: 1}, 20, 21)
	_, _, err := doors.Replay(t.Context(), by(1), h, monitor.ReplayQuery{Since: 21})
	f, _ := fault.Of(err)
	midnight := w.now.Truncate(24*time.Hour).AddDate(0, 0, 1)
	if !errors.Is(err, fault.Exhausted) || f.Wait != midnight.Sub(w.now) || !strings.Contains(f.Text, "2026-05-02 00:00 UTC") {
		t.Errorf("one more: %v, to be asked again after %v", err, f.Wait)
	}
	ask(other, monitor.ReplayQuery{Event: 1}, 1, 0)
	w.now = midnight.Add(-time.Millisecond)
	if _, _, err := doors.Replay(t.Context(), by(1), h, monitor.ReplayQuery{Event: 21}); !errors.Is(err, fault.Exhausted) {
		t.Errorf("a moment before midnight: %v", err)
	}
	w.now = midnight
	ask(h, monitor.ReplayQuery{Since: 21}, 30, 0)
}
