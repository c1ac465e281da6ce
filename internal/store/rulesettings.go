package store

import (
	"context"
	"fmt"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

// Settings implements monitor.RuleStore.
func (db *DB) Settings(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out []monitor.Setting, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		out, err = settingsOf(ctx, t, id, "")
		return err
	})
	return out, memberError("list the rules of a portfolio", err)
}

// settingsOf reads what a portfolio has on for a country; none is all.
func settingsOf(ctx context.Context, t tx, id monitor.PortfolioID, country string) ([]monitor.Setting, error) {
	var out []monitor.Setting
	err := each(ctx, t, func(r row) error {
		s, err := readSetting(r)
		out = append(out, s)
		return err
	}, `
		SELECT `+settingColumns+`
		FROM rule_setting
		WHERE portfolio = $1 AND ($2 = '' OR country = $2) AND until = 9223372036854775807
		ORDER BY country, code`, id, country)
	return out, err
}

// SwitchRules implements monitor.RuleStore.
func (db *DB) SwitchRules(ctx context.Context, by auth.Caller, id monitor.PortfolioID, country string, list []monitor.Switch) error {
	err := db.write(ctx, func(t tx) error {
		if _, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Edit); err != nil {
			return err
		}
		on, err := settingsOf(ctx, t, id, country)
		if err != nil {
			return err
		}
		var end, begin []monitor.Setting
		for _, s := range list {
			var was *monitor.Values
			i := slices.IndexFunc(on, func(o monitor.Setting) bool { return o.Code == s.Code })
			if i >= 0 {
				was = &on[i].Values
			}
			values, err := s.Over(country, was)
			switch {
			case s.On && err != nil:
				return err
			case s.On && was != nil && *was == values:
				continue
			}
			if i >= 0 {
				end = append(end, on[i])
			}
			if s.On {
				begin = append(begin, monitor.Setting{Portfolio: id, Country: country, Code: s.Code, Values: values})
			}
		}
		return db.turn(ctx, t, by.Customer, end, begin)
	})
	return memberError("switch the rules of a portfolio", err)
}

// SwitchAllOff implements monitor.RuleStore.
func (db *DB) SwitchAllOff(ctx context.Context, by auth.Caller, id monitor.PortfolioID) error {
	err := db.write(ctx, func(t tx) error {
		if _, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Edit); err != nil {
			return err
		}
		on, err := settingsOf(ctx, t, id, "")
		if err != nil {
			return err
		}
		return db.turn(ctx, t, by.Customer, on, nil)
	})
	return memberError("switch the rules of a portfolio off", err)
}

// turn ends some settings and begins others, all with the last change. Each
// gets the next number, under a lock that is held to the commit: readers see
// numbers in order. An ended setting stays, since it says why an event was told.
func (db *DB) turn(ctx context.Context, t tx, of auth.CustomerID, end, begin []monitor.Setting) error {
	if len(end)+len(begin) == 0 {
		return nil
	}
	number, err := db.lastNumber(ctx, t, "setting")
	if err != nil {
		return err
	}
	at, err := db.endOfChanges(ctx, t)
	if err != nil {
		return err
	}
	for _, s := range end {
		number++
		if _, err := t.Exec(ctx, `UPDATE rule_setting SET until = $2, number = $3 WHERE id = $1`, s.ID, at, number); err != nil {
			return err
		}
	}
	first := number + 1
	columns := []string{"id", "portfolio", "country", "code", "param0", "param1", "param2", "since", "until", "number", "customer"}
	err = t.Bulk(ctx, "rule_setting", columns, len(begin), func(i int) []any {
		s := &begin[i]
		n := first + int64(i)
		return []any{
			n, int64(s.Portfolio), s.Country, int64(s.Code), s.Values[0], s.Values[1], s.Values[2],
			at, int64(monitor.Forever), n, int64(of),
		}
	})
	if err != nil {
		return fmt.Errorf("switch rules on: %w", err)
	}
	return setLastNumber(ctx, t, "setting", number+int64(len(begin)))
}
