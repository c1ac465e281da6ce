package storetest

import (
	"fmt"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/monitor"
)

// imports are the promises of monitor.ImportStore. A claim with no life has
// ended as soon as it is made.
var imports = []promise{
	{"a batch is added and its task kept at once, or neither", importKept},
	{"a portfolio is synced and its task finished at once, or neither", syncFinished},
	{"who is to stay is not removed by a sync", syncStays},
	{"who has lost a task imports and syncs nothing", importFenced},
	{"an import needs its rights at the time of each batch", importRights},
}

// importTask is a portfolio of ann's and a task that is being worked on.
func importTask(t tb, s nodes, life time.Duration) (monitor.PortfolioID, job.Task) {
	t.Helper()
	someCompanies(t, s, 5)
	id := create(t, s, ann, aPortfolio("one")).ID
	addTask(t, s, "import", "x")
	return id, claimTask(t, s, life, "import")
}

func memberList(list ...company.ID) (out []monitor.Member) {
	for _, c := range list {
		out = append(out, monitor.Member{Company: c})
	}
	return out
}

func importKept(t *testing.T, s nodes) {
	id, k := importTask(t, s, time.Hour)
	add(t, s, ann, id, "GB-0-2")
	note := func(there []company.ID) job.Task {
		same(t, "there already", there, ids("GB-0-2"))
		k.Notes, k.Done = []byte("{}"), 3
		return k
	}
	noError(t, s.ImportMembers(t.Context(), ann, id, memberList("GB-0-1", "GB-0-2", "GB-0-3"), time.Hour, k, note))
	same(t, "the portfolio", memberIDs(t, s.other, ann, id), ids("GB-0-1", "GB-0-2", "GB-0-3"))
	if got := task(t, s.other, k.ID); got.State != job.Working || got.Done != 3 || string(got.Notes) != "{}" {
		t.Errorf("kept as %+v", got)
	}
	before := task(t, s, k.ID)
	err := s.ImportMembers(t.Context(), ann, id, memberList("GB-0-4", "GB-0-99"), time.Hour, k, func([]company.ID) job.Task {
		k.Done = 9
		return k
	})
	wantKind(t, err, fault.Missing)
	same(t, "after an unknown company", memberIDs(t, s, ann, id), ids("GB-0-1", "GB-0-2", "GB-0-3"))
	same(t, "its task", task(t, s, k.ID), before)
}

func syncFinished(t *testing.T, s nodes) {
	id, k := importTask(t, s, time.Hour)
	add(t, s, ann, id, "GB-0-1", "GB-0-2")
	before := task(t, s, k.ID)
	never := func(int, int, int) job.Task {
		t.Error("a sync that failed was noted")
		return k
	}
	wantKind(t, s.SyncMembers(t.Context(), ann, id, memberList("GB-0-3", "GB-0-99"), monitor.Stay{}, k, never), fault.Missing)
	same(t, "after an unknown company", memberIDs(t, s, ann, id), ids("GB-0-1", "GB-0-2"))
	same(t, "its task", task(t, s, k.ID), before)
	noError(t, s.SyncMembers(t.Context(), ann, id, memberList("GB-0-2", "GB-0-3"), monitor.Stay{}, k, func(added, removed, kept int) job.Task {
		if added != 1 || removed != 1 || kept != 0 {
			t.Errorf("%d added, %d removed, %d kept; want one, one and none", added, removed, kept)
		}
		k.Result = []byte(`{"rows":2}`)
		return k
	}))
	same(t, "the portfolio", memberIDs(t, s.other, ann, id), ids("GB-0-2", "GB-0-3"))
	if got := task(t, s.other, k.ID); got.State != job.Done || string(got.Result) != `{"rows":2}` || got.FinishedAt.IsZero() {
		t.Errorf("finished as %+v", got)
	}
}

func syncStays(t *testing.T, s nodes) {
	someCompanies(t, s, 4)
	cases := []struct {
		stay          monitor.Stay
		want          []company.ID
		removed, kept int
	}{
		{monitor.Stay{}, ids("GB-0-1"), 3, 0},
		{monitor.Stay{All: true}, ids("GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4"), 0, 3},
		{monitor.Stay{Gone: true}, ids("GB-0-1", "GB-0-4"), 2, 1},
		{monitor.Stay{Of: ids("GB-0-3", "GB-0-1", "GB-0-99", "GB-0-3")}, ids("GB-0-1", "GB-0-3"), 2, 1},
		{monitor.Stay{Gone: true, Of: ids("GB-0-4", "GB-0-2")}, ids("GB-0-1", "GB-0-2", "GB-0-4"), 1, 2},
	}
	portfolios := make([]monitor.PortfolioID, len(cases))
	for i, c := range cases {
		portfolios[i] = create(t, s, ann, aPortfolio(fmt.Sprint(c.stay))).ID
		add(t, s, ann, portfolios[i], "GB-0-1", "GB-0-2", "GB-0-3", "GB-0-4")
		noError(t, s.EditMember(t.Context(), ann, portfolios[i], "GB-0-4", func(m *monitor.Member) error {
			m.Reference = "mine"
			return nil
		}))
	}
	write(t, s, company.Update{Removed: ids("GB-0-4")})
	for i, c := range cases {
		id := portfolios[i]
		addTask(t, s, "import", "x")
		k := claimTask(t, s, time.Hour, "import")
		noError(t, s.other.SyncMembers(t.Context(), ann, id, memberList("GB-0-1"), c.stay, k, func(added, removed, kept int) job.Task {
			if added != 0 || removed != c.removed || kept != c.kept {
				t.Errorf("%+v: %d added, %d removed, %d kept; want 0, %d, %d", c.stay, added, removed, kept, c.removed, c.kept)
			}
			return k
		}))
		same(t, "the portfolio", memberIDs(t, s, ann, id), c.want)
		if m, err := s.Member(t.Context(), ann, id, "GB-0-4"); err == nil && m.Reference != "mine" {
			t.Errorf("%+v: the notes of who stayed are %+v", c.stay, m)
		}
	}
}

func importFenced(t *testing.T, s nodes) {
	id, k := importTask(t, s, 0)
	add(t, s, ann, id, "GB-0-1")
	now := claimTask(t, s.other, time.Hour, "import")
	for range 2 { // taken over, then over
		before := task(t, s, k.ID)
		err := s.ImportMembers(t.Context(), ann, id, memberList("GB-0-2"), time.Hour, k, func([]company.ID) job.Task { return k })
		wantKind(t, err, fault.Conflict)
		err = s.SyncMembers(t.Context(), ann, id, memberList("GB-0-2"), monitor.Stay{}, k, func(int, int, int) job.Task { return k })
		wantKind(t, err, fault.Conflict)
		same(t, "the portfolio", memberIDs(t, s, ann, id), ids("GB-0-1"))
		same(t, "the task", task(t, s, k.ID), before)
		if before.State == job.Working {
			noError(t, s.other.FinishTask(t.Context(), now))
		}
	}
}

func importRights(t *testing.T, s nodes) {
	id, k := importTask(t, s, time.Hour)
	note := func([]company.ID) job.Task { return k }
	done := func(int, int, int) job.Task { return k }
	for _, c := range []struct {
		rights monitor.Rights
		want   fault.Kind
	}{{0, fault.Missing}, {monitor.View, fault.Denied}} {
		noError(t, s.SharePortfolio(t.Context(), ann, id, true, []monitor.Share{{Account: bob.Account, Rights: c.rights}}))
		wantKind(t, s.ImportMembers(t.Context(), bob, id, memberList("GB-0-2"), time.Hour, k, note), c.want)
		wantKind(t, s.SyncMembers(t.Context(), bob, id, memberList("GB-0-2"), monitor.Stay{}, k, done), c.want)
	}
	noError(t, s.SharePortfolio(t.Context(), ann, id, true, []monitor.Share{{Account: bob.Account, Rights: monitor.View | monitor.Add}}))
	noError(t, s.ImportMembers(t.Context(), bob, id, memberList("GB-0-2"), time.Hour, k, note))
	wantKind(t, s.SyncMembers(t.Context(), bob, id, memberList("GB-0-3"), monitor.Stay{}, k, done), fault.Denied)
	same(t, "the portfolio", memberIDs(t, s, ann, id), ids("GB-0-2"))
}
