package main

import (
	"fmt"
	"io"
	"strings"

	"bureau/internal/app"
)

type registerCmd struct {
	Correct  registerCorrectCmd  `cmd:"" help:"Say something about a company that no import takes away."`
	Suppress registerSuppressCmd `cmd:"" help:"Keep a field of a company from being shown."`
	Forget   registerForgetCmd   `cmd:"" help:"Take back all corrections and suppressions of a company."`
}

func (registerCmd) Help() string {
	return "Example:\n  bureau register suppress GB-0-03836192 officers"
}

type registerCorrectCmd struct {
	app.Place `embed:""`
	Company   string   `arg:"" help:"The company's connectId."`
	Fields    []string `arg:"" help:"What to say: field=value."`
}

func (registerCorrectCmd) Help() string {
	return `Example:
  bureau register correct GB-0-03836192 "name=Brimwick Foods Ltd" status=Active`
}

func (c registerCorrectCmd) Run(t *terminal) error {
	for _, f := range c.Fields {
		if !strings.Contains(f, "=") {
			return misuse{fmt.Errorf("%q says nothing: write field=value", f)}
		}
	}
	return t.with(c.Place, func(a *app.App) (err error) {
		name := ""
		for _, f := range c.Fields {
			field, value, _ := strings.Cut(f, "=")
			if name, err = a.CorrectCompany(t.ctx, c.Company, field, value); err != nil {
				return err
			}
		}
		return t.corrected(c.Company, name)
	})
}

type registerSuppressCmd struct {
	app.Place `embed:""`
	Company   string `arg:"" help:"The company's connectId."`
	Field     string `arg:"" help:"The field, such as officers or addresses."`
	Show      bool   `help:"Show it again."`
}

func (registerSuppressCmd) Help() string {
	return `Example:
  bureau register suppress GB-0-03836192 officers`
}

func (c registerSuppressCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		name, err := a.SuppressField(t.ctx, c.Company, c.Field, c.Show)
		if err != nil {
			return err
		}
		return t.corrected(c.Company, name)
	})
}

type registerForgetCmd struct {
	app.Place `embed:""`
	Company   string `arg:"" help:"The company's connectId."`
}

func (registerForgetCmd) Help() string {
	return "Example:\n  bureau register forget GB-0-03836192"
}

func (c registerForgetCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		name, err := a.ForgetCorrections(t.ctx, c.Company)
		if err != nil {
			return err
		}
		return t.corrected(c.Company, name)
	})
}

func (t *terminal) corrected(id, name string) error {
	return t.print(map[string]string{"company": id, "name": name}, func(w io.Writer) { fmt.Fprintf(w, "%s: %s\n", id, name) })
}
