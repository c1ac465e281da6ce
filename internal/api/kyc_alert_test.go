package api_test

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/kyc"
)

// An AML alert goes out once by webhook and by the stream of its customer, and
// says nothing of who it is about. A customer without screening, another
// customer, and a webhook that wants some rules only do not hear of it.
func TestAlertsGoOut(t *testing.T) {
	w := newWorld(t, plan{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	owner := w.join("acme", everywhere(auth.Products()...)...)
	acme, other := w.desk(owner), w.desk(w.join("other", everywhere(auth.Products()...)...))
	w.listed(kyc.UNSanctions, shipping())
	hook := w.newWebhook(owner)
	_, err := acme.CreateWebhook(ctx, client.NewWebhook{URL: w.receiver.URL + "/rules", RuleCodes: []int{5001}})
	must(t, err)
	_, err = other.CreateWebhook(ctx, client.NewWebhook{URL: w.receiver.URL + "/other"})
	must(t, err)
	search, err := acme.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "Ambrose Quillfeather"}, "")
	must(t, err)
	made, err := acme.Schedule(ctx, []client.ScheduleWish{{SearchID: search.ID}})
	must(t, err)
	mine, theirs := w.follow(ctx, acme.token, "0"), w.follow(ctx, other.token, "0")
	_, _ = upTo(t, mine, ": following")
	w.listed(kyc.UNSanctions, shipping(), quill())
	w.rescreen()
	w.rescreen()
	_, err = w.server.Hub.Step(ctx)
	must(t, err)
	w.receiver.take()
	w.deliver()
	got := w.receiver.take()
	if len(got) != 1 || !strings.HasPrefix(got[0].path, "/hook/") {
		t.Fatalf("%d messages came: %+v", len(got), got)
	}
	must(t, client.VerifyWebhook(hook.Secret, got[0].header, got[0].body, anyAge))
	read, err := client.ReadWebhook(got[0].body)
	must(t, err)
	hits := all(t, acme.ScreeningAlerts(ctx))
	a := read.Alert
	if read.Type != client.WebhookAlert || a.SearchID != search.ID || a.SearchType != "individual" || a.ScheduleID != made.Successful[0].ID ||
		len(hits) != 1 || a.HitID != hits[0].ID || a.List != kyc.UNSanctions || a.Cause != "hit" || read.Sequence != a.EventID {
		t.Errorf("the message is %s", got[0].body)
	}
	if text := string(got[0].body); strings.Contains(text, "Quillfeather") || strings.Contains(withoutDrawn(text), "1961") {
		t.Errorf("the message names the subject: %s", text)
	}
	_, line := upTo(t, mine, "data: ")
	if !strings.Contains(line, a.HitID) || strings.Contains(line, "Quillfeather") {
		t.Errorf("the stream has %q", line)
	}
	w.server.Hub.Stop()
	if ids, _ := upTo(t, theirs, "\x00"); len(ids) != 0 {
		t.Errorf("another customer's stream has %v", ids)
	}
	if page := w.send("GET", "/monitoring/notificationEvents", "", "Authorization", acme.token); strings.Contains(page.body, "kyc.alert") {
		t.Errorf("it is among the events of portfolios: %s", page.body)
	}
}

// A search on a schedule tells of what a list says later, once.
func TestSchedulesAlert(t *testing.T) {
	w := newWorld(t, plan{})
	ctx := t.Context()
	c := w.client(w.join("acme", everywhere(auth.KYC)...))
	w.listed(kyc.UNSanctions, shipping())
	search, err := c.Screen(ctx, client.Individuals, client.ScreeningQuestion{Name: "Ambrose Quillfeather"}, "")
	must(t, err)
	made, err := c.Schedule(ctx, []client.ScheduleWish{{SearchID: search.ID}, {SearchID: noID}, {SearchID: search.ID}})
	must(t, err)
	if len(made.Successful) != 1 || len(made.Failed) != 2 || made.Failed[0].Error.Status != 404 || made.Failed[1].Error.Status != 409 {
		t.Fatalf("got %+v", made)
	}
	id := made.Successful[0].ID
	if got, err := c.Screening(ctx, client.Individuals, search.ID); err != nil || got.ScheduleID != id {
		t.Errorf("the search is not on it: %+v %v", got, err)
	}
	w.listed(kyc.UNSanctions, shipping(), quill())
	w.rescreen()
	w.rescreen()
	alerts := all(t, c.ScreeningAlerts(ctx))
	if len(alerts) != 1 || alerts[0].Name != "Ambrose Quillfeather" || alerts[0].SearchID != search.ID || alerts[0].ScheduleID != id || alerts[0].SearchType != "individual" {
		t.Fatalf("alerts: %+v", alerts)
	}
	_, err = c.DecideHit(ctx, client.Individuals, search.ID, alerts[0].ID, client.HitDecision{Decision: "falsePositive"})
	must(t, err)
	if left := all(t, c.ScreeningAlerts(ctx, "undecided")); len(left) != 0 {
		t.Errorf("undecided: %+v", left)
	}
	other := quill()
	other.Born = []kyc.Date{{On: "1971"}}
	w.listed(kyc.UNSanctions, shipping(), other)
	w.rescreen()
	again := all(t, c.ScreeningAlerts(ctx, "undecided"))
	if len(again) != 1 || again[0].SupersededHit == nil || again[0].SupersededHit.ID != alerts[0].ID || !slices.Equal(again[0].Changes, []string{"the entry: date of birth: from 1961-04-05 to 1971"}) {
		t.Errorf("after a change that matters: %+v", again)
	}
	high := 90
	if got, err := c.EditSchedule(ctx, id, client.ScheduleWish{Threshold: &high}); err != nil || got.Threshold != 90 {
		t.Errorf("got %+v %v", got, err)
	}
	if got := all(t, c.Schedules(ctx)); len(got) != 1 || got[0].Name != "Ambrose Quillfeather" {
		t.Errorf("schedules: %+v", got)
	}
	must(t, c.EndSchedule(ctx, id))
	if got := all(t, c.Schedules(ctx)); len(got) != 0 {
		t.Errorf("schedules: %+v", got)
	}
}

var drawn = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,}`)

// withoutDrawn is a text without ids and marks, so that a year that is found is one:
// their digits may be anything.
func withoutDrawn(text string) string { return drawn.ReplaceAllString(text, "") }
