package monitor_test

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bureau/internal/auth"
	"bureau/internal/company"
	"bureau/internal/monitor"
)

// An oracle knows everything there is to know about a world, the simple way: a
// change is told the moment it happens to whoever holds the company then.
type oracle struct {
	portfolios map[monitor.PortfolioID]*folder
	known      map[company.ID]bool // by the register
	last       int64               // change
}

// A folder is a portfolio as the oracle has it.
type folder struct {
	id       monitor.PortfolioID
	customer auth.CustomerID
	owner    auth.AccountID
	shares   map[auth.AccountID]monitor.Rights
	members  map[company.ID]bool
	rules    map[ruleID]monitor.Values
	news     map[newsID]*news
}

type ruleID struct {
	country string
	code    int
}

type newsID struct {
	change int64
	rule   int
}

// news is an event that must be there as soon as its change was evaluated.
type news struct {
	newsID
	company   company.ID
	old, new  string
	at        time.Time
	id        monitor.EventID // 0 until it was seen
	processed bool
}

const allRights = monitor.View | monitor.Add | monitor.Edit | monitor.Remove | monitor.Own

// rights are what a caller may do with a portfolio: nothing, as a stranger.
func (f *folder) rights(by auth.Caller) monitor.Rights {
	switch {
	case by.Customer != f.customer:
		return 0
	case by.Account == f.owner:
		return allRights
	}
	return f.shares[by.Account]
}

// seen are the portfolios that a caller may do something with, by number.
func (o *oracle) seen(by auth.Caller, need monitor.Rights) (out []*folder) {
	for _, f := range o.portfolios {
		if r := f.rights(by); r != 0 && r&need == need {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *folder) int { return cmp.Compare(a.id, b.id) })
	return out
}

// happen notes a change and who must be told of it.
func (o *oracle) happen(c company.Change) {
	for _, f := range o.portfolios {
		if !f.members[c.Company] {
			continue
		}
		for r, values := range f.rules {
			if fires(r, values, c) {
				id := newsID{c.Number, r.code}
				f.news[id] = &news{newsID: id, company: c.Company, old: c.Old, new: c.New, at: c.At}
			}
		}
	}
}

// played are the rules that are switched in a model, with parameters that decide
// differently.
var played = []struct {
	ruleID
	values []monitor.Values
}{
	{ruleID{monitor.Everywhere, 101}, []monitor.Values{{"1"}, {"2"}, {"4", "B"}, {"4", "Any"}}},
	{ruleID{monitor.Everywhere, 102}, []monitor.Values{{"true"}, {"false", "50"}, {"false", "", "1000"}}},
	{ruleID{monitor.Everywhere, 104}, []monitor.Values{{}}},
	{ruleID{monitor.Everywhere, 105}, []monitor.Values{{}}},
	{ruleID{monitor.Everywhere, 5003}, []monitor.Values{{}}},
	{ruleID{monitor.Everywhere, 5004}, []monitor.Values{{}}},
	{ruleID{monitor.Everywhere, 5006}, []monitor.Values{{}}},
	{ruleID{monitor.Everywhere, 5018}, []monitor.Values{{}}},
	{ruleID{"GB", 1801}, []monitor.Values{{"10"}, {"60"}}},
	{ruleID{"GB", 3054}, []monitor.Values{{}}},
	{ruleID{"FR", 302}, []monitor.Values{{}}},
}

// fires says in other words than the rulebook's what those rules are about.
func fires(r ruleID, p monitor.Values, c company.Change) bool {
	if r.country != monitor.Everywhere && !strings.HasPrefix(string(c.Company), r.country+"-") {
		return false
	}
	old, new := value(c.Old), value(c.New)
	switch r.code {
	case 101:
		fell := strings.Index("ABCDE", c.New) - strings.Index("ABCDE", c.Old)
		below := p[1] != "" && c.New > p[1]
		return c.Field == company.ScoreBand && (p[1] == "Any" || fell > 0 && (fell >= int(value(p[0])) || below))
	case 102:
		share := p[1] != "" && new <= old-old*value(p[1])/100
		below := p[2] != "" && new < value(p[2]) && old >= value(p[2])
		return c.Field == company.ScoreLimit && (p[0] == "true" || new < old && (share || below))
	case 1801:
		return c.Field == company.ScoreValue && new < old && new <= old-old*value(p[0])/100
	case 104, 302:
		return slices.Contains([]company.Field{company.FieldName, company.FieldStatus, company.FieldAddress, company.Removed}, c.Field)
	case 105:
		return c.Field == company.FieldAddress
	case 5003, 3054:
		return c.Field == company.FieldStatus
	case 5004:
		return c.Field == company.FieldStatus && c.Old == "Active" && c.New != "Active"
	case 5006:
		return c.Field == company.Removed
	case 5018:
		return c.Field == company.Added
	}
	panic(r)
}

func value(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64)
	return n
}

// happenings are the changes of a model: fields, and values to go from and to.
var happenings = []struct {
	field  company.Field
	values []string
}{
	{company.ScoreBand, []string{"A", "B", "C", "D", "E"}},
	{company.ScoreLimit, []string{"500", "900", "1000", "2500"}},
	{company.ScoreValue, []string{"20", "50", "54", "90"}},
	{company.FieldName, []string{"North", "South", "East"}},
	{company.FieldStatus, []string{"Active", "NonActive", "Pending"}},
	{company.FieldAddress, []string{"1 High Street", "2 High Street", ""}},
	{company.Phone, []string{"1", "2"}}, // of which no rule of a model tells
}

// due is what must be in the lists of some portfolios by now: what they were
// told of, up to where each shard has come.
func (o *oracle) due(of []*folder, passed func(company.ID) int64) map[eventID]*news {
	out := map[eventID]*news{}
	for _, f := range of {
		for id, n := range f.news {
			if n.change <= passed(n.company) {
				out[eventID{f.id, id}] = n
			}
		}
	}
	return out
}

// eventID is what makes an event one and no other.
type eventID struct {
	portfolio monitor.PortfolioID
	newsID
}

func sortedIDs(m map[company.ID]bool) []company.ID { return slices.Sorted(maps.Keys(m)) }
