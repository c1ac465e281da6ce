package api

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

type peopleSearchIn struct {
	caller
	PageFromOne
	Countries   string `query:"countries" doc:"Where they sit on boards: two-letter codes with commas between them; WW is all that you may use. Not needed beside peopleId." example:"GB"`
	PeopleID    string `query:"peopleId" maxLength:"70" doc:"A person's id." example:"GB-9000001"`
	FirstName   string `query:"firstName" maxLength:"200" doc:"Their first name."`
	LastName    string `query:"lastName" maxLength:"200" doc:"Their last name."`
	FullName    string `query:"fullName" maxLength:"200" doc:"All their names, in any order."`
	LocalNumber string `query:"localDirectorNumber" maxLength:"60" doc:"The publisher's number for the person."`
	DateOfBirth string `query:"dateOfBirth" doc:"1970-05-31 or 1970-05; it is compared as far as the month."`
	CompanyID   string `query:"companyId" maxLength:"100" doc:"A connectId or safe number: the officers of that company."`
	CompanyName string `query:"companyName" maxLength:"200" doc:"The name of a company on whose board they sit."`
	CompanyNo   string `query:"companyRegistrationNumber" maxLength:"100" doc:"A register's number: the officers of that company."`
	Language    string `query:"language" doc:"Two letters: the language of the words that we add."`
	CallRef     string `query:"callRef" doc:"Your own reference for the call."`
}

var birthDate = regexp.MustCompile(`^[0-9]{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?$`)

// criteria reads what to find, and says of each value that is wrong why.
func (in *peopleSearchIn) criteria(wrong *wrongs) company.PersonCriteria {
	for _, text := range []*string{
		&in.PeopleID, &in.FirstName, &in.LastName, &in.FullName, &in.LocalNumber, &in.DateOfBirth,
		&in.CompanyID, &in.CompanyName, &in.CompanyNo, &in.Language,
	} {
		*text = strings.TrimSpace(*text)
	}
	c := company.PersonCriteria{
		Number: in.LocalNumber, First: in.FirstName, Last: in.LastName, Full: in.FullName,
		Company: in.CompanyID, RegNo: in.CompanyNo, CompanyName: in.CompanyName,
	}
	if in.PeopleID != "" {
		id, err := company.ParsePersonID(in.PeopleID)
		if c.ID = id; err != nil {
			wrong.say("peopleId", "%s", err)
		}
	}
	if in.DateOfBirth != "" {
		text, _, _ := strings.Cut(in.DateOfBirth, "T")
		if c.Birth = company.Date(text); !birthDate.MatchString(text) {
			wrong.say("dateOfBirth", "%q is not a date such as 1970-05-31 or 1970-05", fault.Clip(in.DateOfBirth))
		}
	}
	if in.Language != "" && !twoLetters.MatchString(in.Language) {
		wrong.say("language", "%q is not a language: use two letters such as en", fault.Clip(in.Language))
	}
	for _, t := range []struct{ field, text string }{{"lastName", in.LastName}, {"fullName", in.FullName}, {"companyName", in.CompanyName}} {
		if t.text != "" && len([]rune(t.text)) < 2 {
			wrong.say(t.field, "%q is too short: at least 2 characters", t.text)
		}
	}
	if in.PeopleID == "" && in.LocalNumber == "" && in.LastName == "" && in.FullName == "" && in.CompanyID == "" && in.CompanyNo == "" {
		wrong.say("criteria", "there is nobody to look for: give at least one of peopleId, lastName, fullName, localDirectorNumber, companyId, companyRegistrationNumber")
	}
	return c
}

type peopleSearchJSON struct {
	CorrelationID string        `json:"correlationId"`
	Total         int           `json:"totalSize" doc:"How many there are on all pages."`
	Cursor        *string       `json:"cursor" doc:"Hand it back as after to read on; null at the end."`
	Directors     []personFound `json:"directors"`
	Messages      []noteJSON    `json:"messages"`
}

type personFound struct {
	PeopleID     string            `json:"peopleId" example:"GB-9000001"`
	FirstName    string            `json:"firstName,omitempty"`
	LastName     string            `json:"lastName,omitempty"`
	Name         string            `json:"name" doc:"In full."`
	Title        string            `json:"title,omitempty"`
	Country      string            `json:"country"`
	Company      personCompany     `json:"company" doc:"The one that they were appointed to last."`
	CompanyName  string            `json:"companyName"`
	CompanyType  string            `json:"companyType" enum:"NotSet,Ltd,NonLtd,NonLtdNonReg"`
	CompanyRegNo string            `json:"companyRegistrationNumber,omitempty"`
	Status       string            `json:"status" enum:"Active,Resigned" doc:"Whether they sit on a board today."`
	Address      *foundAddressJSON `json:"address,omitempty"`
	DateOfBirth  string            `json:"dateOfBirth,omitempty" doc:"Never the day."`
	LocalNumber  string            `json:"localDirectorNumber,omitempty"`
	Score        *int              `json:"score,omitempty" doc:"How near the name is to the one that was asked for, up to 999."`
	Boards       int               `json:"numberOfAppointments" doc:"Past and present, of those that were looked at."`
}

type personCompany struct {
	ID     string `json:"id"`
	Name   string `json:"companyName"`
	SafeNo string `json:"safeNumber"`
	Type   string `json:"type"`
}

func (w reportWriter) personFound(h *company.PersonHit) personFound {
	last := &h.Seats[0]
	c := &last.Company
	out := personFound{
		PeopleID: string(h.ID), FirstName: h.First, LastName: h.Surname, Name: h.Name, Title: h.Title, Country: h.ID.Country(),
		Company:     personCompany{string(c.ID), c.Name, cmp.Or(c.SafeNo, c.ID.SafeNo()), kindOut(c.Kind)},
		CompanyName: c.Name, CompanyType: kindOut(c.Kind), CompanyRegNo: c.RegNo, Status: "Resigned",
		Address: w.foundAddress(h.Address, ""), DateOfBirth: birthOut(h.Birth), LocalNumber: h.Person.ID, Boards: len(h.Seats),
	}
	if last.Present() {
		out.Status = "Active"
	}
	if h.Score > 0 {
		rating := company.Rating(h.Score)
		out.Score = &rating
	}
	return out
}

// personPlace is where a list of people broke off.
type personPlace struct {
	Chance float64          `json:"c"`
	ID     company.PersonID `json:"i"`
}

func (s *Server) peopleSearch(ctx context.Context, in *peopleSearchIn) (*reply[peopleSearchJSON], error) {
	var wrong wrongs
	c := in.criteria(&wrong)
	list, all, listed := countriesAsked(in.Countries, &wrong)
	switch {
	case listed:
		wrong.say("countries", "%s is for companies only", listedCompanies)
	case len(splitList(in.Countries)) == 0 && c.ID == "":
		wrong.say("countries", "name at least one country, such as GB")
	case len(splitList(in.Countries)) == 0:
		list = []string{c.ID.Country()}
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	var err error
	if c.Countries, err = s.allowed(ctx, in.by, auth.People, list, all); err != nil {
		return nil, err
	}
	of := cursorOf("people", c)
	page := company.PersonPage{Skip: in.skip(), Limit: in.Size}
	if in.After != "" {
		var at personPlace
		if err := s.openCursor(in.by, of, in.After, &at); err != nil {
			return nil, err
		}
		page.After = &company.PersonPosition{Chance: at.Chance, ID: at.ID}
	}
	hits, err := s.Finder.People(ctx, c, page)
	if err != nil {
		return nil, err
	}
	out := peopleSearchJSON{
		CorrelationID: in.correlation, Total: hits.Total, Directors: []personFound{}, Messages: messages(hits.Total, false, hits.Behind),
	}
	words := wordsIn(in.Language)
	for i := range hits.List {
		out.Directors = append(out.Directors, words.personFound(&hits.List[i]))
	}
	if n := hits.Next; n != nil {
		out.Cursor = textOrNull(s.sealCursor(in.by, of, personPlace{n.Chance, n.ID}))
	}
	country := ""
	if len(c.Countries) == 1 {
		country = c.Countries[0]
	}
	return ok(out), s.Gate.CountRead(ctx, in.by, auth.People, country, "people="+peopleShown(hits.List))
}

// peopleShown names those that an answer shows, for the audit log.
func peopleShown(list []company.PersonHit) string {
	var ids []string
	for i := range list {
		ids = append(ids, string(list[i].ID))
	}
	return strings.Join(ids, ",")
}

type personIn struct {
	caller
	PeopleID string `path:"peopleId" doc:"The person's id." example:"GB-9000001"`
	Language string `query:"language" default:"en" doc:"Two letters. Words that we do not speak come in English."`
	CallRef  string `query:"callRef" doc:"Your own reference for the call."`
}

// person answers GET /people/{peopleId}. Who looked at whom is kept in the audit
// log.
func (s *Server) person(ctx context.Context, in *personIn) (*reply[personReplyJSON], error) {
	var wrong wrongs
	id, err := company.ParsePersonID(in.PeopleID)
	if err != nil {
		wrong.say("peopleId", "%s", err)
	}
	if !twoLetters.MatchString(in.Language) {
		wrong.say("language", "%q is not a language: use two letters such as en", fault.Clip(in.Language))
	}
	if err := wrong.fault(); err != nil {
		return nil, err
	}
	if err := s.Gate.Allow(ctx, in.by, auth.People, id.Country()); err != nil {
		return nil, err
	}
	if err := s.mayShow(ctx, id); err != nil {
		return nil, err
	}
	d, err := s.Finder.Person(ctx, id)
	if err != nil {
		return nil, err
	}
	if d.Seats = s.shown(in.by, d.Seats); len(d.Seats) == 0 {
		return nil, fault.Missing.Errorf("Person resource not found")
	}
	words := wordsIn(in.Language)
	out := personReplyJSON{
		CorrelationID: in.correlation, DirectorID: string(id), Language: words.words.code, UserID: int64(in.by.Account),
		DateOfOrder: s.Gate.Now().UTC().Format("2006-01-02T15:04:05Z"), Report: words.personReport(&d),
	}
	return ok(out), s.Gate.CountRead(ctx, in.by, auth.People, id.Country(), "person="+string(id))
}

// shown are the seats in countries that the caller may use.
func (s *Server) shown(by auth.Caller, seats []company.Seat) (out []company.Seat) {
	mine, everywhere := s.Gate.Countries(by, auth.People)
	for _, at := range seats {
		if everywhere || slices.Contains(mine, at.Company.ID.Country()) {
			out = append(out, at)
		}
	}
	return out
}
