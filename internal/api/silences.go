package api

import (
	"context"
	"time"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// silenceRows keep a portfolio quiet.
func (s *Server) silenceRows() []route {
	const silences = "/monitoring/portfolios/{portfolioId}/silences"
	return []route{
		get(silences, auth.Monitoring, "silences", "What a portfolio does not want to hear", s.silences, free,
			about("The silences that are in force, and the windows in which a value that goes to and fro is told once.")),
		post(silences, auth.Monitoring, "silence", "Silence a company or a rule", s.silence, free, created, creates,
			about("With until, what happens before that time is not told: for one company, one rule, or everything. "+
				"With collapseHours, a value that comes back within so many hours is not told again.")),
		del(silences+"/{silenceId}", auth.Monitoring, "endSilence", "End a silence", s.endSilence, free,
			about("What happens from now on is told again. What was not told stays untold; why says so.")),
	}
}

type silencesIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
}

type silencesJSON struct {
	CorrelationID string        `json:"correlationId"`
	Data          []silenceJSON `json:"data"`
}

type silenceJSON struct {
	ID            int64   `json:"silenceId"`
	CompanyID     *string `json:"companyId" doc:"null: every company."`
	RuleCode      *int    `json:"ruleCode" doc:"null: every rule."`
	Until         *string `json:"until"`
	CollapseHours *int    `json:"collapseHours"`
	Note          string  `json:"note"`
	CreatedDate   string  `json:"createdDate"`
	CreatedBy     int64   `json:"createdBy" doc:"The account's number."`
}

func writeSilence(q *monitor.Quiet) silenceJSON {
	out := silenceJSON{
		ID: q.ID, CompanyID: textOrNull(string(q.Company)), Until: naiveOrNull(q.Until), Note: q.Note,
		CreatedDate: naive(q.CreatedAt), CreatedBy: int64(q.By),
	}
	if q.Rule != 0 {
		out.RuleCode = &q.Rule
	}
	if q.Hours != 0 {
		out.CollapseHours = &q.Hours
	}
	return out
}

func (s *Server) silences(ctx context.Context, in *silencesIn) (*reply[silencesJSON], error) {
	list, err := s.Portfolios.Store.Quiets(ctx, in.by, monitor.PortfolioID(in.Portfolio))
	if err != nil {
		return nil, err
	}
	out := silencesJSON{CorrelationID: in.correlation, Data: make([]silenceJSON, 0, len(list))}
	for i := range list {
		out.Data = append(out.Data, writeSilence(&list[i]))
	}
	return ok(out), nil
}

type silenceIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	Body      struct {
		CompanyID     string `json:"companyId,omitempty" doc:"A connectId or safe number; every company, if it is left out."`
		RuleCode      int    `json:"ruleCode,omitempty" doc:"A rule; every rule, if it is left out."`
		Until         string `json:"until,omitempty" example:"2026-12-31T00:00:00"`
		CollapseHours int    `json:"collapseHours,omitempty"`
		Note          string `json:"note,omitempty"`
	}
}

func (s *Server) silence(ctx context.Context, in *silenceIn) (*reply[silenceJSON], error) {
	q := monitor.Quiet{Rule: in.Body.RuleCode, Hours: in.Body.CollapseHours, Note: in.Body.Note}
	var err error
	if q.Until, err = timeOf(in.Body.Until); err != nil {
		return nil, fault.Invalid.Details("Bad request", "until: "+err.Error())
	}
	if in.Body.CompanyID != "" {
		if q.Company, err = s.companyID(ctx, in.Body.CompanyID); err != nil {
			return nil, err
		}
	}
	if err := q.Check(time.Now()); err != nil {
		return nil, err
	}
	q, err = s.Portfolios.Store.AddQuiet(ctx, in.by, monitor.PortfolioID(in.Portfolio), q)
	return ok(writeSilence(&q)), err
}

type endSilenceIn struct {
	caller
	Portfolio int64 `path:"portfolioId" minimum:"1" doc:"The portfolio's number."`
	ID        int64 `path:"silenceId" minimum:"1" doc:"The silence's number."`
}

func (s *Server) endSilence(ctx context.Context, in *endSilenceIn) (*none, error) {
	return nil, s.Portfolios.Store.EndQuiet(ctx, in.by, monitor.PortfolioID(in.Portfolio), in.ID)
}
