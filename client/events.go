package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// An Event tells of a change of a company in a portfolio.
type Event struct {
	ID          int64        `json:"eventId"`
	Company     EventCompany `json:"company"`
	Happened    Time         `json:"eventDate"`
	Created     Time         `json:"createdDate"`
	OldValue    string       `json:"oldValue"`
	NewValue    string       `json:"newValue"`
	RuleCode    int          `json:"ruleCode"`
	RuleName    string       `json:"ruleName"`
	Summary     string       `json:"summary"` // why it was told
	IsProcessed bool         `json:"isProcessed"`
	Processed   Time         `json:"processedDate"`
}

// EventCompany is the company of an event, and where it is watched.
type EventCompany struct {
	ID            string `json:"id"`
	SafeNumber    string `json:"safeNumber"`
	Name          string `json:"name"`
	CountryCode   string `json:"countryCode"`
	PortfolioID   int64  `json:"portfolioId"`
	PortfolioName string `json:"portfolioName"`
}

// A Time is a time of the service, which is in UTC and has no zone.
type Time struct{ time.Time }

// UnmarshalJSON reads a time, or null.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil || s == "" {
		return err
	}
	at, err := time.Parse("2006-01-02T15:04:05", s)
	t.Time = at
	return err
}

// An EventFilter says which events to list. The zero filter is all, the oldest
// first.
type EventFilter struct {
	Search    string // part of the company's name or number, or of the rule's name
	SortBy    string // "eventId" (as it is), "companyName", "countryCode" or "eventDate"
	Down      bool   // from the last to the first
	From, To  time.Time
	ByCreated bool  // From and To are about when the event was made
	Processed *bool // nil: both
}

func (f EventFilter) query() url.Values {
	q := url.Values{"searchQuery": {f.Search}, "sortBy": {f.SortBy}}
	if f.SortBy == "" {
		q.Set("sortBy", "eventId")
	}
	if f.Down {
		q.Set("sortDir", "desc")
	}
	if !f.From.IsZero() {
		q.Set("startDate", f.From.UTC().Format(time.RFC3339))
	}
	if !f.To.IsZero() {
		q.Set("endDate", f.To.UTC().Format(time.RFC3339))
	}
	if f.ByCreated {
		q.Set("filterByCreatedDate", "true")
	}
	if f.Processed != nil {
		q.Set("isProcessed", strconv.FormatBool(*f.Processed))
	}
	return q
}

// Events reads the events of all portfolios that you may see.
func (c *Client) Events(ctx context.Context, f EventFilter) iter.Seq2[Event, error] {
	return c.events(ctx, "/monitoring/notificationEvents", f)
}

// PortfolioEvents reads the events of a portfolio.
func (c *Client) PortfolioEvents(ctx context.Context, portfolio int64, f EventFilter) iter.Seq2[Event, error] {
	return c.events(ctx, portfolioPath(portfolio, "notificationEvents"), f)
}

// PortfolioCompanyEvents reads the events about one company in a portfolio.
func (c *Client) PortfolioCompanyEvents(ctx context.Context, portfolio int64, company string, f EventFilter) iter.Seq2[Event, error] {
	return c.events(ctx, portfolioPath(portfolio, "companies", company, "notificationEvents"), f)
}

func (c *Client) events(ctx context.Context, path string, f EventFilter) iter.Seq2[Event, error] {
	return pages(func(after string) ([]Event, string, error) {
		var out struct {
			Data   []Event
			Cursor string
		}
		err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: page(f.query(), after), Out: &out})
		return out.Data, out.Cursor, err
	})
}

// A CompanyEvent is an event in the list of one company.
type CompanyEvent struct {
	ID          int64  `json:"eventId"`
	SafeNumber  string `json:"companyId"`
	PortfolioID int64  `json:"portfolioId"`
	RuleName    string `json:"ruleName"`
	OldValue    string `json:"oldValue"`
	NewValue    string `json:"newValue"`
	Happened    Time   `json:"eventDate"`
	Created     Time   `json:"createdDate"`
	IsProcessed bool   `json:"isProcessed"`
}

// CompanyEvents reads what was told about a company, the newest first, if it is
// in one of your portfolios.
func (c *Client) CompanyEvents(ctx context.Context, company string, from, to time.Time) iter.Seq2[CompanyEvent, error] {
	f := EventFilter{From: from, To: to}.query()
	f.Del("sortBy")
	return pages(func(after string) ([]CompanyEvent, string, error) {
		var out struct {
			Data   []CompanyEvent
			Cursor string
		}
		err := c.Do(ctx, Call{
			Method: http.MethodGet, Path: "/monitoring/companies/" + url.PathEscape(company) + "/events", Query: page(f, after), Out: &out,
		})
		return out.Data, out.Cursor, err
	})
}

// A Day counts the events that happened on it.
type Day struct {
	Date   Time  `json:"dataDate"`
	Events int64 `json:"dataValue"`
}

// EventsByDay counts the events of all portfolios by day.
func (c *Client) EventsByDay(ctx context.Context, from, to time.Time) ([]Day, error) {
	return c.days(ctx, "/monitoring/notificationEvents/dataByDay", from, to)
}

// PortfolioEventsByDay counts those of one portfolio.
func (c *Client) PortfolioEventsByDay(ctx context.Context, portfolio int64, from, to time.Time) ([]Day, error) {
	return c.days(ctx, portfolioPath(portfolio, "notificationEvents", "dataByDay"), from, to)
}

func (c *Client) days(ctx context.Context, path string, from, to time.Time) ([]Day, error) {
	var out struct{ Data []Day }
	q := url.Values{"startDate": {from.UTC().Format("2006-01-02")}, "endDate": {to.UTC().Format("2006-01-02")}}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: path, Query: q, Out: &out})
	return out.Data, err
}

type markIn struct {
	IsProcessed bool  `json:"isProcessed"`
	UpTo        int64 `json:"upTo,omitempty"`
}

// MarkEvent marks an event as processed, or takes the mark back. It reports
// whether that changed anything.
func (c *Client) MarkEvent(ctx context.Context, event int64, processed bool) (bool, error) {
	n, err := c.mark(ctx, "/monitoring/notificationEvents/"+strconv.FormatInt(event, 10), markIn{IsProcessed: processed})
	return n > 0, err
}

// MarkPortfolioEvent does so with an event of a portfolio.
func (c *Client) MarkPortfolioEvent(ctx context.Context, portfolio, event int64, processed bool) (bool, error) {
	n, err := c.mark(ctx, portfolioPath(portfolio, "notificationEvents", strconv.FormatInt(event, 10)), markIn{IsProcessed: processed})
	return n > 0, err
}

// MarkEvents marks all events up to one, in all portfolios that you may edit,
// and returns how many were not so before.
func (c *Client) MarkEvents(ctx context.Context, upTo int64, processed bool) (int64, error) {
	return c.mark(ctx, "/monitoring/notificationEvents", markIn{processed, upTo})
}

// MarkPortfolioEvents does so in one portfolio.
func (c *Client) MarkPortfolioEvents(ctx context.Context, portfolio, upTo int64, processed bool) (int64, error) {
	return c.mark(ctx, portfolioPath(portfolio, "notificationEvents"), markIn{processed, upTo})
}

func (c *Client) mark(ctx context.Context, path string, in markIn) (int64, error) {
	var out struct{ Data struct{ Changed int64 } }
	err := c.call(ctx, http.MethodPatch, path, in, &out)
	return out.Data.Changed, err
}
