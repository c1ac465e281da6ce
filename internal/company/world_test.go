package company_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"bureau/internal/company"
)

// A plain world of four companies, known from the start by number and LEI, and
// files that speak of them in every way a source may. What a file should come
// to is told by an oracle that knows nothing of batches, waiting or
// fingerprints: of each source, company and part the last word holds.

// A world has companies of its own in a shared database.
type world struct{ serial int }

const worldSize = 4

func (w world) number(i int) string { return fmt.Sprintf("%05d%d", w.serial, i) }
func (w world) lei(i int) string    { return fmt.Sprintf("LEI%05d%d", w.serial, i) }
func (w world) id(i int) company.ID { return company.NewID("GB", w.number(i)) }

func (w world) source(n int) string {
	return fmt.Sprintf("%s-%d", []string{"anchor", "one", "two"}[n], w.serial)
}

// anchor is the file that names all companies.
func (w world) anchor() file {
	f := file{source: w.source(0), cuts: []int{worldSize}}
	for i := range worldSize {
		f.list = append(f.list, company.Statement{Country: "GB", Number: w.number(i), Facts: company.Facts{
			Name: fmt.Sprint("Anchor ", i), LEI: w.lei(i),
		}})
	}
	return f
}

// A file is what one import reads.
type file struct {
	source string
	whole  bool
	kind   kind // of a whole list
	list   []company.Statement
	cuts   []int // where its batches end
}

// A kind of list holds everything, or only companies, or only their officers.
type kind int

func (k kind) covers(part string) bool { return k == 0 || (part == "") == (k == 1) }

func (w world) file(r *rapid.T) file {
	f := file{source: w.source(rapid.IntRange(1, 2).Draw(r, "source")), whole: rapid.Bool().Draw(r, "whole")}
	if f.whole {
		f.kind = kind(rapid.IntRange(0, 2).Draw(r, "kind"))
	}
	// A source has one name for a company within a file, but not for ever.
	names := rapid.SliceOfN(rapid.IntRange(0, 3), worldSize, worldSize).Draw(r, "names")
	n := rapid.IntRange(0, 14).Draw(r, "records")
	for range n {
		f.list = append(f.list, w.statement(r, names, f))
	}
	f.cuts = cuts(r, n)
	return f
}

func (w world) statement(r *rapid.T, names []int, f file) company.Statement {
	i := rapid.IntRange(0, worldSize-1).Draw(r, "company")
	var s company.Statement
	switch names[i] {
	case 0:
		s.Country, s.Number = "gb", " "+w.number(i)
	case 1:
		s.Country, s.Number, s.LEI = "GB", w.number(i), w.lei(i)
	case 2:
		s.LEI = w.lei(i)
	case 3:
		s.Country, s.LEI = "GB", w.lei(i)
	}
	s.Part = rapid.SampledFrom([]string{"", "", "a", "b"}).Filter(f.kind.covers).Draw(r, "part")
	if s.Gone = !f.whole && rapid.IntRange(0, 4).Draw(r, "gone") == 0; s.Gone {
		return s
	}
	if s.Part != "" {
		s.Facts.Officers = []company.Officer{{Role: "director", Person: company.Person{
			ID: s.Part, Name: rapid.SampledFrom([]string{"Ann", "Ben"}).Draw(r, "officer"),
		}}}
		return s
	}
	s.Facts.Name = rapid.SampledFrom([]string{"Oak", "OAK", "Elm", "Ash"}).Draw(r, "name")
	s.Facts.Status = rapid.SampledFrom([]company.Status{"", company.Active, company.Pending}).Draw(r, "status")
	return s
}

// cuts divides n records into batches.
func cuts(r *rapid.T, n int) (out []int) {
	for at := 0; at < n; {
		at = min(n, at+rapid.IntRange(1, 5).Draw(r, "batch"))
		out = append(out, at)
	}
	return out
}

// tb is what *testing.T and *rapid.T have in common.
type tb interface {
	Helper()
	Context() context.Context
	Fatalf(format string, args ...any)
}

// read takes a file in.
func (f file) read(t tb, reg *company.Register) (company.RunResult, error) {
	run, err := reg.NewRun(t.Context(), f.source, f.whole, noon)
	if err != nil {
		return company.RunResult{}, err
	}
	defer run.Close()
	if f.whole {
		run.Covers(f.kind.covers)
	}
	from := 0
	for _, to := range f.cuts {
		if err := run.Add(t.Context(), slices.Clone(f.list[from:to])); err != nil {
			return run.Result, err
		}
		from = to
	}
	err = run.Finish(t.Context())
	return run.Result, err
}

func (f file) mustRead(t tb, reg *company.Register) company.RunResult {
	t.Helper()
	res, err := f.read(t, reg)
	if err != nil {
		t.Fatalf("read: %v", err)
	}
	return res
}

// An oracle holds the last word of each source on each part of each company.
type oracle map[word]heard

type word struct {
	company      company.ID
	source, part string
}

type heard struct {
	facts    company.Facts
	byNumber bool // or by its LEI: the name under which the source said it
}

func (o oracle) read(w world, f file) {
	if f.whole {
		maps.DeleteFunc(o, func(k word, _ heard) bool { return k.source == f.source && f.kind.covers(k.part) })
	}
	for _, s := range f.list {
		k := word{w.about(s), f.source, s.Part}
		byNumber := s.Number != ""
		switch {
		case !s.Gone:
			o[k] = heard{s.Facts, byNumber}
		case s.Part == "":
			// The record about the whole company goes with all its parts.
			maps.DeleteFunc(o, func(other word, h heard) bool {
				return other.company == k.company && other.source == k.source && h.byNumber == byNumber
			})
		default:
			delete(o, k)
		}
	}
}

func (w world) about(s company.Statement) company.ID {
	for i := range worldSize {
		if strings.TrimSpace(s.Number) == w.number(i) || s.LEI == w.lei(i) {
			return w.id(i)
		}
	}
	panic("a statement about nobody")
}

// company is a company as the oracle knows it.
func (o oracle) company(id company.ID) company.Company {
	h := company.Held{ID: id}
	for k, said := range o {
		if k.company == id {
			h.Said = append(h.Said, company.Said{Source: k.source, Part: k.part, Facts: said.facts})
		}
	}
	slices.SortFunc(h.Said, func(a, b company.Said) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Part, b.Part))
	})
	return company.Merge(h)
}
