//go:build !race

// The fit takes half a minute, ten times that under the race detector, and has no
// goroutines.

package fit

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"bureau/internal/match"
)

// The weights in the program are those that the fit finds. When this fails after
// a change to how names are read or compared, fit anew: see internal/match/gen.
func TestWeightsAreTheFit(t *testing.T) {
	text, err := os.ReadFile("../weights.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]match.Model
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	for _, k := range []match.Kind{match.Person, match.Company} {
		want, err := Model(k)
		if err != nil {
			t.Fatal(err)
		}
		got := kept[k.String()]
		for name, w := range want.Weights {
			if math.Abs(w-got.Weights[name]) > 0.002 {
				t.Errorf("%s: %s is %v, fitted %v", k, name, got.Weights[name], w)
			}
		}
		if len(want.Calibration) != len(got.Calibration) || want.Alert != got.Alert || want.Identity != got.Identity {
			t.Fatalf("%s: the calibration or the thresholds are others", k)
		}
		for i, p := range want.Calibration {
			if q := got.Calibration[i]; math.Abs(p[0]-q[0]) > 0.01 || math.Abs(p[1]-q[1]) > 0.01 {
				t.Errorf("%s: the calibration has %v, fitted %v", k, q, p)
			}
		}
	}
}

// On made-up pairs from another seed the weights tell names apart, and their
// probabilities mean what they say.
func TestQuality(t *testing.T) {
	for _, k := range []match.Kind{match.Person, match.Company} {
		var list []Judged
		for _, p := range MakePairs(k, 501, 6000) {
			v := match.Compare(match.NewSubject(k, p.A), match.NewSubject(k, p.B))
			list = append(list, Judged{p.Same, v.Probability, v.Probability})
		}
		q := Judge(list)
		t.Logf("%s: F1 %.3f, AUC %.3f, Brier %.3f, ECE %.3f", k, q.F1, q.AUC, q.Brier, q.ECE)
		if q.F1 < 0.86 || q.AUC < 0.92 || q.ECE > 0.03 {
			t.Errorf("%s: F1 %.3f, AUC %.3f, ECE %.3f; want 0.86, 0.92, at most 0.03", k, q.F1, q.AUC, q.ECE)
		}
	}
}
