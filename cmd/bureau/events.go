package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"bureau/client"
)

type eventsCmd struct {
	remote    `embed:""`
	Follow    bool   `short:"f" help:"Go on with events as they happen, until stopped."`
	After     int64  `help:"Begin behind this event." placeholder:"N"`
	Portfolio int64  `help:"Only of this portfolio." placeholder:"ID"`
	Company   string `help:"Only about this company." placeholder:"ID"`
	Since     string `help:"Only what happened on this day or later." placeholder:"DATE"`
	Limit     limit  `help:"At most so many of the latest." default:"20"`
	Why       int64  `help:"Explain this event." placeholder:"N"`
	Mark      int64  `help:"Mark all events up to this one as processed." placeholder:"N"`
}

func (eventsCmd) Help() string {
	return `Shows what happened to the companies in your portfolios, through the API.

Example:
  bureau events
  bureau events --follow
  bureau events --company GB-0-99000001
  bureau events --why 17
  bureau events --mark 17`
}

func (c eventsCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	switch {
	case c.Why > 0:
		return c.why(t, api)
	case c.Mark > 0:
		n, err := api.MarkEvents(t.ctx, c.Mark, true)
		if err != nil {
			return err
		}
		return t.print(map[string]int64{"changed": n}, func(w io.Writer) { fmt.Fprintf(w, "marked %d events\n", n) })
	case c.Follow:
		return c.follow(t, api)
	}
	return c.list(t, api)
}

// list prints the latest events, the newest last.
func (c eventsCmd) list(t *terminal, api *client.Client) error {
	f := client.EventFilter{SortBy: "eventId", Down: true}
	if c.Since != "" {
		day, err := time.Parse("2006-01-02", c.Since)
		if err != nil {
			return misuse{fmt.Errorf("--since %q is not a day such as 2026-01-31", c.Since)}
		}
		f.From = day
	}
	events := api.Events(t.ctx, f)
	switch {
	case c.Company != "" && c.Portfolio > 0:
		events = api.PortfolioCompanyEvents(t.ctx, c.Portfolio, c.Company, f)
	case c.Company != "":
		return c.about(t, api, f.From)
	case c.Portfolio > 0:
		events = api.PortfolioEvents(t.ctx, c.Portfolio, f)
	}
	list := []client.Event{}
	for e, err := range events {
		if err != nil {
			return err
		}
		if e.ID <= c.After || len(list) == int(c.Limit) {
			break
		}
		list = append(list, e)
	}
	return t.print(list, func(w io.Writer) {
		if len(list) == 0 {
			fmt.Fprintln(w, "no events yet")
			return
		}
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "EVENT\tWHEN\tCOMPANY\tWHAT")
		for i := len(list) - 1; i >= 0; i-- {
			e := list[i]
			fmt.Fprintf(tw, "%d\t%s\t%s\t%s\n", e.ID, e.Happened.Format("2006-01-02 15:04"), e.Company.Name, e.Summary)
		}
	})
}

// about prints the latest events about a company in all portfolios that hold it,
// the newest last. That list has no reasons, so the values stand for them.
func (c eventsCmd) about(t *terminal, api *client.Client, from time.Time) error {
	list := []client.CompanyEvent{}
	for e, err := range api.CompanyEvents(t.ctx, c.Company, from, time.Time{}) {
		if err != nil {
			return err
		}
		if len(list) == int(c.Limit) {
			break
		}
		if e.ID > c.After {
			list = append(list, e)
		}
	}
	return t.print(list, func(w io.Writer) {
		if len(list) == 0 {
			fmt.Fprintln(w, "no events yet, or no portfolio of yours holds this company")
			return
		}
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "EVENT\tWHEN\tPORTFOLIO\tRULE\tOLD\tNEW")
		for i := len(list) - 1; i >= 0; i-- {
			e := list[i]
			rule, _, _ := strings.Cut(e.RuleName, " | ")
			fmt.Fprintf(tw, "%d\t%s\t%d\t%s\t%s\t%s\n", e.ID, e.Happened.Format("2006-01-02 15:04"), e.PortfolioID, rule, e.OldValue, e.NewValue)
		}
	})
}

// follow prints events as they come, one on a line.
func (c eventsCmd) follow(t *terminal, api *client.Client) error {
	for e, err := range api.Follow(t.ctx, c.After) {
		if err != nil {
			return err
		}
		if c.Portfolio > 0 && e.Company.PortfolioID != c.Portfolio || c.Company != "" && !strings.EqualFold(e.Company.ID, c.Company) && !strings.EqualFold(e.Company.SafeNumber, c.Company) {
			continue
		}
		if t.json {
			if err := json.NewEncoder(t.out).Encode(e); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(t.out, "%d  %s  %s: %s\n", e.ID, e.Happened.Format("2006-01-02 15:04"), e.Company.Name, e.Summary)
	}
	return nil
}

func (c eventsCmd) why(t *terminal, api *client.Client) error {
	why, err := api.WhyEvent(t.ctx, c.Why)
	if err != nil {
		return err
	}
	return t.print(why, func(w io.Writer) {
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintf(tw, "reason\t%s\n", why.Reason)
		rule, _, _ := strings.Cut(why.Rule.Name, " | ") // the rest has places for parameters, which the reason fills
		fmt.Fprintf(tw, "rule\t%d %s, version %d\n", why.Rule.Code, rule, why.Rule.Version)
		for i, value := range []string{why.Rule.Param0, why.Rule.Param1, why.Rule.Param2} {
			if value != "" {
				fmt.Fprintf(tw, "param%d\t%s\n", i, value)
			}
		}
		fmt.Fprintf(tw, "change\t%d: %s, by %s, on %s\n", why.Change.Number, why.Change.Field, why.Change.Source, why.Change.Date.Format("2006-01-02 15:04"))
		fmt.Fprintf(tw, "portfolio\t%d %s\n", why.Event.Company.PortfolioID, why.Event.Company.PortfolioName)
	})
}
