package bench

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bureau/internal/app"
	"bureau/internal/auth"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

// liveFor lets companies change while customers are told, and returns the way of
// all changes. What the endpoint is sent goes through between.
func liveFor(t *testing.T, db string, stall time.Duration, between func(http.Handler) http.Handler) trail {
	t.Helper()
	ctx := t.Context()
	m := &mailroom{
		place: place{data: t.TempDir(), db: db}, path: pathLater,
		keys: map[string][]string{}, folders: map[auth.CustomerID]monitor.PortfolioID{},
	}
	e := newEndpoint(m.keys)
	sink := httptest.NewServer(between(e.handler()))
	t.Cleanup(sink.Close)
	m.sink = strings.TrimPrefix(sink.URL, "http://")
	if err := m.open(ctx, func(a *app.App) error { return m.fill(ctx, a, tenCustomers+1) }); err != nil {
		t.Fatal(err)
	}
	o := changing{
		Data: m.data, DB: m.db, Folders: m.folders, Sink: m.sink, Stall: stall,
		Windows: []window{{Each: 1, Noisy: 10, For: 300 * time.Millisecond}},
	}
	commits, err := o.live(ctx)
	if err != nil {
		t.Fatal(err)
	}
	m.acknowledged = slices.Collect(maps.Keys(commits))
	got, err := m.trail(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func unchanged(h http.Handler) http.Handler { return h }

// TestStatementTellsEveryLoss takes one thing away from what a real run left, and
// wants the statement to name just that.
func TestStatementTellsEveryLoss(t *testing.T) {
	for _, engine := range []string{sqlite, postgreSQL} {
		t.Run(engine, func(t *testing.T) {
			db := ""
			if engine == postgreSQL {
				db = storetest.Postgres(t)
			}
			whole := liveFor(t, db, time.Minute, unchanged)
			for _, test := range []struct {
				name   string
				damage func(*trail)
				want   string
			}{
				{"all is there", func(*trail) {}, "Nothing was lost: 330 changes, 330 events, 330 verified at the sink."},
				{"one came twice", func(t *trail) {
					t.got.Arrivals = append(t.got.Arrivals, t.got.Arrivals[7])
				}, "Nothing was lost: 330 changes, 330 events, 330 verified at the sink (1 more than once)."},
				{"the sink drops one", func(t *trail) {
					t.got.Arrivals = slices.Delete(t.got.Arrivals, 7, 8)
				}, "LOST: 1 of 330 events did not reach the sink with a valid signature."},
				{"one cannot be verified", func(t *trail) {
					t.got.Arrivals, t.got.Refused = slices.Delete(t.got.Arrivals, 7, 8), 1
				}, "LOST: 1 of 330 events did not reach the sink with a valid signature; 1 messages could not be verified."},
				{"the later comes first", func(t *trail) {
					first, second := twoOfOneCompany(t.got.Arrivals)
					a := t.got.Arrivals
					a[first], a[second] = a[second], a[first]
				}, "LOST: 1 events came after a later one of their company."},
				{"a change without an event", func(t *trail) {
					gone := t.events[3].id
					t.events = slices.Delete(t.events, 3, 4)
					t.got.Arrivals = slices.DeleteFunc(t.got.Arrivals, func(a arrival) bool { return a.Event == gone })
				}, "LOST: 1 of 330 changes made no event."},
				{"a change that is not in the log", func(t *trail) {
					t.changes = t.changes[1:]
				}, "LOST: 1 of 330 changes are not in the log."},
				{"an event that was stored by itself", func(t *trail) {
					t.kept = 1
				}, "LOST: 1 of 1 events are not in the database."},
			} {
				t.Run(test.name, func(t *testing.T) {
					w := whole
					w.changes, w.events, w.got.Arrivals = slices.Clone(w.changes), slices.Clone(w.events), slices.Clone(w.got.Arrivals)
					test.damage(&w)
					var s Statement
					s.follow(w)
					if got := s.Text(); got != test.want {
						t.Errorf("got  %s\nwant %s", got, test.want)
					}
				})
			}
		})
	}
}

// twoOfOneCompany finds two messages about one company to one webhook.
func twoOfOneCompany(list []arrival) (first, second int) {
	for i, a := range list {
		for j := i + 1; j < len(list); j++ {
			if a.Hook == list[j].Hook && a.Company == list[j].Company {
				return i, j
			}
		}
	}
	panic("no company changed twice")
}

// TestDroppedMessageIsTold has an endpoint that takes one message and forgets it,
// as one does whose disk is full.
func TestDroppedMessageIsTold(t *testing.T) {
	var posts atomic.Int32
	whole := liveFor(t, "", time.Second, func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost || posts.Add(1) != 20 {
				h.ServeHTTP(w, r)
			}
		})
	})
	var s Statement
	s.follow(whole)
	if got := s.Text(); !strings.HasPrefix(got, "LOST: ") || !strings.Contains(got, "did not reach the sink") {
		t.Errorf("a message was dropped, and it says: %s", got)
	}
}

// TestSurplusDoesNotHideALoss counts two databases, one with a login too few and
// one with a login too many.
func TestSurplusDoesNotHideALoss(t *testing.T) {
	var s Statement
	s.count("logins", "in the audit log", 10, 11)
	s.count("logins", "in the audit log", 1000, 999)
	if got, want := s.Text(), "LOST: 1 of 1,000 logins are not in the audit log."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
