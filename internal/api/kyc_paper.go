package api

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/kyc"
	"bureau/internal/pdf"
)

// KYCPaper is a search on paper as the caller's company sees it, for who does not
// come by a call.
func (s *Server) KYCPaper(by auth.Caller, d kyc.Dossier) ([]byte, error) {
	return s.kycPaper(d, s.namesOf(by), s.Gate.Now())
}

// kycPaper is a search as a compliance officer files it.
func (s *Server) kycPaper(d kyc.Dossier, who names, made time.Time) ([]byte, error) {
	search := toIndividualSearchJSON(kycShown{Search: d.Search}, who)
	p := s.Fonts.New(pdf.Head{
		Title: "Screening", ID: search.ID, Date: made.UTC().Format(time.DateOnly), Source: "Bureau", Page: "Page %s of %s", Language: "en", Made: made,
		Romanised: "Some names were written in Latin letters.",
	})
	kind := "Business"
	if d.Search.Subject.Person {
		kind = "Individual"
	}
	p.Title(search.Name, kind)
	p.Facts([]pdf.Fact{
		{Label: "Date of birth", Value: or(search.Born)},
		{Label: "Gender", Value: or(search.Gender)},
		{Label: "Countries", Value: strings.Join(search.Countries, ", ")},
		{Label: "Looked for", Value: strings.Join(search.Datasets, ", ")},
		{Label: "Sanction bodies", Value: allIfNone(search.Bodies)},
		{Label: "Threshold", Value: fmt.Sprint(search.Threshold)},
		{Label: "Searched", Value: search.CreatedAt + " UTC by " + search.CreatedBy},
		{Label: "Status", Value: search.Status},
		{Label: "Risk", Value: search.Risk},
		{Label: "Note", Value: or(search.Note)},
		{Label: "Hits", Value: fmt.Sprintf("%d: %d true, %d false, %d undecided", search.Total, search.True, search.False, search.Undecided)},
		{Label: "Engine", Value: search.Coverage.Engine},
	})
	kycLookedAt(p, search.Coverage)
	for _, h := range d.Hits {
		kycHitOnPaper(p, toIndividualDetailJSON(h.SavedHit, h.Past, who), &h.Listed)
	}
	if len(d.Hits) == 0 {
		p.Section("Hits", 20)
		p.Text("Nobody on the lists that were looked at is near enough to the subject.")
	}
	return p.Bytes()
}

func allIfNone(list []string) string {
	if len(list) == 0 {
		return "all"
	}
	return strings.Join(list, ", ")
}

func withCommas(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), ", ")
}

func kycLookedAt(p *pdf.Paper, c kycCoverageJSON) {
	p.Section("What was looked at", 20)
	t := pdf.Table{Columns: []pdf.Column{{Title: "List", Width: 4}, {Title: "Version", Width: 1}, {Title: "As of", Width: 2}}}
	for _, l := range c.Lists {
		as := l.AsOf
		if l.Old {
			as += " (too old)"
		}
		t.Rows = append(t.Rows, []string{l.Title, fmt.Sprint(l.Version), as})
	}
	if len(t.Rows) > 0 {
		p.Table(t)
	}
	for _, w := range c.Warnings {
		p.Text("Note: " + w + ".")
	}
}

func kycHitOnPaper(p *pdf.Paper, h individualDetailJSON, e *kyc.Entry) {
	p.Section(fmt.Sprintf("%s (%d)", h.Name, h.Score), 40)
	var aliases, addresses, numbers []string
	for _, a := range h.Aliases {
		aliases = append(aliases, a.Name)
	}
	for _, a := range e.Addresses {
		addresses = append(addresses, withCommas(a.Line, a.City, a.Region, a.Post, a.Country))
	}
	for _, i := range h.Identifiers[1:] {
		numbers = append(numbers, i.Type+" "+i.Value)
	}
	p.Facts([]pdf.Fact{
		{Label: "List", Value: h.List.Title + ", entry " + h.List.Number},
		{Label: "Listed for", Value: strings.Join(h.Datasets, ", ")},
		{Label: "Programmes", Value: strings.Join(e.Programmes, ", ")},
		{Label: "Measures", Value: strings.Join(e.Measures, ", ")},
		{Label: "Nearest name", Value: h.Match},
		{Label: "Other names", Value: strings.Join(aliases, "; ")},
		{Label: "Born", Value: strings.Join(h.Born, ", ")},
		{Label: "Died", Value: strings.Join(h.Died, ", ")},
		{Label: "Gender", Value: or(h.Gender)},
		{Label: "Countries", Value: strings.Join(h.Countries, ", ")},
		{Label: "Positions", Value: strings.Join(e.Positions, "; ")},
		{Label: "Numbers", Value: strings.Join(numbers, "; ")},
		{Label: "Addresses", Value: strings.Join(addresses, "; ")},
		{Label: "How they compare", Value: strings.Join(h.Why, "; ")},
		{Label: "What changed", Value: strings.Join(h.Changes, "; ")},
	})
	for _, note := range h.Notes {
		p.Text(note)
	}
	sources := pdf.Table{Columns: []pdf.Column{{Title: "Source", Width: 2}, {Title: "Address", Width: 3}, {Title: "Added", Width: 1}}}
	for _, s := range h.Sources {
		sources.Rows = append(sources.Rows, []string{or(s.Title), s.Link, or(s.Added)})
	}
	if len(sources.Rows) > 0 {
		p.Table(sources)
	}
	decisions := pdf.Table{Columns: []pdf.Column{{Title: "Decision", Width: 1}, {Title: "When", Width: 1}, {Title: "Who", Width: 1}, {Title: "Note", Width: 3}}}
	for _, d := range h.Decisions {
		decisions.Rows = append(decisions.Rows, []string{d.Decision, d.At, d.By, or(d.Note)})
	}
	if len(decisions.Rows) > 0 {
		p.Table(decisions)
	} else {
		p.Text("Nobody has decided about this hit.")
	}
}
