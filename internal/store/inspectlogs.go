package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"bureau/internal/company"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// A numberedLog is one whose rows have numbers, and whose end is kept elsewhere.
type numberedLog struct {
	what, last, end string

	// gaps asks for each number that does not follow the one before it, and for that
	// one. There is nothing to ask of a log whose rows go by design.
	gaps string
}

// numberedLogs are those that readers follow. Numbers are given under a lock that is
// held to the commit, so a transaction that was rolled back leaves no gap. No row ever
// leaves the logs of changes and of lists: they are whole, from 1 to their ends. Events
// do leave theirs, with their portfolios and when they are old, the last one too; that
// one is lost is seen from the totals.
var numberedLogs = []numberedLog{
	{
		"changes", `SELECT last_number FROM change_log`, `SELECT COALESCE(MAX(number), 0) FROM change`,
		`SELECT number, before FROM (SELECT number, LAG(number) OVER (ORDER BY number) AS before FROM change) AS n
		 WHERE number <> COALESCE(before, 0) + 1 ORDER BY number`,
	},
	{
		"changes of lists", `SELECT last_number FROM list_log`, `SELECT COALESCE(MAX(number), 0) FROM entry_change`,
		`SELECT number, before FROM (SELECT number, LAG(number) OVER (ORDER BY number) AS before FROM entry_change) AS n
		 WHERE number <> COALESCE(before, 0) + 1 ORDER BY number`,
	},
	{"events", `SELECT last_number FROM monitor_log WHERE name = 'event'`, `SELECT COALESCE(MAX(id), 0) FROM event`, ""},
	{"the audit", `SELECT number FROM audit ORDER BY number DESC LIMIT 1`, `SELECT COUNT(*) FROM audit`, ""},
}

// inspectLogs looks whether logs go to their ends, with nothing missing.
func (db *DB) inspectLogs(ctx context.Context, t tx) (Check, error) {
	var seen []string
	c := Check{}
	for _, log := range numberedLogs {
		var last, end int64
		err := t.QueryRow(ctx, log.last).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) {
			continue // an audit log without entries
		}
		if err == nil {
			err = t.QueryRow(ctx, log.end).Scan(&end)
		}
		if err != nil {
			return c, fmt.Errorf("%s: %w", log.what, err)
		}
		switch {
		case end > last:
			c.Wrong = append(c.Wrong, fmt.Sprintf("the log of %s goes to %d, and says that its end is %d", log.what, end, last))
		case end < last && log.gaps != "":
			c.Wrong = append(c.Wrong, fmt.Sprintf("the log of %s ends with %d, and %d was its last number: its end is gone; restore a backup", log.what, end, last))
		}
		if log.gaps == "" {
			continue
		}
		gaps, example, err := gapsIn(ctx, t, log.gaps)
		if err != nil {
			return c, fmt.Errorf("%s: %w", log.what, err)
		}
		if gaps > 0 {
			c.Wrong = append(c.Wrong, fmt.Sprintf("the log of %s is broken in %d places: %s; restore a backup", log.what, gaps, example))
		}
		seen = append(seen, fmt.Sprintf("%s to %d", log.what, last))
	}
	c.Says = "whole: " + strings.Join(seen, ", ")
	return c, nil
}

// gapsIn counts what a query for gaps finds, and tells of the first.
func gapsIn(ctx context.Context, t tx, query string) (n int, example string, err error) {
	err = each(ctx, t, func(r row) error {
		var number int64
		var before *int64
		if err := r.Scan(&number, &before); err != nil {
			return err
		}
		switch n++; {
		case n > 1:
		case before == nil:
			example = fmt.Sprintf("it begins with %d", number)
		case *before == number:
			example = fmt.Sprintf("%d is there twice", number)
		default:
			example = fmt.Sprintf("after %d comes %d", *before, number)
		}
		return nil
	}, query)
	return n, example, err
}

// inspectCursors looks whether anybody is ahead of what they read.
func (db *DB) inspectCursors(ctx context.Context, t tx) (Check, error) {
	c := Check{}
	var last, lists int64
	if err := t.QueryRow(ctx, `SELECT last_number FROM change_log`).Scan(&last); err != nil {
		return c, err
	}
	if err := t.QueryRow(ctx, `SELECT last_number FROM list_log`).Scan(&lists); err != nil {
		return c, err
	}
	readers := 0
	err := each(ctx, t, func(r row) error {
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
