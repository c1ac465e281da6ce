package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"bureau/client"
)

type portfolioCompaniesCmd struct {
	onePortfolio `embed:""`
	Search       string `help:"Only those with this in their name, number, reference or notes." placeholder:"TEXT"`
	Country      string `help:"Only those of this country." placeholder:"GB"`
	Events       bool   `help:"Only those with events."`
}

func (portfolioCompaniesCmd) Help() string {
	return "Example:\n  bureau portfolio companies 100001 --country GB"
}

func (c portfolioCompaniesCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	list := []client.WatchedCompany{}
	for w, err := range api.PortfolioCompanies(t.ctx, c.Portfolio, client.CompanyFilter{Search: c.Search, Country: c.Country, WithEvents: c.Events}) {
		if err != nil {
			return err
		}
		list = append(list, w)
	}
	return t.print(list, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "COMPANY\tNAME\tSTATUS\tBAND\tREFERENCE\tLAST EVENT")
		for _, c := range list {
			fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, c.Name, c.Status, c.Band, c.Reference, c.LastEventDate)
		}
	})
}

type portfolioPutCmd struct {
	onePortfolio `embed:""`
	Companies    []string `arg:"" help:"Their connectIds or safe numbers."`
	Reference    string   `help:"Your own number for them." placeholder:"TEXT"`
	Notes        string   `help:"Your notes." placeholder:"TEXT"`
	Limit        string   `help:"Your own credit limit for them." placeholder:"AMOUNT"`
}

func (portfolioPutCmd) Help() string {
	return `For many companies, 'bureau portfolio import' takes a file.

Example:
  bureau portfolio add-company 100001 GB-0-99000001 --reference C-17`
}

func (c portfolioPutCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	for _, id := range c.Companies {
		notes := client.Notes{Reference: &c.Reference, Notes: &c.Notes, Limit: &c.Limit}
		if err := api.AddCompany(t.ctx, c.Portfolio, id, notes); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return t.print(map[string]any{"added": c.Companies}, func(w io.Writer) { fmt.Fprintf(w, "added %d\n", len(c.Companies)) })
}

type portfolioTakeCmd struct {
	onePortfolio `embed:""`
	Companies    []string `arg:"" help:"Their connectIds or safe numbers."`
}

func (portfolioTakeCmd) Help() string {
	return "Example:\n  bureau portfolio remove-company 100001 GB-0-99000001"
}

func (c portfolioTakeCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	for _, id := range c.Companies {
		if err := api.RemoveCompany(t.ctx, c.Portfolio, id); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return t.print(map[string]any{"removed": c.Companies}, func(w io.Writer) { fmt.Fprintf(w, "removed %d\n", len(c.Companies)) })
}

type portfolioShareCmd struct {
	onePortfolio `embed:""`
	Account      int64  `arg:"" optional:"" help:"A colleague's account number."`
	Permissions  string `arg:"" optional:"" help:"view, add, edit, remove, with commas between them; all; or none."`
	RevokeAll    bool   `help:"Take away every share first."`
}

func (portfolioShareCmd) Help() string {
	return `Every right includes view. Without an account, prints who sees the portfolio.

Example:
  bureau portfolio share 100001 1003 view,add
  bureau portfolio share 100001 1003 none
  bureau portfolio share 100001`
}

func (c portfolioShareCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	var list []client.Share
	switch {
	case c.Account != 0 && c.Permissions == "":
		return misuse{fmt.Errorf("say what account %d may do: view, add, edit, remove, all or none", c.Account)}
	case c.Account != 0:
		list = append(list, client.Share{AccountID: c.Account, Permissions: c.Permissions})
	}
	if c.RevokeAll || len(list) > 0 {
		if err := api.SharePortfolio(t.ctx, c.Portfolio, c.RevokeAll, list...); err != nil {
			return err
		}
	}
	shares, err := api.PortfolioShares(t.ctx, c.Portfolio)
	if err != nil {
		return err
	}
	lines := newShareLines(shares)
	return t.print(lines, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "ACCOUNT\tUSER KEY\tMAY")
		for _, s := range lines {
			fmt.Fprintf(tw, "%d\t%s\t%s\n", s.Account, s.UserKey, s.Permissions)
		}
	})
}

// shareLine is a share as it is printed.
type shareLine struct {
	Account     int64  `json:"account"`
	UserKey     string `json:"userKey"`
	Permissions string `json:"permissions"`
}

func newShareLines(list []client.Share) []shareLine {
	out := []shareLine{}
	for _, s := range list {
		out = append(out, shareLine{s.AccountID, s.Username, s.Permissions})
	}
	return out
}
