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
	Choices []string                            // the values it may have; nil if they cannot be listed
	read    func(string) (kept string, ok bool) // a value as it is kept, if it is allowed
}

// Watches reports whether a rule is about companies of a country.
func (r *Rule) Watches(country string) bool { return r.Country == Everywhere || r.Country == country }

// Check tidies parameters and says what is wrong with them. Where none is given
// the defaults hold; one that is left out beside others asks for nothing.
func (r *Rule) Check(v Values) (Values, error) {
	v, wrong := r.read(v)
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

// read tidies parameters one by one, and says what is wrong with each. Clients
// send all three, used or not: an empty one is always allowed.
func (r *Rule) read(v Values) (_ Values, wrong []string) {
	for i := range v {
		v[i] = strings.TrimSpace(v[i])
		if v[i] == "" {
			continue
		}
		what := "param" + itoa(i) + " of rule " + itoa(r.Code) + ": "
		if i >= len(r.Params) {
			wrong = append(wrong, what+"the rule has no such parameter; leave it out")
			continue
		}
		p := &r.Params[i]
		kept, ok := p.read(v[i])
		if !ok {
			wrong = append(wrong, what+quote(v[i])+" is not allowed; "+p.Means+": "+p.Allowed)
			continue
		}
		v[i] = kept
	}
	return v, wrong
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
	Left   Left
}

// Left says which parameters a customer left out, which is not to ask for
// nothing: they stay as they are if the rule is on.
type Left [3]bool

// Over is what a switch that was checked makes of a rule of a country which is
// on with some parameters, or off if was is nil. A rule that is off gets its
// defaults if all parameters are left out; beside others, one that is left out
// asks for nothing.
func (s *Switch) Over(country string, was *Values) (Values, error) {
	r, ok := FindRule(country, s.Code)
	if !ok || s.Left == (Left{}) {
		return s.Values, nil
	}
	v := s.Values
	for i := range v {
		if s.Left[i] && was != nil {
			v[i] = was[i]
		}
	}
	return r.Check(v)
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
			why := "rule " + itoa(s.Code) + " is not one of " + country + "; GET /monitoring/eventRules/" + country + " lists them"
			if len(Rules(country)) == 0 {
				why = "no rule is for " + country + " alone; those of " + Everywhere + " are for companies of every country"
			}
			return nil, fault.Missing.Details("EventRule resource not found", why)
		}
		wrong = append(wrong, s.check(r)...)
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

// check tidies a switch of a rule, and says what is wrong with it. Whether
// parameters make sense together is for Over to say, where some are left out.
func (s *Switch) check(r *Rule) (wrong []string) {
	switch {
	case !s.On:
		s.Values, s.Left = Values{}, Left{}
	case s.Left != (Left{}):
		s.Values, wrong = r.read(s.Values)
	default:
		v, err := r.Check(s.Values)
		f, _ := fault.Of(err)
		s.Values, wrong = v, f.Details
	}
	return wrong
}
