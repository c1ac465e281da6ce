package api

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// eventRows are the rows of events.
func (s *Server) eventRows() []route {
	return []route{
		get("/monitoring/notificationEvents", auth.Monitoring, "events", "Events in your portfolios", s.events, free,
			about("What happened to the companies in your portfolios and in those shared with you, by the rules that are on. An event stays in the list when its company leaves the portfolio.")),
		patch("/monitoring/notificationEvents", auth.Monitoring, "markEvents", "Mark events as processed, up to one", s.markEvents, free,
			about("Marks every event up to a number, in all portfolios that you may edit.")),
		get("/monitoring/notificationEvents/dataByDay", auth.Monitoring, "eventsByDay", "How many events, day by day", s.eventsByDay, free,
			about("Counts the events of your portfolios by the day on which they happened. Days without events are left out.")),
		patch("/monitoring/notificationEvents/{eventId}", auth.Monitoring, "markEvent", "Mark an event as processed", s.markEvent, free,
			about("Marks one event of any of your portfolios. To mark it twice is to mark it once.")),
		get("/monitoring/portfolios/{portfolioId}/notificationEvents", auth.Monitoring, "portfolioEvents", "Events in a portfolio", s.portfolioEvents, free,
			about("The same list for one portfolio.")),
		patch("/monitoring/portfolios/{portfolioId}/notificationEvents", auth.Monitoring, "markPortfolioEvents", "Mark a portfolio's events as processed, up to one", s.markPortfolioEvents, free,
			about("Marks every event of the portfolio up to a number.")),
		get("/monitoring/portfolios/{portfolioId}/notificationEvents/dataByDay", auth.Monitoring, "portfolioEventsByDay", "How many events in a portfolio, day by day", s.portfolioEventsByDay, free,
			about("Counts the portfolio's events by the day on which they happened.")),
		patch("/monitoring/portfolios/{portfolioId}/notificationEvents/{notificationEventId}", auth.Monitoring, "markPortfolioEvent", "Mark a portfolio's event as processed", s.markPortfolioEvent, free,
			about("Marks one event. To mark it twice is to mark it once; false takes the mark back.")),
		get("/monitoring/portfolios/{portfolioId}/companies/{companyId}/notificationEvents", auth.Monitoring, "portfolioCompanyEvents", "Events about a company in a portfolio", s.memberEvents, free,
			about("What was told about one company. 204 if nothing was yet.")),
		get("/monitoring/companies/{id}/events", auth.Monitoring, "companyEvents", "Events about a company", s.companyEvents, free,
			about("What was told about a company, the newest first, if it is in at least one of your portfolios; an empty list otherwise.")),
	}
}

type daysIn struct {
	caller
	DaysFilter
}

// DaysFilter is a time from day to day.
type DaysFilter struct {
	Start string `query:"startDate" required:"true" doc:"The first day." example:"2026-01-01"`
	End   string `query:"endDate" required:"true" doc:"The last day, included."`
	Page  int    `query:"page" minimum:"0" maximum:"1000000" default:"0" doc:"Which page, from 0."`
	Size  int    `query:"pageSize" minimum:"1" maximum:"1000" default:"1000" doc:"Days on a page."`
}

type daysJSON struct {
	CorrelationID string     `json:"correlationId"`
	Total         int64      `json:"totalCount" doc:"How many days with events there are."`
	Data          []dayJSON  `json:"data"`
	Paging        pagingJSON `json:"paging"`
}

type dayJSON struct {
	Date  string `json:"dataDate" example:"2026-01-31T00:00:00"`
	Value int64  `json:"dataValue" doc:"How many events happened on that day."`
}

func (f *DaysFilter) days(ctx context.Context, s *Server, who caller, id monitor.PortfolioID) (*reply[daysJSON], error) {
	from, err1 := timeOf(f.Start)
	to, err2 := endOf(f.End)
	var wrong []string
	for _, p := range []struct {
		name, text string
		err        error
	}{{"startDate", f.Start, err1}, {"endDate", f.End, err2}} {
		switch {
		case p.err != nil:
			wrong = append(wrong, p.name+": "+p.err.Error())
		case strings.TrimSpace(p.text) == "":
			wrong = append(wrong, p.name+": a day is needed, such as 2026-01-31")
		}
	}
	if len(wrong) == 0 && to.Before(from) {
		wrong = append(wrong, "endDate: it lies before startDate")
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid.Details("Bad request", wrong...)
	}
	days, err := s.Events.EventsByDay(ctx, who.by, id, from, to)
	if err != nil {
		return nil, err
	}
	out := daysJSON{CorrelationID: who.correlation, Total: int64(len(days)), Data: []dayJSON{}, Paging: paging(f.Page, f.Size, int64(len(days)))}
	first := min(f.Page*f.Size, len(days))
	for _, d := range days[first:min(first+f.Size, len(days))] {
		out.Data = append(out.Data, dayJSON{Date: naive(d.Day), Value: d.Events})
	}
	return ok(out), nil
}

func (s *Server) eventsByDay(ctx context.Context, in *daysIn) (*reply[daysJSON], error) {
	return in.days(ctx, s, in.caller, 0)
}

type portfolioDaysIn struct {
	caller
	DaysFilter
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
}

func (s *Server) portfolioEventsByDay(ctx context.Context, in *portfolioDaysIn) (*reply[daysJSON], error) {
	return in.days(ctx, s, in.caller, monitor.PortfolioID(in.Portfolio))
}

type markBody struct {
	IsProcessed looseBool `json:"isProcessed" required:"true" doc:"Whether it is dealt with."`
}

type markUpToBody struct {
	IsProcessed looseBool `json:"isProcessed" required:"true" doc:"Whether they are dealt with."`
	UpTo        int64     `json:"upTo" required:"true" minimum:"1" doc:"The number of the last event to mark."`
}

type markedJSON struct {
	CorrelationID string     `json:"correlationId"`
	Data          markedData `json:"data"`
}

type markedData struct {
	Message string `json:"message" example:"Update successful"`
	Changed int64  `json:"changed" doc:"How many events were not so before."`
}

func (s *Server) mark(ctx context.Context, who caller, m monitor.Mark) (*reply[markedJSON], error) {
	n, err := s.Events.MarkEvents(ctx, who.by, m)
	if err != nil {
		return nil, err
	}
	return ok(markedJSON{CorrelationID: who.correlation, Data: markedData{Message: "Update successful", Changed: n}}), nil
}

type markEventIn struct {
	caller
	Event int64 `path:"eventId" minimum:"1" doc:"The event's number."`
	Body  markBody
}

func (s *Server) markEvent(ctx context.Context, in *markEventIn) (*reply[markedJSON], error) {
	return s.mark(ctx, in.caller, monitor.Mark{Event: monitor.EventID(in.Event), Processed: bool(in.Body.IsProcessed)})
}

type markPortfolioEventIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Event     int64 `path:"notificationEventId" minimum:"1" doc:"The event's number."`
	Body      markBody
}

func (s *Server) markPortfolioEvent(ctx context.Context, in *markPortfolioEventIn) (*reply[markedJSON], error) {
	return s.mark(ctx, in.caller, monitor.Mark{
		Portfolio: monitor.PortfolioID(in.Portfolio), Event: monitor.EventID(in.Event), Processed: bool(in.Body.IsProcessed),
	})
}

type markEventsIn struct {
	caller
	Body markUpToBody
}

func (s *Server) markEvents(ctx context.Context, in *markEventsIn) (*reply[markedJSON], error) {
	return s.mark(ctx, in.caller, monitor.Mark{UpTo: monitor.EventID(in.Body.UpTo), Processed: bool(in.Body.IsProcessed)})
}

type markPortfolioEventsIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Body      markUpToBody
}

func (s *Server) markPortfolioEvents(ctx context.Context, in *markPortfolioEventsIn) (*reply[markedJSON], error) {
	return s.mark(ctx, in.caller, monitor.Mark{
		Portfolio: monitor.PortfolioID(in.Portfolio), UpTo: monitor.EventID(in.Body.UpTo), Processed: bool(in.Body.IsProcessed),
	})
}
