package bench

import (
	"context"
	"fmt"
	"os"
	"time"
)

// monitorRows are the rows of monitoring: how fast changes are evaluated, and
// how fast events are stored.
func monitorRows() []row {
	return []row{
		{
			name: "evaluate", what: "changes evaluated, with 1 million companies, 20,000 portfolios, 5 million memberships, 128 rules",
			against: "only reads the same changes from the log", unit: perSecond, offline: true,
			baseline: readLog,
			ours:     evaluate,
			also: []also{
				{"evaluate: changes", perSecond, atLeast(50_000)},
				{"evaluate: changes for one that fires", figure, goal{}},
			},
		},
		{
			name: "events", what: "events made and stored, where every change fires for all who watch the company",
			against: "the bare bulk insert of the same rows into the same table, in as many transactions", unit: perSecond,
			goal: atLeast(0.4), both: true, offline: true,
			baseline: insertEvents,
			ours:     tellEvents,
		},
	}
}

// batch is how many changes the engine takes at once.
const batch = 8192

// readLog reads the changes that the next measurement evaluates.
func readLog(ctx context.Context, t *site, _ sample) (sample, error) {
	w, err := t.watchedWorld(ctx)
	if err != nil {
		return sample{}, err
	}
	return timed(func() (n int, err error) {
		for at := 0; at < w.mixed; at += batch {
			err := eachRow(ctx, w.db, 8, fmt.Sprintf(`
				SELECT number, company, field, item, old, new, source, at
				FROM change WHERE number > %d ORDER BY number LIMIT %d`, at, min(batch, w.mixed-at)),
				func([]any) { n++ })
			if err != nil {
				return n, err
			}
		}
		return n, nil
	})
}

// timed measures work of this process.
func timed(work func() (int, error)) (sample, error) {
	began, before := time.Now(), ownCPU()
	n, err := work()
	if err != nil {
		return sample{}, err
	}
	took, used := time.Since(began), ownCPU()-before
	return sample{value: float64(n) / took.Seconds(), cpu: used.Seconds() / float64(n) * 1e6}, nil
}

func ownCPU() time.Duration {
	used, _ := cpuOf(os.Getpid())
	return used
}

// evaluate lets a server evaluate the mixed changes.
func evaluate(ctx context.Context, t *site, _ sample) (sample, error) {
	w, err := t.watchedWorld(ctx)
	if err != nil {
		return sample{}, err
	}
	s, err := w.follow(ctx, 0, w.mixed)
	if err != nil {
		return sample{}, err
	}
	fired, err := askNumber(ctx, w.db, fmt.Sprintf(`SELECT COUNT(DISTINCT change) FROM event WHERE change <= %d`, w.mixed))
	if err != nil || fired == 0 {
		return sample{}, fmt.Errorf("nothing fired (%w)", err)
	}
	s.also = []float64{s.value, float64(w.mixed) / float64(fired)}
	return s, nil
}

// follow starts a server at one change and waits until it has evaluated up to
// another. What counts begins with its first batch: before, it reads all rules.
func (w *watched) follow(ctx context.Context, from, to int) (sample, error) {
	if err := w.rewind(ctx, from); err != nil {
		return sample{}, err
	}
	s, err := w.serve(ctx)
	if err != nil {
		return sample{}, err
	}
	defer s.stop()
	first, err := w.passes(ctx, from+1)
	if err != nil {
		return sample{}, err
	}
	began, before := time.Now(), cpuOrZero(s.pid)
	last, err := w.passes(ctx, to)
	if err != nil {
		return sample{}, err
	}
	took, used := time.Since(began), cpuOrZero(s.pid)-before
	n := float64(last - first)
	if n <= 0 {
		return sample{}, fmt.Errorf("all was evaluated before it was measured: %d changes", to-from)
	}
	return sample{value: n / took.Seconds(), cpu: used.Seconds() / n * 1e6}, nil
}

func cpuOrZero(pid int) time.Duration {
	used, _ := cpuOf(pid)
	return used
}

// rewind takes all events away, and lets evaluation begin behind a change. Others who follow
// the log stay where they are, or they would read it again beside what is measured.
func (w *watched) rewind(ctx context.Context, at int) error {
	statements := []string{
		`DELETE FROM event`, `DELETE FROM event_total`, `DELETE FROM place WHERE name LIKE 'monitor/%'`, `DELETE FROM lease`,
		`UPDATE monitor_log SET last_number = 0, last_at = 0 WHERE name = 'event'`,
	}
	for shard := range 8 {
		statements = append(statements, fmt.Sprintf(`INSERT INTO place (name, number) VALUES ('monitor/%d', %d)`, shard, at))
	}
	for _, s := range statements {
		if err := w.db.exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// passes waits until every shard has passed a change, and returns how far they
// have come then.
func (w *watched) passes(ctx context.Context, to int) (int64, error) {
	for {
		n, err := askNumber(ctx, w.db, `SELECT MIN(number) FROM place WHERE name LIKE 'monitor/%'`)
		if err != nil || n >= int64(to) {
			return n, err
		}
		select {
		case <-ctx.Done():
			return n, ctx.Err()
		case <-time.After(5 * time.Millisecond): // between two looks
		}
	}
}

var eventColumns = []string{
	"id", "customer", "portfolio", "company", "name", "sort_name", "country", "rule_country", "rule", "version", "setting",
	"change", "field", "source", "old", "new", "why", "at", "created_at", "processed", "processed_at",
}

// tellEvents lets a server evaluate the changes that everyone is told of.
func tellEvents(ctx context.Context, t *site, _ sample) (sample, error) {
	w, err := t.watchedWorld(ctx)
	if err != nil {
		return sample{}, err
	}
	s, err := w.follow(ctx, w.mixed, w.mixed+w.told)
	if err != nil {
		return sample{}, err
	}
	events, err := askNumber(ctx, w.db, `SELECT COUNT(*) FROM event`)
	perChange := float64(events) / float64(w.told)
	return sample{value: s.value * perChange, cpu: s.cpu / perChange}, err
}

// insertEvents puts the rows of those events into the table, a transaction for
// each batch of changes. The first time the rows are not there yet: then a
// server makes them.
func insertEvents(ctx context.Context, t *site, _ sample) (sample, error) {
	w, err := t.watchedWorld(ctx)
	if err != nil {
		return sample{}, err
	}
	n, err := askNumber(ctx, w.db, fmt.Sprintf(`SELECT COUNT(*) FROM event WHERE change > %d`, w.mixed))
	if err != nil {
		return sample{}, err
	}
	if n == 0 {
		if _, err := w.follow(ctx, w.mixed, w.mixed+w.told); err != nil {
			return sample{}, err
		}
	}
	var rows [][]any
	query := `SELECT id, customer, portfolio, company, name, sort_name, country, rule_country, rule, version, setting,
		change, field, source, old, new, why, at, created_at, processed, processed_at FROM event ORDER BY id`
	if err := eachRow(ctx, w.db, len(eventColumns), query, func(r []any) { rows = append(rows, r) }); err != nil {
		return sample{}, err
	}
	if err := w.rewind(ctx, w.mixed); err != nil {
		return sample{}, err
	}
	parts := (w.told + batch - 1) / batch
	size := (len(rows) + parts - 1) / parts
	return timed(func() (int, error) {
		for at := 0; at < len(rows); at += size {
			if err := insertValues(ctx, w.db, "event", eventColumns, rows[at:min(at+size, len(rows))]); err != nil {
				return 0, err
			}
		}
		return len(rows), nil
	})
}
