// Package changelog is the list of what changed for those who use Bureau, made
// from the small files beside it. README.md says what such a file holds.
package changelog

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

//go:embed */*.md
var files embed.FS

// An Entry is one change.
type Entry struct {
	Name    string // of the file, without .md
	Release string // the folder: a number, or "unreleased"
	Kind    string // "add", "update" or "fix"
	Date    string // "2006-01-02"
	Title   string
	Text    []string // paragraphs
}

// Entries are all changes, the newest first. A file that cannot be shown is left
// out and told of in the error; the others are there.
func Entries() ([]Entry, error) { return read(files) }

func read(dir fs.FS) ([]Entry, error) {
	names, err := fs.Glob(dir, "*/*.md")
	if err != nil {
		return nil, err
	}
	var out []Entry
	var bad []error
	for _, name := range names {
		b, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("read the changelog: %w", err)
		}
		e, err := parse(string(b))
		if err != nil {
			bad = append(bad, fmt.Errorf("changelog/%s: %w", name, err))
			continue
		}
		e.Release, e.Name = path.Dir(name), strings.TrimSuffix(path.Base(name), ".md")
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(b.Name, a.Name))
	})
	return out, errors.Join(bad...)
}

func parse(text string) (Entry, error) {
	parts := strings.Split(strings.TrimSpace(text), "\n\n")
	title, ok := strings.CutPrefix(parts[0], "# ")
	if !ok || strings.Contains(title, "\n") {
		return Entry{}, fmt.Errorf("the first line is not a title, such as '# Events by mail'")
	}
	if len(parts) < 3 {
		return Entry{}, fmt.Errorf("there is no text")
	}
	kind, date, _ := strings.Cut(strings.Trim(parts[1], "*"), ", ")
	if !slices.Contains([]string{"add", "update", "fix"}, kind) {
		return Entry{}, fmt.Errorf("%q does not say add, update or fix", parts[1])
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return Entry{}, fmt.Errorf("%q has no day, such as 2026-11-15", parts[1])
	}
	e := Entry{Kind: kind, Date: date, Title: title}
	for _, p := range parts[2:] {
		e.Text = append(e.Text, strings.Join(strings.Fields(p), " "))
	}
	return e, nil
}
