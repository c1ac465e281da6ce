package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"bureau/client"
	"bureau/internal/auth"
	"bureau/internal/company"
)

// scoreMoves changes a company's score and lets the engine see it.
func (w *world) scoreMoves(id company.ID, old, new string) {
	w.t.Helper()
	must(w.t, w.db.Write(w.t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{
			{Company: id, Field: company.ScoreValue, Old: old, New: new, Source: "scores", At: w.clock.Now()},
		}}, nil
	}))
	for {
		n, err := w.engine.Step(w.t.Context())
		must(w.t, err)
		if n == 0 {
			return
		}
	}
}

// latest is what a rule made of a company's latest change.
func latest(t *testing.T, of *desk, portfolio int64, id string, rule int) client.Verdict {
	t.Helper()
	list, err := of.WhyChanges(t.Context(), portfolio, id, 0)
	must(t, err)
	if len(list) == 0 {
		t.Fatalf("nothing is said about %s", id)
	}
	for _, v := range list[0].Rules {
		if v.Code == rule {
			return v
		}
	}
	return client.Verdict{Reason: "no such rule"}
}

// An event is explained with the rule of that day.
func TestWhyAnEventWasTold(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 1)
	must(t, acme.SwitchRules(t.Context(), id, "XX", client.RuleSwitch{Code: 5060, IsActive: true, Params: []string{"10"}}))
	w.scoreMoves("GB-0-1", "60", "45")
	must(t, acme.SwitchRules(t.Context(), id, "XX", client.RuleSwitch{Code: 5060, IsActive: true, Params: []string{"90"}}))
	why, err := acme.WhyEvent(t.Context(), 1)
	must(t, err)
	if why.Rule.Code != 5060 || why.Rule.CountryCode != "XX" || why.Rule.Version < 1 || why.Rule.Param0 != "10" {
		t.Errorf("the rule was %+v", why.Rule)
	}
	if c := why.Change; c.Number == 0 || c.Field != "score" || c.Old != "60" || c.New != "45" || c.Source != "scores" {
		t.Errorf("the change was %+v", why.Change)
	}
	if why.Event.ID != 1 || !strings.Contains(why.Reason, "fell by 15 points, from 60 to 45; the rule asks for 10 or more") {
		t.Errorf("event %d was told because %q", why.Event.ID, why.Reason)
	}
}

// Whatever was not told has its reason.
func TestWhyNothingWasTold(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(3)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 2)
	must(t, acme.SwitchRules(t.Context(), id, "XX", client.RuleSwitch{Code: 5060, IsActive: true, Params: []string{"10"}}))
	want := func(of string, rule int, told bool, reason string) {
		t.Helper()
		if v := latest(t, acme, id, of, rule); v.Told != told || !strings.Contains(v.Reason, reason) {
			t.Errorf("%s, rule %d: told %v because %q; want %v, %q", of, rule, v.Told, v.Reason, told, reason)
		}
	}
	w.rename("GB-0-1", "a", "b")
	want("GB-0-1", 5001, true, "from a to b")
	want("GB-0-1", 104, false, "the rule was not on")
	want("GB-0-1", 924, false, "no such rule") // a Norwegian one
	w.rename("GB-0-3", "a", "b")
	want("GB-0-3", 5001, false, "not in the portfolio")
	w.scoreMoves("GB-0-1", "60", "51")
	want("GB-0-1", 5060, false, "parameters")

	// A company is silenced, and then a rule; another company and another rule
	// are not.
	until := w.clock.Now().AddDate(1, 0, 0).Format(time.DateOnly)
	silent, err := acme.Silence(t.Context(), id, client.Silence{CompanyID: "GB-0-1", Until: until, Note: "they move"})
	must(t, err)
	w.rename("GB-0-1", "b", "c")
	want("GB-0-1", 5001, false, "silenced until "+until+" 00:00 (they move)")
	w.rename("GB-0-2", "b", "c")
	want("GB-0-2", 5001, true, "from b to c")
	must(t, acme.EndSilence(t.Context(), id, silent.ID))
	w.rename("GB-0-1", "c", "d")
	want("GB-0-1", 5001, true, "from c to d")
	_, err = acme.Silence(t.Context(), id, client.Silence{RuleCode: 5001, Until: until})
	must(t, err)
	w.rename("GB-0-2", "c", "d")
	want("GB-0-2", 5001, false, "silenced")
	w.scoreMoves("GB-0-2", "60", "45")
	want("GB-0-2", 5060, true, "fell by 15")

	// A value that goes to and fro.
	_, err = acme.Silence(t.Context(), id, client.Silence{RuleCode: 5060, CollapseHours: 24})
	must(t, err)
	w.clock.Step(time.Minute)
	w.scoreMoves("GB-0-2", "45", "60")
	w.scoreMoves("GB-0-2", "60", "45")
	want("GB-0-2", 5060, false, "to and fro")
	list, err := acme.Silences(t.Context(), id)
	must(t, err)
	if len(list) != 2 || list[0].RuleCode != 5001 || list[1].CollapseHours != 24 {
		t.Errorf("in force are %+v", list)
	}
	told := 0
	for _, err := range acme.Events(t.Context(), client.EventFilter{}) {
		must(t, err)
		told++
	}
	if told != 4 {
		t.Errorf("%d events were told, want the four that are said to have been", told)
	}
}

// A silence ends by itself on its day.
func TestSilenceEndsByItself(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(1)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 1)
	// Its end is checked against the clock on the wall, which is not the test's.
	day := time.Now().AddDate(0, 0, 40).UTC().Truncate(24 * time.Hour)
	_, err := acme.Silence(t.Context(), id, client.Silence{Until: day.Format(time.DateOnly)})
	must(t, err)
	w.rename("GB-0-1", "a", "b")
	w.clock.Step(day.Sub(w.clock.Now()))
	w.rename("GB-0-1", "b", "c")
	list, err := acme.Silences(t.Context(), id)
	if err != nil || len(list) != 0 {
		t.Errorf("in force are %+v (%v)", list, err)
	}
	var told []string
	for e, err := range acme.Events(t.Context(), client.EventFilter{}) {
		must(t, err)
		told = append(told, e.NewValue)
	}
	if fmt.Sprint(told) != "[c]" {
		t.Errorf("told %v, want what happened on the day itself", told)
	}
}

// A back-test counts what would have been told, and switches nothing on.
func TestBackTest(t *testing.T) {
	w := newWorld(t, plan{})
	w.companies(2)
	acme := w.desk(w.join("acme", everywhere(auth.Products()...)...))
	id := w.watched(acme, "Mine", 2)
	for n, score := range []string{"80 70", "70 69", "69 50"} {
		old, new, _ := strings.Cut(score, " ")
		w.scoreMoves(company.NewID("GB", fmt.Sprint(n%2+1)), old, new)
		w.clock.Step(24 * time.Hour)
	}
	from := w.clock.Now().AddDate(0, 0, -3)
	out, err := acme.BackTest(t.Context(), id, client.Trial{CountryCode: "XX", Code: 5060, Params: [3]string{"10", "", ""}, From: from, To: w.clock.Now()})
	must(t, err)
	if out.Changes != 3 || out.Events != 2 || out.Companies != 1 || len(out.Days) != 2 || len(out.Sample) != 2 || out.Sample[0].NewValue != "50" {
		t.Errorf("got %+v", out)
	}
	w.scoreMoves("GB-0-1", "50", "10")
	for e, err := range acme.Events(t.Context(), client.EventFilter{}) {
		must(t, err)
		t.Errorf("it was only tried out, and %+v was told", e)
	}
}
