package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"bureau/client"
)

type screenCmd struct {
	Person   screenPersonCmd   `cmd:"" help:"A person, or a file of them."`
	Business screenBusinessCmd `cmd:"" help:"A business or a ship, or a file of them."`
}

func (screenCmd) Help() string {
	return "Example:\n  bureau screen person 'Ada Hollbrook' --born 1970-05-31\n  bureau screen business --file suppliers.csv > screened.csv"
}

// screenFlags are what both kinds are asked with.
type screenFlags struct {
	Country   []string `help:"A country's two letters." placeholder:"CC"`
	Threshold int      `help:"How near a name must be, 50 to 100." default:"75"`
	Dataset   []string `help:"What to look for, such as SAN or PEP; without one, everything." placeholder:"NAME"`
	File      string   `help:"Subjects in a CSV, - for standard input, answered line by line on standard output." placeholder:"FILE"`
}

func (f screenFlags) question(name string) client.ScreeningQuestion {
	return client.ScreeningQuestion{Name: name, CountryCodes: f.Country, Threshold: f.Threshold, Datasets: f.Dataset}
}

const screenFileHelp = `
A file has a line that names its columns: name, firstName, middleName, lastName,
dateOfBirth, gender, country; others are carried along. Each line comes back with the
columns hits, best, searchId and warnings added. A line that is refused ends with exit
status 1 once all are done; a line with hits does not.
`

type screenPersonCmd struct {
	remote      `embed:""`
	screenFlags `embed:""`
	Name        string `arg:"" optional:"" help:"The whole name, in any order."`
	Born        string `help:"Date of birth: a day or a year." placeholder:"2006-01-31"`
	Gender      string `help:"female or male." placeholder:"GENDER"`
}

func (screenPersonCmd) Help() string {
	return `Screens a person through the API and keeps the search. A hit ends with exit status 1.
` + screenFileHelp + `
Example:
  bureau screen person 'Ada Hollbrook' --born 1970-05-31 --country GB
  bureau screen person --file people.csv > screened.csv`
}

func (c screenPersonCmd) Run(t *terminal) error {
	q := c.question(c.Name)
	q.DateOfBirth, q.Gender = c.Born, c.Gender
	return t.screen(c.remote, client.Individuals, q, c.File)
}

type screenBusinessCmd struct {
	remote      `embed:""`
	screenFlags `embed:""`
	Name        string `arg:"" optional:"" help:"The name."`
}

func (screenBusinessCmd) Help() string {
	return `Screens a business or a ship through the API and keeps the search. A hit ends with exit
status 1.
` + screenFileHelp + `
Example:
  bureau screen business 'Example Shipping Ltd' --country GB
  bureau screen business --file suppliers.csv > screened.csv`
}

func (c screenBusinessCmd) Run(t *terminal) error {
	return t.screen(c.remote, client.Businesses, c.question(c.Name), c.File)
}

// errHits ends a command that found somebody.
var errHits = errors.New("there are hits that nobody has decided about")

func (t *terminal) screen(r remote, kind client.SubjectKind, q client.ScreeningQuestion, file string) error {
	if (q.Name == "") == (file == "") {
		return misuse{fmt.Errorf("give a name, or a file with --file")}
	}
	api, err := r.client()
	if err != nil {
		return err
	}
	if file != "" {
		return t.screenFile(api, kind, q, file)
	}
	search, err := api.Screen(t.ctx, kind, q, client.NewKey())
	if err != nil {
		return err
	}
	hits := []client.ScreeningHit{}
	for h, err := range api.ScreeningHits(t.ctx, kind, search.ID) {
		if err != nil {
			return err
		}
		hits = append(hits, h)
	}
	err = t.print(struct {
		Search client.Screening      `json:"search"`
		Hits   []client.ScreeningHit `json:"hits"`
	}{search, hits}, func(w io.Writer) {
		fmt.Fprintf(w, "search %s: %s, %d undecided\n", search.ID, hitCount(search.TotalHitCount), search.UndecidedHitsCount)
		for _, warning := range search.Coverage.Warnings {
			fmt.Fprintf(w, "  note: %s\n", warning)
		}
		tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
		for _, h := range hits {
			fmt.Fprintf(tw, "  %d\t%s\t%s\t%s\t%s\n", h.HitScore, h.Name, strings.Join(h.DatesOfBirth, ", "), strings.Join(h.Datasets, ", "), h.Decision)
		}
		tw.Flush()
	})
	if err == nil && search.UndecidedHitsCount > 0 {
		return errHits
	}
	return err
}

// hitCount is a number of hits in words.
func hitCount(n int) string {
	if n == 1 {
		return "1 hit"
	}
	return fmt.Sprintf("%d hits", n)
}
