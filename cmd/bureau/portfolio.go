package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"bureau/client"
)

type portfolioCmd struct {
	List          portfolioListCmd      `cmd:"" help:"Your portfolios and those shared with you."`
	Add           portfolioAddCmd       `cmd:"" help:"Make a portfolio."`
	Show          portfolioShowCmd      `cmd:"" help:"A portfolio, its companies by band, its rules and shares."`
	Remove        portfolioRemoveCmd    `cmd:"" help:"Delete a portfolio with its companies, rules and events."`
	Companies     portfolioCompaniesCmd `cmd:"" help:"The companies in a portfolio."`
	AddCompany    portfolioPutCmd       `cmd:"" help:"Put companies into a portfolio."`
	RemoveCompany portfolioTakeCmd      `cmd:"" help:"Take companies out of a portfolio."`
	Rules         portfolioRulesCmd     `cmd:"" help:"The rules that a portfolio has on, or all of a country."`
	Switch        portfolioSwitchCmd    `cmd:"" help:"Switch rules on or off."`
	Share         portfolioShareCmd     `cmd:"" help:"Let a colleague's account see a portfolio, or no longer."`

	portfolioFiles `embed:""`
}

func (portfolioCmd) Help() string {
	return `Portfolios are lists of companies that are watched. All of this goes through the API.

Example:
  bureau portfolio add Customers
  bureau portfolio add-company 100001 GB-0-99000001
  bureau portfolio switch 100001 XX 101 105 5003`
}

// onePortfolio is what commands on a portfolio take.
type onePortfolio struct {
	remote    `embed:""`
	Portfolio int64 `arg:"" help:"The portfolio's number."`
}

type portfolioListCmd struct {
	remote `embed:""`
	Search string `help:"Only those with this in their names." placeholder:"TEXT"`
}

func (portfolioListCmd) Help() string { return "Example:\n  bureau portfolio list --search customers" }

func (c portfolioListCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	list := []portfolioLine{}
	for p, err := range api.Portfolios(t.ctx, c.Search) {
		if err != nil {
			return err
		}
		list = append(list, newPortfolioLine(p))
	}
	return t.print(list, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "PORTFOLIO\tNAME\tDEFAULT\tSHARED\tYOU MAY")
		for _, p := range list {
			fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\n", p.ID, p.Name, yesNo(p.IsDefault), yesNo(p.Shared), p.Permissions)
		}
	})
}

// portfolioLine is a portfolio as it is printed.
type portfolioLine struct {
	ID          int64  `json:"portfolioId"`
	Name        string `json:"name"`
	IsDefault   bool   `json:"isDefault"`
	Shared      bool   `json:"shared"`
	Permissions string `json:"permissions"`
}

func newPortfolioLine(p client.Portfolio) portfolioLine {
	return portfolioLine{p.ID, p.Name, p.IsDefault, p.Shared, p.Permissions}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

type portfolioAddCmd struct {
	remote  `embed:""`
	Name    string   `arg:"" help:"Its name."`
	Default bool     `help:"Make it the one that is meant when none is named."`
	Mail    []string `help:"Who gets its mail." placeholder:"ADDRESS"`
	Days    int      `help:"How many days go between two mails." default:"0"`
}

func (portfolioAddCmd) Help() string {
	return "Example:\n  bureau portfolio add Customers --default --mail ada@example.com --days 1"
}

func (c portfolioAddCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	to := []client.Recipient{}
	for _, address := range c.Mail {
		to = append(to, client.Recipient{Address: address})
	}
	p, err := api.CreatePortfolio(t.ctx, client.PortfolioEdit{Name: &c.Name, IsDefault: &c.Default, To: &to, Days: &c.Days})
	if err != nil {
		return err
	}
	return t.print(newPortfolioLine(p), func(w io.Writer) { fmt.Fprintf(w, "portfolio %d: %s\n", p.ID, p.Name) })
}

type portfolioRemoveCmd struct {
	onePortfolio `embed:""`
}

func (portfolioRemoveCmd) Help() string { return "Example:\n  bureau portfolio remove 100001" }

func (c portfolioRemoveCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	if err := api.DeletePortfolio(t.ctx, c.Portfolio); err != nil {
		return err
	}
	return t.print(map[string]int64{"removed": c.Portfolio}, func(w io.Writer) { fmt.Fprintln(w, "removed") })
}

type portfolioShowCmd struct {
	onePortfolio `embed:""`
}

func (portfolioShowCmd) Help() string { return "Example:\n  bureau portfolio show 100001" }

func (c portfolioShowCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	p, err := api.Portfolio(t.ctx, c.Portfolio)
	if err != nil {
		return err
	}
	risk, err := api.PortfolioRisk(t.ctx, c.Portfolio)
	if err != nil {
		return err
	}
	rules, err := api.PortfolioRules(t.ctx, c.Portfolio)
	if err != nil {
		return err
	}
	shares, err := api.PortfolioShares(t.ctx, c.Portfolio)
	if err != nil {
		return err
	}
	out := struct {
		portfolioLine
		Mail   []string    `json:"mail"`
		Days   int         `json:"days"`
		Risk   client.Risk `json:"companies"`
		Rules  []ruleLine  `json:"rules"`
		Shares []shareLine `json:"shares"`
	}{newPortfolioLine(p), []string{}, p.Mail.Days, risk, newRuleLines(rules), newShareLines(shares)}
	for _, to := range p.Mail.To {
		out.Mail = append(out.Mail, to.Address)
	}
	return t.print(out, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintf(tw, "portfolio\t%d\nname\t%s\ndefault\t%s\nyou may\t%s\n", p.ID, p.Name, yesNo(p.IsDefault), p.Permissions)
		fmt.Fprintf(tw, "companies\t%d: A %d, B %d, C %d, D %d, E %d\n", risk.Total, risk.CountA, risk.CountB, risk.CountC, risk.CountD, risk.CountE)
		for _, r := range out.Rules {
			fmt.Fprintf(tw, "rule\t%s %d %s %s\n", r.Country, r.Code, r.Name, r.Params)
		}
		for _, s := range out.Shares {
			fmt.Fprintf(tw, "shared with\t%d %s: %s\n", s.Account, s.UserKey, s.Permissions)
		}
		for _, to := range out.Mail {
			fmt.Fprintf(tw, "mail\t%s\n", to)
		}
	})
}
