package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"bureau/client"
)

type peopleCmd struct {
	Search peopleSearchCmd `cmd:"" help:"Find directors by name, date of birth or company."`
	Show   peopleShowCmd   `cmd:"" help:"Show a director's companies, past and present."`
}

func (peopleCmd) Help() string {
	return `Example:
  bureau people search "Hester Holinwell" --country GB
  bureau people show GB-9000001`
}

type peopleSearchCmd struct {
	remote  `embed:""`
	Name    string   `arg:"" optional:"" help:"First and last names, in any order."`
	Country []string `help:"Where they sit on boards: two letters, several with commas; WW is everywhere you may look." placeholder:"CC"`
	Born    string   `help:"The month of birth." placeholder:"1970-05"`
	Company string   `help:"The connectId of a company: its officers." placeholder:"ID"`
	Limit   limit    `help:"How many to show." default:"20"`
}

func (peopleSearchCmd) Help() string {
	return `Example:
  bureau people search "Hester Holinwell" --country GB --born 1951-09
  bureau people search --company GB-0-99000001 --country GB`
}

func (c peopleSearchCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	found, err := api.SearchPeople(t.ctx, client.PeopleSearch{
		Countries: c.Country, FullName: c.Name, DateOfBirth: c.Born, CompanyID: c.Company,
	}, client.Page{Size: int(c.Limit)})
	if err != nil {
		return err
	}
	return t.print(found, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		for _, p := range found.People {
			fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\n", p.ID, p.Name, month(p.DateOfBirth), p.Status, p.CompanyName)
		}
		for _, m := range found.Messages {
			fmt.Fprintln(tw, m.Text)
		}
		if n := found.Total - len(found.People); n > 0 {
			fmt.Fprintf(tw, "and %d more\n", n)
		}
	})
}

type peopleShowCmd struct {
	remote `embed:""`
	ID     string `arg:"" help:"The person's id."`
}

func (peopleShowCmd) Help() string {
	return `With --json the whole answer is printed.

Example:
  bureau people show GB-9000001`
}

func (c peopleShowCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	p, err := api.Person(t.ctx, c.ID)
	if err != nil {
		return err
	}
	return t.print(p.Raw, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		d := p.Report.Details
		fmt.Fprintf(tw, "person\t%s\n", d.Name)
		fmt.Fprintf(tw, "id\t%s\n", p.ID)
		if d.DateOfBirth != "" {
			fmt.Fprintf(tw, "born\t%s\n", month(d.DateOfBirth))
		}
		for _, s := range append(p.Report.Directorships.Current, p.Report.Directorships.Previous...) {
			until := "today"
			if s.Position.Resigned != "" {
				until = day(s.Position.Resigned)
			}
			fmt.Fprintf(tw, "%s\t%s, %s, %s to %s\n", s.CompanyID, s.CompanyName, s.Position.Name, day(s.Position.Appointed), until)
		}
	})
}

// month is when somebody was born: the day is nobody's business, and the service
// writes the first for it.
func month(text string) string { return text[:min(len(text), len("2006-01"))] }

// day is a time without its hours.
func day(text string) string { return text[:min(len(text), len("2006-01-02"))] }
