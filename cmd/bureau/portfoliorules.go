package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/client"
)

type portfolioRulesCmd struct {
	onePortfolio `embed:""`
	Country      string `arg:"" optional:"" help:"All rules of this country, on or off; XX has those for every country."`
}

func (portfolioRulesCmd) Help() string {
	return "Example:\n  bureau portfolio rules 100001\n  bureau portfolio rules 100001 XX"
}

func (c portfolioRulesCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	var rules []client.Rule
	if c.Country == "" {
		rules, err = api.PortfolioRules(t.ctx, c.Portfolio)
	} else {
		rules, err = api.PortfolioRulesByCountry(t.ctx, c.Portfolio, c.Country)
	}
	if err != nil {
		return err
	}
	lines := newRuleLines(rules)
	return t.print(lines, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "COUNTRY\tRULE\tON\tNAME\tPARAMETERS")
		for _, r := range lines {
			fmt.Fprintf(tw, "%s\t%d\t%s\t%s\t%s\n", r.Country, r.Code, yesNo(r.On), r.Name, r.Params)
		}
	})
}

// ruleLine is a rule as it is printed.
type ruleLine struct {
	Country string `json:"country"`
	Code    int    `json:"code"`
	On      bool   `json:"on"`
	Name    string `json:"name"`
	Params  string `json:"parameters"` // with slashes between them
}

func newRuleLines(list []client.Rule) []ruleLine {
	out := []ruleLine{}
	for _, r := range list {
		set := []string{r.Param0, r.Param1, r.Param2}[:min(len(r.Params), 3)]
		out = append(out, ruleLine{r.Country, r.Code, r.IsActive, r.Name, strings.Join(set, "/")})
	}
	return out
}

type portfolioSwitchCmd struct {
	onePortfolio `embed:""`
	Country      string   `arg:"" help:"The rules' country; XX for those of every country."`
	Rules        []int    `arg:"" help:"Their codes."`
	Off          bool     `help:"Switch them off."`
	Param        []string `help:"Their parameters, in order." placeholder:"VALUE"`
}

func (portfolioSwitchCmd) Help() string {
	return `A rule that is on is about what happens from now on. All are switched, or none.
Parameters that are left out stay as they are if the rule is on.

Example:
  bureau portfolio switch 100001 XX 101 --param 1 --param C
  bureau portfolio switch 100001 GB 1804 1815
  bureau portfolio switch 100001 XX 105 --off`
}

func (c portfolioSwitchCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	if len(c.Param) > 3 {
		return misuse{fmt.Errorf("a rule has at most 3 parameters; --param was given %d times", len(c.Param))}
	}
	var list []client.RuleSwitch
	for _, code := range c.Rules {
		list = append(list, client.RuleSwitch{Code: code, IsActive: !c.Off, Params: c.Param})
	}
	if err := api.SwitchRules(t.ctx, c.Portfolio, c.Country, list...); err != nil {
		return err
	}
	word := "on"
	if c.Off {
		word = "off"
	}
	return t.print(map[string]any{"switched": c.Rules, "on": !c.Off}, func(w io.Writer) { fmt.Fprintf(w, "switched %s: %d\n", word, len(c.Rules)) })
}
