package proof

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// reached notes how far readers have come: never back.
func (w *world) reached(to []job.Place, err error) {
	if err != nil {
		return
	}
	var back []string
	w.mu.Lock()
	for _, p := range to {
		if p.Number == 0 { // it stays where it is
			continue
		}
		if p.Number < w.places[p.Name] {
			back = append(back, fmt.Sprintf("the place of %s goes back from %d to %d", p.Name, w.places[p.Name], p.Number))
		}
		w.places[p.Name] = p.Number
	}
	w.mu.Unlock()
	for _, says := range back {
		w.broken("%s", says)
	}
}

// settled notes what the database knows of deliveries.
func (w *world) settled(list []monitor.Delivery, err error) {
	if err != nil {
		return
	}
	var again []sending
	last := map[sending]monitor.DeliveryState{} // one may be parked and then sent
	for i := range list {
		last[sending{list[i].Webhook, list[i].Event}] = list[i].State
	}
	w.mu.Lock()
	for s, state := range last {
		switch {
		case state == monitor.Delivered:
			w.kept[s] = true
		case w.kept[s]:
			again = append(again, s)
		}
	}
	w.mu.Unlock()
	for _, s := range again {
		w.broken("event %d was taken by webhook %d, and is kept as if it were not", s.event, s.hook)
	}
}

// atRest reports whether all that was published has been told and taken.
func (w *world) atRest(db *store.DB) bool {
	ctx := w.t.Context()
	last := int64(len(w.publisher.made))
	places, err := db.Places(ctx, monitor.EngineName)
	w.must(err)
	for i := range 8 {
		if places[job.ShardName(monitor.EngineName, i)] < last {
			return false
		}
	}
	b, err := db.Backlog(ctx)
	w.must(err)
	return b.Waiting+b.Parked == 0
}

// unrest says what is not done.
func (w *world) unrest(db *store.DB) string {
	places, err := db.Places(w.t.Context(), monitor.EngineName)
	w.must(err)
	b, err := db.Backlog(w.t.Context())
	w.must(err)
	return fmt.Sprintf("of %d changes evaluation has reached %v, and %d deliveries wait, %d are retried", len(w.publisher.made), places, b.Waiting, b.Parked)
}

// told is an event as it was asked for.
type told struct {
	portfolio monitor.PortfolioID
	change    int64
	rule      int
}

// check holds what came out against what went in.
func (w *world) check(db *store.DB) {
	missing := w.checkLog(db)
	w.count("events", len(missing))
	lanes := map[auth.CustomerID]map[company.ID][]monitor.EventID{}
	for c := auth.CustomerID(1); c <= customers; c++ {
		lanes[c] = w.checkEvents(db, c, missing)
	}
	left := make([]told, 0, len(missing))
	for m := range missing {
		left = append(left, m)
	}
	slices.SortFunc(left, func(a, b told) int { return cmp.Or(cmp.Compare(a.change, b.change), cmp.Compare(a.rule, b.rule)) })
	for _, m := range left {
		w.broken("portfolio %d was not told of change %d by rule %d", m.portfolio, m.change, m.rule)
	}
	for _, e := range w.hooks {
		w.checkHeard(e, lanes[e.customer])
	}
	w.checkStates(db)
}

// checkLog compares the log of changes with what was published, and returns the
// events that it asks for.
func (w *world) checkLog(db *store.DB) map[told]bool {
	want := map[told]bool{}
	made := w.publisher.made
	number := 0
	for {
		list, err := db.Changes(w.t.Context(), int64(number), 5000)
		w.must(err)
		if len(list) == 0 {
			break
		}
		for _, c := range list {
			number++
			if c.Number != int64(number) || number > len(made) || c.New != fmt.Sprint(number) || c.Company != made[number-1].of || c.Field != made[number-1].field {
				w.broken("change %d of the log is %s of %s, number %d: that is not what was published", number, c.Field, c.Company, c.Number)
				return want
			}
			for _, f := range w.folders {
				if !f.holds[c.Company] {
					continue
				}
				for _, rule := range f.rules[c.Field] {
					want[told{f.id, c.Number, rule}] = true
				}
			}
		}
	}
	if number != len(made) {
		w.broken("%d changes were acknowledged, and %d are in the log", len(made), number)
	}
	return want
}

// checkEvents reads a customer's events, takes them off what is missing, and
// returns them by company, in order.
func (w *world) checkEvents(db *store.DB, c auth.CustomerID, missing map[told]bool) map[company.ID][]monitor.EventID {
	lanes := map[company.ID][]monitor.EventID{}
	last := map[company.ID]int64{}
	q := monitor.EventQuery{Sort: monitor.ByID, Limit: 5000}
	for {
		page, err := db.Events(w.t.Context(), caller(c), q)
		w.must(err)
		for i := range page.List {
			e := &page.List[i]
			id := told{e.Portfolio, e.Change, e.Rule}
			switch {
			case !missing[id]:
				w.broken("event %d (%v) was not asked for, or is there twice", e.ID, id)
			case e.Customer != c || w.ownerOf(e.Portfolio) != c:
				w.broken("customer %d sees event %d of customer %d", c, e.ID, w.ownerOf(e.Portfolio))
			case e.Change < last[e.Company]:
				w.broken("event %d of %s is of change %d and comes after one of change %d", e.ID, e.Company, e.Change, last[e.Company])
			}
			delete(missing, id)
			last[e.Company] = e.Change
			lanes[e.Company] = append(lanes[e.Company], e.ID)
			at := e.Position()
			q.After = &at
		}
		if !page.More {
			return lanes
		}
	}
}

func (w *world) ownerOf(id monitor.PortfolioID) auth.CustomerID {
	for _, f := range w.folders {
		if f.id == id {
			return f.customer
		}
	}
	return 0
}

// checkHeard compares what an endpoint heard with its customer's events.
func (w *world) checkHeard(e *endpoint, want map[company.ID][]monitor.EventID) {
	for _, id := range w.companies {
		var got heard
		if l := e.lanes[id]; l != nil {
			got = *l
		} else {
			got.taken = true
		}
		switch {
		case !slices.Equal(got.events, want[id]):
			w.broken("webhook %d heard %d events of %s, which had %d: %s", e.id, len(got.events), id, len(want[id]), differ(got.events, want[id]))
		case !got.taken:
			w.broken("webhook %d never took event %d of %s", e.id, got.events[len(got.events)-1], id)
		}
	}
}

// differ tells where two lists part.
func differ(got, want []monitor.EventID) string {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Sprintf("never %d", want[i])
		case i >= len(want):
			return fmt.Sprintf("also %d", got[i])
		case got[i] != want[i]:
			return fmt.Sprintf("%d where %d was due", got[i], want[i])
		}
	}
	return "the same"
}

// checkStates looks at what the database says of the deliveries.
func (w *world) checkStates(db *store.DB) {
	var n int64
	w.must(db.QueryRow(w.t.Context(), `SELECT COUNT(*) FROM delivery WHERE state <> $1`, int64(monitor.Delivered)).Scan(&n))
	if n > 0 {
		w.broken("%d deliveries are not done", n)
	}
	list, err := db.Inspect(w.t.Context(), func(string) {})
	w.must(err)
	for _, c := range list {
		for _, says := range c.Wrong {
			if c.Subject != "rows" { // its customers have no accounts here
				w.broken("%s: %s", c.Subject, says)
			}
		}
	}
	w.count("deliveries", len(w.kept))
}

// patience is how long a world that is well again may take to come to rest. A
// delivery that failed for a while is tried again within minutes.
const patience = 20 * time.Minute
