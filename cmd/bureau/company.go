package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"bureau/client"
)

type companyCmd struct {
	Report companyReportCmd `cmd:"" default:"withargs" help:"Read a company's report; 'bureau company ID' does too."`
	Search companySearchCmd `cmd:"" help:"Find companies by name, number, address and more."`
	Match  companyMatchCmd  `cmd:"" help:"Say which company is meant by a name, how sure that is, and why."`
}

func (companyCmd) Help() string {
	return `Example:
  bureau company GB-0-99000001
  bureau company search brimwick --country GB
  bureau company match "Tansydale Brimwik Build" --country GB`
}

type companyReportCmd struct {
	remote   `embed:""`
	ID       string `arg:"" help:"The company's connectId, or its safe number."`
	Language string `help:"Two letters." default:"en"`
	Reason   string `help:"The reason that Germany asks for: 1 to 8." placeholder:"N"`
	PDF      string `name:"pdf" help:"Write the report to this file as a PDF; - is standard output." placeholder:"FILE"`
}

func (companyReportCmd) Help() string {
	return `Reads a company's report through the API. With --json the whole report is printed.

Example:
  bureau company report GB-0-99000001
  bureau company report GB-0-99000001 --json
  bureau company report GB-0-99000001 --pdf report.pdf
  BUREAU_USERNAME=… BUREAU_PASSWORD=… bureau company report DE-0-X9999_HRB900001 --reason 1 --url https://api.example.com/v1`
}

func (c companyReportCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	ask := client.ReportRequest{Language: c.Language}
	if c.Reason != "" {
		ask.CustomData = map[string]string{"de_reason_code": c.Reason}
	}
	if c.PDF != "" {
		return c.savePDF(t, api, ask)
	}
	r, err := api.CompanyReport(t.ctx, c.ID, ask)
	if err != nil {
		return err
	}
	return t.print(r.Raw, func(w io.Writer) { printCompany(w, r) })
}

func (c companyReportCmd) savePDF(t *terminal, api *client.Client, ask client.ReportRequest) error {
	b, err := api.CompanyReportPDF(t.ctx, c.ID, ask)
	if err != nil {
		return err
	}
	if c.PDF == "-" {
		_, err := t.out.Write(b)
		return err
	}
	if err := os.WriteFile(c.PDF, b, 0o600); err != nil {
		return err
	}
	return t.print(map[string]any{"file": c.PDF, "bytes": len(b)}, func(w io.Writer) {
		fmt.Fprintf(w, "%s: %d bytes\n", c.PDF, len(b))
	})
}

func printCompany(w io.Writer, r client.Report) {
	s := r.Report.Summary
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintf(tw, "company\t%s\n", s.BusinessName)
	fmt.Fprintf(tw, "id\t%s\n", r.CompanyID)
	fmt.Fprintf(tw, "status\t%s\n", s.Status.Description)
	if s.Rating.Band != "" {
		fmt.Fprintf(tw, "band\t%s (%s), score %s\n", s.Rating.Band, s.Rating.Description, s.Rating.Provider.Value)
		fmt.Fprintf(tw, "limit\t%s %s\n", s.Rating.Limit.Value, s.Rating.Limit.Currency)
		fmt.Fprintf(tw, "why\t%s\n", s.Rating.Assessment)
	}
	fmt.Fprintf(tw, "sources\t%s\n", strings.Join(r.Report.Additional.Sources, ", "))
}
