package identity

import (
	"context"
	"strings"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/fault"
)

// An IDV is the answer of the identity verification that is left of an older
// product: whether somebody of a name, a birth date and an address is known.
type IDV struct {
	Profile string       `json:"profile"` // the caller's own id of whom they ask about
	Name    string       `json:"name"`
	Birth   company.Date `json:"birthDate"`
	Address string       `json:"address"`
	Country string       `json:"country"`
	Rate    MatchRate    `json:"rate"`
	Sources []IDVSource  `json:"sources"`
}

// MatchRate is how well the person fits.
type MatchRate string

const (
	FullMatch    MatchRate = "fullMatch"
	PartialMatch MatchRate = "partialMatch"
	NoMatch      MatchRate = "noMatch"
)

// An IDVSource is one place where the person was looked for.
type IDVSource struct {
	Category string    `json:"category"`
	Match    MatchRate `json:"match"`
}

// An IDVQuestion asks whether somebody is known.
type IDVQuestion struct {
	Profile, Name, Birth, Address, City, State, Country, Post string
}

// Identify answers whether somebody is known, and keeps question and answer.
func (d *Desk) Identify(ctx context.Context, by auth.Caller, q IDVQuestion) (Search, error) {
	c := checker{}
	name := words(q.Name)
	country := strings.ToUpper(strings.TrimSpace(q.Country))
	for _, f := range []struct{ field, text string }{
		{"name", name}, {"dateOfBirth", q.Birth}, {"address", words(q.Address)}, {"country", country}, {"id", strings.TrimSpace(q.Profile)},
	} {
		if strings.TrimSpace(f.text) == "" {
			c.say(f.field, "it is missing")
		}
		c.long(f.field, f.text)
	}
	if country != "" && !company.IsCountry(country) {
		c.say("country", "it is not a country: use two letters such as GB")
	}
	birth := c.birth("dateOfBirth", q.Birth, d.Now())
	if len(c.wrong) > 0 {
		return Search{}, fault.Invalid.Details("Bad request", c.wrong...)
	}
	at := Address{Street: words(q.Address), City: words(q.City), PostCode: q.Post}
	w := Wanted{Country: country, Names: []Name{splitName(name)}, Birth: company.Date(birth), Addresses: []Address{at}}
	list, err := d.find(ctx, w)
	if err != nil {
		return Search{}, err
	}
	idv := IDV{
		Profile: strings.TrimSpace(q.Profile), Name: name, Birth: company.Date(birth), Country: country,
		Address: words(q.Address, q.City, q.State, q.Post), Rate: NoMatch,
	}
	s := Search{
		ID: newUUID(), Account: by.Account, At: d.now(), Service: IDVService,
		Question: Question{Name: splitName(name), Birth: birth, Addresses: [3]Residence{{Address: at}}, Reason: amlReason},
	}
	// Of several who fit alike none is the one.
	if best := leaders(list); len(best) == 1 {
		idv.judge(&best[0], w)
		s.Consumer = best[0].ID()
	} else {
		idv.Sources = []IDVSource{{"consumer", NoMatch}, {"electoralRoll", NoMatch}}
	}
	s.Answer = Answer{IDV: &idv, Result: map[MatchRate]Band{FullMatch: Pass, PartialMatch: Refer, NoMatch: Fail}[idv.Rate]}
	return s, d.Store.AddIdentitySearch(ctx, by, s)
}

// judge fills in what the sources say of somebody.
func (v *IDV) judge(found *Candidate, w Wanted) {
	roll := Unknown
	for _, e := range found.Electoral {
		roll = max(roll, w.Addresses[0].Compare(e.Address))
	}
	v.Sources = []IDVSource{
		{"consumer", rate(together(found.Name, found.Address), found.Birth)},
		{"electoralRoll", rate(together(found.Name, roll), found.Birth)},
	}
	v.Rate = v.Sources[0].Match
	if found.Death != "" {
		v.Sources = append(v.Sources, IDVSource{"deceased", FullMatch})
		v.Rate = NoMatch
	}
}

func rate(where, born Grade) MatchRate {
	switch {
	case where == Same && born == Same:
		return FullMatch
	case where >= Close || born == Same:
		return PartialMatch
	}
	return NoMatch
}

// splitName takes the last word of a name for the surname.
func splitName(full string) Name {
	full = words(full)
	i := strings.LastIndexByte(full, ' ')
	if i < 0 {
		return Name{Surname: full}
	}
	first, middle, _ := strings.Cut(full[:i], " ")
	return Name{First: first, Middle: middle, Surname: full[i+1:]}
}

// Verification returns an earlier IDV of the caller's customer.
func (d *Desk) Verification(ctx context.Context, by auth.Caller, id string) (Search, error) {
	s, err := d.Found(ctx, by, id)
	switch {
	case err != nil:
		return s, err
	case s.Service != IDVService:
		return Search{}, fault.Missing.Errorf("Identity search not found")
	case s.Withheld:
		return Search{}, ErrHidden
	}
	return s, nil
}

// newUUID is a random UUID.
func newUUID() string {
	s := []byte(newSearchID())
	s[12], s[16] = '4', '8'
	return string(s[:8]) + "-" + string(s[8:12]) + "-" + string(s[12:16]) + "-" + string(s[16:20]) + "-" + string(s[20:])
}
