package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/importer"
	"bureau/internal/importer/documents"
	"bureau/internal/pdf"
	"bureau/internal/sandbox"
)

// documentsView is the source of documents as commands show it.
func documentsView() SourceView {
	s := new(documents.Folder).Source()
	return SourceView{s.Name, s.Title, s.URL, s.Whole, s.Licence, s.Credit, s.Sample}
}

// importDocuments takes in folders with a manifest. Each document is kept by
// itself, so that an import that is broken off goes on with those that are left.
func (a *App) importDocuments(ctx context.Context, dirs []string, o ImportOptions) (res ImportResult, err error) {
	began := time.Now()
	res = ImportResult{Source: documents.Name, Of: "documents"}
	if len(dirs) != 1 {
		return res, fault.Invalid.Errorf("name one folder, with a %s in it", strings.Join(documents.Manifests, " or a "))
	}
	root, err := os.OpenRoot(dirs[0])
	if err != nil {
		return res, fmt.Errorf("open the folder: %w", err)
	}
	defer root.Close()
	manifest, err := findManifest(dirs[0])
	if err != nil {
		return res, err
	}
	files, err := importer.Files(manifest, nil)
	if err != nil {
		return res, err
	}
	folder := &documents.Folder{Root: root}
	if a.DB != nil {
		folder.Known = func(id company.ID) (bool, error) {
			known, err := a.DB.Known(ctx, []company.ID{id})
			return known[id], err
		}
	}
	src := folder.Source()
	src.Whole = o.Whole
	options := importer.Options{Check: o.Check, Partial: o.Partial, Progress: o.Progress, Now: time.Now}
	if o.Check {
		report, err := importer.Run(ctx, src, files, nil, options)
		res.Records, res.Refused, res.Reasons, res.Took = report.Records, report.Refused, report.First, took(began)
		return res, err
	}
	rejects := a.newRejects(src.Name, began)
	defer func() { err = errors.Join(err, rejects.Close()) }()
	options.Rejects = rejects
	mark, err := markOf([]string{manifest})
	if err != nil {
		return res, err
	}
	job, err := a.DB.BeginImport(ctx, company.Import{
		Source: src.Name, File: filepath.Base(dirs[0]), Mark: mark, StartedAt: began.UTC().Truncate(time.Millisecond),
	})
	if err != nil {
		return res, err
	}
	sink := &documentSink{store: a.DB, turn: job.ID, whole: o.Whole && !o.Partial, res: &res}
	report, err := importer.Run(ctx, src, files, sink, options)
	res.Records, res.Refused, res.Reasons = report.Records, report.Refused, report.First
	res.Took, res.Rejects = took(began), rejects.written()
	if err != nil {
		return res, err // not finished: the same command goes on
	}
	job.Records, job.Refused, job.Unchanged = report.Records, report.Refused, res.Unchanged
	job.Changed, job.Removed, job.FinishedAt = res.Companies, res.Removed, time.Now()
	return res, a.DB.FinishImport(ctx, job)
}

func findManifest(dir string) (string, error) {
	for _, name := range documents.Manifests {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fault.Invalid.Errorf("%s holds no %s", dir, strings.Join(documents.Manifests, " and no "))
}

// A documentSink keeps documents.
type documentSink struct {
	store company.DocumentStore
	turn  int64
	whole bool
	res   *ImportResult
}

// Add implements importer.Sink.
func (s *documentSink) Add(ctx context.Context, items []documents.Item) error {
	for i := range items {
		if err := s.put(ctx, &items[i]); err != nil {
			return fmt.Errorf("%s: %w", items[i].File, err)
		}
	}
	return nil
}

func (s *documentSink) put(ctx context.Context, item *documents.Item) error {
	in, err := item.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	same, fresh, err := s.store.PutDocument(ctx, item.Document, io.LimitReader(in, company.MaxDocument), s.turn)
	switch {
	case err != nil:
		return err
	case same:
		s.res.Unchanged++
		return nil
	case fresh:
		s.res.New++
	}
	s.res.Companies++
	return nil
}

// Finish implements importer.Sink.
func (s *documentSink) Finish(ctx context.Context) (err error) {
	if s.whole {
		s.res.Removed, err = s.store.DropDocuments(ctx, documents.Name, s.turn)
	}
	return err
}

// fillDocuments gives some companies of the sandbox documents.
func (a *App) fillDocuments(ctx context.Context, w sandbox.World) error {
	fonts, err := pdf.LoadFonts("")
	if err != nil {
		return err
	}
	fill := sandbox.DocumentFill{World: w, Store: a.DB, Print: func(title string, lines []string) ([]byte, error) {
		p := fonts.New(pdf.Head{Title: title, Source: "sandbox", Page: "%s / %s", Language: "en", Made: sandbox.Birthday})
		p.Title(title, "")
		for _, line := range lines {
			p.Text(line)
		}
		return p.Bytes()
	}}
	if err := fill.Fill(ctx); err != nil {
		return fmt.Errorf("fill the sandbox's documents: %w", err)
	}
	return nil
}
