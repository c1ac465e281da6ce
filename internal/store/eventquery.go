package store

import (
	"context"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// An eventQuery is a query for portfolios that the caller was found to have.
type eventQuery struct {
	monitor.EventQuery
	ids      []int64
	customer auth.CustomerID
	safe     []company.ID // the companies whose safe number is the text that is searched for
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

// An order is what events are sorted by. The id comes behind it.
type order struct {
	column string
	isText bool
}

var orders = map[monitor.Sort]order{
	monitor.ByName: {"sort_name", true}, monitor.ByCountry: {"country", true},
	monitor.ByID: {"created_at", false}, monitor.ByDate: {"at", false},
}

// sorted writes the order's column as an expression, which no index is in the
// order of.
func (o order) sorted() string {
	if o.isText {
		return o.column + " || ''"
	}
	return o.column + " + 0"
}

// bounded is the column that the dates of a query are about.
func (q *eventQuery) bounded() string {
	if q.ByCreated {
		return "created_at"
	}
	return "at"
}

// where is the condition for one stream, behind "customer = $1 AND".
func (q *eventQuery) where(s stream) *condition {
	w := &condition{}
	w.arg(int64(q.customer))
	w.add("portfolio = " + w.arg(s.portfolio))
	if q.Company != "" {
		// A company has few events. The index by company finds them; those by
		// processed, which would do as well for the engine, find all others too.
		w.add("company = " + w.arg(string(q.Company)))
		w.add("processed + 0 = " + w.arg(s.processed))
	} else {
		w.add("processed = " + w.arg(s.processed))
	}
	if !q.From.IsZero() {
		w.add(q.bounded() + " >= " + w.arg(q.From.UnixMilli()))
	}
	if !q.To.IsZero() {
		w.add(q.bounded() + " <= " + w.arg(q.To.UnixMilli()))
	}
	if q.Search != "" {
		w.add(q.search(w))
	}
	return w
}

// search is the condition for a text: part of the company's name or ID, its
// whole safe number, or part of the name of the rule. A name is compared in any
// case as far as lists are sorted by it, and beyond that in any case of Latin
// letters.
func (q *eventQuery) search(w *condition) string {
	like := func(s string) string {
		s = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
		return w.arg("%"+s+"%") + ` ESCAPE '\'`
	}
	text, plain := monitor.NewSearch(q.Search), strings.TrimSpace(q.Search)
	either := []string{
		"sort_name LIKE " + like(text.Folded()), "LOWER(name) LIKE " + like(asciiLower(plain)),
		"company LIKE " + like(strings.ToUpper(plain)),
	}
	for _, id := range q.safe {
		either = append(either, "company = "+w.arg(string(id)))
	}
	for _, r := range monitor.AllRules() {
		if text.In(r.Name) {
			either = append(either, "(rule = "+w.arg(int64(r.Code))+" AND rule_country = "+w.arg(r.Country)+")")
		}
	}
	return "(" + strings.Join(either, " OR ") + ")"
}

// asciiLower is LOWER as SQLite has it.
func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// count counts the events of a query one by one.
func (q *eventQuery) count(ctx context.Context, t tx) (sum int64, err error) {
	var steps []step
	for _, s := range q.streams() {
		w := q.where(s)
		steps = append(steps, step{
			query: `SELECT COUNT(*) FROM event WHERE customer = $1 AND ` + w.text(), args: w.args,
			read: func(r row) error {
				var n int64
				err := r.Scan(&n)
				sum += n
				return err
			},
		})
	}
	err = t.Together(ctx, steps)
	return sum, err
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

// behind is the condition as it follows another.
func (c *condition) behind() string {
	if len(c.parts) == 0 {
		return ""
	}
	return " AND " + c.text()
}
