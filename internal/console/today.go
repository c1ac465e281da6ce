package console

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/kyc"
	"bureau/internal/monitor"
)

// todayData is the first page: what happened since yesterday.
type todayData struct {
	Since      time.Time
	Monitoring bool
	Happened   int64
	Open       int64 // events that nobody marked, of whatever day
	Portfolios []portfolioRow
	Worth      []monitor.Event
	Days       *chart
	Lists      []kyc.Loaded
	OldLists   []kyc.Loaded
	Alerts     int64 // hits of schedules that nobody decided
}

// A portfolioRow is a portfolio in a list.
type portfolioRow struct {
	monitor.Listed
	Bands stack
	Total int64
	Fresh int64 // events since yesterday
	Open  int64 // events that nobody marked
	Mine  bool
}

const maxPortfolios = 100

func (s *Server) today(v *visit) error {
	d := todayData{Since: s.Now().UTC().Add(-24 * time.Hour), Monitoring: s.has(v, auth.Monitoring)}
	if d.Monitoring {
		if err := s.happened(v.ctx(), v.by, &d); err != nil {
			return err
		}
	}
	if s.has(v, auth.KYC) {
		var err error
		if d.Lists, err = s.Lists.LoadedLists(v.ctx()); err != nil {
			return err
		}
		for _, l := range d.Lists {
			if l.Old(s.Now()) {
				d.OldLists = append(d.OldLists, l)
			}
		}
		if d.Alerts, err = s.openAlerts(v); err != nil {
			return err
		}
	}
	return s.show(v, page{name: "today", title: "Today", here: "Today", charts: d.Days != nil, data: d})
}

func (s *Server) happened(ctx context.Context, by auth.Caller, d *todayData) (err error) {
	if d.Portfolios, err = s.portfolioRows(ctx, by, d.Since); err != nil {
		return err
	}
	for _, p := range d.Portfolios {
		d.Happened += p.Fresh
		d.Open += p.Open
	}
	no := false
	found, err := s.Events.Events(ctx, by, monitor.EventQuery{
		Processed: &no, From: d.Since, ByCreated: true, Sort: monitor.ByID, Down: true, Limit: 500,
	})
	if err != nil {
		return err
	}
	d.Worth = worthALook(found.List, 5)
	end, err := s.lastDay(ctx, by)
	if err != nil {
		return err
	}
	days, err := s.Events.EventsByDay(ctx, by, 0, end.AddDate(0, 0, -29), end)
	if err != nil {
		return err
	}
	d.Days = dayChart(days, end)
	return nil
}

// lastDay is where the chart ends: today, or where the newest event happened if
// that is not within sight of today. The sandbox's days are not ours.
func (s *Server) lastDay(ctx context.Context, by auth.Caller) (time.Time, error) {
	now := s.Now().UTC()
	found, err := s.Events.Events(ctx, by, monitor.EventQuery{Sort: monitor.ByDate, Down: true, Limit: 1})
	if err != nil || len(found.List) == 0 {
		return now, err
	}
	if at := found.List[0].At; at.After(now) || now.Sub(at) > 29*24*time.Hour {
		return at, nil
	}
	return now, nil
}

// dayChart is 30 days of events; nil if there were none.
func dayChart(days []monitor.Day, end time.Time) *chart {
	if len(days) == 0 {
		return nil
	}
	c := &chart{Kind: "bars", Unit: "events", Label: "Events"}
	var sum int64
	first := end.Truncate(24*time.Hour).AddDate(0, 0, -29)
	for i := range 30 {
		at := first.AddDate(0, 0, i)
		var n int64
		for _, d := range days {
			if d.Day.Equal(at) {
				n = d.Events
			}
		}
		sum += n
		c.add(at, n)
	}
	c.Words = "Events by day over the 30 days to " + day(end) + ": " + num(sum) + " in all"
	return c
}

func (s *Server) portfolioRows(ctx context.Context, by auth.Caller, since time.Time) ([]portfolioRow, error) {
	list, _, err := s.Portfolios.List(ctx, by, monitor.PortfolioQuery{Limit: maxPortfolios})
	if err != nil {
		return nil, err
	}
	no := false
	var out []portfolioRow
	for _, p := range list {
		row := portfolioRow{Listed: p, Mine: p.Owner == by.Account}
		bands, err := s.Portfolios.Bands(ctx, by, p.ID)
		if err != nil {
			return nil, err
		}
		row.Bands, row.Total = bandStack(bands), bands.Total
		for _, q := range []struct {
			into  *int64
			query monitor.EventQuery
		}{
			{&row.Fresh, monitor.EventQuery{Portfolio: p.ID, From: since, ByCreated: true, Sort: monitor.ByID, Limit: 1}},
			{&row.Open, monitor.EventQuery{Portfolio: p.ID, Processed: &no, Sort: monitor.ByID, Limit: 1}},
		} {
			found, err := s.Events.Events(ctx, by, q.query)
			if err != nil {
				return nil, err
			}
			*q.into = found.Total
		}
		out = append(out, row)
	}
	return out, nil
}

// weights say what is more worth a look than something else. A band or a limit
// that rises weighs little.
var weights = map[company.Field]int{
	company.Listed: 100, company.NewNotice: 95, company.Removed: 90, company.FieldStatus: 80, company.ScoreBand: 75,
	company.AccountsOverdue: 60, company.ScoreLimit: 55, company.ChargesChanged: 45, company.OwnerOut: 35, company.OfficerOut: 35,
	company.Group: 30, company.FieldName: 30, company.OwnerIn: 25, company.OfficerIn: 20, company.FieldAddress: 15,
}

func weight(e *monitor.Event) int {
	rises := e.Field == company.ScoreBand && e.New < e.Old
	if e.Field == company.ScoreLimit {
		was, _ := company.ParseMoney(e.Old)
		is, _ := company.ParseMoney(e.New)
		rises = is.Minor >= was.Minor
	}
	if rises {
		return 5
	}
	return cmp.Or(weights[e.Field], 10)
}

// worthALook picks the weightiest events, the newest of them first, one for each
// company.
func worthALook(list []monitor.Event, most int) []monitor.Event {
	slices.SortStableFunc(list, func(a, b monitor.Event) int {
		return cmp.Or(cmp.Compare(weight(&b), weight(&a)), cmp.Compare(b.ID, a.ID))
	})
	seen := map[company.ID]bool{}
	var out []monitor.Event
	for _, e := range list {
		if !seen[e.Company] && len(out) < most {
			seen[e.Company] = true
			out = append(out, e)
		}
	}
	return out
}
