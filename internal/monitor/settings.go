package monitor

import (
	"slices"

	"bureau/internal/company"
)

// settings are the rules of all portfolios as the engine holds them, kept up to
// date by their numbers.
type settings struct {
	last int64
	of   map[PortfolioID][]*Setting
	on   map[ruleKey]map[Values]int // how many portfolios have a rule on with which parameters
	gone []*Setting                 // ended, and not yet passed by every shard
}

// A ruleKey names a rule: two countries may have different ones of one code.
type ruleKey struct {
	country string
	code    int
}

// take takes over what changed since it was last asked.
func (s *settings) take(list []Setting) {
	if s.of == nil {
		s.of, s.on = map[PortfolioID][]*Setting{}, map[ruleKey]map[Values]int{}
	}
	for i := range list {
		s.put(&list[i])
		s.last = list[i].Number
	}
}

func (s *settings) put(n *Setting) {
	if n.Until <= n.Since {
		s.drop(n) // on and off again without a change in between
		return
	}
	held := s.of[n.Portfolio]
	i := slices.IndexFunc(held, func(h *Setting) bool { return h.ID == n.ID })
	if i >= 0 {
		held[i].Until = n.Until // nothing else about it changes
		n = held[i]
	} else {
		s.of[n.Portfolio] = append(held, n)
		key := ruleKey{n.Country, n.Code}
		if s.on[key] == nil {
			s.on[key] = map[Values]int{}
		}
		s.on[key][n.Values]++
	}
	if n.Until != Forever {
		s.gone = append(s.gone, n)
	}
}

func (s *settings) drop(n *Setting) {
	held := s.of[n.Portfolio]
	i := slices.IndexFunc(held, func(h *Setting) bool { return h.ID == n.ID })
	if i < 0 {
		return
	}
	if held = slices.Delete(held, i, i+1); len(held) == 0 {
		delete(s.of, n.Portfolio)
	} else {
		s.of[n.Portfolio] = held
	}
	key := ruleKey{n.Country, n.Code}
	if s.on[key][n.Values]--; s.on[key][n.Values] <= 0 {
		delete(s.on[key], n.Values)
	}
}

// stale reports whether it is worth asking how far all shards have come.
func (s *settings) stale() bool { return len(s.gone) > 256 }

// forget drops what ended before a change that every shard has left behind.
func (s *settings) forget(passed int64) {
	s.gone = slices.DeleteFunc(s.gone, func(n *Setting) bool {
		if n.Until > passed {
			return false
		}
		s.drop(n)
		return true
	})
}

// fewValues is up to how many different settings of one rule are tried on a
// change before it is known who watches the company. With more, a customer with
// many odd portfolios would slow down everyone.
const fewValues = 32

// mayFire reports whether a change can be an event for anybody.
func (s *settings) mayFire(c *company.Change) bool {
	country := c.Company.Country()
	for _, r := range byField[c.Field] {
		if !r.Watches(country) {
			continue
		}
		on := s.on[ruleKey{r.Country, r.Code}]
		if len(on) > fewValues {
			return true
		}
		for v := range on {
			if _, ok := r.fires(c, v); ok {
				return true
			}
		}
	}
	return false
}

// A verdict is what a rule says of a change. Portfolios with the same
// parameters share it.
type (
	verdictKey struct {
		rule   *Rule
		values Values
	}
	verdict struct {
		told Told
		ok   bool
	}
)

// fire adds the events of one change for one watcher.
func (s *settings) fire(events []Event, c *company.Change, w Watcher, memo map[verdictKey]verdict) []Event {
	for _, n := range s.of[w.Portfolio] {
		if c.Number <= n.Since || c.Number > n.Until {
			continue
		}
		r := n.rule(c)
		if r == nil {
			continue
		}
		key := verdictKey{r, n.Values}
		v, known := memo[key]
		if !known {
			v.told, v.ok = r.fires(c, n.Values)
			memo[key] = v
		}
		if !v.ok {
			continue
		}
		events = append(events, Event{
			Customer: w.Customer, Portfolio: w.Portfolio, Company: c.Company,
			Country: r.Country, Rule: r.Code, Version: r.Version, Setting: n.ID,
			Change: c.Number, Field: c.Field, Source: c.Source,
			Old: v.told.Old, New: v.told.New, Why: v.told.Why, At: c.At,
		})
	}
	return events
}

// rule is the setting's rule, if it looks at a change.
func (n *Setting) rule(c *company.Change) *Rule {
	for _, r := range byField[c.Field] {
		if r.Code == n.Code && r.Country == n.Country && r.Watches(c.Company.Country()) {
			return r
		}
	}
	return nil
}
