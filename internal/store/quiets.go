package store

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

const quietColumns = `id, portfolio, company, rule, until_at, hours, note, account, created_at, since, until, number`

func readQuiet(r row) (q monitor.Quiet, err error) {
	err = r.Scan(&q.ID, &q.Portfolio, &q.Company, &q.Rule, stamp{&q.Until}, &q.Hours, &q.Note, &q.By, stamp{&q.CreatedAt},
		&q.Since, &q.Ended, &q.Number)
	return q, err
}

func quiets(ctx context.Context, t tx, query string, args ...any) ([]monitor.Quiet, error) {
	var out []monitor.Quiet
	err := each(ctx, t, func(r row) error {
		q, err := readQuiet(r)
		out = append(out, q)
		return err
	}, query, args...)
	return out, err
}

// Quiets implements monitor.QuietStore.
func (db *DB) Quiets(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out []monitor.Quiet, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		var now time.Time
		if now, err = db.clock(ctx, t); err != nil {
			return err
		}
		out, err = quiets(ctx, t, `
			SELECT `+quietColumns+` FROM quiet
			WHERE portfolio = $1 AND until = 9223372036854775807 AND (hours > 0 OR until_at > $2)
			ORDER BY id`, int64(id), stamp{&now})
		return err
	})
	return out, memberError("list the silences of a portfolio", err)
}

// QuietsEver implements monitor.QuietStore.
func (db *DB) QuietsEver(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out []monitor.Quiet, err error) {
	err = db.seen(ctx, by, id, func(t tx) error {
		out, err = quiets(ctx, t, `SELECT `+quietColumns+` FROM quiet WHERE portfolio = $1 ORDER BY id`, int64(id))
		return err
	})
	return out, memberError("list the silences of a portfolio", err)
}

// AddQuiet implements monitor.QuietStore. It shares the numbers of settings.
func (db *DB) AddQuiet(ctx context.Context, by auth.Caller, id monitor.PortfolioID, q monitor.Quiet) (monitor.Quiet, error) {
	err := db.write(ctx, func(t tx) error {
		if _, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Edit); err != nil {
			return err
		}
		number, err := db.lastNumber(ctx, t, "setting")
		if err != nil {
			return err
		}
		if q.Since, err = db.endOfChanges(ctx, t); err != nil {
			return err
		}
		if q.CreatedAt, err = db.clock(ctx, t); err != nil {
			return err
		}
		q.ID, q.Number, q.Ended, q.Portfolio, q.By = number+1, number+1, monitor.Forever, id, by.Account
		_, err = t.Exec(ctx, `
			INSERT INTO quiet (`+quietColumns+`, customer)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			q.ID, int64(id), string(q.Company), int64(q.Rule), stamp{&q.Until}, int64(q.Hours), q.Note, int64(by.Account),
			stamp{&q.CreatedAt}, q.Since, q.Ended, q.Number, int64(by.Customer))
		if err != nil {
			return err
		}
		return setLastNumber(ctx, t, "setting", number+1)
	})
	return q, memberError("silence a portfolio", err)
}

// EndQuiet implements monitor.QuietStore.
func (db *DB) EndQuiet(ctx context.Context, by auth.Caller, id monitor.PortfolioID, quiet int64) error {
	err := db.write(ctx, func(t tx) error {
		if _, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Edit); err != nil {
			return err
		}
		number, err := db.lastNumber(ctx, t, "setting")
		if err != nil {
			return err
		}
		at, err := db.endOfChanges(ctx, t)
		if err != nil {
			return err
		}
		n, err := t.Exec(ctx, `
			UPDATE quiet SET until = $3, number = $4
			WHERE portfolio = $1 AND id = $2 AND until = 9223372036854775807`, int64(id), quiet, at, number+1)
		if err != nil {
			return err
		}
		if n == 0 {
			return fault.Missing.Errorf("Silence not found")
		}
		return setLastNumber(ctx, t, "setting", number+1)
	})
	return memberError("end a silence", err)
}
