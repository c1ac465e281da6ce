package console

import (
	"strconv"
	"strings"
	"time"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// A ruleGroup is the rules for the companies of one country, or of all.
type ruleGroup struct {
	Country string
	Words   string
	Rules   []ruleRow
}

// A ruleRow is a rule as a switch.
type ruleRow struct {
	monitor.RuleState
	Portfolio monitor.PortfolioID
	MayEdit   bool
	Words     string
	Said      string
	Trial     *monitor.Outcome
	Days      int
}

// Inputs are the parameters with what they are set to.
func (r ruleRow) Inputs() (out []ruleInput) {
	for i, p := range r.Params {
		out = append(out, ruleInput{Name: "param" + strconv.Itoa(i), ID: r.Key() + "-" + strconv.Itoa(i), Param: p, Value: r.Values[i]})
	}
	return out
}

// Key names a rule in the page.
func (r ruleRow) Key() string { return r.Country + "-" + strconv.Itoa(r.Code) }

type ruleInput struct {
	Name, ID, Value string
	monitor.Param
}

// ruleSentence is what a rule stands for: its name, and those of its clauses whose
// parameter is set.
func ruleSentence(name string, values monitor.Values) string {
	name, text, _ := strings.Cut(name, " | ")
	if text == "" {
		return name
	}
	var out []string
	for clause := range strings.SplitSeq(text, ", ") {
		clause = strings.TrimPrefix(clause, "or ")
		place, value := "", ""
		for i, v := range values {
			if at := "{" + strconv.Itoa(i) + "}"; strings.Contains(clause, at) {
				place, value = at, v
			}
		}
		switch value {
		case "", "false":
		case "true":
			out = append(out, strings.TrimSpace(strings.Replace(clause, place, "", 1)))
		case "Any": // of the rating band, whatever else is set
			return name + ": any change"
		default:
			out = append(out, countWords.Replace(strings.Replace(clause, place, value, 1)))
		}
	}
	if len(out) == 0 {
		return name + ": say when"
	}
	return name + ": " + strings.Join(out, ", or ")
}

// countWords puts one, and more than one, into the words of a rule.
var countWords = strings.NewReplacer(" 1 band(s)", " 1 band", "band(s)", "bands", " 1 points", " 1 point")

func newRuleRow(d portfolioData, r monitor.RuleState) ruleRow {
	return ruleRow{RuleState: r, Portfolio: d.ID, MayEdit: d.MayEdit, Words: ruleSentence(r.Name, r.Values)}
}

// rules shows what a portfolio tells.
func (s *Server) rules(v *visit) error {
	d, err := s.openPortfolio(v, "rules")
	if err != nil {
		return err
	}
	countries, err := s.Portfolios.Countries(v.ctx(), v.by, d.ID)
	if err != nil {
		return err
	}
	d.RuleFilter = clip(v.query("find"), 100)
	search := monitor.NewSearch(d.RuleFilter)
	for _, country := range append([]string{monitor.Everywhere}, countries...) {
		states, err := s.Portfolios.RulesOf(v.ctx(), v.by, d.ID, country)
		if err != nil {
			return err
		}
		g := ruleGroup{Country: country, Words: "Companies of every country"}
		if country != monitor.Everywhere {
			g.Words = "Companies in " + country
		}
		for _, r := range states {
			if r.On {
				d.RulesOn++
			}
			if search.Empty() || search.In(r.Name) {
				g.Rules = append(g.Rules, newRuleRow(d, r))
			}
		}
		if len(g.Rules) > 0 {
			d.Rules = append(d.Rules, g)
		}
	}
	return s.show(v, page{name: "portfolio", title: clip(d.Name, 100), here: "Portfolios", data: d})
}

// ruleOf finds the rule that an address names.
func (s *Server) ruleOf(v *visit) (portfolioData, *monitor.Rule, error) {
	d, err := s.openPortfolio(v, "rules")
	if err != nil {
		return d, nil, err
	}
	code, _ := strconv.Atoi(v.r.PathValue("code"))
	r, ok := monitor.FindRule(v.r.PathValue("country"), code)
	if !ok {
		return d, nil, fault.Missing.Errorf("there is no such rule")
	}
	return d, r, nil
}

func (v *visit) ruleValues() (out monitor.Values) {
	for i := range out {
		out[i] = v.text("param" + strconv.Itoa(i))
	}
	return out
}

// switchRule sets a rule: on, off, or on with other parameters.
func (s *Server) switchRule(v *visit) error {
	d, r, err := s.ruleOf(v)
	if err != nil {
		return err
	}
	on := v.text("on") != ""
	err = s.Portfolios.Switch(v.ctx(), v.by, d.ID, r.Country, []monitor.Switch{{Code: r.Code, On: on, Values: v.ruleValues()}})
	if err != nil {
		return err
	}
	if !v.partial() {
		return v.redirect(portfolioPath(d.ID)+"/rules", "rules")
	}
	states, err := s.Portfolios.RulesOf(v.ctx(), v.by, d.ID, r.Country)
	if err != nil {
		return err
	}
	for _, state := range states {
		if state.Code == r.Code {
			row := newRuleRow(d, state)
			row.Said = "off"
			if on {
				row.Said = "on from now"
			}
			return s.part(v, page{name: "portfolio", data: row}, "ruleRow")
		}
	}
	return fault.Missing.Errorf("there is no such rule")
}

// trialDays is how far back a rule is tried.
const trialDays = 90

// tryRule says what a rule would have told, before it is switched on.
func (s *Server) tryRule(v *visit) error {
	d, r, err := s.ruleOf(v)
	if err != nil {
		return err
	}
	to := s.Now().UTC()
	out, err := monitor.BackTest(v.ctx(), s.Trials, v.by, monitor.Trial{
		Portfolio: d.ID, Rule: r, Values: v.ruleValues(), From: to.AddDate(0, 0, -trialDays), To: to.Add(24 * time.Hour), Sample: 5,
	})
	if err != nil {
		return err
	}
	row := newRuleRow(d, monitor.RuleState{Rule: r, Values: v.ruleValues()})
	row.Trial, row.Days = &out, trialDays
	if v.partial() {
		return s.part(v, page{name: "portfolio", data: row}, "trial")
	}
	return s.show(v, page{name: "trial", title: "Back-test", here: "Portfolios", data: row})
}

// choices are what a parameter may be set to; empty is always one of them.
func choices(p ruleInput) []string { return append([]string{""}, p.Choices...) }
