package api

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// whyRows explain what was told, and what was not, and try out what would have
// been.
func (s *Server) whyRows() []route {
	const portfolio = "/monitoring/portfolios/{portfolioId}"
	return []route{
		get("/monitoring/notificationEvents/{eventId}/why", auth.Monitoring, "whyEvent", "Why an event was told", s.whyEvent, free,
			about("The rule in the version that fired, its parameters at that time, the change with its source, and the reason in words.")),
		get(portfolio+"/companies/{companyId}/why", auth.Monitoring, "whyChanges", "What became of a company's changes", s.whyChanges, free,
			about("The latest changes of a company, or one, and for each what every rule that looks at it made of it in this portfolio: told, or why not.")),
		post(portfolio+"/eventRules/{countryCode}/{ruleCode}/backtest", auth.Monitoring, "backTest", "What a rule would have told", s.backTest, free,
			about("Runs a rule with your parameters over the past of the companies that are in the portfolio now, and counts. Nothing is switched on and nobody is told.")),
	}
}

type whyEventIn struct {
	caller
	Event int64 `path:"eventId" minimum:"1" doc:"The event's number."`
}

type whyEventJSON struct {
	CorrelationID string      `json:"correlationId"`
	Event         eventJSON   `json:"event"`
	Reason        string      `json:"reason" doc:"Why it was told, in words."`
	Rule          whyRuleJSON `json:"rule"`
	Change        changeJSON  `json:"change"`
}

type whyRuleJSON struct {
	Code        int    `json:"ruleCode"`
	CountryCode string `json:"ruleCountryCode"`
	Name        string `json:"name"`
	Version     int    `json:"version" doc:"Grows when the rule decides differently."`
	Param0      string `json:"param0"`
	Param1      string `json:"param1"`
	Param2      string `json:"param2"`
	SinceChange int64  `json:"sinceChange" doc:"It was on for changes behind this number."`
}

type changeJSON struct {
	Number int64   `json:"number" doc:"Its place in the log of all changes."`
	Field  string  `json:"field" doc:"What changed." example:"status"`
	Item   string  `json:"item" doc:"Which one, of what there are several."`
	Old    *string `json:"oldValue"`
	New    *string `json:"newValue"`
	Source string  `json:"source" doc:"Who said so."`
	Date   string  `json:"date"`
}

func writeChange(c *company.Change) changeJSON {
	return changeJSON{
		Number: c.Number, Field: string(c.Field), Item: c.Item, Old: textOrNull(c.Old), New: textOrNull(c.New),
		Source: c.Source, Date: naive(c.At),
	}
}

func (s *Server) whyEvent(ctx context.Context, in *whyEventIn) (*reply[whyEventJSON], error) {
	c, err := s.Why.Event(ctx, in.by, monitor.EventID(in.Event))
	if err != nil {
		return nil, err
	}
	name, _ := ruleWords(&c.Event)
	return ok(whyEventJSON{
		CorrelationID: in.correlation, Event: writeEvent(&c.Event), Reason: c.Event.Why,
		Rule: whyRuleJSON{
			Code: c.Event.Rule, CountryCode: c.Event.Country, Name: name, Version: c.Event.Version,
			Param0: c.Setting.Values[0], Param1: c.Setting.Values[1], Param2: c.Setting.Values[2], SinceChange: c.Setting.Since,
		},
		Change: writeChange(&c.Change),
	}), nil
}

type whyChangesIn struct {
	caller
	Portfolio int64  `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Company   string `path:"companyId" doc:"A connectId or safe number."`
	Change    int64  `query:"change" minimum:"1" doc:"One change by its number; without, the latest."`
	Size      int    `query:"pageSize" minimum:"1" maximum:"200" default:"50" doc:"How many of the latest."`
}

type whyChangesJSON struct {
	CorrelationID string          `json:"correlationId"`
	Data          []explainedJSON `json:"data"`
}

type explainedJSON struct {
	Change  changeJSON    `json:"change"`
	Watched bool          `json:"watched" doc:"The company was in the portfolio when it happened."`
	Rules   []verdictJSON `json:"rules" doc:"The rules that look at such a change."`
}

type verdictJSON struct {
	Code        int    `json:"ruleCode"`
	CountryCode string `json:"ruleCountryCode"`
	Name        string `json:"name"`
	Told        bool   `json:"told"`
	Reason      string `json:"reason"`
}

func (s *Server) whyChanges(ctx context.Context, in *whyChangesIn) (*reply[whyChangesJSON], error) {
	id, err := s.companyID(ctx, in.Company)
	if err != nil {
		return nil, err
	}
	list, err := s.Why.Changes(ctx, in.by, monitor.PortfolioID(in.Portfolio), id, in.Change, in.Size)
	if err != nil {
		return nil, err
	}
	out := whyChangesJSON{CorrelationID: in.correlation, Data: make([]explainedJSON, 0, len(list))}
	for i := range list {
		e := explainedJSON{Change: writeChange(&list[i].Change), Watched: list[i].Watched, Rules: []verdictJSON{}}
		for _, v := range list[i].Verdicts {
			e.Rules = append(e.Rules, verdictJSON{v.Rule.Code, v.Rule.Country, v.Rule.Name, v.Told, v.Why})
		}
		out.Data = append(out.Data, e)
	}
	return ok(out), nil
}

// companyID is the company that a caller means. One that left the register is
// still known by its connectId.
func (s *Server) companyID(ctx context.Context, text string) (company.ID, error) {
	c, err := s.Companies.Lookup(ctx, text)
	if err == nil {
		return c.ID, nil
	}
	if id, perr := company.ParseID(text); perr == nil {
		if _, ok := fault.Of(err); ok {
			return id, nil
		}
	}
	return "", err
}

type backTestIn struct {
	caller
	Portfolio int64  `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Country   string `path:"countryCode" doc:"The rule's country; XX for rules of every country."`
	Code      int    `path:"ruleCode" doc:"The rule."`
	Body      backTestBody
}

type backTestBody struct {
	Param0 looseText `json:"param0,omitempty"`
	Param1 looseText `json:"param1,omitempty"`
	Param2 looseText `json:"param2,omitempty"`
	Start  string    `json:"startDate" required:"true" example:"2026-01-01"`
	End    string    `json:"endDate,omitempty" doc:"A day without a time is meant to its end; now, if it is left out."`
}

type backTestJSON struct {
	CorrelationID string               `json:"correlationId"`
	Looked        int64                `json:"changes" doc:"Changes that the rule looked at."`
	Events        int64                `json:"events" doc:"How many of them it would have told."`
	Companies     int64                `json:"companies" doc:"How many companies those were about."`
	Days          []dayJSON            `json:"days" doc:"Days with events."`
	Sample        []backTestSampleJSON `json:"sample" doc:"The latest."`
}

type backTestSampleJSON struct {
	CompanyID string  `json:"companyId"`
	EventDate string  `json:"eventDate"`
	Old       *string `json:"oldValue"`
	New       *string `json:"newValue"`
	Reason    string  `json:"reason"`
	Change    int64   `json:"change"`
}

const backTestSample = 20

func (s *Server) backTest(ctx context.Context, in *backTestIn) (*reply[backTestJSON], error) {
	r, found := monitor.FindRule(in.Country, in.Code)
	if !found {
		return nil, fault.Missing.Errorf(noRule)
	}
	t := monitor.Trial{
		Portfolio: monitor.PortfolioID(in.Portfolio), Rule: r, Sample: backTestSample, To: time.Now(),
		Values: monitor.Values{string(in.Body.Param0), string(in.Body.Param1), string(in.Body.Param2)},
	}
	var err error
	if t.From, err = timeOf(in.Body.Start); err != nil || t.From.IsZero() {
		return nil, fault.Invalid.Details("Bad request", "startDate: a day such as 2026-01-31 is needed")
	}
	if in.Body.End != "" {
		if t.To, err = endOf(in.Body.End); err != nil {
			return nil, fault.Invalid.Details("Bad request", "endDate: "+err.Error())
		}
	}
	res, err := monitor.BackTest(ctx, s.Trials, in.by, t)
	if err != nil {
		return nil, err
	}
	out := backTestJSON{
		CorrelationID: in.correlation, Looked: res.Looked, Events: res.Events, Companies: res.Companies,
		Days: []dayJSON{}, Sample: []backTestSampleJSON{},
	}
	for _, d := range res.Days {
		out.Days = append(out.Days, dayJSON{Date: naive(d.Day), Value: d.Events})
	}
	for _, e := range res.Sample {
		out.Sample = append(out.Sample, backTestSampleJSON{
			CompanyID: string(e.Company), EventDate: naive(e.At), Old: textOrNull(e.Old), New: textOrNull(e.New), Reason: e.Why, Change: e.Change,
		})
	}
	return ok(out), nil
}
