package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/client"
)

type companySearchCmd struct {
	remote   `embed:""`
	Name     string   `arg:"" optional:"" help:"A name, however it is written."`
	Country  []string `help:"Where it is registered: two letters, several with commas; WW is everywhere you may look." placeholder:"CC"`
	ID       string   `name:"id" help:"A connectId." placeholder:"ID"`
	RegNo    string   `name:"reg-no" help:"The number in its register." placeholder:"NO"`
	VAT      string   `name:"vat" help:"A VAT number." placeholder:"NO"`
	Street   string   `help:"A street." placeholder:"TEXT"`
	City     string   `help:"A town." placeholder:"TEXT"`
	PostCode string   `name:"post-code" help:"A post code; SW1* finds all that begin so." placeholder:"CODE"`
	Phone    string   `help:"A telephone number." placeholder:"NO"`
	Website  string   `help:"A web site." placeholder:"HOST"`
	Status   string   `help:"Active, NonActive, Pending or Other." placeholder:"STATUS"`
	Exact    bool     `help:"The name must be equal."`
	Global   bool     `help:"All places of the company and its group, in all countries."`
	Limit    limit    `help:"How many to show." default:"20"`
}

func (companySearchCmd) Help() string {
	return `All that is given must hold. A name is found although it is mistyped, reordered, cut short or in another script.

Example:
  bureau company search brimwick --country GB
  bureau company search --country GB,FR --city Leeds --status Active
  bureau company search brimwick --global`
}

func (c companySearchCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	ask := client.CompanySearch{
		Countries: c.Country, ID: c.ID, RegNo: c.RegNo, VATNo: c.VAT, Name: c.Name, Street: c.Street, City: c.City,
		PostCode: c.PostCode, PhoneNo: c.Phone, Website: c.Website, Status: c.Status, Exact: c.Exact,
	}
	search := api.SearchCompanies
	if c.Global {
		search = api.SearchEverywhere
	}
	found, err := search(t.ctx, ask, client.Page{Size: int(c.Limit)})
	if err != nil {
		return err
	}
	return t.print(found, func(w io.Writer) { printFound(w, found, c.Global) })
}

func printFound(w io.Writer, found client.FoundCompanies, places bool) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	if len(found.Companies) > 0 {
		fmt.Fprintln(tw, "COMPANY\tLIKENESS\tSTATUS\tNAME\tADDRESS")
	}
	for _, c := range found.Companies {
		score := "-"
		if c.MatchScore > 0 {
			score = fmt.Sprint(c.MatchScore)
		}
		where := c.Address.Line
		if places {
			where = c.OfficeType + ": " + where
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", c.ID, score, c.Status, c.Name, where)
	}
	for _, m := range found.Messages {
		fmt.Fprintln(tw, m.Text)
	}
	if n := found.Total - len(found.Companies); n > 0 {
		fmt.Fprintf(tw, "and %d more\n", n)
	}
}

type companyMatchCmd struct {
	remote    `embed:""`
	Name      string `arg:"" help:"The company's name, as you have it."`
	Country   string `help:"Two letters." placeholder:"CC" required:""`
	Threshold int    `help:"The least rating of an answer, 893 to 999." default:"893"`
	RegNo     string `name:"reg-no" help:"The number in its register." placeholder:"NO"`
	VAT       string `name:"vat" help:"A VAT number." placeholder:"NO"`
	Street    string `help:"The street." placeholder:"TEXT"`
	City      string `help:"The town." placeholder:"TEXT"`
	PostCode  string `name:"post-code" help:"The post code." placeholder:"CODE"`
	Phone     string `help:"A telephone number." placeholder:"NO"`
}

func (companyMatchCmd) Help() string {
	return `What is known besides the name confirms it or weakens it; it never takes its place.

Example:
  bureau company match "Tansydale Brimwik Build" --country GB
  bureau company match "Brimwik Tansydale Build" --country GB --city York --threshold 950`
}

func (c companyMatchCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	list, err := api.MatchCompany(t.ctx, client.CompanyMatch{
		Country: c.Country, Name: c.Name, Threshold: c.Threshold, RegNo: c.RegNo, VATNo: c.VAT,
		Street: c.Street, City: c.City, PostCode: c.PostCode, PhoneNo: c.Phone,
	})
	if err != nil {
		return err
	}
	return t.print(list, func(w io.Writer) {
		if len(list) == 0 {
			fmt.Fprintln(w, "No company matches.")
		}
		for _, m := range list {
			fmt.Fprintf(w, "%s  %d  %s\n    %s\n", m.ID, m.Confidence, m.Name, strings.Join(m.Reasons, "; "))
		}
	})
}
