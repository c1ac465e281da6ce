package api

import (
	"context"

	"bureau/internal/auth"
	"bureau/internal/company"
)

type companySearchIn struct {
	caller
	PageFromOne
	WhatToFind
	Countries string `query:"countries" doc:"Two-letter codes with commas between them; WW is all that you may use, PLC the listed companies in them. Not needed beside id or safeNo." example:"GB,FR"`
}

type companySearchJSON struct {
	CorrelationID string      `json:"correlationId"`
	Total         int         `json:"totalSize" doc:"How many there are on all pages; at least so many where messages say TooManyResults."`
	Cursor        *string     `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
	Companies     []FoundJSON `json:"companies"`
	Messages      []noteJSON  `json:"messages"`
}

// noteJSON says something about an answer.
type noteJSON struct {
	Type string `json:"type" enum:"Information,Warning,Error"`
	Code string `json:"code" enum:"NoResults,TooManyResults,TemporarySystemProblem"`
	Text string `json:"text"`
}

// manyBehind is from how many changes on an answer says that it does not know
// them yet. A few are there within a second.
const manyBehind = 5000

func messages(total int, atLeast bool, behind int64) []noteJSON {
	out := []noteJSON{}
	if total == 0 && !atLeast {
		out = append(out, noteJSON{"Information", "NoResults", "Nothing was found."})
	}
	if atLeast {
		out = append(out, noteJSON{"Information", "TooManyResults", "There may be more than were counted: say more, or read on by the cursor."})
	}
	if behind > manyBehind {
		out = append(out, noteJSON{"Warning", "TemporarySystemProblem", "The register is being filled: " + decimal(behind) + " changes are not searched by address, telephone or officer yet."})
	}
	return out
}

// foundPlace is where a list of hits broke off, and how long it was.
type foundPlace struct {
	Chance float64    `json:"c"`
	ID     company.ID `json:"i"`
	Place  int        `json:"p,omitempty"`
	Total  int        `json:"n"`
	More   bool       `json:"m,omitempty"`
}

func (s *Server) companySearch(ctx context.Context, in *companySearchIn) (*reply[companySearchJSON], error) {
	var wrong wrongs
	c := in.criteria(&wrong)
	list, all, listed := countriesAsked(in.Countries, &wrong)
	byID := in.ID != "" || in.SafeNo != ""
	if len(splitList(in.Countries)) == 0 && !byID {
		wrong.say("countries", "name at least one country, such as GB")
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	var err error
	c.Listed = listed
	if c.Countries, err = s.allowed(ctx, in.by, auth.Companies, list, all); err != nil {
		return nil, err
	}
	of := cursorOf("companies", c)
	page := company.Page{Skip: in.skip(), Limit: in.Size}
	var at foundPlace
	if in.After != "" {
		if err := s.openCursor(in.by, of, in.After, &at); err != nil {
			return nil, err
		}
		page.After = &company.Position{Chance: at.Chance, ID: at.ID}
	}
	hits, err := s.Finder.Search(ctx, c, page)
	if err != nil {
		return nil, err
	}
	if in.After != "" {
		hits.Total, hits.AtLeast = at.Total, at.More
	}
	out := companySearchJSON{
		CorrelationID: in.correlation, Total: hits.Total, Companies: []FoundJSON{},
		Messages: messages(hits.Total, hits.AtLeast, hits.Behind),
	}
	words := wordsIn(in.Language)
	for i := range hits.List {
		h := &hits.List[i]
		if byID && len(c.Countries) == 0 {
			if err := s.Gate.Allow(ctx, in.by, auth.Companies, h.ID.Country()); err != nil {
				return nil, err
			}
		}
		address, known := mainAddress(h.Facts)
		out.Companies = append(out.Companies, words.found(h, h.Office(), placeOrNil(address, known)))
	}
	if n := hits.Next; n != nil {
		out.Cursor = textOrNull(s.sealCursor(in.by, of, foundPlace{n.Chance, n.ID, 0, hits.Total, hits.AtLeast}))
	}
	return ok(out), nil
}

func placeOrNil(a company.Address, known bool) *company.Address {
	if !known {
		return nil
	}
	return &a
}

type companyGlobalIn struct {
	caller
	PageFromOne
	WhatToFind
}

func (s *Server) companyGlobal(ctx context.Context, in *companyGlobalIn) (*reply[companySearchJSON], error) {
	var wrong wrongs
	c := in.criteria(&wrong)
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	var err error
	if c.Countries, err = s.allowed(ctx, in.by, auth.Companies, nil, true); err != nil {
		return nil, err
	}
	of := cursorOf("companies everywhere", c)
	var after *company.LocationPosition
	if in.After != "" {
		var at foundPlace
		if err := s.openCursor(in.by, of, in.After, &at); err != nil {
			return nil, err
		}
		after = &company.LocationPosition{Position: company.Position{Chance: at.Chance, ID: at.ID}, Place: at.Place}
	}
	places, err := s.Finder.Global(ctx, c, company.Page{Skip: in.skip(), Limit: in.Size}, after)
	if err != nil {
		return nil, err
	}
	out := companySearchJSON{
		CorrelationID: in.correlation, Total: places.Total, Companies: []FoundJSON{},
		Messages: messages(places.Total, places.AtLeast, places.Behind),
	}
	words := wordsIn(in.Language)
	for i := range places.List {
		l := &places.List[i]
		out.Companies = append(out.Companies, words.found(&l.Hit, l.Office, l.Place))
	}
	if n := places.Next; n != nil {
		out.Cursor = textOrNull(s.sealCursor(in.by, of, foundPlace{n.Chance, n.ID, n.Place, places.Total, places.AtLeast}))
	}
	return ok(out), nil
}
