package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// maxSkip is how far a page may lie behind the first one. Beyond, a cursor
// costs nothing.
const maxSkip = 1_000_000

// searchTime is how long a search by text, which reads every event, may take.
const searchTime = 10 * time.Second

// Events implements monitor.EventStore.
func (db *DB) Events(ctx context.Context, by auth.Caller, q monitor.EventQuery) (out monitor.Events, err error) {
	if q.Skip > maxSkip {
		return out, fault.Invalid.Errorf("page: so far behind the first page, use after with the cursor of the page before")
	}
	if q.Search != "" {
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, searchTime)
		defer cancel()
	}
	err = db.snapshot(ctx, func(t tx) error {
		ids, err := db.portfoliosOf(ctx, t, by, q.Portfolio, monitor.View)
		if err != nil {
			return err
		}
		if q.Member {
			if ids, err = db.holding(ctx, t, ids, string(q.Company)); err != nil {
				return err
			}
		}
		eq := &eventQuery{EventQuery: q, ids: ids, customer: by.Customer}
		if out.Total, err = eq.total(ctx, t); err != nil {
			return err
		}
		if out.Total == 0 {
			return db.mustHold(ctx, t, q)
		}
		keys, err := eq.keys(ctx, t)
		if err != nil {
			return err
		}
		if out.More = len(keys) > q.Limit; out.More {
			keys = keys[:q.Limit]
		}
		out.List, err = db.eventsOf(ctx, t, keys)
		return err
	})
	switch {
	case err != nil && q.Search != "" && ctx.Err() != nil:
		return out, fault.Busy.Errorf("the search takes too long; narrow it with startDate and endDate")
	case err != nil:
		if _, ok := fault.Of(err); !ok {
			err = fmt.Errorf("list events: %w", err)
		}
		return out, err
	}
	return out, nil
}

// portfoliosOf returns the portfolios that a caller has rights on: one, or all.
func (db *DB) portfoliosOf(ctx context.Context, t tx, by auth.Caller, id monitor.PortfolioID, need monitor.Rights) ([]int64, error) {
	var out []int64
	seen := false
	err := each(ctx, t, func(r row) error {
		var p, owner int64
		var rights monitor.Rights
		if err := r.Scan(&p, &owner, &rights); err != nil {
			return err
		}
		seen = true
		if owner == int64(by.Account) || rights&need == need {
			out = append(out, p)
		}
		return nil
	}, `
		SELECT p.id, p.account, COALESCE(s.rights, 0)
		FROM portfolio AS p
		LEFT JOIN portfolio_share AS s ON s.portfolio = p.id AND s.account = $2
		WHERE p.customer = $1 AND (p.account = $2 OR s.rights > 0) AND ($3 = 0 OR p.id = $3)`,
		by.Customer, by.Account, int64(id))
	switch {
	case err != nil:
		return nil, err
	case id != 0 && !seen:
		return nil, fault.Missing.Errorf("Portfolio not found")
	case id != 0 && len(out) == 0:
		return nil, fault.Denied.Errorf("the portfolio is shared with you without this right")
	}
	slices.Sort(out)
	return out, nil
}

// mustHold fails if a query is about a company that its portfolio does not hold.
func (db *DB) mustHold(ctx context.Context, t tx, q monitor.EventQuery) error {
	if q.Portfolio == 0 || q.Company == "" {
		return nil
	}
	in, err := db.holding(ctx, t, []int64{int64(q.Portfolio)}, string(q.Company))
	if err == nil && len(in) == 0 {
		return fault.Missing.Errorf("Company resource not found")
	}
	return err
}

// holding returns those portfolios that a company is in.
func (db *DB) holding(ctx context.Context, t tx, ids []int64, company string) (out []int64, err error) {
	err = pick(ctx, db, t, func(r row) error {
		var id int64
		err := r.Scan(&id)
		out = append(out, id)
		return err
	}, `SELECT portfolio FROM member WHERE portfolio = $1 AND company = $2`,
		`SELECT portfolio FROM member WHERE portfolio = ANY($1) AND company = $2`, ids, company)
	return out, err
}

// An eventQuery is a query for portfolios that the caller was found to have.
type eventQuery struct {
	monitor.EventQuery
	ids      []int64
	customer auth.CustomerID
}

// A stream is the events of one portfolio that are processed, or are not: what
// an index holds in order. A list is a merge of streams.
type stream struct{ portfolio, processed int64 }

func (q *eventQuery) streams() []stream {
	var out []stream
	for _, id := range q.ids {
		for _, p := range []bool{false, true} {
			if q.Processed == nil || *q.Processed == p {
				out = append(out, stream{id, int64(b2i(p))})
			}
		}
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// An eventKey is what an index tells of an event.
type eventKey struct {
	portfolio int64
	text      string // the name or country, in their orders
	number    int64  // the time, in theirs
	id        int64
}

// orders are the columns of each order. The text or number comes first, then
// the id.
var orders = map[monitor.Sort]struct {
	column string
	isText bool
}{
	monitor.ByName: {"sort_name", true}, monitor.ByCountry: {"country", true},
	monitor.ByID: {"created_at", false}, monitor.ByDate: {"at", false},
}

// smallRange is up to how many events between two dates are read by date and
// then sorted, rather than read in order and then sifted by date.
const smallRange = 20_000

// keys finds the events of the page, and one more where there is one.
func (q *eventQuery) keys(ctx context.Context, t tx) ([]eventKey, error) {
	order := orders[q.Sort]
	var all []eventKey
	for _, s := range q.streams() {
		w := q.where(s)
		column := order.column
		// Behind an expression no index helps with the order, so the engine
		// finds by date and sorts what it found.
		if sift, err := q.siftByDate(ctx, t, s); err != nil {
			return nil, err
		} else if sift && order.isText {
			column += " || ''"
		}
		dir := ""
		if q.Down {
			dir = " DESC"
		}
		query := `SELECT ` + order.column + `, id FROM event WHERE ` + w.text() +
			` ORDER BY ` + column + dir + `, id` + dir + ` LIMIT ` + w.arg(q.Skip+q.Limit+1)
		err := each(ctx, t, func(r row) error {
			k := eventKey{portfolio: s.portfolio}
			var err error
			if order.isText {
				err = r.Scan(&k.text, &k.id)
			} else {
				err = r.Scan(&k.number, &k.id)
			}
			all = append(all, k)
			return err
		}, query, w.args...)
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b eventKey) int {
		c := cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
		if q.Down {
			return -c
		}
		return c
	})
	return all[min(q.Skip, len(all)):min(q.Skip+q.Limit+1, len(all))], nil
}

// siftByDate reports whether the dates leave few enough events to sort.
func (q *eventQuery) siftByDate(ctx context.Context, t tx, s stream) (bool, error) {
	if q.From.IsZero() && q.To.IsZero() || q.Company != "" {
		return q.Company != "", nil
	}
	n, err := q.totalOf(ctx, t, s)
	return n <= smallRange, err
}

// where is the condition for one stream.
func (q *eventQuery) where(s stream) *condition {
	w := &condition{}
	w.add("portfolio = " + w.arg(s.portfolio))
	w.add("processed = " + w.arg(s.processed))
	if q.Company != "" {
		w.add("company = " + w.arg(string(q.Company)))
	}
	column := "at"
	if q.ByCreated {
		column = "created_at"
	}
	if !q.From.IsZero() {
		w.add(column + " >= " + w.arg(q.From.UnixMilli()))
	}
	if !q.To.IsZero() {
		w.add(column + " <= " + w.arg(q.To.UnixMilli()))
	}
	if p := q.After; p != nil {
		order, sign := orders[q.Sort], " > "
		if q.Down {
			sign = " < "
		}
		var v any
		switch q.Sort {
		case monitor.ByName:
			v = p.Name
		case monitor.ByCountry:
			v = p.Country
		case monitor.ByDate:
			v = p.At.UnixMilli()
		default:
			v = p.Made.UnixMilli()
		}
		w.add("(" + order.column + ", id)" + sign + "(" + w.arg(v) + ", " + w.arg(int64(p.ID)) + ")")
	}
	if q.Search != "" {
		w.add(q.search(w))
	}
	return w
}

// search is the condition for a text: part of the company's name or ID, or of
// the name of the rule.
func (q *eventQuery) search(w *condition) string {
	like := func(s string) string {
		s = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
		return w.arg("%"+s+"%") + ` ESCAPE '\'`
	}
	either := []string{"sort_name LIKE " + like(monitor.SortName(q.Search)), "company LIKE " + like(strings.ToUpper(q.Search))}
	for _, r := range monitor.AllRules() {
		if strings.Contains(strings.ToLower(r.Name), strings.ToLower(q.Search)) {
			either = append(either, "(rule = "+w.arg(int64(r.Code))+" AND rule_country = "+w.arg(r.Country)+")")
		}
	}
	return "(" + strings.Join(either, " OR ") + ")"
}

// count counts the events of a query one by one.
func (q *eventQuery) count(ctx context.Context, t tx) (sum int64, err error) {
	plain := *q
	plain.After = nil
	for _, s := range plain.streams() {
		w := plain.where(s)
		var n int64
		if err := t.QueryRow(ctx, `SELECT COUNT(*) FROM event WHERE `+w.text(), w.args...).Scan(&n); err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// A condition is a WHERE in the making.
type condition struct {
	parts []string
	args  []any
}

func (c *condition) add(part string) { c.parts = append(c.parts, part) }

// arg keeps a value and returns its placeholder.
func (c *condition) arg(v any) string {
	c.args = append(c.args, v)
	return "$" + strconv.Itoa(len(c.args))
}

func (c *condition) text() string { return strings.Join(c.parts, " AND ") }

// eventSelect reads events; a condition follows.
const eventSelect = `
	SELECT id, customer, portfolio, company, name, rule_country, rule, version, setting, change, field, source,
		old, new, why, at, created_at, processed_at, (SELECT p.name FROM portfolio AS p WHERE p.id = event.portfolio)
	FROM event WHERE `

func readEvent(r row) (e monitor.Event, err error) {
	err = r.Scan(&e.ID, &e.Customer, &e.Portfolio, &e.Company, &e.Name, &e.Country, &e.Rule, &e.Version, &e.Setting,
		&e.Change, &e.Field, &e.Source, &e.Old, &e.New, &e.Why, stamp{&e.At}, stamp{&e.CreatedAt}, stamp{&e.ProcessedAt}, &e.In)
	return e, err
}

// eventsOf reads the events of keys, in their order.
func (db *DB) eventsOf(ctx context.Context, t tx, keys []eventKey) ([]monitor.Event, error) {
	at := make(map[monitor.EventID]int, len(keys))
	byPortfolio := map[int64][]int64{}
	for i, k := range keys {
		at[monitor.EventID(k.id)] = i
		byPortfolio[k.portfolio] = append(byPortfolio[k.portfolio], k.id)
	}
	out := make([]monitor.Event, len(keys))
	for portfolio, ids := range byPortfolio {
		err := pick(ctx, db, t, func(r row) error {
			e, err := readEvent(r)
			out[at[e.ID]] = e
			return err
		}, eventSelect+`portfolio = $2 AND id = $1`, eventSelect+`portfolio = $2 AND id = ANY($1)`, ids, portfolio)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EventsByDay implements monitor.EventStore.
func (db *DB) EventsByDay(ctx context.Context, by auth.Caller, id monitor.PortfolioID, from, to time.Time) (out []monitor.Day, err error) {
	err = db.snapshot(ctx, func(t tx) error {
		ids, err := db.portfoliosOf(ctx, t, by, id, monitor.View)
		if err != nil {
			return err
		}
		out, err = db.byDay(ctx, t, ids, from, to)
		return err
	})
	return out, err
}
