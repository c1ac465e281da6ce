package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"bureau/internal/app"
)

type importCmd struct {
	app.Place `embed:""`
	Source    string   `arg:"" help:"What the files are; 'bureau import sources' lists them."`
	Files     []string `arg:"" optional:"" help:"The files; - is standard input, .gz, .bz2 and .zip are read as they are."`
	Check     bool     `help:"Read and report, and write nothing."`
	Partial   bool     `help:"Take in a file that is cut short; nothing is removed."`
	Whole     bool     `help:"The file is the whole list: what it does not hold is gone."`
	Shrink    bool     `name:"accept-shrink" help:"A screening list may lose more than a fifth of its entries."`
	Older     bool     `name:"accept-older" help:"A screening list may be older than the one that is loaded."`
	ValidFrom string   `help:"The day from which a modulus table holds (default: the one in its name, else today)." placeholder:"DATE"`
}

func (importCmd) Help() string {
	return `A second import of the same file changes nothing; an import that was broken
off goes on when the same command is given again. Bad records are counted,
named by line and kept aside.

'bureau import SOURCE --help' shows one record of a source.

Example:
  bureau import companies-house BasicCompanyData-2026-11-01-part1_7.zip
  bureau import gleif --check 20261115-gleif-goldencopy-lei2.xml.zip`
}

func (c importCmd) Run(t *terminal) error {
	if c.Source == "sources" {
		return t.listSources()
	}
	if !slices.ContainsFunc(app.Sources(), func(s app.SourceView) bool { return s.Name == c.Source }) {
		return misuse{fmt.Errorf("there is no source %q; 'bureau import sources' lists them", c.Source)}
	}
	if len(c.Files) == 0 {
		return misuse{fmt.Errorf("name at least one file, or - for standard input")}
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(importMemory(c.Place))
	}
	if _, err := time.Parse(time.DateOnly, c.ValidFrom); err != nil && c.ValidFrom != "" {
		return misuse{fmt.Errorf("--valid-from %s is no day: write it as 2006-01-02", c.ValidFrom)}
	}
	if c.Check {
		return c.run(t, func(o app.ImportOptions) (app.ImportResult, error) {
			return app.CheckImport(t.ctx, c.Place, c.Source, c.Files, t.in, o)
		})
	}
	return t.withNew(app.ForCommand(c.Place), func(a *app.App) error {
		return c.run(t, func(o app.ImportOptions) (app.ImportResult, error) {
			return a.Import(t.ctx, c.Source, c.Files, t.in, o)
		})
	})
}

// run takes the files in, or only looks at them, and says what came of it.
func (c importCmd) run(t *terminal, take func(app.ImportOptions) (app.ImportResult, error)) error {
	line := &progressLine{w: t.err, live: isTerminal(t.err)}
	res, err := take(app.ImportOptions{
		Partial: c.Partial, Whole: c.Whole, AcceptShrink: c.Shrink, AcceptOlder: c.Older, ValidFrom: c.ValidFrom, Progress: line.tell,
	})
	line.end()
	if err != nil && res.Records == 0 {
		return err
	}
	// What was taken in before the trouble is there.
	return errors.Join(t.print(res, func(w io.Writer) { printImport(w, res, c.Check) }), err)
}

// importMemory is where the heap stops growing freely: from there on the
// collector takes away garbage instead of waiting for the heap to double. The
// embedded database keeps its pages in this process too.
func importMemory(p app.Place) int64 {
	if p.Embedded() {
		return 170 << 20
	}
	return 240 << 20
}

func printImport(w io.Writer, r app.ImportResult, check bool) {
	for _, why := range r.Reasons {
		fmt.Fprintln(w, why)
	}
	if r.Terms != "" {
		fmt.Fprintln(w, r.Terms)
	}
	if check {
		fmt.Fprintf(w, "%s: %d kept, %d refused\n", r.Source, r.Records, r.Refused)
		return
	}
	fmt.Fprintf(w, "%s: %d records in %s: %d unchanged, %d %s new, %d changed, %d records gone, %d changes, %d refused\n",
		r.Source, r.Records, r.Took, r.Unchanged, r.New, cmp.Or(r.Of, "companies"), r.Companies-r.New, r.Removed, r.Changes, r.Refused)
	if r.Unknown > 0 {
		fmt.Fprintf(w, "%d records are about companies that no source has named yet; import those first\n", r.Unknown)
	}
	if r.Spared > 0 {
		fmt.Fprintf(w, "%d records that the file does not hold stay: one that was refused may be about them\n", r.Spared)
	}
	if r.Rejects != "" {
		fmt.Fprintf(w, "the refused records are in %s\n", r.Rejects)
	}
}

func (t *terminal) listSources() error {
	list := app.Sources()
	return t.print(list, func(w io.Writer) {
		for _, s := range list {
			kind := "feed"
			if s.Whole {
				kind = "whole list"
			}
			fmt.Fprintf(w, "%-26s %-11s %s\n", s.Name, kind, s.Title)
		}
	})
}

// helpWithSource shows one record of a source, which can be imported as it
// stands: 'bureau import gleif --help'.
func helpWithSource(args []string, w io.Writer) bool {
	if len(args) < 3 || args[0] != "import" || !slices.Contains(args, "--help") {
		return false
	}
	for _, s := range app.Sources() {
		if s.Name != args[1] {
			continue
		}
		kind := "a feed: what a file does not hold stays"
		if s.Whole {
			kind = "a whole list: what a file does not hold is gone"
		}
		fmt.Fprintf(w, "%s: %s\n%s\nLicence: %s\n", s.Name, s.Title, kind, s.Licence)
		if s.Credit != "" {
			fmt.Fprintf(w, "Credit: %s\n", s.Credit)
		}
		fmt.Fprintf(w, "\nExample:\n  bureau import %s FILE\n\nA file with one record:\n\n%s\n", s.Name, strings.TrimRight(s.Sample, "\n"))
		return true
	}
	return false
}
