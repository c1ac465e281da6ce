package monitor

import (
	"fmt"
	"testing"

	"bureau/internal/company"
)

// TestOddParametersCostNobodyElse holds that what customers write into their
// rules does not decide what a change costs: with twenty thousand different
// settings of one rule, it is asked no more often than there are portfolios
// that watch the company.
func TestOddParametersCostNobodyElse(t *testing.T) {
	rule, _ := FindRule(Everywhere, 102)
	asked, decide := 0, rule.fires
	rule.fires = func(c *company.Change, p Values) (Told, bool) {
		asked++
		return decide(c, p)
	}
	t.Cleanup(func() { rule.fires = decide })

	fall := &company.Change{Number: 1, Company: "GB-0-1", Field: company.ScoreLimit, Old: "20000", New: "19999"}
	for _, portfolios := range []int{1, 10, fewValues, fewValues + 1, 1000, 20_000} {
		s := settings{of: map[PortfolioID][]*Setting{}, on: map[ruleKey]map[Values]int{}}
		for i := range portfolios {
			s.put(&Setting{
				ID: int64(i + 1), Portfolio: PortfolioID(i + 1), Country: Everywhere, Code: 102,
				Values: Values{"false", "", fmt.Sprint(i)}, Until: Forever,
			})
		}
		asked = 0
		s.mayFire(fall)
		var events []Event
		memo := map[verdictKey]verdict{}
		watchers := min(3, portfolios)
		for i := range watchers {
			events = s.fire(events, fall, Watcher{Portfolio: PortfolioID(i + 1), Until: Forever}, memo)
		}
		if most := fewValues + watchers; asked > most {
			t.Errorf("with %d different settings the rule was asked %d times for a change, want at most %d", portfolios, asked, most)
		}
		if len(events) != 0 {
			t.Errorf("a limit of 19999 is below none of them, and %d are told", len(events))
		}
	}
}
