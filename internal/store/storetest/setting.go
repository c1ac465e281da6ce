package storetest

import (
	"fmt"
	"sync"
	"testing"

	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// settings are the promises of monitor.RuleStore.
var settings = []promise{
	{"rules are switched one by one; others stay, in this country and in others", rulesSwitched},
	{"parameters that are left out stay as they are, whoever else sets them", rulesLeftOut},
	{"a rule is on for the changes after, and off for none before", rulesByNumber},
	{"what is set to what it is already keeps its version", rulesKept},
	{"all rules go off at once", allOff},
	{"what two nodes switch at once gets numbers that become visible in order", switchedAtOnce},
	{"no change comes between the number that a setting gets and its commit", switchedExactly},
}

// switchRules switches, and fails the test if it cannot.
func switchRules(t tb, s monitor.RuleStore, id monitor.PortfolioID, country string, list ...monitor.Switch) {
	t.Helper()
	noError(t, s.SwitchRules(t.Context(), ann, id, country, list))
}

// on is what a portfolio has on, in words.
func on(t tb, s monitor.RuleStore, id monitor.PortfolioID) (out []string) {
	t.Helper()
	list, err := s.Settings(t.Context(), ann, id)
	noError(t, err)
	for _, r := range list {
		out = append(out, fmt.Sprintf("%s %d %v", r.Country, r.Code, r.Values))
	}
	return out
}

func rulesSwitched(t *testing.T, s nodes) {
	p, other := create(t, s, ann, aPortfolio("one")), create(t, s, ann, aPortfolio("other"))
	same(t, "a new portfolio", on(t, s, p.ID), []string(nil))
	switchRules(t, s, other.ID, "XX", monitor.Switch{Code: 105, On: true})
	switchRules(t, s, p.ID, "XX",
		monitor.Switch{Code: 105, On: true}, monitor.Switch{Code: 101, On: true, Values: monitor.Values{"1", "A", "ä'\""}}, monitor.Switch{Code: 107})
	switchRules(t, s.other, p.ID, "FI", monitor.Switch{Code: 802, On: true})
	switchRules(t, s.other, p.ID, "FR", monitor.Switch{Code: 802, On: true})
	same(t, "on", on(t, s, p.ID), []string{"FI 802 [  ]", "FR 802 [  ]", "XX 101 [1 A ä'\"]", "XX 105 [  ]"})
	switchRules(t, s, p.ID, "FI", monitor.Switch{Code: 802})
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 101, On: true, Values: monitor.Values{"2"}}, monitor.Switch{Code: 5001, On: true})
	same(t, "after", on(t, s.other, p.ID), []string{"FR 802 [  ]", "XX 101 [2  ]", "XX 105 [  ]", "XX 5001 [  ]"})
	same(t, "the other portfolio", on(t, s, other.ID), []string{"XX 105 [  ]"})
	switchRules(t, s, p.ID, "XX")
	switchRules(t, s, p.ID, "SE", monitor.Switch{Code: 3040}) // off already
	same(t, "after nothing", len(on(t, s, p.ID)), 4)
}

// Two who set different parameters of a rule at the same time lose nothing of
// each other's.
func rulesLeftOut(t *testing.T, s nodes) {
	p := create(t, s, ann, aPortfolio("one"))
	all := monitor.Left{true, true, true}
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 101, On: true, Left: all}, monitor.Switch{Code: 105, On: true, Left: all})
	same(t, "by itself", on(t, s, p.ID), []string{"XX 101 [1  true]", "XX 105 [  ]"})
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 101, On: true, Values: monitor.Values{"2", "C", "true"}})
	before, err := settingsAfter(t, s, 0)
	noError(t, err)
	switchRules(t, s.other, p.ID, "XX", monitor.Switch{Code: 101, On: true, Left: all}, monitor.Switch{Code: 105, On: true, Left: all})
	after, err := settingsAfter(t, s, 0)
	noError(t, err)
	same(t, "nothing was set", after, before)
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 101, On: true, Values: monitor.Values{"", "D"}, Left: monitor.Left{true, false, true}})
	same(t, "one was set", on(t, s, p.ID), []string{"XX 101 [2 D true]", "XX 105 [  ]"})
	none := monitor.Switch{Code: 101, On: true, Values: monitor.Values{"", ""}, Left: monitor.Left{false, false, true}}
	wantKind(t, s.SwitchRules(t.Context(), ann, p.ID, "XX", []monitor.Switch{{Code: 105}, none}), fault.Invalid)
	same(t, "a rule that would never tell", on(t, s, p.ID), []string{"XX 101 [2 D true]", "XX 105 [  ]"})
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 101})
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 101, On: true, Left: all})
	same(t, "off and on again", on(t, s, p.ID), []string{"XX 101 [1  true]", "XX 105 [  ]"})
	var wg sync.WaitGroup
	for i, node := range []Store{s, s.other} {
		wg.Go(func() {
			w := monitor.Switch{Code: 101, On: true, Values: monitor.Values{"4", "C"}, Left: monitor.Left{true, true, true}}
			w.Left[i] = false
			w.Values[1-i] = ""
			noErrorf(t, node.SwitchRules(t.Context(), ann, p.ID, "XX", []monitor.Switch{w}))
		})
	}
	wg.Wait()
	same(t, "two at once", on(t, s, p.ID), []string{"XX 101 [4 C true]", "XX 105 [  ]"})
}

func rulesByNumber(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one"))
	first := someChange(t, s, "GB-0-1")
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 105, On: true})
	begun, err := s.other.Settings(t.Context(), ann, p.ID)
	noError(t, err)
	if len(begun) != 1 || begun[0].Since != first || begun[0].Until != monitor.Forever || begun[0].Portfolio != p.ID || begun[0].ID != begun[0].Number {
		t.Fatalf("switched on after change %d it is %+v", first, begun)
	}
	second := someChange(t, s, "GB-0-1")
	switchRules(t, s.other, p.ID, "XX", monitor.Switch{Code: 105, On: true, Values: monitor.Values{"1"}})
	third := someChange(t, s, "GB-0-1")
	switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 105})
	same(t, "on", on(t, s, p.ID), []string(nil))
	all, err := settingsAfter(t, s, 0)
	noError(t, err)
	if len(all) != 2 || all[0].Since != first || all[0].Until != second || all[1].Since != second || all[1].Until != third {
		t.Fatalf("of three changes %d, %d, %d the settings are %+v", first, second, third, all)
	}
	if all[0].ID != begun[0].ID || all[0].Number <= begun[0].Number || all[1].Number <= all[0].Number {
		t.Errorf("the first was number %d of %d; now they are %+v", begun[0].Number, begun[0].ID, all)
	}
	news, err := settingsAfter(t, s.other, all[0].Number)
	noError(t, err)
	same(t, "news", news, all[1:])
}

func rulesKept(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one"))
	rule := monitor.Switch{Code: 102, On: true, Values: monitor.Values{"", "10", ""}}
	switchRules(t, s, p.ID, "XX", rule)
	was, err := settingsAfter(t, s, 0)
	noError(t, err)
	someChange(t, s, "GB-0-1")
	switchRules(t, s, p.ID, "XX", rule, monitor.Switch{Code: 105})
	is, err := settingsAfter(t, s.other, 0)
	noError(t, err)
	same(t, "set to what it is", is, was)
}

func allOff(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p, other := create(t, s, ann, aPortfolio("one")), create(t, s, ann, aPortfolio("other"))
	noError(t, s.SwitchAllOff(t.Context(), ann, p.ID))
	for _, id := range []monitor.PortfolioID{p.ID, other.ID} {
		switchRules(t, s, id, "XX", monitor.Switch{Code: 105, On: true}, monitor.Switch{Code: 107, On: true})
		switchRules(t, s, id, "GB", monitor.Switch{Code: 1815, On: true})
	}
	n := someChange(t, s, "GB-0-1")
	noError(t, s.other.SwitchAllOff(t.Context(), ann, p.ID))
	same(t, "on", on(t, s, p.ID), []string(nil))
	same(t, "the other's", len(on(t, s, other.ID)), 3)
	all, err := settingsAfter(t, s, 0)
	noError(t, err)
	ended := 0
	for _, r := range all {
		if r.Portfolio == p.ID && r.Until == n {
			ended++
		}
	}
	if ended != 3 || len(all) != 6 {
		t.Errorf("%d of 3 settings ended with change %d; there are %d", ended, n, len(all))
	}
}

func switchedAtOnce(t *testing.T, s nodes) {
	var list []monitor.PortfolioID
	for i := range 4 {
		list = append(list, create(t, s, ann, aPortfolio(fmt.Sprint(i))).ID)
	}
	stop := make(chan struct{})
	var wg, reader sync.WaitGroup
	held := map[int64]monitor.Setting{} // by id, as a reader of news holds them
	read := func(last int64) int64 {
		news, err := settingsAfter(t, s.other, last)
		noErrorf(t, err)
		for _, r := range news {
			held[r.ID], last = r, r.Number
		}
		return last
	}
	var last int64
	reader.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				last = read(last)
			}
		}
	})
	for n, node := range []Store{s.Store, s.other} {
		for w := range 3 {
			wg.Go(func() {
				for i := range 10 {
					id := list[(n+w+i)%len(list)]
					noErrorf(t, node.SwitchRules(t.Context(), ann, id, "XX", []monitor.Switch{
						{Code: 105, On: i%2 == 0}, {Code: 101, On: true, Values: monitor.Values{fmt.Sprint(n, w, i)}},
					}))
				}
			})
		}
	}
	wg.Wait()
	close(stop)
	reader.Wait()
	read(last)
	all, err := settingsAfter(t, s, 0)
	noError(t, err)
	for _, want := range all {
		if got := held[want.ID]; got != want {
			t.Errorf("who followed the numbers holds %+v, want %+v", got, want)
		}
	}
	if len(held) != len(all) {
		t.Errorf("who followed the numbers holds %d settings, want %d", len(held), len(all))
	}
	seen := map[string]bool{}
	for _, r := range all {
		key := fmt.Sprint(r.Portfolio, r.Country, r.Code)
		if r.Until == monitor.Forever && seen[key] {
			t.Errorf("%s is on twice", key)
		}
		seen[key] = seen[key] || r.Until == monitor.Forever
	}
}

// switchedExactly is watchedExactly for rules.
func switchedExactly(t *testing.T, s nodes) {
	someCompanies(t, s, 1)
	p := create(t, s, ann, aPortfolio("one"))
	stop, turn, wait := changing(t, s.other, "GB-0-1")
	fires := func(list []monitor.Setting, n int64) bool {
		for _, r := range list {
			if n > r.Since && n <= r.Until {
				return true
			}
		}
		return false
	}
	seen := map[int64]bool{}
	wait.Go(func() {
		at := int64(0)
		for last := false; !last; {
			select {
			case <-stop.said:
				last = true
			default:
			}
			list, err := s.Changes(t.Context(), at, 1000)
			noErrorf(t, err)
			rules, err := settingsAfter(t, s, 0)
			noErrorf(t, err)
			for _, c := range list {
				at = c.Number
				seen[at] = fires(rules, at)
			}
		}
	})
	for i := range 30 {
		turn()
		switchRules(t, s, p.ID, "XX", monitor.Switch{Code: 105, On: i%2 == 0})
	}
	stop.now()
	wait.Wait()
	final, err := settingsAfter(t, s, 0)
	noError(t, err)
	for n, told := range seen {
		if want := fires(final, n); told != want {
			t.Errorf("change %d was told: %v; the numbers say %v", n, told, want)
		}
	}
}

// settingsAfter are the settings since a number.
func settingsAfter(t tb, s monitor.EngineStore, number int64) ([]monitor.Setting, error) {
	list, _, err := s.RulesAfter(t.Context(), number, monitor.Forever)
	return list, err
}
