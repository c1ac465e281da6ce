package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"bureau/internal/app"
)

type personCmd struct {
	Report  personReportCmd  `cmd:"" help:"All that is held on somebody, and who looked at it."`
	Correct personCorrectCmd `cmd:"" help:"Correct what is held on somebody."`
	Object  personObjectCmd  `cmd:"" help:"Keep somebody from being shown."`
	Allow   personAllowCmd   `cmd:"" help:"Take an objection back."`
	Note    personNoteCmd    `cmd:"" help:"Add somebody's own statement to every report about them."`
}

func (personCmd) Help() string {
	return `What a person may ask of you. People are named by a country and a number, as
in GB-C1001 or SE-197005317719. What is given here outlives every import.

Example:
  bureau person report GB-C1001`
}

type personReportCmd struct {
	app.Place `embed:""`
	Person    string `arg:"" help:"A country and a number." placeholder:"GB-C1001"`
}

func (personReportCmd) Help() string {
	return `Prints all that is held on somebody: what was loaded, what services show of it,
their rights, their seats on boards, letters, and who looked, when and why. The
reading itself is kept in the audit log.

Example:
  bureau person report GB-C1001
  bureau person report --json SE-197005317719`
}

func (c personReportCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		got, err := a.PersonReport(t.ctx, c.Person)
		if err != nil {
			return err
		}
		return t.print(got, func(w io.Writer) { printPerson(w, got) })
	})
}

func printPerson(w io.Writer, p app.PersonReport) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintf(tw, "person\t%s\n", p.ID)
	fmt.Fprintf(tw, "name\t%s\n", p.Name)
	fmt.Fprintf(tw, "born\t%s\n", p.Born)
	fmt.Fprintf(tw, "shown by services\t%t\n", p.IsShown)
	for _, a := range p.Addresses {
		fmt.Fprintf(tw, "address\t%s\n", a)
	}
	for _, r := range p.Rights {
		fmt.Fprintf(tw, "%s\t%s %s\n", r.Kind, r.At, r.Note)
	}
	for _, b := range p.Boards {
		fmt.Fprintf(tw, "board\t%s\n", b)
	}
	for _, l := range p.Letters {
		fmt.Fprintf(tw, "letter\t%s %s\n", l.At, l.Service)
	}
	for _, l := range p.Looks {
		fmt.Fprintf(tw, "looked\t%s %s: %s\n", l.At, l.Customer, l.What)
	}
}

type personCorrectCmd struct {
	app.Place  `embed:""`
	Person     string `arg:"" help:"A country and a number." placeholder:"GB-C1001"`
	Correction string `arg:"" help:"JSON with the fields that are to be others." placeholder:"JSON"`
	Note       string `help:"The person's own words; they go with every report." placeholder:"TEXT"`
}

func (personCorrectCmd) Help() string {
	return `Every service shows the correction from now on, whatever is imported later.
withoutJudgments and withoutInsolvencies take out cases by their numbers.

Example:
  bureau person correct GB-C1001 '{"birthDate":"1970-06-01","withoutJudgments":["J1"]}' --note 'The judgment is my brother'"'"'s'`
}

func (c personCorrectCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error { return t.done(a.CorrectPerson(t.ctx, c.Person, c.Correction, c.Note)) })
}

type personObjectCmd struct {
	app.Place `embed:""`
	Person    string `arg:"" help:"A country and a number." placeholder:"GB-C1001"`
	Note      string `help:"Why." placeholder:"TEXT"`
}

func (personObjectCmd) Help() string {
	return `No service shows the person from now on, nor what they were told before. It
holds for people too who are loaded later.

Example:
  bureau person object GB-C1001`
}

func (c personObjectCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error { return t.done(a.ObjectPerson(t.ctx, c.Person, c.Note)) })
}

type personAllowCmd struct {
	app.Place `embed:""`
	Person    string `arg:"" help:"A country and a number." placeholder:"GB-C1001"`
}

func (personAllowCmd) Help() string { return "Example:\n  bureau person allow GB-C1001" }

func (c personAllowCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error { return t.done(a.AllowPerson(t.ctx, c.Person)) })
}

type personNoteCmd struct {
	app.Place `embed:""`
	Person    string `arg:"" help:"A country and a number." placeholder:"GB-C1001"`
	Text      string `arg:"" help:"The person's own words." placeholder:"TEXT"`
}

func (personNoteCmd) Help() string {
	return "Example:\n  bureau person note GB-C1001 'The debt was my flatmate'\"'\"'s.'"
}

func (c personNoteCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error { return t.done(a.NotePerson(t.ctx, c.Person, c.Text)) })
}

// done says that something was kept.
func (t *terminal) done(err error) error {
	if err != nil {
		return err
	}
	return t.print(map[string]string{"result": "kept"}, func(w io.Writer) { fmt.Fprintln(w, "kept") })
}
