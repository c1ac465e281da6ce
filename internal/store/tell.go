package store

import (
	"context"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// Tell implements monitor.EngineStore. What it asks and what it writes goes to the
// database in two trips, whatever there is to tell.
func (db *DB) Tell(ctx context.Context, events []monitor.Event, to []job.Place) (kept int, err error) {
	told := func(again bool) error {
		return db.write(ctx, func(t tx) error {
			steps := db.savePlaces(to)
			there := map[monitor.PortfolioID]bool{}
			end := logEnd{db: db}
			if len(events) > 0 {
				steps = append(steps, db.holdPortfolios(events, there))
				steps = append(steps, end.hold(events)...)
			}
			if err := t.Together(ctx, steps); err != nil {
				return err
			}
			list, err := untold(ctx, t, events, there, again)
			if err != nil {
				return err
			}
			kept = len(list)
			return t.Last(ctx, end.add(list))
		})
	}
	err = told(false)
	if err != nil && db.d.isTaken(err) {
		// Some are there already, which their places should rule out: after a
		// restore, say. Then each is looked for first.
		err = told(true)
	}
	if err != nil {
		return 0, fmt.Errorf("keep events: %w", err)
	}
	if kept > 0 {
		db.Signals.raise(eventsMade)
	}
	return kept, nil
}

// holdPortfolios asks which portfolios of events are there. They cannot go before we
// commit.
func (db *DB) holdPortfolios(events []monitor.Event, there map[monitor.PortfolioID]bool) step {
	ids := map[monitor.PortfolioID]auth.CustomerID{}
	for i := range events {
		ids[events[i].Portfolio] = events[i].Customer
	}
	asked, args := owned(db.d, ids)
	return step{
		query: `SELECT p.id FROM ` + asked + ` JOIN portfolio AS p ON p.id = k.number AND p.customer = k.customer ORDER BY p.id ` + db.d.forKey,
		args:  args,
		read: func(r row) error {
			var id monitor.PortfolioID
			err := r.Scan(&id)
			there[id] = true
			return err
		},
	}
}

// untold leaves out events of portfolios that are gone and, if asked, those
// that are kept already.
func untold(ctx context.Context, t tx, events []monitor.Event, there map[monitor.PortfolioID]bool, look bool) ([]monitor.Event, error) {
	out := make([]monitor.Event, 0, len(events))
	seen := map[eventOnce]bool{}
	for i := range events {
		e := &events[i]
		if !there[e.Portfolio] {
			continue
		}
		if look {
			once := eventOnce{e.Portfolio, e.Change, e.Rule}
			kept, err := isKept(ctx, t, e)
			if err != nil {
				return nil, err
			}
			if kept || seen[once] {
				continue
			}
			seen[once] = true
		}
		out = append(out, *e)
	}
	return out, nil
}

// eventOnce is what there is one event for.
type eventOnce struct {
	portfolio monitor.PortfolioID
	change    int64
	rule      int
}

func isKept(ctx context.Context, t tx, e *monitor.Event) (bool, error) {
	var n int64
	err := t.QueryRow(ctx, `
		SELECT COUNT(*) FROM event
		WHERE customer = $1 AND portfolio = $2 AND at = $3 AND change = $4 AND rule = $5`,
		e.Customer, e.Portfolio, e.At.UnixMilli(), e.Change, e.Rule).Scan(&n)
	return n > 0, err
}

var eventColumns = []string{
	"id", "customer", "portfolio", "company", "name", "sort_name", "country", "rule_country", "rule", "version", "setting",
	"change", "field", "source", "old", "new", "why", "at", "created_at", "processed", "processed_at",
}

// keepEvents adds events to their log.
func (db *DB) keepEvents(ctx context.Context, t tx, events []monitor.Event) error {
	if len(events) == 0 {
		return nil
	}
	end := logEnd{db: db}
	if err := t.Together(ctx, end.hold(events)); err != nil {
		return err
	}
	return t.Together(ctx, end.add(events))
}

// A logEnd is the end of the log of events. Its row is locked last and to the
// commit: numbers become visible in order, and whoever else makes events waits as
// short as possible.
type logEnd struct {
	db   *DB
	last int64     // the number of the last event
	at   time.Time // when that was made
	now  time.Time
	own  bool // the time is this process's own
	told map[auth.CustomerID][]monitor.Webhook
}

// hold are the steps that lock the end and read what it takes to add events.
func (l *logEnd) hold(events []monitor.Event) []step {
	lock := step{
		query: `SELECT last_number, last_at FROM monitor_log WHERE name = 'event' ` + l.db.d.forUpdate,
		read:  func(r row) error { return r.Scan(&l.last, stamp{&l.at}) },
	}
	steps := []step{lock}
	ask, asked := l.db.askClock(&l.now)
	if l.own = !asked; asked {
		steps = append(steps, ask)
	}
	l.told = map[auth.CustomerID][]monitor.Webhook{}
	return append(steps, l.db.webhooksOf(events, func(h monitor.Webhook) {
		l.told[h.Customer] = append(l.told[h.Customer], h)
	})...)
}

// add gives events their numbers and their time. Its steps write them, their
// deliveries and their counts.
func (l *logEnd) add(events []monitor.Event) []step {
	if len(events) == 0 {
		return nil
	}
	if l.own {
		l.now = l.db.ownClock()
	}
	made := l.at
	if l.now.After(made) { // else a clock went back, and the event's time must not
		made = l.now
	}
	sums := totals{}
	for i := range events {
		e := &events[i]
		e.ID = monitor.EventID(l.last + int64(i) + 1)
		sums.add(int64(e.Customer), int64(e.Portfolio), e.At.UnixMilli(), made.UnixMilli(), 0, 1)
	}
	steps := l.db.inserts("event", eventColumns, "", len(events), func(i int) []any {
		e := &events[i]
		country := e.Company.Country()
		if e.IsAlert() {
			country = "" // its Company is a search
		}
		return []any{
			int64(e.ID), int64(e.Customer), int64(e.Portfolio), string(e.Company), e.Name, monitor.SortName(e.Name),
			country, e.Country, int64(e.Rule), int64(e.Version), e.Setting,
			e.Change, string(e.Field), e.Source, e.Old, e.New, e.Why, e.At.UnixMilli(), made.UnixMilli(), int64(0), int64(0),
		}
	})
	steps = append(steps, l.db.addDeliveries(deliveriesOf(events, l.told, made))...)
	steps = append(steps, sums.keep(l.db)...)
	steps = append(steps, step{
		query: `UPDATE monitor_log SET last_number = $1, last_at = $2 WHERE name = 'event'`,
		args:  []any{l.last + int64(len(events)), stamp{&made}},
	})
	return append(steps, l.db.tell(eventsMade)...)
}
