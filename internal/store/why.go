package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// Event implements monitor.WhyStore.
func (db *DB) Event(ctx context.Context, by auth.Caller, id monitor.EventID) (e monitor.Event, err error) {
	missing := fault.Missing.Errorf("NotificationEvent resource not found")
	err = db.snapshot(ctx, func(t tx) error {
		e, err = readEvent(t.QueryRow(ctx, eventSelect+`event AS e WHERE e.id = $1 AND e.customer = $2`, int64(id), int64(by.Customer)))
		if errors.Is(err, sql.ErrNoRows) {
			return missing
		}
		if err != nil {
			return err
		}
		if _, err := db.portfoliosOf(ctx, t, by, e.Portfolio, monitor.View); err != nil {
			if _, ok := fault.Of(err); ok {
				return missing
			}
			return err
		}
		return nil
	})
	if err == nil {
		err = db.finish(ctx, []*monitor.Event{&e})
	}
	if err != nil {
		e = monitor.Event{}
	}
	return e, memberError("read an event", err)
}

// SettingsEver implements monitor.WhyStore.
func (db *DB) SettingsEver(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out []monitor.Setting, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		return each(ctx, t, func(r row) error {
			s, err := readSetting(r)
			out = append(out, s)
			return err
		}, `SELECT `+settingColumns+` FROM rule_setting WHERE portfolio = $1 ORDER BY id`, int64(id))
	})
	return out, memberError("list the rules of a portfolio", err)
}

// WatchedSince implements monitor.WhyStore.
func (db *DB) WatchedSince(ctx context.Context, by auth.Caller, id monitor.PortfolioID, of company.ID) (out []monitor.Watcher, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		return each(ctx, t, func(r row) error {
			var w monitor.Watcher
			err := r.Scan(&w.Company, &w.Portfolio, &w.Customer, &w.Since, &w.Until)
			out = append(out, w)
			return err
		}, `SELECT company, portfolio, customer, since, until FROM watcher WHERE company = $1 AND portfolio = $2 ORDER BY since`,
			string(of), int64(id))
	})
	return out, memberError("read who watches", err)
}

// Change implements monitor.WhyStore.
func (db *DB) Change(ctx context.Context, number int64) (company.Change, error) {
	list, err := db.Changes(ctx, number-1, 1)
	if err != nil {
		return company.Change{}, err
	}
	if len(list) == 0 || list[0].Number != number {
		return company.Change{}, fault.Missing.Errorf("Change not found")
	}
	return list[0], nil
}

// ChangesAmong implements monitor.TrialStore. It reads in pages of companies, so
// that no transaction lasts.
func (db *DB) ChangesAmong(ctx context.Context, by auth.Caller, id monitor.PortfolioID, fields []company.Field, from, to time.Time, visit func(company.Change) error) error {
	const page = 500
	for after := company.ID(""); ; {
		list, err := db.Members(ctx, by, id, monitor.MemberQuery{After: after, Limit: page})
		if err != nil {
			return err
		}
		ids := make([]company.ID, 0, len(list.List))
		for _, m := range list.List {
			ids = append(ids, m.Company)
			after = m.Company
		}
		if err := db.changesOf(ctx, ids, from, to, func(c company.Change) error {
			if !slices.Contains(fields, c.Field) {
				return nil
			}
			return visit(c)
		}); err != nil {
			return fmt.Errorf("read changes: %w", err)
		}
		if len(ids) < page {
			return nil
		}
	}
}

func (db *DB) changesOf(ctx context.Context, ids []company.ID, from, to time.Time, visit func(company.Change) error) error {
	const columns = `SELECT number, company, field, item, old, new, source, at FROM change WHERE at >= $2 AND at <= $3 AND company = `
	return pick(ctx, db, db, func(r row) error {
		c, err := readChange(r)
		if err != nil {
			return err
		}
		return visit(c)
	}, columns+`$1 ORDER BY number`, columns+`ANY($1) ORDER BY company, number`, texts(ids), stamp{&from}, stamp{&to})
}
