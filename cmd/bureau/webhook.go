package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"bureau/client"
)

type webhookCmd struct {
	Add        webhookAddCmd        `cmd:"" help:"Have events posted to an address."`
	List       webhookListCmd       `cmd:"" help:"Your webhooks."`
	Show       webhookShowCmd       `cmd:"" help:"One webhook."`
	Edit       webhookEditCmd       `cmd:"" help:"Another address, other filters; switch off or on."`
	Remove     webhookRemoveCmd     `cmd:"" help:"Take a webhook away."`
	Rotate     webhookRotateCmd     `cmd:"" help:"A new secret; the old one signs for a while."`
	Test       webhookTestCmd       `cmd:"" help:"Send a test now."`
	Deliveries webhookDeliveriesCmd `cmd:"" help:"What was delivered, and how it went."`
	Replay     webhookReplayCmd     `cmd:"" help:"Send events again."`
}

func (webhookCmd) Help() string {
	return `Have events posted to you, through the API. docs/webhooks.md says what a receiver does.

Example:
  bureau webhook add https://example.com/hooks
  bureau webhook deliveries 7 --state dead
  bureau webhook replay 7 --dead`
}

// oneWebhook is a command about one webhook.
type oneWebhook struct {
	remote `embed:""`
	ID     int64 `arg:"" help:"The webhook's number."`
}

type webhookAddCmd struct {
	remote    `embed:""`
	Address   string  `arg:"" help:"Where to post: https, on the Internet."`
	Portfolio []int64 `help:"Only events in this portfolio." placeholder:"ID"`
	Rule      []int   `help:"Only events of this rule." placeholder:"CODE"`
}

func (webhookAddCmd) Help() string {
	return `The address is challenged first: it must answer our POST with 2xx and, on the
Internet, the text of "challenge" in the body. The secret is printed once.

Example:
  bureau webhook add https://example.com/hooks --rule 101 --rule 102`
}

func (c webhookAddCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	h, err := api.CreateWebhook(t.ctx, client.NewWebhook{URL: c.Address, PortfolioIDs: c.Portfolio, RuleCodes: c.Rule})
	if err != nil {
		return err
	}
	return t.print(h, func(w io.Writer) {
		printWebhook(w, &h)
		printSecret(w, &h)
	})
}

type webhookListCmd struct {
	remote `embed:""`
}

func (webhookListCmd) Help() string { return "Example:\n  bureau webhook list" }

func (c webhookListCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	list, err := api.Webhooks(t.ctx)
	if err != nil {
		return err
	}
	return t.print(list, func(w io.Writer) {
		if len(list) == 0 {
			fmt.Fprintln(w, "no webhooks yet")
			return
		}
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		defer tw.Flush()
		fmt.Fprintln(tw, "WEBHOOK\tSTATE\tADDRESS")
		for i := range list {
			fmt.Fprintf(tw, "%d\t%s\t%s\n", list[i].ID, webhookState(&list[i]), list[i].URL)
		}
	})
}

type webhookShowCmd struct{ oneWebhook }

func (webhookShowCmd) Help() string { return "Example:\n  bureau webhook show 7" }

func (c webhookShowCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	h, err := api.Webhook(t.ctx, c.ID)
	if err != nil {
		return err
	}
	return t.print(h, func(w io.Writer) { printWebhook(w, &h) })
}

type webhookEditCmd struct {
	oneWebhook
	Address   string  `help:"Another address, which is challenged." placeholder:"URL"`
	Portfolio []int64 `help:"Only events in this portfolio; 0 for all." placeholder:"ID"`
	Rule      []int   `help:"Only events of this rule; 0 for all." placeholder:"CODE"`
	Off       bool    `help:"Send nothing to it."`
	On        bool    `help:"Send to it again."`
}

func (webhookEditCmd) Help() string {
	return "Example:\n  bureau webhook edit 7 --off\n  bureau webhook edit 7 --address https://example.com/hooks2 --rule 0"
}

func (c webhookEditCmd) Run(t *terminal) error {
	if c.On && c.Off {
		return misuse{errors.New("--on and --off do not go together")}
	}
	api, err := c.client()
	if err != nil {
		return err
	}
	var e client.WebhookEdit
	if c.Address != "" {
		e.URL = &c.Address
	}
	if len(c.Portfolio) > 0 {
		e.PortfolioIDs = allForZero(c.Portfolio)
	}
	if len(c.Rule) > 0 {
		e.RuleCodes = allForZero(c.Rule)
	}
	if c.On || c.Off {
		e.Disabled = &c.Off
	}
	if e == (client.WebhookEdit{}) {
		return misuse{errors.New("say what to change")}
	}
	h, err := api.EditWebhook(t.ctx, c.ID, e)
	if err != nil {
		return err
	}
	return t.print(h, func(w io.Writer) { printWebhook(w, &h) })
}

// allForZero is a filter as it was written: a 0 stands for all.
func allForZero[T int | int64](list []T) *[]T {
	for _, n := range list {
		if n == 0 {
			return &[]T{}
		}
	}
	return &list
}

type webhookRemoveCmd struct{ oneWebhook }

func (webhookRemoveCmd) Help() string { return "Example:\n  bureau webhook remove 7" }

func (c webhookRemoveCmd) Run(t *terminal) error {
	api, err := c.client()
	if err != nil {
		return err
	}
	if err := api.DeleteWebhook(t.ctx, c.ID); err != nil {
		return err
	}
	return t.print(map[string]int64{"removed": c.ID}, func(w io.Writer) { fmt.Fprintf(w, "removed webhook %d\n", c.ID) })
}

func webhookState(h *client.Webhook) string {
	if h.Disabled {
		return "off"
	}
	return "on"
}

func printWebhook(w io.Writer, h *client.Webhook) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintf(tw, "webhook\t%d\n", h.ID)
	fmt.Fprintf(tw, "address\t%s\n", h.URL)
	state := webhookState(h)
	if h.DisabledReason != "" {
		state += " (" + h.DisabledReason + ")"
	}
	fmt.Fprintf(tw, "state\t%s\n", state)
	fmt.Fprintf(tw, "portfolios\t%s\n", numbersOrAll(h.PortfolioIDs))
	fmt.Fprintf(tw, "rules\t%s\n", numbersOrAll(h.RuleCodes))
	for _, k := range h.PublicKeys {
		until := ""
		if !k.Until.IsZero() {
			until = ", until " + k.Until.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(tw, "public key\t%s%s\n", k.Key, until)
	}
}

func printSecret(w io.Writer, h *client.Webhook) {
	fmt.Fprintf(w, "\nThe secret, which is not shown again:\n%s\n", h.Secret)
}

func numbersOrAll[T int | int64](list []T) string {
	if len(list) == 0 {
		return "all"
	}
	var out []string
	for _, n := range list {
		out = append(out, strconv.FormatInt(int64(n), 10))
	}
	return strings.Join(out, ", ")
}
