package kyc

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
)

// newest reads a list that begins with the newest to the end of a span of days,
// page by page. next reads the page behind the last; made is when something came
// to be.
func newest[T any](c ReportCriteria, next func(last *T) (Page[T], error), made func(*T) time.Time) iter.Seq2[*T, error] {
	from, until := c.span()
	return func(yield func(*T, error) bool) {
		var last *T
		for {
			page, err := next(last)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.List {
				last = &page.List[i]
				at := made(last)
				if at.Before(from) {
					return // and so is all that comes behind
				}
				if at.Before(until) && !yield(last, nil) {
					return
				}
			}
			if !page.More {
				return
			}
		}
	}
}

// sheetRows turns things into rows; row returns none for what is left out.
func sheetRows[T any](list iter.Seq2[*T, error], row func(*T) []string) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		for one, err := range list {
			if err != nil {
				yield(nil, err)
				return
			}
			if cells := row(one); cells != nil && !yield(cells, nil) {
				return
			}
		}
	}
}

// anyOf says whether a value is asked for.
func (c ReportCriteria) anyOf(field, value string) bool {
	return len(c.Lists[field]) == 0 || slices.Contains(c.Lists[field], value)
}

var searchReportColumns = []SheetColumn{
	{"Search", 2.6},
	{"Type", 0.9},
	{"Name", 2},
	{"Date of birth", 1},
	{"Countries", 0.9},
	{"Threshold", 0.8},
	{"Datasets", 1.2},
	{"Status", 0.9},
	{"Risk", 1},
	{"Hits", 0.6},
	{"True", 0.6},
	{"False", 0.6},
	{"Undecided", 0.8},
	{"Searched (UTC)", 1.3},
	{"By", 1},
}

func kindWord(person bool) string {
	if person {
		return "individual"
	}
	return "business"
}

// searches reads the searches of one kind.
func (s *Reports) searches(ctx context.Context, by auth.Caller, person bool, c ReportCriteria) iter.Seq2[*Search, error] {
	return newest(c, func(last *Search) (Page[Search], error) {
		q := SearchQuery{Person: person, Limit: sheetPage}
		if last != nil {
			q.After = &SearchPlace{last.CreatedAt, last.ID}
		}
		return s.Searches.KYCSearches(ctx, by, q)
	}, func(one *Search) time.Time { return one.CreatedAt })
}

// screenSheet is what was searched for on some days: people, then businesses.
func (s *Reports) screenSheet(ctx context.Context, by auth.Caller, c ReportCriteria) Sheet {
	row := func(one *Search) []string {
		if !c.anyOf("statuses", string(one.Status)) || !c.anyOf("riskRatings", string(one.Risk)) {
			return nil
		}
		t := one.Tally
		return []string{
			string(one.ID), kindWord(one.Subject.Person), one.Subject.FullName(), string(one.Subject.Born), strings.Join(one.Subject.Countries, " "),
			strconv.Itoa(one.Options.Threshold), join(one.Options.Datasets), string(one.Status), string(one.Risk),
			number(t.Total), number(t.True), number(t.False), number(t.Undecided),
			one.CreatedAt.UTC().Format(time.DateTime), s.Called(one.CreatedBy),
		}
	}
	return Sheet{Title: "Screenings", Columns: searchReportColumns, Rows: func(yield func([]string, error) bool) {
		for _, person := range []bool{true, false} {
			if !c.anyOf("types", kindWord(person)) {
				continue
			}
			for cells, err := range sheetRows(s.searches(ctx, by, person, c), row) {
				if !yield(cells, err) || err != nil {
					return
				}
			}
		}
	}}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

var scheduleReportColumns = []SheetColumn{
	{"Schedule", 2.6},
	{"Search", 2.6},
	{"Type", 0.9},
	{"Name", 2},
	{"Threshold", 0.8},
	{"Datasets", 1.2},
	{"Since (UTC)", 1.3},
	{"By", 1},
}

// scheduleSheet is the searches that came under ongoing screening on some days,
// and still are.
func (s *Reports) scheduleSheet(ctx context.Context, by auth.Caller, c ReportCriteria) Sheet {
	list := newest(c, func(last *Schedule) (Page[Schedule], error) {
		q := ScheduleQuery{Limit: sheetPage}
		if last != nil {
			q.After = &SchedulePlace{last.CreatedAt, last.ID}
		}
		return s.Searches.KYCSchedules(ctx, by, q)
	}, func(one *Schedule) time.Time { return one.CreatedAt })
	return Sheet{Title: "Monitored searches", Columns: scheduleReportColumns, Rows: sheetRows(list, func(one *Schedule) []string {
		kind := kindWord(one.Of.Subject.Person)
		if !c.anyOf("types", kind) {
			return nil
		}
		return []string{
			string(one.ID), string(one.Search), kind, one.Of.Subject.FullName(), strconv.Itoa(one.Threshold), join(one.Datasets),
			one.CreatedAt.UTC().Format(time.DateTime), s.Called(one.CreatedBy),
		}
	})}
}

var alertReportColumns = []SheetColumn{
	{"Hit", 2.6},
	{"Search", 2.6},
	{"Type", 0.9},
	{"Listed name", 2},
	{"List", 1.2},
	{"Number", 1},
	{"Score", 0.6},
	{"Decision", 1},
	{"Note", 1.6},
	{"Found (UTC)", 1.3},
	{"Decided (UTC)", 1.3},
	{"Decided by", 1},
}

// alertSheet is the hits that ongoing screening found on some days.
func (s *Reports) alertSheet(ctx context.Context, by auth.Caller, c ReportCriteria) Sheet {
	list := newest(c, func(last *Alert) (Page[Alert], error) {
		q := AlertQuery{Decisions: criteriaWords[Decision](c, "hitDecisions"), Limit: sheetPage}
		if last != nil {
			q.After = last.SavedHit.Alert
		}
		return s.Alerts(ctx, by, q)
	}, func(one *Alert) time.Time { return one.CreatedAt })
	return Sheet{Title: "AML alerts", Columns: alertReportColumns, Rows: sheetRows(list, func(one *Alert) []string {
		if !c.anyOf("types", kindWord(one.Person)) {
			return nil
		}
		decided, judge := "", ""
		if !one.DecidedAt.IsZero() {
			decided, judge = one.DecidedAt.UTC().Format(time.DateTime), s.Called(one.DecidedBy)
		}
		return []string{
			string(one.ID), string(one.Search), kindWord(one.Person), one.Listed.Main(), one.Listed.List, one.Listed.Number, strconv.Itoa(one.Score),
			string(one.Decision), one.Note, one.CreatedAt.UTC().Format(time.DateTime), decided, judge,
		}
	})}
}
