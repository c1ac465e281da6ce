package api

import (
	"context"
	"encoding/base64"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/identity"
	"bureau/internal/pdf"
)

// idvRows are the identity verification that is left of an older product.
func (s *Server) idvRows() []route {
	return []route{
		post("/protect/idv/gdc/search", auth.Identity, "searchIdentity", "Verify an identity", s.identify, countsItself,
			func(r *route) {
				r.countryOf = func(in any) string { return strings.ToUpper(strings.TrimSpace(in.(*identifyIn).Body.Country)) }
			},
			about("Whether somebody of a name, a date of birth and an address is known. The report can be read as a PDF.")),
		get("/protect/idv/file", auth.Identity, "identityFile", "The report of an identity verification", s.identityFile, free, mayMiss,
			about("The report as a PDF, in base64.")),
	}
}

type identifyIn struct {
	caller
	Body struct {
		Name    string `json:"name" example:"Ada Brook"`
		Birth   string `json:"dateOfBirth" example:"1970-05-31T00:00:00"`
		Address string `json:"address" example:"7 Mill Lane"`
		City    string `json:"city,omitempty"`
		State   string `json:"state,omitempty"`
		Country string `json:"country" example:"GB"`
		Post    string `json:"postalCode,omitempty"`
		Culture string `json:"acceptCulture,omitempty" doc:"Not read."`
		Profile string `json:"id" doc:"Your own id of whom you ask about." example:"00000000-0000-4000-8000-000000000001"`
	}
}

type identifiedJSON struct {
	Rate    string          `json:"matchRate" enum:"fullMatch,partialMatch,noMatch"`
	Name    string          `json:"fullName"`
	Birth   string          `json:"dateOfBirth"`
	Address string          `json:"address"`
	Country string          `json:"country"`
	Sources []idvSourceJSON `json:"sources"`
	Profile string          `json:"id"`
	ID      string          `json:"idvSearchId" doc:"Ask for the report by it."`
}

type idvSourceJSON struct {
	Category string `json:"category" enum:"consumer,electoralRoll,deceased"`
	Match    string `json:"matchType" enum:"fullMatch,partialMatch,noMatch"`
}

func (s *Server) identify(ctx context.Context, in *identifyIn) (*reply[identifiedJSON], error) {
	b := &in.Body
	found, err := s.Identity.Identify(ctx, in.by, identity.IDVQuestion{
		Profile: b.Profile, Name: b.Name, Birth: b.Birth, Address: b.Address, City: b.City, State: b.State, Country: b.Country, Post: b.Post,
	})
	if err != nil {
		return nil, err
	}
	v := found.Answer.IDV
	out := identifiedJSON{
		Rate: string(v.Rate), Name: v.Name, Birth: string(v.Birth) + "T00:00:00", Address: v.Address, Country: v.Country,
		Sources: []idvSourceJSON{}, Profile: v.Profile, ID: found.ID,
	}
	for _, one := range v.Sources {
		out.Sources = append(out.Sources, idvSourceJSON{one.Category, string(one.Match)})
	}
	what := "idv=" + found.ID + " reason=" + string(found.Question.Reason)
	return ok(out), s.Gate.CountPeople(context.WithoutCancel(ctx), in.by, auth.Identity, v.Country, s.marks(found.Consumer), what)
}

type identityFileIn struct {
	caller
	ID string `query:"idvSearchId" maxLength:"64" doc:"The idvSearchId of a verification."`
}

func (s *Server) identityFile(ctx context.Context, in *identityFileIn) (*reply[string], error) {
	if in.ID == "" {
		return nil, fault.Invalid.Details("Bad request", "idvSearchId: it is missing")
	}
	if err := knownForm(in.ID); err != nil {
		return nil, err
	}
	found, err := s.Identity.Verification(ctx, in.by, in.ID)
	if err != nil {
		return nil, err
	}
	file, err := s.idvPaper(found)
	if err != nil {
		return nil, err
	}
	what := "idv=" + found.ID + " file"
	return ok(base64.StdEncoding.EncodeToString(file)), s.Gate.NotePeople(context.WithoutCancel(ctx), in.by, s.marks(found.Consumer), what)
}

// idvPaper is a verification as people send it on.
func (s *Server) idvPaper(found identity.Search) ([]byte, error) {
	v := found.Answer.IDV
	p := s.Fonts.New(pdf.Head{
		Title: "Identity verification", ID: found.ID, Date: found.At.UTC().Format("2006-01-02"), Source: "Bureau", Page: "Page %s of %s",
		Language: "en", Made: found.At, Romanised: "Some names were written in Latin letters.",
	})
	rates := map[identity.MatchRate]string{identity.FullMatch: "Full match", identity.PartialMatch: "Partial match", identity.NoMatch: "No match"}
	p.Title(v.Name, rates[v.Rate])
	p.Facts([]pdf.Fact{
		{Label: "Date of birth", Value: string(v.Birth)},
		{Label: "Address", Value: v.Address},
		{Label: "Country", Value: v.Country},
		{Label: "Your reference", Value: v.Profile, Mono: true},
		{Label: "Result", Value: rates[v.Rate], Bad: v.Rate == identity.NoMatch},
	})
	t := pdf.Table{Columns: []pdf.Column{{Title: "Where we looked", Width: 2}, {Title: "Result", Width: 1}}}
	for _, one := range v.Sources {
		t.Rows = append(t.Rows, []string{one.Category, rates[one.Match]})
	}
	p.Section("Sources", 20)
	p.Table(t)
	return p.Bytes()
}
