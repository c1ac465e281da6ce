package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/company"
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
