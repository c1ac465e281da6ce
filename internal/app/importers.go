package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/importer"
	"bureau/internal/importer/bods"
	"bureau/internal/importer/brreg"
	"bureau/internal/importer/companieshouse"
	"bureau/internal/importer/gleif"
	"bureau/internal/importer/lines"
	"bureau/internal/importer/offeneregister"
	"bureau/internal/importer/scores"
	"bureau/internal/importer/sec"
	"bureau/internal/importer/sirene"
)

// registers are the sources of companies and people that we can read. To add
// one, write its Source and put it here.
var registers = []importer.Source[company.Statement]{
	gleif.LEI, gleif.Relationships,
	companieshouse.Companies, companieshouse.Officers, companieshouse.PSC, companieshouse.Accounts,
	sirene.Source, brreg.Source, offeneregister.Source, sec.Source, bods.Source, lines.Source, scores.Source,
}

// Progress is how far an import has come.
type Progress = importer.Progress

// ImportOptions say how a file is taken in.
type ImportOptions struct {
	Check    bool
	Partial  bool
	Whole    bool // the file is the whole list, though the source is a feed
	Progress func(Progress)

	AcceptShrink bool   // a screening list may lose more than a fifth
	AcceptOlder  bool   // and become older
	From         string // the address that the file was fetched from

	ValidFrom string // the day from which a modulus table holds; empty if the file names it
}

// An ImportResult is what came of it.
type ImportResult struct {
	Source    string   `json:"source"`
	Of        string   `json:"of,omitempty"` // what the records are, if not companies
	Records   int64    `json:"records"`
	Refused   int64    `json:"refused"`
	Unchanged int64    `json:"unchanged"`
	Companies int64    `json:"companies"`
	New       int64    `json:"new"`
	Removed   int64    `json:"removed"`
	Spared    int64    `json:"spared,omitempty"` // that a refused record may be about
	Unknown   int64    `json:"unknown"`
	Changes   int64    `json:"changes"`
	Rejects   string   `json:"rejects,omitempty"`
	Reasons   []string `json:"reasons,omitempty"`
	Terms     string   `json:"terms,omitempty"` // what the publisher asks of who uses it
	Took      string   `json:"took"`
}

// A SourceView is a source as commands show it.
type SourceView struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	URL     string `json:"url,omitempty"`
	Whole   bool   `json:"whole"`
	Licence string `json:"licence"`
	Credit  string `json:"credit,omitempty"`
	Sample  string `json:"sample"`
}

// Sources lists what can be imported.
func Sources() []SourceView {
	var out []SourceView
	for _, s := range registers {
		out = append(out, SourceView{s.Name, s.Title, s.URL, s.Whole, s.Licence, s.Credit, s.Sample})
	}
	for _, s := range lists {
		out = append(out, SourceView{s.Name, s.Title, s.URL, s.Whole, s.Licence, s.Credit, s.Sample})
	}
	for _, s := range slices.Concat(bankSources, peopleSources) {
		out = append(out, s.SourceView)
	}
	return append(out, documentsView())
}

// Import takes files of a source into the register.
func (a *App) Import(ctx context.Context, source string, paths []string, stdin io.Reader, o ImportOptions) (ImportResult, error) {
	if source == documentsView().Name {
		return a.importDocuments(ctx, paths, o)
	}
	for _, s := range registers {
		if s.Name == source {
			return a.importRegister(ctx, s, paths, stdin, o)
		}
	}
	for _, s := range lists {
		if s.Name == source {
			return a.importList(ctx, s, paths, stdin, o)
		}
	}
	for _, s := range slices.Concat(bankSources, peopleSources) {
		if s.Name == source {
			return s.run(ctx, a, paths, stdin, o)
		}
	}
	var names []string
	for _, s := range Sources() {
		names = append(names, s.Name)
	}
	return ImportResult{}, fmt.Errorf("there is no source %q; the sources are %s", source, strings.Join(names, ", "))
}

func (a *App) importRegister(ctx context.Context, s importer.Source[company.Statement], paths []string, stdin io.Reader, o ImportOptions) (res ImportResult, err error) {
	began := time.Now()
	s.Whole = s.Whole || o.Whole
	res.Source = s.Name
	if s.Whole && !o.Partial {
		if err := importer.CheckParts(paths); err != nil {
			return res, err
		}
	}
	files, forget, err := a.openFiles(paths, stdin)
	if err != nil {
		return res, err
	}
	defer forget()
	var covers func(part string) bool
	if s.Whole {
		if covers, err = importer.Covers(s, files); err != nil {
			return res, err
		}
		if covers == nil && o.Whole {
			return res, fmt.Errorf("%s is not the whole list of anything: leave --whole out", filepath.Base(paths[0]))
		}
		s.Whole = covers != nil
	}
	rejects := a.newRejects(s.Name, began)
	defer func() { err = errors.Join(err, rejects.Close()) }()
	options := importer.Options{Check: o.Check, Partial: o.Partial, Progress: o.Progress, Now: time.Now}
	if o.Check {
		report, err := importer.Run(ctx, s, files, nil, options)
		res.Records, res.Refused, res.Reasons = report.Records, report.Refused, report.First
		res.Took = took(began)
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
	options.Progress = a.telling(ctx, job, o.Progress)
	whole := s.Whole && !o.Partial
	run, err := a.Register.NewRun(ctx, s.Name, whole, job.StartedAt)
	if err != nil {
		return res, err
	}
	defer run.Close()
	if whole {
		run.Covers(covers)
	}
	if s.About {
		run.OnlyKnown()
	}
	report, err := importer.Run(ctx, s, files, run, options)
	res.Records, res.Refused, res.Reasons = report.Records, report.Refused, report.First
	run.Close() // what is under way is counted too
	got := run.Result
	res.Unchanged, res.Companies, res.New, res.Removed, res.Changes, res.Unknown = got.Unchanged, got.Companies, got.New, got.Removed, got.Changes, got.Unknown
	res.Spared = got.Spared
	res.Took, res.Rejects = took(began), rejects.written()
	if err != nil {
		return res, err // not finished: the same command goes on
	}
	job.Records, job.Refused, job.Unchanged = report.Records, report.Refused, got.Unchanged
	job.Changed, job.Changes, job.Removed = got.Companies, got.Changes, got.Removed
	job.FinishedAt = time.Now()
	return res, a.DB.FinishImport(ctx, job)
}

func took(since time.Time) string { return time.Since(since).Round(time.Millisecond).String() }

// openFiles finds what there is to read. Standard input is put in a file first,
// since it must be known to be whole before it is taken in.
func (a *App) openFiles(paths []string, stdin io.Reader) (files []importer.File, forget func(), err error) {
	forget = func() {}
	for _, p := range paths {
		given := p
		if p == "-" {
			f, err := os.CreateTemp("", "bureau-import-*")
			if err != nil {
				return nil, forget, fmt.Errorf("keep standard input: %w", err)
			}
			forget = func() { os.Remove(f.Name()) }
			_, err = io.Copy(f, stdin)
			if err := errors.Join(err, f.Close()); err != nil {
				return nil, forget, fmt.Errorf("keep standard input: %w", err)
			}
			p = f.Name()
		}
		more, err := importer.Files(p, nil)
		if err != nil {
			return nil, forget, fmt.Errorf("open %s: %w", given, err)
		}
		if given == "-" && len(more) == 1 {
			more[0].Name = "standard input"
		}
		files = append(files, more...)
	}
	return files, forget, nil
}

// markOf tells a file from another one: by its size and its first bytes, which
// in every format hold a date or a first record.
func markOf(paths []string) (string, error) {
	h := sha256.New()
	for _, p := range paths {
		if p == "-" {
			fmt.Fprintf(h, "stdin %d", time.Now().UnixNano()) // never the same again
			continue
		}
		f, err := os.Open(p)
		if err != nil {
			return "", err
		}
		info, err := f.Stat()
		if err == nil {
			fmt.Fprintf(h, "%d ", info.Size())
			_, err = io.CopyN(h, f, 1<<16)
		}
		f.Close()
		if err != nil && err != io.EOF {
			return "", fmt.Errorf("read %s: %w", p, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// A lateFile is made when the first byte is written to it.
type lateFile struct {
	path string
	f    *os.File
}

func (l *lateFile) Write(b []byte) (int, error) {
	if l.f == nil {
		if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
			return 0, err
		}
		f, err := os.OpenFile(l.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return 0, err
		}
		l.f = f
	}
	return l.f.Write(b)
}

func (l *lateFile) Close() error {
	if l.f == nil {
		return nil
	}
	return l.f.Close()
}

func (l *lateFile) written() string {
	if l.f == nil {
		return ""
	}
	return l.path
}
