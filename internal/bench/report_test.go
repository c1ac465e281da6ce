package bench

import "testing"

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
