package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// A Check is one thing that was looked at in a database.
type Check struct {
	Subject string
	Wrong   []string // what is not as it must be; nothing if all is
	Says    string   // what was seen, if nothing is wrong
}

// Inspect reads a database through and says what is not as Bureau leaves it: an
// index that is missing, a reader that is ahead of its log, rows that belong to
// nothing. It changes nothing, and others go on writing meanwhile. progress
// hears what is looked at next.
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

// inspectPages lets the engine look for what it finds wrong itself.
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
	}, `SELECT quick_check FROM pragma_quick_check`)
	return c, err
}

var indexMade = regexp.MustCompile(`(?i)\b(CREATE(?:\s+UNIQUE)?|DROP)\s+INDEX\s+(?:IF\s+(?:NOT\s+)?EXISTS\s+)?([a-z_0-9]+)`)

// indexes are the names of those that the migrations make and leave.
func (db *DB) indexes() ([]string, error) {
	all, err := db.migrations()
	if err != nil {
		return nil, err
	}
	left := map[string]bool{}
	for _, m := range all {
		for _, made := range indexMade.FindAllStringSubmatch(m.text, -1) {
			if left[made[2]] = true; strings.EqualFold(made[1], "drop") {
				delete(left, made[2])
			}
		}
	}
	out := make([]string, 0, len(left))
	for name := range left {
		out = append(out, name)
	}
	slices.Sort(out)
	return out, nil
}

func (db *DB) inspectIndexes(ctx context.Context, t tx) (Check, error) {
	want, err := db.indexes()
	if err != nil {
		return Check{}, err
	}
	query := `SELECT name FROM sqlite_master WHERE type = 'index'`
	if db.d.name == "postgres" {
		query = `SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()`
	}
	have := map[string]bool{}
	err = each(ctx, t, func(r row) error {
		var name string
		err := r.Scan(&name)
		have[name] = true
		return err
	}, query)
	c := Check{Says: fmt.Sprintf("all %d are there", len(want))}
	for _, name := range want {
		if !have[name] {
			c.Wrong = append(c.Wrong, name+" is missing; the migration that made it says how it is made")
		}
	}
	return c, err
}

// A belonging says that each row of a table belongs to a row of another.
type belonging struct{ table, column, to, key string }

var belongings = []belonging{
	{"account", "customer", "customer", "id"},
	{"console_session", "account", "account", "id"},
	{"portfolio", "customer", "customer", "id"},
	{"portfolio", "account", "account", "id"},
	{"portfolio_share", "portfolio", "portfolio", "id"},
	{"portfolio_share", "account", "account", "id"},
	{"member", "portfolio", "portfolio", "id"},
	{"event", "portfolio", "portfolio", "id"},
	{"digest", "portfolio", "portfolio", "id"},
	{"webhook", "customer", "customer", "id"},
	{"delivery", "webhook", "webhook", "id"},
	{"company_ident", "company", "company", "id"},
	{"search_key", "company", "company", "id"},
	{"statement", "company", "company", "id"},
	{"file_chunk", "file", "file", "id"},
	{"list_version", "list", "screening_list", "name"},
	{"list_entry", "list", "screening_list", "name"},
	{"entry_version", "entry", "list_entry", "id"},
	{"kyc_search", "customer", "customer", "id"},
	{"kyc_hit", "search", "kyc_search", "id"},
	{"kyc_hit", "entry", "list_entry", "id"},
	{"kyc_decision", "hit", "kyc_hit", "id"},
	{"kyc_schedule", "search", "kyc_search", "id"},
	{"kyc_watch", "schedule", "kyc_schedule", "id"},
	{"kyc_note", "profile", "kyc_profile", "id"},
	{"kyc_profile_search", "profile", "kyc_profile", "id"},
	{"kyc_profile_search", "search", "kyc_search", "id"},
}

func (db *DB) inspectRows(ctx context.Context, t tx) (Check, error) {
	c := Check{Says: fmt.Sprintf("each belongs to another that is there, in %d ways", len(belongings))}
	for _, b := range belongings {
		var n int64
		var example *string
		err := t.QueryRow(ctx, fmt.Sprintf(`
			SELECT COUNT(*), MIN(CAST(%[2]s AS TEXT)) FROM %[1]s AS c
			WHERE NOT EXISTS (SELECT 1 FROM %[3]s AS p WHERE p.%[4]s = c.%[2]s)`, b.table, b.column, b.to, b.key)).Scan(&n, &example)
		if err != nil {
			return c, fmt.Errorf("%s: %w", b.table, err)
		}
		if n > 0 {
			c.Wrong = append(c.Wrong, fmt.Sprintf("%d of %s name a %s in %s that is not there, such as %s", n, b.table, b.to, b.column, *example))
		}
	}
	if db.d.name != "postgres" {
		return c, nil // the key of the table sees to what follows
	}
	var n int64
	var example *string
	err := t.QueryRow(ctx, `
		SELECT COUNT(*), MIN(k.source || ' ' || k.key)
		FROM (SELECT source, key FROM statement GROUP BY source, key HAVING COUNT(*) > 1) AS k`).Scan(&n, &example)
	if err == nil && n > 0 {
		c.Wrong = append(c.Wrong, fmt.Sprintf("%d keys of statement are of several companies, such as %s", n, *example))
	}
	return c, err
}

// inspectCursors looks whether anybody is ahead of what they read.
func (db *DB) inspectCursors(ctx context.Context, t tx) (Check, error) {
	c := Check{}
	number := func(query string) (n int64, err error) {
		err = t.QueryRow(ctx, query).Scan(&n)
		return n, err
	}
	for _, log := range []struct{ what, last, rows string }{
		{"changes", `SELECT last_number FROM change_log`, `SELECT COALESCE(MAX(number), 0) FROM change`},
		{"events", `SELECT last_number FROM monitor_log WHERE name = 'event'`, `SELECT COALESCE(MAX(id), 0) FROM event`},
		{"changes of lists", `SELECT last_number FROM list_log`, `SELECT COALESCE(MAX(number), 0) FROM entry_change`},
		{"the audit log", `SELECT number FROM audit ORDER BY number DESC LIMIT 1`, `SELECT COUNT(*) FROM audit`},
	} {
		last, err := number(log.last)
		if err == nil {
			var rows int64
			if rows, err = number(log.rows); err == nil && rows > last {
				c.Wrong = append(c.Wrong, fmt.Sprintf("the log of %s goes to %d, and says that its end is %d", log.what, rows, last))
			}
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return c, err
		}
	}
	last, err := number(`SELECT last_number FROM change_log`)
	if err != nil {
		return c, err
	}
	lists, err := number(`SELECT last_number FROM list_log`)
	if err != nil {
		return c, err
	}
	readers := 0
	err = each(ctx, t, func(r row) error {
		var name string
		var at int64
		if err := r.Scan(&name, &at); err != nil {
			return err
		}
		var end int64
		switch shard := strings.HasPrefix(name, monitor.EngineName+"/"); {
		case name == kyc.WatchReader, name == kyc.ListedEntryReader:
			end = lists
		case shard, name == company.KeyReader, name == company.ScorerName, name == kyc.FirmReader, name == kyc.ListedFirmReader:
			end = last
		default:
			return nil // the place is not in a log: the sandbox's clock has one too
		}
		readers++
		if at > end {
			c.Wrong = append(c.Wrong, fmt.Sprintf("the reader %q has read to %d of a log that ends at %d", name, at, end))
		}
		return nil
	}, `SELECT name, number FROM place ORDER BY name`)
	c.Says = fmt.Sprintf("%d readers, none ahead of its log, which ends at %d", readers, last)
	return c, err
}

// inspectCounts holds the totals of events against the events.
func (db *DB) inspectCounts(ctx context.Context, t tx) (Check, error) {
	c := Check{Says: "the totals of events are those of the events"}
	var events, counted int64
	if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM event`).Scan(&events); err != nil {
		return c, err
	}
	err := t.QueryRow(ctx, `SELECT COALESCE(SUM(events), 0) FROM event_total WHERE made = 2`).Scan(&counted)
	if err == nil && events != counted {
		c.Wrong = append(c.Wrong, fmt.Sprintf("there are %d events, and the totals say %d", events, counted))
	}
	return c, err
}
