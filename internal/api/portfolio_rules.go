package api

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// ruleRows are the rulebook and which rules a portfolio has on.
func (s *Server) ruleRows() []route {
	const rules = "/monitoring/portfolios/{portfolioId}/eventRules"
	return []route{
		get("/monitoring/eventRules", auth.Monitoring, "rules", "Every rule there is", s.rules, free,
			about("What can be told about a company, whether or not one of your portfolios has it on. Rules of the country XX are for companies of every country.")),
		get("/monitoring/eventRules/{countryCode}", auth.Monitoring, "rulesByCountry", "Every rule of a country", s.rulesByCountry, free,
			about("XX has those for companies of every country; a country's own are for its companies alone.")),
		get(rules, auth.Monitoring, "portfolioRules", "The rules that a portfolio has on", s.portfolioRules, free,
			about("Only those that are on, with their parameters.")),
		get(rules+"/{countryCode}", auth.Monitoring, "portfolioRulesByCountry", "A country's rules in a portfolio", s.portfolioRulesByCountry, free,
			about("Every rule of the country, on or off. One that is off shows the parameters that it would get by itself.")),
		put(rules+"/{countryCode}", auth.Monitoring, "switchRules", "Switch rules on and off", s.switchRules, free,
			about("Rules that are not named stay as they are, and so do parameters that are left out, of a rule that is on; a rule that is off gets its own if all are left out. "+
				"All of the list is done, or nothing. A rule that is on is about what happens from now on.")),
		put(rules+"/setDefault", auth.Monitoring, "switchRulesOff", "Switch all rules off", s.switchRulesOff, free,
			about("As in a new portfolio, no rule is on then.")),
	}
}

const noRule = "EventRule resource not found"

// ruleJSON is a rule. The parameters are texts, as they are set.
type ruleJSON struct {
	IsActive    bool        `json:"isActive" doc:"Whether it is on."`
	Code        int         `json:"ruleCode" example:"101"`
	CountryCode string      `json:"ruleCountryCode" doc:"XX: for companies of every country." example:"XX"`
	Type        int         `json:"ruleType" doc:"In what form it takes its parameters."`
	TypeName    string      `json:"ruleTypeName"`
	Name        string      `json:"name" doc:"{0}, {1} and {2} stand for the parameters."`
	Param0      string      `json:"param0"`
	Param1      string      `json:"param1"`
	Param2      string      `json:"param2"`
	Params      []paramJSON `json:"parameters" doc:"What the parameters mean, in their order."`
}

type paramJSON struct {
	Means   string `json:"means"`
	Allowed string `json:"allowed"`
	Default string `json:"default"`
}

func toRulesJSON(list []monitor.RuleState) []ruleJSON {
	out := make([]ruleJSON, 0, len(list))
	for _, r := range list {
		j := ruleJSON{
			IsActive: r.On, Code: r.Code, CountryCode: r.Country, Type: r.Type.Number, TypeName: r.Type.Name, Name: r.Name,
			Param0: r.Values[0], Param1: r.Values[1], Param2: r.Values[2], Params: []paramJSON{},
		}
		for _, p := range r.Params {
			j.Params = append(j.Params, paramJSON{p.Means, p.Allowed, p.Default})
		}
		out = append(out, j)
	}
	return out
}

// inNoPortfolio are rules as nobody has them on.
func inNoPortfolio(rules []*monitor.Rule) []ruleJSON {
	list := make([]monitor.RuleState, 0, len(rules))
	for _, r := range rules {
		list = append(list, monitor.RuleState{Rule: r, Values: r.Defaults()})
	}
	return toRulesJSON(list)
}

func (s *Server) rules(context.Context, *noInput) (*reply[[]ruleJSON], error) {
	return ok(inNoPortfolio(monitor.AllRules())), nil
}

type ruleCountryIn struct {
	caller
	Country string `path:"countryCode" doc:"Two letters; XX for the rules of every country; PLC is taken too, and has none." example:"GB"`
}

func (s *Server) rulesByCountry(_ context.Context, in *ruleCountryIn) (*reply[[]ruleJSON], error) {
	country, err := knownCountry("countryCode", in.Country, monitor.Everywhere, listedCompanies)
	if err != nil {
		return nil, err
	}
	return ok(inNoPortfolio(monitor.Rules(country))), nil
}

// listedCompanies is what clients call the country of companies with listed shares. No
// rule of ours is for those alone.
const listedCompanies = "PLC"

// knownCountry reads the code of a country that there is, or one of those
// codes that stand for something else.
func knownCountry(field, text string, others ...string) (string, error) {
	code := strings.ToUpper(strings.TrimSpace(text))
	for _, other := range others {
		if code == other {
			return code, nil
		}
	}
	if company.IsCountry(code) {
		return code, nil
	}
	allowed := "two letters such as GB"
	if len(others) > 0 {
		allowed += ", or " + strings.Join(others, " or ")
	}
	return "", fault.Invalid.Details("Bad request", fmt.Sprintf("%s: %q is not a country: use %s", field, fault.Clip(text), allowed))
}

func (s *Server) portfolioRules(ctx context.Context, in *PortfolioIn) (*reply[[]ruleJSON], error) {
	list, err := s.Portfolios.RulesOn(ctx, in.by, in.id())
	if err != nil {
		return nil, missingAs(err, noRule)
	}
	return ok(toRulesJSON(list)), nil
}

type PortfolioCountryIn struct {
	PortfolioIn
	Country string `path:"countryCode" doc:"Two letters; XX for the rules of every country; PLC is taken too, and has none." example:"XX"`
}

func (in *PortfolioCountryIn) country() (string, error) {
	return knownCountry("countryCode", in.Country, monitor.Everywhere, listedCompanies)
}

func (s *Server) portfolioRulesByCountry(ctx context.Context, in *PortfolioCountryIn) (*reply[[]ruleJSON], error) {
	country, err := in.country()
	if err != nil {
		return nil, err
	}
	list, err := s.Portfolios.RulesOf(ctx, in.by, in.id(), country)
	if err != nil {
		return nil, missingAs(err, noRule)
	}
	return ok(toRulesJSON(list)), nil
}

type switchRulesIn struct {
	PortfolioCountryIn
	Body []switchJSON `maxItems:"1000"`
}

type switchJSON struct {
	Code     looseText  `json:"ruleCode" doc:"A rule of this country."`
	IsActive looseBool  `json:"isActive"`
	Param0   *looseText `json:"param0,omitempty" doc:"Left out, it stays as it is if the rule is on; empty, it asks for nothing."`
	Param1   *looseText `json:"param1,omitempty"`
	Param2   *looseText `json:"param2,omitempty"`
}

// params reads the parameters, and which of them were left out.
func (w *switchJSON) params() (v monitor.Values, left monitor.Left) {
	for i, p := range []*looseText{w.Param0, w.Param1, w.Param2} {
		if left[i] = p == nil; p != nil {
			v[i] = string(*p)
		}
	}
	return v, left
}

func (s *Server) switchRules(ctx context.Context, in *switchRulesIn) (*none, error) {
	country, err := in.country()
	if err != nil {
		return nil, err
	}
	list := make([]monitor.Switch, 0, len(in.Body))
	for i, w := range in.Body {
		code, err := strconv.Atoi(string(w.Code))
		if err != nil {
			return nil, fault.Invalid.Details("Bad request", fmt.Sprintf("[%d].ruleCode: %q is not a number", i, fault.Clip(string(w.Code))))
		}
		values, left := w.params()
		list = append(list, monitor.Switch{Code: code, On: bool(w.IsActive), Values: values, Left: left})
	}
	return nil, missingAs(s.Portfolios.Switch(ctx, in.by, in.id(), country, list), noRule)
}

func (s *Server) switchRulesOff(ctx context.Context, in *PortfolioIn) (*none, error) {
	return nil, missingAs(s.Portfolios.SwitchAllOff(ctx, in.by, in.id()), noRule)
}
