package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/kyc"
	"bureau/internal/pdf/pdftest"
	"bureau/internal/store/storetest"
)

// onBothKYC runs a test on a world of each database.
func onBothKYC(t *testing.T, test func(t *testing.T, w *world, c *client.Client)) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			p := plan{}
			if engine == "postgres" {
				p.url = storetest.Postgres(t)
			}
			w := newWorld(t, p)
			test(t, w, w.client(w.join("acme", everywhere(auth.KYC)...)))
		})
	}
}

func TestSearchIsKeptWithItsHits(t *testing.T) {
	onBothKYC(t, func(t *testing.T, w *world, c *client.Client) {
		ctx := t.Context()
		w.listed(kyc.UNSanctions, quill(), shipping())
		got, err := c.Screen(ctx, client.Individuals, client.ScreeningQuestion{
			FirstName: "Ambrose", LastName: "Quilfeather", DateOfBirth: "1961", CountryCodes: []string{"ie"}, Datasets: []string{"san"},
		}, "")
		must(t, err)
		if got.TotalHitCount != 1 || got.UndecidedHitsCount != 1 || got.Threshold != 75 || got.Status != "new" || got.RiskRating != "notApplicable" ||
			got.Type != "individual" || got.Name != "Ambrose Quilfeather" || !slices.Equal(got.CountryCodes, []string{"IE"}) {
			t.Errorf("got %+v", got)
		}
		if !got.Coverage.IsComplete || len(got.Coverage.Lists) != 1 || got.Coverage.Lists[0].Version == 0 || got.Coverage.EngineVersion == "" {
			t.Errorf("the coverage is %+v", got.Coverage)
		}
		again, err := c.Screening(ctx, client.Individuals, got.ID)
		must(t, err)
		if again.TotalHitCount != 1 || again.LastName != "Quilfeather" || again.DateOfBirth != "1961" {
			t.Errorf("read again: %+v", again)
		}
		list := all(t, c.Screenings(ctx, client.Individuals))
		if len(list) != 1 || list[0].ID != got.ID {
			t.Errorf("listed: %+v", list)
		}
		hits := all(t, c.ScreeningHits(ctx, client.Individuals, got.ID))
		if len(hits) != 1 || hits[0].Name != "Ambrose Quillfeather" || hits[0].Decision != "undecided" || hits[0].HitScore < 75 {
			t.Fatalf("hits: %+v", hits)
		}
		hit, err := c.ScreeningHit(ctx, client.Individuals, got.ID, hits[0].ID)
		must(t, err)
		if hit.Identifiers[0].Value != "QDi.901" {
			t.Errorf("the publisher's number is not there: %+v", hit.Identifiers)
		}
		src := hit.Sources[0]
		if src.Title == "" || src.Link == "" || src.DateAdded != "2020-01-02" || !slices.Equal(src.Datasets, []string{"SAN-CURRENT"}) {
			t.Errorf("source: %+v", src)
		}
		// Both names of the tree, and only under its own kind.
		token := "Bearer " + w.token(login{Username: c.Username, Password: c.Password})
		for path, want := range map[string]int{
			"/v1/compliance/kyc-protect/searches/individuals/" + got.ID: 200,
			"/v1/KYC-protect/searches/Individuals/" + got.ID:            200,
			"/v1/kyc-protect/searches/businesses/" + got.ID:             404,
		} {
			if is := w.send("GET", path, "", "Authorization", token); is.status != want {
				t.Errorf("%s: %d %s", path, is.status, is.body)
			}
		}
		if got := w.send("GET", "/kyc-protect/searches/individuals/"+got.ID+"/hits/"+hit.ID, "", "Authorization", token); !strings.Contains(got.body, `"isCopyrighted":false`) {
			t.Errorf("%s", got.body)
		}
	})
}

func TestSearchForABusiness(t *testing.T) {
	w := newWorld(t, plan{})
	c := w.client(w.join("acme", everywhere(auth.KYC)...))
	w.listed(kyc.UNSanctions, quill(), shipping())
	got, err := c.Screen(t.Context(), client.Businesses, client.ScreeningQuestion{Name: "ZEPHYRINE MARITIME"}, "")
	must(t, err)
	hits := all(t, c.ScreeningHits(t.Context(), client.Businesses, got.ID))
	if len(hits) != 1 || hits[0].Match != "Zephyrine Maritime" || hits[0].Name != "Zephyrine Bulk Shipping Ltd" {
		t.Errorf("got %+v", hits)
	}
	hit, err := c.ScreeningHit(t.Context(), client.Businesses, got.ID, hits[0].ID)
	must(t, err)
	if hit.Identifiers[0].Value != "QDe.902" || hit.Sources[0].DateAdded != "2026-03-02" {
		t.Errorf("got %+v", hit)
	}
}

// An answer without hits says what it could not look at.
func TestSearchIsNeverSilent(t *testing.T) {
	w := newWorld(t, plan{})
	c := w.client(w.join("acme", everywhere(auth.KYC)...))
	ask := func(q client.ScreeningQuestion) client.ScreeningCoverage {
		t.Helper()
		q.Name = "Somebody Else"
		got, err := c.Screen(t.Context(), client.Individuals, q, "")
		must(t, err)
		return got.Coverage
	}
	if got := ask(client.ScreeningQuestion{}); got.IsComplete || len(got.Warnings) == 0 || !slices.Contains(got.DatasetsWithoutList, "SAN") {
		t.Errorf("without a list: %+v", got)
	}
	w.listed(kyc.UNSanctions, quill())
	if got := ask(client.ScreeningQuestion{}); got.IsComplete || slices.Contains(got.DatasetsWithoutList, "SAN") || !slices.Contains(got.DatasetsWithoutList, "PEP") {
		t.Errorf("with one: %+v", got)
	}
	if got := ask(client.ScreeningQuestion{Datasets: []string{"SAN"}, SanctionBodies: &[]string{"UN", "OFAC"}}); got.IsComplete || !slices.Equal(got.SanctionBodiesWithoutList, []string{"OFAC"}) {
		t.Errorf("of two bodies: %+v", got)
	}
	if got := ask(client.ScreeningQuestion{Datasets: []string{"SAN"}}); !got.IsComplete {
		t.Errorf("of what is loaded: %+v", got)
	}
	w.clock.Step(8 * 24 * time.Hour)
	if got := ask(client.ScreeningQuestion{Datasets: []string{"SAN"}}); got.IsComplete || !got.Lists[0].IsOld || len(got.Warnings) != 1 {
		t.Errorf("a week later: %+v", got)
	}
}

func TestSearchRefusesWithReasons(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	token := "Bearer " + w.token(l)
	for body, want := range map[string]string{
		`{}`:                  "name: there is none",
		`{"firstName":"Ada"}`: "lastName: it is missing",
		`{"name":"…"}`:        "name: there is no letter",
		`{"name":"` + strings.Repeat("a", 201) + `"}`: "name: it is longer than 200",
		`{"name":"A B","threshold":49}`:               "threshold: 49 is not between 50 and 100",
		`{"name":"A B","threshold":0}`:                "threshold: ",
		`{"name":"A B","threshold":101}`:              "threshold: 101",
		`{"name":"A B","datasets":["SOE"]}`:           "datasets[0]: ",
		`{"name":"A B","sanctionBodies":["FBI"]}`:     "sanctionBodies[0]: ",
		`{"name":"A B","countryCodes":["Eire"]}`:      "countryCodes[0]: ",
		`{"name":"A B","gender":"x"}`:                 "gender: ",
		`{"name":"A B","pepTiers":["pepTier4"]}`:      "pepTiers[0]: ",
		`{"name":"A B","dateOfBirth":"1970-02-30"}`:   "dateOfBirth: ",
		`{"name":"A B","dateOfBirth":"1899-01-01"}`:   "dateOfBirth: ",
		`{"name":"A B","dateOfBirth":"2026-03-03"}`:   "dateOfBirth: ",
	} {
		got := w.send("POST", "/kyc-protect/searches/individuals", body, "Authorization", token, "Content-Type", jsonType)
		if got.status != 400 || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d %s, want %s", body, got.status, got.body, want)
		}
	}
	if list := all(t, w.client(l).Screenings(t.Context(), client.Individuals)); len(list) != 0 {
		t.Errorf("a refused search was kept: %+v", list)
	}
	for _, body := range []string{
		`{"name":"A B","firstName":null,"gender":null,"countryCodes":null,"datasets":null,"sanctionBodies":null,"pepTiers":null,"dateOfBirth":null,"threshold":null}`,
		`{"name":"A B","datasets":"SAN, PEP","threshold":"80","dateOfBirth":1970,"unknown":1}`,
	} {
		if got := w.send("POST", "/kyc-protect/searches/individuals", body, "Authorization", token, "Content-Type", jsonType); got.status != 201 {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

func TestDateOfBirthMayBeRequired(t *testing.T) {
	onBothKYC(t, func(t *testing.T, w *world, c *client.Client) {
		ctx := t.Context()
		got, err := c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "A B"}, "")
		if err != nil || got.IsDobRequired {
			t.Fatalf("without the setting: %+v %v", got, err)
		}
		by := w.dir.Customers()[0].ID
		must(t, w.db.SetKYCSettings(ctx, by, kyc.Settings{DOBRequired: true, Bodies: []kyc.Body{kyc.UN}}))
		_, err = c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "A B"}, "")
		if err == nil || !strings.Contains(err.Error(), "dateOfBirth") {
			t.Errorf("got %v, want it refused", err)
		}
		if _, err := c.Screen(ctx, client.Businesses, client.ScreeningQuestion{Name: "A B"}, ""); err != nil {
			t.Errorf("a business has no date of birth: %v", err)
		}
		got, err = c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "A B", DateOfBirth: "1970"}, "")
		if err != nil || !got.IsDobRequired || !slices.Equal(got.SanctionBodies, []string{"UN"}) {
			t.Errorf("with the setting: %+v %v", got, err)
		}
		got, err = c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "A B", DateOfBirth: "1970", SanctionBodies: &[]string{}}, "")
		if err != nil || len(got.SanctionBodies) != 0 {
			t.Errorf("all bodies: %+v %v", got, err)
		}
	})
}

func TestSearchesAreChanged(t *testing.T) {
	w := newWorld(t, plan{})
	ctx := t.Context()
	l := w.join("acme", everywhere(auth.KYC)...)
	c := w.client(l)
	var ids []string
	for i := range 12 {
		got, err := c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: fmt.Sprintf("Somebody Number%c", 'a'+i)}, "")
		must(t, err)
		ids = append(ids, got.ID)
		w.clock.Step(time.Second)
	}
	high, closed, bad, note, who := "high", "closed", "perhaps", "seen", int64(l.Account)
	got, err := c.EditScreening(ctx, client.Individuals, ids[0], client.ScreeningEdit{RiskRating: &high, Status: &closed, Note: &note, AssignedToUserID: &who})
	if err != nil || got.RiskRating != "high" || got.Status != "closed" || got.Note != "seen" || got.AssignedToUserID != who {
		t.Errorf("got %+v %v", got, err)
	}
	stranger := int64(w.join("stranger").Account)
	for _, e := range []client.ScreeningEdit{{Status: &bad}, {RiskRating: &bad}, {AssignedToUserID: &stranger}} {
		if _, err := c.EditScreening(ctx, client.Individuals, ids[0], e); err == nil {
			t.Errorf("%+v was taken", e)
		}
	}
	bulk, err := c.EditScreenings(ctx, client.Individuals, []client.ScreeningEdit{
		{SearchID: ids[1], RiskRating: &high}, {SearchID: noID, RiskRating: &high}, {SearchID: ids[2], Status: &bad},
	})
	must(t, err)
	if len(bulk.Successful) != 1 || bulk.Successful[0].ID != ids[1] || len(bulk.Failed) != 2 || bulk.Failed[0].Error.Status != 404 || bulk.Failed[1].Error.Status != 400 {
		t.Errorf("got %+v", bulk)
	}
	// Pages from 1, of ten, the newest first; and cursors.
	token := "Bearer " + w.token(l)
	var page struct {
		Items     []struct{ ID string }
		TotalSize int
		Cursor    *string
	}
	read := func(query string) {
		t.Helper()
		page.Items, page.Cursor = nil, nil
		got := w.send("GET", "/kyc-protect/searches/individuals"+query, "", "Authorization", token)
		must(t, json.Unmarshal([]byte(got.body), &page))
	}
	read("")
	if len(page.Items) != 10 || page.TotalSize != 12 || page.Items[0].ID != ids[11] || page.Cursor == nil {
		t.Errorf("first page: %+v", page)
	}
	next := *page.Cursor
	read("?page=2")
	if len(page.Items) != 2 || page.Items[1].ID != ids[0] || page.Cursor != nil {
		t.Errorf("second page: %+v", page)
	}
	_, err = c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "Another One"}, "")
	must(t, err)
	read("?after=" + next)
	if len(page.Items) != 2 || page.Items[0].ID != ids[1] || page.TotalSize != 13 {
		t.Errorf("behind the cursor: %+v", page)
	}
}

func TestHitsAreDecided(t *testing.T) {
	onBothKYC(t, func(t *testing.T, w *world, c *client.Client) {
		ctx := t.Context()
		second := quill()
		second.Number, second.Names = "QDi.903", second.Names[:1]
		w.listed(kyc.UNSanctions, quill(), second)
		search, err := c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "Ambrose Quillfeather"}, "")
		must(t, err)
		hits := all(t, c.ScreeningHits(ctx, client.Individuals, search.ID))
		if len(hits) != 2 {
			t.Fatalf("hits: %+v", hits)
		}
		note, later := "another person", "the same after all"
		got, err := c.DecideHit(ctx, client.Individuals, search.ID, hits[0].ID, client.HitDecision{Decision: "FalsePositive", Note: &note})
		if err != nil || got.Decision != "falsePositive" || got.Note != note || got.ModifiedBy != "acme" {
			t.Errorf("got %+v %v", got, err)
		}
		w.clock.Step(time.Minute)
		_, err = c.DecideHit(ctx, client.Individuals, search.ID, hits[0].ID, client.HitDecision{Decision: "trueMatch", Note: &later})
		must(t, err)
		full, err := c.ScreeningHit(ctx, client.Individuals, search.ID, hits[0].ID)
		must(t, err)
		if d := full.Decisions; len(d) != 2 || d[0].Decision != "trueMatch" || d[0].Note != later || d[1].Decision != "falsePositive" || d[1].DecidedAt >= d[0].DecidedAt || d[1].DecidedBy != "acme" {
			t.Errorf("the history is %+v", d)
		}
		if _, err := c.DecideHit(ctx, client.Individuals, search.ID, hits[1].ID, client.HitDecision{Decision: "perhaps"}); err == nil {
			t.Error("a decision that there is not was taken")
		}
		noted, err := c.NoteHit(ctx, client.Individuals, search.ID, hits[0].ID, "seen again")
		if err != nil || noted.Note != "seen again" || noted.Decision != "trueMatch" {
			t.Errorf("a note: %+v %v", noted, err)
		}
		bulk, err := c.DecideHits(ctx, client.Individuals, search.ID, []client.HitDecision{{HitID: hits[1].ID, Decision: "discarded"}, {HitID: noID, Decision: "discarded"}})
		must(t, err)
		if len(bulk.Successful) != 1 || bulk.Successful[0].Decision != "discarded" || len(bulk.Failed) != 1 || bulk.Failed[0].Error.Status != 404 {
			t.Errorf("got %+v", bulk)
		}
		if left := all(t, c.ScreeningHits(ctx, client.Individuals, search.ID, "undecided", "trueMatch")); len(left) != 1 || left[0].ID != hits[0].ID {
			t.Errorf("by decision: %+v", left)
		}
		var named struct{ TotalSize int }
		must(t, c.Do(ctx, client.Call{
			Method: "GET", Path: "/kyc-protect/searches/individuals/" + search.ID + "/hits", Out: &named,
			Query: url.Values{"hitDecisions": {"discarded", "trueMatch"}},
		}))
		if named.TotalSize != 2 {
			t.Errorf("two decisions, each by its name: %d hits", named.TotalSize)
		}
		search, err = c.Screening(ctx, client.Individuals, search.ID)
		must(t, err)
		if search.TotalHitCount != 2 || search.TruePositiveHitsCount != 1 || search.FalsePositiveHitsCount != 0 || search.UndecidedHitsCount != 0 {
			t.Errorf("the tally is %+v", search)
		}
	})
}

// What became of several things is where clients look for it: in the list, or in a list
// within the list.
func TestSeveralAtOnceOnTheWire(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	search, hit := screened(w, l, client.Individuals)
	firm, firmHit := screened(w, l, client.Businesses)
	for _, c := range []struct{ method, path, item, start string }{
		{"PUT", search + "/hits", `{"hitId":"` + path.Base(hit) + `","note":"x"}`, `{"failed":[],"successful":[{"id":"` + path.Base(hit)},
		{"PUT", firm + "/hits", `{"hitId":"` + path.Base(firmHit) + `","note":"x"}`, `{"failed":[],"successful":[{"items":[{"id":"` + path.Base(firmHit)},
		{"POST", "/kyc-protect/schedules", `{"searchId":"` + path.Base(search) + `"}`, `{"failed":[],"successful":[{"items":[{"id":"`},
		{"POST", "/kyc-protect/schedules", `{"searchId":"` + path.Base(search) + `"}`, `{"failed":[{"failedItem":{`},
	} {
		got := w.send(c.method, c.path, `{"items":[`+c.item+`]}`, "Authorization", w.token(l))
		if got.status != 200 || !strings.HasPrefix(got.body, c.start) {
			t.Errorf("%s %s: got %d %s, want %s…", c.method, c.path, got.status, got.body, c.start)
		}
	}
}

// Who was judged false stays quiet until something changes that matters.
func TestDecisionsAreRemembered(t *testing.T) {
	onBothKYC(t, func(t *testing.T, w *world, c *client.Client) {
		ctx := t.Context()
		w.listed(kyc.UNSanctions, quill())
		ask := func(q client.ScreeningQuestion) (client.Screening, client.ScreeningHit) {
			t.Helper()
			if q.Name == "" {
				q.Name = "Ambrose Quillfeather"
			}
			w.clock.Step(time.Minute)
			search, err := c.Screen(ctx, client.Individuals, q, "")
			must(t, err)
			hits := all(t, c.ScreeningHits(ctx, client.Individuals, search.ID))
			if len(hits) != 1 {
				t.Fatalf("hits: %+v", hits)
			}
			return search, hits[0]
		}
		search, first := ask(client.ScreeningQuestion{})
		_, err := c.DecideHit(ctx, client.Individuals, search.ID, first.ID, client.HitDecision{Decision: "falsePositive"})
		must(t, err)

		search, hit := ask(client.ScreeningQuestion{Name: "AMBROSE  quillfeather"})
		if hit.Decision != "falsePositive" || search.UndecidedHitsCount != 0 || len(hit.Changes) != 0 || hit.SupersededHit == nil || hit.SupersededHit.ID != first.ID {
			t.Errorf("asked again: %+v", hit)
		}
		if _, hit := ask(client.ScreeningQuestion{DateOfBirth: "1961"}); hit.Decision != "undecided" || !slices.Equal(hit.Changes, []string{"the subject: new date of birth: 1961"}) {
			t.Errorf("with a date of birth: %+v", hit)
		}
		words := quill()
		words.Reasons, words.Addresses = []string{"Other words."}, []kyc.Address{{City: "Cork", Country: "IE"}}
		w.listed(kyc.UNSanctions, words)
		if _, hit := ask(client.ScreeningQuestion{}); hit.Decision != "falsePositive" {
			t.Errorf("after other words: %+v", hit)
		}
		words.Names = append(words.Names, kyc.Name{Text: "Brosie Quill", Type: kyc.Alias})
		words.Born = []kyc.Date{{On: "1962"}}
		w.listed(kyc.UNSanctions, words)
		_, hit = ask(client.ScreeningQuestion{})
		want := []string{"the entry: new name: Brosie Quill", "the entry: date of birth: from 1961-04-05 to 1962"}
		if hit.Decision != "undecided" || !slices.Equal(hit.Changes, want) {
			t.Errorf("after a change that matters: %+v", hit)
		}
		other := w.client(w.join("other", everywhere(auth.KYC)...))
		got, err := other.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "Ambrose Quillfeather"}, "")
		if err != nil || got.UndecidedHitsCount != 1 {
			t.Errorf("another customer: %+v %v", got, err)
		}
	})
}

// The audit log says who looked for whom without a name, and the log nothing.
func TestSearchesAreAuditedWithoutNames(t *testing.T) {
	w := newWorld(t, plan{})
	l := w.join("acme", everywhere(auth.KYC)...)
	c := w.client(l)
	search, hit := screened(w, l, client.Individuals)
	id := strings.TrimPrefix(search, "/kyc-protect/searches/individuals/")
	_, err := c.DecideHit(t.Context(), client.Individuals, id, strings.TrimPrefix(hit, search+"/hits/"), client.HitDecision{Decision: "trueMatch"})
	must(t, err)
	_, _ = c.Screen(t.Context(), client.Individuals, client.ScreeningQuestion{Name: "Ambrose Quillfeather", DateOfBirth: "1961-04-05"}, "")
	marks := map[string]bool{}
	did := map[auth.Action]int{}
	must(t, w.db.AuditLog(t.Context(), 0, func(e auth.Entry) error {
		line := fmt.Sprintf("%+v", e)
		if strings.Contains(line, "Quill") || strings.Contains(withoutDrawn(line), "1961") {
			t.Errorf("the audit log names somebody: %s", line)
		}
		if e.Person != "" {
			marks[e.Person] = true
			did[e.Action]++
		}
		return nil
	}))
	if len(marks) != 1 || did[auth.Screened] != 2 || did[auth.HitDecided] != 1 || did[auth.PersonRead] == 0 {
		t.Errorf("got %v under %v", did, marks)
	}
	if log := w.log.String(); strings.Contains(log, "Quill") || strings.Contains(withoutDrawn(log), "1961") {
		t.Errorf("the log names somebody: %s", log)
	}
}

func TestSearchesAndHitsOnPaper(t *testing.T) {
	w := newWorld(t, plan{})
	ctx := t.Context()
	l := w.join("acme", everywhere(auth.KYC)...)
	c := w.client(l)
	second := quill()
	second.Number = "QDi.904"
	second.Names = append(second.Names, kyc.Name{Text: "Амброз Квилфезер", Type: kyc.Alias, Script: "Cyrl"})
	w.listed(kyc.UNSanctions, quill(), second)
	search, err := c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "Ambrose Quillfeather", Datasets: []string{"SAN"}}, "")
	must(t, err)
	hits := all(t, c.ScreeningHits(ctx, client.Individuals, search.ID))
	note := "not our Ambrose"
	_, err = c.DecideHit(ctx, client.Individuals, search.ID, hits[0].ID, client.HitDecision{Decision: "falsePositive", Note: &note})
	must(t, err)
	fetch := func(d client.Download, err error) string {
		t.Helper()
		must(t, err)
		got := w.send("GET", strings.TrimPrefix(d.DownloadURL, "https://bureau.test"), "")
		if got.status != 200 || got.header.Get("Content-Type") != "application/pdf" {
			t.Fatalf("got %d %s", got.status, got.body)
		}
		text, err := pdftest.Lines([]byte(got.body))
		must(t, err)
		return text
	}
	text := fetch(c.DownloadScreening(ctx, client.Individuals, search.ID))
	for _, want := range []string{"Ambrose Quillfeather", "QDi.901", "QDi.904", "UN Security Council", note, "falsePositive", "https://lists.example/QDi.901", "Nobody has decided"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the search's paper:\n%s", want, text)
		}
	}
	text = fetch(c.DownloadHit(ctx, client.Individuals, search.ID, hits[0].ID))
	if !strings.Contains(text, note) || strings.Contains(text, "Nobody has decided") {
		t.Errorf("the hit's paper is about another:\n%s", text)
	}
	d, err := c.DownloadHit(ctx, client.Individuals, search.ID, hits[0].ID)
	must(t, err)
	path := strings.TrimPrefix(d.DownloadURL, "https://bureau.test")
	for what, other := range map[string]string{
		"another hit": strings.ReplaceAll(path, hits[0].ID, hits[1].ID), "another customer": strings.Replace(path, "customer=", "customer=1", 1),
	} {
		if got := w.send("GET", other, ""); got.status != 403 {
			t.Errorf("%s: %d", what, got.status)
		}
	}
	w.clock.Step(6 * time.Minute)
	if got := w.send("GET", path, ""); got.status != 403 {
		t.Errorf("after its time: %d", got.status)
	}
}
