package store

import (
	"context"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// RulesAfter implements monitor.EngineStore. Numbers are given under a lock that is held
// to the commit.
func (db *DB) RulesAfter(ctx context.Context, settings, quiets int64) (rules []monitor.Setting, silences []monitor.Quiet, err error) {
	err = db.Together(ctx, []step{
		{
			query: `SELECT ` + settingColumns + ` FROM rule_setting WHERE number > $1 ORDER BY number`,
			args:  []any{settings},
			read: func(r row) error {
				s, err := readSetting(r)
				rules = append(rules, s)
				return err
			},
		},
		{
			query: `SELECT ` + quietColumns + ` FROM quiet WHERE number > $1 ORDER BY number`,
			args:  []any{quiets},
			read: func(r row) error {
				q, err := readQuiet(r)
				silences = append(silences, q)
				return err
			},
		},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read settings and silences: %w", err)
	}
	return rules, silences, nil
}

const settingColumns = `id, portfolio, country, code, param0, param1, param2, since, until, number`

func readSetting(r row) (s monitor.Setting, err error) {
	err = r.Scan(&s.ID, &s.Portfolio, &s.Country, &s.Code, &s.Values[0], &s.Values[1], &s.Values[2], &s.Since, &s.Until, &s.Number)
	return s, err
}

// Watchers implements monitor.EngineStore. All companies are asked about at once,
// on either engine, and read into plain types: evaluation spends most of its
// time here.
func (db *DB) Watchers(ctx context.Context, of []company.ID, visit func(monitor.Watcher)) (names map[company.ID]string, err error) {
	var id string
	var portfolio, customer int64
	var w monitor.Watcher
	steps := []step{{
		query: `SELECT company, portfolio, customer, since, until FROM watcher WHERE ` + db.d.oneOf("company", "$1"),
		args:  []any{many(db.d, of)},
		read: func(r row) error {
			if err := r.Scan(&id, &portfolio, &customer, &w.Since, &w.Until); err != nil {
				return err
			}
			w.Company, w.Portfolio, w.Customer = company.ID(id), monitor.PortfolioID(portfolio), auth.CustomerID(customer)
			visit(w)
			return nil
		},
	}}
	if db.d.name == "postgres" && len(of) < longList { // a second trip would cost more
		names = make(map[company.ID]string, len(of))
		steps = append(steps, db.readNames(of, names))
	}
	return names, db.Together(ctx, steps)
}

// readNames reads what companies are called.
func (db *DB) readNames(of []company.ID, into map[company.ID]string) step {
	return step{
		query: `SELECT id, name FROM company WHERE ` + db.d.oneOf("id", "$1"),
		args:  []any{many(db.d, of)},
		read:  readName(into),
	}
}

func readName(into map[company.ID]string) func(row) error {
	return func(r row) error {
		var id company.ID
		var name string
		err := r.Scan(&id, &name)
		into[id] = name
		return err
	}
}

// Names implements monitor.EngineStore. A company that has left the register is
// called what it was called when it did.
func (db *DB) Names(ctx context.Context, of []company.ID) (map[company.ID]string, error) {
	out := make(map[company.ID]string, len(of))
	err := db.Together(ctx, []step{db.readNames(of, out)})
	if err != nil || len(out) == len(of) {
		return out, err
	}
	var gone []company.ID
	for _, id := range of {
		if _, ok := out[id]; !ok {
			gone = append(gone, id)
		}
	}
	err = each(ctx, db, readName(out), `
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
