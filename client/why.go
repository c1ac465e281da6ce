package client

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Cause says why an event was told.
type Cause struct {
	Event  Event
	Reason string
	Rule   RuleThen
	Change Change
}

// RuleThen is a rule as it was when it fired.
type RuleThen struct {
	Code        int    `json:"ruleCode"`
	CountryCode string `json:"ruleCountryCode"`
	Name        string
	Version     int
	Param0      string
	Param1      string
	Param2      string
	SinceChange int64
}

// A Change is an entry in the log of what happened to companies.
type Change struct {
	Number int64
	Field  string
	Item   string
	Old    string `json:"oldValue"`
	New    string `json:"newValue"`
	Source string
	Date   Time
}

// WhyEvent asks why an event was told.
func (c *Client) WhyEvent(ctx context.Context, event int64) (Cause, error) {
	var out Cause
	err := c.call(ctx, http.MethodGet, "/monitoring/notificationEvents/"+strconv.FormatInt(event, 10)+"/why", nil, &out)
	return out, err
}

// An Explained change, and what each rule made of it.
type Explained struct {
	Change  Change
	Watched bool
	Rules   []Verdict
}

// A Verdict is what a rule made of a change.
type Verdict struct {
	Code        int    `json:"ruleCode"`
	CountryCode string `json:"ruleCountryCode"`
	Name        string
	Told        bool
	Reason      string
}

// WhyChanges asks what became of a company's latest changes in a portfolio, or
// of one: change 0 is the latest.
func (c *Client) WhyChanges(ctx context.Context, portfolio int64, company string, change int64) ([]Explained, error) {
	var out struct{ Data []Explained }
	q := url.Values{}
	if change > 0 {
		q.Set("change", strconv.FormatInt(change, 10))
	}
	err := c.Do(ctx, Call{Method: http.MethodGet, Path: portfolioPath(portfolio, "companies", company, "why"), Query: q, Out: &out})
	return out.Data, err
}

// A Trial is a rule to try on the past.
type Trial struct {
	CountryCode string // "XX" for rules of every country
	Code        int
	Params      [3]string
	From, To    time.Time // To zero: until now
}

// An Outcome is what a rule would have told.
type Outcome struct {
	Changes   int64
	Events    int64
	Companies int64
	Days      []Day
	Sample    []struct {
		CompanyID string
		EventDate Time
		OldValue  string
		NewValue  string
		Reason    string
	}
}

// BackTest asks what a rule would have told about the companies that are in a
// portfolio now.
func (c *Client) BackTest(ctx context.Context, portfolio int64, t Trial) (Outcome, error) {
	in := map[string]string{"param0": t.Params[0], "param1": t.Params[1], "param2": t.Params[2], "startDate": t.From.UTC().Format(time.RFC3339)}
	if !t.To.IsZero() {
		in["endDate"] = t.To.UTC().Format(time.RFC3339)
	}
	var out Outcome
	err := c.call(ctx, http.MethodPost, portfolioPath(portfolio, "eventRules", t.CountryCode, strconv.Itoa(t.Code), "backtest"), in, &out)
	return out, err
}

// A Silence keeps some of a portfolio's events from being told.
type Silence struct {
	ID            int64  `json:"silenceId,omitempty"`
	CompanyID     string `json:"companyId,omitempty"` // empty: every company
	RuleCode      int    `json:"ruleCode,omitempty"`  // 0: every rule
	Until         string `json:"until,omitempty"`
	CollapseHours int    `json:"collapseHours,omitempty"`
	Note          string `json:"note,omitempty"`
}

// Silences lists those in force.
func (c *Client) Silences(ctx context.Context, portfolio int64) ([]Silence, error) {
	var out struct{ Data []Silence }
	err := c.call(ctx, http.MethodGet, portfolioPath(portfolio, "silences"), nil, &out)
	return out.Data, err
}

// Silence begins one, and returns it with its number.
func (c *Client) Silence(ctx context.Context, portfolio int64, s Silence) (Silence, error) {
	var out Silence
	err := c.create(ctx, portfolioPath(portfolio, "silences"), nil, s, &out)
	return out, err
}

// EndSilence ends one.
func (c *Client) EndSilence(ctx context.Context, portfolio, silence int64) error {
	return c.call(ctx, http.MethodDelete, portfolioPath(portfolio, "silences", strconv.FormatInt(silence, 10)), nil, nil)
}
