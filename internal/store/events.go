package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// maxSkip is how far a page may lie behind the first one. Beyond, a cursor
// costs nothing.
const maxSkip = 1_000_000

// searchTime is how long a search by text, which reads every event, may take.
const searchTime = 10 * time.Second

// Events implements monitor.EventStore.
func (db *DB) Events(ctx context.Context, by auth.Caller, q monitor.EventQuery) (out monitor.Events, err error) {
	if q.Search != "" {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, searchTime)
		defer cancel()
	}
	err = db.snapshot(ctx, func(t tx) error {
		ids, err := db.portfoliosOf(ctx, t, by, q.Portfolio, monitor.View)
		if err != nil {
			return err
		}
		if q.Member {
			if ids, err = db.holding(ctx, t, by.Customer, ids, string(q.Company)); err != nil {
				return err
			}
		}
		eq := &eventQuery{EventQuery: q, ids: ids, customer: by.Customer}
		if eq.safe, err = db.safeNumbered(ctx, q.Search); err != nil {
			return err
		}
		if out.Total, err = eq.total(ctx, db, t); err != nil {
			return err
		}
		switch {
		case out.Total == 0:
			return db.mustHold(ctx, t, by.Customer, q)
		case int64(q.Skip) >= out.Total: // behind the last page there is nothing
			return nil
		case q.Skip > maxSkip:
			return fault.Invalid.Errorf("page: so far behind the first page, use after with the cursor of the page before")
		}
		keys, err := eq.keys(ctx, t)
		if err != nil {
			return err
		}
		if out.More = len(keys) > q.Limit; out.More {
			keys = keys[:q.Limit]
		}
		out.List, err = db.eventsOf(ctx, t, by.Customer, keys)
		return err
	})
	switch {
	case err != nil && q.Search != "" && ctx.Err() != nil:
		return out, fault.Busy.Errorf("the search takes too long; narrow it with startDate and endDate")
	case err != nil:
		if _, ok := fault.Of(err); !ok {
			err = fmt.Errorf("list events: %w", err)
		}
		return out, err
	}
	return out, db.finishAll(ctx, out.List)
}

// portfoliosOf returns the portfolios that a caller has rights on: one, or all.
func (db *DB) portfoliosOf(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, need monitor.Rights) ([]int64, error) {
	var out []int64
	seen := false
	err := each(ctx, t, func(r row) error {
		var p, owner int64
		var rights monitor.Rights
		if err := r.Scan(&p, &owner, &rights); err != nil {
			return err
		}
		seen = true
		if owner == int64(by.Account) || rights&need == need {
			out = append(out, p)
		}
		return nil
	}, `
		SELECT p.id, p.account, COALESCE(s.rights, 0)
		FROM portfolio AS p
		LEFT JOIN portfolio_share AS s ON s.portfolio = p.id AND s.account = $2 AND s.customer = p.customer
		WHERE p.customer = $1 AND (p.account = $2 OR s.rights > 0) AND ($3 = 0 OR p.id = $3)`,
		by.Customer, by.Account, int64(id))
	switch {
	case err != nil:
		return nil, err
	case id != 0 && !seen:
		return nil, fault.Missing.Errorf(monitor.NoPortfolio)
	case id != 0 && len(out) == 0:
		return nil, fault.Denied.Errorf("the portfolio is shared with you without this right")
	}
	slices.Sort(out)
	return out, nil
}

// mustHold fails if a query is about a company that its portfolio does not hold.
func (db *DB) mustHold(ctx context.Context, t tx, of auth.CustomerID, q monitor.EventQuery) error {
	if q.Portfolio == 0 || q.Company == "" {
		return nil
	}
	in, err := db.holding(ctx, t, of, []int64{int64(q.Portfolio)}, string(q.Company))
	if err == nil && len(in) == 0 {
		return fault.Missing.Errorf(monitor.NoCompany)
	}
	return err
}

// holding returns those portfolios that a company is in.
func (db *DB) holding(ctx context.Context, t tx, of auth.CustomerID, ids []int64, company string) (out []int64, err error) {
	err = pick(ctx, db, t, func(r row) error {
		var id int64
		err := r.Scan(&id)
		out = append(out, id)
		return err
	}, `SELECT portfolio FROM member WHERE customer = $3 AND portfolio = $1 AND company = $2`,
		`SELECT portfolio FROM member WHERE customer = $3 AND portfolio = ANY($1) AND company = $2`, ids, company, int64(of))
	return out, err
}

// eventSelect reads events e, with the names that their portfolios have now; where
// they come from follows. finish adds what is known of their companies.
const eventSelect = `
	SELECT e.id, e.customer, e.portfolio, e.company, e.name, e.rule_country, e.rule, e.version, e.setting, e.change, e.field, e.source,
		e.old, e.new, e.why, e.at, e.created_at, e.processed_at,
		COALESCE((SELECT p.name FROM portfolio AS p WHERE p.id = e.portfolio AND p.customer = e.customer), '')
	FROM `

func readEvent(r row) (e monitor.Event, err error) {
	err = r.Scan(&e.ID, &e.Customer, &e.Portfolio, &e.Company, &e.Name, &e.Country, &e.Rule, &e.Version, &e.Setting,
		&e.Change, &e.Field, &e.Source, &e.Old, &e.New, &e.Why, stamp{&e.At}, stamp{&e.CreatedAt}, stamp{&e.ProcessedAt}, &e.In)
	return e, err
}

// eventsOf reads the events of keys, in their order.
func (db *DB) eventsOf(ctx context.Context, t tx, of auth.CustomerID, keys []eventKey) ([]monitor.Event, error) {
	at := make(map[monitor.EventID]int, len(keys))
	byPortfolio := map[int64][]int64{}
	for i, k := range keys {
		at[monitor.EventID(k.id)] = i
		byPortfolio[k.portfolio] = append(byPortfolio[k.portfolio], k.id)
	}
	out := make([]monitor.Event, len(keys))
	// The number finds an event; an index by portfolio would find all others too.
	const find = eventSelect + `event AS e WHERE e.customer = $3 AND e.portfolio + 0 = $2 AND e.id = `
	var steps []step
	for portfolio, ids := range byPortfolio {
		steps = append(steps, picking(db, func(r row) error {
			e, err := readEvent(r)
			out[at[e.ID]] = e
			return err
		}, find+`$1`, find+`ANY($1)`, ids, portfolio, int64(of))...)
	}
	return out, t.Together(ctx, steps)
}

// EventsByDay implements monitor.EventStore.
func (db *DB) EventsByDay(ctx context.Context, by auth.Caller, id monitor.PortfolioID, from, to time.Time) (out []monitor.Day, err error) {
	err = db.snapshot(ctx, func(t tx) error {
		ids, err := db.portfoliosOf(ctx, t, by, id, monitor.View)
		if err != nil {
			return err
		}
		out, err = db.byDay(ctx, t, by.Customer, ids, from, to)
		return err
	})
	return out, err
}
