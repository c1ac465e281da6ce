package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"bureau/internal/app"
)

type scoreCmd struct {
	Validate scoreValidateCmd `cmd:"" help:"Hold scores against your own experience."`
}

func (scoreCmd) Help() string { return "Example:\n  bureau score validate defaults.csv" }

type scoreValidateCmd struct {
	app.Place `embed:""`
	File      string `arg:"" help:"A CSV with the columns id, date and defaulted; - is standard input."`
	Recorded  bool   `help:"Take scores as they stood in the log on the day, whoever gave them."`
}

func (scoreValidateCmd) Help() string {
	return `Each company is rated as it would have been on the day from which you watched
it, and held against whether it defaulted later. Nothing is changed.

Example:
  bureau score validate defaults.csv
  bureau score validate --recorded --json defaults.csv

A file:

  id,date,defaulted
  GB-0-09999990,2025-01-31,no
  GB-0-09999991,2025-01-31,yes`
}

func (c scoreValidateCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		got, err := a.ValidateScores(t.ctx, c.File, t.in, c.Recorded)
		if err != nil {
			return fmt.Errorf("%s: %w", c.File, err)
		}
		return t.print(got, func(w io.Writer) { printTrial(w, got) })
	})
}

func printTrial(w io.Writer, got app.ScoreTrial) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "band\tcompanies\tdefaulted\trate\t")
	for _, b := range got.Bands {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%.1f %%\t\n", b.Band, b.Companies, b.Defaulted, 100*b.Rate)
	}
	tw.Flush()
	if got.AUC != nil {
		fmt.Fprintf(w, "AUC %.3f over %d companies\n", *got.AUC, got.Rated)
	} else {
		fmt.Fprintf(w, "no AUC over %d companies: it needs some that defaulted and some that did not\n", got.Rated)
	}
	if got.Unknown > 0 {
		fmt.Fprintf(w, "%d companies are not in the register\n", got.Unknown)
	}
	if got.Unrated > 0 {
		fmt.Fprintf(w, "of %d companies too little was known on their day\n", got.Unrated)
	}
}
