package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// kycs are the promises of kyc.SearchStore.
var kycs = []promise{
	{"a customer's wishes for searches come back, and are none at first", kycSettings},
	{"a search comes back as it was added, with the tally of its hits", kycSearchComesBack},
	{"a subject keeps the secret of its first search", kycSecretStays},
	{"someone else's search, hit or decision is missing", kycIsOwned},
	{"an edit that fails changes no search", kycEditFails},
	{"searches are listed by their kind and the newest first", kycListed},
	{"hits are listed by decision and the likeliest first", kycHitsListed},
	{"two decisions about a hit at once are both kept", kycDecidedTwice},
	{"a search is on one schedule at a time, until that ends", kycScheduled},
	{"schedules of all customers are read by their IDs", kycWatched},
	{"schedules of all customers are read in short, whatever becomes of them", kycWatching},
	{"alerts are numbered in order, and take the place of what they supersede", kycAlerts},
	{"an alert is one event of its customer, with its deliveries, however often it is added", kycAlertsAreTold},
	{"schedules of a company are those of business searches in a profile with its number", kycWatchedOf},
	{"decisions are remembered for a subject and its entries, the oldest first", kycRemembered},
}

func aSearch(n int, name string) kyc.Search {
	at := noon.Add(time.Duration(n) * time.Minute)
	return kyc.Search{
		ID:      kyc.SearchID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n)),
		Subject: kyc.Subject{Person: true, First: "Åda", Last: name, Born: "1970-05-31", Countries: []string{"SE"}},
		Options: kyc.Options{Threshold: 75, Datasets: []kyc.Dataset{kyc.SAN}, Bodies: []kyc.Body{kyc.UN}, Limit: 500},
		Looked: kyc.Looked{Engine: "1", Coverage: kyc.Coverage{
			Lists: []kyc.Loaded{{List: "un-sanctions", Version: 3, LoadedAt: noon, AsOf: noon}}, Change: 7, Missing: []kyc.Dataset{kyc.PEP},
		}},
		Status: "new", Risk: "notApplicable", Note: "", Sought: "hash of " + name, Secret: []byte{byte(n), 2},
		CreatedAt: at, CreatedBy: 3, ModifiedAt: at, ModifiedBy: 3,
	}
}

func aHit(s kyc.Search, n, score int, d kyc.Decision) kyc.SavedHit {
	h := kyc.SavedHit{
		ID: kyc.HitID(fmt.Sprintf("%s-%d", s.ID, n)), Search: s.ID, Entry: kyc.EntryID(n), Since: 4, Score: score,
		Verdict:  kyc.Verdict{Match: "Åda", Changes: []string{"new"}},
		Decision: d, CreatedAt: s.CreatedAt, Current: true,
	}
	h.Verdict.Score, h.Verdict.Probability, h.Verdict.Why = float64(score)/100, 0.123456789, []string{"same"}
	return h
}

// addSearch keeps a search by itself, and returns it with its subject's secret.
func addSearch(t tb, s auth.Store, by auth.Caller, search kyc.Search, hits ...kyc.SavedHit) kyc.Search {
	t.Helper()
	one := load(by, search, hits...)
	noError(t, s.Carry(t.Context(), everything, []auth.Load{one}, func(auth.News) (auth.Record, error) { return auth.Record{}, nil }))
	search.Secret = secretOf(one)
	return search
}

func kycSettings(t *testing.T, s nodes) {
	got, err := s.KYCSettings(t.Context(), ann.Customer)
	noError(t, err)
	same(t, "at first", got, kyc.Settings{})
	want := kyc.Settings{DOBRequired: true, Bodies: []kyc.Body{kyc.UN}}
	noError(t, s.SetKYCSettings(t.Context(), ann.Customer, want))
	got, err = s.other.KYCSettings(t.Context(), ann.Customer)
	noError(t, err)
	same(t, "kept", got, want)
	noError(t, s.SetKYCSettings(t.Context(), ann.Customer, kyc.Settings{}))
	got, err = s.KYCSettings(t.Context(), ann.Customer)
	noError(t, err)
	same(t, "taken back", got, kyc.Settings{})
}

func kycSearchComesBack(t *testing.T, s nodes) {
	search := aSearch(1, "Brook")
	gone := aHit(search, 5, 80, kyc.TrueMatch)
	gone.Current = false
	added := addSearch(t, s, ann, search,
		aHit(search, 1, 90, kyc.Undecided), aHit(search, 2, 80, kyc.TrueMatch), aHit(search, 3, 70, kyc.FalsePositive), aHit(search, 4, 70, kyc.Discarded), gone)
	added.Tally = kyc.Tally{Total: 4, True: 1, False: 1, Undecided: 1}
	got, err := s.other.KYCSearch(t.Context(), ann, search.ID)
	noError(t, err)
	same(t, "search", got, added)
	hit, err := s.other.KYCHit(t.Context(), ann, search.ID, gone.ID)
	noError(t, err)
	same(t, "hit", hit, gone)
}

func kycSecretStays(t *testing.T, s nodes) {
	first := addSearch(t, s, ann, aSearch(1, "Brook"))
	second := addSearch(t, s.other, ann, aSearch(2, "Brook"))
	another := addSearch(t, s, carol, aSearch(3, "Brook"))
	same(t, "the secret of the second search", second.Secret, first.Secret)
	if string(another.Secret) == string(first.Secret) {
		t.Error("two customers' subjects share a secret")
	}
}

func kycIsOwned(t *testing.T, s nodes) {
	search := aSearch(1, "Brook")
	hit := aHit(search, 1, 90, kyc.Undecided)
	added := addSearch(t, s, ann, search, hit)
	_, err := s.KYCSearch(t.Context(), carol, search.ID)
	isMissing(t, err)
	_, err = s.UpdateKYCSearch(t.Context(), carol, search.ID, func(*kyc.Search) error { return nil })
	isMissing(t, err)
	_, err = s.KYCHit(t.Context(), carol, search.ID, hit.ID)
	isMissing(t, err)
	_, err = s.KYCHit(t.Context(), ann, aSearch(2, "").ID, hit.ID)
	isMissing(t, err)
	_, err = s.DecideKYCHit(t.Context(), carol, added, hit.ID, func(*kyc.SavedHit) kyc.Ruling { return kyc.Ruling{} })
	isMissing(t, err)
	_, err = s.DecideKYCHit(t.Context(), ann, added, hit.ID, func(*kyc.SavedHit) kyc.Ruling { return kyc.Ruling{Entry: 1} })
	noError(t, err)
	past, err := s.KYCHistory(t.Context(), carol, hit.ID)
	noError(t, err)
	known, err := s.KYCRulings(t.Context(), carol, search.Sought, []kyc.EntryID{1})
	noError(t, err)
	hits, err := s.KYCHits(t.Context(), carol, kyc.HitQuery{Search: search.ID, Limit: 5})
	noError(t, err)
	byID, err := s.KYCHitsByID(t.Context(), carol, []kyc.HitID{hit.ID})
	noError(t, err)
	list, err := s.KYCSearches(t.Context(), carol, kyc.SearchQuery{Person: true, Limit: 5})
	noError(t, err)
	if len(past)+len(known)+len(hits.List)+len(byID)+len(list.List) > 0 || hits.Total+list.Total > 0 {
		t.Errorf("a stranger sees %v %v %v %v %v", past, known, hits, byID, list)
	}
}

func isMissing(t tb, err error) {
	t.Helper()
	if v, ok := fault.Of(err); !ok || v.Kind != fault.Missing {
		t.Errorf("got %v, want it missing", err)
	}
}

func kycEditFails(t *testing.T, s nodes) {
	search := addSearch(t, s, ann, aSearch(1, "Brook"))
	_, err := s.UpdateKYCSearch(t.Context(), ann, search.ID, func(s *kyc.Search) error {
		s.Note = "never"
		return fault.Invalid.Errorf("no")
	})
	if v, ok := fault.Of(err); !ok || v.Kind != fault.Invalid {
		t.Errorf("got %v", err)
	}
	got, err := s.UpdateKYCSearch(t.Context(), ann, search.ID, func(s *kyc.Search) error {
		s.Status, s.Risk, s.AssignedTo, s.ModifiedBy, s.ModifiedAt = "closed", "high", 4, 5, noon.Add(time.Hour)
		return nil
	})
	noError(t, err)
	search.Status, search.Risk, search.AssignedTo, search.ModifiedBy, search.ModifiedAt = "closed", "high", 4, 5, noon.Add(time.Hour)
	same(t, "changed", got, search)
	again, err := s.other.KYCSearch(t.Context(), ann, search.ID)
	noError(t, err)
	same(t, "kept", again, search)
}

func kycListed(t *testing.T, s nodes) {
	for i := range 5 {
		search := aSearch(i+1, fmt.Sprint("Brook", i))
		search.Subject.Person = i != 2
		addSearch(t, s, ann, search)
	}
	numbers := func(q kyc.SearchQuery) (out []string, page kyc.Page[kyc.Search]) {
		page, err := s.KYCSearches(t.Context(), ann, q)
		noError(t, err)
		for _, search := range page.List {
			out = append(out, search.Subject.Last)
		}
		return out, page
	}
	got, page := numbers(kyc.SearchQuery{Person: true, Limit: 2})
	same(t, "first page", got, []string{"Brook4", "Brook3"})
	if page.Total != 4 || !page.More {
		t.Errorf("got %d in all, more %v", page.Total, page.More)
	}
	last := page.List[1]
	got, page = numbers(kyc.SearchQuery{Person: true, Limit: 2, After: &kyc.SearchPlace{At: last.CreatedAt, ID: last.ID}})
	same(t, "behind it", got, []string{"Brook1", "Brook0"})
	if page.More {
		t.Error("there is no more")
	}
	got, _ = numbers(kyc.SearchQuery{Person: true, Limit: 2, Skip: 3})
	same(t, "skipped", got, []string{"Brook0"})
	got, _ = numbers(kyc.SearchQuery{Limit: 2})
	same(t, "businesses", got, []string{"Brook2"})
	yes := true
	got, _ = numbers(kyc.SearchQuery{Person: true, Limit: 9, Scheduled: &yes})
	same(t, "scheduled", got, []string(nil))
}

func kycHitsListed(t *testing.T, s nodes) {
	search := aSearch(1, "Brook")
	var hits []kyc.SavedHit
	for i, score := range []int{80, 90, 80, 100} {
		hits = append(hits, aHit(search, i, score, kyc.Decisions[i%2]))
	}
	old := aHit(search, 9, 99, kyc.Undecided)
	old.Current = false
	addSearch(t, s, ann, search, append(hits, old)...)
	ask := func(q kyc.HitQuery) kyc.Page[kyc.SavedHit] {
		q.Search = search.ID
		page, err := s.other.KYCHits(t.Context(), ann, q)
		noError(t, err)
		return page
	}
	first := ask(kyc.HitQuery{Limit: 2})
	same(t, "first page", first, kyc.Page[kyc.SavedHit]{List: []kyc.SavedHit{hits[3], hits[1]}, Total: 4, More: true})
	next := ask(kyc.HitQuery{Limit: 9, After: &kyc.HitPlace{Score: hits[1].Score, ID: hits[1].ID}})
	same(t, "behind it", next, kyc.Page[kyc.SavedHit]{List: []kyc.SavedHit{hits[2], hits[0]}, Total: 4})
	same(t, "undecided", ask(kyc.HitQuery{Limit: 9, Decisions: []kyc.Decision{kyc.Undecided}}), kyc.Page[kyc.SavedHit]{List: []kyc.SavedHit{hits[2], hits[0]}, Total: 2})
}

func kycDecidedTwice(t *testing.T, s nodes) {
	search := aSearch(1, "Brook")
	hit := aHit(search, 1, 90, kyc.Undecided)
	search = addSearch(t, s, ann, search, hit)
	var done sync.WaitGroup
	for i := range 8 {
		node := s.Store
		if i%2 == 1 {
			node = s.other
		}
		done.Go(func() {
			_, err := node.DecideKYCHit(t.Context(), ann, search, hit.ID, func(h *kyc.SavedHit) kyc.Ruling {
				h.Decision, h.Note, h.DecidedAt, h.DecidedBy = kyc.TrueMatch, h.Note+"x", noon, 7
				return kyc.Ruling{Entry: h.Entry, Decision: h.Decision, Note: h.Note, At: noon, By: 7}
			})
			noErrorf(t, err)
		})
	}
	done.Wait()
	got, err := s.KYCHit(t.Context(), ann, search.ID, hit.ID)
	noError(t, err)
	if got.Decision != kyc.TrueMatch || got.Note != "xxxxxxxx" || got.DecidedBy != 7 || !got.DecidedAt.Equal(noon) {
		t.Errorf("the hit is %+v", got)
	}
	past, err := s.other.KYCHistory(t.Context(), ann, hit.ID)
	noError(t, err)
	if len(past) != 8 || past[0].Number != 8 || past[0].Note != "xxxxxxxx" || past[7].Note != "x" {
		t.Errorf("the history is %+v", past)
	}
}

func kycRemembered(t *testing.T, s nodes) {
	basis := kyc.Basis{Subject: kyc.Facts{Names: []string{"Åda"}}, Entry: kyc.Facts{Born: []string{"1970"}}}
	var rulings []kyc.Ruling
	for i, name := range []string{"Brook", "Brook", "Vale"} {
		search := aSearch(i+1, name)
		hit := aHit(search, 1, 90, kyc.Undecided)
		other := aHit(search, 2, 90, kyc.Undecided)
		search = addSearch(t, s, ann, search, hit, other)
		for _, h := range []kyc.SavedHit{hit, other} {
			r := kyc.Ruling{Hit: h.ID, Number: 1, Entry: h.Entry, Decision: kyc.FalsePositive, Note: name, At: noon.Add(-time.Duration(i) * time.Hour), By: 7, Basis: basis}
			_, err := s.DecideKYCHit(t.Context(), ann, search, h.ID, func(*kyc.SavedHit) kyc.Ruling { return r })
			noError(t, err)
			if h.Entry == 1 {
				rulings = append(rulings, r)
			}
		}
	}
	got, err := s.other.KYCRulings(t.Context(), ann, "hash of Brook", []kyc.EntryID{1, 9})
	noError(t, err)
	same(t, "remembered", got, map[kyc.EntryID][]kyc.Ruling{1: {rulings[1], rulings[0]}})
}

func aSchedule(n int, of kyc.Search) kyc.Schedule {
	return kyc.Schedule{
		ID: kyc.ScheduleID(fmt.Sprintf("schedule-%d", n)), Search: of.ID, Threshold: 80, Datasets: []kyc.Dataset{kyc.SAN}, Email: true, Recipients: []string{"a@b.example"},
		CreatedAt: noon.Add(time.Duration(n) * time.Minute), CreatedBy: 3, ModifiedAt: noon, ModifiedBy: 3,
	}
}

func kycScheduled(t *testing.T, s nodes) {
	search := addSearch(t, s, ann, aSearch(1, "Brook"))
	one := aSchedule(1, search)
	noError(t, s.AddKYCSchedule(t.Context(), ann, one))
	err := s.other.AddKYCSchedule(t.Context(), ann, aSchedule(2, search))
	if v, ok := fault.Of(err); !ok || v.Kind != fault.Conflict {
		t.Errorf("got %v, want a conflict", err)
	}
	isMissing(t, s.AddKYCSchedule(t.Context(), carol, aSchedule(3, search)))
	search.Schedule = one.ID
	one.Of = search
	got, err := s.other.KYCSchedule(t.Context(), ann, one.ID)
	noError(t, err)
	same(t, "schedule", got, one)
	_, err = s.KYCSchedule(t.Context(), carol, one.ID)
	isMissing(t, err)
	_, err = s.UpdateKYCSchedule(t.Context(), carol, one.ID, func(*kyc.Schedule) error { return nil })
	isMissing(t, err)
	isMissing(t, s.EndKYCSchedule(t.Context(), carol, one.ID))
	_, err = s.UpdateKYCSchedule(t.Context(), ann, one.ID, func(c *kyc.Schedule) error {
		c.Threshold, c.Email, c.ModifiedBy = 90, false, 9
		return nil
	})
	noError(t, err)
	one.Threshold, one.Email, one.ModifiedBy = 90, false, 9
	page, err := s.other.KYCSchedules(t.Context(), ann, kyc.ScheduleQuery{Limit: 5})
	noError(t, err)
	same(t, "listed", page, kyc.Page[kyc.Schedule]{List: []kyc.Schedule{one}, Total: 1})
	noError(t, s.EndKYCSchedule(t.Context(), ann, one.ID))
	isMissing(t, s.EndKYCSchedule(t.Context(), ann, one.ID))
	page, err = s.other.KYCSchedules(t.Context(), ann, kyc.ScheduleQuery{Limit: 5})
	noError(t, err)
	same(t, "ended", page, kyc.Page[kyc.Schedule]{})
	again, err := s.KYCSearch(t.Context(), ann, search.ID)
	noError(t, err)
	if again.Schedule != "" {
		t.Errorf("the search is still on %s", again.Schedule)
	}
	noError(t, s.AddKYCSchedule(t.Context(), ann, aSchedule(2, search)))
}

func kycWatched(t *testing.T, s nodes) {
	for i := range 3 {
		by := ann
		if i == 1 {
			by = carol
		}
		search := addSearch(t, s, by, aSearch(i+1, fmt.Sprint("Brook", i)))
		noError(t, s.AddKYCSchedule(t.Context(), by, aSchedule(i, search)))
	}
	names := func(after kyc.ScheduleID, limit int) (out []string) {
		list, err := s.other.KYCWatched(t.Context(), after, limit)
		noError(t, err)
		for _, w := range list {
			out = append(out, fmt.Sprint(w.Customer, w.Schedule.Of.Subject.Last, w.Schedule.Threshold))
		}
		return out
	}
	same(t, "first", names("", 2), []string{fmt.Sprint(ann.Customer, "Brook0", 80), fmt.Sprint(carol.Customer, "Brook1", 80)})
	same(t, "rest", names("schedule-1", 2), []string{fmt.Sprint(ann.Customer, "Brook2", 80)})
}

func kycAlerts(t *testing.T, s nodes) {
	search := aSearch(1, "Brook")
	old := aHit(search, 1, 80, kyc.FalsePositive)
	search = addSearch(t, s, ann, search, old)
	noError(t, s.AddKYCSchedule(t.Context(), ann, aSchedule(1, search)))
	alert := func(n int, supersedes kyc.HitID) kyc.Alert {
		h := aHit(search, n, 90, kyc.Undecided)
		h.Supersedes = supersedes
		return kyc.Alert{SavedHit: h, Customer: ann.Customer, Schedule: "schedule-1", Person: true}
	}
	first, second, third := alert(2, ""), alert(3, old.ID), alert(4, "")
	noError(t, s.AddKYCAlerts(t.Context(), []kyc.Alert{first, second}))
	noError(t, s.other.AddKYCAlerts(t.Context(), []kyc.Alert{third}))
	first.Alert, second.Alert, third.Alert = 1, 2, 3
	page, err := s.other.KYCAlerts(t.Context(), ann, kyc.AlertQuery{Limit: 2})
	noError(t, err)
	same(t, "the newest", page, kyc.Page[kyc.Alert]{List: []kyc.Alert{third, second}, Total: 3, More: true})
	page, err = s.KYCAlerts(t.Context(), ann, kyc.AlertQuery{Limit: 2, After: 2})
	noError(t, err)
	same(t, "behind them", page, kyc.Page[kyc.Alert]{List: []kyc.Alert{first}, Total: 3})
	page, err = s.KYCAlerts(t.Context(), carol, kyc.AlertQuery{Limit: 2})
	noError(t, err)
	same(t, "a stranger's", page, kyc.Page[kyc.Alert]{})
	got, err := s.KYCHit(t.Context(), ann, search.ID, old.ID)
	noError(t, err)
	if got.Current {
		t.Error("what was superseded is still current")
	}
}

func kycAlertsAreTold(t *testing.T, s nodes) {
	search := addSearch(t, s, ann, aSearch(1, "Brook"))
	noError(t, s.AddKYCSchedule(t.Context(), ann, aSchedule(1, search)))
	hook, err := s.CreateWebhook(t.Context(), ann, monitor.Webhook{Customer: ann.Customer, URL: "https://example.com/all"}, 10)
	noError(t, err)
	_, err = s.CreateWebhook(t.Context(), ann, monitor.Webhook{Customer: ann.Customer, URL: "https://example.com/some", Rules: []int{5001}}, 10)
	noError(t, err)
	_, err = s.CreateWebhook(t.Context(), carol, monitor.Webhook{Customer: carol.Customer, URL: "https://example.com/other"}, 10)
	noError(t, err)
	alert := kyc.Alert{SavedHit: aHit(search, 2, 90, kyc.Undecided), Customer: ann.Customer, Schedule: "schedule-1", Person: true, List: "un-sanctions", Cause: kyc.NewHit, At: noon}
	again, gone := alert, alert
	again.ID += "-again"
	gone.Search, gone.ID = aSearch(9, "").ID, gone.ID+"-gone"
	noError(t, s.AddKYCAlerts(t.Context(), []kyc.Alert{alert, again, gone}))
	noError(t, s.other.AddKYCAlerts(t.Context(), []kyc.Alert{again}))
	list, err := s.other.EventsAfter(t.Context(), 0, 10)
	noError(t, err)
	if len(list) != 1 {
		t.Fatalf("%d events, want 1: %+v", len(list), list)
	}
	e := list[0]
	if !e.IsAlert() || e.Customer != ann.Customer || string(e.Company) != string(search.ID) || e.Name+e.Old+e.Why != "" {
		t.Errorf("told as %+v", e)
	}
	same(t, "what is told", kyc.ReadNotice(e.New), kyc.Notice{
		Alert: 1, Cause: kyc.NewHit, Search: search.ID, Type: "individual", Schedule: "schedule-1", Hit: alert.ID, List: "un-sanctions",
	})
	for by, want := range map[auth.Caller]int{ann: 1, carol: 0} {
		mine, err := s.Feed(t.Context(), by, true, 0, 10, 10)
		noError(t, err)
		none, err := s.Feed(t.Context(), by, false, 0, 10, 10)
		noError(t, err)
		if len(mine) != want || len(none) != 0 {
			t.Errorf("%v reads %d alerts, and %d without screening", by, len(mine), len(none))
		}
	}
	news, err := s.Round(t.Context(), 0, 0, 10)
	noError(t, err)
	same(t, "deliveries", len(news.Deliveries), 1)
	same(t, "delivered to", news.Deliveries[0].Webhook, hook.ID)
	n, _, err := s.Replay(t.Context(), ann, hook.ID, monitor.ReplayQuery{Since: 1}, 10)
	noError(t, err)
	same(t, "what waits is not asked for again", n, 0)
	page, err := s.Events(t.Context(), ann, monitor.EventQuery{Limit: 10})
	noError(t, err)
	same(t, "events of portfolios", len(page.List), 0)
}

func kycWatchedOf(t *testing.T, s nodes) {
	profile := func(n int, number string) kyc.ProfileID {
		p := kyc.Profile{ID: kyc.ProfileID(fmt.Sprint("profile-", n)), Name: "x", Type: "company", Details: kyc.Details{Country: "gb", Number: number}}
		noError(t, s.AddProfile(t.Context(), ann, p))
		return p.ID
	}
	one, two := profile(1, "0 12"), profile(2, "34")
	for n, person := range []bool{false, false, true, false} {
		search := aSearch(n+1, "Brook")
		search.Subject.Person = person
		search = addSearch(t, s, ann, search)
		if n != 3 {
			noError(t, s.AddKYCSchedule(t.Context(), ann, aSchedule(n+1, search)))
		}
		of := one
		if n == 1 {
			of = two
		}
		noError(t, s.LinkSearch(t.Context(), ann, of, search.ID, kyc.Act{}))
	}
	got, err := s.other.KYCWatchedOf(t.Context(), []company.ID{"GB-0-012", "GB-0-99"})
	noError(t, err)
	if len(got) != 1 || got[0].Company != "GB-0-012" || got[0].Customer != ann.Customer || got[0].Schedule.ID != "schedule-1" {
		t.Errorf("got %+v", got)
	}
}
