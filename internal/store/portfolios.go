package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// beforeFirst is one below the first portfolio's number.
const beforeFirst = 100_000

const portfolioColumns = `p.id, p.customer, p.account, p.name, p.is_default, p.subject, p.language, p.frequency,
	p.recipients, p.created_at, p.changed_at`

// readPortfolio reads portfolioColumns, and what was asked for behind them.
func readPortfolio(r row, more ...any) (p monitor.Portfolio, err error) {
	err = r.Scan(append([]any{
		&p.ID, &p.Customer, &p.Owner, &p.Name,
		flag{&p.Default},
		&p.Digest.Subject, &p.Digest.Language, &p.Digest.Frequency,
		list[monitor.Recipient]{&p.Digest.To},
		stamp{&p.CreatedAt},
		stamp{&p.ChangedAt},
	}, more...)...)
	return p, err
}

// everyRight is what an owner has.
const everyRight = monitor.View | monitor.Add | monitor.Edit | monitor.Remove | monitor.Own

// portfolio is where rights are checked: it returns a portfolio that the caller
// may see and do something with, and all that it may do.
func (db *DB) portfolio(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, need monitor.Rights) (monitor.Portfolio, monitor.Rights, error) {
	return db.findPortfolio(ctx, t, by, id, need, "")
}

// lockPortfolio is portfolio for those who change it or what is in it: nobody
// else does, or takes the right away, before they commit.
func (db *DB) lockPortfolio(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, need monitor.Rights) (monitor.Portfolio, monitor.Rights, error) {
	return db.findPortfolio(ctx, t, by, id, need, db.d.forUpdate)
}

func (db *DB) findPortfolio(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, need monitor.Rights, lock string) (p monitor.Portfolio, has monitor.Rights, err error) {
	missing := fault.Missing.Errorf(monitor.NoPortfolio)
	p, err = readPortfolio(t.QueryRow(ctx, `
		SELECT `+portfolioColumns+`
		FROM portfolio AS p
		WHERE p.id = $1 AND p.customer = $2 `+lock,
		id, by.Customer))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return p, 0, missing
	case err != nil:
		return p, 0, fmt.Errorf("find a portfolio: %w", err)
	case p.Owner == by.Account:
		return p, everyRight, nil
	}
	// A question of its own: one that had waited for the lock would still see
	// the rights from before.
	err = t.QueryRow(ctx, `
		SELECT rights
		FROM portfolio_share
		WHERE portfolio = $1 AND account = $2 AND customer = $3`,
		id, by.Account, by.Customer).Scan(&has)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && has&monitor.View == 0:
		return p, 0, missing
	case err != nil:
		return p, 0, fmt.Errorf("find the rights on a portfolio: %w", err)
	case need&^has&monitor.Own != 0:
		return p, has, fault.Denied.Errorf("only the portfolio's owner may do this")
	case has&need != need:
		return p, has, fault.Denied.Errorf("the portfolio is shared with you without the right to %s", need&^has)
	}
	return p, has, nil
}

// lastNumber is the end of one of monitoring's logs. Nobody else adds to it
// before we commit.
func (db *DB) lastNumber(ctx context.Context, t tx, log string) (n int64, err error) {
	err = t.QueryRow(ctx, `SELECT last_number FROM monitor_log WHERE name = $1 `+db.d.forUpdate, log).Scan(&n)
	return n, err
}

func setLastNumber(ctx context.Context, t tx, log string, n int64) error {
	_, err := t.Exec(ctx, `UPDATE monitor_log SET last_number = $2 WHERE name = $1`, log, n)
	return err
}

// CreatePortfolio implements monitor.PortfolioStore.
func (db *DB) CreatePortfolio(ctx context.Context, by auth.Caller, p monitor.Portfolio) (monitor.Portfolio, error) {
	p.Customer, p.Owner = by.Customer, by.Account
	err := db.write(ctx, func(t tx) error {
		last, err := db.lastNumber(ctx, t, "portfolio")
		if err != nil {
			return err
		}
		if err := setLastNumber(ctx, t, "portfolio", last+1); err != nil {
			return err
		}
		p.ID = monitor.PortfolioID(beforeFirst + last + 1)
		if p.CreatedAt, err = db.clock(ctx, t); err != nil {
			return err
		}
		p.ChangedAt = p.CreatedAt
		if p.Default {
			if err := noDefault(ctx, t, p); err != nil {
				return err
			}
		}
		_, err = t.Exec(ctx, `
			INSERT INTO portfolio (id, customer, account, name, is_default, subject, language, frequency, recipients, created_at, changed_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			p.ID, p.Customer, p.Owner, p.Name, flag{&p.Default}, p.Digest.Subject, p.Digest.Language, p.Digest.Frequency,
			list[monitor.Recipient]{&p.Digest.To}, stamp{&p.CreatedAt}, stamp{&p.ChangedAt})
		return err
	})
	if err != nil {
		return monitor.Portfolio{}, db.portfolioError("create a portfolio", p, err)
	}
	return p, nil
}

// noDefault takes the mark from whichever portfolio of the owner's has it.
func noDefault(ctx context.Context, t tx, p monitor.Portfolio) error {
	_, err := t.Exec(ctx, `
		UPDATE portfolio SET is_default = 0
		WHERE customer = $1 AND account = $2 AND is_default = 1`, p.Customer, p.Owner)
	return err
}

// Portfolio implements monitor.PortfolioStore.
func (db *DB) Portfolio(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (monitor.Portfolio, monitor.Rights, error) {
	return db.portfolio(ctx, db, by, id, monitor.View)
}

// Portfolios implements monitor.PortfolioStore.
func (db *DB) Portfolios(ctx context.Context, by auth.Caller) (out []monitor.Portfolio, rights []monitor.Rights, err error) {
	err = each(ctx, db, func(r row) error {
		var has monitor.Rights
		p, err := readPortfolio(r, &has)
		if p.Owner == by.Account {
			has = everyRight
		}
		out, rights = append(out, p), append(rights, has)
		return err
	}, `
		SELECT `+portfolioColumns+`, COALESCE(s.rights, 0)
		FROM portfolio AS p
		LEFT JOIN portfolio_share AS s ON s.portfolio = p.id AND s.account = $2 AND s.customer = p.customer
		WHERE p.customer = $1 AND (p.account = $2 OR s.rights > 0)
		ORDER BY p.id`, by.Customer, by.Account)
	if err != nil {
		return nil, nil, fmt.Errorf("list portfolios: %w", err)
	}
	return out, rights, nil
}

// EditPortfolio implements monitor.PortfolioStore.
func (db *DB) EditPortfolio(ctx context.Context, by auth.Caller, id monitor.PortfolioID, edit func(*monitor.Portfolio) error) error {
	var p monitor.Portfolio
	err := db.write(ctx, func(t tx) error {
		// Two who make two portfolios the default would each hold what the
		// other wants, so they wait here.
		if _, err := db.lastNumber(ctx, t, "portfolio"); err != nil {
			return err
		}
		was, has, err := db.lockPortfolio(ctx, t, by, id, monitor.Edit)
		if err != nil {
			return err
		}
		p = was
		if err := edit(&p); err != nil {
			return err
		}
		if p.Default != was.Default && has&monitor.Own == 0 {
			return fault.Denied.Errorf("which portfolio is the default is for its owner to say")
		}
		now, err := db.clock(ctx, t)
		if err != nil {
			return err
		}
		if p.Default && !was.Default {
			if err := noDefault(ctx, t, was); err != nil {
				return err
			}
		}
		_, err = t.Exec(ctx, `
			UPDATE portfolio
			SET name = $2, is_default = $3, subject = $4, language = $5, frequency = $6, recipients = $7, changed_at = $8
			WHERE id = $1 AND customer = $9`,
			id, p.Name, flag{&p.Default}, p.Digest.Subject, p.Digest.Language, p.Digest.Frequency,
			list[monitor.Recipient]{&p.Digest.To}, stamp{&now}, was.Customer)
		return err
	})
	return db.portfolioError("edit a portfolio", p, err)
}

// DeletePortfolio implements monitor.PortfolioStore.
func (db *DB) DeletePortfolio(ctx context.Context, by auth.Caller, id monitor.PortfolioID) error {
	err := db.write(ctx, func(t tx) error {
		p, _, err := db.findPortfolio(ctx, t, by, id, monitor.Own, db.d.forDelete)
		if err != nil {
			return err
		}
		// Watchers are found by company: those of its companies first, then
		// those that ended, of which there are never many.
		err = db.eachHeld(ctx, t, p, nil, func(ids []company.ID) error {
			_, err := t.Exec(ctx, `DELETE FROM watcher WHERE portfolio = $1 AND `+db.d.oneOf("company", "$2"), id, many(db.d, ids))
			return err
		})
		if err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `DELETE FROM watcher WHERE portfolio = $1 AND until < 9223372036854775807`, id); err != nil {
			return err
		}
		for _, query := range []string{
			`DELETE FROM member WHERE portfolio = $1 AND customer = $2`,
			`DELETE FROM portfolio_share WHERE portfolio = $1 AND customer = $2`,
			`DELETE FROM event WHERE portfolio = $1 AND customer = $2`,
			`DELETE FROM event_total WHERE portfolio = $1 AND customer = $2`,
			`DELETE FROM portfolio WHERE id = $1 AND customer = $2`,
		} {
			if _, err := t.Exec(ctx, query, id, p.Customer); err != nil {
				return err
			}
		}
		for _, query := range []string{`DELETE FROM rule_setting WHERE portfolio = $1`, `DELETE FROM quiet WHERE portfolio = $1`} {
			if _, err := t.Exec(ctx, query, id); err != nil {
				return err
			}
		}
		return nil
	})
	return db.portfolioError("delete a portfolio", monitor.Portfolio{}, err)
}

// Shares implements monitor.PortfolioStore.
func (db *DB) Shares(ctx context.Context, by auth.Caller, id monitor.PortfolioID) (out []monitor.Share, err error) {
	err = db.snapshot(ctx, func(t tx) error {
		out = nil
		if _, _, err := db.portfolio(ctx, t, by, id, monitor.View); err != nil {
			return err
		}
		return each(ctx, t, func(r row) error {
			var s monitor.Share
			err := r.Scan(&s.Account, &s.Rights)
			out = append(out, s)
			return err
		}, `SELECT account, rights FROM portfolio_share WHERE customer = $2 AND portfolio = $1 ORDER BY account`, id, by.Customer)
	})
	return out, db.portfolioError("list the shares of a portfolio", monitor.Portfolio{}, err)
}

// SharePortfolio implements monitor.PortfolioStore.
func (db *DB) SharePortfolio(ctx context.Context, by auth.Caller, id monitor.PortfolioID, all bool, list []monitor.Share) error {
	err := db.write(ctx, func(t tx) error {
		p, _, err := db.lockPortfolio(ctx, t, by, id, monitor.Own)
		if err != nil {
			return err
		}
		if all {
			if _, err := t.Exec(ctx, `DELETE FROM portfolio_share WHERE customer = $2 AND portfolio = $1`, id, p.Customer); err != nil {
				return err
			}
		}
		for _, s := range list {
			_, err := t.Exec(ctx, `
				DELETE FROM portfolio_share
				WHERE customer = $3 AND portfolio = $1 AND account = $2`, id, s.Account, p.Customer)
			if err == nil && s.Rights != 0 {
				_, err = t.Exec(ctx, `
					INSERT INTO portfolio_share (portfolio, account, customer, rights)
					VALUES ($1, $2, $3, $4)`, id, s.Account, p.Customer, s.Rights)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return db.portfolioError("share a portfolio", monitor.Portfolio{}, err)
}

// portfolioError says what a database error means for a portfolio.
func (db *DB) portfolioError(doing string, p monitor.Portfolio, err error) error {
	if _, ok := fault.Of(err); err == nil || ok {
		return err
	}
	if db.d.isTaken(err) {
		return fault.Conflict.Errorf("there is already a portfolio called %q", p.Name)
	}
	return fmt.Errorf("%s: %w", doing, err)
}
