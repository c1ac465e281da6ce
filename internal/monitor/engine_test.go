package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// onceTold keeps events once and then fails.
type onceTold struct {
	*store.DB
	left int
}

var errNoMore = errors.New("no more is kept")

func (o *onceTold) Tell(ctx context.Context, events []monitor.Event, to []job.Place) (int, error) {
	if o.left == 0 {
		return 0, errNoMore
	}
	o.left--
	return o.DB.Tell(ctx, events, to)
}

// Whoever has few events does not wait until those of a customer with many are
// kept; and a crash between the two loses none and tells none twice.
func TestFewEventsAreToldBeforeMany(t *testing.T) {
	t.Parallel()
	inParish(t, func(t *testing.T, w *parish) {
		quiet, err := w.db.CreatePortfolio(t.Context(), by(2), monitor.Portfolio{Name: "Q"})
		w.must(err)
		_, err = w.db.AddMembers(t.Context(), by(2), quiet.ID, []monitor.Member{{Company: "GB-0-9"}})
		w.must(err)
		w.must(w.db.SwitchRules(t.Context(), by(2), quiet.ID, "XX", []monitor.Switch{{Code: 5001, On: true}}))
		var want []string
		for i := range 12 {
			want = append(want, fmt.Sprint(w.change("GB-0-1", name, "a", fmt.Sprint("b", i)), " 5001"))
		}
		w.change("GB-0-9", name, "a", "b")

		once := &onceTold{DB: w.db, left: 1}
		w.engine.Store = once
		if _, err := w.engine.Step(t.Context()); !errors.Is(err, errNoMore) {
			t.Fatalf("the step ended with %v", err)
		}
		w.wantTold()
		first := w.eventsOf(2)
		if len(first) != 1 {
			t.Fatalf("the other customer was told %d events", len(first))
		}

		once.left = 1000
		w.evaluate()
		w.wantTold(want...)
		if again := w.eventsOf(2); len(again) != 1 || again[0].ID != first[0].ID {
			t.Errorf("the other customer was told %v, and then %v", first, again)
		}
		var last int64
		for _, e := range w.eventsOf(1) {
			if e.Change < last {
				t.Errorf("the change %d was told after %d", e.Change, last)
			}
			last = e.Change
		}
	})
}
