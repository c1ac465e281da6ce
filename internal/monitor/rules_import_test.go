package monitor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/opensanctions"
	"bureau/internal/job"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
	"bureau/internal/store"
	"bureau/internal/store/storetest"
)

// A ruleCase is a rule, and two editions of a publisher's file of which the
// second makes it fire.
type ruleCase struct {
	country string
	code    int
	values  monitor.Values
	source  importer.Source[company.Statement]
	first   []edition // what is imported before: other sources of the same company
	was, is string
	between string // a file that is imported between the two
	about   company.ID

	old, new, why string
}

// An edition is a file of a source.
type edition struct {
	source importer.Source[company.Statement]
	text   string
}

// ruleNoFile are the rules that no register's file makes fire, and what does.
var ruleNoFile = map[int]string{
	5080: "a publisher's list: TestListedIsTold",
}

// edited is a source's sample with some words replaced, in pairs.
func edited(s importer.Source[company.Statement], pairs ...string) string {
	text := s.Sample
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic(s.Name + "'s sample does not hold " + pairs[i])
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// own is a record in our own lines: a company of a country and what else is
// said of it.
func own(country, more string) string {
	return fmt.Sprintf(`{"id":"%s-0-1","name":"Example %s","status":"Active",%s}`+"\n", country, country, more)
}

// A watch is a portfolio that watches companies of a register into which files
// are imported.
type watch struct {
	t         *testing.T
	db        *store.DB
	register  *company.Register
	engine    *monitor.Engine
	portfolio monitor.PortfolioID
	now       time.Time
}

func newWatch(t *testing.T, url string) *watch {
	t.Helper()
	db, err := storetest.Open(t.Context(), url, store.Open)
	noError(t, err)
	t.Cleanup(func() { db.Close() })
	w := &watch{t: t, db: db, now: time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time { return w.now }
	w.register = &company.Register{Store: db, Now: now}
	w.engine = &monitor.Engine{
		Store: db, Jobs: db, Log: db.Changes, Past: db.ChangesOf, Owner: "a", Wake: &job.Signal{}, Now: now,
	}
	p, err := db.CreatePortfolio(t.Context(), ann, monitor.Portfolio{Name: "watched"})
	noError(t, err)
	w.portfolio = p.ID
	return w
}

// take imports a file as the command does.
func (w *watch) take(s importer.Source[company.Statement], text string) {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "file")
	noError(w.t, os.WriteFile(path, []byte(text), 0o600))
	files, err := importer.Files(path, nil)
	noError(w.t, err)
	var covers func(part string) bool
	if s.Whole {
		covers, err = importer.Covers(s, files)
		noError(w.t, err)
	}
	run, err := w.register.NewRun(w.t.Context(), s.Name, covers != nil, w.now)
	noError(w.t, err)
	defer run.Close()
	if covers != nil {
		run.Covers(covers)
	}
	report, err := importer.Run(w.t.Context(), s, files, run, importer.Options{Now: func() time.Time { return w.now }})
	noError(w.t, err)
	if report.Refused > 0 || report.Records == 0 {
		w.t.Fatalf("%s: %d records, %d refused: %v", s.Name, report.Records, report.Refused, report.First)
	}
}

// follow puts a company into the portfolio and switches a rule on.
func (w *watch) follow(c *ruleCase) {
	w.t.Helper()
	_, err := w.db.AddMembers(w.t.Context(), ann, w.portfolio, []monitor.Member{{Company: c.about}})
	noError(w.t, err)
	list, err := monitor.CheckSwitches(c.country, []monitor.Switch{{Code: c.code, On: true, Values: c.values}})
	noError(w.t, err)
	noError(w.t, w.db.SwitchRules(w.t.Context(), ann, w.portfolio, c.country, list))
}

// told evaluates all changes and returns the events.
func (w *watch) told() []monitor.Event {
	w.t.Helper()
	for {
		n, err := w.engine.Step(w.t.Context())
		noError(w.t, err)
		if n == 0 {
			break
		}
	}
	found, err := w.db.Events(w.t.Context(), ann, monitor.EventQuery{Sort: monitor.ByID, Limit: 100})
	noError(w.t, err)
	return found.List
}

func (c *ruleCase) test(t *testing.T, url string) {
	w := newWatch(t, url)
	for _, e := range c.first {
		w.take(e.source, e.text)
	}
	w.take(c.source, c.was)
	w.follow(c)
	w.now = w.now.Add(24 * time.Hour)
	if c.between != "" {
		w.take(c.source, c.between)
	}
	if c.is != "" {
		w.take(c.source, c.is)
	} else {
		w.passes()
	}
	got := w.told()
	if len(got) != 1 {
		t.Fatalf("%d events, want one: %+v", len(got), got)
	}
	e := got[0]
	if e.Rule != c.code || e.Country != c.country || e.Company != c.about || e.Portfolio != w.portfolio || e.Source != c.source.Name || e.Name == "" || !e.At.Equal(w.now) {
		t.Errorf("the event is %+v", e)
	}
	if e.Old != c.old || e.New != c.new || e.Why != c.why {
		t.Errorf("told\n%q, %q, %q\nwant\n%q, %q, %q", e.Old, e.New, e.Why, c.old, c.new, c.why)
	}
	// The same file again is no news.
	if c.is != "" {
		w.take(c.source, c.is)
	}
	if again := w.told(); len(again) != 1 {
		t.Errorf("then there are %d events", len(again))
	}
}

// passes lets a day go by on which nothing is filed.
func (w *watch) passes() {
	w.t.Helper()
	o := &company.Overdue{Store: w.db}
	for _, at := range []time.Time{w.now.AddDate(0, 0, -1), w.now} {
		_, err := o.Step(w.t.Context(), at)
		noError(w.t, err)
	}
}

func (c *ruleCase) name() string { return fmt.Sprintf("%s %d", c.country, c.code) }

// Every rule tells what a publisher's file says, in words that can be read.
func TestEveryRuleTellsOfAFile(t *testing.T) {
	for i := range ruleCases {
		c := &ruleCases[i]
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			c.test(t, filepath.Join(t.TempDir(), "test.db"))
		})
	}
}

// The other database tells the same, of a file of each publisher.
func TestRulesTellOfAFileOnPostgres(t *testing.T) {
	seen := map[string]bool{}
	for i := range ruleCases {
		c := &ruleCases[i]
		if key := c.source.Name + fmt.Sprint(c.is == ""); !seen[key] {
			seen[key] = true
			t.Run(c.source.Name+" "+c.name(), func(t *testing.T) {
				t.Parallel()
				c.test(t, storetest.Postgres(t))
			})
		}
	}
}

func TestNoRuleIsWithoutAFile(t *testing.T) {
	for _, r := range monitor.AllRules() {
		has := slices.ContainsFunc(ruleCases, func(c ruleCase) bool { return c.country == r.Country && c.code == r.Code })
		if has == (ruleNoFile[r.Code] != "") {
			t.Errorf("rule %d of %s has a file: %v (%s)", r.Code, r.Country, has, ruleNoFile[r.Code])
		}
	}
}

// A publisher's list that names a company by its number, and a later edition that
// does not.
func TestListedIsTold(t *testing.T) {
	onBoth(t, 1, func(t *testing.T, o *office) {
		w := &watch{t: t, db: o.db, engine: o.engine("a"), portfolio: o.portfolio}
		noError(t, o.db.Write(t.Context(), func(company.View) (company.Update, error) {
			return company.Update{Companies: []company.Saved{{
				Held: company.Held{ID: "GB-0-777"}, New: true, Name: "Example Ltd", Country: "GB", Status: company.Active,
				Idents: []company.Ident{{Kind: company.ByLEI, Value: "5299000J2N45DDNE4Y28"}},
			}}}, nil
		}))
		w.follow(&ruleCase{country: monitor.Everywhere, code: 5080, about: "GB-0-777"})
		const line = `{"id":"NK-%s","caption":"%s","schema":"Company","properties":{"name":["%[2]s"],"leiCode":["%[3]s"],"topics":["sanction"]},` +
			`"datasets":["example"],"first_seen":"2024-01-01T00:00:00","last_change":"2026-01-01T00:00:00","target":true}` + "\n"
		other := fmt.Sprintf(line, "2", "Another", "5493000F4ZO33MV32P92")
		lists := &kyc.Listing{Index: &kyc.Index{Store: o.db}, Lists: o.db, Register: o.db, Now: o.clock}
		at := int64(0)
		for _, c := range []struct{ text, old, new, why string }{
			{fmt.Sprintf(line, "1", "Example Holdings", "5299000J2N45DDNE4Y28") + other, "", "Example Holdings", "The company is on the sanctions list %s: Example Holdings"},
			{other, "Example Holdings", "", "The company is no longer on the sanctions list %s: Example Holdings"},
		} {
			path := filepath.Join(t.TempDir(), "entities.ftm.json")
			noError(t, os.WriteFile(path, []byte(c.text), 0o600))
			files, err := importer.Files(path, nil)
			noError(t, err)
			in := &kyc.Intake{Store: o.db, File: path, Whole: true, AcceptShrink: true, Now: o.clock}
			report, err := importer.Run(t.Context(), opensanctions.Source, files, in, importer.Options{Now: o.clock})
			noError(t, err)
			if report.Refused > 0 || report.Records == 0 {
				t.Fatalf("%d records, %d refused: %v", report.Records, report.Refused, report.First)
			}
			changes, err := o.db.EntryChanges(t.Context(), at, 100)
			noError(t, err)
			at = changes[len(changes)-1].Number
			noError(t, lists.TakeEntries(t.Context(), changes, job.Place{Name: "lists", Number: at}))
			got := w.told()
			list := kyc.FindList(kyc.OpenSanctions).Title
			if len(got) == 0 {
				t.Fatal("nothing was told")
			}
			last := got[len(got)-1]
			if last.Rule != 5080 || last.Old != c.old || last.New != c.new || last.Why != fmt.Sprintf(c.why, list) {
				t.Errorf("told %+v", last)
			}
		}
	})
}
