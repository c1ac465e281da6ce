package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// EventsFilter is what every list of events takes. It is exported, as huma looks
// only into fields that are.
type EventsFilter struct {
	PageFilter
	Search    string `query:"searchQuery" maxLength:"200" doc:"Part of the company's name or connectId, its whole safe number, or part of the rule's name."`
	SortBy    string `query:"sortBy" enum:"companyName,countryCode,eventId,eventDate" default:"companyName" doc:"The order."`
	SortDir   string `query:"sortDir" enum:"asc,desc" default:"asc" doc:"Its direction."`
	Start     string `query:"startDate" doc:"Only what happened at this time or later." example:"2026-01-31T00:00:00"`
	End       string `query:"endDate" doc:"Only what happened at this time or before. A day without a time is meant to its end."`
	ByCreated bool   `query:"filterByCreatedDate" doc:"startDate and endDate are about createdDate instead of eventDate."`
	Processed string `query:"isProcessed" enum:"true,false" doc:"Only events that are marked as processed, or that are not."`
}

var sorts = map[string]monitor.Sort{
	"companyName": monitor.ByName, "countryCode": monitor.ByCountry, "eventId": monitor.ByID, "eventDate": monitor.ByDate,
}

// query reads the filter. of names the list, for its cursors.
func (f *EventsFilter) query(s *Server, by auth.Caller, of string) (q monitor.EventQuery, list string, err error) {
	q = monitor.EventQuery{
		Search: strings.TrimSpace(f.Search), Sort: sorts[f.SortBy], Down: f.SortDir == "desc",
		ByCreated: f.ByCreated, Limit: f.Size,
	}
	var wrong []string
	for _, d := range []struct {
		name, text string
		read       func(string) (time.Time, error)
		into       *time.Time
	}{{"startDate", f.Start, timeOf, &q.From}, {"endDate", f.End, endOf, &q.To}} {
		if *d.into, err = d.read(d.text); err != nil {
			wrong = append(wrong, d.name+": "+err.Error())
		}
	}
	if len(wrong) == 0 && !q.From.IsZero() && !q.To.IsZero() && q.To.Before(q.From) {
		wrong = append(wrong, "endDate: it lies before startDate")
	}
	if len(wrong) > 0 {
		return q, "", fault.Invalid.Details("Bad request", wrong...)
	}
	if f.Processed != "" {
		p := f.Processed == "true"
		q.Processed = &p
	}
	list = strings.Join([]string{of, f.Search, f.SortBy, f.SortDir, f.Start, f.End, f.Processed, boolWord(f.ByCreated)}, "\x00")
	var at monitor.Position
	if q.Skip, err = f.place(s, by, list, &at); f.After != "" {
		q.After = &at
	}
	return q, list, err
}

func boolWord(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

type eventsJSON struct {
	CorrelationID string      `json:"correlationId"`
	Total         int64       `json:"totalCount" doc:"How many there are on all pages."`
	Data          []eventJSON `json:"data"`
	Paging        pagingJSON  `json:"paging"`
	Cursor        *string     `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
}

type eventJSON struct {
	Company             eventCompanyJSON `json:"company"`
	EventID             int64            `json:"eventId" doc:"The event's number. It only grows."`
	EventDate           string           `json:"eventDate" doc:"When it happened." example:"2026-02-28T05:33:02"`
	CreatedDate         string           `json:"createdDate" doc:"When the event was made."`
	NewValue            *string          `json:"newValue"`
	OldValue            *string          `json:"oldValue"`
	NotificationEventID int64            `json:"notificationEventId" doc:"The same number as eventId."`
	NotificationID      *int64           `json:"notificationId" doc:"Always null."`
	ProcessedDate       *string          `json:"processedDate"`
	RuleCode            int              `json:"ruleCode"`
	RuleName            string           `json:"ruleName" doc:"With {0} and {1} where the rule has parameters."`
	Summary             string           `json:"summary" doc:"Why it was told, in words."`
	RuleText            string           `json:"ruleText" doc:"The rule in a few words."`
	LocalEventCode      string           `json:"localEventCode"`
	IsProcessed         bool             `json:"isProcessed"`
}

type eventCompanyJSON struct {
	ID            string `json:"id"`
	SafeNumber    string `json:"safeNumber"`
	Name          string `json:"name"`
	CountryCode   string `json:"countryCode"`
	PortfolioID   int64  `json:"portfolioId"`
	PortfolioName string `json:"portfolioName"`
}

func writeEvent(e *monitor.Event) eventJSON {
	name, code := ruleWords(e)
	text, _, _ := strings.Cut(name, " | ")
	return eventJSON{
		Company: eventCompanyJSON{
			ID: string(e.Company), SafeNumber: e.SafeNumber(), Name: e.Name, CountryCode: e.Company.Country(),
			PortfolioID: int64(e.Portfolio), PortfolioName: e.In,
		},
		EventID: int64(e.ID), NotificationEventID: int64(e.ID),
		EventDate: naive(e.At), CreatedDate: naive(e.CreatedAt), ProcessedDate: naiveOrNull(e.ProcessedAt),
		NewValue: textOrNull(e.New), OldValue: textOrNull(e.Old),
		RuleCode: e.Rule, RuleName: name, RuleText: text, Summary: e.Why, LocalEventCode: code,
		IsProcessed: e.Processed(),
	}
}

// ruleWords names the rule of an event, also one that is no longer in the book.
func ruleWords(e *monitor.Event) (name, code string) {
	if r, ok := monitor.FindRule(e.Country, e.Rule); ok {
		return r.Name, r.Local
	}
	return string(e.Field), ""
}

// listEvents answers with a page of events.
func (s *Server) listEvents(ctx context.Context, who caller, q monitor.EventQuery, f *EventsFilter, list string) (eventsJSON, error) {
	found, err := s.Events.Events(ctx, who.by, q)
	if err != nil {
		return eventsJSON{}, err
	}
	out := eventsJSON{CorrelationID: who.correlation, Total: found.Total, Data: make([]eventJSON, 0, len(found.List))}
	for i := range found.List {
		out.Data = append(out.Data, writeEvent(&found.List[i]))
	}
	out.Paging = f.paging(found.Total)
	if found.More {
		c := s.sealCursor(who.by, list, found.List[len(found.List)-1].Position())
		out.Cursor = &c
	}
	return out, nil
}

type eventsIn struct {
	caller
	EventsFilter
}

func (s *Server) events(ctx context.Context, in *eventsIn) (*reply[eventsJSON], error) {
	q, list, err := in.query(s, in.by, "events")
	if err != nil {
		return nil, err
	}
	out, err := s.listEvents(ctx, in.caller, q, &in.EventsFilter, list)
	return ok(out), err
}

type portfolioEventsIn struct {
	caller
	EventsFilter
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
}

func (s *Server) portfolioEvents(ctx context.Context, in *portfolioEventsIn) (*reply[eventsJSON], error) {
	q, list, err := in.query(s, in.by, "events of "+decimal(in.Portfolio))
	if err != nil {
		return nil, err
	}
	q.Portfolio = monitor.PortfolioID(in.Portfolio)
	out, err := s.listEvents(ctx, in.caller, q, &in.EventsFilter, list)
	return ok(out), err
}

type memberEventsIn struct {
	caller
	EventsFilter
	Portfolio int64  `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Company   string `path:"companyId" doc:"A connectId or safe number." example:"GB-0-99000001"`
}

// memberEvents lists the events of one company of a portfolio: 204 where there
// are none, 404 where the company never was in it.
func (s *Server) memberEvents(ctx context.Context, in *memberEventsIn) (*reply[*eventsJSON], error) {
	q, list, err := in.query(s, in.by, "events of "+decimal(in.Portfolio)+" "+in.Company)
	if err != nil {
		return nil, err
	}
	q.Portfolio = monitor.PortfolioID(in.Portfolio)
	c, err := s.Companies.Lookup(ctx, in.Company)
	switch {
	case errors.Is(err, fault.Missing) || errors.Is(err, fault.Invalid):
		q.Company = company.ID(in.Company) // it may be gone from the register; what was told of it is not
	case err != nil:
		return nil, err
	default:
		q.Company = c.ID
	}
	out, err := s.listEvents(ctx, in.caller, q, &in.EventsFilter, list)
	if err != nil {
		return nil, err
	}
	if out.Total == 0 {
		return &reply[*eventsJSON]{Status: http.StatusNoContent}, nil
	}
	return ok(&out), nil
}

type companyEventsIn struct {
	caller
	PageFilter
	ID    string `path:"id" doc:"A connectId or safe number." example:"GB-0-99000001"`
	Start string `query:"startDate" doc:"Only what happened at this time or later."`
	End   string `query:"endDate" doc:"Only what happened at this time or before. A day without a time is meant to its end."`
}

type companyEventsJSON struct {
	CorrelationID string             `json:"correlationId"`
	Total         int64              `json:"totalCount"`
	Data          []companyEventJSON `json:"data"`
	Paging        pagingJSON         `json:"paging"`
	Cursor        *string            `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
}

type companyEventJSON struct {
	EventID         int64   `json:"eventId"`
	CompanyID       string  `json:"companyId" doc:"The safe number."`
	PortfolioID     int64   `json:"portfolioId"`
	RuleName        string  `json:"ruleName"`
	LocalEventCode  string  `json:"localEventCode"`
	GlobalEventCode string  `json:"globalEventCode"`
	NewValue        *string `json:"newValue"`
	OldValue        *string `json:"oldValue"`
	EventDate       string  `json:"eventDate"`
	CreatedDate     string  `json:"createdDate"`
	IsProcessed     bool    `json:"isProcessed"`
}

// companyEvents lists what was told about a company in those of the caller's
// portfolios that hold it now. A company that is in none of them and one that
// does not exist are answered alike, with nothing.
func (s *Server) companyEvents(ctx context.Context, in *companyEventsIn) (*reply[companyEventsJSON], error) {
	f := EventsFilter{SortBy: "eventDate", SortDir: "desc", Start: in.Start, End: in.End, PageFilter: in.PageFilter}
	q, list, err := f.query(s, in.by, "events about "+in.ID)
	if err != nil {
		return nil, err
	}
	out := companyEventsJSON{CorrelationID: in.correlation, Data: []companyEventJSON{}, Paging: in.paging(0)}
	c, err := s.Companies.Lookup(ctx, in.ID)
	if errors.Is(err, fault.Missing) || errors.Is(err, fault.Invalid) {
		return ok(out), nil
	}
	if err != nil {
		return nil, err
	}
	q.Company, q.Member = c.ID, true
	found, err := s.Events.Events(ctx, in.by, q)
	if err != nil {
		return nil, err
	}
	for i := range found.List {
		e := &found.List[i]
		name, code := ruleWords(e)
		out.Data = append(out.Data, companyEventJSON{
			EventID: int64(e.ID), CompanyID: e.SafeNumber(), PortfolioID: int64(e.Portfolio),
			RuleName: name, LocalEventCode: code, GlobalEventCode: code,
			NewValue: textOrNull(e.New), OldValue: textOrNull(e.Old),
			EventDate: naive(e.At), CreatedDate: naive(e.CreatedAt), IsProcessed: e.Processed(),
		})
	}
	out.Total, out.Paging = found.Total, in.paging(found.Total)
	if found.More {
		cursor := s.sealCursor(in.by, list, found.List[len(found.List)-1].Position())
		out.Cursor = &cursor
	}
	return ok(out), nil
}
