package api_test

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

const kycReports, noReport = "/kyc-protect/reports", "/kyc-protect/reports/" + noID

func kycReportExamples() []example {
	return []example{
		{"kycReportCriteria", "GET", kycReports + "/criteria/audit", "", 200, "acme"},
		{"kycReportCriteria", "GET", kycReports + "/criteria/weather", "", 400, "acme"},
		{"createKYCReport", "POST", kycReports, `{"type":"audit","criteria":{"fromDate":"2026-01-01","toDate":"2026-12-31","userIds":[1],"actions":["created"]}}`, 202, "acme"},
		{"createKYCReport", "POST", kycReports, `{"type":"audit","criteria":{}}`, 400, "acme"},
		{"createKYCReport", "POST", kycReports, `{"type":"audit","criteria":{}}`, 403, "bare"},
		{"kycReports", "GET", kycReports + "?page=1&pageSize=100&reportType=audit", "", 200, "acme"},
		{"kycReports", "GET", kycReports + "?page=1&pageSize=101&reportType=audit", "", 400, "acme"},
		{"kycReport", "GET", noReport, "", 404, "acme"},
		{"kycReportDownload", "GET", noReport + "/download", "", 404, "acme"},
	}
}

func kycReportFixtures() map[string]fixture {
	theirs := func(behind string) func(*world, login) string {
		return func(w *world, owner login) string {
			r := w.report(owner, client.KYCReportOrder{Type: "profile"})
			return kycReports + "/" + r.ID + behind
		}
	}
	return map[string]fixture{
		"kycReportCriteria": {nobodys: "a type of report"},
		"kycReport":         {theirs: theirs(""), random: noReport},
		"kycReportDownload": {theirs: theirs("/download"), random: noReport + "/download"},
	}
}

func (w *world) kycReports() *kyc.Reports {
	return &kyc.Reports{
		Store: w.db, Profiles: w.db, Searches: w.db, Trail: w.server.Trail, Fonts: w.server.Fonts, Wake: &job.Signal{}, Keep: 30 * 24 * time.Hour, Now: w.clock.Now,
		Alerts: w.server.KYC.Alerts,
		Called: func(id auth.AccountID) string {
			a, _ := w.dir.Account(id)
			return a.UserKey
		},
	}
}

// makeReports does what a node does in the background.
func (w *world) makeReports() {
	w.t.Helper()
	worker := &job.Worker{Kinds: w.server.Reports.Kinds(), Store: w.db, Owner: "test", Life: time.Minute, Wake: w.server.Reports.Wake}
	for {
		worked, err := worker.Step(w.t.Context())
		must(w.t, err)
		if !worked {
			return
		}
	}
}

// report orders a report on the days of the test and has it made.
func (w *world) report(l login, o client.KYCReportOrder) client.KYCReport {
	w.t.Helper()
	criteria := map[string]any{"fromDate": "2026-03-01", "toDate": "2026-03-31"}
	for k, v := range o.Criteria {
		criteria[k] = v
	}
	o.Criteria = criteria
	r, err := w.client(l).CreateKYCReport(w.t.Context(), o)
	must(w.t, err)
	if r.Status != "submitted" {
		w.t.Errorf("it is %s", r.Status)
	}
	w.makeReports()
	r, err = w.client(l).KYCReport(w.t.Context(), r.ID)
	must(w.t, err)
	return r
}

func (w *world) fetchReport(l login, r client.KYCReport) []byte {
	w.t.Helper()
	c := w.client(l)
	d, err := c.KYCReportDownload(w.t.Context(), r.ID)
	must(w.t, err)
	var file bytes.Buffer
	must(w.t, c.Fetch(w.t.Context(), d.DownloadURL, &file))
	return file.Bytes()
}

func TestAReportHoldsWhatWasAskedFor(t *testing.T) {
	w := newWorld(t, plan{})
	l, other := w.join("acme", everywhere(auth.KYC)...), w.join("other", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	for _, name := range []string{"=1+1", "Ada, \"the\" Baker", "Жанна 雪"} {
		_, err := c.CreateProfile(ctx, client.KYCProfile{Name: name, Type: "individual", RiskRating: "low", Details: &client.ProfileDetails{LegalName: name}})
		must(t, err)
		w.clock.Step(time.Minute)
	}
	w.profile(other)
	p := w.profile(l) // of another risk

	asked := map[string]any{"riskRatings": []string{"LOW"}, "colour": "blue"}
	r := w.report(l, client.KYCReportOrder{Type: "profile", FileName: "march.csv", Criteria: asked})
	if r.Status != "completed" || r.RowCount != 3 || r.Format != "csv" || r.CreatedByUser != "acme" || r.Criteria["colour"] != nil ||
		r.ExpiresAt != "2026-04-01T09:33:00" {
		t.Errorf("the report is %+v", r)
	}
	rows, err := csv.NewReader(bytes.NewReader(w.fetchReport(l, r))).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][1] != "'=1+1" || rows[2][1] != "Ada, \"the\" Baker" || rows[3][2] != "Жанна 雪" {
		t.Errorf("the CSV holds %q (%v)", rows, err)
	}

	w.clock.Step(time.Minute)
	r = w.report(l, client.KYCReportOrder{Type: "profile", FileName: "march.xlsx", Criteria: asked})
	book, err := excelize.OpenReader(bytes.NewReader(w.fetchReport(l, r)))
	must(t, err)
	defer book.Close()
	rows, err = book.GetRows("Sheet1")
	formula, _ := book.GetCellFormula("Sheet1", "B2")
	if err != nil || len(rows) != 4 || rows[1][1] != "=1+1" || formula != "" || rows[3][1] != "Жанна 雪" {
		t.Errorf("the workbook holds %q, with the formula %q (%v)", rows, formula, err)
	}

	r = w.report(l, client.KYCReportOrder{Type: "audit", Format: "pdf", Criteria: map[string]any{"actions": "created", "profileIds": p.ID}})
	if file := w.fetchReport(l, r); !bytes.HasPrefix(file, []byte("%PDF-")) || r.RowCount != 1 || !strings.HasSuffix(r.FileName, ".pdf") {
		t.Errorf("the PDF is %.20q: %+v", file, r)
	}
	list, total, err := c.KYCReports(ctx, client.KYCReportFilter{ReportType: "profile", SearchTerm: "MARCH", PageSize: 1})
	if err != nil || total != 2 || len(list) != 1 || list[0].FileName != "march.xlsx" {
		t.Errorf("the list is %+v of %d (%v)", list, total, err)
	}
}

func TestReportsThatCannotBeHad(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	days := map[string]any{"fromDate": "2026-03-01", "toDate": "2026-03-31"}
	order := client.KYCReportOrder{Type: "profile", FileName: "one.csv", Criteria: days}
	r, err := c.CreateKYCReport(ctx, order)
	must(t, err)
	if _, err := c.KYCReportDownload(ctx, r.ID); status(t, err) != http.StatusConflict {
		t.Errorf("a report that is not ready: %v", err)
	}
	if _, err := c.CreateKYCReport(ctx, order); status(t, err) != http.StatusConflict {
		t.Errorf("a name that is taken: %v", err)
	}
	for want, o := range map[string]client.KYCReportOrder{
		"criteria.fromDate":    {Type: "profile", Criteria: map[string]any{"toDate": "2026-03-31"}},
		"criteria.toDate":      {Type: "profile", Criteria: map[string]any{"fromDate": "2026-03-31", "toDate": "2026-03-01"}},
		"criteria.riskRatings": {Type: "profile", Criteria: map[string]any{"fromDate": "2026-03-01", "toDate": "2026-03-31", "riskRatings": []string{"huge"}}},
		"criteria.userIds":     {Type: "audit", Criteria: map[string]any{"fromDate": "2026-03-01", "toDate": "2026-03-31", "userIds": []string{"me"}}},
		"fileName":             {Type: "audit", FileName: "../x.csv", Criteria: days},
		"type":                 {Type: "weather", Criteria: days},
	} {
		_, err := c.CreateKYCReport(ctx, o)
		if status(t, err) != http.StatusBadRequest || !strings.Contains(err.Error(), want+": ") {
			t.Errorf("%+v: %v, want a word about %s", o, err, want)
		}
	}
	w.makeReports()
	d, err := c.KYCReportDownload(ctx, r.ID)
	must(t, err)
	// It is forgotten with its task, and its name is free again.
	w.clock.Step(31 * 24 * time.Hour)
	must(t, w.db.ForgetTasks(ctx, w.clock.Now().Add(-30*24*time.Hour)))
	must(t, w.db.ForgetReports(ctx))
	if err := c.Fetch(ctx, d.DownloadURL, new(bytes.Buffer)); status(t, err) != http.StatusForbidden {
		t.Errorf("got %v", err)
	}
	if _, err := c.KYCReport(ctx, r.ID); status(t, err) != http.StatusNotFound {
		t.Errorf("got %v", err)
	}
	_, err = c.CreateKYCReport(ctx, order)
	must(t, err)
}

func TestReportsOnSearches(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	c, ctx := w.client(l), t.Context()
	person, _ := screened(w, l, client.Individuals)
	screened(w, l, client.Businesses)
	got, err := c.Schedule(ctx, []client.ScheduleWish{{SearchID: path.Base(person)}})
	if err != nil || len(got.Successful) != 1 {
		t.Fatalf("no schedule: %+v (%v)", got, err)
	}
	rows := func(kind string, criteria map[string]any) (out [][]string) {
		t.Helper()
		r := w.report(l, client.KYCReportOrder{Type: kind, Criteria: criteria})
		if r.Status != "completed" {
			t.Fatalf("%s: %+v", kind, r)
		}
		out, err := csv.NewReader(bytes.NewReader(w.fetchReport(l, r))).ReadAll()
		must(t, err)
		return out[1:]
	}
	if all := rows("amlScreen", nil); len(all) != 2 || all[0][0] != path.Base(person) || all[0][2] != "Ambrose Quillfeather" || all[0][9] != "1" || all[1][1] != "business" {
		t.Errorf("screenings: %q", all)
	}
	if some := rows("amlScreen", map[string]any{"types": "business"}); len(some) != 1 || some[0][1] != "business" {
		t.Errorf("screenings of businesses: %q", some)
	}
	if none := rows("amlScreen", map[string]any{"fromDate": "2026-03-03"}); len(none) != 0 {
		t.Errorf("screenings of the days after: %q", none)
	}
	if on := rows("monitorSearch", nil); len(on) != 1 || on[0][1] != path.Base(person) || on[0][3] != "Ambrose Quillfeather" {
		t.Errorf("monitored searches: %q", on)
	}
	if alerts := rows("amlAlert", map[string]any{"hitDecisions": []string{"undecided"}}); len(alerts) != 0 {
		t.Errorf("alerts: %q", alerts)
	}
	second := quill()
	second.Number = "QI.2"
	w.listed(kyc.UNSanctions, quill(), shipping(), second)
	w.rescreen()
	if alerts := rows("amlAlert", nil); len(alerts) != 1 || alerts[0][3] != second.Main() || alerts[0][4] != kyc.UNSanctions || alerts[0][5] != second.Number {
		t.Errorf("alerts, once a list had somebody new: %q", alerts)
	}
	// What was done with the schedule is in the trail, and the trail can be read.
	trail, _, err := c.KYCAudits(ctx, client.KYCAuditFilter{Subcategories: []string{"amlMonitoring"}})
	if err != nil || actions(trail) != "addedToAmlMonitoring" || trail[0].Payload["searchId"] != path.Base(person) {
		t.Errorf("the trail says %+v (%v)", trail, err)
	}
}

func TestWhatCanBeAskedOfAReport(t *testing.T) {
	w := newWorld(t, plan{})
	c := w.client(w.join("acme", everywhere(auth.KYC)...))
	for _, kind := range kyc.ReportTypes() {
		fields, err := c.KYCReportCriteria(t.Context(), string(kind))
		must(t, err)
		from := fields["fromDate"]
		if !from.IsRequired || from.Type != "string" || from.Format != "yyyy-mm-dd" || from.AcceptableValues != nil {
			t.Errorf("%s: fromDate is %+v", kind, from)
		}
		for name, f := range fields {
			if f.Description == "" || !strings.HasPrefix(f.Type, "array[") && name != "fromDate" && name != "toDate" {
				t.Errorf("%s: %s is %+v", kind, name, f)
			}
		}
	}
}

// A node that dies in the middle of a report leaves nothing behind that anybody
// sees, and another node makes the report.
func TestAReportSurvivesItsNode(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	w.profile(l)
	c := w.client(l)
	r, err := c.CreateKYCReport(t.Context(), client.KYCReportOrder{Type: "profile", Criteria: map[string]any{"fromDate": "2026-03-01", "toDate": "2026-03-31"}})
	must(t, err)
	if _, ok, err := w.db.ClaimTask(t.Context(), []string{"kyc-report"}, "dead", time.Minute); !ok || err != nil {
		t.Fatalf("the task was not there: %v", err)
	}
	w.makeReports()
	if got, err := c.KYCReport(t.Context(), r.ID); err != nil || got.Status != "inProgress" {
		t.Errorf("it is %s (%v)", got.Status, err)
	}
	w.clock.Step(time.Minute)
	w.makeReports()
	if got, err := c.KYCReport(t.Context(), r.ID); err != nil || got.Status != "completed" || got.RowCount != 1 {
		t.Errorf("it is %+v (%v)", got, err)
	}
}
