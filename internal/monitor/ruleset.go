package monitor

import (
	"context"

	"bureau/internal/auth"
)

// A RuleState is a rule as a portfolio has it. A rule that is off shows the
// parameters that it would get by itself.
type RuleState struct {
	*Rule
	On     bool
	Values Values
}

// RulesOn lists the rules that a portfolio has on, in the order of the
// rulebook.
func (s *Portfolios) RulesOn(ctx context.Context, by auth.Caller, id PortfolioID) ([]RuleState, error) {
	all, err := s.states(ctx, by, id, AllRules())
	if err != nil {
		return nil, err
	}
	var out []RuleState
	for _, r := range all {
		if r.On {
			out = append(out, r)
		}
	}
	return out, nil
}

// RulesOf lists every rule of a country, on or off.
func (s *Portfolios) RulesOf(ctx context.Context, by auth.Caller, id PortfolioID, country string) ([]RuleState, error) {
	return s.states(ctx, by, id, Rules(country))
}

func (s *Portfolios) states(ctx context.Context, by auth.Caller, id PortfolioID, rules []*Rule) ([]RuleState, error) {
	list, err := s.Store.Settings(ctx, by, id)
	if err != nil {
		return nil, err
	}
	on := make(map[ruleKey]Values, len(list))
	for _, x := range list {
		on[ruleKey{x.Country, x.Code}] = x.Values
	}
	out := make([]RuleState, 0, len(rules))
	for _, r := range rules {
		values, isOn := on[ruleKey{r.Country, r.Code}]
		if !isOn {
			values = r.Defaults()
		}
		out = append(out, RuleState{r, isOn, values})
	}
	return out, nil
}

// Switch sets rules of a country; others stay as they are. All of the list is
// done, or nothing.
func (s *Portfolios) Switch(ctx context.Context, by auth.Caller, id PortfolioID, country string, list []Switch) error {
	checked, err := CheckSwitches(country, list)
	if err != nil {
		return s.orNoPortfolio(ctx, by, id, err)
	}
	return s.Store.SwitchRules(ctx, by, id, country, checked)
}

// SwitchAllOff switches every rule of a portfolio off, as it was when it was
// made.
func (s *Portfolios) SwitchAllOff(ctx context.Context, by auth.Caller, id PortfolioID) error {
	return s.Store.SwitchAllOff(ctx, by, id)
}
