package store

import (
	"context"
	"fmt"
)

// A Check is one thing that was looked at in a database.
type Check struct {
	Subject string
	Wrong   []string // what is not as it must be; nothing if all is
	Notes   []string // what is allowed, and may still be a mistake
	Says    string   // what was seen, if nothing is wrong
}

// Inspect reads a database through and says what is not as Bureau leaves it: a key
// or an index that is missing or another, a log with a gap, a reader that is ahead of
// its log, rows that belong to nothing, totals that are wrong. It changes nothing, and
// others go on writing meanwhile. progress hears what is looked at next.
func (db *DB) Inspect(ctx context.Context, progress func(subject string)) ([]Check, error) {
	var out []Check
	err := db.snapshot(ctx, func(t tx) error {
		out = nil
		if err := db.readsAll(ctx, t); err != nil {
			return err
		}
		for _, look := range []struct {
			subject string
			at      func(context.Context, tx) (Check, error)
		}{
			{"pages", db.inspectPages},
			{"indexes", db.inspectIndexes},
			{"logs", db.inspectLogs},
			{"cursors", db.inspectCursors},
			{"rows", db.inspectRows},
			{"counts", db.inspectCounts},
		} {
			progress(look.subject)
			c, err := look.at(ctx, t)
			if err != nil {
				return fmt.Errorf("inspect %s: %w", look.subject, err)
			}
			c.Subject = look.subject
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// inspectPages lets the engine look for what it finds wrong itself. SQLite has a
// quicker way, which does not see that a row is missing from an index.
func (db *DB) inspectPages(ctx context.Context, t tx) (Check, error) {
	c := Check{Says: "the engine finds nothing wrong"}
	if db.d.name == "postgres" {
		err := each(ctx, t, func(r row) error {
			var name string
			err := r.Scan(&name)
			c.Wrong = append(c.Wrong, "index "+name+" was not finished and is not used; REINDEX makes it anew")
			return err
		}, `SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
			JOIN pg_namespace AS n ON n.oid = c.relnamespace
			WHERE NOT (i.indisvalid AND i.indisready) AND n.nspname = current_schema() ORDER BY 1`)
		return c, err
	}
	err := each(ctx, t, func(r row) error {
		var says string
		err := r.Scan(&says)
		if says != "ok" {
			c.Wrong = append(c.Wrong, says)
		}
		return err
	}, `SELECT integrity_check FROM pragma_integrity_check`)
	return c, err
}
