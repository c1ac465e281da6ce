package console

import (
	"context"
	"errors"
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/fault"
	"bureau/internal/identity"
)

const identityPath = Path + "/checks/identity"

// identityData is a question about somebody's identity, and what was told.
type identityData struct {
	Question identity.Question
	Full     bool // what is held on them is wanted as well
	Reasons  []identity.Reason
	Found    *identity.Search
	Checks   []databaseRow
	Earlier  []identityRow
	Wrong    []string
}

// A databaseRow is what one place says, in words.
type databaseRow struct {
	Place, Result, Class string
	Words                []string
}

// An identityRow is an earlier search. It names whom the customer asked for.
type identityRow struct {
	identity.Search
	Who string
}

var places = map[identity.Database]string{
	identity.Voters: "electoral roll", identity.Residents: "addresses", identity.Deceased: "deaths", identity.Moves: "former addresses",
	identity.Landlines: "telephone numbers", identity.Papers: "documents", identity.Ages: "age", identity.Sanctions: "sanctions",
	identity.PEPs: "politically exposed people", identity.Combined: "together",
}

// identityPage is the form, with what the customer asked before.
func (s *Server) identityPage(v *visit) error {
	d, err := s.identityForm(v)
	if err != nil {
		return err
	}
	return s.showIdentity(v, d, 0)
}

func (s *Server) showIdentity(v *visit, d identityData, status int) error {
	return s.show(v, page{name: "identity", title: "Check an identity", here: "Checks", status: status, data: d})
}

func (s *Server) identityForm(v *visit) (d identityData, err error) {
	if err := s.needs(v, auth.Identity, "GB"); err != nil {
		return d, err
	}
	d.Reasons = identity.SearchReasons()
	list, _, err := s.Identity.Searches(v.ctx(), v.by, identity.SearchQuery{Whole: true, Limit: 20})
	if err != nil {
		return d, err
	}
	who := s.colleagues(v)
	for _, one := range list {
		if one.Service == identity.IdentitySearchService {
			d.Earlier = append(d.Earlier, identityRow{one, who[one.Account]})
		}
	}
	return d, nil
}

// askIdentity looks for somebody. Why is asked of everybody, and kept with who
// was shown: they may want to know.
func (s *Server) askIdentity(v *visit) error {
	d, err := s.identityForm(v)
	if err != nil {
		return err
	}
	q := &d.Question
	q.Name = identity.Name{First: v.text("forename"), Surname: v.text("surname")}
	q.Birth, q.Reference, q.Reason = v.text("born"), v.text("reference"), identity.Reason(v.text("reason"))
	q.Addresses[0].Address = identity.Address{
		BuildingNo: v.text("house"), Street: v.text("street"), City: v.text("city"), PostCode: v.text("postCode"),
	}
	q.Products = []identity.Product{identity.AMLSearch}
	if d.Full = v.text("full") != ""; d.Full {
		q.Products = append(q.Products, identity.ConsumerSearch)
	}
	var found identity.Search
	if slices.Contains(d.Reasons, q.Reason) {
		found, err = s.Identity.Search(v.ctx(), v.by, *q)
	} else {
		err = fault.Invalid.Errorf("reason: say why you look")
	}
	if errors.Is(err, fault.Invalid) {
		for _, text := range wrongWords(err) {
			d.Wrong = append(d.Wrong, lastName(text))
		}
		return s.showIdentity(v, d, 400)
	}
	if err != nil {
		return err
	}
	if err := s.noteIdentity(v, found, true); err != nil {
		return err
	}
	return v.redirect(identityPath+"/"+found.ID, "")
}

// lastName leaves of the name of a field in a form of the wire what people know
// it by.
func lastName(text string) string {
	field, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return text
	}
	return field[strings.LastIndexByte(field, '.')+1:] + ": " + rest
}

// identityFound shows a search and its answer.
func (s *Server) identityFound(v *visit) error {
	d, err := s.identityForm(v)
	if err != nil {
		return err
	}
	found, err := s.Identity.Found(v.ctx(), v.by, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	if found.Service != identity.IdentitySearchService {
		return fault.Missing.Errorf("there is no such page")
	}
	d.Found, d.Question = &found, found.Question
	d.Full = slices.Contains(found.Question.Products, identity.ConsumerSearch)
	if a := found.Answer.AML; a != nil {
		for _, c := range a.Checks {
			word, class := checkWords(c)
			d.Checks = append(d.Checks, databaseRow{places[c.Database], word, class, slices.Concat(c.Match, c.Mismatch, c.Warning, c.Comment)})
		}
	}
	if err := s.noteIdentity(v, found, false); err != nil {
		return err
	}
	return s.showIdentity(v, d, 0)
}

// checkWords say what a place found, and whether that speaks for the person. On a
// list of the dead or of those under sanctions it is good to be found missing.
func checkWords(c identity.Check) (word, class string) {
	switch c.Database {
	case identity.Deceased, identity.Sanctions, identity.PEPs:
		switch {
		case c.Alert || c.Result >= identity.Close:
			return "found there", "bad"
		case c.Result == identity.Differs:
			return "not found there", "good"
		}
	case identity.Moves:
		if c.Result == identity.Differs {
			return "none", ""
		}
	}
	if c.Alert {
		return "alert", "bad"
	}
	return c.Result.String(), map[identity.Grade]string{identity.Differs: "bad", identity.Close: "warn", identity.Same: "good"}[c.Result]
}

// chooseIdentity says who of several is meant.
func (s *Server) chooseIdentity(v *visit) error {
	if err := s.needs(v, auth.Identity, "GB"); err != nil {
		return err
	}
	found, err := s.Identity.Resolve(v.ctx(), v.by, v.r.PathValue("id"), []string{v.text("option")})
	if err != nil {
		return err
	}
	if err := s.noteIdentity(v, found, true); err != nil {
		return err
	}
	return v.redirect(identityPath+"/"+found.ID, "")
}

// noteIdentity keeps who was shown and why, and counts a search that was made
// just now.
func (s *Server) noteIdentity(v *visit, found identity.Search, counts bool) error {
	ids := []identity.ID{found.Consumer}
	for _, o := range found.Options {
		ids = append(ids, o.Consumer)
	}
	var people []string
	for _, id := range ids {
		if id != "" {
			people = append(people, s.Named(string(id)))
		}
	}
	what, ctx := "identitySearch="+found.ID+" reason="+string(found.Question.Reason), context.WithoutCancel(v.ctx())
	if counts {
		return s.Gate.CountPeople(ctx, v.by, auth.Identity, "GB", people, what)
	}
	return s.Gate.NotePeople(ctx, v.by, people, what)
}
