package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"bureau/client"
)

type webhookRotateCmd struct {
	oneWebhook
	Overlap time.Duration `help:"For how long the old secret signs as well." default:"24h"`
}

func (webhookRotateCmd) Help() string { return "Example:\n  bureau webhook rotate 7 --overlap 2h" }

func (c webhookRotateCmd) Run(t *terminal) error {
	if c.Overlap < 0 || c.Overlap > 24*time.Hour {
		return misuse{errors.New("--overlap: from 0 to 24h")}
	}
	api, err := c.client()
	if err != nil {
		return err
	}
	h, err := api.RotateWebhookSecret(t.ctx, c.ID, c.Overlap)
	if err != nil {
		return err
	}
	return t.print(h, func(w io.Writer) {
		printWebhook(w, &h)
		printSecret(w, &h)
	})
}

type webhookTestCmd struct{ oneWebhook }

func (webhookTestCmd) Help() string {
	return "Sends a test once and says what came back; exits with 1 if it was not taken.\n\nExample:\n  bureau webhook test 7"
}

func (c webhookTestCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	a, err := api.TestWebhook(t.ctx, c.ID)
	if err != nil {
		return err
	}
	if err := t.print(a, func(w io.Writer) { fmt.Fprintln(w, attemptWords(&a)) }); err != nil {
		return err
	}
	if !a.OK() {
		return errors.New("the endpoint did not take the test")
	}
	return nil
}

func attemptWords(a *client.WebhookAttempt) string {
	words := a.Error
	if a.Status != 0 {
		words = fmt.Sprintf("%d in %d ms", a.Status, a.DurationMs)
		if a.Error != "" {
			words += ", " + a.Error
		}
	}
	if a.Answer != "" {
		words += fmt.Sprintf(": %.200q", a.Answer)
	}
	return words
}

type webhookDeliveriesCmd struct {
	oneWebhook
	Event int64  `help:"This one, with its attempts." placeholder:"N"`
	State string `help:"Only waiting, retrying, delivered or dead ones." enum:",waiting,retrying,delivered,dead" default:"" placeholder:"STATE"`
	Limit limit  `help:"At most so many of the latest." default:"20"`
}

func (webhookDeliveriesCmd) Help() string {
	return "Example:\n  bureau webhook deliveries 7 --state dead\n  bureau webhook deliveries 7 --event 1017"
}

func (c webhookDeliveriesCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	if c.Event != 0 {
		d, err := api.WebhookDelivery(t.ctx, c.ID, c.Event)
		if err != nil {
			return err
		}
		return t.print(d, func(w io.Writer) { printDelivery(w, &d) })
	}
	list := []client.WebhookDelivery{}
	for d, err := range api.WebhookDeliveries(t.ctx, c.ID, c.State) {
		if err != nil {
			return err
		}
		if len(list) == int(c.Limit) {
			break
		}
		list = append(list, d)
	}
	return t.print(list, func(w io.Writer) {
		if len(list) == 0 {
			fmt.Fprintln(w, "no deliveries")
			return
		}
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "EVENT\tCOMPANY\tSTATE\tATTEMPTS\tLAST ANSWER")
		for i := range list {
			d := &list[i]
			fmt.Fprintf(tw, "%d\t%s\t%s\t%d\t%d\n", d.EventID, d.CompanyID, d.State, d.AttemptCount, d.LastStatus)
		}
	})
}

func printDelivery(w io.Writer, d *client.WebhookDelivery) {
	fmt.Fprintf(w, "event %d about %s: %s\n", d.EventID, d.CompanyID, d.State)
	for i := range d.Attempts {
		fmt.Fprintf(w, "  %s  %s\n", d.Attempts[i].At.Format("2006-01-02 15:04:05"), attemptWords(&d.Attempts[i]))
	}
	switch {
	case d.Next.IsZero():
	case d.Next.Before(time.Now()):
		fmt.Fprintln(w, "  next in its turn, or when the endpoint answers again")
	default:
		fmt.Fprintf(w, "  next at %s\n", d.Next.Format("2006-01-02 15:04:05"))
	}
}

type webhookReplayCmd struct {
	oneWebhook
	Event int64 `help:"This event." placeholder:"N"`
	Since int64 `help:"All events with this number or a higher one." placeholder:"N"`
	Dead  bool  `help:"Only what was given up."`
}

func (webhookReplayCmd) Help() string {
	return "Example:\n  bureau webhook replay 7 --event 1017\n  bureau webhook replay 7 --since 1000\n  bureau webhook replay 7 --dead"
}

func (c webhookReplayCmd) Run(t *terminal) error {
	if c.Event != 0 && c.Since != 0 || c.Event == 0 && c.Since == 0 && !c.Dead {
		return misuse{errors.New("say what to send again: --event, --since or --dead")}
	}
	api, err := c.client()
	if err != nil {
		return err
	}
	n, err := api.ReplayWebhook(t.ctx, c.ID, client.WebhookReplay{EventID: c.Event, Since: c.Since, DeadOnly: c.Dead})
	if err != nil {
		return err
	}
	return t.print(map[string]int{"count": n}, func(w io.Writer) { printSentAgain(w, n) })
}

func printSentAgain(w io.Writer, n int) {
	if n == 1 {
		fmt.Fprintln(w, "1 event is sent again")
		return
	}
	fmt.Fprintf(w, "%d events are sent again\n", n)
}
