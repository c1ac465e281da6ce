package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// ledgerOwner is who has portfolios here.
var ledgerOwner = auth.Caller{Customer: 1, Account: 1}

// A ledger is a portfolio whose events are also kept in a plain list.
type ledger struct {
	*DB
	by     auth.Caller
	id     monitor.PortfolioID
	now    time.Time
	events []monitor.Event // in the order of their numbers
	change int64
}

// Whatever happens to events, on whatever day, their totals are what a plain
// count finds.
func TestTotalsEqualAPlainCount(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		l := &ledger{DB: open(t, url), by: ledgerOwner}
		l.now = time.Date(2026, 3, 1, 22, 0, 0, 0, time.UTC)
		l.Now = func() time.Time { return l.now }
		run := 0
		rapid.Check(t, func(r *rapid.T) {
			run++
			p, err := l.CreatePortfolio(r.Context(), l.by, monitor.Portfolio{Name: fmt.Sprint("run ", run)})
			if err != nil {
				r.Fatal(err)
			}
			l.id, l.events = p.ID, nil
			for range rapid.IntRange(1, 12).Draw(r, "steps") {
				l.act(r)
				l.look(r)
			}
		})
	})
}

// act does one thing to the events.
func (l *ledger) act(r *rapid.T) {
	l.now = l.now.Add(time.Duration(rapid.IntRange(0, 20*60).Draw(r, "minutes pass")) * time.Minute)
	some := func() monitor.EventID {
		if len(l.events) == 0 {
			return 1
		}
		return rapid.SampledFrom(l.events).Draw(r, "event").ID
	}
	switch rapid.SampledFrom([]string{"tell", "tell", "mark", "mark up to", "forget"}).Draw(r, "act") {
	case "tell":
		l.tell(r)
	case "mark":
		l.mark(r, monitor.Mark{Event: some()}, func(e *monitor.Event, m monitor.Mark) bool { return e.ID == m.Event })
	case "mark up to":
		l.mark(r, monitor.Mark{UpTo: some()}, func(e *monitor.Event, m monitor.Mark) bool { return e.ID <= m.UpTo })
	case "forget":
		l.forgetSome(r)
	}
}

func (l *ledger) tell(r *rapid.T) {
	var list []monitor.Event
	for range rapid.IntRange(1, 6).Draw(r, "how many") {
		l.change++
		back := time.Duration(rapid.IntRange(0, 50*60).Draw(r, "minutes ago")) * time.Minute
		list = append(list, monitor.Event{
			Customer: 1, Portfolio: l.id, Company: "GB-0-1", Name: "Acme", Country: "XX", Rule: 105, Change: l.change, At: l.now.Add(-back),
		})
	}
	if _, err := l.Tell(r.Context(), list, nil); err != nil {
		r.Fatal(err)
	}
	first := l.lastEvent(r) - int64(len(list)) + 1
	for i := range list {
		list[i].ID, list[i].CreatedAt = monitor.EventID(first+int64(i)), l.now
	}
	l.events = append(l.events, list...)
}

func (l *ledger) lastEvent(r *rapid.T) (n int64) {
	if err := l.QueryRow(r.Context(), `SELECT last_number FROM monitor_log WHERE name = 'event'`).Scan(&n); err != nil {
		r.Fatal(err)
	}
	return n
}

func (l *ledger) mark(r *rapid.T, m monitor.Mark, meant func(*monitor.Event, monitor.Mark) bool) {
	m.Portfolio, m.Processed = l.id, rapid.Bool().Draw(r, "processed")
	n, err := l.MarkEvents(r.Context(), l.by, m)
	if len(l.events) == 0 {
		return
	}
	want := int64(0)
	for i := range l.events {
		if e := &l.events[i]; meant(e, m) && e.Processed() != m.Processed {
			want++
			e.ProcessedAt = l.now
			if !m.Processed {
				e.ProcessedAt = time.Time{}
			}
		}
	}
	if err != nil || n != want {
		r.Fatalf("marked %d (%v), want %d", n, err, want)
	}
}

func (l *ledger) forgetSome(r *rapid.T) {
	before := l.now.Add(-time.Duration(rapid.IntRange(0, 40).Draw(r, "hours kept")) * time.Hour)
	day := before.Truncate(24 * time.Hour)
	for {
		n, err := l.ForgetEvents(r.Context(), before, 3)
		if err != nil {
			r.Fatal(err)
		}
		if n > 3 {
			r.Fatalf("forgot %d, asked for 3", n)
		}
		if n == 0 {
			break
		}
	}
	l.events = slices.DeleteFunc(l.events, func(e monitor.Event) bool { return e.CreatedAt.Before(day) })
}

// look compares one query, and the counts themselves.
func (l *ledger) look(r *rapid.T) {
	bound := func(what string) (out time.Time) {
		switch rapid.IntRange(0, 3).Draw(r, what) {
		case 0:
		case 1:
			out = l.now.Truncate(24*time.Hour).AddDate(0, 0, -rapid.IntRange(0, 3).Draw(r, "days"))
		case 2:
			out = l.now.Add(-time.Duration(rapid.IntRange(-60, 80*60).Draw(r, "minutes")) * time.Minute)
		case 3:
			if len(l.events) > 0 {
				out = rapid.SampledFrom(l.events).Draw(r, "at").At
			}
		}
		return out
	}
	q := monitor.EventQuery{Portfolio: l.id, From: bound("from"), To: bound("to"), ByCreated: rapid.Bool().Draw(r, "by created"), Limit: 1000}
	if rapid.Bool().Draw(r, "only some") {
		p := rapid.Bool().Draw(r, "processed ones")
		q.Processed = &p
	}
	want := int64(0)
	for i := range l.events {
		e := &l.events[i]
		at := e.At
		if q.ByCreated {
			at = e.CreatedAt
		}
		if (q.Processed == nil || *q.Processed == e.Processed()) && (q.From.IsZero() || !at.Before(q.From)) && (q.To.IsZero() || !at.After(q.To)) {
			want++
		}
	}
	got, err := l.Events(r.Context(), l.by, q)
	if err != nil || got.Total != want || int64(len(got.List)) != want {
		r.Fatalf("%d in all, %d listed (%v), want %d", got.Total, len(got.List), err, want)
	}
	var odd int64
	if err := l.QueryRow(r.Context(), `SELECT COUNT(*) FROM event_total WHERE events <= 0`).Scan(&odd); err != nil || odd != 0 {
		r.Fatalf("%d counts of nothing are kept (%v)", odd, err)
	}
}
