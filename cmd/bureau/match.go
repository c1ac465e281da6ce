package main

import (
	"errors"
	"fmt"
	"os"

	"bureau/internal/app"
)

type matchCmd struct {
	Pair   matchPairCmd   `cmd:"" help:"Compare pairs of names from standard input."`
	Search matchSearchCmd `cmd:"" help:"Search a file of names for those on standard input."`
}

func (matchCmd) Help() string {
	return `Says how alike names are, or finds names in a file. No database is needed.

Example:
  echo '{"a":"Jon Smith","b":"SMITH, John","kind":"person"}' | bureau match pair
  echo 'Siemens AG' | bureau match search names.txt`
}

type matchPairCmd struct{}

func (matchPairCmd) Help() string {
	return `Each line in is a JSON object with a, b and kind (person or company); dob and
country, if given, are one value for both names or a list of two. Each line out
answers one line in, in order: score, probability, grades and why. A score of
0.75 is worth a person's time, 1 is identity. No database is needed.

Example:
  echo '{"a":"Jon Smith","b":"SMITH, John","kind":"person"}' | bureau match pair`
}

func (matchPairCmd) Run(t *terminal) error {
	bad, err := app.MatchPairs(t.in, t.out)
	return badLines(bad, err)
}

type matchSearchCmd struct {
	File   string `arg:"" help:"The names: one a line, or a JSON object a line with name or names, and id, dob, country."`
	Kind   string `help:"What the names belong to: ${enum}." enum:"person,company" default:"company"`
	Limit  int    `help:"How many hits there are for a name, at most." default:"10"`
	Alerts bool   `help:"Only hits that are worth a person's time: a score of 0.75 or more."`
}

func (matchSearchCmd) Help() string {
	return `Each line of standard input is a name, or a JSON object as in the file. Each line
out answers one line in, in order: the name and its hits, the likeliest first.

Example:
  echo 'Exampel Holdings' | bureau match search companies.txt`
}

func (c matchSearchCmd) Run(t *terminal) error {
	if c.Limit < 1 || c.Limit > 1000 {
		return misuse{fmt.Errorf("--limit %d: it must be between 1 and 1000", c.Limit)}
	}
	kind, _ := app.ParseMatchKind(c.Kind)
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	s := app.MatchSearch{Kind: kind, Limit: c.Limit, Alerts: c.Alerts}
	if err := s.Read(f); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	bad, err := s.Answer(t.in, t.out)
	return badLines(bad, err)
}

// badLines is the error of lines that were answered with an error.
func badLines(bad int, err error) error {
	switch {
	case err != nil || bad == 0:
		return err
	case bad == 1:
		return errors.New("1 line could not be read; its answer says why")
	}
	return fmt.Errorf("%d lines could not be read; their answers say why", bad)
}
