package app

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/bis"
	"bureau/internal/importer/canada"
	"bureau/internal/importer/eu"
	"bureau/internal/importer/ofac"
	"bureau/internal/importer/opensanctions"
	"bureau/internal/importer/seco"
	"bureau/internal/importer/uk"
	"bureau/internal/importer/un"
	"bureau/internal/importer/watchlist"
	"bureau/internal/kyc"
)

// lists are the sources of screening lists that we can read. To add one, write
// its Source and put it here.
var lists = []importer.Source[kyc.Record]{
	ofac.Source, un.Source, eu.Source, uk.Source, seco.Source, canada.Source, bis.Source, opensanctions.Source, watchlist.Source,
}

// importList takes files of a source into the screening lists. A list changes at
// the end, at once, or not at all; so an import that was broken off simply
// begins again.
func (a *App) importList(ctx context.Context, s importer.Source[kyc.Record], paths []string, stdin io.Reader, o ImportOptions) (res ImportResult, err error) {
	began := time.Now()
	res = ImportResult{Source: s.Name, Of: "entries", Terms: s.Terms}
	s.Whole = s.Whole || o.Whole
	files, forget, err := a.openFiles(paths, stdin)
	if err != nil {
		return res, err
	}
	defer forget()
	if s.Whole {
		covers, err := importer.Covers(s, files)
		if err != nil {
			return res, err
		}
		s.Whole = covers != nil
	}
	rejects := a.newRejects(s.Name, began)
	defer func() { err = errors.Join(err, rejects.Close()) }()
	options := importer.Options{Check: o.Check, Partial: o.Partial, Progress: o.Progress, Now: time.Now}
	if o.Check {
		report, err := importer.Run(ctx, s, files, nil, options)
		res.Records, res.Refused, res.Reasons, res.Took = report.Records, report.Refused, report.First, took(began)
		return res, err
	}
	options.Rejects = rejects
	mark, err := markOf(paths)
	if err != nil {
		return res, err
	}
	job, err := a.DB.BeginImport(ctx, company.Import{
		Source: s.Name, File: filepath.Base(paths[0]), Mark: mark, StartedAt: began.UTC().Truncate(time.Millisecond),
	})
	if err != nil {
		return res, err
	}
	intake := &kyc.Intake{
		Store: a.DB, File: cmp.Or(o.From, filepath.Base(paths[0])), Whole: s.Whole && !o.Partial, Only: s.Only, AcceptShrink: o.AcceptShrink, AcceptOlder: o.AcceptOlder, Now: time.Now,
	}
	report, err := importer.Run(ctx, s, files, intake, options)
	res.Records, res.Refused, res.Reasons, res.Took = report.Records, report.Refused, report.First, took(began)
	res.Rejects = rejects.written()
	if err != nil {
		intake.Drop(ctx)
		job.Error, job.FinishedAt = err.Error(), time.Now()
		return res, errors.Join(err, a.DB.FinishImport(context.WithoutCancel(ctx), job))
	}
	got := intake.Result
	res.Unchanged, res.New, res.Companies, res.Removed = got.Unchanged, got.New, got.New+got.Changed, got.Removed
	res.Changes = got.New + got.Changed + got.Removed
	job.Records, job.Refused, job.Unchanged = report.Records, report.Refused, got.Unchanged
	job.Changed, job.Changes, job.Removed, job.FinishedAt = got.New+got.Changed, res.Changes, got.Removed, time.Now()
	return res, a.DB.FinishImport(ctx, job)
}
