package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
)

const dayMillis = 24 * 60 * 60 * 1000

// totals are changes to the kept counts of events, to be written together.
type totals map[totalKey]int64

type totalKey struct {
	customer, portfolio  int64
	made, day, processed int64
}

// What a count is about, as event_total.made has it: the day of the change, the
// day the event was made, or all of a portfolio's events, whose day is 0. The
// last is there so that a page costs the same after years.
const (
	byChange int64 = iota
	byMaking
	inAll
)

// add counts an event under the day of its change, the day it was made, and
// among all.
func (s totals) add(customer, portfolio, at, made, processed, n int64) {
	s[totalKey{customer, portfolio, byChange, floorDay(at), processed}] += n
	s[totalKey{customer, portfolio, byMaking, floorDay(made), processed}] += n
	s[totalKey{customer, portfolio, inAll, 0, processed}] += n
}

// keep are the steps that write the counts, in the order in which everyone does. A
// count that comes to nothing goes.
func (s totals) keep(db *DB) []step {
	keys := make([]totalKey, 0, len(s))
	for k, n := range s {
		if n != 0 {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b totalKey) int {
		return cmp.Or(cmp.Compare(a.portfolio, b.portfolio), cmp.Compare(a.made, b.made), cmp.Compare(a.day, b.day), cmp.Compare(a.processed, b.processed))
	})
	there := " ON CONFLICT (portfolio, made, day, processed) DO UPDATE SET events = event_total.events + excluded.events"
	if db.d.name == "postgres" {
		there = strings.Replace(there, "processed)", "processed, customer)", 1) // its key, so that it can be spread
	}
	steps := db.inserts("event_total", []string{"portfolio", "made", "day", "processed", "customer", "events"}, there,
		len(keys), func(i int) []any {
			k := keys[i]
			return []any{k.portfolio, k.made, k.day, k.processed, k.customer, s[k]}
		})
	fell := slices.DeleteFunc(keys, func(k totalKey) bool { return s[k] > 0 })
	return append(steps, clearTotals(db, fell)...)
}

// clearTotals drops counts that have come to nothing.
func clearTotals(db *DB, keys []totalKey) (out []step) {
	if len(keys) == 0 {
		return nil
	}
	if db.d.name == "postgres" {
		var columns [5][]int64
		for _, k := range keys {
			for i, v := range [...]int64{k.portfolio, k.made, k.day, k.processed, k.customer} {
				columns[i] = append(columns[i], v)
			}
		}
		return []step{{
			query: `
				DELETE FROM event_total AS t
				USING unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) AS k (portfolio, made, day, processed, customer)
				WHERE t.portfolio = k.portfolio AND t.made = k.made AND t.day = k.day AND t.processed = k.processed
					AND t.customer = k.customer AND t.events = 0`,
			args: []any{columns[0], columns[1], columns[2], columns[3], columns[4]},
		}}
	}
	for _, k := range keys {
		out = append(out, step{
			query: `
				DELETE FROM event_total
				WHERE customer = $5 AND portfolio = $1 AND made = $2 AND day = $3 AND processed = $4 AND events = 0`,
			args: []any{k.portfolio, k.made, k.day, k.processed, k.customer},
		})
	}
	return out
}

// total is how many events a query would find. Whole days come from the kept
// counts; of a day that a bound cuts, the smaller side is counted.
func (q *eventQuery) total(ctx context.Context, db *DB, t tx) (int64, error) {
	if q.Search != "" || q.Company != "" {
		return q.count(ctx, t)
	}
	if q.From.IsZero() && q.To.IsZero() {
		return q.totalInAll(ctx, db, t)
	}
	var sum int64
	for _, s := range q.streams() {
		n, err := q.totalOf(ctx, t, s)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// totalInAll is the same where nothing bounds it.
func (q *eventQuery) totalInAll(ctx context.Context, db *DB, t tx) (sum int64, err error) {
	processed := int64(-1) // or not
	if q.Processed != nil {
		processed = int64(b2i(*q.Processed))
	}
	const count = `
		SELECT events FROM event_total
		WHERE customer = $2 AND made = $3 AND day = 0 AND ($4 < 0 OR processed = $4) AND portfolio = `
	err = pick(ctx, db, t, func(r row) error {
		var n int64
		err := r.Scan(&n)
		sum += n
		return err
	}, count+`$1`, count+`ANY($1)`, q.ids, int64(q.customer), inAll, processed)
	return sum, err
}

// totalOf is the same for one stream, without the text.
func (q *eventQuery) totalOf(ctx context.Context, t tx, s stream) (int64, error) {
	first, last := int64(math.MinInt64), int64(math.MaxInt64) // days
	if !q.From.IsZero() {
		first = floorDay(q.From.UnixMilli())
	}
	if !q.To.IsZero() {
		last = floorDay(q.To.UnixMilli())
	}
	if !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		return 0, nil
	}
	c := counts{t, int64(q.customer), s, byChange, q.bounded()}
	switch {
	case q.From.IsZero() && q.To.IsZero():
		c.made = inAll
	case q.ByCreated:
		c.made = byMaking
	}
	sum, err := c.days(ctx, first, last)
	if err != nil || sum == 0 {
		return 0, err
	}
	// What the first and the last day hold outside the bounds is taken off.
	if !q.From.IsZero() {
		off, err := c.within(ctx, first, first*dayMillis, q.From.UnixMilli()-1)
		if err != nil {
			return 0, err
		}
		sum -= off
	}
	if !q.To.IsZero() {
		off, err := c.within(ctx, last, q.To.UnixMilli()+1, (last+1)*dayMillis-1)
		if err != nil {
			return 0, err
		}
		sum -= off
	}
	return sum, nil
}

func floorDay(ms int64) int64 {
	if ms < 0 {
		return (ms - dayMillis + 1) / dayMillis
	}
	return ms / dayMillis
}

// counts counts the events of a stream by the day of their change, or by the
// day they were made.
type counts struct {
	t      tx
	of     int64 // customer
	s      stream
	made   int64 // as event_total has it
	column string
}

// days counts whole days.
func (c counts) days(ctx context.Context, first, last int64) (n int64, err error) {
	err = c.t.QueryRow(ctx, `
		SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT) FROM event_total
		WHERE customer = $6 AND portfolio = $1 AND made = $2 AND processed = $3 AND day >= $4 AND day <= $5`,
		c.s.portfolio, c.made, c.s.processed, first, last, c.of).Scan(&n)
	return n, err
}

// rows counts the events between two milliseconds.
func (c counts) rows(ctx context.Context, from, to int64) (n int64, err error) {
	if to < from {
		return 0, nil
	}
	err = c.t.QueryRow(ctx, `
		SELECT COUNT(*) FROM event
		WHERE customer = $5 AND portfolio = $1 AND processed = $2 AND `+c.column+` >= $3 AND `+c.column+` <= $4`,
		c.s.portfolio, c.s.processed, from, to, c.of).Scan(&n)
	return n, err
}

// within counts a part of a day, by counting it or by counting the rest.
func (c counts) within(ctx context.Context, day, from, to int64) (int64, error) {
	if to-from < dayMillis/2 {
		return c.rows(ctx, from, to)
	}
	whole, err := c.days(ctx, day, day)
	if err != nil {
		return 0, err
	}
	before, err := c.rows(ctx, day*dayMillis, from-1)
	if err != nil {
		return 0, err
	}
	behind, err := c.rows(ctx, to+1, (day+1)*dayMillis-1)
	return whole - before - behind, err
}

// byDay reads the counts of days.
func (db *DB) byDay(ctx context.Context, t tx, of auth.CustomerID, ids []int64, from, to time.Time) ([]monitor.Day, error) {
	sums := map[int64]int64{}
	const days = `
		SELECT day, events FROM event_total
		WHERE customer = $4 AND made = 0 AND day >= $2 AND day <= $3 AND events > 0 AND portfolio = `
	err := pick(ctx, db, t, func(r row) error {
		var day, n int64
		err := r.Scan(&day, &n)
		sums[day] += n
		return err
	}, days+`$1`, days+`ANY($1)`, ids, floorDay(from.UnixMilli()), floorDay(to.UnixMilli()), int64(of))
	if err != nil {
		return nil, err
	}
	out := make([]monitor.Day, 0, len(sums))
	for day, n := range sums {
		out = append(out, monitor.Day{Day: time.UnixMilli(day * dayMillis).UTC(), Events: n})
	}
	slices.SortFunc(out, func(a, b monitor.Day) int { return a.Day.Compare(b.Day) })
	return out, nil
}
