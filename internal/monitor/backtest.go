package monitor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// A Trial asks what a rule would have told over a time that is past.
type Trial struct {
	Portfolio PortfolioID
	Rule      *Rule
	Values    Values
	From, To  time.Time // both included
	Sample    int       // how many events to show, the newest first
}

// An Outcome is what would have been told to the portfolio as it is now.
type Outcome struct {
	Looked    int64 // changes of the fields that the rule looks at
	Events    int64
	Companies int64 // that they would have been about
	Days      []Day // days with events
	Sample    []Event
}

// TrialStore is what a back-test asks of a database.
type TrialStore interface {
	// ChangesAmong calls each for the changes of a portfolio's companies in
	// some fields that happened between two times, both included, company by
	// company, in the order of their numbers.
	ChangesAmong(ctx context.Context, by auth.Caller, id PortfolioID, fields []company.Field, from, to time.Time, each func(company.Change) error) error

	Coverer
}

// maxTrial is the longest time that is looked back on.
const maxTrial = 3 * 366 * 24 * time.Hour

// BackTest runs a rule over the past of the companies that are in a portfolio
// now. It is the function that the engine runs, on the changes that it ran on.
func BackTest(ctx context.Context, s TrialStore, by auth.Caller, t Trial) (Outcome, error) {
	var out Outcome
	v, err := t.Rule.Check(t.Values)
	if err != nil {
		return out, err
	}
	if t.To.Before(t.From) || t.To.Sub(t.From) > maxTrial {
		return out, fault.Invalid.Details("the time cannot be looked back on", "startDate, endDate: at most three years, the end behind the start")
	}
	days := map[int64]int64{}
	about := map[company.ID]bool{}
	err = s.ChangesAmong(ctx, by, t.Portfolio, t.Rule.Fields, t.From, t.To, func(c company.Change) error {
		if !t.Rule.Watches(c.Company.Country()) {
			return nil
		}
		out.Looked++
		told, fires := t.Rule.fires(&c, v)
		if !fires {
			return nil
		}
		out.Events++
		about[c.Company] = true
		days[c.At.Unix()/86400]++
		out.Sample = append(out.Sample, Event{
			Portfolio: t.Portfolio, Company: c.Company, Country: t.Rule.Country, Rule: t.Rule.Code, Version: t.Rule.Version,
			Change: c.Number, Field: c.Field, Source: c.Source, Old: told.Old, New: told.New, Why: told.Why, At: c.At,
		})
		if len(out.Sample) >= 2*t.Sample+100 {
			out.Sample = newest(out.Sample, t.Sample)
		}
		return nil
	})
	if err != nil {
		if _, ok := fault.Of(err); !ok {
			err = fmt.Errorf("look back: %w", err)
		}
		return out, err
	}
	out.Companies = int64(len(about))
	out.Sample = newest(out.Sample, t.Sample)
	shown := make([]*Event, len(out.Sample))
	for i := range out.Sample {
		shown[i] = &out.Sample[i]
	}
	if err := s.CoverEvents(ctx, shown); err != nil {
		return out, err
	}
	for day, n := range days {
		out.Days = append(out.Days, Day{Day: time.Unix(day*86400, 0).UTC(), Events: n})
	}
	slices.SortFunc(out.Days, func(a, b Day) int { return a.Day.Compare(b.Day) })
	return out, nil
}

// newest keeps the events of the latest changes, the newest first.
func newest(list []Event, n int) []Event {
	slices.SortFunc(list, func(a, b Event) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Change, a.Change)) })
	return list[:min(n, len(list))]
}
