package app

import (
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/job"
	"bureau/internal/sandbox"
)

// gauge reads a metric that has no labels.
func gauge(t *testing.T, m *metrics, name string) float64 {
	t.Helper()
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// An operator hears it when evaluation stands still: by a metric, and in the
// log.
func TestStandstillReachesTheOperator(t *testing.T) {
	a, log := openHouse(t, config(t))
	s := &Serving{app: a, metrics: newMetrics("test")}
	engine := a.engine()
	now := time.Now()
	engine.Now = func() time.Time { return now }
	standing := s.failing(t.Context(), "evaluation's progress")
	watch := func() {
		t.Helper()
		if err := s.watch(t.Context(), engine, standing); err != nil {
			t.Fatal(err)
		}
	}
	err := a.DB.Write(t.Context(), func(company.View) (company.Update, error) {
		return company.Update{Changes: []company.Change{{Company: "GB-0-1", Field: company.FieldName, New: "x", At: now}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 8 { // 35 s, in which nobody evaluates
		watch()
		now = now.Add(5 * time.Second)
	}
	if behind, stood := gauge(t, s.metrics, "bureau_changes_behind"), gauge(t, s.metrics, "bureau_evaluation_standing_seconds"); behind != 1 || stood != 35 {
		t.Errorf("the metrics say that %v changes wait, for %v s", behind, stood)
	}
	told := log.lines(t, "background work fails")
	if len(told) != 1 || told[0]["level"] != "ERROR" || told[0]["job"] != "evaluation's progress" {
		t.Errorf("the log says %v, want one line", told)
	}
	if _, err := engine.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	watch()
	if behind, stood := gauge(t, s.metrics, "bureau_changes_behind"), gauge(t, s.metrics, "bureau_evaluation_standing_seconds"); behind != 0 || stood != 0 {
		t.Errorf("then they say that %v changes wait, for %v s", behind, stood)
	}
}

// In the sandbox accounts are overdue by the sandbox's calendar.
func TestOverdueGoesByTheSandboxClock(t *testing.T) {
	a, _ := openHouse(t, config(t, func(c *Config) { c.Sandbox = true }))
	step := a.overdue()
	day := func(n int) { // of the world
		t.Helper()
		if err := a.DB.SavePlace(t.Context(), job.Place{Name: "sandbox clock", Number: int64(n * sandbox.TicksPerDay)}); err != nil {
			t.Fatal(err)
		}
		if err := step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	day(0)
	due := company.Date(sandbox.Birthday.AddDate(0, 0, 3).Format(time.DateOnly))
	run, err := a.Register.NewRun(t.Context(), "src", false, sandbox.Birthday)
	if err != nil {
		t.Fatal(err)
	}
	err = run.Add(t.Context(), []company.Statement{{Country: "GB", Number: "1", Facts: company.Facts{
		Name: "One", Status: company.Active, Due: company.Due{AccountsNext: due},
	}}})
	if err == nil {
		err = run.Finish(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	day(3)
	if n, _ := a.DB.LastChange(t.Context()); n != 1 {
		t.Errorf("%d changes on the last day", n)
	}
	day(4)
	list, err := a.DB.ChangesOf(t.Context(), "GB-0-1", 0, 10)
	if err != nil || len(list) != 2 || list[0].Field != company.AccountsOverdue || !list[0].At.Equal(sandbox.Birthday.AddDate(0, 0, 4)) {
		t.Errorf("the day after: %+v (%v)", list, err)
	}
}
