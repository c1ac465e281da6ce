package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"bureau/client"
)

type checkIdentityCmd struct {
	remote    `embed:""`
	Forename  string   `help:"The first name." placeholder:"NAME"`
	Surname   string   `help:"The last name." placeholder:"NAME"`
	Born      string   `help:"The date of birth." placeholder:"YYYY-MM-DD"`
	House     string   `help:"The number or name of the house." placeholder:"TEXT"`
	Street    string   `help:"The street." placeholder:"TEXT"`
	PostCode  string   `name:"post-code" help:"The postcode." placeholder:"CODE"`
	Phone     string   `help:"A telephone number." placeholder:"NUMBER"`
	SortCode  string   `name:"sort-code" help:"Of an account that should be the person's." placeholder:"CODE"`
	Account   string   `help:"Its number." placeholder:"NUMBER"`
	Products  []string `name:"product" help:"AML, Consumer, Id; several with commas." default:"AML" placeholder:"NAME"`
	Reason    string   `help:"Why you look: a consumer search needs it." placeholder:"REASON"`
	Reference string   `help:"Your own reference." placeholder:"TEXT"`
	Choose    string   `help:"The option of a pick-list that is meant." placeholder:"N"`
}

func (checkIdentityCmd) Help() string {
	return `Asks who somebody is, through the API. The answer is Pass, Refer or Fail, with
what each database says; Fail ends with exit status 1. Where several people fit
alike they are listed: say which one with --choose.

Example:
  bureau check identity --forename Ada --surname Example --born 1970-05-31 --house 7 --post-code 'EX1 1AA'
  bureau check identity --product Consumer --reason CreditApplication --forename Ada --surname Example --post-code 'EX1 1AA' --json`
}

func (c checkIdentityCmd) Run(t *terminal) error {
	if c.Surname == "" || c.PostCode == "" {
		return misuse{errors.New("name somebody: --forename, --surname and --post-code, and --born if you know it")}
	}
	api, err := c.client()
	if err != nil {
		return err
	}
	got, err := api.SearchIdentity(t.ctx, client.IdentityQuestion{
		Name: client.PersonName{Forename: c.Forename, Surname: c.Surname}, DateOfBirth: c.Born, Reference: c.Reference, Products: c.Products,
		Addresses: []client.PersonAddress{{BuildingNo: c.House, Street: c.Street, PostCode: c.PostCode}}, Reason: c.Reason,
		Landline: c.Phone, SortCode: c.SortCode, BankAccountNumber: c.Account,
	}, "")
	if err == nil && len(got.Picklist) > 0 && c.Choose != "" {
		got, err = api.ResolveIdentity(t.ctx, got.UniqueID, c.Choose)
	}
	if err != nil {
		return err
	}
	if err := t.print(got.Raw, func(w io.Writer) { printIdentity(w, got) }); err != nil {
		return err
	}
	switch {
	case len(got.Picklist) > 0:
		return errors.New("several people fit: say which one with --choose")
	case got.AML != nil && got.AML.Band == "Fail", got.Consumer != nil && !got.Consumer.Success:
		return errors.New("the person is not known, or has died")
	}
	return nil
}

func printIdentity(w io.Writer, got client.Identity) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintf(tw, "search\t%s\n", got.UniqueID)
	for _, list := range got.Picklist {
		for _, o := range list.Options {
			fmt.Fprintf(tw, "choose %s\t%s\n", o.Value, o.Option)
		}
	}
	if a := got.AML; a != nil {
		fmt.Fprintf(tw, "result\t%s\n", a.Band)
		for _, name := range slices.Sorted(maps.Keys(a.Results)) {
			r := a.Results[name]
			fmt.Fprintf(tw, "%s\t%s\n", r.Description, r.Pass)
		}
	}
	if got.BankMatch != nil {
		fmt.Fprintf(tw, "account is the person's\t%t\n", got.BankMatch.Success)
	}
	if c := got.Consumer; c != nil {
		fmt.Fprintf(tw, "known\t%t\n", c.Success)
	}
}
