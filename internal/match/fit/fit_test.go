package fit

import (
	"math"
	"testing"
)

// The measures are right where the answer is known.
func TestJudge(t *testing.T) {
	q := Judge([]Judged{{true, 1, 1}, {true, 1, 1}, {false, 0, 0}, {false, 0, 0}})
	if q.F1 != 1 || q.AUC != 1 || q.Brier != 0 || q.ECE != 0 {
		t.Errorf("perfect answers: %+v", q)
	}
	q = Judge([]Judged{{true, 0.5, 0.5}, {false, 0.5, 0.5}})
	if q.AUC != 0.5 || q.Brier != 0.25 || q.ECE != 0 {
		t.Errorf("a coin: %+v", q)
	}
	q = Judge([]Judged{{false, 0.9, 0.9}, {true, 0.1, 0.1}})
	if q.AUC != 0 || math.Abs(q.ECE-0.9) > 1e-9 {
		t.Errorf("the wrong way round: %+v", q)
	}
}

func TestLogisticFindsTheWeights(t *testing.T) {
	var samples []sample
	for i := range 200 {
		x := float64(i%20)/10 - 1
		samples = append(samples, sample{[]float64{1, x}, i%7 != 0 == (x > 0.2), 1, 0})
	}
	w := logistic(samples, []string{"bias", "evidence"})
	if w[1] <= 0 || math.Abs(-w[0]/w[1]-0.2) > 0.2 {
		t.Errorf("weights %v", w)
	}
	if w := logistic(samples, []string{"bias", "conflict"}); w[1] != 0 {
		t.Errorf("a weight of the wrong sign is kept: %v", w)
	}
}

func TestDamage(t *testing.T) {
	d := NewDamager(3)
	for _, class := range Damages {
		done := 0
		for range 50 {
			if name := d.Company(); name != "" {
				if out, ok := d.Damage(class, name); ok && out != name {
					done++
				}
			}
		}
		if done == 0 {
			t.Errorf("%s damages nothing", class)
		}
	}
}
