package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"bureau/internal/app"
)

type kycCmd struct {
	Replay kycReplayCmd `cmd:"" help:"Ask a search again, of the lists as they were."`
	Purge  kycPurgeCmd  `cmd:"" help:"Remove whom a search is about, and show that nothing is left."`
}

func (kycCmd) Help() string {
	return `Example:
  bureau kyc replay 3f2b6a52-9d0e-4c3c-8a44-0d2b6f4e9c11`
}

type kycReplayCmd struct {
	app.Place `embed:""`
	Search    string `arg:"" help:"The id of a search." placeholder:"ID"`
}

func (kycReplayCmd) Help() string {
	return `Asks a search again, of the versions of the lists that it was answered from, and
holds every hit and every number in it against what was kept. It ends with 1 if
something is otherwise. A search that another version of the engine answered is
told as such, and not imitated.

Example:
  bureau kyc replay 3f2b6a52-9d0e-4c3c-8a44-0d2b6f4e9c11`
}

func (c kycReplayCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		got, err := a.ReplaySearch(t.ctx, c.Search)
		if err != nil {
			return err
		}
		err = t.print(got, func(w io.Writer) {
			fmt.Fprintf(w, "search %s of customer %d: %s, engine %s\n", got.Search, got.Customer, hitCount(got.Hits), got.Engine)
			for _, l := range got.Lists {
				fmt.Fprintf(w, "list %s\n", l)
			}
			for _, d := range got.Differs {
				fmt.Fprintf(w, "differs: %s\n", d)
			}
			if got.Same {
				fmt.Fprintln(w, "the same hits with the same scores")
			}
		})
		if err == nil && !got.Same {
			err = errors.New("the answer is not the one that was kept")
		}
		return err
	})
}

type kycPurgeCmd struct {
	app.Place `embed:""`
	Search    string `arg:"" help:"The id of a search." placeholder:"ID"`
	Yes       bool   `help:"Do it: what is purged is gone."`
}

func (kycPurgeCmd) Help() string {
	return `Removes whom a search is about: every search of that customer for the same name,
with hits, decisions, schedules and rows of files, reports that may name them,
and the key by which the audit log names them. The log stays whole, and nobody
can tell any more whom it speaks of. What is left is counted afterwards, and the
log is verified. Profiles are files of their own and stay.

Example:
  bureau kyc purge 3f2b6a52-9d0e-4c3c-8a44-0d2b6f4e9c11 --yes`
}

func (c kycPurgeCmd) Run(t *terminal) error {
	if !c.Yes {
		return misuse{errors.New("what is purged is gone: say --yes")}
	}
	return t.with(c.Place, func(a *app.App) error {
		got, err := a.PurgeSubject(t.ctx, c.Search)
		if err != nil {
			return err
		}
		err = t.print(got, func(w io.Writer) { printPurge(w, got) })
		switch {
		case err != nil:
			return err
		case len(got.Left) > 0:
			return errors.New("something is left")
		case got.Broken != "":
			return fmt.Errorf("the audit log is not whole: %s", got.Broken)
		}
		return nil
	})
}

func printPurge(w io.Writer, p app.PurgeView) {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer tw.Flush()
	fmt.Fprintf(tw, "searches removed\t%d\n", p.Searches)
	for _, table := range slices.Sorted(maps.Keys(p.Removed)) {
		fmt.Fprintf(tw, "removed from %s\t%d\n", table, p.Removed[table])
	}
	for _, table := range slices.Sorted(maps.Keys(p.Left)) {
		fmt.Fprintf(tw, "left in %s\t%d\n", table, p.Left[table])
	}
	if len(p.Left) == 0 {
		fmt.Fprintf(tw, "left\t0\n")
	}
	fmt.Fprintf(tw, "profiles that were linked, and stay\t%d\n", p.Profiles)
	fmt.Fprintf(tw, "audit entries about nobody now\t%d\n", p.Audited)
	fmt.Fprintf(tw, "audit entries verified\t%d\n", p.Chain)
}
