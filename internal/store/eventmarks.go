package store

import (
	"context"
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
		for done := false; !done && err == nil; {
			err = db.write(ctx, func(t tx) error {
				// The right may have been taken away since.
				if _, err := db.portfoliosOf(ctx, t, by, monitor.PortfolioID(id), monitor.Edit); err != nil {
					return err
				}
				var marked int64
				marked, done, err = db.markUpTo(ctx, t, id, m)
				n += marked
				return err
			})
		}
	}
	if _, ok := fault.Of(err); err != nil && !ok {
		err = fmt.Errorf("mark events: %w", err)
	}
	return n, err
}

func (db *DB) markOne(ctx context.Context, by auth.Caller, m monitor.Mark) (n int64, err error) {
	err = db.write(ctx, func(t tx) error {
		n = 0
		ids, err := db.portfoliosOf(ctx, t, by, m.Portfolio, monitor.View)
		if err != nil {
			return err
		}
		found, err := db.find(ctx, t, ids, m.Event)
		if err != nil {
			return err
		}
		if found == nil {
			return fault.Missing.Errorf("NotificationEvent resource not found")
		}
		if _, err := db.portfoliosOf(ctx, t, by, monitor.PortfolioID(found.portfolio), monitor.Edit); err != nil {
			return err
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

const countedColumns = `customer, portfolio, id, at, created_at, processed`

func readCounted(r row) (c counted, err error) {
	err = r.Scan(&c.customer, &c.portfolio, &c.id, &c.at, &c.made, &c.processed)
	return c, err
}

// find looks for an event in portfolios, and locks it.
func (db *DB) find(ctx context.Context, t tx, ids []int64, event monitor.EventID) (found *counted, err error) {
	err = pick(ctx, db, t, func(r row) error {
		c, err := readCounted(r)
		found = &c
		return err
	}, `SELECT `+countedColumns+` FROM event WHERE portfolio = $1 AND id = $2`,
		`SELECT `+countedColumns+` FROM event WHERE portfolio = ANY($1) AND id = $2 FOR UPDATE`, ids, int64(event))
	return found, err
}

// markUpTo marks some of a portfolio's events, the oldest first. They are
// locked, so whoever marks them at the same time waits, and then finds nothing
// to do.
func (db *DB) markUpTo(ctx context.Context, t tx, portfolio int64, m monitor.Mark) (n int64, done bool, err error) {
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
	}, `SELECT `+countedColumns+` FROM event WHERE portfolio = $1 AND processed = $2 ORDER BY created_at, id LIMIT $3 `+db.d.forUpdate,
		portfolio, int64(b2i(!m.Processed)), markBatch)
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
	ids := map[int64][]int64{}
	for _, c := range list {
		if c.processed == is {
			continue
		}
		n++
		ids[c.portfolio] = append(ids[c.portfolio], c.id)
		sums.add(c.customer, c.portfolio, c.at, c.made, was, -1)
		sums.add(c.customer, c.portfolio, c.at, c.made, is, 1)
	}
	for portfolio, ids := range ids {
		const update = `UPDATE event SET processed = $3, processed_at = $4 WHERE portfolio = $2 AND id = `
		if err := alter(ctx, db, t, update+`$1`, update+`ANY($1)`, ids, portfolio, is, stamp{&now}); err != nil {
			return 0, err
		}
	}
	return n, sums.keep(ctx, t)
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
	err = db.write(ctx, func(t tx) error {
		n = 0
		var old []int64
		err := each(ctx, t, func(r row) error {
			var id int64
			err := r.Scan(&id)
			old = append(old, id)
			return err
		}, `SELECT DISTINCT portfolio FROM event_total WHERE made = 1 AND day < $1 AND events > 0 ORDER BY portfolio LIMIT 100`,
			floorDay(before.UnixMilli()))
		if err != nil {
			return err
		}
		for _, id := range old {
			for _, processed := range []int64{0, 1} {
				if n >= int64(limit) {
					return nil
				}
				forgot, err := db.forgetSome(ctx, t, stream{id, processed}, before, limit-int(n))
				if err != nil {
					return err
				}
				n += forgot
			}
		}
		_, err = t.Exec(ctx, `DELETE FROM event_total WHERE events = 0 AND made = 1 AND day < $1`, floorDay(before.UnixMilli()))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("forget old events: %w", err)
	}
	return n, nil
}

func (db *DB) forgetSome(ctx context.Context, t tx, s stream, before time.Time, limit int) (int64, error) {
	var list []counted
	err := each(ctx, t, func(r row) error {
		c, err := readCounted(r)
		list = append(list, c)
		return err
	}, `SELECT `+countedColumns+` FROM event WHERE portfolio = $1 AND processed = $2 AND created_at < $3 ORDER BY created_at, id LIMIT $4 `+db.d.forUpdate,
		s.portfolio, s.processed, before.UnixMilli(), limit)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	sums := totals{}
	ids := make([]int64, 0, len(list))
	for _, c := range list {
		ids = append(ids, c.id)
		sums.add(c.customer, c.portfolio, c.at, c.made, c.processed, -1)
	}
	const drop = `DELETE FROM event WHERE portfolio = $2 AND id = `
	if err := alter(ctx, db, t, drop+`$1`, drop+`ANY($1)`, ids, s.portfolio); err != nil {
		return 0, err
	}
	return int64(len(ids)), sums.keep(ctx, t)
}
