package bench

import (
	"strings"
	"testing"
)

func TestGoals(t *testing.T) {
	for _, test := range []struct {
		name  string
		goal  goal
		value float64
		want  string
	}{
		{"exactly enough", atLeast(0.6), 0.6, "yes"},
		{"just short", atLeast(0.6), 0.599, "no"},
		{"exactly as much as allowed", atMost(2), 2, "yes"},
		{"just over", atMost(2), 2.001, "no"},
		{"nothing was asked", goal{}, 0, "–"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.goal.met(test.value); got != test.want {
				t.Errorf("%v met by %v: %q, want %q", test.goal, test.value, got, test.want)
			}
		})
	}
}

func TestFigure(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.00", 0.384: "0.38", 9.994: "9.99", 9.996: "10.0", 99.96: "100", 999.4: "999", 999.6: "1,000", 14980.3: "14,980",
	} {
		if got := figure(v); got != want {
			t.Errorf("figure(%v) = %q, want %q", v, got, want)
		}
	}
}

// A goal that is for all of the data is not asked of a part of it.
func TestSmallRunsMeetNoGoalOfTheWhole(t *testing.T) {
	one := []sample{{value: 1, also: []float64{1}}}
	for _, test := range []struct {
		small, whole bool
		want         string
	}{{false, true, "yes"}, {true, false, "yes"}, {true, true, none}} {
		r := newReport(Settings{Small: test.small})
		r.add(row{unit: figure, goal: atMost(2), whole: test.whole, also: []also{{"more", figure, atMost(2)}}}, sqlite, one, one)
		for _, line := range r.lines[1:] {
			if got := line[len(line)-1]; got != test.want {
				t.Errorf("small %t, whole %t: %q, want %q", test.small, test.whole, got, test.want)
			}
		}
	}
}

// A report that ended early has what was measured, and does not say that nothing was
// lost.
func TestAReportThatEndedEarlySaysSo(t *testing.T) {
	r := newReport(Settings{Rounds: 1, Seconds: 1})
	b := row{name: "quick", what: "calls", against: "nothing", unit: perSecond}
	r.add(b, sqlite, []sample{{value: 10}}, []sample{{value: 20}})
	r.remark("It ended at %s, the row %d of %d.", "slow", 2, 2)
	text := r.Text()
	for _, want := range []string{"It ended at slow", "20.0/s", "was not counted"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Nothing was lost") {
		t.Errorf("it says that nothing was lost:\n%s", text)
	}
}
