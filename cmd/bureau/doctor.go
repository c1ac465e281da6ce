package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/internal/app"
)

type doctorCmd struct {
	app.Config `embed:""`
	Quick      bool `help:"Do not read the whole database."`
}

func (doctorCmd) Help() string {
	return `It reads the whole database, also while a server runs, and changes nothing: it
looks for damaged pages, keys and indexes that are missing or others than ours,
gaps in logs, readers ahead of them, rows that belong to nothing, totals that
are wrong, and an audit log that was changed. Before that, and with --quick only,
it looks at the settings, the schema, the wall between customers, the key file,
the certificate, the mail server and the address.

Example:
  bureau doctor --config /etc/bureau.yaml
  bureau doctor --quick`
}

// A settingView is a setting in force.
type settingView struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

func (c doctorCmd) Run(t *terminal) error {
	settings := t.settings()
	findings := app.Examine(t.ctx, c.Config, !c.Quick, func(subject string) { fmt.Fprintln(t.err, "reading:", subject) })
	err := t.print(map[string]any{"version": version, "settings": settings, "findings": findings}, func(w io.Writer) {
		fmt.Fprintf(w, "bureau %s\n\n", version)
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		for _, s := range settings {
			fmt.Fprintf(tw, "%s\t%s\t%s\n", s.Name, s.Value, s.Origin)
		}
		fmt.Fprintln(tw)
		for _, f := range findings {
			fmt.Fprintf(tw, "%s\t%s\t%s\n", f.State, f.Subject, f.Says)
		}
		tw.Flush()
	})
	if err != nil {
		return err
	}
	for _, f := range findings {
		if f.State == "bad" {
			return errors.New("something is wrong: " + f.Subject + ": " + f.Says)
		}
	}
	return nil
}

// settings lists what is in force and where it came from.
func (t *terminal) settings() []settingView {
	var out []settingView
	for _, f := range t.flags {
		if f.Name == "help" || f.Name == "json" || f.Name == "config" || f.Name == "quick" {
			continue
		}
		origin := t.origins[f.Name]
		if origin == "" {
			origin = "default"
		}
		value := fmt.Sprint(f.Target.Interface())
		if f.Name == "db" {
			value = f.Target.String() // a secret, but for its password
		}
		out = append(out, settingView{f.Name, strings.Trim(app.HidePasswords(value), "[]"), origin})
	}
	return out
}
