package monitor

import (
	"slices"
	"strings"

	"bureau/internal/company"
	"bureau/internal/fault"
)

// Everywhere is the country of rules that hold in all of them.
const Everywhere = "XX"

// A Rule says which changes are worth telling. Rules are a table in code, in
// rulebook.go; a portfolio switches them on, with its own parameters.
type Rule struct {
	Code    int
	Country string // Everywhere, or the country whose companies it is for
	Name    string // {0}, {1}, {2} stand for the parameters
	Type    Type
	Params  []Param
	Local   string // the codes by which older clients know the kind of event
	Global  string
	Fields  []company.Field // the changes it looks at
	Version int             // grows when the rule decides differently

	// fires decides about a change of these fields, with parameters that were
	// checked.
	fires func(c *company.Change, p Values) (Told, bool)

	// never says why parameters that are each allowed would together never
	// tell anything; nil if there are none such.
	never func(Values) string
}

// A Type says in what form a rule takes its parameters.
type Type struct {
	Number int
	Name   string
}

// Told is what an event says of its change.
type Told struct {
	Old, New string
	Why      string // in words
}

// Values are a rule's parameters as a portfolio set them.
type Values [3]string

// A Param is one parameter of a rule: what it means, and what it may be.
type Param struct {
	Means   string
	Allowed string // in words, for the error
	Default string
	read    func(string) (kept string, ok bool) // a value as it is kept, if it is allowed
}

// Watches reports whether a rule is about companies of a country.
func (r *Rule) Watches(country string) bool { return r.Country == Everywhere || r.Country == country }

// Check tidies parameters and says what is wrong with them. Where none is given
// the defaults hold; one that is left out beside others asks for nothing.
func (r *Rule) Check(v Values) (Values, error) {
	var wrong []string
	for i := range v {
		v[i] = strings.TrimSpace(v[i])
		if i >= len(r.Params) {
			v[i] = "" // clients send all three, used or not
		}
		if v[i] == "" {
			continue
		}
		p := &r.Params[i]
		if kept, ok := p.read(v[i]); ok {
			v[i] = kept
		} else {
			wrong = append(wrong, "param"+itoa(i)+" of rule "+itoa(r.Code)+": "+quote(v[i])+" is not allowed; "+p.Means+": "+p.Allowed)
		}
	}
	if v == (Values{}) {
		v = r.Defaults()
	}
	if len(wrong) == 0 && r.never != nil {
		if why := r.never(v); why != "" {
			wrong = append(wrong, "rule "+itoa(r.Code)+": "+why)
		}
	}
	if len(wrong) > 0 {
		return v, fault.Invalid.Details("the rule does not take these parameters", wrong...)
	}
	return v, nil
}

// Defaults are the parameters of a portfolio that gives none.
func (r *Rule) Defaults() (v Values) {
	for i, p := range r.Params {
		v[i] = p.Default
	}
	return v
}

// Fires reports whether a change is told under parameters that were checked,
// and in which words.
func (r *Rule) Fires(c *company.Change, v Values) (Told, bool) {
	if !r.Watches(c.Company.Country()) || !slices.Contains(r.Fields, c.Field) {
		return Told{}, false
	}
	return r.fires(c, v)
}

// Rules returns the rules for a country's companies, in the order of their
// codes: those of the country itself. Everywhere has its own.
func Rules(country string) []*Rule { return byCountry[country] }

// AllRules returns every rule there is.
func AllRules() []*Rule { return book }

// FindRule returns a rule of a country by its code.
func FindRule(country string, code int) (*Rule, bool) {
	for _, r := range byCountry[country] {
		if r.Code == code {
			return r, true
		}
	}
	return nil, false
}

// A Setting is a rule as a portfolio has it switched on: for the changes with
// numbers above Since, up to Until.
type Setting struct {
	ID        int64 // given once
	Portfolio PortfolioID
	Country   string
	Code      int
	Values    Values
	Since     int64
	Until     int64 // Forever while it is on
	Number    int64 // of the last thing that happened to it: of all settings, it only grows
}

// Forever is the end of what has not ended.
const Forever = 1<<63 - 1

// A Switch is what a customer sets a rule to.
type Switch struct {
	Code   int
	On     bool
	Values Values
}

// CheckSwitches looks up and checks the rules of a country that a customer
// wants switched.
func CheckSwitches(country string, list []Switch) ([]Switch, error) {
	out := make([]Switch, 0, len(list))
	at := map[int]int{}
	var wrong []string
	for _, s := range list {
		r, ok := FindRule(country, s.Code)
		if !ok {
			return nil, fault.Missing.Details("EventRule resource not found",
				"rule "+itoa(s.Code)+" is not one of "+country+"; GET /monitoring/eventRules/"+country+" lists them")
		}
		v, err := r.Check(s.Values)
		if err != nil && s.On {
			f, _ := fault.Of(err)
			wrong = append(wrong, f.Details...)
		}
		if !s.On {
			v = Values{}
		}
		s.Values = v
		if i, twice := at[s.Code]; twice {
			out[i] = s // the last word counts
			continue
		}
		at[s.Code] = len(out)
		out = append(out, s)
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid.Details("a rule does not take these parameters", wrong...)
	}
	return out, nil
}
