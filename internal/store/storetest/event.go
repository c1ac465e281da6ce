package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// events are the promises of monitor.EventStore about reading.
var events = []promise{
	{"an event comes back as it was told", eventComesBack},
	{"events come in every order, up and down, by page and by cursor, as a plain sort has them", eventsSorted},
	{"filters find what a plain look finds, and the total is exact", eventsFiltered},
	{"a search finds parts of names, numbers and rules, in any case", eventsSearched},
	{"the events of a company are those of portfolios that hold or held it; else it is missing", eventsOfCompany},
	{"behind the last page there is nothing, by page and by cursor", eventsFarBehind},
	{"an event has the safe number that its company has now, wherever it is read, and is found by it", eventsWithSafeNumbers},
	{"days are counted by the day of the change, both ends included", eventsByDay},
	{"nobody sees, counts or marks what was told to others", eventsOfOthers},
}

// A stage is a few portfolios with events, and all of them as they are kept.
type stage struct {
	one, two, shared monitor.PortfolioID // of ann, of ann, of bob and shown to ann
	hidden, foreign  monitor.PortfolioID // of bob alone, of eve
}

// firstDay is the first day on which something happens on stage.
var firstDay = time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC)

// setStage tells some events of each portfolio. Times lie on the edges of days
// as well as between them, and many are alike.
func setStage(t tb, s Store, each int) stage {
	t.Helper()
	var st stage
	st.one, st.two = create(t, s, ann, aPortfolio("one")).ID, create(t, s, ann, aPortfolio("two")).ID
	st.shared, st.hidden = create(t, s, bob, aPortfolio("three")).ID, create(t, s, bob, aPortfolio("four")).ID
	st.foreign = create(t, s, eve, aPortfolio("five")).ID
	noError(t, s.SharePortfolio(t.Context(), bob, st.shared, false, []monitor.Share{{Account: ann.Account, Rights: monitor.View}}))
	names := []string{"Acme Ltd", "ACME LTD", "acme ltd", "Ärger GmbH", "ärger gmbh", "Zebra", "_50% off_", "O'Neill \\ Sons", "雪 KK", ""}
	countries := []string{"GB", "DE", "SE", "US"}
	times := []time.Duration{0, 1, 11 * 60, 12 * 60, 13*60 + 1, 24*60 - 1, 24 * 60, 36 * 60, 71*60 + 59}
	rules := []int{101, 105, 107, 5001}
	var list []monitor.Event
	for i := range each * 5 {
		p := []monitor.PortfolioID{st.one, st.two, st.shared, st.hidden, st.foreign}[i%5]
		of := ann.Customer
		if p == st.foreign {
			of = eve.Customer
		}
		at := firstDay.Add(times[i/5%len(times)] * time.Minute)
		if i%3 == 0 {
			at = at.Add(-time.Millisecond)
		}
		list = append(list, monitor.Event{
			Customer: of, Portfolio: p, Company: company.NewID(countries[i%7%4], fmt.Sprint(i%11)), Name: names[i%len(names)],
			Country: monitor.Everywhere, Rule: rules[i%len(rules)], Version: 1, Setting: 7, Change: int64(i + 1),
			Field: company.FieldAddress, Source: "src", Old: "was", New: fmt.Sprint("is ", i), Why: "since it is", At: at,
		})
	}
	for part := range slices.Chunk(list, 37) { // several of one time
		if n, err := s.Tell(t.Context(), part, nil); err != nil || n != len(part) {
			t.Fatalf("told %d of %d: %v", n, len(part), err)
		}
	}
	return st
}

func eventsFound(t tb, s monitor.EventStore, by auth.Caller, q monitor.EventQuery) monitor.Events {
	t.Helper()
	q.Limit = cmp.Or(q.Limit, 1_000_000)
	list, err := s.Events(t.Context(), by, q)
	noError(t, err)
	return list
}

// everyEvent are all that a caller sees, in the order of their numbers.
func everyEvent(t tb, s monitor.EventStore, by auth.Caller) []monitor.Event {
	t.Helper()
	return eventsFound(t, s, by, monitor.EventQuery{Sort: monitor.ByID}).List
}

func eventComesBack(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	at := time.Date(2026, 1, 2, 3, 4, 5, 999_999_999, time.FixedZone("", 3600))
	want := monitor.Event{
		Customer: ann.Customer, Portfolio: p.ID, Company: "GB-0-1", Name: "Åsa\n雪 '); DROP TABLE event; --", Country: "GB", Rule: 1801,
		Version: 3, Setting: 1 << 40, Change: 1 << 41, Field: company.ScoreValue, Source: "scores", Old: "60", New: "40", Why: "fell", At: at,
	}
	before := time.Now().Add(-time.Minute)
	n, err := s.Tell(t.Context(), []monitor.Event{want}, nil)
	if n != 1 || err != nil {
		t.Fatalf("told %d: %v", n, err)
	}
	got := everyEvent(t, s.other, ann)
	if len(got) != 1 {
		t.Fatalf("got %d events", len(got))
	}
	e := got[0]
	if e.ID < 1 || e.CreatedAt.Before(before) || e.CreatedAt.After(time.Now().Add(time.Minute)) || e.Processed() {
		t.Errorf("number %d, made at %v, processed %v", e.ID, e.CreatedAt, e.Processed())
	}
	want.ID, want.CreatedAt, want.In, want.At = e.ID, e.CreatedAt, "one", time.Date(2026, 1, 2, 2, 4, 5, 999e6, time.UTC)
	same(t, "the event", e, want)
}

// inOrderOf compares as a list does, for a plain sort.
func inOrderOf(by monitor.Sort, down bool) func(a, b monitor.Event) int {
	return func(a, b monitor.Event) int {
		c := 0
		switch by {
		case monitor.ByName:
			c = cmp.Compare(monitor.SortName(a.Name), monitor.SortName(b.Name))
		case monitor.ByCountry:
			c = cmp.Compare(a.Company.Country(), b.Company.Country())
		case monitor.ByDate:
			c = a.At.Compare(b.At)
		}
		if c = cmp.Or(c, cmp.Compare(a.ID, b.ID)); down {
			return -c
		}
		return c
	}
}

func eventIDs(list []monitor.Event) []monitor.EventID {
	out := make([]monitor.EventID, 0, len(list))
	for i := range list {
		out = append(out, list[i].ID)
	}
	return out
}

func eventsSorted(t *testing.T, s nodes) {
	st := setStage(t, s, 60)
	markSome(t, s, st.one)
	all := everyEvent(t, s, ann)
	if len(all) != 180 {
		t.Fatalf("ann sees %d events, want 180", len(all))
	}
	for _, by := range []monitor.Sort{monitor.ByName, monitor.ByCountry, monitor.ByID, monitor.ByDate} {
		for _, down := range []bool{false, true} {
			slices.SortFunc(all, inOrderOf(by, down))
			for _, size := range []int{7, 60, 179, 180, 1000} {
				q := monitor.EventQuery{Sort: by, Down: down, Limit: size}
				what := fmt.Sprintf("sort %d, down %v, %d at a time", by, down, size)
				same(t, what+", by page", eventIDs(byPage(t, s, q)), eventIDs(all))
				same(t, what+", by cursor", eventIDs(byCursor(t, s.other, q)), eventIDs(all))
			}
		}
	}
}

// markSome marks a third of a portfolio's events.
func markSome(t tb, s monitor.EventStore, p monitor.PortfolioID) {
	t.Helper()
	for i, e := range eventsFound(t, s, ann, monitor.EventQuery{Portfolio: p, Sort: monitor.ByID}).List {
		if i%3 == 0 {
			_, err := s.MarkEvents(t.Context(), ann, monitor.Mark{Portfolio: p, Event: e.ID, Processed: true})
			noError(t, err)
		}
	}
}

func byPage(t tb, s monitor.EventStore, q monitor.EventQuery) (out []monitor.Event) {
	for more := true; more; q.Skip += q.Limit {
		page := eventsFound(t, s, ann, q)
		out, more = append(out, page.List...), page.More
		if len(page.List) > q.Limit {
			t.Fatalf("%d events on a page of %d", len(page.List), q.Limit)
		}
	}
	return out
}

func byCursor(t tb, s monitor.EventStore, q monitor.EventQuery) (out []monitor.Event) {
	for more := true; more; {
		page := eventsFound(t, s, ann, q)
		if out, more = append(out, page.List...), page.More; more {
			at := page.List[len(page.List)-1].Position()
			q.After = &at
		}
	}
	return out
}

// fits is what a query asks for, seen plainly.
func fits(q monitor.EventQuery, e *monitor.Event) bool {
	at := e.At
	if q.ByCreated {
		at = e.CreatedAt
	}
	rule, _ := monitor.FindRule(e.Country, e.Rule)
	text := monitor.NewSearch(q.Search)
	return (q.Portfolio == 0 || q.Portfolio == e.Portfolio) && (q.Company == "" || q.Company == e.Company) &&
		(q.Processed == nil || *q.Processed == e.Processed()) &&
		(q.From.IsZero() || !at.Before(q.From)) && (q.To.IsZero() || !at.After(q.To)) &&
		(text.Empty() || text.In(e.Name) || text.In(string(e.Company)) || text.In(rule.Name))
}

func eventsFiltered(t *testing.T, s nodes) {
	st := setStage(t, s, 60)
	markSome(t, s, st.one)
	markSome(t, s, st.two)
	all := everyEvent(t, s, ann)
	var bounds []time.Time
	for _, e := range all {
		bounds = append(bounds, e.At, e.At.Add(time.Millisecond), e.At.Add(-time.Millisecond), e.CreatedAt, e.CreatedAt.Add(time.Millisecond))
	}
	for d := range 5 {
		midnight := firstDay.AddDate(0, 0, d-1)
		bounds = append(bounds, midnight, midnight.Add(9*time.Hour), midnight.Add(15*time.Hour))
	}
	bounds = append(bounds, time.Time{}, time.Time{}, time.Unix(-1, 0), time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC))
	yes, no := true, false
	rapid.Check(t, func(r *rapid.T) {
		q := monitor.EventQuery{
			Portfolio: rapid.SampledFrom([]monitor.PortfolioID{0, 0, st.one, st.shared}).Draw(r, "portfolio"),
			Processed: rapid.SampledFrom([]*bool{nil, &yes, &no}).Draw(r, "processed"),
			From:      rapid.SampledFrom(bounds).Draw(r, "from"), To: rapid.SampledFrom(bounds).Draw(r, "to"),
			ByCreated: rapid.Bool().Draw(r, "by created"),
			Search:    rapid.SampledFrom([]string{"", "", "", "ACME", "0-3"}).Draw(r, "search"),
			Sort:      monitor.Sort(rapid.IntRange(0, 3).Draw(r, "sort")), Down: rapid.Bool().Draw(r, "down"),
			Limit: rapid.IntRange(1, 90).Draw(r, "limit"), Skip: rapid.IntRange(0, 50).Draw(r, "skip"),
		}
		if rapid.IntRange(0, 4).Draw(r, "one company") == 0 {
			q.Company = rapid.SampledFrom(all).Draw(r, "of").Company
		}
		want := slices.DeleteFunc(slices.Clone(all), func(e monitor.Event) bool { return !fits(q, &e) })
		slices.SortFunc(want, inOrderOf(q.Sort, q.Down))
		got, err := s.Events(r.Context(), ann, q)
		if errors.Is(err, fault.Missing) && q.Company != "" && len(want) == 0 {
			return // it is in no portfolio
		}
		noError(r, err)
		page := want[min(q.Skip, len(want)):min(q.Skip+q.Limit, len(want))]
		if got.Total != int64(len(want)) || got.More != (q.Skip+q.Limit < len(want)) {
			r.Errorf("%d in all, more: %v; want %d", got.Total, got.More, len(want))
		}
		same(r, "the page", eventIDs(got.List), eventIDs(page))
	})
}

func eventsSearched(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	long := "The Very Long Name Of A Company That Goes On Beyond What A List Is Sorted By And Ends In Zanzibar"
	names := []string{"Acme Ltd", "ÄRGER GmbH", "100% sure", "under_score", `back\slash`, "straße", "雪 KK", long}
	for i, name := range names {
		_, err := s.Tell(t.Context(), []monitor.Event{{
			Customer: ann.Customer, Portfolio: p.ID, Company: company.NewID("GB", fmt.Sprint("AB", i)), Name: name,
			Country: monitor.Everywhere, Rule: []int{105, 107}[i%2], Version: 1, Change: int64(i + 1), At: noon,
		}}, nil)
		noError(t, err)
	}
	for text, want := range map[string][]string{
		"acme": {"Acme Ltd"}, " CME l ": {"Acme Ltd"}, "ärger": {"ÄRGER GmbH"}, "0%": {"100% sure"}, "%": {"100% sure"},
		"_": {"under_score"}, `\`: {`back\slash`}, "STRASSE": {"straße"}, "雪": {"雪 KK"}, "nobody": {},
		"gb-0-ab3": {"under_score"}, "zanzibar": {long}, "'; --": {}, "fficer": {"ÄRGER GmbH", "under_score", "straße", long},
	} {
		got := eventsFound(t, s, ann, monitor.EventQuery{Search: text, Sort: monitor.ByID})
		var found []string
		for _, e := range got.List {
			found = append(found, e.Name)
		}
		same(t, "found by "+text, found, want)
		if got.Total != int64(len(want)) {
			t.Errorf("by %q: %d in all, want %d", text, got.Total, len(want))
		}
	}
}

func eventsOfCompany(t *testing.T, s nodes) {
	someCompanies(t, s, 3)
	one, two := create(t, s, ann, aPortfolio("one")).ID, create(t, s, ann, aPortfolio("two")).ID
	add(t, s, ann, one, "GB-0-1", "GB-0-2")
	add(t, s, ann, two, "GB-0-1")
	told(t, s, ann.Customer, one, "GB-0-1", noon)
	told(t, s, ann.Customer, two, "GB-0-1", noon)
	count := func(q monitor.EventQuery, want int) {
		t.Helper()
		if got := eventsFound(t, s, ann, q); len(got.List) != want || got.Total != int64(want) {
			t.Errorf("%+v: %d events, %d in all; want %d", q, len(got.List), got.Total, want)
		}
	}
	count(monitor.EventQuery{Company: "GB-0-1"}, 2)
	count(monitor.EventQuery{Company: "GB-0-1", Portfolio: one}, 1)
	count(monitor.EventQuery{Company: "GB-0-2", Portfolio: one}, 0) // in it, and nothing happened
	count(monitor.EventQuery{Company: "GB-0-3"}, 0)                 // nothing was asked about a portfolio
	for _, id := range []company.ID{"GB-0-3", "GB-0-404"} {
		_, err := s.Events(t.Context(), ann, monitor.EventQuery{Company: id, Portfolio: one, Limit: 10})
		wantKind(t, err, fault.Missing)
	}
	// One that was removed keeps what was told of it, but is a member no more.
	_, err := s.RemoveMembers(t.Context(), ann, one, ids("GB-0-1"))
	noError(t, err)
	count(monitor.EventQuery{Company: "GB-0-1", Portfolio: one}, 1)
	count(monitor.EventQuery{Company: "GB-0-1", Member: true}, 1)
	count(monitor.EventQuery{Company: "GB-0-3", Member: true}, 0)
}

func eventsFarBehind(t *testing.T, s nodes) {
	st := setStage(t, s, 3)
	for _, skip := range []int{9, 1_000_000, 2_000_000_000} {
		if got := eventsFound(t, s, ann, monitor.EventQuery{Skip: skip, Limit: 10}); len(got.List) != 0 || got.Total != 9 || got.More {
			t.Errorf("behind the end there are %d of %d", len(got.List), got.Total)
		}
	}
	last := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one}).List[2].Position()
	if got := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one, After: &last}); len(got.List) != 0 || got.Total != 3 || got.More {
		t.Errorf("behind the last there are %d of %d", len(got.List), got.Total)
	}
}

func eventsByDay(t *testing.T, s nodes) {
	st := setStage(t, s, 30)
	markSome(t, s, st.one) // a mark changes no day
	naive := func(list []monitor.Event, from, to time.Time) (out []monitor.Day) {
		for d := from.Truncate(24 * time.Hour); !d.After(to); d = d.AddDate(0, 0, 1) {
			n := int64(0)
			for _, e := range list {
				if e.At.Truncate(24 * time.Hour).Equal(d) {
					n++
				}
			}
			if n > 0 {
				out = append(out, monitor.Day{Day: d, Events: n})
			}
		}
		return out
	}
	all := everyEvent(t, s, ann)
	for from := range 6 {
		for to := range 6 {
			a, b := firstDay.AddDate(0, 0, from-1).Add(7*time.Hour), firstDay.AddDate(0, 0, to-1).Add(3*time.Hour)
			got, err := s.other.EventsByDay(t.Context(), ann, 0, a, b)
			noError(t, err)
			same(t, fmt.Sprint("from ", a, " to ", b), got, naive(all, a, b))
		}
	}
	one := eventsFound(t, s, ann, monitor.EventQuery{Portfolio: st.one}).List
	got, err := s.EventsByDay(t.Context(), ann, st.one, firstDay.AddDate(0, 0, -9), firstDay.AddDate(0, 0, 9))
	noError(t, err)
	same(t, "of one portfolio", got, naive(one, firstDay.AddDate(0, 0, -9), firstDay.AddDate(0, 0, 9)))
	_, err = s.EventsByDay(t.Context(), eve, st.one, firstDay, firstDay)
	wantKind(t, err, fault.Missing)
}

func eventsOfOthers(t *testing.T, s nodes) {
	st := setStage(t, s, 12)
	for _, see := range []struct {
		by   auth.Caller
		what []monitor.PortfolioID
	}{
		{ann, []monitor.PortfolioID{st.one, st.two, st.shared}},
		{bob, []monitor.PortfolioID{st.shared, st.hidden}},
		{eve, []monitor.PortfolioID{st.foreign}},
		{auth.Caller{Customer: ann.Customer, Account: 99}, nil},
		{auth.Caller{Customer: eve.Customer, Account: ann.Account}, nil}, // an account's number is nothing without its customer
	} {
		got := eventsFound(t, s, see.by, monitor.EventQuery{})
		if got.Total != int64(12*len(see.what)) || len(got.List) != 12*len(see.what) {
			t.Errorf("%v sees %d events of %d", see.by, len(got.List), got.Total)
		}
		for _, e := range got.List {
			if !slices.Contains(see.what, e.Portfolio) || e.Customer != see.by.Customer {
				t.Errorf("%v sees an event of portfolio %d, customer %d", see.by, e.Portfolio, e.Customer)
			}
		}
		days, err := s.EventsByDay(t.Context(), see.by, 0, firstDay.AddDate(0, 0, -9), firstDay.AddDate(0, 0, 9))
		noError(t, err)
		sum := int64(0)
		for _, d := range days {
			sum += d.Events
		}
		if sum != got.Total {
			t.Errorf("%v counts %d events by day, and lists %d", see.by, sum, got.Total)
		}
		for _, p := range []monitor.PortfolioID{st.one, st.two, st.shared, st.hidden, st.foreign, 404} {
			_, err := s.Events(t.Context(), see.by, monitor.EventQuery{Portfolio: p, Limit: 1})
			if slices.Contains(see.what, p) {
				noError(t, err)
				continue
			}
			wantKind(t, err, fault.Missing)
			_, err = s.MarkEvents(t.Context(), see.by, monitor.Mark{Portfolio: p, UpTo: 1 << 40, Processed: true})
			wantKind(t, err, fault.Missing)
		}
	}
}
