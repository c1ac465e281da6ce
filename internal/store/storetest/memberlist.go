package storetest

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// moves are the promises of monitor.MemberStore about several portfolios, and
// memberLists those about reading one.
var moves = []promise{
	{"companies are copied with their notes, where they are not there", membersCopied},
	{"companies move: what was put nowhere stays", membersMoved},
	{"a move takes all rights or does nothing", moveWhole},
	{"moves of two nodes against each other end", movesAtOnce},
	{"very many companies are added, copied, moved and cleared", manyMembers},
}

var memberLists = []promise{
	{"companies are listed in the order of their bytes, page by page or from any place", membersInOrder},
	{"companies are sorted by what a column shows, alike on every engine", membersSorted},
	{"companies are found by part of a name, number, reference or note, in any case and script", membersFound},
	{"companies with events are told from those without, and the newest event's time is known", membersTold},
	{"countries come in order, each once", countriesInOrder},
	{"bands are counted; a company without one is in the total alone", bandsCounted},
}

func move(t tb, s monitor.MemberStore, from, to monitor.PortfolioID, list []company.ID, out bool, wantDone, wantAll int) {
	t.Helper()
	done, all, err := s.MoveMembers(t.Context(), ann, from, []monitor.PortfolioID{to}, list, out)
	noError(t, err)
	if done != wantDone || all != wantAll {
		t.Errorf("%d of %d were done, want %d of %d", done, all, wantDone, wantAll)
	}
}

func membersCopied(t *testing.T, s nodes) {
	someCompanies(t, s, 5)
	a, b, c := create(t, s, ann, aPortfolio("a")), create(t, s, ann, aPortfolio("b")), create(t, s, ann, aPortfolio("c"))
	_, err := s.AddMembers(t.Context(), ann, a.ID, []monitor.Member{
		{Company: "GB-0-1", Reference: "r", Notes: "n", Limit: "l"}, {Company: "GB-0-2"}, {Company: "GB-0-3"},
	})
	noError(t, err)
	add(t, s, ann, b.ID, "GB-0-2")
	n := someChange(t, s, "GB-0-1")
	move(t, s.other, a.ID, b.ID, ids("GB-0-1", "GB-0-2", "GB-0-4", "GB-0-404", "GB-0-1"), false, 1, 4)
	same(t, "b", memberIDs(t, s, ann, b.ID), ids("GB-0-1", "GB-0-2"))
	got, err := s.Member(t.Context(), ann, b.ID, "GB-0-1")
	noError(t, err)
	if got.Reference != "r" || got.Notes != "n" || got.Limit != "l" || got.AddedAt.IsZero() {
		t.Errorf("the copy is %+v", got)
	}
	for _, w := range watchers(t, s, "GB-0-1") {
		if w.Portfolio == b.ID && (w.Since != n || w.Until != monitor.Forever || w.Customer != ann.Customer) {
			t.Errorf("the copy is watched by %+v", w)
		}
	}
	done, all, err := s.MoveMembers(t.Context(), ann, a.ID, []monitor.PortfolioID{b.ID, c.ID, b.ID}, nil, false)
	if noError(t, err); done != 4 || all != 6 {
		t.Errorf("%d of %d were done, want 4 of 6", done, all)
	}
	for _, p := range []monitor.Portfolio{a, b, c} {
		same(t, p.Name, memberIDs(t, s, ann, p.ID), ids("GB-0-1", "GB-0-2", "GB-0-3"))
	}
	if n := len(watchers(t, s, "GB-0-1", "GB-0-2", "GB-0-3")); n != 9 {
		t.Errorf("%d watchers for 9 companies", n)
	}
	_, _, err = s.MoveMembers(t.Context(), ann, a.ID, []monitor.PortfolioID{b.ID, a.ID}, nil, true)
	wantKind(t, err, fault.Invalid)
	move(t, s, a.ID, b.ID, []company.ID{}, true, 0, 0)
	same(t, "a", memberIDs(t, s, ann, a.ID), ids("GB-0-1", "GB-0-2", "GB-0-3"))
}

func membersMoved(t *testing.T, s nodes) {
	someCompanies(t, s, 4)
	a, b := create(t, s, ann, aPortfolio("a")), create(t, s, ann, aPortfolio("b"))
	add(t, s, ann, a.ID, "GB-0-1", "GB-0-2", "GB-0-3")
	add(t, s, ann, b.ID, "GB-0-2")
	n := someChange(t, s, "GB-0-1")
	move(t, s.other, a.ID, b.ID, ids("GB-0-1", "GB-0-2", "GB-0-4"), true, 1, 3)
	same(t, "a", memberIDs(t, s, ann, a.ID), ids("GB-0-2", "GB-0-3"))
	same(t, "b", memberIDs(t, s, ann, b.ID), ids("GB-0-1", "GB-0-2"))
	for _, w := range watchers(t, s, "GB-0-1") {
		if w.Portfolio == a.ID && w.Until != n || w.Portfolio == b.ID && w.Since != n {
			t.Errorf("at change %d it moved from one watcher to the next: %+v", n, w)
		}
	}
	move(t, s, a.ID, b.ID, nil, true, 1, 2)
	same(t, "a after all moved", memberIDs(t, s, ann, a.ID), ids("GB-0-2"))
	same(t, "b after all moved", memberIDs(t, s, ann, b.ID), ids("GB-0-1", "GB-0-2", "GB-0-3"))
}

func moveWhole(t *testing.T, s nodes) {
	someCompanies(t, s, 2)
	theirs, mine := create(t, s, ann, aPortfolio("ann's")), create(t, s, bob, aPortfolio("bob's"))
	hers := create(t, s, eve, aPortfolio("eve's"))
	add(t, s, ann, theirs.ID, "GB-0-1", "GB-0-2")
	try := func(want fault.Kind, out bool, to ...monitor.PortfolioID) {
		t.Helper()
		_, _, err := s.MoveMembers(t.Context(), bob, theirs.ID, to, nil, out)
		wantKind(t, err, want)
	}
	try(fault.Missing, false, mine.ID)
	share(t, s, theirs.ID, monitor.View)
	try(fault.Denied, true, mine.ID)
	try(fault.Missing, false, mine.ID, hers.ID)
	try(fault.Missing, false, mine.ID, 77)
	if got := memberIDs(t, s, bob, mine.ID); len(got) != 0 {
		t.Errorf("a move that was refused left %v", got)
	}
	same(t, "what was to move", memberIDs(t, s, ann, theirs.ID), ids("GB-0-1", "GB-0-2"))
}

func movesAtOnce(t *testing.T, s nodes) {
	someCompanies(t, s, 10)
	a, b := create(t, s, ann, aPortfolio("a")), create(t, s, ann, aPortfolio("b"))
	add(t, s, ann, a.ID, "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5")
	add(t, s, ann, b.ID, "GB-0-6", "GB-0-7", "GB-0-8", "GB-0-9", "GB-0-10")
	done := make(chan error, 40)
	for n, node := range []Store{s.Store, s.other} {
		for i := range 20 {
			from, to := a.ID, b.ID
			if (n+i)%2 == 0 {
				from, to = to, from
			}
			go func() {
				_, _, err := node.MoveMembers(t.Context(), ann, from, []monitor.PortfolioID{to}, nil, true)
				done <- err
			}()
		}
	}
	for range cap(done) {
		noError(t, <-done)
	}
	all := append(memberIDs(t, s, ann, a.ID), memberIDs(t, s, ann, b.ID)...)
	slices.Sort(all)
	if len(slices.Compact(all)) != 10 || len(all) != 10 {
		t.Errorf("of 10 companies there are %v", all)
	}
	open := 0
	for _, w := range watchers(t, s, all...) {
		if w.Until == monitor.Forever {
			open++
		}
	}
	if open != 10 {
		t.Errorf("%d are watched, want 10", open)
	}
}

func manyMembers(t *testing.T, s nodes) {
	n := 20_000
	if os.Getenv("BUREAU_PROVE") == "1" {
		n = 100_000
	}
	someCompanies(t, s, n)
	list := make([]monitor.Member, n)
	for i := range list {
		list[i] = monitor.Member{Company: company.NewID("GB", fmt.Sprint(i+1)), Reference: fmt.Sprint("r", i)}
	}
	a, b := create(t, s, ann, aPortfolio("a")), create(t, s, ann, aPortfolio("b"))
	_, err := s.AddMembers(t.Context(), ann, a.ID, list[:n/2])
	noError(t, err)
	there, err := s.AddMembers(t.Context(), ann, a.ID, list)
	noError(t, err)
	if len(there) != n/2 {
		t.Errorf("%d were there, want %d", len(there), n/2)
	}
	someChange(t, s, "GB-0-1")
	move(t, s, a.ID, b.ID, nil, false, n, n)
	removed, err := s.RemoveMembers(t.Context(), ann, a.ID, nil)
	noError(t, err)
	if removed != n {
		t.Errorf("%d were removed, want %d", removed, n)
	}
	move(t, s, b.ID, a.ID, nil, true, n, n)
	for i := range list {
		list[i].Reference = "new"
	}
	added, gone, err := s.ReplaceMembers(t.Context(), ann, a.ID, list[:n-10])
	noError(t, err)
	if added != 0 || gone != 10 {
		t.Errorf("replaced: %d added, %d removed; want 0 and 10", added, gone)
	}
	page := listOf(t, s, ann, a.ID, monitor.MemberQuery{Skip: n / 2, Limit: 1})
	if page.Total != int64(n-10) || page.List[0].Reference != "new" {
		t.Errorf("in the middle there is %+v", page)
	}
	noError(t, s.DeletePortfolio(t.Context(), ann, a.ID))
}

func membersInOrder(t *testing.T, s nodes) {
	all := manyCompanies(t, s)
	p := create(t, s, ann, aPortfolio("one"))
	var list []monitor.Member
	for i, id := range all {
		list = append(list, monitor.Member{Company: id, Reference: fmt.Sprint(i)})
	}
	_, err := s.AddMembers(t.Context(), ann, p.ID, list)
	noError(t, err)
	for _, q := range []monitor.MemberQuery{
		{Limit: 5},
		{Limit: 7, Skip: 3},
		{Limit: 10, Skip: len(all) - 4},
		{Limit: 10, Skip: len(all) + 4},
		{Limit: 9, After: all[0]},
		{Limit: 9, After: all[11]},
		{Limit: 9, After: all[len(all)-3]},
		{Limit: 2, After: "AX-0-", Skip: 2},
		{Limit: 9, After: "ZZ"},
		{Limit: 0},
	} {
		for _, search := range []string{"", "-0-"} { // which is in all of them
			q.Search = search
			var want []company.ID
			for _, id := range all {
				if id > q.After {
					want = append(want, id)
				}
			}
			want = want[min(q.Skip, len(want)):]
			want = want[:min(q.Limit, len(want))]
			got, err := s.other.Members(t.Context(), ann, p.ID, q)
			noError(t, err)
			var ids []company.ID
			for _, m := range got.List {
				ids = append(ids, m.Company)
			}
			same(t, fmt.Sprintf("%+v", q), ids, want)
			if got.Total != int64(len(all)) {
				t.Errorf("%+v: the total is %d, want %d", q, got.Total, len(all))
			}
		}
	}
	gb := listOf(t, s, ann, p.ID, monitor.MemberQuery{Country: "GB", Limit: 3})
	ax := listOf(t, s, ann, p.ID, monitor.MemberQuery{Country: "AX"})
	if gb.Total != 2500 || len(gb.List) != 3 || gb.List[0].Company.Country() != "GB" || ax.Total != 12 || len(ax.List) != 12 {
		t.Errorf("by country there are %d and %d, want 2500 and 12", gb.Total, ax.Total)
	}
	if none := listOf(t, s, ann, p.ID, monitor.MemberQuery{Country: "G"}); none.Total != 0 {
		t.Errorf("half a country has %d", none.Total)
	}
}

func membersSorted(t *testing.T, s nodes) {
	saved := func(id, name, status, band string) company.Saved {
		c := aSaved(company.ID(id), name)
		c.Status, c.Band = company.Status(status), band
		return c
	}
	write(t, s, company.Update{Companies: []company.Saved{
		saved("GB-0-1", "beta", "Active", "C"), saved("GB-0-2", "Alpha", "NonActive", ""), saved("GB-0-3", "ALPHA", "Active", "A"),
		saved("GB-0-4", "Ärger", "Pending", "B"), saved("GB-0-5", "_under", "Active", "A"),
	}})
	p := create(t, s, ann, aPortfolio("one"))
	_, err := s.AddMembers(t.Context(), ann, p.ID, []monitor.Member{
		{Company: "GB-0-1", Reference: "b"}, {Company: "GB-0-2", Reference: "A"}, {Company: "GB-0-3"}, {Company: "GB-0-4", Reference: "C"}, {Company: "GB-0-5", Reference: "10"},
	})
	noError(t, err)
	for _, c := range []struct {
		by       monitor.MemberSort
		up, down []company.ID
	}{
		{monitor.ByCompany, ids("GB-0-2", "GB-0-3", "GB-0-1", "GB-0-5", "GB-0-4"), ids("GB-0-4", "GB-0-5", "GB-0-1", "GB-0-2", "GB-0-3")},
		{monitor.ByStatus, ids("GB-0-1", "GB-0-3", "GB-0-5", "GB-0-2", "GB-0-4"), ids("GB-0-4", "GB-0-2", "GB-0-1", "GB-0-3", "GB-0-5")},
		{monitor.ByBand, ids("GB-0-3", "GB-0-5", "GB-0-4", "GB-0-1", "GB-0-2"), ids("GB-0-2", "GB-0-1", "GB-0-4", "GB-0-3", "GB-0-5")},
		{monitor.ByReference, ids("GB-0-3", "GB-0-5", "GB-0-2", "GB-0-1", "GB-0-4"), ids("GB-0-4", "GB-0-1", "GB-0-2", "GB-0-5", "GB-0-3")},
		{monitor.ByLastEvent, ids("GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5"), ids("GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5")},
	} {
		for _, search := range []string{"", "gb-0"} {
			for _, down := range []bool{false, true} {
				want := c.up
				if down {
					want = c.down
				}
				var got []company.ID
				for skip := 0; skip < 5; skip += 2 { // page by page
					for _, m := range listOf(t, s, ann, p.ID, monitor.MemberQuery{Search: search, Sort: c.by, Down: down, Skip: skip, Limit: 2}).List {
						got = append(got, m.Company)
					}
				}
				same(t, fmt.Sprintf("by %s, down %t, search %q", c.by, down, search), got, want)
			}
		}
	}
}

func membersFound(t *testing.T, s nodes) {
	write(t, s, company.Update{Companies: []company.Saved{
		aSaved("GB-0-1", "Müller & Söhne", company.Ident{Kind: company.BySafeNo, Value: "UK90000077"}), aSaved("GB-0-2", "MÜLLER 100% LTD"), aSaved("DE-0-3", "Ångström_AB"), aSaved("GB-0-44", "Other\\One"),
	}})
	p := create(t, s, ann, aPortfolio("one"))
	_, err := s.AddMembers(t.Context(), ann, p.ID, []monitor.Member{
		{Company: "GB-0-1"}, {Company: "GB-0-2", Reference: "KD-7%"}, {Company: "DE-0-3", Notes: "siehe\nΣΊΣΥΦΟΣ"}, {Company: "GB-0-44"},
	})
	noError(t, err)
	for search, want := range map[string][]company.ID{
		"müller": ids("GB-0-1", "GB-0-2"), "MÜLLER": ids("GB-0-1", "GB-0-2"), "mu\u0308ller": ids("GB-0-1", "GB-0-2"),
		" söhne ": ids("GB-0-1"), "ÅNGSTRÖM": ids("DE-0-3"), "%": ids("GB-0-2"), "100%": ids("GB-0-2"), "7%": ids("GB-0-2"),
		"_": ids("DE-0-3"), `\`: ids("GB-0-44"), "kd-7": ids("GB-0-2"), "σίσυφος": ids("DE-0-3"), "gb-0": ids("GB-0-1", "GB-0-2", "GB-0-44"),
		"44": ids("GB-0-44"), "uk9000": ids("GB-0-1"), "gb2": ids("GB-0-2"), "gb1": ids(), "nothing": ids(), "m_ller": ids(), "' OR 1=1 --": ids(), "  ": ids("DE-0-3", "GB-0-1", "GB-0-2", "GB-0-44"),
	} {
		got := listOf(t, s, ann, p.ID, monitor.MemberQuery{Search: search})
		var found []company.ID
		for _, m := range got.List {
			found = append(found, m.Company)
		}
		same(t, search, found, want)
		if got.Total != int64(len(want)) {
			t.Errorf("%q: the total is %d, want %d", search, got.Total, len(want))
		}
	}
	// One that left the register is found by the name that it had.
	write(t, s, company.Update{Removed: ids("DE-0-3"), Changes: []company.Change{
		{Company: "DE-0-3", Field: company.Removed, Old: "Ångström_AB", At: noon},
	}})
	if gone := listOf(t, s, ann, p.ID, monitor.MemberQuery{Search: "ångström"}); gone.Total != 1 || gone.List[0].Company != "DE-0-3" {
		t.Errorf("by its last name: %+v", gone)
	}
	got := listOf(t, s, ann, p.ID, monitor.MemberQuery{Search: "müller", Country: "GB", Skip: 1, Limit: 1})
	if got.Total != 2 || len(got.List) != 1 || got.List[0].Company != "GB-0-2" {
		t.Errorf("the second page of a search is %+v", got)
	}
}

func membersTold(t *testing.T, s nodes) {
	someCompanies(t, s, 3)
	p, other := create(t, s, ann, aPortfolio("one")), create(t, s, ann, aPortfolio("other"))
	for _, id := range []monitor.PortfolioID{p.ID, other.ID} {
		add(t, s, ann, id, "GB-0-1", "GB-0-2", "GB-0-3")
	}
	later := noon.Add(time.Hour)
	told(t, s, ann.Customer, p.ID, "GB-0-2", later)
	told(t, s, ann.Customer, p.ID, "GB-0-2", noon)
	told(t, s, ann.Customer, other.ID, "GB-0-3", noon)
	got := listOf(t, s.other, ann, p.ID, monitor.MemberQuery{Told: true})
	if got.Total != 1 || len(got.List) != 1 || got.List[0].Company != "GB-0-2" || !got.List[0].LastEventAt.Equal(later) {
		t.Errorf("those with events are %+v", got)
	}
	for _, m := range listOf(t, s, ann, p.ID, monitor.MemberQuery{}).List {
		if want := m.Company == "GB-0-2"; m.LastEventAt.IsZero() == want {
			t.Errorf("%s was told at %s", m.Company, m.LastEventAt)
		}
	}
	one, err := s.Member(t.Context(), ann, p.ID, "GB-0-2")
	if noError(t, err); !one.LastEventAt.Equal(later) {
		t.Errorf("it was told at %s, want %s", one.LastEventAt, later)
	}
	// What was told stays with the portfolio when the company goes and comes.
	_, err = s.RemoveMembers(t.Context(), ann, p.ID, nil)
	noError(t, err)
	add(t, s, ann, p.ID, "GB-0-2")
	if got := listOf(t, s, ann, p.ID, monitor.MemberQuery{Told: true, Search: "company"}); got.Total != 1 {
		t.Errorf("after it came again: %+v", got)
	}
}

func countriesInOrder(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	got, err := s.Countries(t.Context(), ann, p.ID)
	if err != nil || len(got) != 0 {
		t.Errorf("an empty portfolio has %v (%v)", got, err)
	}
	list := ids("SE-0-1", "GB-0-1", "DE-0-1", "GB-0-2", "DE-0-2")
	var u company.Update
	for _, id := range list {
		u.Companies = append(u.Companies, aSaved(id, "x"))
	}
	write(t, s, u)
	add(t, s, ann, p.ID, list...)
	got, err = s.other.Countries(t.Context(), ann, p.ID)
	noError(t, err)
	same(t, "countries", got, []string{"DE", "GB", "SE"})
}

func bandsCounted(t *testing.T, s nodes) {
	var u company.Update
	for i, band := range []string{"A", "B", "A", "", "E", "A"} {
		c := aSaved(company.NewID("GB", fmt.Sprint(i+1)), "x")
		c.Band = band
		u.Companies = append(u.Companies, c)
	}
	write(t, s, u)
	p := create(t, s, ann, aPortfolio("one"))
	add(t, s, ann, p.ID, "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4", "GB-0-5")
	bands := func(want monitor.Bands) {
		t.Helper()
		got, err := s.other.Bands(t.Context(), ann, p.ID)
		noError(t, err)
		same(t, "bands", got, want)
	}
	bands(monitor.Bands{Total: 5, Of: map[string]int64{"A": 2, "B": 1, "E": 1}})
	fell := aSaved("GB-0-1", "x")
	fell.New, fell.Band = false, "D"
	write(t, s, company.Update{Companies: []company.Saved{fell}})
	bands(monitor.Bands{Total: 5, Of: map[string]int64{"A": 1, "B": 1, "D": 1, "E": 1}})
	write(t, s, company.Update{Removed: ids("GB-0-5")}) // it left the register, not the portfolio
	bands(monitor.Bands{Total: 5, Of: map[string]int64{"A": 1, "B": 1, "D": 1}})
}
