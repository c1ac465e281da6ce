package monitor_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A parish has one portfolio with two British companies and a Swedish one, the
// rules Name and Address on, an engine, and one who can say why.
type parish struct {
	t      testing.TB
	db     *store.DB
	now    time.Time
	p      monitor.PortfolioID
	engine *monitor.Engine
	why    *monitor.Explainer
}

// inParish runs a test in a parish on each engine.
func inParish(t *testing.T, test func(t *testing.T, w *parish)) {
	for name, fresh := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "parish.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, newParish(t, fresh(t)))
		})
	}
}

func newParish(t *testing.T, url string) *parish {
	t.Helper()
	db, err := storetest.Open(t.Context(), url, store.Open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w := &parish{t: t, db: db, now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	w.engine = &monitor.Engine{
		Store: db, Jobs: db, Log: db.Changes, Past: db.ChangesOf, Owner: "test", Wake: new(job.Signal), Now: time.Now,
	}
	w.why = &monitor.Explainer{Store: db, Passed: w.engine.Passed}
	var u company.Update
	for _, id := range []company.ID{"GB-0-1", "GB-0-2", "SE-0-1", "GB-0-9"} {
		u.Companies = append(u.Companies, company.Saved{
			Held: company.Held{ID: id}, New: true, Name: "Company " + string(id), Country: id.Country(), Status: company.Active,
		})
	}
	w.must(db.Write(t.Context(), func(company.View) (company.Update, error) { return u, nil }))
	p, err := db.CreatePortfolio(t.Context(), by(1), monitor.Portfolio{Name: "P"})
	w.must(err)
	w.p = p.ID
	_, err = db.AddMembers(t.Context(), by(1), w.p, []monitor.Member{{Company: "GB-0-1"}, {Company: "GB-0-2"}, {Company: "SE-0-1"}})
	w.must(err)
	w.switchRules("XX", monitor.Switch{Code: 5001, On: true}, monitor.Switch{Code: 105, On: true})
	return w
}

func (w *parish) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *parish) switchRules(country string, list ...monitor.Switch) {
	w.t.Helper()
	w.must(w.db.SwitchRules(w.t.Context(), by(1), w.p, country, list))
}

// change lets a field change, and returns the number of that.
func (w *parish) change(of company.ID, field company.Field, old, new string) int64 {
	w.t.Helper()
	w.must(w.db.Write(w.t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{{Company: of, Field: field, Old: old, New: new, Source: "src", At: w.now}}}, nil
	}))
	n, err := w.db.LastChange(w.t.Context())
	w.must(err)
	return n
}

func (w *parish) evaluate() {
	w.t.Helper()
	for {
		n, err := w.engine.Step(w.t.Context())
		if w.must(err); n == 0 {
			return
		}
	}
}

func (w *parish) hush(q monitor.Quiet) monitor.Quiet {
	w.t.Helper()
	q, err := w.db.AddQuiet(w.t.Context(), by(1), w.p, q)
	w.must(err)
	return q
}

// told are the events, as "number rule".
func (w *parish) told() (out []string) {
	w.t.Helper()
	for _, e := range w.eventsOf(1) {
		out = append(out, fmt.Sprint(e.Change, " ", e.Rule))
	}
	slices.Sort(out)
	return out
}

// eventsOf are the events of a customer, in the order of their numbers.
func (w *parish) eventsOf(customer auth.CustomerID) []monitor.Event {
	w.t.Helper()
	list, err := w.db.Events(w.t.Context(), by(customer), monitor.EventQuery{Sort: monitor.ByID, Limit: 1000})
	w.must(err)
	return list.List
}

func (w *parish) wantTold(want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.told(); !slices.Equal(got, want) {
		w.t.Errorf("told %v, want %v", got, want)
	}
}

const name, address = company.FieldName, company.FieldAddress

// A silence keeps quiet what it is about: a company, a rule, both, or all.
func TestSilencesKeepQuiet(t *testing.T) {
	t.Parallel()
	for _, it := range []struct {
		says string
		q    monitor.Quiet
		told []string // of changes 1 to 4: names of GB-0-1, GB-0-2, addresses of both
	}{
		{"nothing", monitor.Quiet{Company: "GB-0-9"}, []string{"1 5001", "2 5001", "3 105", "4 105"}},
		{"a company", monitor.Quiet{Company: "GB-0-1"}, []string{"2 5001", "4 105"}},
		{"a rule", monitor.Quiet{Rule: 105}, []string{"1 5001", "2 5001"}},
		{"a rule about a company", monitor.Quiet{Company: "GB-0-1", Rule: 105}, []string{"1 5001", "2 5001", "4 105"}},
		{"all", monitor.Quiet{}, nil},
	} {
		t.Run(it.says, func(t *testing.T) {
			t.Parallel()
			w := newParish(t, filepath.Join(t.TempDir(), "parish.db"))
			it.q.Until = w.now.Add(time.Hour)
			w.hush(it.q)
			w.change("GB-0-1", name, "a", "b")
			w.change("GB-0-2", name, "a", "b")
			w.change("GB-0-1", address, "a", "b")
			w.change("GB-0-2", address, "a", "b")
			w.evaluate()
			w.wantTold(it.told...)
		})
	}
}

// A silence is about what happens between its beginning and its end, however
// late it is evaluated.
func TestSilenceBeginsAndEnds(t *testing.T) {
	t.Parallel()
	inParish(t, func(t *testing.T, w *parish) {
		before := w.change("GB-0-1", name, "0", "1")
		until := w.now.Add(time.Hour)
		w.hush(monitor.Quiet{Rule: 5001, Until: until})
		w.evaluate()
		w.change("GB-0-1", name, "1", "2")
		w.now = until.Add(-time.Millisecond)
		w.change("GB-0-1", name, "2", "3")
		w.now = until
		on := w.change("GB-0-1", name, "3", "4")
		w.evaluate()
		w.wantTold(fmt.Sprint(before, " 5001"), fmt.Sprint(on, " 5001"))
		// One that somebody ends early.
		q := w.hush(monitor.Quiet{Company: "GB-0-1", Until: until.Add(time.Hour)})
		w.change("GB-0-1", name, "4", "5")
		w.must(w.db.EndQuiet(t.Context(), by(1), w.p, q.ID))
		after := w.change("GB-0-1", name, "5", "6")
		w.evaluate()
		w.wantTold(fmt.Sprint(before, " 5001"), fmt.Sprint(on, " 5001"), fmt.Sprint(after, " 5001"))
	})
}

// A silence of one portfolio is nobody else's.
func TestSilenceIsOfOnePortfolio(t *testing.T) {
	t.Parallel()
	w := newParish(t, filepath.Join(t.TempDir(), "parish.db"))
	p, err := w.db.CreatePortfolio(t.Context(), by(2), monitor.Portfolio{Name: "theirs"})
	w.must(err)
	_, err = w.db.AddMembers(t.Context(), by(2), p.ID, []monitor.Member{{Company: "GB-0-1"}})
	w.must(err)
	w.must(w.db.SwitchRules(t.Context(), by(2), p.ID, "XX", []monitor.Switch{{Code: 5001, On: true}}))
	w.hush(monitor.Quiet{Until: w.now.Add(time.Hour)})
	w.change("GB-0-1", name, "a", "b")
	w.evaluate()
	w.wantTold()
	theirs, err := w.db.Events(t.Context(), by(2), monitor.EventQuery{Limit: 10})
	if err != nil || theirs.Total != 1 {
		t.Errorf("the other customer was told %d events (%v), want 1", theirs.Total, err)
	}
}

// In a window a value that goes to and fro is told once.
func TestFlappingIsToldOnce(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	type step struct {
		after  time.Duration // since the one before
		field  company.Field
		values string // old and new
		told   bool
	}
	for says, it := range map[string]struct {
		hours int
		steps []step
	}{
		"without a window all is told": {0, []step{{0, name, "A B", true}, {0, name, "B A", true}, {0, name, "A B", true}}},
		"to and fro":                   {24, []step{{0, name, "A B", true}, {time.Hour, name, "B A", false}, {time.Hour, name, "A B", false}}},
		"a new value is told":          {24, []step{{0, name, "A B", true}, {time.Hour, name, "B C", true}, {time.Hour, name, "C A", false}, {time.Hour, name, "A D", true}}},
		"exactly the window is over":   {24, []step{{0, name, "A B", true}, {day, name, "B A", true}}},
		"a moment less is in it":       {24, []step{{0, name, "A B", true}, {day - time.Millisecond, name, "B A", false}}},
		"the latest counts":            {24, []step{{0, name, "A B", true}, {20 * time.Hour, name, "B A", false}, {20 * time.Hour, name, "A B", false}, {25 * time.Hour, name, "B A", true}}},
		"another field is another":     {24, []step{{0, name, "A B", true}, {time.Hour, address, "B A", true}}},
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			w := newParish(t, filepath.Join(t.TempDir(), "parish.db"))
			if it.hours > 0 {
				w.hush(monitor.Quiet{Hours: it.hours})
			}
			var want []string
			for _, s := range it.steps {
				w.now = w.now.Add(s.after)
				old, new, _ := strings.Cut(s.values, " ")
				n := w.change("GB-0-1", s.field, old, new)
				rule := map[company.Field]int{name: 5001, address: 105}[s.field]
				if s.told {
					want = append(want, fmt.Sprint(n, " ", rule))
				}
			}
			w.evaluate()
			w.wantTold(want...)
		})
	}
}

// A silence that makes no sense is refused, and the field is named.
func TestSilencesThatMakeNoSense(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for says, it := range map[string]struct {
		q    monitor.Quiet
		want string // part of the fault; "": it is fine
	}{
		"until tomorrow":          {monitor.Quiet{Until: now.Add(24 * time.Hour)}, ""},
		"a window":                {monitor.Quiet{Hours: 24}, ""},
		"the longest window":      {monitor.Quiet{Hours: 31 * 24}, ""},
		"a rule":                  {monitor.Quiet{Rule: 105, Hours: 1}, ""},
		"neither":                 {monitor.Quiet{}, "until:"},
		"both":                    {monitor.Quiet{Until: now.Add(time.Hour), Hours: 3}, "collapseHours:"},
		"now":                     {monitor.Quiet{Until: now}, "until:"},
		"yesterday":               {monitor.Quiet{Until: now.Add(-24 * time.Hour)}, "until:"},
		"for ever":                {monitor.Quiet{Until: now.AddDate(6, 0, 0)}, "until:"},
		"a window of no time":     {monitor.Quiet{Hours: -1}, "collapseHours:"},
		"a window of two months":  {monitor.Quiet{Hours: 31*24 + 1}, "collapseHours:"},
		"a rule that is none":     {monitor.Quiet{Rule: 7, Hours: 1}, "ruleCode:"},
		"a note that is too long": {monitor.Quiet{Hours: 1, Note: strings.Repeat("ä", 501)}, "note:"},
	} {
		t.Run(says, func(t *testing.T) {
			err := it.q.Check(now)
			f, _ := fault.Of(err)
			if it.want == "" && err != nil || it.want != "" && (!errors.Is(err, fault.Invalid) || !strings.Contains(strings.Join(f.Details, "\n"), it.want)) {
				t.Errorf("got %v %v, want a fault that says %q", err, f.Details, it.want)
			}
		})
	}
}
