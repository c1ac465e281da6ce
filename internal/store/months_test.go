package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
	"bureau/internal/store/storetest"
)

var newYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A calendar is a PostgreSQL database with months, seen by two nodes.
type calendar struct {
	*testing.T
	*DB
	other     *DB
	by        auth.Caller
	portfolio monitor.PortfolioID
	changes   int64
}

func newCalendar(t *testing.T) *calendar {
	url := storetest.Postgres(t)
	c := &calendar{T: t, DB: open(t, url), other: open(t, url), by: auth.Caller{Customer: 7, Account: 8}}
	p, err := c.CreatePortfolio(t.Context(), c.by, monitor.Portfolio{Name: "one"})
	if err != nil {
		t.Fatal(err)
	}
	c.portfolio = p.ID
	return c
}

func (c *calendar) Context() context.Context { return c.T.Context() }

// tell keeps events of changes at a time, made then or later.
func (c *calendar) tell(at, made time.Time, n int) {
	c.Helper()
	c.Now = func() time.Time { return made }
	var list []monitor.Event
	for range n {
		c.changes++
		list = append(list, monitor.Event{
			Customer: c.by.Customer, Portfolio: c.portfolio, Company: "GB-0-1", Name: "Acme", Country: monitor.Everywhere,
			Rule: 105, Version: 1, Change: c.changes, Field: company.FieldName, At: at,
		})
	}
	if kept, err := c.Tell(c.Context(), list, nil); err != nil || kept != n {
		c.Fatalf("kept %d of %d: %v", kept, n, err)
	}
}

func (c *calendar) make(now time.Time) {
	c.Helper()
	if err := c.MakeMonths(c.Context(), now); err != nil {
		c.Fatal(err)
	}
}

// holds counts the events in each table that has some.
func (c *calendar) holds() map[string]int {
	c.Helper()
	out := map[string]int{}
	err := each(c.Context(), c.DB, func(r row) error {
		var table string
		var n int
		err := r.Scan(&table, &n)
		out[table] = n
		return err
	}, `SELECT CAST(tableoid::regclass AS TEXT), COUNT(*) FROM event GROUP BY 1`)
	if err != nil {
		c.Fatal(err)
	}
	return out
}

func (c *calendar) want(tables map[string]int) {
	c.Helper()
	if got := c.holds(); !maps.Equal(got, tables) {
		c.Errorf("events are in %v, want %v", got, tables)
	}
	// The kept counts must agree, whoever took events away.
	checks, err := c.Inspect(c.Context(), func(string) {})
	if err != nil {
		c.Fatal(err)
	}
	for _, check := range checks {
		if len(check.Wrong) > 0 && check.Subject == "counts" {
			c.Errorf("%s: %q", check.Subject, check.Wrong)
		}
	}
}

func (c *calendar) tables(log string) (out []string) {
	c.Helper()
	list, err := c.months(c.Context(), c.DB, log)
	if err != nil {
		c.Fatal(err)
	}
	for _, m := range list {
		out = append(out, m.table())
	}
	return out
}

func TestMonthsAreMadeAhead(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.make(newYear.AddDate(0, 10, 29)) // the months of the next year, too
	c.make(newYear.AddDate(0, 10, 29))
	for _, log := range monthly {
		want := []string{log + "_2026_11", log + "_2026_12", log + "_2027_01", log + "_2027_02"}
		if got := c.tables(log); !slices.Equal(got, want) {
			t.Errorf("there are %v, want %v", got, want)
		}
	}
	december := newYear.AddDate(0, 11, 0)
	c.tell(december.Add(-time.Millisecond), december, 1)
	c.tell(december, december, 2)
	c.tell(newYear, december, 3) // nobody made its month
	c.want(map[string]int{"event_2026_11": 1, "event_2026_12": 2, "event_rest": 3})
}

// What came before there were months stays where it is, and so does the month in
// which they were first made.
func TestMonthThatHasBegunStaysInTheRest(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.tell(newYear.AddDate(0, 1, 3), newYear.AddDate(0, 1, 3), 5)
	c.make(newYear.AddDate(0, 1, 4))
	c.tell(newYear.AddDate(0, 1, 5), newYear.AddDate(0, 1, 5), 1)
	c.tell(newYear.AddDate(0, 2, 5), newYear.AddDate(0, 2, 5), 1)
	if got := c.tables("event"); !slices.Equal(got, []string{"event_2026_03", "event_2026_04", "event_2026_05"}) {
		t.Errorf("there are %v", got)
	}
	c.want(map[string]int{"event_rest": 6, "event_2026_03": 1})
}

func TestOldMonthsAreDropped(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.tell(newYear.AddDate(0, -1, 0), newYear, 4)
	c.make(newYear)
	for month, n := range []int{10, 20, 30} {
		c.tell(newYear.AddDate(0, month, 7), newYear.AddDate(0, month, 7), n)
	}
	if _, err := c.MarkEvents(t.Context(), c.by, monitor.Mark{UpTo: 12, Processed: true}); err != nil {
		t.Fatal(err)
	}
	forget := func(before time.Time) (all int64) {
		t.Helper()
		for {
			n, err := c.ForgetEvents(t.Context(), before, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if all += n; n == 0 {
				return all
			}
		}
	}
	if n := forget(newYear.AddDate(0, 1, 20)); n != 34 {
		t.Errorf("%d were forgotten, want January, the rest, and February up to the 20th", n)
	}
	if got := c.tables("event"); !slices.Equal(got, []string{"event_2026_02", "event_2026_03", "event_2026_04"}) {
		t.Errorf("there are %v: January is over and its table should be gone", got)
	}
	c.want(map[string]int{"event_2026_03": 30})
	if first, err := c.FirstEvent(t.Context()); err != nil || first != 35 {
		t.Errorf("the first that is kept is said to be %d, want 35 (%v)", first, err)
	}
	// Of March one was told late: it alone must stay.
	c.tell(newYear.AddDate(0, 2, 9), newYear.AddDate(0, 3, 9), 1)
	if n := forget(newYear.AddDate(0, 3, 1)); n != 30 {
		t.Errorf("%d were forgotten, want 30", n)
	}
	c.want(map[string]int{"event_2026_03": 1})
}

// Several nodes do the same at the same time, and others go on telling.
func TestMonthsOfSeveralNodes(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	var wg sync.WaitGroup
	for i := range 4 {
		node := []*DB{c.DB, c.other}[i%2]
		wg.Go(func() {
			for month := range 6 {
				now := newYear.AddDate(0, month, 0)
				if err := node.MakeMonths(t.Context(), now); err != nil {
					t.Errorf("make: %v", err)
				}
				if _, err := node.ForgetEvents(t.Context(), now.AddDate(0, -1, 0), 100); err != nil {
					t.Errorf("forget: %v", err)
				}
			}
		})
	}
	wg.Go(func() {
		for i := range 60 {
			at := newYear.AddDate(0, 0, 3*i)
			list := []monitor.Event{{
				Customer: c.by.Customer, Portfolio: c.portfolio, Company: "GB-0-1", Name: "Acme", Country: monitor.Everywhere,
				Rule: 105, Version: 1, Change: int64(i + 1), Field: company.FieldName, At: at,
			}}
			if _, err := c.other.Tell(t.Context(), list, nil); err != nil {
				t.Errorf("tell: %v", err)
			}
		}
	})
	wg.Wait()
	sum := 0
	for _, n := range c.holds() {
		sum += n
	}
	if sum != 60 { // all of them were made just now
		t.Errorf("there are %d events, want 60: %v", sum, c.holds())
	}
}

// A backup that takes hours must not be waited for, and nobody behind it.
func TestMonthsDoNotWaitForReaders(t *testing.T) {
	t.Parallel()
	c := newCalendar(t)
	c.make(newYear)
	c.tell(newYear, newYear, 3)
	err := c.other.snapshot(t.Context(), func(reader tx) error {
		var n int
		if err := reader.QueryRow(t.Context(), `SELECT COUNT(*) FROM event`).Scan(&n); err != nil || n != 3 {
			return fmt.Errorf("read %d events: %w", n, err)
		}
		if n, err := c.ForgetEvents(t.Context(), newYear.AddDate(0, 2, 0), 100); n != 0 || err != nil {
			t.Errorf("forgot %d: %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.ForgetEvents(t.Context(), newYear.AddDate(0, 2, 0), 100); n != 3 || err != nil {
		t.Errorf("afterwards forgot %d: %v", n, err)
	}
}

// A month of the audit log that is let go is dropped whole.
func TestAuditMonthIsDropped(t *testing.T) {
	db := open(t, storetest.Postgres(t))
	ctx := t.Context()
	if err := db.MakeMonths(ctx, newYear); err != nil {
		t.Fatal(err)
	}
	err := db.write(ctx, func(t tx) error {
		return t.Together(ctx, db.addEntries([]auth.Entry{
			{Number: 1, At: newYear.AddDate(-1, 0, 0)}, // in the rest
			{Number: 2, At: newYear},
			{Number: 3, At: newYear.AddDate(0, 1, 0)},
		}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.LetGo(ctx, auth.Gone{First: 1, Last: 2, Month: newYear.Format("2006-01"), At: newYear, Signature: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	made, err := db.months(ctx, db, "audit")
	if err != nil || len(made) != monthsAhead || made[0] != monthOf("audit", newYear.AddDate(0, 1, 0)) {
		t.Errorf("the months are %v (%v), want all but the first", made, err)
	}
	var left []int64
	err = db.AuditLog(ctx, 0, func(e auth.Entry) error { left = append(left, e.Number); return nil })
	if err != nil || !slices.Equal(left, []int64{3}) {
		t.Errorf("entries %v are left (%v), want 3", left, err)
	}
	if err := db.LetGo(ctx, auth.Gone{First: 1, Last: 2, Month: "x", Signature: []byte("x")}); kindOf(err) != fault.Conflict {
		t.Errorf("the same again: %v", err)
	}
}
