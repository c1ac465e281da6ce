package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// members are the promises of monitor.MemberStore about what is in a portfolio.
var members = []promise{
	{"what is added is there as it was noted; what is there already stays as it is", membersAdded},
	{"with one unknown company none is put in", unknownCompany},
	{"a company that many nodes add at once is in once, and watched once", addedAtOnce},
	{"what is added is watched for the changes after, what is removed for those before", watchedByNumber},
	{"what is removed and added again is watched without a gap, and twice for nothing", watchedAgain},
	{"no change comes between the number that a watcher gets and its commit", watchedExactly},
	{"companies are removed by name or all, and counted", membersRemoved},
	{"a replaced portfolio holds the list and nothing else; new notes take the place of old", membersReplaced},
	{"a company's notes are edited, or stay if the edit fails", memberEdited},
}

func ids(list ...company.ID) []company.ID { return list }

// someCompanies keeps GB-0-1, GB-0-2 …
func someCompanies(t tb, s company.Store, n int) {
	t.Helper()
	var u company.Update
	for i := range n {
		u.Companies = append(u.Companies, aSaved(company.NewID("GB", fmt.Sprint(i+1)), fmt.Sprint("Company ", i+1)))
	}
	write(t, s, u)
}

// someChange lets something happen to a company, and returns its number.
func someChange(t tb, s company.Store, id company.ID) int64 {
	t.Helper()
	write(t, s, company.Update{Changes: []company.Change{aChange(id, "x")}})
	n, err := s.LastChange(t.Context())
	noError(t, err)
	return n
}

// add puts companies into a portfolio.
func add(t tb, s monitor.MemberStore, by auth.Caller, id monitor.PortfolioID, list ...company.ID) {
	t.Helper()
	var members []monitor.Member
	for _, c := range list {
		members = append(members, monitor.Member{Company: c})
	}
	_, err := s.AddMembers(t.Context(), by, id, members)
	noError(t, err)
}

func listOf(t tb, s monitor.MemberStore, by auth.Caller, id monitor.PortfolioID, q monitor.MemberQuery) monitor.Members {
	t.Helper()
	q.Limit = cmp.Or(q.Limit, 1_000_000)
	list, err := s.Members(t.Context(), by, id, q)
	noError(t, err)
	return list
}

func memberIDs(t tb, s monitor.MemberStore, by auth.Caller, id monitor.PortfolioID) (out []company.ID) {
	t.Helper()
	for _, m := range listOf(t, s, by, id, monitor.MemberQuery{}).List {
		out = append(out, m.Company)
	}
	return out
}

// watchers are who watches companies, in order.
func watchers(t tb, s monitor.EngineStore, list ...company.ID) (out []monitor.Watcher) {
	t.Helper()
	noError(t, errOf(s.Watchers(t.Context(), list, func(w monitor.Watcher) { out = append(out, w) })))
	slices.SortFunc(out, func(a, b monitor.Watcher) int {
		return cmp.Or(cmp.Compare(a.Company, b.Company), cmp.Compare(a.Portfolio, b.Portfolio), cmp.Compare(a.Since, b.Since))
	})
	return out
}

// told keeps an event about a company.
func told(t tb, s Store, of auth.CustomerID, id monitor.PortfolioID, about company.ID, at time.Time) {
	t.Helper()
	n := someChange(t, s, about)
	_, err := s.Tell(t.Context(), []monitor.Event{{
		Customer: of, Portfolio: id, Company: about, Name: "x", Country: "XX", Rule: 105, Version: 1,
		Change: n, Field: company.FieldAddress, Source: "src", At: at,
	}}, []job.Place{})
	noError(t, err)
}

func membersAdded(t *testing.T, s nodes) {
	someCompanies(t, s, 4)
	p := create(t, s, ann, aPortfolio("one"))
	given := []monitor.Member{
		{Company: "GB-0-2", Reference: "ref", Notes: "notes\nand \"more\" ä", Limit: "10 000"},
		{Company: "GB-0-1"},
		{Company: "GB-0-2", Reference: "named twice"},
	}
	there, err := s.AddMembers(t.Context(), ann, p.ID, given)
	noError(t, err)
	same(t, "there already", there, ids())
	got := listOf(t, s.other, ann, p.ID, monitor.MemberQuery{})
	if got.Total != 2 || len(got.List) != 2 {
		t.Fatalf("got %+v, want two", got)
	}
	for i, want := range []monitor.Member{given[1], given[0]} {
		m := got.List[i]
		if m.AddedAt.Before(p.CreatedAt) || !m.AddedAt.Equal(m.ChangedAt) || !m.LastEventAt.IsZero() {
			t.Errorf("%s was added at %s, changed at %s, told at %s", m.Company, m.AddedAt, m.ChangedAt, m.LastEventAt)
		}
		want.AddedAt, want.ChangedAt = m.AddedAt, m.ChangedAt
		same(t, "a company", m, want)
	}
	there, err = s.other.AddMembers(t.Context(), ann, p.ID, []monitor.Member{
		{Company: "GB-0-3"}, {Company: "GB-0-2", Reference: "other"}, {Company: "GB-0-1", Notes: "other"},
	})
	noError(t, err)
	same(t, "there already", there, ids("GB-0-2", "GB-0-1"))
	after := listOf(t, s, ann, p.ID, monitor.MemberQuery{})
	same(t, "what was there", after.List[:2], got.List)
	same(t, "all", memberIDs(t, s, ann, p.ID), ids("GB-0-1", "GB-0-2", "GB-0-3"))
	if n := len(watchers(t, s, "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4")); n != 3 {
		t.Errorf("%d watchers for 3 companies", n)
	}
	there, err = s.AddMembers(t.Context(), ann, p.ID, nil)
	if err != nil || len(there) != 0 {
		t.Errorf("to add nothing: %v, %v", there, err)
	}
}

func unknownCompany(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	p := create(t, s, ann, aPortfolio("one"))
	add(t, s, ann, p.ID, "GB-0-2")
	list := []monitor.Member{{Company: "GB-0-1"}, {Company: "GB-0-404"}}
	_, err := s.AddMembers(t.Context(), ann, p.ID, list)
	wantKind(t, err, fault.Missing)
	if v, _ := fault.Of(err); v.Text != monitor.NoCompany || len(v.Details) != 1 {
		t.Errorf("it says %+v, want which company is unknown", v)
	}
	_, _, err = s.ReplaceMembers(t.Context(), ann, p.ID, list)
	wantKind(t, err, fault.Missing)
	same(t, "what is in", memberIDs(t, s, ann, p.ID), ids("GB-0-2"))
	if w := watchers(t, s, "GB-0-1", "GB-0-404"); len(w) != 0 {
		t.Errorf("watched are %v", w)
	}
}

func addedAtOnce(t *testing.T, s nodes) {
	someCompanies(t, s, 20)
	p := create(t, s, ann, aPortfolio("one"))
	share(t, s, p.ID, monitor.View|monitor.Add)
	var mu sync.Mutex
	put := 0
	var wg sync.WaitGroup
	for n, node := range []Store{s.Store, s.other} {
		for range 3 {
			wg.Go(func() {
				for i := range 20 {
					there, err := node.AddMembers(t.Context(), []auth.Caller{ann, bob}[n], p.ID, []monitor.Member{{Company: company.NewID("GB", fmt.Sprint(i+1))}})
					noErrorf(t, err)
					mu.Lock()
					put += 1 - len(there)
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	list := memberIDs(t, s, ann, p.ID)
	if put != 20 || len(list) != 20 || len(watchers(t, s, list...)) != 20 {
		t.Errorf("%d were put in; %d are in and %d watched, want 20", put, len(list), len(watchers(t, s, list...)))
	}
}

// span is for which changes a company is watched.
type span struct{ since, until int64 }

func spans(t tb, s monitor.EngineStore, id company.ID) (out []span) {
	t.Helper()
	for _, w := range watchers(t, s, id) {
		out = append(out, span{w.Since, w.Until})
	}
	return out
}

func watchedByNumber(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	p := create(t, s, ann, aPortfolio("one"))
	first := someChange(t, s, "GB-0-1")
	add(t, s.other, ann, p.ID, "GB-0-1")
	same(t, "added", watchers(t, s, "GB-0-1"), []monitor.Watcher{{
		Company: "GB-0-1", Portfolio: p.ID, Customer: ann.Customer, Since: first, Until: monitor.Forever,
	}})
	second := someChange(t, s, "GB-0-2") // the number is the log's, not the company's
	_, err := s.other.RemoveMembers(t.Context(), ann, p.ID, ids("GB-0-1"))
	noError(t, err)
	someChange(t, s, "GB-0-1")
	same(t, "removed", spans(t, s, "GB-0-1"), []span{{first, second}})
}

func watchedAgain(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one"))
	remove := func() {
		t.Helper()
		_, err := s.RemoveMembers(t.Context(), ann, p.ID, nil)
		noError(t, err)
	}
	first := someChange(t, s, "GB-0-1")
	add(t, s, ann, p.ID, "GB-0-1")
	remove()
	same(t, "in and out with no change between", spans(t, s, "GB-0-1"), []span(nil))
	add(t, s, ann, p.ID, "GB-0-1")
	second := someChange(t, s, "GB-0-1")
	for range 3 { // with no change between
		remove()
		add(t, s, ann, p.ID, "GB-0-1")
	}
	same(t, "out and in again", spans(t, s, "GB-0-1"), []span{{first, second}, {second, monitor.Forever}})
	third := someChange(t, s, "GB-0-1")
	remove()
	someChange(t, s, "GB-0-1")
	same(t, "out", spans(t, s, "GB-0-1"), []span{{first, second}, {second, third}})
	noError(t, s.Unwatch(t.Context(), third))
	same(t, "forgotten", spans(t, s, "GB-0-1"), []span(nil))
}

// watchedExactly lets a reader of the log look for a watcher right after it saw
// a change, while companies come and go: it must find all whose numbers say so,
// and none that ended before.
func watchedExactly(t *testing.T, s nodes) {
	const rounds = 25
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one"))
	stop, turn, wait := changing(t, s.other, "GB-0-1")
	seen := map[int64]bool{} // change → told
	wait.Go(func() {
		at := int64(0)
		for last := false; !last; {
			select {
			case <-stop.said:
				last = true // and look once more
			default:
			}
			list, err := s.Changes(t.Context(), at, 1000)
			noErrorf(t, err)
			var spans []span
			noErrorf(t, errOf(s.Watchers(t.Context(), ids("GB-0-1"), func(w monitor.Watcher) { spans = append(spans, span{w.Since, w.Until}) })))
			for _, c := range list {
				at = c.Number
				seen[at] = slices.ContainsFunc(spans, func(s span) bool { return at > s.since && at <= s.until })
			}
		}
	})
	for range rounds {
		turn()
		add(t, s, ann, p.ID, "GB-0-1")
		_, err := s.RemoveMembers(t.Context(), ann, p.ID, nil)
		noError(t, err)
	}
	stop.now()
	wait.Wait()
	final := spans(t, s, "GB-0-1")
	for n, told := range seen {
		want := slices.ContainsFunc(final, func(s span) bool { return n > s.since && n <= s.until })
		if told != want {
			t.Errorf("change %d was told: %v; the numbers say %v", n, told, want)
		}
	}
}

// An ending is told once, to all who wait for it.
type ending struct {
	said chan struct{}
	once sync.Once
}

func (e *ending) now() { e.once.Do(func() { close(e.said) }) }

// changing writes changes of a company from another node while a test goes on,
// a few for each turn of the test: waiting for a locked file is not fair, and a
// writer without a pause keeps everybody else out. It ends with the test.
func changing(t *testing.T, s company.Store, id company.ID) (stop *ending, turn func(), wait *sync.WaitGroup) {
	const each = 8
	stop, wait = &ending{said: make(chan struct{})}, new(sync.WaitGroup)
	turns := make(chan struct{}, 1)
	wait.Go(func() {
		for {
			select {
			case <-stop.said:
				return
			case <-turns:
				for range each {
					someChangeOf(t, s, id)
				}
			}
		}
	})
	t.Cleanup(func() {
		stop.now()
		wait.Wait()
	})
	turn = func() {
		select {
		case turns <- struct{}{}:
		default: // it is still at the last one
		}
	}
	return stop, turn, wait
}

func someChangeOf(t *testing.T, s company.Store, id company.ID) {
	err := s.Write(t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{aChange(id, "x")}}, nil
	})
	noErrorf(t, err)
}

func membersRemoved(t *testing.T, s nodes) {
	someCompanies(t, s, 6)
	p := create(t, s, ann, aPortfolio("one"))
	other := create(t, s, ann, aPortfolio("other"))
	for _, id := range []monitor.PortfolioID{p.ID, other.ID} {
		add(t, s, ann, id, "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5")
	}
	for _, c := range []struct {
		list []company.ID
		n    int
		left []company.ID
	}{
		{[]company.ID{}, 0, ids("GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5")},
		{ids("GB-0-2", "GB-0-6", "GB-0-404", "GB-0-4", "GB-0-2"), 2, ids("GB-0-1", "GB-0-3", "GB-0-5")},
		{ids("GB-0-2"), 0, ids("GB-0-1", "GB-0-3", "GB-0-5")},
		{nil, 3, ids()},
		{nil, 0, ids()},
	} {
		n, err := s.other.RemoveMembers(t.Context(), ann, p.ID, c.list)
		noError(t, err)
		if n != c.n {
			t.Errorf("of %v %d were removed, want %d", c.list, n, c.n)
		}
		same(t, fmt.Sprint("after ", c.list), memberIDs(t, s, ann, p.ID), c.left)
	}
	same(t, "the other portfolio", memberIDs(t, s, ann, other.ID), ids("GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5"))
	for _, w := range watchers(t, s, "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5") {
		if w.Portfolio != other.ID || w.Until != monitor.Forever {
			t.Errorf("there is a watcher %+v", w)
		}
	}
}

func membersReplaced(t *testing.T, s nodes) {
	someCompanies(t, s, 5)
	p := create(t, s, ann, aPortfolio("one"))
	_, err := s.AddMembers(t.Context(), ann, p.ID, []monitor.Member{
		{Company: "GB-0-1", Reference: "old"}, {Company: "GB-0-2", Notes: "same"}, {Company: "GB-0-3"},
	})
	noError(t, err)
	was := listOf(t, s, ann, p.ID, monitor.MemberQuery{}).List
	n := someChange(t, s, "GB-0-1")
	added, removed, err := s.other.ReplaceMembers(t.Context(), ann, p.ID, []monitor.Member{
		{Company: "GB-0-5", Limit: "7"}, {Company: "GB-0-1", Reference: "new"}, {Company: "GB-0-2", Notes: "same"}, {Company: "GB-0-5"},
	})
	noError(t, err)
	if added != 1 || removed != 1 {
		t.Errorf("%d were added and %d removed, want one each", added, removed)
	}
	is := listOf(t, s, ann, p.ID, monitor.MemberQuery{}).List
	if len(is) != 3 || is[0].Reference != "new" || !is[0].AddedAt.Equal(was[0].AddedAt) || is[2].Company != "GB-0-5" || is[2].Limit != "7" {
		t.Errorf("it holds %+v", is)
	}
	same(t, "what did not change", is[1], was[1])
	same(t, "who stays is watched as before", len(spans(t, s, "GB-0-1")), 1)
	same(t, "who came", spans(t, s, "GB-0-5"), []span{{n, monitor.Forever}})
	if got := spans(t, s, "GB-0-3"); len(got) != 1 || got[0].until != n {
		t.Errorf("who went is watched %v", got)
	}
	added, removed, err = s.ReplaceMembers(t.Context(), ann, p.ID, nil)
	if err != nil || added != 0 || removed != 3 || len(memberIDs(t, s, ann, p.ID)) != 0 {
		t.Errorf("replaced by nothing: %d, %d, %v", added, removed, err)
	}
}

func memberEdited(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	p := create(t, s, ann, aPortfolio("one"))
	add(t, s, ann, p.ID, "GB-0-1")
	was, err := s.Member(t.Context(), ann, p.ID, "GB-0-1")
	noError(t, err)
	edit := func(m *monitor.Member) error {
		m.Reference, m.Notes, m.Limit = m.Reference+"a", "b", "c"
		return nil
	}
	noError(t, s.other.EditMember(t.Context(), ann, p.ID, "GB-0-1", edit))
	is, err := s.Member(t.Context(), ann, p.ID, "GB-0-1")
	noError(t, err)
	if is.Reference != "a" || is.Notes != "b" || is.Limit != "c" || !is.AddedAt.Equal(was.AddedAt) || is.ChangedAt.Before(was.ChangedAt) {
		t.Errorf("the edit left %+v", is)
	}
	refused := errors.New("refused")
	err = s.EditMember(t.Context(), ann, p.ID, "GB-0-1", func(m *monitor.Member) error { m.Notes = "z"; return refused })
	if !errors.Is(err, refused) {
		t.Errorf("got %v, want the edit's own error", err)
	}
	now, err := s.Member(t.Context(), ann, p.ID, "GB-0-1")
	noError(t, err)
	same(t, "after an edit that failed", now, is)
	for _, absent := range ids("GB-0-2", "GB-0-404", "") {
		_, err := s.Member(t.Context(), ann, p.ID, absent)
		wantKind(t, err, fault.Missing)
		err = s.EditMember(t.Context(), ann, p.ID, absent, edit)
		if v, _ := fault.Of(err); v.Kind != fault.Missing || v.Text != monitor.NoCompany {
			t.Errorf("to edit %q: %v", absent, err)
		}
	}
	var wg sync.WaitGroup
	for _, node := range []Store{s.Store, s.other} {
		for range 10 {
			wg.Go(func() { noErrorf(t, node.EditMember(t.Context(), ann, p.ID, "GB-0-1", edit)) })
		}
	}
	wg.Wait()
	if now, err = s.Member(t.Context(), ann, p.ID, "GB-0-1"); err != nil || len(now.Reference) != 21 {
		t.Errorf("%d of 20 edits at once are there (%v)", len(now.Reference)-1, err)
	}
}
