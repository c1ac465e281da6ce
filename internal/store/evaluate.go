package store

import (
	"context"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// SettingsAfter implements monitor.EngineStore. Numbers are given under a lock
// that is held to the commit.
func (db *DB) SettingsAfter(ctx context.Context, number int64) ([]monitor.Setting, error) {
	var out []monitor.Setting
	err := each(ctx, db, func(r row) error {
		s, err := readSetting(r)
		out = append(out, s)
		return err
	}, `SELECT `+settingColumns+` FROM rule_setting WHERE number > $1 ORDER BY number`, number)
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	return out, nil
}

const settingColumns = `id, portfolio, country, code, param0, param1, param2, since, until, number`

func readSetting(r row) (s monitor.Setting, err error) {
	err = r.Scan(&s.ID, &s.Portfolio, &s.Country, &s.Code, &s.Values[0], &s.Values[1], &s.Values[2], &s.Since, &s.Until, &s.Number)
	return s, err
}

// Watchers implements monitor.EngineStore. All companies are asked about at once,
// on either engine, and read into plain types: evaluation spends most of its
// time here.
func (db *DB) Watchers(ctx context.Context, of []company.ID, visit func(monitor.Watcher)) error {
	var id string
	var portfolio, customer int64
	var w monitor.Watcher
	return each(ctx, db, func(r row) error {
		if err := r.Scan(&id, &portfolio, &customer, &w.Since, &w.Until); err != nil {
			return err
		}
		w.Company, w.Portfolio, w.Customer = company.ID(id), monitor.PortfolioID(portfolio), auth.CustomerID(customer)
		visit(w)
		return nil
	}, `SELECT company, portfolio, customer, since, until FROM watcher WHERE `+db.d.oneOf("company", "$1"), many(db.d, of))
}

// Names implements monitor.EngineStore. A company that has left the register is
// called what it was called when it did.
func (db *DB) Names(ctx context.Context, of []company.ID) (map[company.ID]string, error) {
	out := make(map[company.ID]string, len(of))
	read := func(r row) error {
		var id company.ID
		var name string
		err := r.Scan(&id, &name)
		out[id] = name
		return err
	}
	err := each(ctx, db, read, `SELECT id, name FROM company WHERE `+db.d.oneOf("id", "$1"), many(db.d, of))
	if err != nil || len(out) == len(of) {
		return out, err
	}
	var gone []company.ID
	for _, id := range of {
		if _, ok := out[id]; !ok {
			gone = append(gone, id)
		}
	}
	err = each(ctx, db, read, `
		SELECT company, old FROM change
		WHERE field = 'removed' AND `+db.d.oneOf("company", "$1")+` ORDER BY number`, many(db.d, gone))
	return out, err
}

// Unwatch implements monitor.EngineStore.
func (db *DB) Unwatch(ctx context.Context, before int64) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `DELETE FROM watcher WHERE until <= $1 AND until < 9223372036854775807`, before)
		return err
	})
	if err != nil {
		return fmt.Errorf("forget who watched: %w", err)
	}
	return nil
}

// Tell implements monitor.EngineStore.
func (db *DB) Tell(ctx context.Context, events []monitor.Event, to []job.Place) (kept int, err error) {
	told := func(again bool) error {
		return db.write(ctx, func(t tx) error {
			if err := db.savePlaces(ctx, t, to); err != nil {
				return err
			}
			list, err := db.untold(ctx, t, events, again)
			if err != nil {
				return err
			}
			kept = len(list)
			return db.keepEvents(ctx, t, list)
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

// untold leaves out events of portfolios that are gone and, if asked, those
// that are kept already. The portfolios cannot go before we commit.
func (db *DB) untold(ctx context.Context, t tx, events []monitor.Event, look bool) ([]monitor.Event, error) {
	if len(events) == 0 {
		return nil, nil
	}
	ids := map[monitor.PortfolioID]auth.CustomerID{}
	for i := range events {
		ids[events[i].Portfolio] = events[i].Customer
	}
	asked, args := owned(db.d, ids)
	there := map[monitor.PortfolioID]bool{}
	err := each(ctx, t, func(r row) error {
		var id monitor.PortfolioID
		err := r.Scan(&id)
		there[id] = true
		return err
	}, `SELECT p.id FROM `+asked+` JOIN portfolio AS p ON p.id = k.number AND p.customer = k.customer ORDER BY p.id `+db.d.forKey, args...)
	if err != nil {
		return nil, err
	}
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

// keepEvents gives events their numbers and their time, and counts them. The
// log's row is locked last and to the commit: numbers become visible in order,
// and whoever else makes events waits as short as possible.
func (db *DB) keepEvents(ctx context.Context, t tx, events []monitor.Event) error {
	if len(events) == 0 {
		return nil
	}
	var last int64
	var made time.Time
	err := t.QueryRow(ctx, `SELECT last_number, last_at FROM monitor_log WHERE name = 'event' `+db.d.forUpdate).Scan(&last, stamp{&made})
	if err != nil {
		return err
	}
	now, err := db.clock(ctx, t)
	if err != nil {
		return err
	}
	if now.After(made) { // else a clock went back, and the event's time must not
		made = now
	}
	for i := range events {
		events[i].ID = monitor.EventID(last + int64(i) + 1)
	}
	err = t.Bulk(ctx, "event", eventColumns, len(events), func(i int) []any {
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
	if err != nil {
		return err
	}
	if err := db.keepDeliveries(ctx, t, events, made); err != nil {
		return err
	}
	sums := totals{}
	for i := range events {
		e := &events[i]
		sums.add(int64(e.Customer), int64(e.Portfolio), e.At.UnixMilli(), made.UnixMilli(), 0, 1)
	}
	if err := sums.keep(ctx, db, t); err != nil {
		return err
	}
	_, err = t.Exec(ctx, `UPDATE monitor_log SET last_number = $1, last_at = $2 WHERE name = 'event'`,
		last+int64(len(events)), stamp{&made})
	if err != nil {
		return err
	}
	return db.tell(ctx, t, eventsMade)
}
