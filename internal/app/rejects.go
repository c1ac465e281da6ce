package app

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
	"bureau/internal/console"
)

// rejectsTime is how the names of files with refused records tell when their
// import began.
const rejectsTime = "20060102T150405"

func (a *App) rejectsFolder() string { return filepath.Join(a.Config.Data, "rejected") }

// newRejects is where an import that began now puts aside what it refuses.
func (a *App) newRejects(source string, began time.Time) *lateFile {
	return &lateFile{path: filepath.Join(a.rejectsFolder(), source+"-"+began.UTC().Format(rejectsTime)+".jsonl")}
}

// Refused returns the first records that an import refused, as far as it ran on
// this machine. One that was broken off and went on has several files.
func (a *App) Refused(i company.Import, limit int) ([]console.Refused, error) {
	files, err := filepath.Glob(filepath.Join(a.rejectsFolder(), "*.jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var out []console.Refused
	for _, f := range files {
		at, ok := strings.CutPrefix(strings.TrimSuffix(filepath.Base(f), ".jsonl"), i.Source+"-")
		began, err := time.Parse(rejectsTime, at)
		if !ok || err != nil || began.Before(i.StartedAt.Add(-time.Second)) || !i.FinishedAt.IsZero() && began.After(i.FinishedAt) {
			continue
		}
		if out, err = readRefused(f, out, limit); err != nil {
			return nil, fmt.Errorf("read refused records: %w", err)
		}
	}
	return out, nil
}

func readRefused(path string, out []console.Refused, limit int) ([]console.Refused, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for len(out) < limit && lines.Scan() {
		var r console.Refused
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			break // the end of a line that is being written
		}
		out = append(out, r)
	}
	return out, lines.Err()
}

// tellEvery is how often an import that goes on says in the database how far it
// has come, for whoever looks at it in the console.
const tellEvery = 3 * time.Second

// telling has an import's progress kept, beside whoever else hears it. That it
// cannot be kept is no reason to stop.
func (a *App) telling(ctx context.Context, job company.Import, also func(Progress)) func(Progress) {
	last := time.Now()
	return func(p Progress) {
		if also != nil {
			also(p)
		}
		if p.Checking || time.Since(last) < tellEvery {
			return
		}
		last = time.Now()
		job.Records, job.Refused = p.Records, p.Refused
		_ = a.DB.FinishImport(ctx, job) // without a time it is not finished
	}
}
