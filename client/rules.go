package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// A Rule says which changes of a company are told.
type Rule struct {
	Code     int         `json:"ruleCode"`
	Country  string      `json:"ruleCountryCode"` // XX: for companies of every country
	Name     string      `json:"name"`            // {0}, {1}, {2} stand for the parameters
	IsActive bool        `json:"isActive"`
	Type     int         `json:"ruleType"`
	TypeName string      `json:"ruleTypeName"`
	Param0   string      `json:"param0"`
	Param1   string      `json:"param1"`
	Param2   string      `json:"param2"`
	Params   []RuleParam `json:"parameters"`
}

// A RuleParam says what one parameter of a rule means, and what it may be.
type RuleParam struct {
	Means   string `json:"means"`
	Allowed string `json:"allowed"`
	Default string `json:"default"`
}

// A RuleSwitch is what to set a rule to.
type RuleSwitch struct {
	Code     int
	IsActive bool
	// Params are the rule's parameters, in order; an empty one asks for nothing.
	// Those that are left out stay as they are if the rule is on. A rule that is
	// off gets its own if all are left out.
	Params []string
}

// MarshalJSON writes the switch as the service takes it.
func (s RuleSwitch) MarshalJSON() ([]byte, error) {
	out := map[string]any{"ruleCode": s.Code, "isActive": s.IsActive}
	for i, v := range s.Params {
		out["param"+strconv.Itoa(i)] = v
	}
	return json.Marshal(out)
}

// Rules lists every rule there is.
func (c *Client) Rules(ctx context.Context) ([]Rule, error) {
	return c.rules(ctx, "/monitoring/eventRules")
}

// RulesByCountry lists a country's rules; those of XX are for every country.
func (c *Client) RulesByCountry(ctx context.Context, country string) ([]Rule, error) {
	return c.rules(ctx, "/monitoring/eventRules/"+url.PathEscape(country))
}

// PortfolioRules lists the rules that a portfolio has on.
func (c *Client) PortfolioRules(ctx context.Context, id int64) ([]Rule, error) {
	return c.rules(ctx, portfolioPath(id, "eventRules"))
}

// PortfolioRulesByCountry lists a country's rules, on or off in a portfolio.
func (c *Client) PortfolioRulesByCountry(ctx context.Context, id int64, country string) ([]Rule, error) {
	return c.rules(ctx, portfolioPath(id, "eventRules", country))
}

func (c *Client) rules(ctx context.Context, path string) ([]Rule, error) {
	var out []Rule
	err := c.get(ctx, path, &out)
	return out, err
}

// SwitchRules sets rules of a country. Others stay as they are; all of the list
// is done, or nothing.
func (c *Client) SwitchRules(ctx context.Context, id int64, country string, list ...RuleSwitch) error {
	return c.call(ctx, http.MethodPut, portfolioPath(id, "eventRules", country), append([]RuleSwitch{}, list...), nil)
}

// SwitchRulesOff switches every rule of a portfolio off.
func (c *Client) SwitchRulesOff(ctx context.Context, id int64) error {
	return c.call(ctx, http.MethodPut, portfolioPath(id, "eventRules", "setDefault"), nil, nil)
}
