package api_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/job"
	"bureau/internal/kyc"
)

const (
	batchUploads = "/kyc-protect/batchUploads"
	amlJobs      = "/kyc-protect/asyncAmlJobs"
	subjects     = "type,name,dateOfBirth,countryCodes,threshold\nindividual,Ambrose Quillfeather,1961-04-05,IE;GB,80\nindividual,Somebody Else,yesterday,,\nbusiness,Zephyrine Bulk Shipping,,,\n"
)

func kycBatchExamples() []example {
	none := batchUploads + "/" + noID
	bulk := "/kyc-protect/profiles/" + noID + "/searches/bulk"
	return []example{
		{"batchTemplate", "GET", batchUploads + "/template", "", 200, "acme"},
		{"uploadBatch", "POST", batchUploads, `{}`, 400, "acme"},
		{"uploadBatch", "POST", batchUploads, `{}`, 403, "bare"},
		{"batchUploads", "GET", batchUploads + "?statuses=completed&statuses=rejected", "", 200, "acme"},
		{"batchUploads", "GET", batchUploads + "?statuses=lost", "", 400, "acme"},
		{"batchUpload", "GET", none, "", 404, "acme"},
		{"batchErrors", "GET", none + "/errors/download", "", 404, "acme"},
		{"retryBatch", "PUT", none + "/retry", "", 404, "acme"},
		{"searchForProfile", "POST", bulk, `{"items":[{"type":"business","name":"Somebody Else","threshold":80,"datasets":null}]}`, 404, "acme"},
		{"searchForProfile", "POST", bulk, `{"items":[{"type":"business","firstName":"Somebody"}]}`, 400, "acme"},
		{"amlJobs", "GET", amlJobs + "?targetType=profile&statuses=created", "", 200, "acme"},
		{"amlJobs", "GET", amlJobs + "?targetType=portfolio", "", 400, "acme"},
		{"amlJob", "GET", amlJobs + "/" + noID, "", 404, "acme"},
		{"amlJobCriteria", "GET", amlJobs + "/" + noID + "/criteria?statuses=failed", "", 404, "acme"},
	}
}

func kycBatchFixtures() map[string]fixture {
	upload := func(behind string) fixture {
		return fixture{random: batchUploads + "/" + noID + behind, theirs: func(w *world, owner login) string {
			return batchUploads + "/" + w.uploaded(owner, subjects).ID + behind
		}}
	}
	task := func(behind string) fixture {
		return fixture{random: amlJobs + "/" + noID + behind, theirs: func(w *world, owner login) string {
			_, j := w.asked(owner, client.JobItem{Type: "business", Name: "Somebody Else"})
			return amlJobs + "/" + j.ID + behind
		}}
	}
	return map[string]fixture{
		"batchUpload": upload(""), "batchErrors": upload("/errors/download"), "retryBatch": upload("/retry"),
		"amlJob": task(""), "amlJobCriteria": task("/criteria"),
		"searchForProfile": {
			random: "/kyc-protect/profiles/" + noID + "/searches/bulk", body: `{"items":[{"type":"business","name":"Somebody Else"}]}`,
			theirs: func(w *world, owner login) string {
				profile, _ := w.asked(owner, client.JobItem{Type: "business", Name: "Somebody Else"})
				return "/kyc-protect/profiles/" + profile + "/searches/bulk"
			},
		},
	}
}

func (w *world) kycBatches() *kyc.Batches {
	return &kyc.Batches{Store: w.db, Searches: w.server.KYC, Gate: w.server.Gate, Wake: &job.Signal{}, Now: w.clock.Now}
}

// doBatches does what a node does in the background.
func (w *world) doBatches() {
	w.t.Helper()
	worker := &job.Worker{Kinds: w.server.Batches.Kinds(), Store: w.db, Owner: "test", Life: time.Minute, Wake: w.server.Batches.Wake}
	for {
		worked, err := worker.Step(w.t.Context())
		must(w.t, err)
		if !worked {
			return
		}
	}
}

// uploaded is a file that was uploaded and screened.
func (w *world) uploaded(l login, text string) client.BatchUpload {
	w.t.Helper()
	b, err := w.client(l).UploadBatch(w.t.Context(), "my people.csv", strings.NewReader(text), "")
	must(w.t, err)
	if b.Status != "submitted" {
		w.t.Errorf("it is %s", b.Status)
	}
	w.doBatches()
	b, err = w.client(l).BatchUpload(w.t.Context(), b.ID)
	must(w.t, err)
	return b
}

// asked is a profile with a job that was done.
func (w *world) asked(l login, items ...client.JobItem) (string, client.AMLJob) {
	w.t.Helper()
	p, err := w.client(l).CreateProfile(w.t.Context(), client.KYCProfile{Name: "x", Type: "company", Details: &client.ProfileDetails{LegalName: "x"}})
	must(w.t, err)
	j, err := w.client(l).SearchForProfile(w.t.Context(), p.ID, items)
	must(w.t, err)
	w.doBatches()
	return p.ID, j
}

func (w *world) fetched(l login, d client.Download) string {
	w.t.Helper()
	var file bytes.Buffer
	must(w.t, w.client(l).Fetch(w.t.Context(), d.DownloadURL, &file))
	return file.String()
}

// A file is screened row by row: each good row is a search like any other, each
// bad one is in the error file, which can be corrected and sent again.
func TestAFileIsScreened(t *testing.T) {
	w := newWorld(t, plan{})
	l, ctx := w.join("acme", everywhere(auth.KYC)...), t.Context()
	c := w.client(l)
	w.listed(kyc.UNSanctions, quill(), shipping())
	b := w.uploaded(l, subjects)
	if b.Status != "partiallyCompleted" || b.RowCount != 3 || b.SuccessCount != 2 || b.ErrorCount != 1 || b.Filename != "my people.csv" || b.CompletedAt == "" {
		t.Errorf("got %+v", b)
	}
	people, firms := all(t, c.Screenings(ctx, client.Individuals)), all(t, c.Screenings(ctx, client.Businesses))
	if len(people) != 1 || people[0].TotalHitCount != 1 || people[0].Threshold != 80 || len(people[0].CountryCodes) != 2 || len(firms) != 1 || firms[0].TotalHitCount != 1 {
		t.Errorf("people %+v, businesses %+v", people, firms)
	}
	where, err := c.BatchErrors(ctx, b.ID)
	must(t, err)
	file := w.fetched(l, where)
	const want = "line,error,type,name,firstName,middleName,lastName,dateOfBirth,gender,countryCodes,threshold,datasets,pepTiers\n" +
		"3,\"dateOfBirth: \"\"yesterday\"\" is no date: write 2006-01-31 or 2006\",individual,Somebody Else,,,,yesterday,,,,,\n"
	if file != want {
		t.Errorf("the error file is\n%s, want\n%s", file, want)
	}
	if again := w.uploaded(l, strings.ReplaceAll(file, "yesterday,", "1970,")); again.Status != "completed" || again.RowCount != 1 {
		t.Errorf("corrected: %+v", again)
	}
	retried, err := c.RetryBatch(ctx, b.ID)
	must(t, err)
	if retried.Status != "queued" || retried.ErrorCount != 0 {
		t.Errorf("retried: %+v", retried)
	}
	if _, err := c.RetryBatch(ctx, b.ID); err == nil {
		t.Error("a file that is worked on can be retried")
	}
	w.doBatches()
	if got, err := c.BatchUpload(ctx, b.ID); err != nil || got.Status != "partiallyCompleted" || got.SuccessCount != 2 || got.ErrorCount != 1 {
		t.Errorf("after a retry: %+v %v", got, err)
	}
	if people := all(t, c.Screenings(ctx, client.Individuals)); len(people) != 2 {
		t.Errorf("%d people, want 2: a row was searched for twice", len(people))
	}
	// A name with a comma is searched for whole or not at all, and what looks like a formula is one name
	// however often the file of errors is sent in again.
	odd := w.uploaded(l, "type,name,dateOfBirth\nindividual,Quillfeather, Ambrose\nindividual,Quillfeather,,Ambrose\nindividual,=Quillfeather,yesterday\n")
	where, err = c.BatchErrors(ctx, odd.ID)
	must(t, err)
	file = w.fetched(l, where)
	if odd.ErrorCount != 3 || strings.Count(file, `""Ambrose"" stands behind the last one`) != 1 || !strings.Contains(file, ",'=Quillfeather,") {
		t.Errorf("got %+v and\n%s", odd, file)
	}
	for range 2 {
		where, err = c.BatchErrors(ctx, w.uploaded(l, file).ID)
		must(t, err)
		if file = w.fetched(l, where); !strings.Contains(file, ",'=Quillfeather,") {
			t.Errorf("sent in again, it is\n%s", file)
		}
	}
	for what, text := range map[string]string{
		"nothing":     "",
		"no rows":     "type,name\n",
		"no type":     "name\nAda\n",
		"a bare mark": "type,name\nindividual,Ada \"the\n",
		"Latin-1":     "type,name\nindividual,J\xf6rg\n",
		"a zero byte": "type,name\nindividual,Ada\x00 Example\n",
	} {
		if got := w.uploaded(l, text); got.Status != "rejected" || got.ErrorMessage == "" || got.RowCount != 0 {
			t.Errorf("%s: %+v", what, got)
		}
	}
	list, total, err := c.BatchUploads(ctx, client.BatchFilter{Statuses: []string{"rejected"}, PageSize: 2})
	if err != nil || len(list) != 2 || total != 6 {
		t.Errorf("rejected: %d of %d %v", len(list), total, err)
	}
	where, err = c.BatchTemplate(ctx)
	must(t, err)
	if got := w.fetched(l, where); got != string(kyc.BatchTemplate()) || !strings.HasPrefix(got, "type,name,") {
		t.Errorf("the template is %q", got)
	}
}

// A job screens for a profile, and is whole or not at all.
func TestAJobScreensForAProfile(t *testing.T) {
	w := newWorld(t, plan{})
	l, ctx := w.join("acme", everywhere(auth.KYC)...), t.Context()
	c := w.client(l)
	w.listed(kyc.UNSanctions, quill(), shipping())
	profile, j := w.asked(l, client.JobItem{Type: "individual", FirstName: "Ambrose", LastName: "Quillfeather", CountryCodes: []string{"IE"}}, client.JobItem{Type: "business", Name: "Nobody Ltd"})
	got, err := c.AMLJob(ctx, j.ID)
	if err != nil || got.Status != "completed" || got.CriteriaCount != 2 || got.FinishedAt == "" {
		t.Errorf("got %+v %v", got, err)
	}
	items, total, err := c.AMLJobCriteria(ctx, j.ID, 1, 10, "completed")
	must(t, err)
	if total != 2 || items[0].TargetID != profile || items[0].FirstName != "Ambrose" || items[0].CountryCodes[0] != "IE" || items[1].Threshold != kyc.DefaultThreshold {
		t.Errorf("criteria: %+v", items)
	}
	linked, total, err := c.ProfileSearches(ctx, profile, client.LinkFilter{})
	must(t, err)
	if total != 2 || linked[0].ID != items[0].ID && linked[1].ID != items[0].ID {
		t.Errorf("linked: %+v", linked)
	}
	if _, err := c.SearchForProfile(ctx, profile, []client.JobItem{{Type: "business", Name: "Good Ltd"}, {Type: "person", Name: "Bad"}}); err == nil || !strings.Contains(err.Error(), "items[1].type") {
		t.Errorf("a bad item: %v", err)
	}
	if list, total, err := c.AMLJobs(ctx, 1, 10); err != nil || total != 1 || list[0].ID != j.ID {
		t.Errorf("jobs: %+v %v", list, err)
	}
}

// A body that cannot be a file of subjects is refused by the name of its part,
// and nothing is begun.
func TestRefusedFilesOfSubjects(t *testing.T) {
	w := newWorld(t, plan{})
	acme := w.join("acme", everywhere(auth.KYC)...)
	token := w.token(acme)
	file := formPart{"File", "people.csv", subjects}
	for _, c := range []struct {
		name, kind, body string
		status           int
		says             string
	}{
		{"no form", jsonType, `{}`, 400, "File: send the file as multipart/form-data"},
		{"no file", multipartType, formOf(formPart{"x", "x", "x"}), 400, "File: the file is missing"},
		{"two files", multipartType, formOf(file, file), 400, "File: one file at a time"},
		{"too large a body", multipartType, formOf(formPart{"x", "x", strings.Repeat("x", kyc.MaxBatchFile+2<<20)}, file), 413, "File: the body is larger than a file of 20 MB"},
		{"cut short", multipartType, strings.TrimSuffix(formOf(file), "--boundary--\r\n"), 400, "the body could not be read to its end"},
	} {
		got := w.send("POST", batchUploads, c.body, "Authorization", token, "Content-Type", c.kind)
		if got.status != c.status || !strings.Contains(got.body, c.says) {
			t.Errorf("%s: got %d %s, want %d %s", c.name, got.status, got.body, c.status, c.says)
		}
	}
	if _, total, err := w.client(acme).BatchUploads(t.Context(), client.BatchFilter{}); err != nil || total != 0 {
		t.Errorf("%d files were taken (%v)", total, err)
	}
}
