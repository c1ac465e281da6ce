package identity

import (
	"context"
	"slices"
	"strings"
	"time"

	"bureau/internal/company"
)

// A Band is what an identity check comes to.
type Band string

const (
	Pass  Band = "Pass"
	Refer Band = "Refer" // a person should look at it
	Fail  Band = "Fail"
)

// ParseBand reads a band in any case, or its number on the wire.
func ParseBand(text string) (Band, bool) {
	for i, b := range []Band{Fail, Refer, Pass} {
		if strings.EqualFold(text, string(b)) || text == string(rune('0'+i)) {
			return b, true
		}
	}
	return "", false
}

// A Database is one of the places where an identity is looked for.
type Database string

const (
	Voters    Database = "UKEditedVotersDatabase"
	Residents Database = "UKCreditHeaderAml" // the addresses of consumers
	Deceased  Database = "UKDeceasedPersonDatabase"
	Moves     Database = "UKNCOA" // former addresses
	Landlines Database = "UKLandlineTelephoneDatabase"
	Papers    Database = "UKNationalIdentityRegister" // documents
	Ages      Database = "InternationalAgeAlgorithm"
	Sanctions Database = "InternationalSanctions"
	PEPs      Database = "InternationalEnhancedPepDatabase"
	Combined  Database = "CombinedDecision"
)

// An AML is what the databases say together.
type AML struct {
	Band   Band    `json:"band"`
	Score  int     `json:"score"` // how many databases confirm the person
	Alerts bool    `json:"alerts,omitempty"`
	Checks []Check `json:"checks"`
}

// A Check is what one database says.
type Check struct {
	Database Database `json:"database"`
	Result   Grade    `json:"result"` // Same confirms, Close confirms in part, Unknown was not checked
	Forename Grade    `json:"forename,omitempty"`
	Surname  Grade    `json:"surname,omitempty"`
	Address  Grade    `json:"address,omitempty"`
	Birth    Grade    `json:"birth,omitempty"`
	Alert    bool     `json:"alert,omitempty"`

	Match    []string `json:"match,omitempty"`
	Mismatch []string `json:"mismatch,omitempty"`
	Warning  []string `json:"warning,omitempty"`
	Comment  []string `json:"comment,omitempty"`

	Listed []Listed `json:"listed,omitempty"`
}

// enough is how many databases must confirm a person for a pass. One may be
// mistaken; two that were filled from different places seldom are.
const enough = 2

// adult is the age below which nobody passes.
const adult = 18

// aml asks every database. found may be nil.
func (d *Desk) aml(ctx context.Context, q *Question, found *Candidate) (AML, error) {
	lists, err := d.listChecks(ctx, q)
	if err != nil {
		return AML{}, err
	}
	today := d.Now()
	out := AML{Checks: []Check{
		q.voters(found), q.residents(found), deceased(found), q.moves(found), q.landline(found), q.age(today),
	}}
	out.Checks = append(out.Checks, lists...)
	out.decide(found)
	return out, nil
}

// decide adds the checks up.
func (a *AML) decide(found *Candidate) {
	a.Checks = slices.DeleteFunc(a.Checks, func(c Check) bool { return c.Database == Combined })
	a.Score, a.Alerts = 0, false
	dead := false
	for _, c := range a.Checks {
		a.Alerts = a.Alerts || c.Alert
		dead = dead || c.Alert && c.Database == Deceased
		if c.Result == Same && c.Database != Ages && !c.Alert {
			a.Score++
		}
	}
	all := Check{Database: Combined, Result: Differs, Alert: a.Alerts}
	switch {
	case found == nil || dead:
		a.Band = Fail
	case a.Alerts || a.Score < enough:
		a.Band, all.Result = Refer, Close
	default:
		a.Band, all.Result = Pass, Same
	}
	a.Checks = append(a.Checks, all)
}

// grades fills in the parts that every database tells apart.
func (c *Check) grades(q *Question, found *Candidate) {
	held := found.Consumer.Name
	c.Forename, c.Surname = compareForename(q.Name.First, held.First), compareSurname(q.Name.Surname, held.Surname)
	c.Birth = found.Birth
	c.note("the date of birth", c.Birth)
	c.note("the forename", c.Forename)
	c.note("the surname", c.Surname)
}

func (c *Check) note(what string, g Grade) {
	switch text := what + " " + g.String(); g {
	case Same, Close:
		c.Match = append(c.Match, text)
	case Differs:
		c.Mismatch = append(c.Mismatch, text)
	}
}

// voters looks for the person on the electoral roll.
func (q *Question) voters(found *Candidate) Check {
	c := Check{Database: Voters, Result: Differs}
	if found == nil {
		c.Comment = append(c.Comment, "nobody of this name is registered at the address")
		return c
	}
	c.grades(q, found)
	for _, asked := range q.wanted().Addresses {
		for _, r := range found.Electoral {
			c.Address = max(c.Address, asked.Compare(r.Address))
		}
	}
	if len(found.Electoral) == 0 {
		c.Comment = append(c.Comment, "the person is not on the electoral roll")
	}
	c.note("the address", c.Address)
	c.Result = together(found.Name, c.Address)
	return c
}

// residents looks for the person among those who live at the address.
func (q *Question) residents(found *Candidate) Check {
	c := Check{Database: Residents, Result: Differs}
	if found == nil {
		return c
	}
	c.grades(q, found)
	c.Address = found.Address
	c.note("the address", c.Address)
	c.Result = together(found.Name, c.Address)
	if c.Birth == Close && c.Result == Same {
		c.Result = Close
	}
	return c
}

// together is the weaker of two grades that must both hold.
func together(a, b Grade) Grade {
	switch {
	case a < Close || b < Close:
		return Differs
	case a == Same && b == Same:
		return Same
	}
	return Close
}

func deceased(found *Candidate) Check {
	c := Check{Database: Deceased}
	switch {
	case found == nil:
	case found.Death != "":
		c.Result, c.Alert = Same, true
		c.Warning = append(c.Warning, "the person died on "+string(found.Death))
	default:
		c.Result = Differs
		c.Comment = append(c.Comment, "the person is not among the deceased")
	}
	return c
}

// moves warns of a present address that the person has left.
func (q *Question) moves(found *Candidate) Check {
	c := Check{Database: Moves}
	if found == nil || found.Asked != 0 || found.Lives < 0 {
		return c
	}
	if c.Address = found.Address; found.Addresses[found.Lives].Present() {
		c.Result = Differs
		c.Comment = append(c.Comment, "no move from the address is known")
		return c
	}
	c.Result = Close
	c.Warning = append(c.Warning, "the person moved away on "+string(found.Addresses[found.Lives].Until))
	return c
}

// landline looks for the telephone number among the person's.
func (q *Question) landline(found *Candidate) Check {
	c := Check{Database: Landlines}
	switch {
	case q.Landline == "" || found == nil:
		return c
	case found.ExDirectory:
		c.Comment = append(c.Comment, "the person is not in the directory")
		return c
	}
	c.Result = Differs
	for _, p := range found.Phones {
		if samePhone(p, q.Landline) {
			c.Result = Same
		}
	}
	c.note("the telephone number", c.Result)
	return c
}

// samePhone compares numbers from behind: one may have the country's code and
// the other a zero.
func samePhone(a, b string) bool {
	a, b = onlyDigits(a), onlyDigits(b)
	const significant = 9
	return len(a) >= significant && len(b) >= significant && a[len(a)-significant:] == b[len(b)-significant:]
}

// age says whether somebody born then can be a customer.
func (q *Question) age(today time.Time) Check {
	c := Check{Database: Ages}
	born, err := time.Parse(time.DateOnly, q.Birth)
	switch {
	case err != nil:
	case born.AddDate(adult, 0, 0).After(today):
		c.Result, c.Alert = Differs, true
		c.Warning = append(c.Warning, "somebody born then is not of age")
	default:
		c.Result = Same
	}
	return c
}

// listChecks look for the person on the screening lists.
func (d *Desk) listChecks(ctx context.Context, q *Question) ([]Check, error) {
	sanctions, peps := Check{Database: Sanctions}, Check{Database: PEPs}
	if d.Lists == nil {
		return []Check{sanctions, peps}, nil
	}
	hits, err := d.Lists(ctx, q.Name, company.Date(q.Birth))
	if err != nil {
		return nil, err
	}
	sanctions.Result, peps.Result = Differs, Differs
	for _, h := range hits {
		to := &sanctions
		if h.PEP {
			to = &peps
		}
		to.Result, to.Alert = Close, true
		to.Listed = append(to.Listed, h)
	}
	return []Check{sanctions, peps}, nil
}

// papers adds what the documents say, and decides anew.
func (d *Desk) papers(s *Search, found *Candidate, list []Paper) {
	c := Check{Database: Papers}
	for _, p := range list {
		g := Differs
		if found != nil && slices.Contains(found.Documents, Document{p.Kind, d.Fingerprint(p.Plain())}) {
			g = Same
		}
		c.note("the "+string(p.Kind), g)
		c.Result = max(c.Result, g)
	}
	a := s.Answer.AML
	a.Checks = slices.DeleteFunc(a.Checks, func(c Check) bool { return c.Database == Papers })
	if c.Result != Unknown {
		a.Checks = append(a.Checks, c)
	}
	if s.Answer.Bank != nil && *s.Answer.Bank {
		a.decide(found)
		a.Score++ // the account is the person's: that is one more who says so
		if a.Band == Refer && !a.Alerts && a.Score >= enough {
			a.Band = Pass
		}
		s.Answer.Result = a.Band
		return
	}
	a.decide(found)
	s.Answer.Result = a.Band
}
