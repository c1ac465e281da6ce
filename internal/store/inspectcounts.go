package store

import (
	"context"
	"fmt"
	"time"
)

// A totalKind is one of the ways in which events are counted.
type totalKind struct {
	made  int64
	what  string
	query string // how far each count is from the events, where it is
}

// dayOf is the day of a time in milliseconds, as floorDay has it.
func dayOf(column string) string {
	return fmt.Sprintf("CASE WHEN %[1]s < 0 THEN (%[1]s - %[2]d) / %[3]d ELSE %[1]s / %[3]d END", column, dayMillis-1, dayMillis)
}

// totalKinds are asked with one pass over the events each: what is kept and what is
// there are put under each other and added up, the one against the other.
func totalKinds() []totalKind {
	query := func(by string) string {
		return `
		SELECT portfolio, day, processed, CAST(SUM(kept) AS BIGINT), CAST(SUM(there) AS BIGINT)
		FROM (
			SELECT customer, portfolio, day, processed, events AS kept, 0 AS there FROM event_total WHERE made = $1
			UNION ALL
			SELECT customer, portfolio, ` + by + ` AS day, processed, 0 AS kept, COUNT(*) AS there FROM event
			GROUP BY 1, 2, 3, 4
		) AS counted
		GROUP BY customer, portfolio, day, processed
		HAVING SUM(kept) <> SUM(there)
		ORDER BY portfolio, day, processed`
	}
	return []totalKind{
		{byChange, "by the day of the change", query(dayOf("at"))},
		{byMaking, "by the day they were made", query(dayOf("created_at"))},
		{inAll, "in all", query("0")},
	}
}

// inspectCounts holds the totals of events against the events: for each portfolio, or
// a customer's alerts, and each day, those that were processed and those that were not.
func (db *DB) inspectCounts(ctx context.Context, t tx) (Check, error) {
	c := Check{Says: "the totals of events are those of the events"}
	for _, k := range totalKinds() {
		wrong, example := 0, ""
		err := each(ctx, t, func(r row) error {
			var portfolio, day, processed, kept, there int64
			if err := r.Scan(&portfolio, &day, &processed, &kept, &there); err != nil {
				return err
			}
			if wrong++; wrong == 1 {
				example = fmt.Sprintf("there are %d events, and the total says %d, %s", there, kept, totalOf(portfolio, k.made, day, processed))
			}
			return nil
		}, k.query, k.made)
		if err != nil {
			return c, fmt.Errorf("%s: %w", k.what, err)
		}
		if wrong > 0 {
			c.Wrong = append(c.Wrong, fmt.Sprintf("%d totals of events %s are wrong: %s", wrong, k.what, example))
		}
	}
	return c, nil
}

// totalOf says what a total counts.
func totalOf(portfolio, made, day, processed int64) string {
	of := fmt.Sprintf("in portfolio %d", portfolio)
	if portfolio < 0 {
		of = fmt.Sprintf("among the alerts of customer %d", -portfolio)
	}
	if made != inAll {
		of += " on " + time.UnixMilli(day*dayMillis).UTC().Format(time.DateOnly)
	}
	if processed != 0 {
		return of + ", of those that were processed"
	}
	return of + ", of those that were not processed"
}
