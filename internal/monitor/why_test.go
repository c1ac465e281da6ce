package monitor_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bureau/internal/company"
	"bureau/internal/fault"
	"bureau/internal/monitor"
)

// verdict is what is said of a change and a rule in the parish's portfolio.
func (w *parish) verdict(of company.ID, number int64, rule int) (watched bool, v monitor.Verdict) {
	w.t.Helper()
	list, err := w.why.Changes(w.t.Context(), by(1), w.p, of, number, 0)
	w.must(err)
	if len(list) != 1 || list[0].Change.Number != number {
		w.t.Fatalf("asked about change %d: %+v", number, list)
	}
	for _, v := range list[0].Verdicts {
		if v.Rule.Code == rule {
			return list[0].Watched, v
		}
	}
	return list[0].Watched, monitor.Verdict{}
}

// Whatever was not told has a reason, and it is the right one.
func TestWhyNothingWasTold(t *testing.T) {
	t.Parallel()
	inParish(t, func(t *testing.T, w *parish) {
		want := func(of company.ID, number int64, rule int, told bool, reason string) {
			t.Helper()
			_, v := w.verdict(of, number, rule)
			if v.Rule == nil || v.Told != told || !strings.Contains(v.Why, reason) {
				t.Errorf("change %d, rule %d: told %v because %q; want %v, %q", number, rule, v.Told, v.Why, told, reason)
			}
		}
		n := w.change("GB-0-1", name, "a", "b")
		want("GB-0-1", n, 5001, false, "not evaluated yet")
		w.evaluate()
		want("GB-0-1", n, 5001, true, "from a to b")
		want("GB-0-1", n, 104, false, "the rule was not on")

		n = w.change("GB-0-9", name, "a", "b")
		w.evaluate()
		want("GB-0-9", n, 5001, false, "not in the portfolio")
		if watched, _ := w.verdict("GB-0-9", n, 5001); watched {
			t.Error("a company that is in no portfolio is watched")
		}

		w.switchRules("XX", monitor.Switch{Code: 5060, On: true, Values: monitor.Values{"10", "", ""}})
		n = w.change("GB-0-1", company.ScoreValue, "60", "51")
		w.evaluate()
		want("GB-0-1", n, 5060, false, "parameters")
		n = w.change("GB-0-1", company.ScoreValue, "51", "41")
		w.evaluate()
		want("GB-0-1", n, 5060, true, "fell by 10 points")

		// A rule of another country does not look at it at all.
		if _, v := w.verdict("GB-0-1", n, 1703); v.Rule != nil {
			t.Errorf("a Belgian rule says %q of a British company", v.Why)
		}
		if _, v := w.verdict("GB-0-1", n, 1801); v.Rule == nil {
			t.Error("the British rule says nothing")
		}

		until := w.now.Add(time.Hour)
		w.hush(monitor.Quiet{Company: "GB-0-1", Until: until, Note: "they move"})
		n = w.change("GB-0-1", name, "b", "c")
		w.evaluate()
		want("GB-0-1", n, 5001, false, "silenced until 2026-05-01 13:00 (they move)")
		n = w.change("GB-0-2", name, "b", "c") // another company
		w.evaluate()
		want("GB-0-2", n, 5001, true, "from b to c")
		silent := w.hush(monitor.Quiet{Rule: 105, Until: until})
		n = w.change("GB-0-2", address, "b", "c")
		w.evaluate()
		want("GB-0-2", n, 105, false, "silenced")
		w.must(w.db.EndQuiet(t.Context(), by(1), w.p, silent.ID))
		want("GB-0-2", n, 105, false, "silenced") // it was, when it happened
		n = w.change("GB-0-2", address, "c", "d")
		w.evaluate()
		want("GB-0-2", n, 105, true, "d")

		w.hush(monitor.Quiet{Company: "GB-0-2", Hours: 24})
		n = w.change("GB-0-2", address, "d", "c")
		w.evaluate()
		want("GB-0-2", n, 105, false, "to and fro")

		w.switchRules("XX", monitor.Switch{Code: 5001})
		w.now = until
		n = w.change("GB-0-1", name, "c", "d")
		w.evaluate()
		want("GB-0-1", n, 5001, false, "the rule was not on")
		_, err := w.db.RemoveMembers(t.Context(), by(1), w.p, []company.ID{"GB-0-1"})
		w.must(err)
		n = w.change("GB-0-1", address, "c", "d")
		w.evaluate()
		want("GB-0-1", n, 105, false, "not in the portfolio")

		if _, err := w.why.Changes(t.Context(), by(1), w.p, "GB-0-1", 999_999, 0); !errors.Is(err, fault.Missing) {
			t.Errorf("a change that is none: %v", err)
		}
		if _, err := w.why.Changes(t.Context(), by(1), w.p, "GB-0-2", n, 0); !errors.Is(err, fault.Missing) {
			t.Errorf("a change of another company: %v", err)
		}
		if _, err := w.why.Changes(t.Context(), by(2), w.p, "GB-0-1", 0, 10); !errors.Is(err, fault.Missing) {
			t.Errorf("a stranger asks: %v", err)
		}
	})
}

// An event is explained by the rule, its version, the parameters of that day,
// the change and the reason, whatever was set since.
func TestWhyAnEventWasTold(t *testing.T) {
	t.Parallel()
	inParish(t, func(t *testing.T, w *parish) {
		w.switchRules("XX", monitor.Switch{Code: 5001}, monitor.Switch{Code: 5060, On: true, Values: monitor.Values{"10", "", ""}})
		n := w.change("GB-0-1", company.ScoreValue, "60", "45")
		w.evaluate()
		w.switchRules("XX", monitor.Switch{Code: 5060, On: true, Values: monitor.Values{"50", "", ""}})
		list, err := w.db.Events(t.Context(), by(1), monitor.EventQuery{Limit: 10})
		w.must(err)
		if len(list.List) != 1 {
			t.Fatalf("%d events, want 1", len(list.List))
		}
		c, err := w.why.Event(t.Context(), by(1), list.List[0].ID)
		w.must(err)
		if c.Rule == nil || c.Rule.Code != 5060 || c.Event.Version != c.Rule.Version || c.Event.Version == 0 {
			t.Errorf("the rule is %+v, of version %d", c.Rule, c.Event.Version)
		}
		if c.Setting.Values != (monitor.Values{"10", "", ""}) {
			t.Errorf("the parameters were %v, want those of then", c.Setting.Values)
		}
		if c.Change.Number != n || c.Change.Source != "src" || c.Change.Old != "60" || c.Change.New != "45" {
			t.Errorf("the change was %+v", c.Change)
		}
		if !strings.Contains(c.Event.Why, "fell by 15 points, from 60 to 45; the rule asks for 10 or more") {
			t.Errorf("the reason is %q", c.Event.Why)
		}
		if _, err := w.why.Event(t.Context(), by(2), list.List[0].ID); !errors.Is(err, fault.Missing) {
			t.Errorf("a stranger asks: %v", err)
		}
	})
}

// Whatever happens, in whatever order: what is said to have been told was told,
// and nothing else was.
func TestWhyAgreesWithTheEngine(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newParish(t, filepath.Join(t.TempDir(), "parish.db"))
			chance := rand.New(rand.NewPCG(seed, 4))
			ids := []company.ID{"GB-0-1", "GB-0-2", "SE-0-1"}
			var hushed []monitor.Quiet
			for range 150 {
				w.now = w.now.Add(time.Duration(chance.IntN(300)) * time.Minute)
				id := ids[chance.IntN(len(ids))]
				switch chance.IntN(12) {
				case 0:
					_, err := w.db.AddMembers(t.Context(), by(1), w.p, []monitor.Member{{Company: id}})
					w.must(err)
				case 1:
					_, err := w.db.RemoveMembers(t.Context(), by(1), w.p, []company.ID{id})
					w.must(err)
				case 2:
					w.switchRules("XX", monitor.Switch{Code: []int{5001, 105, 104}[chance.IntN(3)], On: chance.IntN(3) > 0})
				case 3:
					q := monitor.Quiet{Until: w.now.Add(time.Duration(chance.IntN(3000)) * time.Minute)}
					if chance.IntN(2) == 0 {
						q = monitor.Quiet{Hours: 1 + chance.IntN(60)}
					}
					if chance.IntN(2) == 0 {
						q.Company = id
					}
					q.Rule = []int{0, 5001, 105}[chance.IntN(3)]
					hushed = append(hushed, w.hush(q))
				case 4:
					if len(hushed) > 0 {
						i := chance.IntN(len(hushed))
						w.must(w.db.EndQuiet(t.Context(), by(1), w.p, hushed[i].ID))
						hushed = slices.Delete(hushed, i, i+1)
					}
				case 5:
					w.evaluate()
				default:
					values := []string{"a", "b", "c"}
					w.change(id, []company.Field{name, address}[chance.IntN(2)], values[chance.IntN(3)], values[chance.IntN(3)])
				}
			}
			w.evaluate()
			var said []string
			for _, id := range ids {
				list, err := w.why.Changes(t.Context(), by(1), w.p, id, 0, 1000)
				w.must(err)
				for _, e := range list {
					for _, v := range e.Verdicts {
						if v.Told {
							said = append(said, fmt.Sprint(e.Change.Number, " ", v.Rule.Code))
						} else if v.Why == "" {
							t.Errorf("change %d, rule %d: not told, and nobody says why", e.Change.Number, v.Rule.Code)
						}
					}
				}
			}
			slices.Sort(said)
			if got := w.told(); !slices.Equal(got, said) || len(got) == 0 {
				t.Errorf("told %v, said to have been told %v", got, said)
			}
		})
	}
}
