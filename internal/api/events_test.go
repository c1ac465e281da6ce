package api_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// watchers gives the server what listens to changes.
func (w *world) watchers() {
	w.engine = &monitor.Engine{
		Store: w.db, Jobs: w.db, Log: w.db.Changes, Past: w.db.ChangesOf, Owner: "test", Wake: new(job.Signal), Now: w.clock.Now,
	}
	w.server.Hub = &monitor.Hub{Store: w.db, Wake: &w.db.Signals.Events, Most: 2, Backlog: 3, Alerts: func(by auth.Caller) bool { return w.mayUse(by, auth.KYC) }}
	w.server.Why = &monitor.Explainer{Store: w.db, Passed: w.engine.Passed}
	w.server.Trials = w.db
}

func (w *world) mayUse(by auth.Caller, p auth.Product) bool {
	c, known := w.dir.Customer(by.Customer)
	return known && c.MayUse(p, "", auth.DateOf(w.clock.Now()))
}

// watched is a portfolio with the first companies of the register and the rules
// Name and Address on.
func (w *world) watched(of *desk, name string, companies int) int64 {
	w.t.Helper()
	id := w.newPortfolio(of.login, name)
	for n := range companies {
		must(w.t, of.AddCompany(w.t.Context(), id, fmt.Sprintf("GB-0-%d", n+1), client.Notes{}))
	}
	must(w.t, of.SwitchRules(w.t.Context(), id, "XX", client.RuleSwitch{Code: 5001, IsActive: true}, client.RuleSwitch{Code: 105, IsActive: true}))
	return id
}

// rename changes a company's name and lets the engine see it.
func (w *world) rename(id company.ID, old, new string) {
	w.t.Helper()
	must(w.t, w.db.Write(w.t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{
			{Company: id, Field: company.FieldName, Old: old, New: new, Source: "src", At: w.clock.Now()},
		}}, nil
	}))
	for {
		n, err := w.engine.Step(w.t.Context())
		must(w.t, err)
		if n == 0 {
			return
		}
	}
}

func TestEventsAreListed(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 3)
	for n := range 7 {
		w.rename(company.NewID("GB", fmt.Sprint(n%3+1)), fmt.Sprint("Old ", n), fmt.Sprint("New ", n))
		w.clock.Step(time.Hour)
	}
	var all []int64
	for e, err := range acme.Events(t.Context(), client.EventFilter{}) {
		must(t, err)
		all = append(all, e.ID)
		if e.RuleCode != 5001 || e.Company.PortfolioName != "Mine" || !strings.HasPrefix(e.NewValue, "New ") || e.Summary == "" {
			t.Errorf("got %+v", e)
		}
	}
	if len(all) != 7 || !slices.IsSorted(all) {
		t.Fatalf("got %v, want seven in order", all)
	}
	base := fmt.Sprintf("/monitoring/portfolios/%d", id)
	acme.token = w.token(acme.login) // the first one ended
	for _, c := range []struct {
		path   string
		status int
		has    string
	}{
		{"/monitoring/notificationEvents", 200, `"totalCount":7`},
		{"/monitoring/notificationEvents?pageSize=3", 200, `"paging":{"size":3,"prev":null,"next":1,"last":2}`},
		{"/monitoring/notificationEvents?pageSize=3&page=2", 200, `"paging":{"size":3,"prev":1,"next":null,"last":2}`},
		{"/monitoring/notificationEvents?searchQuery=nothing+like+it", 200, `"data":[],"paging":{"size":50,"prev":null,"next":null,"last":-1}`},
		{"/monitoring/notificationEvents?searchQuery=GB-0-2", 200, `"totalCount":2`},
		{"/monitoring/notificationEvents?searchQuery=100%25", 200, `"totalCount":0`},
		{"/monitoring/notificationEvents?isProcessed=true", 200, `"totalCount":0`},
		{"/monitoring/notificationEvents?unknown=1&sortOrder=x&portfolioId=5", 200, `"totalCount":7`},
		{"/monitoring/notificationEvents?startDate=2026-03-02T11:00:00Z&endDate=2026-03-02T12:45:00", 200, `"totalCount":2`},
		{"/monitoring/notificationEvents?sortBy=size", 400, "sortBy"},
		{"/monitoring/notificationEvents?pageSize=1001", 400, "pageSize"},
		{"/monitoring/notificationEvents?startDate=soon", 400, "startDate"},
		{"/monitoring/notificationEvents?startDate=2026-02-01&endDate=2026-01-01", 400, "endDate"},
		{"/monitoring/notificationEvents?after=abc", 400, "after"},
		{base + "/notificationEvents", 200, `"totalCount":7`},
		{base + "/notificationEvents/dataByDay?startDate=2026-03-01&endDate=2026-03-31", 200, `"dataDate":"2026-03-02T00:00:00","dataValue":7`},
		{base + "/notificationEvents/dataByDay", 400, "startDate"},
		{base + "/companies/GB-0-1/notificationEvents", 200, `"totalCount":3`},
		{base + "/companies/FR-0-1/notificationEvents", 404, "Company resource not found"},
		{"/monitoring/companies/GB-0-1/events", 200, `"totalCount":3`},
		{"/monitoring/companies/GB1/events", 200, `"companyId":"GB1"`},
		{"/monitoring/companies/FR-0-1/events", 200, `"totalCount":0`},
		{"/monitoring/companies/nobody/events", 200, `"totalCount":0`},
		{"/monitoring/portfolios/7/notificationEvents", 404, "Portfolio not found"},
		{"/monitoring/portfolios/x/notificationEvents", 400, "portfolioId"},
	} {
		got := w.send("GET", c.path, "", "Authorization", acme.token)
		if got.status != c.status || !strings.Contains(got.body, c.has) {
			t.Errorf("%s: got %d %s\nwant %d with %s", c.path, got.status, got.body, c.status, c.has)
		}
	}
}

// 204 where a company is watched and nothing was told; what was told stays when
// the company leaves, but the company's own list is empty then (B12).
func TestEventsAndMembership(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(2)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 2)
	w.rename("GB-0-1", "Old", "New")
	base := fmt.Sprintf("/monitoring/portfolios/%d/companies/", id)
	if got := w.send("GET", base+"GB-0-2/notificationEvents", "", "Authorization", acme.token); got.status != 204 || got.body != "" {
		t.Errorf("got %d %q, want 204 with nothing in it", got.status, got.body)
	}
	must(t, acme.RemoveCompany(t.Context(), id, "GB-0-1"))
	for path, has := range map[string]string{
		"/monitoring/notificationEvents":      `"totalCount":1`,
		base + "GB-0-1/notificationEvents":    `"totalCount":1`,
		"/monitoring/companies/GB-0-1/events": `"totalCount":0`,
	} {
		if got := w.send("GET", path, "", "Authorization", acme.token); got.status != 200 || !strings.Contains(got.body, has) {
			t.Errorf("%s: got %d %s, want %s", path, got.status, got.body, has)
		}
	}
}

// B19: a cursor is of one account and one list.
func TestCursorsOfEvents(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	other := w.desk(w.join("other", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 1)
	w.watched(other, "Theirs", 1)
	for n := range 4 {
		w.rename("GB-0-1", fmt.Sprint(n), fmt.Sprint(n+1))
	}
	const list = "/monitoring/notificationEvents?pageSize=2"
	first := w.send("GET", list, "", "Authorization", acme.token)
	_, rest, _ := strings.Cut(first.body, `"cursor":"`)
	cursor, _, ok := strings.Cut(rest, `"`)
	if !ok {
		t.Fatalf("no cursor in %s", first.body)
	}
	next := w.send("GET", list+"&after="+cursor, "", "Authorization", acme.token)
	if next.status != 200 || !strings.Contains(next.body, `"cursor":null`) || strings.Count(next.body, `"eventId"`) != 2 {
		t.Errorf("the second page: %d %s", next.status, next.body)
	}
	flip := func(i int) string {
		b := []byte(cursor)
		b[i] ^= 1
		return string(b)
	}
	for name, got := range map[string]answer{
		"a changed byte":   w.send("GET", list+"&after="+flip(3), "", "Authorization", acme.token),
		"a changed end":    w.send("GET", list+"&after="+flip(len(cursor)-2), "", "Authorization", acme.token),
		"another customer": w.send("GET", list+"&after="+cursor, "", "Authorization", other.token),
		"another order":    w.send("GET", list+"&sortBy=eventDate&after="+cursor, "", "Authorization", acme.token),
	} {
		if got.status != 400 || !strings.Contains(got.body, "after") {
			t.Errorf("%s: got %d %s, want 400", name, got.status, got.body)
		}
	}
}

func TestEventsAreMarked(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 1)
	for n := range 5 {
		w.rename("GB-0-1", fmt.Sprint(n), fmt.Sprint(n+1))
	}
	ctx := t.Context()
	changed, err := acme.MarkPortfolioEvent(ctx, id, 2, true)
	must(t, err)
	again, err := acme.MarkEvent(ctx, 2, true)
	must(t, err)
	n, err := acme.MarkPortfolioEvents(ctx, id, 4, true)
	must(t, err)
	if !changed || again || n != 3 {
		t.Errorf("got %v, %v, %d; want the first to change one, the second none, the third three", changed, again, n)
	}
	open := false
	var left []int64
	for e, err := range acme.Events(ctx, client.EventFilter{Processed: &open}) {
		must(t, err)
		left = append(left, e.ID)
	}
	if d := cmp.Diff([]int64{5}, left); d != "" {
		t.Errorf("what is left (-want +got):\n%s", d)
	}
	for body, want := range map[string]int{
		`{"isProcessed":0}`: 200, `{"isProcessed":"true"}`: 200, `{"isProcessed":7}`: 400, `{}`: 400,
	} {
		got := w.send("PATCH", "/monitoring/notificationEvents/5", body, "Authorization", acme.token, "Content-Type", jsonType)
		if got.status != want {
			t.Errorf("%s: got %d %s, want %d", body, got.status, got.body, want)
		}
	}
}

// A stream tells what is past, what comes, and why it ends.
func TestStream(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	other := w.desk(w.join("other", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 1)
	w.watched(other, "Theirs", 1)
	w.rename("GB-0-1", "0", "1") // events 1 and 2, one for each
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	lines := w.follow(ctx, acme.token, "0")
	var ids []string
	read := func() {
		t.Helper()
		for line := range lines {
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				ids = append(ids, id)
				return
			}
		}
		t.Fatal("the stream ended")
	}
	read()
	w.rename("GB-0-1", "1", "2")
	_, err := w.server.Hub.Step(ctx)
	must(t, err)
	read()
	if d := cmp.Diff([]string{"1", "3"}, ids); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	w.clock.Step(time.Hour + time.Minute) // the token ends
	must(t, w.server.Hub.Sweep(ctx))
	var last string
	for line := range lines {
		if line != "" {
			last = line
		}
	}
	if !strings.Contains(last, "the token ended") {
		t.Errorf("the last line was %q", last)
	}
}

// follow opens a stream and returns its lines.
func (w *world) follow(ctx context.Context, token, after string) <-chan string {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/monitoring/notificationEvents/stream?after="+after, nil)
	must(w.t, err)
	r.Header.Set("Authorization", token)
	resp, err := plain.Do(r)
	must(w.t, err)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		w.t.Fatalf("got %d %s", resp.StatusCode, resp.Header)
	}
	out := make(chan string)
	go func() { // ends with the stream, which ends with ctx
		defer resp.Body.Close()
		defer close(out)
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			select {
			case out <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// A cursor from before what is kept gets an answer, not a gap.
func TestStreamFromTheForgottenPast(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	w.watched(acme, "Mine", 1)
	w.rename("GB-0-1", "0", "1")
	w.rename("GB-0-1", "1", "2")
	w.clock.Step(48 * time.Hour)
	_, err := w.db.ForgetEvents(t.Context(), w.clock.Now(), 100)
	must(t, err)
	acme.token = w.token(acme.login)
	got := w.send("GET", "/monitoring/notificationEvents/stream?after=1", "", "Authorization", acme.token)
	if got.status != 410 || !strings.Contains(got.body, "no longer kept") {
		t.Errorf("got %d %s, want 410", got.status, got.body)
	}
	for range 2 { // as many as a customer may follow
		w.follow(t.Context(), acme.token, "2")
	}
	if got := w.send("GET", "/monitoring/notificationEvents/stream?after=2", "", "Authorization", acme.token); got.status != 429 {
		t.Errorf("got %d %s, want 429 for one stream too many", got.status, got.body)
	}
	w.server.Hub.Stop()
}

func init() { maps.Copy(fixtures, eventFixtures()) }

func eventExamples() []example {
	const one = "/monitoring/portfolios/100001"
	return []example{
		{"events", "GET", "/monitoring/notificationEvents", "", 200, "acme"},
		{"events", "GET", "/monitoring/notificationEvents?sortDir=up", "", 400, "acme"},
		{"events", "GET", "/monitoring/notificationEvents", "", 403, "bare"},
		{"markEvents", "PATCH", "/monitoring/notificationEvents", `{"isProcessed":true,"upTo":9}`, 200, "acme"},
		{"eventsByDay", "GET", "/monitoring/notificationEvents/dataByDay?startDate=2026-01-01&endDate=2026-01-31", "", 200, "acme"},
		{"markEvent", "PATCH", "/monitoring/notificationEvents/9", `{"isProcessed":true}`, 404, "acme"},
		{"portfolioEvents", "GET", one + "/notificationEvents", "", 200, "acme"},
		{"markPortfolioEvents", "PATCH", one + "/notificationEvents", `{"isProcessed":true,"upTo":9}`, 200, "acme"},
		{"portfolioEventsByDay", "GET", one + "/notificationEvents/dataByDay?startDate=2026-01-01&endDate=2026-01-31", "", 200, "acme"},
		{"markPortfolioEvent", "PATCH", one + "/notificationEvents/9", `{"isProcessed":true}`, 404, "acme"},
		{"portfolioCompanyEvents", "GET", one + "/companies/GB-0-1/notificationEvents", "", 404, "acme"},
		{"companyEvents", "GET", "/monitoring/companies/GB-0-1/events", "", 200, "acme"},
		{"eventStream", "GET", "/monitoring/notificationEvents/stream?after=x", "", 400, "acme"},
		{"whyEvent", "GET", "/monitoring/notificationEvents/9/why", "", 404, "acme"},
		{"whyChanges", "GET", one + "/companies/GB-0-1/why", "", 200, "acme"},
		{"backTest", "POST", one + "/eventRules/XX/105/backtest", `{"startDate":"2026-01-01"}`, 200, "acme"},
		{"backTest", "POST", one + "/eventRules/XX/7/backtest", `{"startDate":"2026-01-01"}`, 404, "acme"},
		{"backTest", "POST", one + "/eventRules/XX/102/backtest", `{"startDate":"2026-01-01","param1":"200"}`, 400, "acme"},
		{"silence", "POST", one + "/silences", `{"ruleCode":105,"until":"2027-01-01"}`, 201, "acme"},
		{"silence", "POST", one + "/silences", `{}`, 400, "acme"},
		{"silences", "GET", one + "/silences", "", 200, "acme"},
		{"endSilence", "DELETE", one + "/silences/7", "", 404, "acme"},
	}
}

// eventFixtures are how a stranger tries the routes of events. An owner's event
// is made for each.
func eventFixtures() map[string]fixture {
	const mark, upTo = `{"isProcessed":true}`, `{"isProcessed":true,"upTo":1}`
	const from = `{"startDate":"2026-01-01"}`
	own := func(path string) func(w *world, owner login) string {
		return func(w *world, owner login) string {
			w.t.Helper()
			d := w.desk(owner)
			id := w.watched(d, fmt.Sprint("Watched ", w.seen.Load()), 1)
			w.rename("GB-0-1", "0", path)
			var event int64
			for e, err := range d.PortfolioEvents(w.t.Context(), id, client.EventFilter{}) {
				must(w.t, err)
				event = e.ID
			}
			silence, err := d.Silence(w.t.Context(), id, client.Silence{RuleCode: 105, Until: "2027-01-01"})
			must(w.t, err)
			return strings.NewReplacer("{p}", fmt.Sprint(id), "{e}", fmt.Sprint(event), "{s}", fmt.Sprint(silence.ID)).Replace(path)
		}
	}
	nobodys := strings.NewReplacer("{p}", "7", "{e}", "999999", "{s}", "999999")
	of := func(path, body string) fixture {
		return fixture{theirs: own(path), random: nobodys.Replace(path), body: body}
	}
	return map[string]fixture{
		"markEvent":              of("/monitoring/notificationEvents/{e}", mark),
		"portfolioEvents":        of("/monitoring/portfolios/{p}/notificationEvents", ""),
		"markPortfolioEvents":    of("/monitoring/portfolios/{p}/notificationEvents", upTo),
		"portfolioEventsByDay":   of("/monitoring/portfolios/{p}/notificationEvents/dataByDay?startDate=2026-01-01&endDate=2026-12-31", ""),
		"markPortfolioEvent":     of("/monitoring/portfolios/{p}/notificationEvents/{e}", mark),
		"portfolioCompanyEvents": of("/monitoring/portfolios/{p}/companies/GB-0-1/notificationEvents", ""),
		"companyEvents":          {theirs: own("/monitoring/companies/GB-0-1/events"), random: "/monitoring/companies/GB-0-999/events"},
		"whyEvent":               of("/monitoring/notificationEvents/{e}/why", ""),
		"whyChanges":             of("/monitoring/portfolios/{p}/companies/GB-0-1/why", ""),
		"backTest":               of("/monitoring/portfolios/{p}/eventRules/XX/105/backtest", from),
		"silences":               of("/monitoring/portfolios/{p}/silences", ""),
		"silence":                of("/monitoring/portfolios/{p}/silences", `{"ruleCode":105,"until":"2027-01-01"}`),
		"endSilence":             of("/monitoring/portfolios/{p}/silences/{s}", ""),
	}
}
