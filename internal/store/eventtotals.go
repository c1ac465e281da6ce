package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bureau/internal/monitor"
)

const dayMillis = 24 * 60 * 60 * 1000

// totals are changes to the kept counts of events, to be written together.
type totals map[totalKey]int64

type totalKey struct {
	customer, portfolio  int64
	made, day, processed int64
}

// add counts an event under the day of its change and the day it was made.
func (s totals) add(customer, portfolio, at, made, processed, n int64) {
	s[totalKey{customer, portfolio, 0, at / dayMillis, processed}] += n
	s[totalKey{customer, portfolio, 1, made / dayMillis, processed}] += n
}

// keep writes the counts, in the order in which everyone does.
func (s totals) keep(ctx context.Context, t tx) error {
	keys := make([]totalKey, 0, len(s))
	for k, n := range s {
		if n != 0 {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b totalKey) int {
		return cmp.Or(cmp.Compare(a.portfolio, b.portfolio), cmp.Compare(a.made, b.made), cmp.Compare(a.day, b.day), cmp.Compare(a.processed, b.processed))
	})
	for _, k := range keys {
		_, err := t.Exec(ctx, `
			INSERT INTO event_total (portfolio, made, day, processed, customer, events)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (portfolio, made, day, processed) DO UPDATE SET events = event_total.events + $6`,
			k.portfolio, k.made, k.day, k.processed, k.customer, s[k])
		if err != nil {
			return err
		}
	}
	return nil
}

// total is how many events a query would find. Whole days come from the kept
// counts; of a day that a bound cuts, the smaller side is counted.
func (q *eventQuery) total(ctx context.Context, t tx) (int64, error) {
	if q.Search != "" || q.Company != "" {
		return q.count(ctx, t)
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

func (q *eventQuery) totalOf(ctx context.Context, t tx, s stream) (int64, error) {
	made, column := int64(0), "at"
	if q.ByCreated {
		made, column = 1, "created_at"
	}
	from, to := bounds(q.From, q.To)
	first, last := floorDay(from), floorDay(to)
	var sum int64
	err := t.QueryRow(ctx, `
		SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT) FROM event_total
		WHERE portfolio = $1 AND made = $2 AND processed = $3 AND day >= $4 AND day <= $5`,
		s.portfolio, made, s.processed, first, last).Scan(&sum)
	if err != nil {
		return 0, err
	}
	// What the first and the last day hold outside the bounds is taken off.
	off, err := cut(ctx, t, s, made, column, first, first*dayMillis, from-1)
	if err != nil {
		return 0, err
	}
	more, err := cut(ctx, t, s, made, column, last, to+1, (last+1)*dayMillis-1)
	return sum - off - more, err
}

// bounds are the first and the last millisecond that a query asks for.
func bounds(from, to time.Time) (first, last int64) {
	first, last = -1<<40, 1<<50
	if !from.IsZero() {
		first = from.UnixMilli()
	}
	if !to.IsZero() {
		last = to.UnixMilli()
	}
	return first, max(last, first-1)
}

func floorDay(ms int64) int64 {
	if ms < 0 {
		return (ms - dayMillis + 1) / dayMillis
	}
	return ms / dayMillis
}

// cut counts the events of a stream from one millisecond of a day to another,
// by counting them or by counting the rest of the day.
func cut(ctx context.Context, t tx, s stream, made int64, column string, day, from, to int64) (int64, error) {
	if to < from {
		return 0, nil
	}
	rows := func(from, to int64) (n int64, err error) {
		err = t.QueryRow(ctx, `
			SELECT COUNT(*) FROM event
			WHERE portfolio = $1 AND processed = $2 AND `+column+` >= $3 AND `+column+` <= $4`,
			s.portfolio, s.processed, from, to).Scan(&n)
		return n, err
	}
	if to-from < dayMillis/2 {
		return rows(from, to)
	}
	var whole int64
	err := t.QueryRow(ctx, `
		SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT) FROM event_total
		WHERE portfolio = $1 AND made = $2 AND processed = $3 AND day = $4`,
		s.portfolio, made, s.processed, day).Scan(&whole)
	if err != nil {
		return 0, err
	}
	begin, end := day*dayMillis, (day+1)*dayMillis-1
	var rest int64
	for _, side := range [][2]int64{{begin, from - 1}, {to + 1, end}} {
		if side[0] > side[1] {
			continue
		}
		n, err := rows(side[0], side[1])
		if err != nil {
			return 0, err
		}
		rest += n
	}
	return whole - rest, nil
}

// byDay reads the counts of days.
func (db *DB) byDay(ctx context.Context, t tx, ids []int64, from, to time.Time) ([]monitor.Day, error) {
	sums := map[int64]int64{}
	err := pick(ctx, db, t, func(r row) error {
		var day, n int64
		err := r.Scan(&day, &n)
		sums[day] += n
		return err
	}, `SELECT day, events FROM event_total WHERE portfolio = $1 AND made = 0 AND day >= $2 AND day <= $3 AND events > 0`,
		`SELECT day, events FROM event_total WHERE portfolio = ANY($1) AND made = 0 AND day >= $2 AND day <= $3 AND events > 0`,
		ids, floorDay(from.UnixMilli()), floorDay(to.UnixMilli()))
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
