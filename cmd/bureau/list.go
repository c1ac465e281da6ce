package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"bureau/internal/app"
)

type listCmd struct {
	Status listStatusCmd `cmd:"" help:"Which lists are loaded, how many are on them and how old they are."`
	Show   listShowCmd   `cmd:"" help:"The versions of a list, or what it says, or said on a day, about one entry."`
}

func (listCmd) Help() string {
	return `Screening lists are loaded with 'bureau import'.

Example:
  bureau list status
  bureau list show un-sanctions QDi.001`
}

type listStatusCmd struct {
	app.Place `embed:""`
}

func (listStatusCmd) Help() string {
	return `A list that is older than it may grow is marked; every screening says so too.

Example:
  bureau list status --json`
}

func (c listStatusCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		all, err := a.Lists(t.ctx)
		if err != nil {
			return err
		}
		return t.print(all, func(w io.Writer) {
			tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
			defer tw.Flush()
			fmt.Fprintln(tw, "list\tentries\tversion\tas of\tage")
			for _, l := range all {
				if !l.Loaded {
					fmt.Fprintf(tw, "%s\tnot loaded\t\t\t\n", l.Name)
					continue
				}
				age := fmt.Sprintf("%d days", l.AgeDays)
				if l.Old {
					age += fmt.Sprintf(", more than %d: import it again", l.MaxDays)
				}
				fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\n", l.Name, l.Entries, l.Version, l.AsOf, age)
			}
		})
	})
}

type listShowCmd struct {
	app.Place `embed:""`
	List      string `arg:"" help:"The list's name; 'bureau list status' names them."`
	Number    string `arg:"" optional:"" help:"The publisher's number of an entry."`
	On        string `help:"What the list said on that day (default: now)." placeholder:"DATE"`
	Limit     limit  `help:"At most so many versions." default:"20"`
}

func (listShowCmd) Help() string {
	return `Without a number, the versions of the list are shown, the newest first.

Example:
  bureau list show ofac-sdn
  bureau list show ofac-sdn 7843 --on 2026-03-31`
}

func (c listShowCmd) Run(t *terminal) error {
	var on time.Time
	if c.On != "" {
		var err error
		if on, err = time.Parse(time.DateOnly, c.On); err != nil {
			return misuse{fmt.Errorf("--on %s is no day: write it as 2006-01-02", c.On)}
		}
	}
	return t.with(c.Place, func(a *app.App) error {
		if c.Number == "" {
			return c.versions(t, a)
		}
		e, err := a.ListEntry(t.ctx, c.List, c.Number, on)
		if err != nil {
			return err
		}
		return t.print(e, func(w io.Writer) {
			b, _ := json.MarshalIndent(e, "", "  ") // it is made of texts and numbers
			fmt.Fprintf(w, "%s\n", b)
		})
	})
}

func (c listShowCmd) versions(t *terminal, a *app.App) error {
	all, err := a.ListVersions(t.ctx, c.List, int(c.Limit))
	if err != nil {
		return err
	}
	return t.print(all, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "version\tin force since\tas of\tentries\tnew\tchanged\tgone\tfile")
		for _, v := range all {
			fmt.Fprintf(tw, "%d\t%s\t%s\t%d\t%d\t%d\t%d\t%s\n", v.Version, v.At, v.AsOf, v.Entries, v.Added, v.Changed, v.Removed, v.File)
		}
	})
}
