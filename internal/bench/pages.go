package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/monitor"
	"bureau/internal/store"
)

// pageRows hold a page of a long list of events against one of a short list.
func pageRows() (out []row) {
	for _, p := range []struct {
		name, what string
		paging
	}{
		{"page", "the first page of events, by company", paging{Sort: monitor.ByName}},
		{"page-last", "the last page by its cursor, by company", paging{Sort: monitor.ByName, Last: true}},
		{"page-date", "the first page by date", paging{Sort: monitor.ByDate}},
		{"page-date-last", "the last page by its cursor, by date", paging{Sort: monitor.ByDate, Last: true}},
	} {
		out = append(out, row{
			name: p.name, what: p.what + ", 10 million in ten portfolios of the account, in turn with the baseline",
			against: "the same with 10 thousand", unit: inMillis, goal: atMost(1.33), both: true, offline: true,
			inTurn: p.ofFewAndMany,
		})
	}
	return out
}

// A paging is what the process that reads pages is told.
type paging struct {
	Databases []string
	For       time.Duration
	Sort      monitor.Sort
	Last      bool
}

// A paged is how long a page takes where nothing disturbs it, and what CPU: one
// in ten is as fast as that, also on a machine that does much else.
type paged struct{ Millis, CPU float64 }

var reader = auth.Caller{Customer: 1, Account: 1}

// ofFewAndMany measures a page of the short list and of the long one.
func (p paging) ofFewAndMany(ctx context.Context, t *site) (few, many sample, err error) {
	for _, events := range []int{10_000, t.s.part(10_000_000, 100_000, 100_000)} {
		address, err := t.toldWorld(ctx, events)
		if err != nil {
			return few, many, err
		}
		p.Databases = append(p.Databases, address)
	}
	p.For = t.s.window()
	m, err := ask[[]paged](ctx, "page", p)
	if err != nil {
		return few, many, err
	}
	return sample{value: m[0].Millis, cpu: m[0].CPU}, sample{value: m[1].Millis, cpu: m[1].CPU}, nil
}

// runPage reads one page of each list again and again, as the API does. It is a
// process of its own so that its CPU is that of reading.
func runPage(in io.Reader, out io.Writer) error {
	var p paging
	if err := takeOrder(in, &p); err != nil {
		return err
	}
	ctx := context.Background()
	var lists []*pageReader
	for _, address := range p.Databases {
		db, err := store.Connect(ctx, address)
		if err != nil {
			return err
		}
		defer db.Close()
		q, err := p.query(ctx, db)
		if err != nil {
			return err
		}
		lists = append(lists, &pageReader{db: db, q: q, last: p.Last})
	}
	for began, warm := time.Now(), true; ; {
		if warm && time.Since(began) > p.For/4 {
			warm, began = false, time.Now()
			for _, r := range lists {
				r.took, r.cpu = nil, 0
			}
		}
		if !warm && time.Since(began) > p.For && len(lists[0].took) > 0 {
			break
		}
		for _, r := range lists {
			if err := r.read(ctx); err != nil {
				return err
			}
		}
	}
	result := make([]paged, len(lists))
	for i, r := range lists {
		slices.Sort(r.took)
		result[i] = paged{r.took[len(r.took)/10], r.cpu.Seconds() / float64(len(r.took)) * 1e6}
	}
	return json.NewEncoder(out).Encode(result)
}

// query is that of the page.
func (p *paging) query(ctx context.Context, db *store.DB) (monitor.EventQuery, error) {
	q := monitor.EventQuery{Sort: p.Sort, Limit: 50}
	if !p.Last {
		return q, nil
	}
	// The cursor of the last page but one is the 51st event from the end.
	q.Down, q.Limit = true, 51
	end, err := db.Events(ctx, reader, q)
	if err != nil || len(end.List) < 51 {
		return q, fmt.Errorf("find the end of the list: %w", err)
	}
	at := end.List[50].Position()
	q.Down, q.Limit, q.After = false, 50, &at
	return q, nil
}

// A pageReader reads one page of one list.
type pageReader struct {
	db   *store.DB
	q    monitor.EventQuery
	last bool

	took []float64 // milliseconds
	cpu  time.Duration
}

func (r *pageReader) read(ctx context.Context) error {
	asked, before := time.Now(), ownCPU()
	list, err := r.db.Events(ctx, reader, r.q)
	if err != nil || len(list.List) != 50 || list.More == r.last {
		return errors.Join(err, fmt.Errorf("a page has %d events; more: %v", len(list.List), list.More))
	}
	r.took = append(r.took, time.Since(asked).Seconds()*1000)
	r.cpu += ownCPU() - before
	return nil
}

// toldWorld makes a database with so many events, once, and returns where.
func (t *site) toldWorld(ctx context.Context, events int) (string, error) {
	key := fmt.Sprint(t.engine, events)
	if address := t.w.told[key]; address != "" {
		return address, nil
	}
	began := time.Now()
	p, err := t.w.newPlace(ctx, "told", t.engine)
	if err != nil {
		return "", err
	}
	if err := p.run(ctx, "", nil, "migrate"); err != nil {
		return "", err
	}
	db, err := openDatabase(ctx, p.address())
	if err != nil {
		return "", err
	}
	defer db.close()
	// Indexes are made when all rows are there: that is much faster.
	indexes, err := indexesOf(ctx, db, p)
	if err != nil {
		return "", err
	}
	var statements []string
	for _, i := range indexes {
		statements = append(statements, "DROP INDEX "+i.name)
	}
	statements = append(statements, toldStatements(events)...)
	for _, i := range indexes {
		statements = append(statements, i.sql)
	}
	for _, s := range append(statements, p.settle()...) {
		if err := db.exec(ctx, s); err != nil {
			return "", fmt.Errorf("%.60s…: %w", strings.TrimSpace(s), err)
		}
	}
	if t.w.told == nil {
		t.w.told = map[string]string{}
	}
	t.w.told[key] = p.address()
	t.w.say("%s: %d events made in %v", t.engine, events, time.Since(began).Round(time.Second))
	return p.address(), nil
}

type index struct{ name, sql string }

// indexesOf are the indexes of the table of events that are not its key.
func indexesOf(ctx context.Context, db database, p place) (out []index, err error) {
	query := `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'event' AND sql IS NOT NULL`
	if p.db != "" {
		// The definition of one that is made of those of months says that it is not.
		query = `SELECT indexname::text, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes WHERE tablename = 'event' AND schemaname = current_schema()
			AND indexname NOT IN (SELECT conname FROM pg_constraint)`
	}
	err = eachRow(ctx, db, 2, query, func(r []any) {
		out = append(out, index{r[0].(string), r[1].(string)})
	})
	return out, err
}

func toldStatements(events int) []string {
	const at = 1_700_000_000_000
	return []string{
		fmt.Sprintf(`INSERT INTO portfolio (id, customer, account, name, is_default, subject, language, frequency, recipients, created_at, changed_at) %s
			SELECT %d + i, %d, %d, 'list ' || i, 0, '', 'en', 0, '[]', %d, %d FROM n`,
			numbers(10), firstPortfolio, reader.Customer, reader.Account, at, at),
		fmt.Sprintf(`INSERT INTO event (id, customer, portfolio, company, name, sort_name, country, rule_country, rule, version, setting,
				change, field, source, old, new, why, at, created_at, processed, processed_at) %s
			SELECT i + 1, %d, %d + i %% 10, 'GB-0-' || (10000000 + CAST(i AS BIGINT) * 7919 %% 1000000),
				'Example Trading ' || (CAST(i AS BIGINT) * 7919 %% 1000000) || ' Ltd', 'example trading ' || (CAST(i AS BIGINT) * 7919 %% 1000000) || ' ltd',
				'GB', 'XX', 5001, 1, 1, i + 1, 'name', 'bench', 'Former Name Ltd', 'Present Name Ltd', 'The name changed from Former Name Ltd to Present Name Ltd',
				%d + CAST(i AS BIGINT) * 3000, %d + CAST(i AS BIGINT) * 3000, CASE WHEN i %% 5 = 0 THEN 1 ELSE 0 END, CASE WHEN i %% 5 = 0 THEN %d ELSE 0 END FROM n`,
			numbers(events), reader.Customer, firstPortfolio, at, at, at),
		`INSERT INTO event_total (portfolio, made, day, processed, customer, events)
			SELECT portfolio, 0, at / 86400000, processed, customer, COUNT(*) FROM event GROUP BY portfolio, at / 86400000, processed, customer`,
		`INSERT INTO event_total (portfolio, made, day, processed, customer, events)
			SELECT portfolio, 1, created_at / 86400000, processed, customer, COUNT(*) FROM event GROUP BY portfolio, created_at / 86400000, processed, customer`,
		`INSERT INTO event_total (portfolio, made, day, processed, customer, events)
			SELECT portfolio, 2, 0, processed, customer, SUM(events) FROM event_total WHERE made = 0 GROUP BY portfolio, processed, customer`,
		fmt.Sprintf(`UPDATE monitor_log SET last_number = %d WHERE name = 'event'`, events),
	}
}
