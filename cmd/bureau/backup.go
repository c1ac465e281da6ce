package main

import (
	"fmt"
	"io"

	"bureau/internal/app"
)

type backupCmd struct {
	app.Place `embed:""`
	File      string `arg:"" help:"The file to write."`
	Force     bool   `help:"Replace a file that is there."`
}

func (backupCmd) Help() string {
	return `The backup holds everything but the key file: keep that elsewhere, since a
backup cannot be served from without it.

A backup is not encrypted: only keys and secrets in it are sealed with the key
file, and names, birth dates and addresses can be read. Keep it encrypted.

Example:
  bureau backup bureau-2026-11-15.backup`
}

func (c backupCmd) Run(t *terminal) error {
	return t.with(c.Place, func(a *app.App) error {
		sum, err := a.Backup(t.ctx, c.File, c.Force, t.progress("saved"))
		if err != nil {
			return err
		}
		return t.print(sum, func(w io.Writer) {
			fmt.Fprintf(w, "%d rows of %d tables are in %s; keep the key file %s apart from it\n", sum.Rows, sum.Tables, c.File, c.KeyPath())
		})
	})
}

type restoreCmd struct {
	app.Place `embed:""`
	File      string `arg:"" help:"The backup."`
}

func (restoreCmd) Help() string {
	return `The database must be empty; a backup of either engine fits the other. Every
row is read back and compared before anything is kept.

Example:
  bureau restore bureau-2026-11-15.backup --db postgres://bureau@db/bureau --key-file bureau.key`
}

func (c restoreCmd) Run(t *terminal) error {
	sum, err := app.Restore(t.ctx, c.Place, c.File, t.progress("restored"))
	if err != nil {
		return err
	}
	return t.print(sum, func(w io.Writer) {
		fmt.Fprintf(w, "%d rows of %d tables restored and checked row by row\n", sum.Rows, sum.Tables)
		if sum.KeyFile != "" {
			fmt.Fprintf(w, "Before you use it: %s\n", sum.KeyFile)
		}
	})
}

// progress prints a line per table to the side, where scripts do not read.
func (t *terminal) progress(did string) func(table string, rows int64) {
	return func(table string, rows int64) { fmt.Fprintf(t.err, "%s: %d rows %s\n", table, rows, did) }
}

type migrateCmd struct {
	app.Place `embed:""`
}

func (migrateCmd) Help() string { return "Example:\n  bureau migrate --db postgres://bureau@db/bureau" }

func (c migrateCmd) Run(t *terminal) error {
	schema, err := app.Migrate(t.ctx, c.Place)
	if err != nil {
		return err
	}
	return t.print(map[string]int64{"schema": schema}, func(w io.Writer) { fmt.Fprintf(w, "the schema is %d, the newest\n", schema) })
}
