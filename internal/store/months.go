package store

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// On PostgreSQL the logs that grow for ever are kept by month: changes and the
// events that they led to by the time of the change, the audit log by the time
// of the entry. A month is a table of its own, event_2026_11, so that retention
// drops it whole instead of taking away row by row. What belongs to no month
// that was made (what came before there were months, a clock that was far off)
// is in event_rest, and goes row by row.

// monthly are the logs that are kept so.
var monthly = []string{"change", "event", "audit"}

// monthsAhead is how many months are made before they begin.
const monthsAhead = 3

// A month is one of them.
type month struct {
	log   string
	first time.Time // its first moment
}

func monthOf(log string, at time.Time) month {
	at = at.UTC()
	return month{log, time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)}
}

func (m month) next() month    { return month{m.log, m.first.AddDate(0, 1, 0)} }
func (m month) end() time.Time { return m.next().first }

// table is the name of the month's table.
func (m month) table() string { return m.log + m.first.Format("_2006_01") }

// bounds are what it holds. They are no values of a question, which arguments
// would be for.
func (m month) bounds() string {
	return fmt.Sprintf("FROM (%d) TO (%d)", m.first.UnixMilli(), m.end().UnixMilli())
}

// MakeMonths makes the months that begin soon. Any node may call it at any time;
// on SQLite there is nothing to do.
func (db *DB) MakeMonths(ctx context.Context, now time.Time) error {
	if db.d.name != "postgres" {
		return nil
	}
	for _, log := range monthly {
		made, err := db.months(ctx, db, log)
		if err != nil {
			return fmt.Errorf("list the months of %s: %w", log, err)
		}
		m := monthOf(log, now)
		for range 1 + monthsAhead {
			if !slices.Contains(made, m) {
				if err := db.makeMonth(ctx, m); errors.Is(err, errInUse) {
					break // there is time until it begins, and the rest takes what comes
				} else if err != nil {
					return fmt.Errorf("make the month %s: %w", m.table(), err)
				}
			}
			m = m.next()
		}
	}
	return nil
}

// makeMonth makes one, unless something of it is in the rest already: then it
// stays there.
func (db *DB) makeMonth(ctx context.Context, m month) error {
	return db.alone(ctx, m.log, func(t tx) error {
		made, err := db.months(ctx, t, m.log)
		if err != nil || slices.Contains(made, m) { // another node was faster
			return err
		}
		var begun bool
		err = t.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+m.log+`_rest WHERE at >= $1 AND at < $2)`,
			m.first.UnixMilli(), m.end().UnixMilli()).Scan(&begun)
		if err != nil || begun {
			return err
		}
		_, err = t.Exec(ctx, `CREATE TABLE `+m.table()+` PARTITION OF `+m.log+` FOR VALUES `+m.bounds())
		return err
	})
}

// alone runs f while nobody else uses a log. It gives up soon rather than make
// everybody wait behind it for somebody who is slow: it is tried again later.
func (db *DB) alone(ctx context.Context, log string, f func(tx) error) error {
	err := db.write(ctx, func(t tx) error {
		if _, err := t.Exec(ctx, `SET LOCAL lock_timeout = '2s'`); err != nil {
			return err
		}
		if _, err := t.Exec(ctx, `LOCK TABLE ONLY `+log+`, `+log+`_rest IN ACCESS EXCLUSIVE MODE`); err != nil {
			return err
		}
		return f(t)
	})
	var e *pgconn.PgError
	if errors.As(err, &e) && e.Code == "55P03" {
		return errInUse
	}
	return err
}

// errInUse says that somebody (a backup, say) would not let go of a log.
var errInUse = errors.New("others are using it")

var monthTable = regexp.MustCompile(`^([a-z]+)_(\d{4}_\d{2})$`)

// months are those that a log has, in order.
func (db *DB) months(ctx context.Context, t tx, log string) (out []month, err error) {
	err = each(ctx, t, func(r row) error {
		var table string
		if err := r.Scan(&table); err != nil {
			return err
		}
		name := monthTable.FindStringSubmatch(table)
		if name == nil {
			return nil
		}
		first, err := time.Parse("2006_01", name[2])
		out = append(out, month{log, first})
		return err
	}, `SELECT CAST(c.relname AS TEXT) FROM pg_inherits AS i
		JOIN pg_class AS c ON c.oid = i.inhrelid
		JOIN pg_class AS p ON p.oid = i.inhparent
		JOIN pg_namespace AS n ON n.oid = p.relnamespace
		WHERE p.relname = $1 AND n.nspname = current_schema() ORDER BY c.relname`, log)
	return out, err
}

// forgetMonths drops the months of events of which every one was made before a
// time, and returns how many events they held.
func (db *DB) forgetMonths(ctx context.Context, before time.Time) (n int64, err error) {
	if db.d.name != "postgres" {
		return 0, nil
	}
	made, err := db.months(ctx, db, "event")
	for _, m := range made {
		if err != nil || m.end().After(before) {
			break
		}
		var had int64
		err = db.alone(ctx, m.log, func(t tx) error {
			had, err = db.forgetMonth(ctx, t, m, before)
			return err
		})
		n += had
	}
	return n, err
}

// forgetMonth drops one, together with its counts. Nobody else uses events.
func (db *DB) forgetMonth(ctx context.Context, t tx, m month, before time.Time) (n int64, err error) {
	still, err := db.months(ctx, t, m.log)
	if err != nil || !slices.Contains(still, m) { // another node was faster
		return 0, err
	}
	var younger bool // told long after its change
	err = t.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM `+m.table()+` WHERE created_at >= $1)`, before.UnixMilli()).Scan(&younger)
	if err != nil || younger {
		return 0, err
	}
	sums := totals{}
	var last int64
	err = each(ctx, t, func(r row) error {
		var customer, portfolio, at, made, processed, count, highest int64
		if err := r.Scan(&customer, &portfolio, &at, &made, &processed, &count, &highest); err != nil {
			return err
		}
		sums.add(customer, portfolio, at, made, processed, -count)
		n, last = n+count, max(last, highest)
		return nil
	}, `SELECT customer, portfolio, MIN(at), MIN(created_at), processed, COUNT(*), MAX(id) FROM `+m.table()+`
		GROUP BY customer, portfolio, at / $1, created_at / $1, processed`, dayMillis)
	if err != nil {
		return 0, err
	}
	if _, err := t.Exec(ctx, `DROP TABLE `+m.table()); err != nil {
		return 0, err
	}
	return n, db.forgotten(ctx, t, sums, last)
}
