package sandbox_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
	"bureau/internal/sandbox"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// watcher is who watches.
var watcher = auth.Caller{Customer: 1, Account: 10}

// yearWorld is small: what counts is the year.
var yearWorld = sandbox.World{Seed: 11, PerCountry: 30}

// trials are rules with parameters, each with some that fires often and some
// that rarely does.
var trials = []struct {
	country string
	code    int
	values  monitor.Values
}{
	{"XX", 101, monitor.Values{"1", "Any", ""}},
	{"XX", 101, monitor.Values{"2", "C", "false"}},
	{"XX", 102, monitor.Values{"false", "15", ""}},
	{"XX", 102, monitor.Values{}}, // the defaults
	{"XX", 104, monitor.Values{}},
	{"XX", 107, monitor.Values{}},
	{"XX", 5003, monitor.Values{}},
	{"XX", 5004, monitor.Values{}},
	{"XX", 5054, monitor.Values{}},
	{"XX", 5060, monitor.Values{"15", "30", ""}},
	{"GB", 1801, monitor.Values{"20", "", ""}},
	{"SE", 3040, monitor.Values{}},
}

// What a back-test says that a rule would have told over the sandbox's past
// year is what the engine tells, event by event, when the year happens again
// with the rule on.
func TestBackTestIsWhatWouldHaveBeenTold(t *testing.T) {
	t.Parallel()
	year := theYear(t)
	for name, fresh := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "year.db") },
		"postgres": func(t *testing.T) string { return storetest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			past, again := newYearHouse(t, fresh(t)), newYearHouse(t, fresh(t))
			past.write(year)
			asked := past.portfolio("asked")
			var told []monitor.PortfolioID
			for i, r := range trials {
				p := again.portfolio(fmt.Sprint(i))
				rule, ok := monitor.FindRule(r.country, r.code)
				if !ok {
					t.Fatalf("there is no rule %s %d", r.country, r.code)
				}
				v, err := rule.Check(r.values)
				again.must(err)
				again.must(again.db.SwitchRules(t.Context(), watcher, p, r.country, []monitor.Switch{{Code: r.code, On: true, Values: v}}))
				told = append(told, p)
			}
			for part := range slices.Chunk(year, 700) {
				again.write(part)
				again.evaluate()
			}
			for i, r := range trials {
				t.Run(fmt.Sprintf("%s %d %v", r.country, r.code, r.values), func(t *testing.T) {
					rule, _ := monitor.FindRule(r.country, r.code)
					compareYear(t, past, asked, again, told[i], monitor.Trial{Rule: rule, Values: r.values}, year)
				})
			}
		})
	}
}

// compareYear back-tests a rule in one house, over the year and over parts of it
// that begin and end with a change, and holds it against what was told in the
// other.
func compareYear(t *testing.T, past *yearHouse, asked monitor.PortfolioID, again *yearHouse, told monitor.PortfolioID, trial monitor.Trial, year []company.Change) {
	events := again.events(told)
	if len(events) == 0 {
		t.Fatal("nothing was told in a year")
	}
	first, last := year[0].At, year[len(year)-1].At
	early, late := events[len(events)/3].At, events[2*len(events)/3].At
	for _, span := range [][2]time.Time{{first, last}, {early, late}, {early.Add(time.Millisecond), late.Add(-time.Millisecond)}} {
		trial.Portfolio, trial.From, trial.To, trial.Sample = asked, span[0], span[1], 1_000_000
		got, err := monitor.BackTest(t.Context(), past.db, watcher, trial)
		if err != nil {
			t.Fatal(err)
		}
		var want []monitor.Event
		firms, days := map[company.ID]bool{}, map[time.Time]int64{}
		for _, e := range events {
			if e.At.Before(span[0]) || e.At.After(span[1]) {
				continue
			}
			firms[e.Company] = true
			days[e.At.Truncate(24*time.Hour)]++
			// What only an event that was kept has.
			e.ID, e.Customer, e.Setting, e.Name, e.SafeNo, e.In, e.CreatedAt, e.Portfolio = 0, 0, 0, "", "", "", time.Time{}, asked
			want = append(want, e)
		}
		slices.SortFunc(got.Sample, func(a, b monitor.Event) int { return cmp.Compare(a.Change, b.Change) })
		if d := gocmp.Diff(want, got.Sample); d != "" {
			t.Errorf("from %v to %v (-told +back-test):\n%s", span[0], span[1], d)
		}
		if got.Events != int64(len(want)) || got.Companies != int64(len(firms)) || len(got.Days) != len(days) {
			t.Errorf("counted %d events about %d companies on %d days, want %d, %d, %d",
				got.Events, got.Companies, len(got.Days), len(want), len(firms), len(days))
		}
		for _, d := range got.Days {
			if d.Events != days[d.Day] {
				t.Errorf("%v: %d events, want %d", d.Day, d.Events, days[d.Day])
			}
		}
	}
}

// theYear is what happens in the sandbox in a year: by its own clock, and every
// month somebody sets the scores of a few companies.
func theYear(t *testing.T) []company.Change {
	t.Helper()
	h := newYearHouse(t, filepath.Join(t.TempDir(), "year.db"))
	chance := rand.New(rand.NewPCG(5, 6))
	for month, days := range []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31} {
		ticks := days * sandbox.TicksPerDay
		if done, err := h.clock.Advance(t.Context(), ticks); err != nil || done != ticks {
			t.Fatalf("month %d: %d ticks of %d: %v", month+1, done, ticks, err)
		}
		for n := range 8 {
			for _, country := range []string{"GB", "SE"} {
				id := yearWorld.ID(country, 2*n)
				h.must(h.clock.Change(t.Context(), id, "score", fmt.Sprint(chance.IntN(100))))
				h.must(h.clock.Change(t.Context(), id, "limit", fmt.Sprint(1000*chance.IntN(100))))
			}
		}
	}
	list, err := h.db.Changes(t.Context(), h.filled, 1_000_000)
	h.must(err)
	return list
}

// A yearHouse is a database with the world as it was on its first day.
type yearHouse struct {
	t      *testing.T
	db     *store.DB
	clock  *sandbox.Clock
	engine *monitor.Engine
	filled int64 // the last change of the first day
}

func newYearHouse(t *testing.T, url string) *yearHouse {
	t.Helper()
	db, err := store.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	h := &yearHouse{t: t, db: db, clock: &sandbox.Clock{
		World: yearWorld, Owner: "test", Places: db, Register: &company.Register{Store: db, Now: time.Now},
	}, engine: &monitor.Engine{
		Store: db, Jobs: db, Log: db.Changes, Past: db.ChangesOf, Owner: "test", Wake: new(job.Signal), Now: time.Now,
	}}
	h.must(h.clock.Fill(t.Context()))
	h.filled, err = db.LastChange(t.Context())
	h.must(err)
	return h
}

func (h *yearHouse) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// portfolio watches every other company.
func (h *yearHouse) portfolio(name string) monitor.PortfolioID {
	h.t.Helper()
	p, err := h.db.CreatePortfolio(h.t.Context(), watcher, monitor.Portfolio{Name: name})
	h.must(err)
	var list []monitor.Member
	for i, s := range yearWorld.Companies() {
		if i%2 == 0 {
			list = append(list, monitor.Member{Company: company.NewID(s.Country, s.Number)})
		}
	}
	_, err = h.db.AddMembers(h.t.Context(), watcher, p.ID, list)
	h.must(err)
	return p.ID
}

// write lets changes happen as they did.
func (h *yearHouse) write(list []company.Change) {
	h.t.Helper()
	h.must(h.db.Write(h.t.Context(), func(company.View) (company.Update, error) { return company.Update{Changes: list}, nil }))
}

func (h *yearHouse) evaluate() {
	h.t.Helper()
	for {
		n, err := h.engine.Step(h.t.Context())
		if h.must(err); n == 0 {
			return
		}
	}
}

// events are what a portfolio was told, in order.
func (h *yearHouse) events(p monitor.PortfolioID) []monitor.Event {
	h.t.Helper()
	list, err := h.db.Events(h.t.Context(), watcher, monitor.EventQuery{Portfolio: p, Sort: monitor.ByID, Limit: 1_000_000})
	h.must(err)
	return list.List
}
