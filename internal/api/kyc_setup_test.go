package api_test

import (
	"strings"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/kyc"
)

func newSearches(w *world, v *auth.Vault) *kyc.Searches {
	return &kyc.Searches{
		Screener: &kyc.Screener{Index: &kyc.Index{Store: w.db}, Store: w.db, Now: w.clock.Now}, Store: w.db, Directory: w.dir,
		Now: w.clock.Now, Fingerprint: v.Subject, Named: v.Person,
	}
}

// listed loads a list, in the place of what it held before.
func (w *world) listed(list string, entries ...kyc.Entry) {
	w.t.Helper()
	in := kyc.Intake{Store: w.db, File: list + ".csv", Whole: true, AcceptShrink: true, Now: w.clock.Now}
	var records []kyc.Record
	for _, e := range entries {
		e.List = list
		r := kyc.Record{Entry: e}
		must(w.t, r.Check())
		records = append(records, r)
	}
	must(w.t, in.Add(w.t.Context(), records))
	must(w.t, in.Finish(w.t.Context()))
	must(w.t, w.server.KYC.Screener.Index.Refresh(w.t.Context()))
}

// quill is somebody on a list who exists nowhere.
func quill() kyc.Entry {
	return kyc.Entry{
		Number: "QDi.901", Kind: kyc.Person, Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.UN},
		Names: []kyc.Name{{Text: "Ambrose Quillfeather", First: "Ambrose", Last: "Quillfeather"}, {Text: "Ambros Kwilfether", Type: kyc.Alias}},
		Born:  []kyc.Date{{On: "1961-04-05"}}, Nationalities: []string{"IE"}, Gender: kyc.Male, Programmes: []string{"EXAMPLE"}, Measures: []string{"Asset freeze"},
		Identifiers: []kyc.Identifier{{Type: kyc.Passport, Value: "X0000001"}}, Listed: "2020-01-02", Reasons: []string{"Made up."},
		Sources: []kyc.Source{{Title: "UN list", Link: "https://lists.example/QDi.901"}},
	}
}

func shipping() kyc.Entry {
	return kyc.Entry{
		Number: "QDe.902", Kind: kyc.Company, Datasets: []kyc.Dataset{kyc.SANCurrent}, Bodies: []kyc.Body{kyc.UN},
		Names: []kyc.Name{{Text: "Zephyrine Bulk Shipping Ltd"}, {Text: "Zephyrine Maritime", Type: kyc.Former}}, Countries: []string{"MT"},
		Sources: []kyc.Source{{Title: "UN list", Link: "https://lists.example/QDe.902"}},
	}
}

// rescreen does what ongoing screening does with all that lists ever said.
func (w *world) rescreen() {
	w.t.Helper()
	ctx := w.t.Context()
	changes, err := w.db.EntryChanges(ctx, 0, 1000)
	must(w.t, err)
	alerts, err := w.server.KYC.Rescreen(ctx, changes, 0, nil)
	must(w.t, err)
	must(w.t, w.db.AddKYCAlerts(ctx, alerts))
}

// screened makes a search of the owner's that has a hit, and returns the paths
// to both.
func screened(w *world, owner login, kind client.SubjectKind) (search, hit string) {
	w.t.Helper()
	w.listed(kyc.UNSanctions, quill(), shipping())
	name := map[client.SubjectKind]string{client.Individuals: "Ambrose Quillfeather", client.Businesses: "Zephyrine Bulk Shipping"}[kind]
	got, err := w.client(owner).Screen(w.t.Context(), kind, client.ScreeningQuestion{Name: name}, "")
	must(w.t, err)
	search = "/kyc-protect/searches/" + string(kind) + "/" + got.ID
	for h, err := range w.client(owner).ScreeningHits(w.t.Context(), kind, got.ID) {
		must(w.t, err)
		return search, search + "/hits/" + h.ID
	}
	w.t.Fatal("there is no hit")
	return "", ""
}

func kycExamples() (out []example) {
	const path = "/kyc-protect/searches/"
	for _, k := range []struct{ noun, kind string }{{"Individual", "individuals"}, {"Business", "businesses"}} {
		all, one := path+k.kind, path+k.kind+"/"+noID
		low := map[string]string{"Individual": "individual", "Business": "business"}[k.noun]
		out = append(out,
			example{"search" + k.noun, "POST", all, `{"name":"Somebody Else","threshold":80,"datasets":["SAN"],"countryCodes":null}`, 201, "acme"},
			example{"search" + k.noun, "POST", all, `{"name":"Somebody Else","threshold":49}`, 400, "acme"},
			example{"search" + k.noun, "POST", all, `{"name":"Somebody Else"}`, 403, "bare"},
			example{low + "Searches", "GET", all + "?isScheduled=false", "", 200, "acme"},
			example{low + "Searches", "GET", all + "?page=0", "", 400, "acme"},
			example{"update" + k.noun + "Searches", "PUT", all, `{"items":[{"searchId":"` + noID + `","riskRating":"low"}]}`, 200, "acme"},
			example{low + "Search", "GET", one, "", 404, "acme"},
			example{"update" + k.noun + "Search", "PUT", one, `{"status":"closed","riskRating":"low"}`, 404, "acme"},
			example{low + "Hits", "GET", one + "/hits", "", 404, "acme"},
			example{low + "Hits", "GET", one + "/hits?hitDecisions=perhaps", "", 400, "acme"},
			example{"decide" + k.noun + "Hits", "PUT", one + "/hits", `{"items":[]}`, 404, "acme"},
			example{low + "Hit", "GET", one + "/hits/" + noID, "", 404, "acme"},
			example{"download" + k.noun + "Search", "POST", one + "/download", `[]`, 404, "acme"},
			example{"download" + k.noun + "Hit", "GET", one + "/hits/" + noID + "/download", "", 404, "acme"},
			example{"note" + k.noun + "Hit", "PUT", one + "/hits/" + noID + "/note", `{"note":"seen"}`, 404, "acme"},
			example{"decide" + k.noun + "Hit", "PUT", one + "/hits/" + noID, `{"decision":"trueMatch"}`, 404, "acme"},
		)
	}
	const plans = "/kyc-protect/schedules"
	out = append(out,
		example{"createSchedules", "POST", plans, `{"items":[{"searchId":"` + noID + `","threshold":80,"datasets":null}]}`, 200, "acme"},
		example{"createSchedules", "POST", plans, `{"items":[]}`, 403, "bare"},
		example{"schedules", "GET", plans, "", 200, "acme"},
		example{"updateSchedules", "PUT", plans, `{"items":[{"scheduleId":"` + noID + `","isEmailRequired":false}]}`, 200, "acme"},
		example{"endSchedules", "DELETE", plans, `{"items":["` + noID + `"]}`, 200, "acme"},
		example{"amlAlerts", "GET", plans + "/amlAlerts?hitDecisions=undecided", "", 200, "acme"},
		example{"amlAlerts", "GET", plans + "/amlAlerts?hitDecisions=perhaps", "", 400, "acme"},
		example{"schedule", "GET", plans + "/" + noID, "", 404, "acme"},
		example{"updateSchedule", "PUT", plans + "/" + noID, `{"threshold":80}`, 404, "acme"},
		example{"endSchedule", "DELETE", plans + "/" + noID, "", 404, "acme"},
	)
	return append(out, example{"signedKYCPaper", "GET", "/signed/kyc-protect/searches/" + noID, "", 403, ""})
}

// kycFixtures are how strangers try the searches and hits of others.
func kycFixtures() map[string]fixture {
	out := map[string]fixture{"signedKYCPaper": {nobodys: "whoever has the signed address may read it"}}
	plan := func(body string) fixture {
		return fixture{random: "/kyc-protect/schedules/" + noID, body: body, theirs: func(w *world, owner login) string {
			path, _ := screened(w, owner, client.Businesses)
			got, err := w.client(owner).Schedule(w.t.Context(), []client.ScheduleWish{{SearchID: path[strings.LastIndex(path, "/")+1:]}})
			must(w.t, err)
			return "/kyc-protect/schedules/" + got.Successful[0].ID
		}}
	}
	out["schedule"], out["updateSchedule"], out["endSchedule"] = plan(""), plan(`{"threshold":90}`), plan("")
	for noun, kind := range map[string]client.SubjectKind{"Individual": client.Individuals, "Business": client.Businesses} {
		low := map[string]string{"Individual": "individual", "Business": "business"}[noun]
		none := "/kyc-protect/searches/" + string(kind) + "/" + noID
		search := func(behind, body string) fixture {
			return fixture{random: none + behind, body: body, theirs: func(w *world, owner login) string {
				path, _ := screened(w, owner, kind)
				return path + behind
			}}
		}
		hit := func(behind, body string) fixture {
			return fixture{random: none + "/hits/" + noID + behind, body: body, theirs: func(w *world, owner login) string {
				_, path := screened(w, owner, kind)
				return path + behind
			}}
		}
		out[low+"Search"] = search("", "")
		out["update"+noun+"Search"] = search("", `{"status":"closed"}`)
		out[low+"Hits"] = search("/hits", "")
		out["decide"+noun+"Hits"] = search("/hits", `{"items":[]}`)
		out[low+"Hit"] = hit("", "")
		out["download"+noun+"Search"] = search("/download", `[]`)
		out["download"+noun+"Hit"] = hit("/download", "")
		out["note"+noun+"Hit"] = hit("/note", `{"note":"seen"}`)
		out["decide"+noun+"Hit"] = hit("", `{"decision":"falsePositive"}`)
	}
	return out
}
