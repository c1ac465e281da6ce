package monitor

import (
	"context"
	"fmt"
	"slices"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// WhyStore is what explanations ask of a database.
type WhyStore interface {
	// Event returns an event that the caller may see.
	Event(ctx context.Context, by auth.Caller, id EventID) (Event, error)

	// SettingsEver returns the rules that a portfolio has or had on.
	SettingsEver(ctx context.Context, by auth.Caller, id PortfolioID) ([]Setting, error)

	// WatchedSince returns for which changes a portfolio watches a company.
	// What ended long ago may be left out.
	WatchedSince(ctx context.Context, by auth.Caller, id PortfolioID, of company.ID) ([]Watcher, error)

	// Change returns one change by its number. None is a fault.Missing.
	Change(ctx context.Context, number int64) (company.Change, error)

	// ChangesOf returns a company's changes below a number, the newest first.
	ChangesOf(ctx context.Context, of company.ID, before int64, limit int) ([]company.Change, error)

	Coverer
}

// A Coverer hides in events who may not be shown: also in those that were told
// before. Events that a store returns are covered.
type Coverer interface {
	CoverEvents(ctx context.Context, events []*Event) error
}

// An Explainer says why something was told, and why it was not.
type Explainer struct {
	Store interface {
		Store
		WhyStore
	}
	Passed func(ctx context.Context) (int64, error) // the last change that was evaluated
}

// A Cause is all that led to an event.
type Cause struct {
	Event   Event
	Rule    *Rule   // nil if it is no longer in the book
	Setting Setting // as the portfolio had it; without an ID if that is no longer known
	Change  company.Change
}

// Event explains an event.
func (x *Explainer) Event(ctx context.Context, by auth.Caller, id EventID) (Cause, error) {
	e, err := x.Store.Event(ctx, by, id)
	if err != nil {
		return Cause{}, err
	}
	out := Cause{Event: e}
	out.Rule, _ = FindRule(e.Country, e.Rule)
	list, err := x.Store.SettingsEver(ctx, by, e.Portfolio)
	if err != nil {
		return Cause{}, err
	}
	for _, s := range list {
		if s.ID == e.Setting {
			out.Setting = s
		}
	}
	if out.Change, err = x.Store.Change(ctx, e.Change); err != nil {
		return out, err
	}
	told := Explained{Change: out.Change}
	err = x.cover(ctx, &told)
	out.Change = told.Change
	return out, err
}

// A Verdict is what one rule made of a change for a portfolio.
type Verdict struct {
	Rule   *Rule
	Values Values
	Told   bool
	Why    string
}

// An Explained change, with what each rule that looks at it made of it.
type Explained struct {
	Change   company.Change
	Watched  bool // the company was in the portfolio
	Verdicts []Verdict
}

// Changes explains the latest changes of a company to a portfolio, or one.
func (x *Explainer) Changes(ctx context.Context, by auth.Caller, id PortfolioID, of company.ID, number int64, limit int) ([]Explained, error) {
	c, err := x.load(ctx, by, id, of)
	if err != nil {
		return nil, err
	}
	before := int64(Forever)
	if number != 0 {
		before, limit = number+1, 1
	}
	list, err := x.Store.ChangesOf(ctx, of, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", err)
	}
	if number != 0 && (len(list) == 0 || list[0].Number != number) {
		return nil, fault.Missing.Errorf("Change not found")
	}
	out := make([]Explained, 0, len(list))
	for i := range list {
		e, err := x.explain(ctx, c, &list[i])
		if err != nil {
			return nil, err
		}
		if err := x.cover(ctx, &e); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// cover hides in an explanation who may not be shown.
func (x *Explainer) cover(ctx context.Context, e *Explained) error {
	words := []*Event{{Old: e.Change.Old, New: e.Change.New}}
	for _, v := range e.Verdicts {
		words = append(words, &Event{Old: e.Change.Old, New: e.Change.New, Why: v.Why})
	}
	for _, w := range words {
		w.Company, w.Field, w.Change = e.Change.Company, e.Change.Field, e.Change.Number
	}
	if err := x.Store.CoverEvents(ctx, words); err != nil {
		return err
	}
	e.Change.Old, e.Change.New = words[0].Old, words[0].New
	for i := range e.Verdicts {
		e.Verdicts[i].Why = words[i+1].Why
	}
	return nil
}

// A case is what is known of a portfolio and a company.
type caseFile struct {
	settings []Setting
	quiets   []*Quiet
	watched  []Watcher
	passed   int64
}

func (x *Explainer) load(ctx context.Context, by auth.Caller, id PortfolioID, of company.ID) (c caseFile, err error) {
	if c.settings, err = x.Store.SettingsEver(ctx, by, id); err != nil {
		return c, err
	}
	list, err := x.Store.QuietsEver(ctx, by, id)
	if err != nil {
		return c, err
	}
	for i := range list {
		c.quiets = append(c.quiets, &list[i])
	}
	if c.watched, err = x.Store.WatchedSince(ctx, by, id, of); err != nil {
		return c, err
	}
	c.passed, err = x.Passed(ctx)
	return c, err
}

func (x *Explainer) explain(ctx context.Context, f caseFile, c *company.Change) (Explained, error) {
	out := Explained{Change: *c}
	out.Watched = slices.ContainsFunc(f.watched, func(w Watcher) bool { return w.Since < c.Number && c.Number <= w.Until })
	for _, r := range byField[c.Field] {
		if !r.Watches(c.Company.Country()) {
			continue
		}
		v, err := x.judge(ctx, f, c, r, out.Watched)
		if err != nil {
			return out, err
		}
		out.Verdicts = append(out.Verdicts, v)
	}
	return out, nil
}

// judge says what a rule made of a change, and if nothing, the first reason.
func (x *Explainer) judge(ctx context.Context, f caseFile, c *company.Change, r *Rule, watched bool) (Verdict, error) {
	v := Verdict{Rule: r}
	on := slices.IndexFunc(f.settings, func(s Setting) bool {
		return s.Country == r.Country && s.Code == r.Code && s.Since < c.Number && c.Number <= s.Until
	})
	if on >= 0 {
		v.Values = f.settings[on].Values
	}
	switch {
	case !watched:
		v.Why = "the company was not in the portfolio when this happened"
		return v, nil
	case on < 0:
		v.Why = "the rule was not on when this happened"
		return v, nil
	}
	told, fires := r.fires(c, v.Values)
	if !fires {
		v.Why = "the change is not what the rule's parameters ask for"
		return v, nil
	}
	silence, window := quietFor(f.quiets, c, r.Code)
	switch {
	case silence != nil:
		v.Why = "silenced until " + silence.Until.UTC().Format("2006-01-02 15:04") + note(silence)
		return v, nil
	case window > 0:
		past, err := x.Store.ChangesOf(ctx, c.Company, c.Number, pastMost)
		if err != nil {
			return v, fmt.Errorf("read changes: %w", err)
		}
		if flaps(c, past, window) {
			v.Why = fmt.Sprintf("the value goes to and fro: it was there before, within %d hours", int(window.Hours()))
			return v, nil
		}
	}
	if c.Number > f.passed {
		v.Why = "not evaluated yet; it will be told: " + told.Why
		return v, nil
	}
	v.Told, v.Why = true, told.Why
	return v, nil
}

func note(q *Quiet) string {
	if q.Note == "" {
		return ""
	}
	return " (" + q.Note + ")"
}
