package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// DueDigests implements monitor.DigestStore.
func (db *DB) DueDigests(ctx context.Context, day int64, above monitor.PortfolioID, limit int) (out []monitor.Portfolio, err error) {
	err = each(ctx, db, func(r row) error {
		var p monitor.Portfolio
		err := r.Scan(&p.ID, &p.Customer)
		out = append(out, p)
		return err
	}, `
		SELECT p.id, p.customer
		FROM portfolio AS p
		LEFT JOIN digest AS d ON d.portfolio = p.id
		WHERE p.frequency > 0 AND p.recipients <> '[]' AND p.id > $2
		  AND (d.day IS NULL OR d.day / p.frequency < $1 / p.frequency)
		ORDER BY p.id
		LIMIT $3 + 0`, day, int64(above), limit)
	return out, mailError("find due digests", err)
}

// DigestNews implements monitor.DigestStore.
func (db *DB) DigestNews(ctx context.Context, of auth.CustomerID, id monitor.PortfolioID, limit int) (n monitor.DigestNews, err error) {
	err = db.snapshot(ctx, func(t tx) (err error) {
		n = monitor.DigestNews{}
		if n.Portfolio, err = anyPortfolio(ctx, t, of, id, ""); err != nil {
			return err
		}
		after := monitor.Position{}
		err = t.QueryRow(ctx, `SELECT day, event, event_at FROM digest WHERE portfolio = $1`, int64(id)).
			Scan(&n.Day, &after.ID, stamp{&after.Made})
		if errors.Is(err, sql.ErrNoRows) {
			// It begins with what is made after the portfolio asked for it.
			n.Day, after, err = monitor.Never, monitor.Position{Made: n.Portfolio.ChangedAt}, nil
		}
		if err != nil {
			return err
		}
		n.After, n.Last, n.LastAt = after.ID, after.ID, after.Made
		if n.Day == monitor.Never {
			return nil
		}
		return db.newsAfter(ctx, t, &n, after, limit)
	})
	if err == nil {
		events := make([]*monitor.Event, len(n.Events))
		for i := range n.Events {
			events[i] = &n.Events[i].Event
		}
		err = db.finish(ctx, events)
	}
	return n, mailError("read what a digest is about", err)
}

// newsAfter reads the events behind a position.
func (db *DB) newsAfter(ctx context.Context, t tx, n *monitor.DigestNews, after monitor.Position, limit int) error {
	q := &eventQuery{
		EventQuery: monitor.EventQuery{Sort: monitor.ByID, After: &after, Limit: limit},
		ids:        []int64{int64(n.Portfolio.ID)}, customer: n.Portfolio.Customer,
	}
	for _, s := range q.streams() {
		w := q.where(s)
		w.add("(created_at, id) > (" + w.arg(after.Made.UnixMilli()) + ", " + w.arg(int64(after.ID)) + ")")
		var count int64
		if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM event WHERE customer = $1 AND `+w.text(), w.args...).Scan(&count); err != nil {
			return err
		}
		n.Total += count
	}
	if n.Total == 0 {
		return nil
	}
	keys, err := q.keys(ctx, t)
	if err != nil {
		return err
	}
	list, err := db.eventsOf(ctx, t, q.customer, keys[:min(len(keys), limit)])
	if err != nil {
		return err
	}
	last := *q
	last.After, last.Down, last.Limit = nil, true, 1
	if keys, err = last.keys(ctx, t); err != nil {
		return err
	}
	n.Last, n.LastAt = monitor.EventID(keys[0].id), time.UnixMilli(keys[0].number).UTC()
	return db.withNotes(ctx, t, n, list)
}

// withNotes adds to events what their watcher noted on the companies.
func (db *DB) withNotes(ctx context.Context, t tx, n *monitor.DigestNews, list []monitor.Event) error {
	var companies []string
	for i := range list {
		companies = append(companies, string(list[i].Company))
	}
	slices.Sort(companies)
	notes := map[string]monitor.Member{}
	const columns = `SELECT company, reference, notes, own_limit FROM member WHERE customer = $3 AND portfolio = $2 AND company = `
	err := pick(ctx, db, t, func(r row) error {
		var m monitor.Member
		err := r.Scan(&m.Company, &m.Reference, &m.Notes, &m.Limit)
		notes[string(m.Company)] = m
		return err
	}, columns+`$1`, columns+`ANY($1)`, slices.Compact(companies), int64(n.Portfolio.ID), int64(n.Portfolio.Customer))
	if err != nil {
		return err
	}
	for _, e := range list {
		n.Events = append(n.Events, monitor.DigestEvent{Event: e, Member: notes[string(e.Company)]})
	}
	return nil
}

// KeepDigest implements monitor.DigestStore.
func (db *DB) KeepDigest(ctx context.Context, n monitor.DigestNews, day int64, list []monitor.Mail) (ok bool, err error) {
	id := int64(n.Portfolio.ID)
	err = db.write(ctx, func(t tx) error {
		ok = false
		p, err := anyPortfolio(ctx, t, n.Portfolio.Customer, n.Portfolio.ID, db.d.forShare)
		if errors.Is(err, fault.Missing) || err == nil && !p.ChangedAt.Equal(n.Portfolio.ChangedAt) {
			return nil
		}
		if err != nil {
			return err
		}
		query, args := `
			INSERT INTO digest (portfolio, day, event, event_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (portfolio) DO NOTHING`, []any{id, day, int64(n.Last), stamp{&n.LastAt}}
		if n.Day != monitor.Never {
			query = `
				UPDATE digest SET day = $2, event = $3, event_at = $4
				WHERE portfolio = $1 AND day = $5 AND event = $6`
			args = append(args, n.Day, int64(n.After))
		}
		marked, err := t.Exec(ctx, query, args...)
		if err != nil || marked == 0 {
			return err
		}
		ok = true
		return db.keepMails(ctx, t, list)
	})
	return ok && err == nil, mailError("keep a digest", err)
}

// TidyDigests implements monitor.DigestStore.
func (db *DB) TidyDigests(ctx context.Context) error {
	err := db.write(ctx, func(t tx) error {
		_, err := t.Exec(ctx, `
			DELETE FROM digest
			WHERE portfolio NOT IN (SELECT id FROM portfolio WHERE frequency > 0 AND recipients <> '[]')`)
		return err
	})
	return mailError("tidy digests", err)
}

// Unsubscribe implements monitor.DigestStore.
func (db *DB) Unsubscribe(ctx context.Context, id monitor.PortfolioID, address string) error {
	err := db.write(ctx, func(t tx) error {
		var of auth.CustomerID
		err := t.QueryRow(ctx, `SELECT customer FROM portfolio WHERE id = $1`, int64(id)).Scan(&of)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		p, err := anyPortfolio(ctx, t, of, id, db.d.forUpdate)
		if errors.Is(err, fault.Missing) {
			return nil
		}
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(p.Digest.To), func(to monitor.Recipient) bool {
			return strings.EqualFold(to.Address, address)
		})
		if len(left) < len(p.Digest.To) {
			now, err := db.clock(ctx, t)
			if err != nil {
				return err
			}
			if !now.After(p.ChangedAt) { // a digest in the making must notice
				now = p.ChangedAt.Add(time.Millisecond)
			}
			_, err = t.Exec(ctx, `UPDATE portfolio SET recipients = $2, changed_at = $3 WHERE id = $1 AND customer = $4`,
				int64(id), list[monitor.Recipient]{&left}, stamp{&now}, int64(of))
			if err != nil {
				return err
			}
		}
		_, err = t.Exec(ctx, `
			DELETE FROM mail
			WHERE state = 0 AND portfolio = $1 AND kind = 'digest' AND LOWER(recipient) = LOWER($2)`, int64(id), address)
		return err
	})
	return mailError("unsubscribe", err)
}

// anyPortfolio reads a customer's portfolio, for no account of theirs.
func anyPortfolio(ctx context.Context, t tx, of auth.CustomerID, id monitor.PortfolioID, lock string) (monitor.Portfolio, error) {
	p, err := readPortfolio(t.QueryRow(ctx, `SELECT `+portfolioColumns+` FROM portfolio AS p WHERE p.id = $1 AND p.customer = $2 `+lock, int64(id), int64(of)))
	if errors.Is(err, sql.ErrNoRows) {
		return p, fault.Missing.Errorf(monitor.NoPortfolio)
	}
	return p, err
}

// AnyPortfolio implements monitor.ImportMailStore.
func (db *DB) AnyPortfolio(ctx context.Context, of auth.CustomerID, id monitor.PortfolioID) (monitor.Portfolio, error) {
	p, err := anyPortfolio(ctx, db, of, id, "")
	return p, mailError("read a portfolio", err)
}

// EndedTasks implements monitor.ImportMailStore.
func (db *DB) EndedTasks(ctx context.Context, kinds []string, from time.Time) (out []job.Task, err error) {
	err = each(ctx, db, func(r row) error {
		k, err := readTask(r)
		out = append(out, k)
		return err
	}, `
		SELECT `+taskColumns+`
		FROM task
		WHERE finished_at >= $1 AND finished_at > 0 AND $2 LIKE '% ' || kind || ' %'
		  AND NOT EXISTS (SELECT 1 FROM mail WHERE mail.key = 'import ' || CAST(task.id AS TEXT))
		ORDER BY finished_at, id`, stamp{&from}, " "+strings.Join(kinds, " ")+" ")
	if err != nil {
		return nil, fmt.Errorf("find tasks that ended: %w", err)
	}
	return out, nil
}
