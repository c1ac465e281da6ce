package storetest

import (
	"testing"
	"time"

	"bureau/internal/fault"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

// kycReports are the promises of kyc.ReportStore.
var kycReports = []promise{
	{"a report comes back with what became of its task", reportComesBack},
	{"someone else's report is missing", reportIsOwned},
	{"no two reports of a customer share a file name", reportNames},
	{"reports are listed by type and name, the newest first", reportsListed},
	{"reports go when their tasks are forgotten", reportsGo},
}

func someReport(id string, hour int) (kyc.Report, job.Task) {
	r := kyc.Report{
		ID: kyc.ReportID(id), Type: kyc.ReportAudit, Format: kyc.XLSX, FileName: "März " + id + ".xlsx",
		Criteria: kyc.ReportCriteria{From: "2026-01-01", To: "2026-01-31", Lists: map[string][]string{"actions": {"created"}}},
		Created:  kyc.Act{By: ann.Account, At: noon.Add(time.Duration(hour) * time.Hour)},
	}
	return r, job.Task{Kind: "kyc-report", Customer: int64(ann.Customer), Account: int64(ann.Account), About: "report " + id, Input: []byte(`{}`)}
}

func addReport(t *testing.T, s kyc.ReportStore, id string, hour int) kyc.Report {
	t.Helper()
	r, task := someReport(id, hour)
	noError(t, s.AddReport(t.Context(), ann, r, task))
	return r
}

func reportComesBack(t *testing.T, s nodes) {
	want := addReport(t, s, "a", 0)
	got, err := s.other.Report(t.Context(), ann, "a")
	noError(t, err)
	if got.Changed.IsZero() {
		t.Error("nothing says when it was ordered")
	}
	want.State, want.Changed = job.Waiting, got.Changed
	same(t, "report", got, want)

	task, ok, err := s.ClaimTask(t.Context(), []string{"kyc-report"}, "node", time.Minute)
	if err != nil || !ok {
		t.Fatalf("there is no task (%v)", err)
	}
	got, err = s.other.Report(t.Context(), ann, "a")
	noError(t, err)
	same(t, "state", got.State, job.Working)
	task.Done = 7
	noError(t, s.FinishTask(t.Context(), task))
	got, err = s.other.Report(t.Context(), ann, "a")
	noError(t, err)
	if got.State != job.Done || got.Rows != 7 {
		t.Errorf("it is %+v", got)
	}
}

func reportIsOwned(t *testing.T, s nodes) {
	addReport(t, s, "a", 0)
	_, err := s.Report(t.Context(), carol, "a")
	wantKind(t, err, fault.Missing)
	_, none := s.Report(t.Context(), carol, "b")
	if none == nil || err.Error() != none.Error() {
		t.Errorf("%v and %v can be told apart", err, none)
	}
	list, total, err := s.Reports(t.Context(), carol, kyc.ReportQuery{Limit: 9})
	if len(list) != 0 || total != 0 || err != nil {
		t.Errorf("carol sees %v (%v)", list, err)
	}
}

func reportNames(t *testing.T, s nodes) {
	one := addReport(t, s, "a", 0)
	two, task := someReport("b", 0)
	two.FileName = one.FileName
	wantKind(t, s.other.AddReport(t.Context(), ann, two, task), fault.Conflict)
	if n, err := s.OpenTasks(t.Context(), int64(ann.Customer)); n != 1 || err != nil {
		t.Errorf("%d tasks wait (%v): one is of a report that was refused", n, err)
	}
	task.Customer = int64(carol.Customer)
	noError(t, s.AddReport(t.Context(), carol, two, task))
}

func reportsListed(t *testing.T, s nodes) {
	for i, id := range []string{"a", "b", "c"} {
		r, task := someReport(id, i)
		if id == "b" {
			r.Type, r.FileName = kyc.ReportProfile, "50%_x.csv"
		}
		noError(t, s.AddReport(t.Context(), ann, r, task))
	}
	for _, c := range []struct {
		what  string
		q     kyc.ReportQuery
		want  string
		total int64
	}{
		{"all", kyc.ReportQuery{Limit: 9}, "cba", 3},
		{"a page", kyc.ReportQuery{Limit: 1, Skip: 1}, "b", 3},
		{"a type", kyc.ReportQuery{Limit: 9, Type: kyc.ReportAudit}, "ca", 2},
		{"part of a name", kyc.ReportQuery{Limit: 9, Term: "MÄRZ c"}, "c", 1},
		{"signs that mean something to the database", kyc.ReportQuery{Limit: 9, Term: "%_"}, "b", 1},
	} {
		list, total, err := s.other.Reports(t.Context(), ann, c.q)
		noError(t, err)
		got := ""
		for _, r := range list {
			got += string(r.ID)
		}
		if got != c.want || total != c.total {
			t.Errorf("%s: %q of %d, want %q of %d", c.what, got, total, c.want, c.total)
		}
	}
}

func reportsGo(t *testing.T, s nodes) {
	addReport(t, s, "a", 0)
	addReport(t, s, "b", 0)
	task, _, err := s.ClaimTask(t.Context(), []string{"kyc-report"}, "node", time.Minute)
	noError(t, err)
	noError(t, s.FinishTask(t.Context(), task))
	noError(t, s.ForgetTasks(t.Context(), time.Now().Add(time.Hour)))
	noError(t, s.ForgetReports(t.Context()))
	_, err = s.other.Report(t.Context(), ann, "a")
	wantKind(t, err, fault.Missing)
	if _, err := s.other.Report(t.Context(), ann, "b"); err != nil {
		t.Errorf("one that is being made is gone: %v", err)
	}
}
