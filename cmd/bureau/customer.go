package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/internal/app"
)

type customerCmd struct {
	Add   customerAddCmd   `cmd:"" help:"Add a customer."`
	List  customerListCmd  `cmd:"" help:"List customers and what they may use."`
	Grant customerGrantCmd `cmd:"" help:"Give a customer a product, or take it away."`

	Screening customerScreeningCmd `cmd:"" help:"Show or set what a customer wants of every screening."`
}

func (customerCmd) Help() string {
	return "Example:\n  bureau customer add \"Example Ltd\" --product all"
}

type grantFlags struct {
	Product []string `help:"A product, or 'all'." placeholder:"NAME"`
	Country []string `help:"A country's two letters; without one, all countries." placeholder:"CC"`
	From    string   `help:"First day (default: today)." placeholder:"2006-01-31"`
	Until   string   `help:"Last day (default: no end)." placeholder:"2006-01-31"`
	Paid    int64    `help:"How many calls were bought for each; 0 is as many as they like."`
}

func (g grantFlags) terms() app.Terms {
	return app.Terms{Products: g.Product, Countries: g.Country, From: g.From, Until: g.Until, Paid: g.Paid}
}

type customerAddCmd struct {
	app.Place  `embed:""`
	grantFlags `embed:""`
	Name       string `arg:"" help:"The customer's name."`
}

func (customerAddCmd) Help() string {
	return `Example:
  bureau customer add "Example Ltd" --product companies --product monitoring --country GB --country IE`
}

func (c customerAddCmd) Run(t *terminal) error {
	return t.withNew(app.ForCommand(c.Place), func(a *app.App) error {
		v, err := a.AddCustomer(t.ctx, c.Name, c.terms())
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) { fmt.Fprintf(w, "customer %d: %s\n", v.ID, v.Name) })
	})
}

type customerListCmd struct {
	app.Place `embed:""`
}

func (customerListCmd) Help() string { return "Example:\n  bureau customer list --json" }

func (c customerListCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		list := a.ListCustomers()
		return t.print(list, func(w io.Writer) {
			tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
			fmt.Fprintln(tw, "ID\tNAME\tGRANTS")
			for _, v := range list {
				fmt.Fprintf(tw, "%d\t%s\t%d\n", v.ID, v.Name, len(v.Grants))
			}
			tw.Flush()
		})
	})
}

type customerGrantCmd struct {
	app.Place  `embed:""`
	grantFlags `embed:""`
	Customer   int64 `arg:"" help:"The customer's number."`
	Take       bool  `help:"Take it away instead."`
}

func (customerGrantCmd) Help() string {
	return `Example:
  bureau customer grant 1001 --product kyc --country GB --paid 500 --until 2027-12-31
  bureau customer grant 1001 --product kyc --country GB --take`
}

func (c customerGrantCmd) Run(t *terminal) error {
	if len(c.Product) == 0 {
		return misuse{fmt.Errorf("name at least one --product")}
	}
	return t.with(c.Place, func(a *app.App) error {
		v, err := a.GrantCustomer(t.ctx, c.Customer, c.terms(), c.Take)
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) {
			fmt.Fprintf(w, "customer %d: %s\n", v.ID, v.Name)
			for _, g := range v.Grants {
				fmt.Fprintf(w, "  %s %s\n", g.Product, g.Country)
			}
		})
	})
}

type customerScreeningCmd struct {
	app.Place   `embed:""`
	Customer    int64    `arg:"" help:"The customer's number."`
	DOBRequired *bool    `name:"dob-required" negatable:"" help:"Refuse a search for a person without a date of birth."`
	Body        []string `help:"A sanction body that is looked at when a search names none." placeholder:"NAME"`
	AllBodies   bool     `help:"Look at all sanction bodies when a search names none."`
}

func (customerScreeningCmd) Help() string {
	return `Example:
  bureau customer screening 1001
  bureau customer screening 1001 --dob-required --body UN --body OFAC
  bureau customer screening 1001 --no-dob-required --all-bodies`
}

func (c customerScreeningCmd) Run(t *terminal) error {
	if c.AllBodies && len(c.Body) > 0 {
		return misuse{fmt.Errorf("give --body or --all-bodies, not both")}
	}
	return t.with(c.Place, func(a *app.App) error {
		v, err := a.SetScreening(t.ctx, c.Customer, app.ScreeningWish{DOBRequired: c.DOBRequired, Bodies: c.Body, AllBodies: c.AllBodies})
		if err != nil {
			return err
		}
		return t.print(v, func(w io.Writer) {
			fmt.Fprintf(w, "customer %d\n  date of birth required: %t\n  sanction bodies: %s\n", v.Customer, v.DOBRequired, cmp.Or(strings.Join(v.Bodies, ", "), "all"))
		})
	})
}
