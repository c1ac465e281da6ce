package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"bureau/internal/app"
)

type sandboxCmd struct {
	Advance sandboxAdvanceCmd `cmd:"" help:"Let days pass at once."`
	Change  sandboxChangeCmd  `cmd:"" help:"Change a company."`
}

func (sandboxCmd) Help() string { return "Example:\n  bureau sandbox advance 1d" }

type sandboxAdvanceCmd struct {
	app.Place `embed:""`
	By        string `arg:"" help:"How long: 1d, 2w, 12h."`
}

func (sandboxAdvanceCmd) Help() string { return "Example:\n  bureau sandbox advance 1d" }

func (c sandboxAdvanceCmd) Run(t *terminal) error {
	d, err := parseSpan(c.By)
	if err != nil {
		return misuse{err}
	}
	return t.with(c.Place, func(a *app.App) error {
		now, err := a.AdvanceSandbox(t.ctx, d)
		if err != nil {
			return err
		}
		return t.print(map[string]string{"now": now.Format(time.RFC3339)}, func(w io.Writer) {
			fmt.Fprintf(w, "it is %s in the sandbox\n", now.Format("2006-01-02 15:04"))
		})
	})
}

// parseSpan reads a span of time, days and weeks too.
func parseSpan(s string) (time.Duration, error) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if n, err := strconv.Atoi(strings.TrimSuffix(s, unit)); err == nil && strings.HasSuffix(s, unit) && n > 0 && n < 10_000 {
			return time.Duration(n) * length, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a span of time: write 1d, 2w or 12h", s)
	}
	return d, nil
}

type sandboxChangeCmd struct {
	app.Place `embed:""`
	Company   string   `arg:"" help:"The company's connectId."`
	Fields    []string `arg:"" help:"What to set: field=value."`
}

func (sandboxChangeCmd) Help() string {
	return `Example:
  bureau sandbox change GB-0-99000001 band=D "name=Brimwick Foods Ltd"`
}

func (c sandboxChangeCmd) Run(t *terminal) error {
	for _, f := range c.Fields {
		if !strings.Contains(f, "=") {
			return misuse{fmt.Errorf("%q sets nothing: write field=value", f)}
		}
	}
	return t.with(c.Place, func(a *app.App) error {
		for _, f := range c.Fields {
			field, value, _ := strings.Cut(f, "=")
			if err := a.ChangeSandbox(t.ctx, c.Company, field, value); err != nil {
				return err
			}
		}
		return t.print(map[string]any{"company": c.Company, "changed": c.Fields}, func(w io.Writer) {
			fmt.Fprintf(w, "%s: %s\n", c.Company, strings.Join(c.Fields, ", "))
		})
	})
}
