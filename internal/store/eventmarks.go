package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// markBatch is how many events are marked or forgotten in one transaction.
const markBatch = 5000

// MarkEvents implements monitor.EventStore. Many events are marked in several
// transactions: what was marked stays so, and to ask again does the rest.
func (db *DB) MarkEvents(ctx context.Context, by auth.Caller, m monitor.Mark) (n int64, err error) {
	if m.Event != 0 {
		return db.markOne(ctx, by, m)
	}
	var ids []int64
	err = db.snapshot(ctx, func(t tx) error {
		ids, err = db.portfoliosOf(ctx, t, by, m.Portfolio, monitor.Edit)
		return err
	})
	for _, id := range ids {
		if err != nil {
			break
		}
		var marked int64
		marked, err = db.markAll(ctx, by, id, m)
		n += marked
		if m.Portfolio == 0 && (errors.Is(err, fault.Missing) || errors.Is(err, fault.Denied)) {
			err = nil // it, or the right to it, is gone since we looked
		}
	}
	if _, ok := fault.Of(err); err != nil && !ok {
		err = fmt.Errorf("mark events: %w", err)
	}
	return n, err
}

// markAll marks what there is to mark in a portfolio, some at a time.
func (db *DB) markAll(ctx context.Context, by auth.Caller, id int64, m monitor.Mark) (n int64, err error) {
	for done := false; !done; {
		var marked int64
		err := db.write(ctx, func(t tx) error {
			if err := db.mayMark(ctx, t, by, id); err != nil {
				return err
			}
			var err error
			marked, done, err = db.markUpTo(ctx, t, by.Customer, id, m)
			return err
		})
		if err != nil {
			return n, err
		}
		n += marked
	}
	return n, nil
}

// mayMark checks the right to mark a portfolio's events, which may have been
// taken away since the caller looked. The portfolio cannot go before we commit:
// whoever deletes it takes its events in another order than we do.
func (db *DB) mayMark(ctx context.Context, t tx, by auth.Caller, id int64) error {
	if err := db.keepPortfolio(ctx, t, int64(by.Customer), id); err != nil {
		return err
	}
	_, err := db.portfoliosOf(ctx, t, by, monitor.PortfolioID(id), monitor.Edit)
	return err
}

// keepPortfolio keeps a portfolio from being deleted before we commit. One that
// is gone is no error.
func (db *DB) keepPortfolio(ctx context.Context, t tx, of, id int64) error {
	return each(ctx, t, func(r row) error { return r.Scan(&id) },
		`SELECT id FROM portfolio WHERE id = $1 AND customer = $2 `+db.d.forKey, id, of)
}

func (db *DB) markOne(ctx context.Context, by auth.Caller, m monitor.Mark) (n int64, err error) {
	gone := fault.Missing.Errorf("NotificationEvent resource not found")
	err = db.write(ctx, func(t tx) error {
		n = 0
		ids, err := db.portfoliosOf(ctx, t, by, m.Portfolio, monitor.View)
		if err != nil {
			return err
		}
		found, err := db.find(ctx, t, by.Customer, ids, m.Event, "")
		if err != nil || found == nil {
			return cmp.Or(err, gone)
		}
		if err := db.mayMark(ctx, t, by, found.portfolio); err != nil {
			return err
		}
		if found, err = db.find(ctx, t, by.Customer, []int64{found.portfolio}, m.Event, db.d.forUpdate); err != nil || found == nil {
			return cmp.Or(err, gone)
		}
		n, err = db.mark(ctx, t, []counted{*found}, m.Processed)
		return err
	})
	if _, ok := fault.Of(err); err != nil && !ok {
		err = fmt.Errorf("mark an event: %w", err)
	}
	return n, err
}

// counted is what the counts need to know of an event.
type counted struct {
	customer, portfolio, id, at, made, processed int64
}

// whose is a portfolio and its customer.
type whose struct{ customer, portfolio int64 }

const countedColumns = `customer, portfolio, id, at, created_at, processed`

func readCounted(r row) (c counted, err error) {
	err = r.Scan(&c.customer, &c.portfolio, &c.id, &c.at, &c.made, &c.processed)
	return c, err
}

// find looks for an event in portfolios, and locks it if that is asked for.
func (db *DB) find(ctx context.Context, t tx, of auth.CustomerID, ids []int64, event monitor.EventID, lock string) (found *counted, err error) {
	err = pick(ctx, db, t, func(r row) error {
		c, err := readCounted(r)
		found = &c
		return err
	}, `SELECT `+countedColumns+` FROM event WHERE customer = $3 AND portfolio = $1 AND id = $2 `+lock,
		`SELECT `+countedColumns+` FROM event WHERE customer = $3 AND portfolio = ANY($1) AND id = $2 `+lock,
		ids, int64(event), int64(of))
	return found, err
}

// markUpTo marks some of a portfolio's events, the oldest first. They are
// locked, so whoever marks them at the same time waits, and then finds nothing
// to do.
func (db *DB) markUpTo(ctx context.Context, t tx, of auth.CustomerID, portfolio int64, m monitor.Mark) (n int64, done bool, err error) {
	var list []counted
	rows := 0
	err = each(ctx, t, func(r row) error {
		c, err := readCounted(r)
		rows++
		if c.id <= int64(m.UpTo) {
			list = append(list, c)
		} else {
			done = true // they come in the order of their ids
		}
		return err
	}, `SELECT `+countedColumns+` FROM event
		WHERE customer = $4 AND portfolio = $1 AND processed = $2
		ORDER BY created_at, id LIMIT $3 + 0 `+db.d.forUpdate,
		portfolio, int64(b2i(!m.Processed)), markBatch, int64(of))
	if err != nil {
		return 0, false, err
	}
	n, err = db.mark(ctx, t, list, m.Processed)
	return n, done || rows < markBatch, err
}

// mark sets events that are locked, and leaves alone those that are so already:
// whoever comes second changes nothing and counts nothing.
func (db *DB) mark(ctx context.Context, t tx, list []counted, processed bool) (n int64, err error) {
	now, err := db.clock(ctx, t)
	if err != nil {
		return 0, err
	}
	if !processed {
		now = time.Time{}
	}
	was, is := int64(b2i(!processed)), int64(b2i(processed))
	sums := totals{}
	ids := map[whose][]int64{}
	for _, c := range list {
		if c.processed == is {
			continue
		}
		n++
		of := whose{c.customer, c.portfolio}
		ids[of] = append(ids[of], c.id)
		sums.add(c.customer, c.portfolio, c.at, c.made, was, -1)
		sums.add(c.customer, c.portfolio, c.at, c.made, is, 1)
	}
	for of, ids := range ids {
		const update = `UPDATE event SET processed = $3, processed_at = $4 WHERE customer = $5 AND portfolio = $2 AND id = `
		if err := alter(ctx, db, t, update+`$1`, update+`ANY($1)`, ids, of.portfolio, is, stamp{&now}, of.customer); err != nil {
			return 0, err
		}
	}
	return n, t.Together(ctx, sums.keep(db))
}

// alter runs a statement for many values, as pick does a question.
func alter(ctx context.Context, db *DB, t tx, one, many string, values []int64, args ...any) error {
	if len(values) == 0 {
		return nil
	}
	if db.d.name == "postgres" {
		_, err := t.Exec(ctx, many, append([]any{values}, args...)...)
		return err
	}
	for _, v := range values {
		if _, err := t.Exec(ctx, one, append([]any{v}, args...)...); err != nil {
			return err
		}
	}
	return nil
}

// ForgetEvents implements monitor.EventStore. Whole days go: an event lives at
// most a day longer than asked.
func (db *DB) ForgetEvents(ctx context.Context, before time.Time, limit int) (n int64, err error) {
	day := floorDay(before.UnixMilli())
	switch n, err = db.forgetMonths(ctx, time.UnixMilli(day*dayMillis)); {
	case errors.Is(err, errInUse):
		return n, nil // tried again soon
	case err != nil:
		return n, fmt.Errorf("forget months of events: %w", err)
	case n > 0:
		return n, nil
	}
	// Whoever locks several events of a portfolio does it in the order of their
	// ids, in one statement: that is how nobody waits for ever. So each
	// transaction is about one kind of event, and takes the counts last.
	for _, processed := range []int64{0, 1} {
		var list []counted
		err := db.write(ctx, func(t tx) (err error) {
			if list, err = db.lockOld(ctx, t, processed, day, limit-int(n)); err != nil {
				return err
			}
			return db.forget(ctx, t, list)
		})
		if err != nil {
			return n, fmt.Errorf("forget old events: %w", err)
		}
		if n += int64(len(list)); n >= int64(limit) {
			break
		}
	}
	return n, nil
}

// lockOld finds and locks events that were made before a day, of some
// portfolios.
func (db *DB) lockOld(ctx context.Context, t tx, processed, day int64, limit int) (list []counted, err error) {
	var of []whose
	err = each(ctx, t, func(r row) error {
		var w whose
		err := r.Scan(&w.customer, &w.portfolio)
		of = append(of, w)
		return err
	}, `SELECT DISTINCT customer, portfolio FROM event_total WHERE made = 1 AND day < $1 AND processed = $2 ORDER BY portfolio LIMIT 200`, day, processed)
	for _, w := range of {
		if err != nil || len(list) >= limit {
			break
		}
		if err = db.keepPortfolio(ctx, t, w.customer, w.portfolio); err != nil {
			break
		}
		err = each(ctx, t, func(r row) error {
			c, err := readCounted(r)
			list = append(list, c)
			return err
		}, `SELECT `+countedColumns+` FROM event
			WHERE customer = $5 AND portfolio = $1 AND processed = $2 AND created_at < $3
			ORDER BY created_at, id LIMIT $4 + 0 `+db.d.forUpdate,
			w.portfolio, processed, day*dayMillis, limit-len(list), w.customer)
	}
	return list, err
}

// forget takes away events that are locked.
func (db *DB) forget(ctx context.Context, t tx, list []counted) error {
	sums := totals{}
	ids := map[whose][]int64{}
	var last int64
	for _, c := range list {
		of := whose{c.customer, c.portfolio}
		ids[of] = append(ids[of], c.id)
		sums.add(c.customer, c.portfolio, c.at, c.made, c.processed, -1)
		last = max(last, c.id)
	}
	for of, ids := range ids {
		const drop = `DELETE FROM event WHERE customer = $3 AND portfolio = $2 AND id = `
		if err := alter(ctx, db, t, drop+`$1`, drop+`ANY($1)`, ids, of.portfolio, of.customer); err != nil {
			return err
		}
	}
	return db.forgotten(ctx, t, sums, last)
}

// forgotten keeps what is left to know of events that were taken away: the counts
// without them, and the number of the last.
func (db *DB) forgotten(ctx context.Context, t tx, sums totals, last int64) error {
	if err := t.Together(ctx, sums.keep(db)); err != nil {
		return err
	}
	// Whoever asks for what came after one of these must hear that it is gone.
	_, err := t.Exec(ctx, `UPDATE monitor_log SET last_number = $1 WHERE name = 'forgotten' AND last_number < $1`, last)
	return err
}
